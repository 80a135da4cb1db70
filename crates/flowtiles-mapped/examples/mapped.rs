//! A map of 36 million cells in a file: written once, mapped, used for an
//! order, edited, saved and loaded again.
//!
//! ```console
//! cargo run --release -p flowtiles-mapped --example mapped
//! ```

use std::error::Error;

use flowtiles::build::SectorCosts;
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Sector};
use flowtiles_mapped::MappedCosts;

const SIDE: u32 = 6000;

fn main() -> Result<(), Box<dyn Error>> {
    let name = format!("flowtiles-mapped-example-{}.costs", std::process::id());
    let path = std::env::temp_dir().join(name);
    flowtiles_mapped::write(&path, SIDE, SIDE, country)?;
    let played = play(&path);
    std::fs::remove_file(&path)?;
    played
}

/// Returns hills with a wall along each ridge, and a pass now and then.
fn country(Sector { x, y }: Sector) -> SectorCosts {
    match (x % 40, y % 60) {
        (0, 0..56) => SectorCosts::Cells(std::array::from_fn(
            |slot| {
                if slot % 10 == 5 { 255 } else { 4 }
            },
        )),
        _ => SectorCosts::OPEN,
    }
}

fn play(path: &std::path::Path) -> Result<(), Box<dyn Error>> {
    let costs = CostMap::from_source(MappedCosts::open(path)?)?;
    println!(
        "{} cells, {} bytes of costs in memory",
        SIDE * SIDE,
        costs.bytes()
    );
    let mut build = FlowWorld::build(costs);
    while !build.progress().is_done() {
        let progress = build.advance(400_000);
        println!("built {} of {}", progress.done, progress.total);
    }
    let mut world = build.finish();

    let (mut unit, goal) = (Cell::new(30, 30), Cell::new(5950, 5000));
    let order = world.order(goal, &[unit])?;
    while world.tick(Budget::cells(20_000)).waiting > 0 {}
    world.edit(CellRect::new(1000, 0, 3, 800), Cost::WALL)?;
    while world.tick(Budget::cells(20_000)).waiting > 0 {}
    let mut steps = 0;
    while let Some(direction) = world.sample(&order, unit).direction() {
        unit = unit.step(direction);
        steps += 1;
    }
    assert_eq!(unit, goal, "reachable means reached");
    println!(
        "{steps} steps, {} sectors loaded",
        world.inspect().loaded(&order).len()
    );

    let save = world.save();
    let under = CostMap::from_source(MappedCosts::open(path)?)?;
    let (loaded, orders) = FlowWorld::load_over(&save, under)?;
    println!("{} bytes saved, {} order loaded", save.len(), orders.len());
    assert!(*loaded.costs() == *world.costs());
    Ok(())
}
