//! Behaviours: the changes of velocity that a unit wants.
//!
//! Each behaviour is a pure function that returns a vector of length 1 or less,
//! where 1 is a unit's full force. The vectors are added with their weights,
//! and the sum is cut to length 1 and multiplied by the unit's force: no number
//! of wishes makes a unit stronger than it is.

use crate::vector::{
    NONE, Vector, cross, difference, distance, dot, length, lesser, limited, right_of, sum, times,
    unit,
};

/// Returns the change from a velocity to the wished one, as a part of the
/// speed; of one cell a second if there is no speed, or so little that its parts would be
/// infinite.
fn toward(velocity: Vector, wished: Vector, speed: f32) -> Vector {
    let whole = if speed > 1e-6 { speed } else { 1.0 };
    limited(times(difference(wished, velocity), 1.0 / whole), 1.0)
}

/// Steers straight to a point, at full speed.
///
/// ```
/// use flowtiles::steer::parts::seek;
/// assert_eq!(seek([0.0, 0.0], [0.0, 0.0], [9.0, 0.0], 4.0), [1.0, 0.0]);
/// ```
#[must_use]
pub fn seek(position: [f32; 2], velocity: [f32; 2], point: [f32; 2], speed: f32) -> [f32; 2] {
    let way = unit(difference(point, position));
    toward(velocity, times(way, speed), speed)
}

/// Steers to a point, slowing down within `slowing` cells of it, to a halt.
///
/// ```
/// use flowtiles::steer::parts::arrive;
/// // Half the speed is left at half the distance: it has to brake.
/// let wish = arrive([0.0, 0.0], [4.0, 0.0], [1.0, 0.0], 4.0, 2.0);
/// assert_eq!(wish, [-0.5, 0.0]);
/// ```
#[must_use]
pub fn arrive(
    position: [f32; 2],
    velocity: [f32; 2],
    point: [f32; 2],
    speed: f32,
    slowing: f32,
) -> [f32; 2] {
    let way = difference(point, position);
    let part = lesser(length(way) / slowing, 1.0);
    toward(velocity, times(unit(way), speed * part), speed)
}

/// Steers along a direction of length 1, as given by a field.
#[must_use]
pub fn follow(velocity: [f32; 2], direction: [f32; 2], speed: f32) -> [f32; 2] {
    toward(velocity, times(direction, speed), speed)
}

/// Steers away from a neighbour that is closer than `room`, more strongly the
/// closer it is. The behaviour is the sum over all neighbours.
///
/// Two units at one position part by their ids.
#[must_use]
pub fn separation(
    position: [f32; 2],
    id: u32,
    other: [f32; 2],
    other_id: u32,
    room: f32,
) -> [f32; 2] {
    let away = distance(position, other);
    if away >= room {
        return NONE;
    }
    times(apart(position, id, other, other_id), 1.0 - away / room)
}

/// The square of the distance up to which two units count as at one position.
pub(crate) const AT_ONE_PLACE: f32 = 1e-8;

/// Returns the direction from the second unit to the first; of length 1 even if
/// both are at one position.
pub(crate) fn apart(position: Vector, id: u32, other: Vector, other_id: u32) -> Vector {
    let way = difference(position, other);
    if dot(way, way) > AT_ONE_PLACE {
        return unit(way);
    }
    // One of four directions, by the pair of ids, and the opposite for the
    // other unit.
    let (low, high) = if id < other_id {
        (id, other_id)
    } else {
        (other_id, id)
    };
    let mixed = low.wrapping_mul(0x9E37_79B9) ^ high.wrapping_mul(0x85EB_CA6B);
    let way = match (mixed >> 16) & 3 {
        0 => [1.0, 0.0],
        1 => [0.0, 1.0],
        2 => [0.6, 0.8],
        _ => [-0.8, 0.6],
    };
    if id < other_id { way } else { times(way, -1.0) }
}

/// Steers to the mean velocity of the neighbours.
#[must_use]
pub fn alignment(velocity: [f32; 2], mean: [f32; 2], speed: f32) -> [f32; 2] {
    toward(velocity, mean, speed)
}

/// Steers to the mean position of the neighbours, more strongly the farther it
/// lies, up to `range` cells.
#[must_use]
pub fn cohesion(position: [f32; 2], middle: [f32; 2], range: f32) -> [f32; 2] {
    limited(times(difference(middle, position), 1.0 / range), 1.0)
}

/// A circle that may collide with another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingCircle {
    /// The position of the middle.
    pub position: [f32; 2],
    /// The velocity, in cells a second.
    pub velocity: [f32; 2],
    /// The radius.
    pub radius: f32,
}

/// Two units that would miss each other's middles by less than this part of both radii meet head
/// on. In streams that meet, one with a larger part leads more units across the way of others.
pub(crate) const HEAD_ON: f32 = 0.15;

/// Steers aside before a contact that would happen within `horizon` seconds:
/// across the relative velocity, more strongly the sooner the contact.
///
/// The two units of a pair compute the side from the same numbers, so they
/// never dodge to the same side; head on, each takes its own right.
///
/// ```
/// use flowtiles::steer::parts::{MovingCircle, avoid};
/// let east = MovingCircle { position: [0.0, 0.0], velocity: [4.0, 0.0], radius: 0.3 };
/// let west = MovingCircle { position: [3.0, 0.0], velocity: [-4.0, 0.0], radius: 0.3 };
/// let (one, two) = (avoid(&east, &west, 1.0), avoid(&west, &east, 1.0));
/// assert!(one[1] > 0.0 && two[1] < 0.0); // rows grow southward: each to its right
/// ```
#[must_use]
pub fn avoid(me: &MovingCircle, other: &MovingCircle, horizon: f32) -> [f32; 2] {
    let way = difference(other.position, me.position);
    let closing = difference(me.velocity, other.velocity);
    let square = dot(closing, closing);
    let nearing = dot(way, closing);
    // PERF: roots and quotients only for the few units on a collision course;
    // `cargo bench -p flowtiles-benches --bench steering`.
    if square < 1e-4 || nearing <= 0.0 || nearing > horizon * square {
        return NONE;
    }
    // How far to the right of this unit the other will pass.
    let across = cross(closing, way);
    let room = me.radius + other.radius;
    let wide = room * 1.2;
    if across * across >= wide * wide * square {
        return NONE;
    }
    let time = nearing / square;
    let pace = square.sqrt();
    let miss = across / pace;
    let off = if miss < 0.0 { -miss } else { miss };
    // Head on counts as passing on the left, so both units go right.
    let side = if miss > room * HEAD_ON { -1.0 } else { 1.0 };
    let urgency = (1.0 - time / horizon) * (1.0 - off / wide);
    times(right_of(closing), side * urgency / pace)
}

/// Returns the weighted sum of wishes, cut to length 1.
#[must_use]
pub fn blend(wishes: &[([f32; 2], f32)]) -> [f32; 2] {
    let total = wishes.iter().fold(NONE, |total, &(wish, weight)| {
        sum(total, times(wish, weight))
    });
    limited(total, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_speed_gives_a_finite_wish() {
        for speed in [0.0, f32::MIN_POSITIVE, 1e-30, 1e-7, 1e-5] {
            let wish = follow([19.4, 28.1], [1.0, 0.0], speed);
            assert!((length(wish) - 1.0).abs() < 1e-5, "{wish:?} at {speed}");
        }
    }
}
