//! Units that visit several goals in turn: an order for each goal, and for each
//! unit the number of the leg that it is on.

use flowtiles::error::OrderError;
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Order, Sample};

const GOALS: [Cell; 3] = [Cell::new(90, 5), Cell::new(90, 50), Cell::new(5, 50)];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    world.edit(CellRect::new(40, 20, 60, 5), Cost::WALL)?;
    let mut units = [Cell::new(3, 3), Cell::new(9, 7), Cell::new(60, 2)].map(|cell| (cell, 0));
    let mut from: Vec<Cell> = units.iter().map(|&(cell, _)| cell).collect();
    // Each leg begins where the one before ends, so it is ready when units arrive.
    let legs = GOALS.map(|goal| world.order(goal, &std::mem::replace(&mut from, vec![goal])));
    let legs = legs
        .into_iter()
        .collect::<Result<Vec<Order>, OrderError>>()?;
    let mut frames = 0;
    while units.iter().any(|&unit| unit != (GOALS[2], 2)) {
        world.tick(Budget::cells(4_000));
        frames += 1;
        for (cell, leg) in &mut units {
            if *leg + 1 < legs.len() && world.sample(&legs[*leg], *cell) == Sample::Arrived {
                *leg += 1;
                println!("frame {frames}: a unit goes on from {cell}");
            }
            if let Some(direction) = world.sample(&legs[*leg], *cell).direction() {
                *cell = cell.step(direction);
            }
        }
    }
    println!(
        "frame {frames}: all units have visited {} goals",
        GOALS.len()
    );
    Ok(())
}
