//! What became of one entry of a scenario.

use std::time::Duration;

use crate::support::walk::Walk;

/// What became of one entry.
pub struct Outcome {
    pub answer: Answer,
    /// From the order to the first direction, where the order was taken.
    pub order_time: Option<Duration>,
    /// Sectors that the order loaded.
    pub sectors: usize,
}

/// Where the engine's directions led.
pub enum Answer {
    /// The unit is at the goal, this way.
    Reached(Walk),
    /// The engine reports that there is no way.
    Unreachable,
    /// The directions led nowhere.
    Lost(Walk),
}
