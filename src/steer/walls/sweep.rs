//! The first touch of a moving circle with a square.
//!
//! The circle is reduced to its middle, and the square grows by the radius:
//! four sides pushed outward, and a quarter circle at each corner. The first of
//! these eight that the point meets is the touch.
//!
//! ```text
//!        ╭─────────╮
//!        │ ┌─────┐ │      • ──▶  meets the west side after `part` of its move,
//!   •────┼▶│     │ │             and may continue along it: the side's normal
//!        │ └─────┘ │             points west
//!        ╰─────────╯
//! ```

use crate::vector::{Vector, difference, dot, greater, sum, times, unit};

/// A touch: the part of the move before it (0 to 1), and the direction straight
/// away from the square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Touch {
    pub(super) part: f32,
    pub(super) normal: Vector,
}

/// Returns the first touch of a circle with the unit square whose corner is at
/// the origin. The circle starts outside the square, at `from`, and moves by
/// `way`. A circle that moves away from the square, or along it, does not touch
/// it.
pub(super) fn first_touch(from: Vector, way: Vector, radius: f32) -> Option<Touch> {
    let mut first: Option<Touch> = None;
    let mut meet = |touch: Option<Touch>| {
        if let Some(touch) = touch
            && first.is_none_or(|other| touch.part < other.part)
        {
            first = Some(touch);
        }
    };
    for axis in 0..2 {
        meet(touch_of_side(from, way, radius, axis));
    }
    for corner in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
        meet(touch_of_corner(difference(from, corner), way, radius));
    }
    first
}

fn touch_of_side(from: Vector, way: Vector, radius: f32, axis: usize) -> Option<Touch> {
    let speed = way[axis];
    if speed == 0.0 {
        return None;
    }
    let forward = speed > 0.0;
    let (side, outside) = if forward {
        (-radius, from[axis] <= 0.0)
    } else {
        (1.0 + radius, from[axis] >= 1.0)
    };
    if !outside {
        return None;
    }
    let part = greater((side - from[axis]) / speed, 0.0);
    let along = from[1 - axis] + way[1 - axis] * part;
    if part > 1.0 || !(0.0..=1.0).contains(&along) {
        return None;
    }
    let mut normal = [0.0, 0.0];
    normal[axis] = if forward { -1.0 } else { 1.0 };
    Some(Touch { part, normal })
}

fn touch_of_corner(from: Vector, way: Vector, radius: f32) -> Option<Touch> {
    let toward = dot(from, way);
    if toward >= 0.0 {
        return None;
    }
    let square = dot(way, way);
    let outside = dot(from, from) - radius * radius;
    let root = toward * toward - square * outside;
    if root <= 0.0 {
        return None;
    }
    let part = greater((-toward - root.sqrt()) / square, 0.0);
    if part > 1.0 {
        return None;
    }
    let normal = unit(sum(from, times(way, part)));
    Some(Touch { part, normal })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_corners_by_hand() {
        let east = first_touch([-2.0, 0.5], [4.0, 0.0], 0.5).unwrap();
        assert_eq!((east.part, east.normal), (0.375, [-1.0, 0.0]));
        let up = first_touch([0.25, 3.0], [0.0, -2.0], 1.0).unwrap();
        assert_eq!((up.part, up.normal), (0.5, [0.0, 1.0]));
        let corner = first_touch([-1.0, -1.0], [1.0, 1.0], 0.5).unwrap();
        assert!((corner.part - (1.0 - 0.5 / 2f32.sqrt())).abs() < 1e-6);
        assert!(corner.normal[0] < -0.7 && corner.normal[1] < -0.7);
        // Along a side, away, past the square, and not far enough.
        assert_eq!(first_touch([-0.5, -3.0], [0.0, 9.0], 0.5), None);
        assert_eq!(first_touch([-1.0, 0.5], [-1.0, 0.0], 0.5), None);
        assert_eq!(first_touch([-2.0, 2.0], [9.0, 0.0], 0.5), None);
        assert_eq!(first_touch([-2.0, 0.5], [1.0, 0.0], 0.5), None);
    }
}
