//! Budgets of work, counted in cells and not in time.
//!
//! | work | cells |
//! | --- | --: |
//! | settling a tile | 100 |
//! | settling a block: in any case; for 32 lanes relaxed; for a cost that improves | 20; 1; 3 |
//! | making a clique: for a sector; for a pair of rim portals | 40; 1 |
//! | queueing a block again when the heuristic changes: in any case; for a fresh lane | 1; 1 |
//! | reporting a portal on a path; clearing a batch of lanes before | 10; 10 |
//! | a path through a cluster: settling a sector; for 32 lanes; for a cost that improves; a portal looked up | 8; 1; 2; 1 |
//! | settling the bound of a link: in any case; for 8 links | 1; 1 |
//! | looking outward for goals or a way out of a wall: a sector; one of interest | 1; 100 |
//! | the walks from the cells of a new target to the portals around | 100 |
//! | loading a sector | 20 |
//! | is a sector beside a path worth loading: in any case; for 8 points of paths | 1; 1 |
//! | a unit for which a path is wanted | 5 |
//! | after an edit under way: a changed sector; a sector beside one | 100; 30 |
//!
//! Work may stop after any such piece and keeps its queue, so slicing changes no
//! result. These count to no budget:
//!
//! - **Edits.** One looks at every order (0.03 µs for each touched sector), at the units
//!   of orders around which islands have changed, and at all cells of a goal near it
//!   (40 ms for a goal of a million cells). Large edits are made in pieces
//!   (`CellRect::pieces`).
//! - **Surcharges.** They are edits of one layer.
//! - **Links.** An edit visits all cells of links for each order on their layers, and
//!   a search that opens links opens the clusters at their ends at once. So links are
//!   limited to 4,096 cells.
//! - **Sorting the goal cells** when an integration begins: 40 ms for a million cells.
//! - **Freeing**, 1 µs an order and more for large fields: 256 orders in each tick, and
//!   beyond that one for every 500 cells of the budget that are left. The others wait for
//!   later ticks, and no result depends on when they are freed. That an order is gone is
//!   noted at once, in some 0.1 µs.
//! - **The system's work for memory.** An order over tens of thousands of sectors
//!   reserves room for the whole map. But pages are cleared when they are first
//!   written, and to free a large field takes some milliseconds at once.

/// The work of settling a tile: the number of its cells.
pub(crate) const TILE_WORK: u64 = 100;
/// Work of finding that a sector holds nothing of interest, in cells.
pub(crate) const LOOK_WORK: u64 = 1;
/// What must be left of a budget for an order to be freed, in cells. It is not counted.
pub(crate) const FREE_WORK: u64 = 500;
/// Work of loading a sector, in cells.
pub(crate) const LOAD_WORK: u64 = 20;

/// How much work a tick may do, in cells.
///
/// Settling a tile counts as its 100 cells, other pieces of work as what takes
/// about as long. Since cells are counted and not
/// time, a tick does the same on every machine. A tick stops once its budget is
/// used up, so it exceeds the budget by at most one piece of work, and the
/// excess is taken off the next budget. So it makes no difference how a budget
/// is sliced: four ticks of 1,000 cells do what one of 4,000 does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(u64);

impl Budget {
    /// All the work there is.
    pub const UNLIMITED: Self = Self(u64::MAX);

    /// Makes a budget of this many cells. With 0 a tick does nothing, and frees
    /// nothing.
    #[must_use]
    pub const fn cells(cells: u64) -> Self {
        Self(cells)
    }

    /// Splits off a slice of at most `cells` cells; returns the slice and the
    /// rest.
    pub(crate) const fn split(self, cells: u64) -> (Self, Self) {
        let slice = if self.0 < cells { self.0 } else { cells };
        (Self(slice), Self(self.0 - slice))
    }

    pub(crate) const fn is_nothing(self) -> bool {
        self.0 == 0
    }
}

/// The budget is used up: the work in hand continues where it stopped when it is
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

/// The work done within a budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    budget: u64,
    /// The excess of work done before.
    owed: u64,
    done: u64,
}

impl Work {
    pub(crate) const fn within(budget: Budget) -> Self {
        Self::owing(budget, 0)
    }

    /// Begins work within a budget from which `owed` is already used up; this
    /// may exceed the budget.
    pub(crate) const fn owing(Budget(budget): Budget, owed: u64) -> Self {
        Self {
            budget,
            owed,
            done: 0,
        }
    }

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

    /// Returns how much the work exceeds the budget.
    pub(crate) const fn overdrawn(&self) -> u64 {
        self.owed
            .saturating_add(self.done)
            .saturating_sub(self.budget)
    }

    pub(crate) const fn count(&mut self, cells: u64) {
        self.done += cells;
    }

    /// Returns the work done so far, in cells.
    pub(crate) const fn done(&self) -> u64 {
        self.done
    }
}
