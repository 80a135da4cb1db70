//! What does a cold order cost: search, load, integrate, first direction?
//!
//! One unit crosses 1000×1000 cells: open ground, and rooms with doors.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Rect, Sample};

const SIDE: u32 = 1000;

fn open() -> CostMap {
    CostMap::open(SIDE, SIDE).expect("within the limit")
}

/// Rooms of 20 cells, each wall with a door of 2 somewhere.
fn rooms() -> CostMap {
    let mut map = open();
    let mut fill = |area, cost| map.fill(area, cost).expect("on the map");
    for at in (20..SIDE).step_by(20) {
        fill(Rect::new(at as i32, 0, 1, SIDE), Cost::WALL);
        fill(Rect::new(0, at as i32, SIDE, 1), Cost::WALL);
    }
    for at in (20..SIDE as i32).step_by(20) {
        for (turn, room) in (0..SIDE as i32).step_by(20).enumerate() {
            let door = room + 2 + (turn as i32 * 7 + at / 20 * 5) % 15;
            fill(Rect::new(at, door, 1, 2), Cost::OPEN);
            fill(Rect::new(door, at, 2, 1), Cost::OPEN);
        }
    }
    map
}

fn cold_order(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cold order");
    for (name, map) in [("open 1000²", open()), ("rooms 1000²", rooms())] {
        let mut world = FlowWorld::new(map);
        let (goal, start) = (Cell::new(905, 890), Cell::new(70, 110));
        let mut ask = move || {
            let order = world.order(goal, &[start]).expect("all is joined");
            world.tick(Budget::UNLIMITED);
            world.sample(&order, black_box(start))
        };
        assert!(matches!(ask(), Sample::Go(_)), "checked before it is timed");
        group.bench_function(name, |bencher| bencher.iter(&mut ask));
    }
    group.finish();
}

criterion_group!(benches, cold_order);
criterion_main!(benches);
