//! Provisional directions: toward the goal, before an order has directions.
//!
//! A search over a huge map may take many ticks. Until it is done nothing is known of the
//! path near the units, but where the goal lies is. So of the steps that the step rule
//! allows, those count that come nearer to the goal by the price over open ground; the one
//! closest to the straight line is taken:
//!
//! ```text
//!   u → → ↘ . . . . . .      Each step comes nearer, so no walk comes back to a cell.
//!   . . . . ↘ # . . . .      Where a wall lies across the line, a walk slides along it
//!   . . . . ↓ # . . . .      for as long as that comes nearer, and stands: the path
//!   . . . . x # . . g .      around the wall is what the search is for.
//! ```
//!
//! Units do not leave directions that they have for provisional ones: these are not given
//! where an edit has withdrawn the field's.

use std::cmp::Reverse;

use super::{FlowWorld, Sample};
use crate::grid::{Cell, Direction};
use crate::islands::Island;
use crate::kernel::{octile, step_price};
use crate::map::Map;
use crate::order::{Goal, Order};

/// How many cells of a goal are looked at, beside the first.
const ENDS: usize = 64;

impl FlowWorld {
    /// Returns a step toward the goal for a unit whose sample is [`Sample::Waiting`], so that
    /// it need not stand while the order is searched. `None` for every other sample, where no
    /// allowed step comes nearer to the goal, and while an order is planned again after an
    /// edit.
    ///
    /// The step obeys the ground of the order's layer, as all steps do, and comes nearer to
    /// the nearest goal cell on the unit's island by the price over open ground. So a walk by
    /// these steps alone never comes back to a cell; it ends at the goal or stands before a
    /// wall. It is a function of the ground, the goal and the cell, and looks at the eight
    /// cells around. Once the directions are there, the unit may be
    /// [off the route](Sample::OffRoute), and the order must [`cover`](Self::cover) it.
    ///
    /// A unit that reaches the goal through links alone waits. Under
    /// [`or_nearest`](crate::Goal::or_nearest) a unit on another island, without a link, goes
    /// toward the goal's first cell. Of a goal of more than 65 cells, about 64 are looked at.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, Direction, FlowWorld, Sample};
    /// let mut world = FlowWorld::new(CostMap::open(300, 200)?);
    /// let unit = Cell::new(5, 150);
    /// let order = world.order(Cell::new(290, 150), &[unit])?;
    /// world.tick(Budget::cells(1));
    /// assert_eq!(world.sample(&order, unit), Sample::Waiting);
    /// assert_eq!(world.provisional(&order, unit), Some(Direction::East));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn provisional(&self, order: &Order, unit: Cell) -> Option<Direction> {
        let plan = self.book.plan(order);
        let is_withdrawn = plan.is_stale() && !plan.field().is_empty();
        if is_withdrawn || self.sample(order, unit) != Sample::Waiting {
            return None;
        }
        let map = self.map_of(plan);
        let island = map.islands.of(&map.costs, unit)?;
        let goal = plan.last_asked().0;
        // Under a policy that gives the island a goal of its own, that is near the first cell.
        let instead = !goal.is_strict() && !plan.reach().leads_through_links(island);
        let end = nearest_end(map, goal, island, unit).or(instead.then(|| goal.cell()))?;
        let away = price_between(unit, end);
        Direction::ALL
            .into_iter()
            .filter(|&way| {
                let next = unit.step(way);
                price_between(next, end) < away && step_price(&map.costs, unit, way).is_some()
            })
            .min_by_key(|&way| Reverse(closeness(unit, end, way)))
    }
}

/// Returns the goal cell to which the walk over open ground would cost least, of those on an
/// island.
fn nearest_end(map: &Map, goal: &Goal, island: Island, unit: Cell) -> Option<Cell> {
    let is_here = |cell| map.islands.of(&map.costs, cell) == Some(island);
    goal.spread_sources(ENDS)
        .filter(|end| is_here(end.cell))
        .min_by_key(|end| price_between(unit, end.cell) + end.start_cost)
        .map(|end| end.cell)
}

/// Returns the price of the walk between two cells over open ground.
const fn price_between(from: Cell, to: Cell) -> u64 {
    octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y))
}

/// Returns a number that is greater the smaller the angle between a step and the straight
/// line to `end`. The step must come nearer to `end`.
fn closeness(from: Cell, end: Cell, way: Direction) -> u64 {
    let (dx, dy) = way.offset();
    let [x, y] = [end.x - from.x, end.y - from.y].map(i64::from);
    let along = (x * i64::from(dx) + y * i64::from(dy)).unsigned_abs();
    // The square of the cosine, but for a factor that all steps share.
    let square = along * along;
    if way.is_diagonal() {
        square
    } else {
        2 * square
    }
}
