//! The march of `bench.py` in Rust: 10,000 units on a map of 600×400 cells.
//!
//! Prints the hash of the army at the end and then, a line each, the nanoseconds of every ten steps.

use std::time::Instant;

use flowtiles::steer::{Army, Reading, Sending, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

const UNITS: u32 = 10_000;
const BLOCKS: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut map = CostMap::open(600, 400)?;
    map.edit(CellRect::new(200, 0, 30, 300), Cost::new(6)?)?;
    map.edit(CellRect::new(400, 50, 2, 350), Cost::WALL)?;
    let mut world = FlowWorld::new(map);
    let mut army = Army::default();
    let group = army.add_group(Target::Stand, Reading::Ahead)?;
    for id in 0..UNITS {
        let place = [(id % 100) as f32 + 20.5, (id / 100) as f32 + 150.5];
        army.add(Unit::new(id, group, place))?;
    }
    army.send_all(
        &mut world,
        &[group],
        Cell::new(580, 380),
        Sending::default(),
    )?;
    let mut times = Vec::with_capacity(BLOCKS);
    for _ in 0..BLOCKS {
        let begin = Instant::now();
        for _ in 0..10 {
            army.tick(&mut world, Budget::cells(4_000), 0.05);
        }
        times.push(begin.elapsed().as_nanos());
    }
    println!("{}", army.state_hash());
    times.iter().for_each(|time| println!("{time}"));
    Ok(())
}
