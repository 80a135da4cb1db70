//! Two-dimensional vectors as plain arrays, in cells.
//!
//! Only + − × ÷ and √ are used: IEEE 754 gives them the same bits on every
//! machine. Sums keep the order in which they are written. Minima and maxima
//! are comparisons, since `f32::max` leaves the sign of a zero open.

use crate::grid::Cell;

/// A position, a velocity or an offset, in cells.
pub(crate) type Vector = [f32; 2];

pub(crate) const NONE: Vector = [0.0, 0.0];

pub(crate) fn sum(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1]]
}

pub(crate) fn difference(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn times(a: Vector, factor: f32) -> Vector {
    [a[0] * factor, a[1] * factor]
}

pub(crate) fn dot(a: Vector, b: Vector) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns a value above 0 if `b` lies to the right of `a`, on a map whose rows
/// grow downward.
#[cfg(feature = "steer")]
pub(crate) fn cross(a: Vector, b: Vector) -> f32 {
    a[0] * b[1] - a[1] * b[0]
}

/// Turns a vector by a quarter to the right.
#[cfg(feature = "steer")]
pub(crate) fn right_of(a: Vector) -> Vector {
    [-a[1], a[0]]
}

/// Turns a vector so that the x axis turns to `heading`, which has length 1.
#[cfg(feature = "steer")]
pub(crate) fn turned(a: Vector, heading: Vector) -> Vector {
    [
        a[0] * heading[0] - a[1] * heading[1],
        a[0] * heading[1] + a[1] * heading[0],
    ]
}

/// Returns the middle of points; none of no point.
#[cfg(feature = "steer")]
pub(crate) fn mean(points: impl Iterator<Item = Vector>) -> Option<Vector> {
    let (mut total, mut count) = (NONE, 0);
    for point in points {
        total = sum(total, point);
        count += 1;
    }
    (count > 0).then(|| times(total, 1.0 / count as f32))
}

pub(crate) fn length(a: Vector) -> f32 {
    dot(a, a).sqrt()
}

pub(crate) fn distance(a: Vector, b: Vector) -> f32 {
    length(difference(a, b))
}

/// Returns the vector of length 1 in the same direction; the zero vector if the
/// vector is too short to have a direction.
pub(crate) fn unit(a: Vector) -> Vector {
    let long = length(a);
    if long > 1e-6 {
        [a[0] / long, a[1] / long]
    } else {
        NONE
    }
}

/// Returns the vector, shortened to `most` if it is longer.
#[cfg(feature = "steer")]
pub(crate) fn limited(a: Vector, most: f32) -> Vector {
    let long = length(a);
    // PERF: a factor of 1 in place of a branch, which would often be mispredicted.
    times(a, if long > most { most / long } else { 1.0 })
}

pub(crate) fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

pub(crate) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the cell under a position. A position with NaN is on no map.
pub(crate) fn cell_of(position: Vector) -> Cell {
    let along = |at: f32| if at.is_nan() { -1 } else { floor(at) };
    Cell::new(along(position[0]), along(position[1]))
}

/// Returns the greatest integer not above `at`, like `f32::floor`, but without
/// the function call that `floor` is in the base instruction set of x86-64.
pub(crate) fn floor(at: f32) -> i32 {
    let whole = at as i32;
    if (whole as f32) > at {
        whole.saturating_sub(1)
    } else {
        whole
    }
}
