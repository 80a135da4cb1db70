//! How much work is done at a time: counted in cells, not in time.

/// Work of settling one tile, in cells: as many as it has.
pub(crate) const TILE_WORK: u64 = 100;
/// Work of looking at a sector and finding nothing there to look into, in cells.
pub(crate) const LOOK_WORK: u64 = 1;
/// Work of putting a portal into the search's queue again, in cells.
pub(crate) const QUEUE_WORK: u64 = 5;
/// Work of holding a sector where cells are looked for against the portals known
/// around it, in cells.
pub(crate) const MEET_WORK: u64 = 10;
/// Work of taking one portal from the search's queue, in cells: it takes about
/// as long as settling so many.
pub(crate) const PORTAL_WORK: u64 = 20;

/// How much work a tick may do, in cells.
///
/// Settling a tile counts as its 100 cells; taking a portal from the search's
/// queue counts as 20, and what is smaller as less. Counting cells and not time makes a tick do the same on
/// every machine. A tick stops once its budget is used up, so it does at most
/// one sector's work more; what it did too much is taken off the next budget.
/// So it makes no difference how a budget is sliced: four ticks of 1,000 cells
/// do what one of 4,000 does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(u64);

impl Budget {
    /// As much as there is to do.
    pub const UNLIMITED: Self = Self(u64::MAX);

    /// So many cells. With 0 a tick does nothing, and frees nothing.
    #[must_use]
    pub const fn cells(cells: u64) -> Self {
        Self(cells)
    }

    /// A slice of so many cells at most, and the rest.
    pub(crate) const fn split(self, cells: u64) -> (Self, Self) {
        let slice = if self.0 < cells { self.0 } else { cells };
        (Self(slice), Self(self.0 - slice))
    }

    pub(crate) const fn is_nothing(self) -> bool {
        self.0 == 0
    }
}

/// The budget is used up: the work in hand goes on where it stopped when it is
/// called again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paused;

/// Runs work to its end: nothing pauses it.
pub(crate) fn run_to_end<T>(work: impl FnOnce(&mut Work) -> Result<T, Paused>) -> T {
    match work(&mut Work::within(Budget::UNLIMITED)) {
        Ok(done) => done,
        Err(Paused) => unreachable!("an unlimited budget is never used up"),
    }
}

/// Work being done within a budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    budget: u64,
    /// What was done too much before.
    owed: u64,
    done: u64,
}

impl Work {
    pub(crate) const fn within(budget: Budget) -> Self {
        Self::owing(budget, 0)
    }

    /// Work within a budget of which so much is used up already; it may be
    /// more than there is.
    pub(crate) const fn owing(Budget(budget): Budget, owed: u64) -> Self {
        Self {
            budget,
            owed,
            done: 0,
        }
    }

    /// What is left of the budget.
    pub(crate) const fn left(&self) -> u64 {
        let used = self.owed.saturating_add(self.done);
        self.budget.saturating_sub(used)
    }

    /// Called before each piece of work.
    ///
    /// # Errors
    /// If the budget is used up.
    pub(crate) const fn check(&self) -> Result<(), Paused> {
        if self.left() == 0 {
            Err(Paused)
        } else {
            Ok(())
        }
    }

    /// How much more than the budget is used up.
    pub(crate) const fn overdrawn(&self) -> u64 {
        self.owed
            .saturating_add(self.done)
            .saturating_sub(self.budget)
    }

    /// Counts what was done.
    pub(crate) const fn count(&mut self, cells: u64) {
        self.done += cells;
    }

    /// Cells worked so far.
    pub(crate) const fn done(&self) -> u64 {
        self.done
    }
}
