//! Messages about units that cannot reach a goal.

use flowtiles::{Cell, Cost, FlowWorld, OrderError};

use crate::support::numbers::grouped;

/// Whether a cell is a wall.
pub fn is_wall(world: &FlowWorld, cell: Cell) -> bool {
    world.costs().get(cell).is_some_and(Cost::is_wall)
}

/// Returns a message if some units cannot reach a goal.
pub fn missed(world: &FlowWorld, goal: Cell, units: &[Cell]) -> Option<String> {
    let mut missed = units.iter().filter(|&&cell| !world.reachable(cell, goal));
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
        assert_eq!(missed(&world, west, &[west, Cell::new(4, 9)]), None);
        assert_eq!(missed(&world, west, &[]), None);
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
            assert_eq!(missed(&world, west, units).as_deref(), Some(told));
        }
        assert!(is_wall(&world, wall) && !is_wall(&world, Cell::new(-1, 0)));
    }
}
