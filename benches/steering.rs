//! What does a step of an army cost a unit, with all behaviours on?
//!
//! Two groups on 400×400 cells with rocks, in the middle of their march; the
//! figure to compare is time over units, which should not grow with them.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flowtiles::steer::{Army, Reading, Settings, Target, Unit};
use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Rect};

/// So many units, on the march for a while.
fn army(count: u32) -> (FlowWorld, Army) {
    let side = 400;
    let mut map = CostMap::open(side, side).expect("within the limits");
    for at in 0..120 {
        let (x, y) = (90 + at * 37 % 220, 20 + at * 53 % 350);
        map.fill(Rect::new(x, y, 4, 3), Cost::WALL)
            .expect("on the map");
    }
    let mut world = FlowWorld::new(map);
    let settings = Settings {
        cohesion: 0.1,
        ..Settings::default()
    };
    let mut army = Army::new(settings);
    let across = count.isqrt() / 2 + 1;
    for (from, goal) in [(2.0, Cell::new(380, 200)), (330.0, Cell::new(20, 200))] {
        let start = Cell::new(from as i32 + 3, 200);
        let order = world.order(goal, &[start]).expect("open ground");
        let group = army.add_group(Target::Order { order, goal }, Reading::Ahead);
        for at in 0..count / 2 {
            let first = army.units().len() as u32;
            let (x, y) = (at % across, at / across);
            let apart = 0.4 * 400.0 / across as f32 / 2.0;
            let apart = if apart > 0.9 { 0.9 } else { apart };
            let position = [from + x as f32 * apart, 20.0 + y as f32 * apart];
            army.add(Unit::new(first, group, position).with_radius(apart * 0.35));
        }
    }
    for _ in 0..60 {
        let progress = world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
        if progress.waiting == 0 {
            army.cover_strays(&mut world);
        }
    }
    (world, army)
}

fn steering(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a step of an army");
    group.sample_size(20);
    for count in [1_000, 5_000, 20_000, 100_000] {
        let (world, mut army) = army(count);
        let before = army.state_hash();
        army.step(&world, 0.05);
        assert_ne!(army.state_hash(), before, "checked before it is timed");
        group.throughput(Throughput::Elements(u64::from(count)));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| army.step(&world, 0.05));
        });
    }
    group.finish();
}

criterion_group!(benches, steering);
criterion_main!(benches);
