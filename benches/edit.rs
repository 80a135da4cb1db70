//! The cost of an edit, with no order to plan again.
//!
//! A drawn cell becomes a wall or open ground and then its former self: two
//! edits are timed as one. A building of 8×8 cells is put up and removed on
//! open ground.

use criterion::{Criterion, criterion_group, criterion_main};
use flowtiles::graph::PortalGraph;
use flowtiles::{Cell, CellRect, Cost, FlowWorld};

mod maps;

/// Makes a wall of an open cell or the reverse, and then restores the cell.
fn toggle(world: &mut FlowWorld, cell: Cell) {
    let cost = world.costs().get(cell).expect("on the map");
    let other = if cost.is_wall() {
        Cost::OPEN
    } else {
        Cost::WALL
    };
    for cost in [other, cost] {
        world.edit(cell, cost).expect("on the map");
    }
}

fn edit(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edit");
    for (name, map) in maps::all() {
        let mut world = FlowWorld::new(map.clone());
        let mut draw = maps::Draw(11);
        let cells: Vec<Cell> = (0..1000).map(|_| draw.cell()).collect();
        for &cell in &cells {
            toggle(&mut world, cell);
        }
        assert_eq!(
            *world.inspect().portal_graph(),
            PortalGraph::new(&map),
            "checked before it is timed"
        );
        let mut next = cells.into_iter().cycle();
        group.bench_function(format!("one cell there and back, {name}"), |bencher| {
            bencher.iter(|| toggle(&mut world, next.next().expect("endless")));
        });
    }
    let mut world = FlowWorld::new(maps::open());
    let site = CellRect::new(495, 507, 8, 8);
    group.bench_function("building up and down, open", |bencher| {
        bencher.iter(|| {
            for cost in [Cost::WALL, Cost::OPEN] {
                world.edit(site, cost).expect("on the map");
            }
        });
    });
    group.finish();
}

criterion_group!(benches, edit);
criterion_main!(benches);
