//! Plane vectors as plain arrays, in cells.
//!
//! Only + − × ÷ and √: IEEE 754 gives them the same bits on every machine.
//! Sums keep the order in which they are written. Minima and maxima are
//! comparisons, since `f32::max` leaves the sign of a zero open.

use crate::grid::Cell;

/// A position, a velocity or a way, in cells.
pub(crate) type Vector = [f32; 2];

pub(crate) const NONE: Vector = [0.0, 0.0];

pub(crate) fn sum(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

/// The way from `b` to `a`.
pub(crate) fn difference(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn times(a: Vector, factor: f32) -> Vector {
    [a[0] * factor, a[1] * factor]
}

pub(crate) fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// More than 0 if `b` lies to the right of `a`, on a map whose rows grow
/// downward.
#[cfg(feature = "steer")]
pub(crate) fn cross(a: Vector, b: Vector) -> f32 {
    a[0] * b[1] - a[1] * b[0]
}

/// A quarter turn to the right.
#[cfg(feature = "steer")]
pub(crate) fn right_of(a: Vector) -> Vector {
    [-a[1], a[0]]
}

/// The vector turned so that what pointed along x points along `heading`,
/// which is of length 1.
#[cfg(feature = "steer")]
pub(crate) fn turned(a: Vector, heading: Vector) -> Vector {
    [
        a[0] * heading[0] - a[1] * heading[1],
        a[0] * heading[1] + a[1] * heading[0],
    ]
}

pub(crate) fn length(a: Vector) -> f32 {
    dot(a, a).sqrt()
}

pub(crate) fn distance(a: Vector, b: Vector) -> f32 {
    length(difference(a, b))
}

/// The vector of length 1 that points the same way; of none for one that is
/// too short to point anywhere.
pub(crate) fn unit(a: Vector) -> Vector {
    let long = length(a);
    if long > 1e-6 {
        [a[0] / long, a[1] / long]
    } else {
        NONE
    }
}

/// The vector, shortened to `most` if it is longer.
#[cfg(feature = "steer")]
pub(crate) fn limited(a: Vector, most: f32) -> Vector {
    let long = length(a);
    if long > most {
        times(a, most / long)
    } else {
        a
    }
}

/// The lesser of two.
pub(crate) fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The greater of two.
pub(crate) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The cell under a position. Positions that are no numbers are on no map.
pub(crate) fn cell_of(position: Vector) -> Cell {
    let along = |at: f32| if at.is_nan() { -1 } else { floor(at) };
    Cell::new(along(position[0]), along(position[1]))
}

/// The whole number at or below: what `f32::floor` gives, without the call
/// that it is on machines of the base instruction set.
pub(crate) fn floor(at: f32) -> i32 {
    let whole = at as i32;
    if (whole as f32) > at {
        whole.saturating_sub(1)
    } else {
        whole
    }
}

/// The middle of a cell.
pub(crate) fn middle_of(cell: Cell) -> Vector {
    [cell.x as f32 + 0.5, cell.y as f32 + 0.5]
}
