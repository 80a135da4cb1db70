//! The life of an order: build a map, order units to a goal, tick, walk.
//!
//! Prints the map with the trail of each unit. The units go around the swamp
//! where that is cheaper, and only the sectors on their paths are loaded.

use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Sample, Sector};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Open ground with a swamp, and a wall with a gap at its south end.
    let mut map = CostMap::open(76, 40)?;
    map.edit(CellRect::new(14, 6, 16, 14), Cost::new(5)?)?;
    map.edit(CellRect::new(45, 0, 2, 17), Cost::WALL)?;
    let mut world = FlowWorld::new(map);

    let goal = Cell::new(70, 4);
    let mut units = [Cell::new(3, 3), Cell::new(5, 14), Cell::new(22, 12)];
    let mut trails = vec![goal];
    let order = world.order(goal, &units)?;

    let mut frames = 0;
    while units.iter().any(|&unit| unit != goal) {
        world.tick(Budget::cells(500)); // at most this much work in a frame
        for unit in &mut units {
            match world.sample(&order, *unit) {
                Sample::Go(direction) => {
                    trails.push(*unit);
                    *unit = unit.step(direction);
                }
                Sample::OffRoute => world.cover(&order, *unit)?, // pushed off its route
                _ => {} // it waits, has arrived, or cannot get there
            }
        }
        frames += 1;
    }

    draw(&world, &world.inspect().loaded(&order), &trails);
    let stats = world.inspect().stats();
    println!("3 units arrived after {frames} frames");
    println!(
        "{} of {} sectors were loaded (dots); * is a trail, ~ swamp, # wall",
        stats.sectors_loaded, stats.sectors
    );
    drop(order);
    world.tick(Budget::cells(500));
    println!(
        "the order is dropped: {} tiles left",
        world.inspect().stats().tiles
    );
    Ok(())
}

fn draw(world: &FlowWorld, loaded: &[Sector], trails: &[Cell]) {
    let costs = world.costs();
    for y in 0..costs.height() as i32 {
        let symbol = |x: i32| match costs.get(Cell::new(x, y)) {
            Some(Cost::WALL) => '#',
            _ if trails.contains(&Cell::new(x, y)) => '*',
            Some(cost) if cost > Cost::OPEN => '~',
            _ if loaded.contains(&Sector::new(x / 10, y / 10)) => '.',
            _ => ' ',
        };
        let row: String = (0..costs.width() as i32).map(symbol).collect();
        println!("{}", row.trim_end());
    }
}
