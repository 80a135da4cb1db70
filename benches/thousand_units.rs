//! The cost of sending a thousand units to one goal, from the call to the last
//! unit's first direction.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use flowtiles::{Budget, Cell, FlowWorld, Sample};

mod maps;

const UNITS: usize = 1000;

fn thousand_units(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("thousand units");
    group.sample_size(20);
    for (name, map) in maps::all() {
        let mut world = FlowWorld::new(map);
        let goal = maps::open_near(&world, Cell::new(612, 391));
        let units = maps::Draw(31).units(&world, goal, UNITS);
        let mut samples = Vec::with_capacity(UNITS);
        let mut ask = |samples: &mut Vec<Sample>| {
            let order = world.order(goal, black_box(&units)).expect("joined");
            world.tick(Budget::UNLIMITED);
            world.sample_many(&order, &units, samples);
        };
        ask(&mut samples);
        let led = |sample: &Sample| matches!(sample, Sample::Go(_) | Sample::Arrived);
        assert!(samples.iter().all(led), "checked before it is timed");
        group.bench_function(name, |bencher| bencher.iter(|| ask(&mut samples)));
    }
    group.finish();
}

criterion_group!(benches, thousand_units);
criterion_main!(benches);
