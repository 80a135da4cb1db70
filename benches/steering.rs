//! The cost of an army's step for each unit, with all behaviours on.
//!
//! Two groups on 600×400 cells, among rocks: on the march, where the time for
//! each unit should not grow with their number; and where the two have met head
//! on, the most expensive situation.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flowtiles::steer::{Army, GroupId, Reading, Settings, Target, Unit};
use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Rect};

/// The steps until an army is in full march, and the steps timed before a new
/// army is mustered.
const BEFORE: u32 = 60;
const TIMED: u64 = 100;

/// The starts of the two groups: far apart, or face to face.
const MARCH: [f32; 2] = [2.0, 480.0];
const MEETING: [f32; 2] = [150.0, 300.0];

/// Returns an army of this many units that have marched for a while.
fn army(count: u32, begin: [f32; 2]) -> (FlowWorld, Army) {
    let mut map = CostMap::open(600, 400).expect("within the limits");
    for at in 0..160 {
        let (x, y) = (70 + at * 37 % 450, 20 + at * 53 % 350);
        map.edit(Rect::new(x, y, 4, 3), Cost::WALL)
            .expect("on the map");
    }
    let mut world = FlowWorld::new(map);
    let mut settings = Settings::default();
    settings.cohesion = 0.1;
    let mut army = Army::new(settings);
    let goals = [Cell::new(580, 200), Cell::new(20, 200)];
    for (from, goal) in begin.into_iter().zip(goals) {
        let order = world.order(goal, &[Cell::new(10, 200)]).expect("a way");
        let group = army
            .add_group(Target::Order(order), Reading::Ahead)
            .unwrap();
        // Always the same density: one unit for each square of 0.9 cells, at
        // most 120 across.
        let columns = (count / 2).isqrt().min(120);
        for at in 0..count / 2 {
            let (x, y) = (at % columns, at / columns);
            let position = [from + x as f32 * 0.9, 10.0 + y as f32 * 0.9];
            let id = army.units().len() as u32;
            army.add(Unit::new(id, group, position)).unwrap();
        }
    }
    army.put_out_of_walls(&world);
    for _ in 0..BEFORE {
        world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
        army.cover_strays(&mut world);
    }
    (world, army)
}

/// Returns the time of this many steps.
fn time_of(steps: u64, count: u32, begin: [f32; 2]) -> Duration {
    let mut total = Duration::ZERO;
    let mut left = steps;
    while left > 0 {
        let (world, mut army) = army(count, begin);
        let now = left.min(TIMED);
        let start = Instant::now();
        for _ in 0..now {
            army.step(&world, 0.05);
        }
        total += start.elapsed();
        left -= now;
    }
    total
}

fn steering(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a step of an army");
    group.sample_size(10);
    let cases = [
        ("march", 1_000, MARCH),
        ("march", 5_000, MARCH),
        ("march", 20_000, MARCH),
        ("march", 100_000, MARCH),
        ("meeting", 20_000, MEETING),
    ];
    for (name, count, begin) in cases {
        let (world, mut army) = army(count, begin);
        let before = army.state_hash();
        army.step(&world, 0.05);
        assert_ne!(army.state_hash(), before, "checked before it is timed");
        group.throughput(Throughput::Elements(u64::from(count)));
        group.bench_function(BenchmarkId::new(name, count), |bencher| {
            bencher.iter_custom(|steps| time_of(steps, count, begin));
        });
    }
    group.finish();
}

/// Returns the time of changing an army of 20,000 units this often.
fn time_of_changes(times: u64, change: impl Fn(&mut Army, GroupId)) -> Duration {
    let world = FlowWorld::new(CostMap::open(200, 100).expect("within the limits"));
    let mut total = Duration::ZERO;
    for _ in 0..times {
        let mut army = Army::new(Settings::default());
        let [all, other] =
            [(); 2].map(|()| army.add_group(Target::Stand, Reading::Ahead).expect("two"));
        for id in 0..20_000 {
            let place = [(id % 200) as f32 + 0.5, (id / 200) as f32 + 0.5];
            army.add(Unit::new(id, all, place)).expect("a new unit");
        }
        // As in a game, where an army has moved before it changes.
        army.step(&world, 0.05);
        let start = Instant::now();
        change(&mut army, other);
        total += start.elapsed();
    }
    total
}

/// The ids of 20,000 units in a mixed order.
fn mixed() -> impl Iterator<Item = u32> {
    (0..20_000).map(|at| at * 7_919 % 20_000)
}

fn handling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("an army of 20,000");
    group.sample_size(20);
    group.bench_function("remove each one", |bencher| {
        bencher.iter_custom(|times| {
            time_of_changes(times, |army, _| {
                let removed = mixed().filter_map(|id| army.remove(id)).count();
                assert_eq!(removed, 20_000);
            })
        });
    });
    group.bench_function("regroup 2,000", |bencher| {
        bencher.iter_custom(|times| {
            time_of_changes(times, |army, other| {
                for id in mixed().take(2_000) {
                    army.set_group(id, other).expect("a unit and a group");
                }
            })
        });
    });
    group.finish();
}

criterion_group!(benches, steering, handling);
criterion_main!(benches);
