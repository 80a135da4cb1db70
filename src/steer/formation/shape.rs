//! Formations: the places, and which unit takes which.

use pathfinding::kuhn_munkres::kuhn_munkres_min;
use pathfinding::matrix::Matrix;

use crate::vector::{Vector, difference};

/// The most units that are assigned at the least total cost; the time grows
/// with the cube of their number.
const SMALL: usize = 64;
/// Distances are measured in this fraction of a cell.
const PARTS: f32 = 64.0;
/// The longest distance that is measured, in these fractions: longer than any
/// map, and the squares of all distances can be summed without overflow.
const FARTHEST: i64 = 1 << 26;

/// The shape of a formation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Wide and shallow: about eight times as wide as deep.
    Line,
    /// A tip at the front, and two more units in each rank behind.
    Wedge,
    /// As wide as deep.
    Box,
    /// Narrow and deep: about eight times as deep as wide.
    Column,
}

impl Shape {
    fn rank(self, count: usize, rank: usize) -> usize {
        let root = |number: usize| {
            let root = number.isqrt();
            (root + usize::from(root * root < number)).max(1)
        };
        match self {
            Self::Line => root(count * 8).min(count).max(1),
            Self::Wedge => 2 * rank + 1,
            Self::Box => root(count),
            Self::Column => root(count.div_ceil(8)),
        }
    }

    /// Returns the places of `count` units, `spacing` cells apart: x forward
    /// and y to the right of the formation's middle, rank by rank from the
    /// front, each from the left.
    ///
    /// ```
    /// use flowtiles::steer::Shape;
    /// assert_eq!(
    ///     Shape::Wedge.slots(4, 2.0),
    ///     [[1.5, 0.0], [-0.5, -2.0], [-0.5, 0.0], [-0.5, 2.0]],
    /// );
    /// ```
    #[must_use]
    pub fn slots(self, count: usize, spacing: f32) -> Vec<[f32; 2]> {
        let mut slots: Vec<Vector> = Vec::with_capacity(count);
        let mut rank = 0;
        while slots.len() < count {
            let wide = self.rank(count, rank).min(count - slots.len());
            let left = (wide - 1) as f32 * 0.5;
            let places =
                (0..wide).map(|at| [-(rank as f32) * spacing, (at as f32 - left) * spacing]);
            slots.extend(places);
            rank += 1;
        }
        let depth = slots.iter().map(|slot| slot[0]).sum::<f32>() / count.max(1) as f32;
        for slot in &mut slots {
            slot[0] -= depth;
        }
        slots
    }
}

/// Assigns slots to units: returns for each unit the number of its slot. Units
/// and slots are given in the same frame, x forward. There must be at least as
/// many slots as units.
///
/// Up to 64 units are assigned by Kuhn–Munkres, so that the sum of the squared
/// distances is the least possible. Larger groups follow a rule whose time is
/// that of sorting: the foremost units fill the foremost rank, from left to
/// right, and so on rank by rank.
///
/// # Panics
/// If there are fewer slots than units.
#[must_use]
pub fn assign(units: &[[f32; 2]], slots: &[[f32; 2]]) -> Vec<usize> {
    assert!(units.len() <= slots.len(), "a slot for each unit");
    if units.is_empty() {
        return Vec::new();
    }
    if units.len() <= SMALL && slots.len() <= SMALL {
        let prices = Matrix::from_fn(units.len(), slots.len(), |(unit, slot)| {
            let way = difference(units[unit], slots[slot]);
            let [x, y] = way.map(|along| ((along * PARTS) as i64).clamp(-FARTHEST, FARTHEST));
            x * x + y * y
        });
        return kuhn_munkres_min(&prices).1;
    }
    by_rank(units, slots)
}

fn by_rank(units: &[Vector], slots: &[Vector]) -> Vec<usize> {
    let front_first = |of: &[Vector]| {
        let mut sorted: Vec<usize> = (0..of.len()).collect();
        sorted.sort_by(|&a, &b| of[b][0].total_cmp(&of[a][0]).then(a.cmp(&b)));
        sorted
    };
    let (mut by_unit, mut by_slot) = (front_first(units), front_first(slots));
    by_slot.truncate(units.len());
    let mut taken = vec![0; units.len()];
    let mut from = 0;
    while from < by_slot.len() {
        let depth = slots[by_slot[from]][0];
        let same = by_slot[from..]
            .iter()
            .take_while(|&&slot| slots[slot][0] == depth);
        let rank = from..from + same.count();
        let left_first = |of: &[Vector], row: &mut [usize]| {
            row.sort_by(|&a, &b| of[a][1].total_cmp(&of[b][1]).then(a.cmp(&b)));
        };
        left_first(units, &mut by_unit[rank.clone()]);
        left_first(slots, &mut by_slot[rank.clone()]);
        for at in rank.clone() {
            taken[by_unit[at]] = by_slot[at];
        }
        from = rank.end;
    }
    taken
}
