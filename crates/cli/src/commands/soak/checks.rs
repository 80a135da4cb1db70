//! What must hold in every battle, by code not shared with the engine where that can be.

use std::collections::BTreeMap;

use flowtiles::graph::PortalGraph;
use flowtiles::steer::parts::anchor;
use flowtiles::steer::{Army, ArmyEvent, GroupId, Unit};
use flowtiles::{Cell, CellRect, CostMap, FlowWorld, LayerId, Link, Order, Quality, Sample};
use flowtiles_country::referee::{NEVER, Referee, Verdict};
use flowtiles_scenes::walls::{cell_of, is_in_wall};

use super::battle::Battle;

/// What a unit may overlap a wall by, the rounding of positions.
const SLACK: f32 = 1e-3;
/// Cells of an order that are compared with a Dijkstra.
const SAMPLED: usize = 60;

/// A unit before a tick.
pub struct Before {
    island: Option<u32>,
    is_clear: bool,
    /// Whether its layer had a ground of its own.
    is_derived: bool,
}

/// The ground of a layer of a world, and the width of its bodies; before an order first uses
/// the layer, units walk on the plain ground.
fn ground(world: &FlowWorld, layer: LayerId) -> (&CostMap, u8) {
    match (world.layer(layer), world.movement(layer)) {
        (Some(view), Some(movement)) => (view.costs(), movement.size()),
        _ => (world.costs(), 1),
    }
}

/// Whether a body overlaps a wall of its layer by more than `slack`; below 0, if one is as near.
fn is_hit((costs, size): (&CostMap, u8), unit: &Unit, slack: f32) -> bool {
    let shift = if size.is_multiple_of(2) { 0.5 } else { 0.0 };
    let [x, y] = unit.position.map(|at| at - shift);
    let radius = (unit.radius - 0.5 * f32::from(size - 1)).max(0.0);
    let is_closed = |[dx, dy]: [f32; 2]| {
        let cost = costs.get(cell_of([x + dx, y + dy]));
        cost.is_none_or(|cost| cost.is_wall())
    };
    // Rounding decides to which cell a place on a border belongs.
    let near = [
        [-SLACK, -SLACK],
        [SLACK, -SLACK],
        [-SLACK, SLACK],
        [SLACK, SLACK],
    ];
    near.into_iter().all(is_closed) || is_in_wall(costs, [x, y], radius - slack)
}

fn layers(army: &Army) -> BTreeMap<GroupId, LayerId> {
    let layer = |id| army.settings(id).map(|settings| (id, settings.layer));
    army.groups().filter_map(layer).collect()
}

fn island(world: &FlowWorld, layer: LayerId, unit: &Unit) -> Option<u32> {
    let (_, size) = ground(world, layer);
    world
        .inspect()
        .layer(layer)?
        .island(anchor(size, unit.position))
}

/// Notes where units are.
pub fn before(world: &FlowWorld, army: &Army) -> BTreeMap<u32, Before> {
    let layers = layers(army);
    let note = |unit: &Unit| {
        let layer = layers[&unit.group];
        let before = Before {
            island: island(world, layer, unit),
            is_clear: !is_hit(ground(world, layer), unit, -SLACK),
            is_derived: world.layer(layer).is_some(),
        };
        (unit.id, before)
    };
    army.units().iter().map(note).collect()
}

/// Checks that each unit is on the map and out of walls, and on the island where it was.
pub fn units(world: &FlowWorld, army: &Army, before: &BTreeMap<u32, Before>) -> Result<(), String> {
    let layers = layers(army);
    let entered = |id| {
        let mut events = army.events().iter();
        events.any(|event| matches!(event, ArmyEvent::Entered { unit, .. } if *unit == id))
    };
    for unit in army.units() {
        let (layer, was) = (layers[&unit.group], before.get(&unit.id));
        let is_derived = world.layer(layer).is_some();
        let was_clear = was.is_none_or(|was| was.is_clear && was.is_derived == is_derived);
        unit_fault(world, layer, unit, was_clear)?;
        let Some(was) = was.filter(|was| was.is_clear) else {
            continue;
        };
        // A layer is derived when an order first uses it, and has no islands before.
        if let (Some(was), Some(now)) = (was.island, island(world, layer, unit))
            && was != now
            && !entered(unit.id)
        {
            return Err(format!("a unit went from island {was} to {now}: {unit:?}"));
        }
    }
    Ok(())
}

/// Returns what is wrong with where a unit is. One on which a wall was built walks out of it.
fn unit_fault(
    world: &FlowWorld,
    layer: LayerId,
    unit: &Unit,
    was_clear: bool,
) -> Result<(), String> {
    let numbers = [unit.position, unit.velocity];
    if !numbers.iter().flatten().all(|number| number.is_finite()) {
        return Err(format!("a position is not finite: {unit:?}"));
    }
    let (width, height) = (world.costs().width(), world.costs().height());
    if !CellRect::new(0, 0, width, height).contains(cell_of(unit.position)) {
        return Err(format!(
            "a unit is off the map of {width}×{height} cells: {unit:?}"
        ));
    }
    if was_clear && is_hit(ground(world, layer), unit, SLACK) {
        return Err(format!("a unit is in a wall of {layer}: {unit:?}"));
    }
    Ok(())
}

/// The orders of the army and of the game, each once.
fn orders(battle: &Battle) -> Vec<Order> {
    let of_groups = battle
        .groups
        .iter()
        .filter_map(|&group| battle.army.group(group)?.order());
    let mut orders: Vec<Order> = of_groups.chain(&battle.claims).cloned().collect();
    orders.sort_by_key(Order::number);
    orders.dedup();
    orders
}

