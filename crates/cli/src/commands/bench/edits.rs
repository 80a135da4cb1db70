//! Builds, and edits of single cells, there and back.

use std::hint::black_box;

use flowtiles::{Cell, Cost, FlowWorld};
use flowtiles_country::random::Random;

use super::ground::Ground;
use super::sheet::Column;
use super::times::Times;

/// Measures both, and the memory of the world.
pub fn measure(ground: &Ground, column: &mut Column) {
    let (width, height) = (ground.costs.width(), ground.costs.height());
    let mut random = Random::new(41);
    let mut edits = Vec::new();
    for _ in 0..ground.effort.pick(1000, 20) {
        let x = random.below(width as i32);
        let cell = Cell::new(x, random.below(height as i32));
        let cost = ground.costs.get(cell).unwrap_or(Cost::WALL);
        let is_wall = cost.is_wall();
        let other = if is_wall { Cost::OPEN } else { Cost::WALL };
        edits.extend([(cell, other), (cell, cost)]);
    }
    let [mut build, mut edit] = [Times::default(), Times::default()];
    let rounds = ground.effort.rounds();
    for _ in 0..2 * rounds {
        let costs = ground.costs.clone();
        drop(build.time(0, || FlowWorld::new(costs)));
    }
    let mut world = FlowWorld::new(ground.costs.clone());
    let stats = world.inspect().stats();
    let bytes = stats.cost_bytes + stats.graph_bytes + stats.cluster_bytes;
    for _ in 0..rounds {
        for (job, &(cell, cost)) in edits.iter().enumerate() {
            // Every cell was drawn on the map.
            black_box(edit.time(job, || world.edit(cell, cost))).ok();
        }
    }
    let cells = f64::from(width) * f64::from(height);
    column.put("one-cell edit, × a build", build.median() / edit.median());
    column.put("build, ms", build.median() * 1e3);
    column.put("one-cell edit, µs", edit.median() * 1e6);
    column.put("one-cell edit, p99, µs", edit.rank(99) * 1e6);
    column.put("memory, bytes a cell", bytes as f64 / cells);
}
