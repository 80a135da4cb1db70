use crate::cost::CostMap;
use crate::field::Region;
use crate::grid::{Cell, Sector};

/// The costs-to-go of an order's loaded cells.
///
/// The engine drops them once the directions are made; for pictures and tests
/// they are integrated once more.
pub struct Integration<'w> {
    pub(super) costs: &'w CostMap,
    pub(super) region: Region,
}

impl Integration<'_> {
    /// The price of the way from a cell to the goal, over loaded sectors, in
    /// fifths of an open straight step; `None` where the sector is not loaded
    /// or no such way exists.
    #[must_use]
    pub fn cost_to_go(&self, cell: Cell) -> Option<u64> {
        self.region.cost_to_go(self.costs, cell)
    }

    /// Settles one loaded sector anew, from what has come to its border: the
    /// whole work of a sector rebuild, with the directions and the look at
    /// which neighbours it would wake. Changes nothing that can be read. Tells
    /// whether the sector is loaded.
    ///
    /// This is for measuring: time it in a loop.
    pub fn rebuild(&mut self, sector: Sector) -> bool {
        self.region.rebuild(self.costs, sector)
    }

    /// How many times a tile was settled: at least once each; more where a
    /// route comes back to a sector.
    #[must_use]
    pub const fn settlings(&self) -> u64 {
        self.region.settlings()
    }
}
