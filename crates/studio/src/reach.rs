//! Messages about units that cannot reach a goal.

use flowtiles::error::OrderError;
use flowtiles::{Cell, Cost, CostMap, FlowWorld, GateId, LayerId, LayerView};

use flowtiles_country::numbers::grouped;

/// Returns the costs of a layer; those of the ground if the layer is not derived.
pub fn costs(world: &FlowWorld, on: LayerId) -> &CostMap {
    world.layer(on).map_or(world.costs(), LayerView::costs)
}

/// Whether a unit of a layer can go from one cell to another.
pub fn is_reachable(world: &FlowWorld, on: LayerId, from: Cell, to: Cell) -> bool {
    world.layer(on).is_some_and(|view| view.reachable(from, to))
}

/// Whether a cell is a wall of a layer.
pub fn is_wall(world: &FlowWorld, on: LayerId, cell: Cell) -> bool {
    costs(world, on).get(cell).is_some_and(Cost::is_wall)
}

/// A world with more gates that are closed to a team is not asked what would be if they
/// were open.
const CLOSED_MAX: usize = 64;

/// Returns the world with all gates open to a layer's team; `None` if none is closed to it,
/// or too many are.
///
/// This copies the world and may derive the layer there, so it is for units that cannot
/// reach a goal as the gates are.
fn with_gates_open(world: &FlowWorld, on: LayerId) -> Option<FlowWorld> {
    let inside = world.inspect();
    let is_closed = |gate: &GateId| {
        let open_to = inside.gate(*gate).map(|(_, open_to)| open_to);
        open_to.is_some_and(|open_to| !open_to.has(on.team()))
    };
    let closed: Vec<GateId> = inside.gates().filter(is_closed).collect();
    if closed.is_empty() || closed.len() > CLOSED_MAX {
        return None;
    }
    let (mut open, _) = world.fork();
    for gate in closed {
        if let Some((_, open_to)) = inside.gate(gate) {
            open.set_gate(gate, open_to.with(on.team()));
        }
    }
    // Nobody may have asked about the layer yet.
    open.derive_layer(on).ok()?;
    Some(open)
}

/// Returns the number of units that could reach a goal if all gates were open to them.
fn behind_gates(world: &FlowWorld, on: LayerId, goal: Cell, units: &[Cell]) -> usize {
    let Some(open) = with_gates_open(world, on) else {
        return 0;
    };
    let units = units.iter();
    units
        .filter(|cell| is_reachable(&open, on, **cell, goal))
        .count()
}

/// Returns a message if some units of a layer cannot reach a goal.
pub fn missed(world: &FlowWorld, on: LayerId, goal: Cell, units: &[Cell]) -> Option<String> {
    let units_missed = |cell: &&Cell| !is_reachable(world, on, **cell, goal);
    let missed: Vec<Cell> = units.iter().filter(units_missed).copied().collect();
    let (first, count) = (missed.first()?, missed.len());
    let who = match (count, units.len()) {
        (1, 1) => format!("the unit at {first}"),
        (1, all) => format!("1 of {} units, at {first},", grouped(all)),
        (_, all) => format!(
            "{} of {} units, the first at {first},",
            grouped(count),
            grouped(all)
        ),
    };
    let closed = format!("since gates are closed to team {}", on.team());
    let why = match behind_gates(world, on, goal, &missed) {
        0 => String::new(),
        behind if behind == count => format!(", {closed}"),
        behind => format!(", {} of them {closed}", grouped(behind)),
    };
    Some(format!("{who} cannot reach {goal}{why}"))
}

/// Returns why an order on a layer is refused, in the words of the page.
pub fn refused(world: &FlowWorld, on: LayerId, error: &OrderError) -> String {
    match error {
        OrderError::GoalInWall { goal } => format!("{goal} is a wall: choose open ground"),
        OrderError::Unreachable { goal, unit, .. } => {
            let by = match behind_gates(world, on, *goal, &[*unit]) {
                0 => String::new(),
                _ => format!(" by gates that are closed to team {}", on.team()),
            };
            format!(
                "no unit can reach {goal}: the first, at {unit}, is cut off from it{by}. Choose \
                 a goal on its side, or open a way in the mode Paint"
            )
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{CellRect, CostMap, Goal, Movement, Teams};

    use super::*;

    #[test]
    fn units_cut_off_are_counted_and_the_first_is_named() {
        let mut costs = CostMap::open(30, 20).unwrap();
        costs.edit(CellRect::new(15, 0, 1, 20), Cost::WALL).unwrap();
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

    #[test]
    fn a_closed_gate_between_is_told() {
        // Two walls: a gate in the first, and none in the second.
        let mut costs = CostMap::open(40, 20).unwrap();
        let gate = CellRect::new(15, 8, 1, 3);
        for wall in [CellRect::new(15, 0, 1, 20), CellRect::new(30, 0, 1, 20)] {
            costs.edit(wall, Cost::WALL).unwrap();
        }
        costs.edit(gate, Cost::OPEN).unwrap();
        let mut world = FlowWorld::new(costs);
        let hover = Movement::new().with_wall_costs([1, 0, 0, 0]);
        let hover = world.add_layer(hover).unwrap().for_team(2).unwrap();
        let (gate, _) = world.add_gate(gate, Teams::NONE.with(1)).unwrap();
        world.derive_layer(hover).unwrap();
        let [west, goal, east] = [3, 20, 35].map(|x| Cell::new(x, 4));
        for (layer, team) in [(LayerId::GROUND, 0), (hover, 2)] {
            let missed = |units: &[Cell]| missed(&world, layer, goal, units).unwrap();
            let why = format!("since gates are closed to team {team}");
            assert_eq!(
                missed(&[west]),
                format!("the unit at (3, 4) cannot reach (20, 4), {why}")
            );
            assert_eq!(
                missed(&[east, west]),
                format!(
                    "2 of 2 units, the first at (35, 4), cannot reach (20, 4), 1 of them {why}"
                )
            );
            assert_eq!(missed(&[east]), "the unit at (35, 4) cannot reach (20, 4)");
            let refused = |unit: Cell| {
                let gate = None;
                let error = OrderError::Unreachable { goal, unit, gate };
                refused(&world, layer, &error)
            };
            let by = format!("is cut off from it by gates that are closed to team {team}. ");
            assert!(refused(west).contains(&by), "{}", refused(west));
            assert!(refused(east).contains("is cut off from it. "));
        }
        world.set_gate(gate, Teams::ALL);
        assert_eq!(missed(&world, LayerId::GROUND, goal, &[west]), None);
        let told = missed(&world, LayerId::GROUND, goal, &[east]).unwrap();
        assert_eq!(told, "the unit at (35, 4) cannot reach (20, 4)");
        world.order(Goal::at(goal).on(hover), &[west]).unwrap();
    }
}
