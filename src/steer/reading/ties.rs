//! Two paths of equal cost: units take them alternately.
//!
//! West of an obstacle there is a cell from which the paths around both ends
//! cost the same. A field has one direction in each cell, so a whole column of
//! units that passes this cell would go around the same end:
//!
//! ```text
//!         ↗ → → ↘            The flow at a is ↗. Beyond ↘ the field leads away
//!   → → a # # # # → → g      from a too, and both paths have the same cost where
//!         ↘ → → ↗            they meet: a tie.
//! ```
//!
//! Flow fields keep no costs, so both paths are walked, the cheaper one first,
//! until they meet or a limit is reached. This is done only where the field
//! diverges.

use super::field::Field;
use crate::grid::{Cell, Direction};
use crate::order::Order;
use crate::world::FlowWorld;

const STEPS: usize = 192;

/// Returns the direction of a cell for the unit of this id. Where paths of
/// equal cost part and meet again, each path gets the same share of units with
/// consecutive ids.
///
/// For units that go from cell to cell; an [`Army`](crate::steer::Army) does this by
/// itself.
///
/// # Panics
/// If the order belongs to another world.
#[must_use]
#[track_caller]
pub fn by_turns(world: &FlowWorld, order: &Order, cell: Cell, id: u32) -> Option<Direction> {
    let field = Field::new(world, order);
    let says = field.sample(cell).direction()?;
    Some(own_way(&field, cell, says, id))
}

/// Returns the direction that a unit takes where the field's direction is
/// `says`.
pub(crate) fn own_way(field: &Field<'_>, cell: Cell, says: Direction, id: u32) -> Direction {
    let mut ways = [says; 4];
    let mut count = 1;
    for way in Direction::ALL {
        if count < ways.len() && parts(field, cell, says, way) && is_tie(field, cell, [says, way]) {
            ways[count] = way;
            count += 1;
        }
    }
    ways[id as usize % count]
}

/// Whether the field, one step `way` from a cell, leads away from that cell and
/// in another direction than `says`.
fn parts(field: &Field<'_>, cell: Cell, says: Direction, way: Direction) -> bool {
    if along(says, way) > 0 {
        return false;
    }
    let next = cell.step(way);
    // Walls are left out: their direction would need a search.
    if !field.is_open(next.x, next.y) {
        return false;
    }
    let beyond = field.sample(next).direction();
    beyond.is_some_and(|beyond| along(beyond, way) > 0 && along(beyond, says) <= 0)
        && field.price(cell, way).is_some()
}

/// Returns more than 0 for directions less than a quarter turn apart.
const fn along(one: Direction, two: Direction) -> i32 {
    let ((ax, ay), (bx, by)) = (one.offset(), two.offset());
    ax * bx + ay * by
}

/// Whether two first steps, which the rule allows, lead to one cell at the same cost.
fn is_tie(field: &Field<'_>, cell: Cell, steps: [Direction; 2]) -> bool {
    let mut ends = [(0, cell); 2];
    for (end, step) in ends.iter_mut().zip(steps) {
        let Some(price) = field.toll(cell, step) else {
            return false;
        };
        *end = (price, cell.step(step));
    }
    for _ in 0..STEPS {
        if ends[0] == ends[1] {
            return true;
        }
        let end = &mut ends[usize::from(ends[1].0 < ends[0].0)];
        let Some(step) = field.sample(end.1).direction() else {
            return false;
        };
        let Some(price) = field.toll(end.1, step) else {
            return false;
        };
        *end = (end.0 + price, end.1.step(step));
    }
    false
}
