//! The cost of a cold order: search, loading, integration, first direction.
//!
//! One unit crosses 1000×1000 cells.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use flowtiles::{Budget, Cell, FlowWorld, Sample};

mod maps;

fn cold_order(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cold order");
    for (name, map) in maps::all() {
        let mut world = FlowWorld::new(map);
        let goal = maps::open_near(&world, Cell::new(905, 890));
        let start = maps::open_near(&world, Cell::new(70, 110));
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
