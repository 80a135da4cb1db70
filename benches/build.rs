//! The cost of building a world from a map: portals, in-sector costs, islands.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use flowtiles::FlowWorld;
use flowtiles::graph::PortalGraph;

mod maps;

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    group.sample_size(20);
    for (name, map) in maps::all() {
        let world = FlowWorld::new(map.clone());
        assert_eq!(
            *world.inspect().portal_graph(),
            PortalGraph::new(&map),
            "checked before it is timed"
        );
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| map.clone(), FlowWorld::new, BatchSize::LargeInput);
        });
    }
    group.finish();
}

criterion_group!(benches, build);
criterion_main!(benches);
