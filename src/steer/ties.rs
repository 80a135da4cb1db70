//! Two ways that cost the same: every other unit takes the other.
//!
//! West of an obstacle there is a cell from which it is equally far round
//! either end. A field has one direction a cell, so a column that comes along
//! there would go round one end, all of it:
//!
//! ```text
//!         ↗ → → ↘            The flow says ↗. Beyond ↘ the field leads away
//!   → → a # # # # → → g      from that, and both ways cost the same where
//!         ↘ → → ↗            they meet: a tie.
//! ```
//!
//! Fields keep no costs, so both ways are walked, the cheaper first, until they
//! meet or have been walked for long. That is done only where the field parts.

use crate::grid::{Cell, Direction};
use crate::order::Order;
use crate::world::FlowWorld;

use super::reading::Field;

/// Steps for which two ways are walked.
const STEPS: usize = 192;

/// What a cell says to the unit of this id. Where ways part that cost the same
/// and meet again, each takes its share of the units: of those whose ids follow
/// each other just as many go each way.
///
/// For units that go from cell to cell; an [`Army`](super::Army) does so by
/// itself.
///
/// # Panics
/// If the order is another world's.
#[must_use]
pub fn by_turns(world: &FlowWorld, order: &Order, cell: Cell, id: u32) -> Option<Direction> {
    let field = Field { world, order };
    let says = field.sample(cell).direction()?;
    Some(own_way(&field, cell, says, id))
}

/// The direction that a unit takes where the field says `says`.
pub(super) fn own_way(field: &Field<'_>, cell: Cell, says: Direction, id: u32) -> Direction {
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

/// Whether the field leads away from a cell beyond another step, and in
/// another direction.
fn parts(field: &Field<'_>, cell: Cell, says: Direction, way: Direction) -> bool {
    if along(says, way) > 0 {
        return false;
    }
    let next = cell.step(way);
    // Walls are not asked: what they say has to be searched for.
    if !field.is_open(next.x, next.y) {
        return false;
    }
    let beyond = field.sample(next).direction();
    beyond.is_some_and(|beyond| along(beyond, way) > 0 && along(beyond, says) <= 0)
        && field.price(cell, way).is_some()
}

/// More than 0 for directions less than a quarter turn apart.
const fn along(one: Direction, two: Direction) -> i32 {
    let ((ax, ay), (bx, by)) = (one.offset(), two.offset());
    ax * bx + ay * by
}

/// Whether two first steps lead to the same place at the same price.
fn is_tie(field: &Field<'_>, cell: Cell, steps: [Direction; 2]) -> bool {
    let mut ends = [(0, cell); 2];
    for (end, step) in ends.iter_mut().zip(steps) {
        match field.price(cell, step) {
            Some(price) => *end = (price, cell.step(step)),
            None => return false,
        }
    }
    for _ in 0..STEPS {
        if ends[0] == ends[1] {
            return true;
        }
        let end = &mut ends[usize::from(ends[1].0 < ends[0].0)];
        let Some(step) = field.sample(end.1).direction() else {
            return false;
        };
        let Some(price) = field.price(end.1, step) else {
            return false;
        };
        *end = (end.0 + price, end.1.step(step));
    }
    false
}
