//! Units that make no progress try harder, in levels.
//!
//! The part of the wanted movement that a unit achieves is averaged over some
//! time. While this part is close to 0, the unit's impatience grows; while the
//! unit makes progress, the impatience falls four times as fast. A unit that
//! goes back and forth moves, but gets nowhere: so a unit that had time for a
//! long distance and is still near the same *post* also grows impatient.
//!
//! ```text
//!   idle    0 ──────── ½ × ──────── patience ──────── 2 × ────▶
//!   level        0                1            2           3
//!                          keeps to its    squeezes    squeezes past
//!                          right           past        fellows too
//! ```

use crate::steer::reading::micros;
use crate::steer::units::{Memory, Unit};
use crate::vector::{Vector, distance, dot, greater, lesser};

/// The level from which a unit keeps to its right.
pub(super) const LEVEL_RIGHT: u8 = 1;
pub(super) const LEVEL_LAST: u8 = 3;

/// Below this part of the wanted movement, a unit stands.
const STANDING: f32 = 0.1;
/// Above this part it makes progress.
const WALKING: f32 = 0.3;

/// The part that counts at the least, for a unit that is pushed back by much more than it
/// wants to go: it has to become patient again.
const BACK_MAX: f32 = -1000.0;

/// The seconds over which that part is averaged: a step of a seventh of it counts for an
/// eighth of the mean.
const MEMORY: f32 = 0.35;

/// The distance by which a unit must leave its post, in cells.
const AWAY: f32 = 1.5;
/// How many times that distance it may want to walk before it counts as
/// circling.
const LONG: f32 = 12.0;

/// What the patience of all units in a step is measured by, in microseconds.
#[derive(Clone, Copy)]
pub(crate) struct StepPatience {
    /// How long units are patient.
    pub(super) whole: u32,
    /// How long the step takes.
    pub(super) step: u32,
    /// How much the step counts in the mean of a unit's progress.
    weight: f32,
}

impl StepPatience {
    pub(crate) fn new(patience: f32, seconds: f32) -> Self {
        Self {
            whole: micros(patience),
            step: micros(seconds),
            weight: seconds / (seconds + MEMORY),
        }
    }

    /// Returns how impatient a unit is.
    pub(super) const fn level(self, unit: &Unit) -> u8 {
        let idle = unit.memory.idle;
        if idle < self.whole / 2 {
            0
        } else if idle < self.whole {
            1
        } else if idle < self.whole.saturating_mul(2) {
            2
        } else {
            LEVEL_LAST
        }
    }

    /// Whether a unit has come nowhere for a quarter of its patience.
    pub(super) const fn is_halted(self, unit: &Unit) -> bool {
        unit.memory.idle > self.whole / 4
    }
}

/// Records how far a unit came, to `position`, in a step in which it wanted to go `far`.
pub(super) fn note(
    memory: &mut Memory,
    position: Vector,
    came: Vector,
    far: f32,
    patience: StepPatience,
) {
    if far <= 0.0 || dot(memory.wish, memory.wish) == 0.0 {
        memory.idle = memory.idle.saturating_sub(patience.step);
        return;
    }
    let part = greater(lesser(dot(came, memory.wish) / far, 1.0), BACK_MAX);
    memory.pace += (part - memory.pace) * patience.weight;
    if distance(position, memory.post) > AWAY {
        memory.post = position;
        memory.watch = 0.0;
    } else {
        memory.watch += far;
    }
    let circling = memory.watch > LONG * AWAY;
    if memory.pace < STANDING || circling {
        lose(memory, patience);
    } else if memory.pace > WALKING {
        let gain = patience.step.saturating_mul(4);
        memory.idle = memory.idle.saturating_sub(gain);
    }
}

/// Records that a unit made no progress in a step.
pub(super) fn lose(memory: &mut Memory, patience: StepPatience) {
    let idle = memory.idle.saturating_add(patience.step);
    memory.idle = idle.min(patience.whole.saturating_mul(8));
}

/// Whether a unit's pace can be this: a mean of parts.
pub(crate) fn is_pace(pace: f32) -> bool {
    (BACK_MAX..=1.0).contains(&pace)
}

/// Returns how much of a unit's size others feel, in quarters.
pub(super) const fn firmness(level: u8) -> u8 {
    match level {
        0 | 1 => 4,
        2 => 3,
        _ => 2,
    }
}
