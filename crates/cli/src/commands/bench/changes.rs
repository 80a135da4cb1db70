//! Builds, edits and movement layers.

use std::hint::black_box;

use flowtiles::inspect::clearance;
use flowtiles::{CellRect, Cost, FlowWorld, Movement};
use flowtiles_country::random::Random;

use super::ground::{Ground, refused};
use super::sheet::Column;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::threads::on_threads;

/// An edit and the one that undoes it.
pub type Toggle = [(CellRect, Cost); 2];

/// Draws cells and what makes a wall of open ground, and the reverse.
pub fn toggles(ground: &Ground, random: &mut Random, count: usize) -> Vec<Toggle> {
    let toggle = |_| {
        let cell = ground.draw_any(random);
        let cost = ground.costs.get(cell).unwrap_or(Cost::WALL);
        let other = if cost.is_wall() {
            Cost::OPEN
        } else {
            Cost::WALL
        };
        [other, cost].map(|cost| (CellRect::from(cell), cost))
    };
    (0..count).map(toggle).collect()
}

fn bytes(world: &FlowWorld) -> f64 {
    let stats = world.inspect().stats();
    (stats.cost_bytes + stats.graph_bytes + stats.cluster_bytes) as f64
}

/// Measures builds, edits, a second layer, and edits with six.
pub fn measure(ground: &Ground, column: &mut Column) -> Result<(), Failure> {
    let [mut build, mut in_two, mut derive, mut clear] = std::array::from_fn(|_| Times::default());
    let toggles = toggles(ground, &mut Random::new(41), ground.effort.pick(1000, 20));
    let rounds = ground.effort.rounds();
    for _ in 0..2 * rounds {
        let [one, two] = [ground.costs.clone(), ground.costs.clone()];
        drop(build.time(0, || FlowWorld::new(one)));
        on_threads(2, || drop(in_two.time(0, || FlowWorld::new(two))))?;
        drop(clear.time(0, || clearance(&ground.costs, black_box(ground.all()))));
    }
    let mut world = FlowWorld::new(ground.costs.clone());
    let first = bytes(&world);
    let edit = edits(&mut world, &toggles, rounds);
    let mut layer = |price| {
        let price = Cost::new(price).unwrap_or(Cost::OPEN);
        world.add_layer(Movement::new().with_cost(Cost::OPEN, price))
    };
    let layers = [layer(1), layer(2), layer(3), layer(4), layer(5)];
    let layers = layers.into_iter().collect::<Result<Vec<_>, _>>();
    let layers = layers.map_err(refused)?;
    let before = bytes(&world);
    for _ in 0..2 * rounds {
        world.free_layer(layers[0]).map_err(refused)?;
        let derived = derive.time(0, || world.derive_layer(layers[0]));
        derived.map_err(refused)?;
    }
    let second = bytes(&world) - before;
    for layer in layers {
        world.derive_layer(layer).map_err(refused)?;
    }
    let edit_six = edits(&mut world, &toggles, rounds);
    let built = build.median();
    column.put("one-cell edit, × a build", built / edit.median());
    column.put("build on two threads, × one", built / in_two.median());
    column.put("build, ms", built * 1e3);
    column.put("one-cell edit, µs", edit.median() * 1e6);
    column.put("one-cell edit, p99, µs", edit.rank(99) * 1e6);
    column.put("memory, bytes a cell", first / ground.area());
    column.put("second layer, in builds", derive.median() / built);
    column.put("its memory, in the first's", second / first);
    let in_edits = edit_six.median() / edit.median();
    column.put("edit with six layers, in edits", in_edits);
    column.put("clearance of all cells, ms", clear.median() * 1e3);
    Ok(())
}

/// Times edits of single cells, there and back.
fn edits(world: &mut FlowWorld, toggles: &[Toggle], rounds: usize) -> Times {
    let mut times = Times::default();
    for _ in 0..rounds {
        for (job, &(area, cost)) in toggles.iter().flatten().enumerate() {
            // Every cell was drawn on the map.
            black_box(times.time(job, || world.edit(area, cost))).ok();
        }
    }
    times
}
