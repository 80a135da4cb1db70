//! The work that a solve may do before it pauses.

use crate::budget::Paused;

/// The work allowed and done, in field cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota {
    left: u64,
    done: u64,
    ends_with_stage: bool,
}

impl Quota {
    /// Returns a quota of this much work.
    pub(super) const fn of(cells: u64) -> Self {
        Self {
            left: cells,
            done: 0,
            ends_with_stage: false,
        }
    }

    /// Returns a quota that ends with the present stage.
    pub(super) const fn of_one_stage() -> Self {
        Self {
            left: u64::MAX,
            done: 0,
            ends_with_stage: true,
        }
    }

    /// Checks after each stage whether the work may continue.
    ///
    /// # Errors
    /// If the quota ends with this stage.
    pub(super) const fn check_stage(&self) -> Result<(), Paused> {
        if self.ends_with_stage {
            Err(Paused)
        } else {
            Ok(())
        }
    }

    /// Counts work as done.
    pub(super) const fn count(&mut self, cells: u64) {
        self.left = self.left.saturating_sub(cells);
        self.done += cells;
    }

    /// Checks whether any work is left.
    ///
    /// # Errors
    /// If none is left.
    pub(super) const fn check(&self) -> Result<(), Paused> {
        if self.left == 0 { Err(Paused) } else { Ok(()) }
    }

    /// Returns the work left.
    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    /// Returns the work done so far.
    pub(super) const fn done(&self) -> u64 {
        self.done
    }
}
