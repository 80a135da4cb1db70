//! The host's clock: a session has none of its own.

use std::time::Duration;

/// Returns the time since some start, for the figures of what ticks and edits take, and for how
/// much of it a picture may take. No tick depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Clock(pub fn() -> Duration);

impl Clock {
    pub(crate) fn now(self) -> Duration {
        self.0()
    }
}

impl Default for Clock {
    /// A clock that stands still.
    fn default() -> Self {
        Self(|| Duration::ZERO)
    }
}
