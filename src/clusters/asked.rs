//! Whether a clique has been asked for: one number, which is all that searches on several threads
//! share without a lock. `tests/threads` builds this file with the atomics of loom.

use super::atomic::{AtomicU64, Ordering};

/// The round in which an order first asked for a clique; [`NEVER`] before.
#[derive(Debug)]
pub(super) struct Asked(AtomicU64);

const NEVER: u64 = u64::MAX;

impl Asked {
    pub(super) fn never() -> Self {
        Self(AtomicU64::new(NEVER))
    }

    /// Has nothing counted for it in any round.
    pub(super) fn in_no_round(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Whether the work of making the clique counts for an order that asks in this round: if none
    /// asked before. Threads that ask at the same time store the same round. Nothing counts in
    /// round 0.
    #[inline]
    pub(super) fn is_due(&self, round: u64) -> bool {
        let first = self.0.load(Ordering::Relaxed);
        if first == NEVER {
            self.0.store(round, Ordering::Relaxed);
            return round > 0;
        }
        first == round && round > 0
    }
}

impl Clone for Asked {
    fn clone(&self) -> Self {
        Self(AtomicU64::new(self.0.load(Ordering::Relaxed)))
    }
}
