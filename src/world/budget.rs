/// How much work a tick may do, in cells.
///
/// Settling a tile, or turning it into directions, counts as its 100 cells;
/// taking a portal from the search's queue counts as 20. Counting cells and
/// not time makes a tick do the same on every machine. A tick stops once its
/// budget is used up, so it does at most one sector's work more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(u64);

impl Budget {
    /// As much as there is to do.
    pub const UNLIMITED: Self = Self(u64::MAX);

    /// So many cells. With 0 a tick does nothing.
    #[must_use]
    pub const fn cells(cells: u64) -> Self {
        Self(cells)
    }

    pub(super) const fn work(self) -> u64 {
        self.0
    }
}
