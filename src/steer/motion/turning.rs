//! Units that turn slowly, like vehicles and ships.
//!
//! Such a unit has a heading. In a step it turns it toward the velocity that it wants, by its
//! rate at most, and goes along the heading: the slower, the more the two differ. So it takes
//! curves, and where it has to turn back it slows down first:
//!
//! ```text
//!   wants ▲      the heading turns by rate × seconds;
//!         │ ╱▶   the speed is that of the wanted velocity, times
//!         │╱     the cosine of the angle that is left
//!         ●──▶ heading
//! ```

use crate::steer::units::{Turning, Unit};
use crate::vector::{NONE, Vector, cross, dot, greater, length, lesser, times, turned, unit};

/// The part of its speed that a unit keeps that cannot turn on the spot.
const CREEP: f32 = 0.25;
/// A unit that would turn farther than this in a step, in radians, turns at once.
const AT_ONCE: f32 = 2.0;

/// Turns a unit's heading toward a velocity that it wants, and returns the velocity that it
/// gets.
pub(super) fn steered(unit: &mut Unit, wanted: Vector, seconds: f32) -> Vector {
    let Turning { rate, on_the_spot } = unit.turning;
    let speed = length(wanted);
    if rate == 0.0 || speed == 0.0 {
        return wanted;
    }
    let way = times(wanted, 1.0 / speed);
    let heading = &mut unit.memory.heading;
    if dot(*heading, *heading) == 0.0 {
        *heading = way;
    }
    *heading = toward(*heading, way, rate * seconds);
    let along = dot(*heading, way);
    let part = greater(along, if on_the_spot { 0.0 } else { CREEP });
    times(*heading, speed * lesser(part, 1.0))
}

/// Turns a unit that stands, if it can turn there; returns whether it has come to look in this
/// direction, as far as it can.
pub(super) fn faces(unit: &mut Unit, way: Vector, seconds: f32) -> bool {
    let Turning { rate, on_the_spot } = unit.turning;
    unit.memory.wish = way;
    if rate == 0.0 || !on_the_spot || unit.memory.heading == NONE {
        return true;
    }
    unit.memory.heading = toward(unit.memory.heading, way, rate * seconds);
    unit.memory.heading == way
}

/// Turns a direction toward another by at most this angle.
fn toward(from: Vector, to: Vector, angle: f32) -> Vector {
    if angle >= AT_ONCE {
        return to;
    }
    let (cosine, sine) = cosine_and_sine(angle);
    if dot(from, to) >= cosine {
        return to;
    }
    let side = if cross(from, to) < 0.0 { -sine } else { sine };
    // Rounding makes it neither longer nor shorter over time.
    unit(turned(from, [cosine, side]))
}

/// Those of an angle up to [`AT_ONCE`]; the same bits on every machine.
fn cosine_and_sine(angle: f32) -> (f32, f32) {
    // The tangent of half the angle, by a quotient that is right to a 2,000th here.
    let half = angle * 0.5;
    let square = half * half;
    let tangent = half * (15.0 - square) / (15.0 - 6.0 * square);
    let part = 1.0 / (1.0 + tangent * tangent);
    ((1.0 - tangent * tangent) * part, 2.0 * tangent * part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_right_to_a_thousandth() {
        for at in 0..200 {
            let angle = at as f32 * 0.01;
            let (cosine, sine) = cosine_and_sine(angle);
            assert!((cosine - angle.cos()).abs() < 2e-3 && (sine - angle.sin()).abs() < 2e-3);
        }
    }

    #[test]
    fn a_heading_comes_to_the_wanted_way_and_stays() {
        for at in 0..16 {
            let angle = at as f32 * 0.4;
            let (mut heading, to) = ([1.0, 0.0], [angle.cos(), angle.sin()]);
            for _ in 0..40 {
                let next = toward(heading, to, 0.1);
                assert!(dot(next, heading) > 0.994 && (length(next) - 1.0).abs() < 1e-5);
                heading = next;
            }
            assert_eq!(heading, to, "an angle of {angle}");
        }
    }
}
