//! The outcome of one entry of a scenario.

use std::time::Duration;

use flowtiles_country::walk::Walk;

/// The outcome of one entry.
pub struct Outcome {
    pub answer: Answer,
    /// The time from the order to the first direction, if the order was accepted.
    pub order_time: Option<Duration>,
    /// Sectors that the order loaded.
    pub sectors: usize,
}

/// Where the engine's directions led.
pub enum Answer {
    /// The unit is at the goal, on this path.
    Reached(Walk),
    /// The engine reports that there is no path.
    Unreachable,
    /// The directions led nowhere.
    Lost(Walk),
}
