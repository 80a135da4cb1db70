//! How much a solve may do before it is interrupted.

use crate::budget::Paused;

/// Work allowed and done, in field cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quota {
    left: u64,
    done: u64,
    ends_with_stage: bool,
}

impl Quota {
    /// So much work.
    pub(super) const fn of(cells: u64) -> Self {
        Self {
            left: cells,
            done: 0,
            ends_with_stage: false,
        }
    }

    /// As much work as the stage at hand takes, and no more.
    pub(super) const fn of_one_stage() -> Self {
        Self {
            left: u64::MAX,
            done: 0,
            ends_with_stage: true,
        }
    }

    /// Called after each stage.
    ///
    /// # Errors
    /// If the next stage is for later.
    pub(super) const fn end_stage(&self) -> Result<(), Paused> {
        if self.ends_with_stage {
            Err(Paused)
        } else {
            Ok(())
        }
    }

    /// Takes note of work.
    pub(super) const fn count(&mut self, cells: u64) {
        self.left = self.left.saturating_sub(cells);
        self.done += cells;
    }

    /// Whether there is any left.
    ///
    /// # Errors
    /// If there is not.
    pub(super) const fn check(&self) -> Result<(), Paused> {
        if self.left == 0 { Err(Paused) } else { Ok(()) }
    }

    /// Work left.
    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    /// Work done so far.
    pub(super) const fn done(&self) -> u64 {
        self.done
    }
}
