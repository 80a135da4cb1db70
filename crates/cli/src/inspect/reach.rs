//! Messages about units that cannot reach a goal.

use flowtiles::{Cell, Cost, CostMap, FlowWorld, LayerId, LayerView, OrderError};

use crate::support::numbers::grouped;

/// Returns the costs of a layer; those of the ground if the layer is not derived.
pub fn costs(world: &FlowWorld, on: LayerId) -> &CostMap {
    world.on(on).map_or(world.costs(), LayerView::costs)
}

/// Whether a unit of a layer can go from one cell to another.
pub fn is_reachable(world: &FlowWorld, on: LayerId, from: Cell, to: Cell) -> bool {
    world.on(on).is_some_and(|view| view.reachable(from, to))
}

/// Whether a cell is a wall of a layer.
pub fn is_wall(world: &FlowWorld, on: LayerId, cell: Cell) -> bool {
    costs(world, on).get(cell).is_some_and(Cost::is_wall)
}

/// Returns a message if some units of a layer cannot reach a goal.
pub fn missed(world: &FlowWorld, on: LayerId, goal: Cell, units: &[Cell]) -> Option<String> {
    let units_missed = |cell: &&Cell| !is_reachable(world, on, **cell, goal);
    let mut missed = units.iter().filter(units_missed);
    let first = missed.next()?;
    let count = 1 + missed.count();
    let who = match (count, units.len()) {
        (1, 1) => format!("the unit at {first}"),
        (1, all) => format!("1 of {} units, at {first},", grouped(all)),
        (_, all) => format!(
            "{} of {} units, the first at {first},",
            grouped(count),
            grouped(all)
        ),
    };
    Some(format!("{who} cannot reach {goal}"))
}

/// Returns why an order is refused, in the words of the page.
pub fn refused(error: &OrderError) -> String {
    match error {
        OrderError::GoalInWall { goal } => format!("{goal} is a wall: choose open ground"),
        OrderError::Unreachable { goal, unit } => format!(
            "no unit can reach {goal}: the first, at {unit}, is cut off from it. Choose a goal \
             on its side, or open a way in the mode Paint"
        ),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{CostMap, Rect};

    use super::*;

    #[test]
    fn those_who_cannot_reach_a_goal_are_counted_and_the_first_is_named() {
        let mut costs = CostMap::open(30, 20).unwrap();
        costs.edit(Rect::new(15, 0, 1, 20), Cost::WALL).unwrap();
        let world = FlowWorld::new(costs);
        let [west, wall, east] = [3, 15, 20].map(|x| Cell::new(x, 4));
        let missed = |units: &[Cell]| missed(&world, LayerId::GROUND, west, units);
        assert_eq!(missed(&[west, Cell::new(4, 9)]), None);
        assert_eq!(missed(&[]), None);
        for (units, told) in [
            (&[east][..], "the unit at (20, 4) cannot reach (3, 4)"),
            (
                &[west, wall],
                "1 of 2 units, at (15, 4), cannot reach (3, 4)",
            ),
            (
                &[west, east, wall],
                "2 of 3 units, the first at (20, 4), cannot reach (3, 4)",
            ),
        ] {
            assert_eq!(missed(units).as_deref(), Some(told));
        }
        let is_wall = |cell| is_wall(&world, LayerId::GROUND, cell);
        assert!(is_wall(wall) && !is_wall(Cell::new(-1, 0)));
    }
}
