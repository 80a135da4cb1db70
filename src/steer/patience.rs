//! Units that get nowhere try harder, step by step.
//!
//! How much of the way that it wants a unit gets is averaged over some ticks.
//! While that is next to nothing its impatience grows; while it gets on, it
//! fades four times as fast. Who goes to and fro gets on too, and nowhere: so
//! one that has had time for a long way and is still near the same *post* grows
//! impatient as well.
//!
//! ```text
//!   idle    0 ──────── patience ──────── 2 × ──────── 4 × ────▶
//!   level        0                1            2           3
//!                          keeps to its    squeezes    squeezes hard
//!                          right           past        past
//! ```

use super::unit::Memory;
use crate::vector::{Vector, distance, dot, lesser};

/// The level from which a unit keeps to its right.
pub(super) const LEVEL_RIGHT: u8 = 1;

/// Less than this part of the wished way is none.
const STANDING: f32 = 0.1;
/// More than this is progress.
const WALKING: f32 = 0.3;

/// How far from its post a unit must come, in cells.
const AWAY: f32 = 1.5;
/// How many times that way it may walk meanwhile.
const LONG: f32 = 12.0;

/// Takes note of how far a unit came, to `position`, in a step in which it
/// wanted to go `far`.
pub(super) fn note(memory: &mut Memory, position: Vector, came: Vector, far: f32, patience: u32) {
    if far <= 0.0 || dot(memory.wish, memory.wish) == 0.0 {
        memory.idle = memory.idle.saturating_sub(1);
        return;
    }
    let part = lesser(dot(came, memory.wish) / far, 1.0);
    memory.pace += (part - memory.pace) * 0.125;
    if distance(position, memory.post) > AWAY {
        memory.post = position;
        memory.watch = 0.0;
    } else {
        memory.watch += far;
    }
    let circling = memory.watch > LONG * AWAY;
    if memory.pace < STANDING || circling {
        memory.idle = (memory.idle + 1).min(patience.saturating_mul(8));
    } else if memory.pace > WALKING {
        memory.idle = memory.idle.saturating_sub(4);
    }
}

/// How hard a unit tries.
pub(super) const fn level(idle: u32, patience: u32) -> u8 {
    if idle < patience {
        0
    } else if idle < patience.saturating_mul(2) {
        1
    } else if idle < patience.saturating_mul(4) {
        2
    } else {
        3
    }
}

/// How much of its size others feel of a unit, in quarters.
pub(super) const fn firmness(level: u8) -> u8 {
    match level {
        0 | 1 => 4,
        2 => 3,
        _ => 1,
    }
}