/// Checks the directions of an order in all cells: no step into a wall or past a corner.
pub fn directions(battle: &mut Battle) -> Result<(), String> {
    let orders = orders(battle);
    let Some(order) = orders.get(battle.random.below(orders.len() as i32) as usize) else {
        return Ok(());
    };
    let (costs, _) = ground(&battle.world, order.goal().layer());
    let referee = Referee::new(costs);
    for cell in costs.area().cells() {
        if referee.cost(cell) == 255 {
            continue;
        }
        if let Sample::Go(direction) = battle.world.sample(order, cell)
            && referee.judge(cell, direction) != Verdict::Legal
        {
            return Err(format!(
                "a direction leads into a wall: {direction} at {cell} for {order:?}"
            ));
        }
    }
    Ok(())
}

/// Checks that derived data is what it would be if it were built anew.
pub fn built_anew(battle: &mut Battle) -> Result<(), String> {
    let world = &battle.world;
    for &layer in &battle.layers {
        let (Some(view), Some(inspection)) = (world.layer(layer), world.inspect().layer(layer))
        else {
            continue;
        };
        if *inspection.portal_graph() != PortalGraph::new(view.costs()) {
            return Err(format!(
                "the portal graph of {layer} is not that of its costs"
            ));
        }
    }
    let fresh = FlowWorld::new(world.costs().clone());
    let [old, new] = [world, &fresh].map(|world| world.inspect().stats());
    if [old.portals, old.edges, old.islands] != [new.portals, new.edges, new.islands] {
        return Err(format!(
            "a world built anew has other parts: {new:?}, not {old:?}"
        ));
    }
    for _ in 0..SAMPLED {
        let pair = [battle.cell(), battle.cell()];
        let joined = |world: &FlowWorld| {
            let [one, two] = pair.map(|cell| world.inspect().island(cell));
            (one.is_some(), two.is_some(), one == two)
        };
        if joined(&battle.world) != joined(&fresh) {
            return Err(format!("islands differ in a world built anew: {pair:?}"));
        }
    }
    Ok(())
}

/// Compares an order with a Dijkstra over the whole map; returns the number of compared cells.
pub fn cheapest(battle: &mut Battle) -> Result<u64, String> {
    let mut orders = orders(battle);
    orders.retain(|order| order.goal().cells().count() == 1);
    let Some(order) = orders.get(battle.random.below(orders.len() as i32) as usize) else {
        return Ok(0);
    };
    let layer = order.goal().layer();
    let (costs, _) = ground(&battle.world, layer);
    let mut referee = Referee::new(costs);
    let of_layer = LayerId::from_number(layer.number());
    let leads = |link: &Link| {
        link.layers()
            .is_none_or(|layers| layers.contains(&of_layer))
    };
    for (_, link) in battle
        .world
        .inspect()
        .links()
        .filter(|(_, link)| leads(link))
    {
        referee.add_link(link);
    }
    let goal = order.goal().cell();
    let best = referee.costs_to_go(goal);
    let ordered = battle.world.inspect().units(order).to_vec();
    let drawn: Vec<Cell> = (0..SAMPLED).map(|_| battle.cell()).collect();
    let mut judged = 0;
    for (cell, is_ordered) in drawn
        .iter()
        .map(|&cell| (cell, false))
        .chain(ordered.iter().map(|&cell| (cell, true)))
    {
        let best = referee.look_up(&best, cell);
        // From other islands it leads to another goal.
        let (Some(found), true) = (battle.world.cost_to_go(order, cell), best != NEVER) else {
            continue;
        };
        judged += 1;
        let is_best = match battle.qualities.get(&order.number()) {
            Some(Quality::Everywhere) => true,
            Some(Quality::Exact) => is_ordered,
            _ => false,
        };
        if found < best || is_best && found > best {
            return Err(format!(
                "the way from {cell} costs {found} and the cheapest {best}: {order:?}"
            ));
        }
    }
    Ok(judged)
}

/// Checks that every unit under an order has an answer once all orders are done.
pub fn nobody_waits(battle: &Battle) -> Result<(), String> {
    for unit in battle.marching() {
        let Some(order) = battle.army.order_of(unit.id) else {
            continue;
        };
        let cell = anchor(battle.size_of(unit.group), unit.position);
        if battle.world.sample(order, cell) == Sample::Waiting {
            return Err(format!("a unit waits, though no order does: {unit:?}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use flowtiles::Cost;
    use flowtiles::steer::{Reading, Target};

    use super::*;

    #[test]
    fn what_is_wrong_with_a_unit_is_told() {
        let mut costs = CostMap::open(20, 12).expect("a map");
        costs.edit(Cell::new(5, 5), Cost::WALL).expect("a wall");
        let world = FlowWorld::new(costs);
        let mut army = Army::default();
        let group = army
            .add_group(Target::Hold, Reading::Ahead)
            .expect("a group");
        army.add(Unit::new(0, group, [4.5, 5.5])).expect("a unit");
        let noted = before(&world, &army);
        assert_eq!(units(&world, &army, &noted), Ok(()));
        for (place, told) in [
            ([5.5, 5.5], "in a wall"),
            ([4.8, 5.5], "in a wall"),
            ([-0.5, 5.5], "off the map"),
            ([4.5, 12.5], "off the map"),
        ] {
            army.set_position(0, place).expect("a unit");
            let fault = units(&world, &army, &noted).expect_err("a fault");
            assert!(fault.contains(told), "{fault}");
        }
    }
}
