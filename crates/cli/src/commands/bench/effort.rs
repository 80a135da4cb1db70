//! The amount of measuring in a run.

/// The amount of each measurement.
pub struct Effort {
    /// Rounds; each repeats every measurement.
    pub rounds: usize,
    /// Cells toggled, and buildings placed, a round.
    pub edits: usize,
    pub buildings: usize,
    /// Sweeps over the sectors of each kind of ground, a round.
    pub sweeps: usize,
    /// Searches, a round.
    pub searches: usize,
    /// Goals, and starts for each.
    pub goals: usize,
    pub starts: usize,
    /// Goals of a thousand units.
    pub marches: usize,
    /// Turns of reading directions, a round.
    pub reads: usize,
    /// Ticks of a storm of edits.
    pub storm_ticks: usize,
}

impl Effort {
    /// The effort of published figures.
    pub const FULL: Self = Self {
        rounds: 5,
        edits: 1000,
        buildings: 200,
        sweeps: 60,
        searches: 10,
        goals: 40,
        starts: 5,
        marches: 3,
        reads: 32,
        storm_ticks: 20,
    };

    /// Shows that everything works; the figures mean little.
    pub const QUICK: Self = Self {
        rounds: 2,
        edits: 20,
        buildings: 5,
        sweeps: 2,
        searches: 2,
        goals: 3,
        starts: 3,
        marches: 1,
        reads: 2,
        storm_ticks: 4,
    };
}
