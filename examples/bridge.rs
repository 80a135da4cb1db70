//! A river with one bridge. The bridge is destroyed while units are on their
//! way, and rebuilt.
//!
//! No order is given again: one claim is kept throughout, and `sample` returns
//! for each unit what is valid now.

use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Order, Sample};

const BRIDGE: CellRect = CellRect::new(38, 14, 4, 3);
const GOAL: Cell = Cell::new(70, 20);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut map = CostMap::open(80, 30)?;
    map.edit(CellRect::new(38, 0, 4, 30), Cost::WALL)?; // the river
    map.edit(BRIDGE, Cost::OPEN)?;
    let mut world = FlowWorld::new(map);

    let mut units = [
        Cell::new(34, 4),
        Cell::new(27, 15),
        Cell::new(20, 28),
        Cell::new(5, 9),
    ];
    let order = world.order(GOAL, &units)?;
    march(&mut world, &order, &mut units, 12)?;
    report("12 frames into the march", &world, &order, &units);

    let edit = world.edit(BRIDGE, Cost::WALL)?;
    println!(
        "\nThe bridge falls: {} cells in {} sectors changed, {} sectors rebuilt, {} order to plan anew",
        edit.cells, edit.sectors, edit.rebuilt, edit.orders
    );
    report("in the same frame, before any tick", &world, &order, &units);
    march(&mut world, &order, &mut units, 50)?;
    report("50 frames later", &world, &order, &units);

    // A new order that is impossible is refused at once, without a search.
    let stranded = [units[3]];
    if let Err(error) = world.order(GOAL, &stranded) {
        println!("\nA new order is refused: {error}");
    }
    // As near as they can get: the bank opposite the goal.
    let nearest = world.order(Goal::at(GOAL).or_nearest(), &stranded)?;
    march(&mut world, &nearest, &mut units[3..], 60)?;
    println!("The last unit went as near as it can: {}", units[3]);
    drop(nearest);

    world.edit(BRIDGE, Cost::OPEN)?;
    println!("\nThe bridge is back");
    march(&mut world, &order, &mut units, 80)?;
    report("80 frames later", &world, &order, &units);
    assert_eq!(units, [GOAL; 4]);
    Ok(())
}

/// Runs some frames: a tick, then a step for each unit with a direction.
fn march(
    world: &mut FlowWorld,
    order: &Order,
    units: &mut [Cell],
    frames: u32,
) -> Result<(), Box<dyn std::error::Error>> {
    for _ in 0..frames {
        world.tick(Budget::cells(4_000));
        for unit in &mut *units {
            match world.sample(order, *unit) {
                Sample::Go(direction) => *unit = unit.step(direction),
                Sample::OffRoute => world.cover(order, *unit)?,
                _ => {}
            }
        }
    }
    Ok(())
}

fn report(when: &str, world: &FlowWorld, order: &Order, units: &[Cell]) {
    println!("{when}:");
    for &unit in units {
        println!("  {:9} {}", unit.to_string(), world.sample(order, unit));
    }
}
