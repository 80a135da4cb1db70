//! The cost of an army's step for each unit, with all behaviours on.
//!
//! Two groups on 600×400 cells: on the march over open ground, and among rocks,
//! where the time for each unit should not grow with their number; where the two
//! have met head on, the most expensive situation; both as attacks on the move, without
//! foes and with; and at rest. And a base that holds while a few go past it or through it.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flowtiles::steer::{Army, Chase, GroupId, Reading, Settings, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Teams};

/// The steps timed before a new army is mustered.
const TIMED: u64 = 60;

/// The starts of the two groups: far apart, or face to face.
const MARCH: [f32; 2] = [2.0, 480.0];
const MEETING: [f32; 2] = [150.0, 300.0];

/// Returns the steps to take before those that are timed: of `all`, a few where it is only asked
/// whether the bench runs.
fn before(all: u32) -> u32 {
    let asked = |option| std::env::args().any(|argument| argument == option);
    if asked("--bench") && !asked("--test") {
        all
    } else {
        all.min(10)
    }
}

/// What two groups do.
#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    units: u32,
    begin: [f32; 2],
    rocks: usize,
    /// The steps before those that are timed.
    before: u32,
    /// Whether they attack on the move, and whether they are foes.
    attack: Option<bool>,
}

const CASES: [Case; 10] = [
    Case::new("open", 20_000, MARCH, 0, 60),
    Case::new("rocks", 1_000, MARCH, 160, 60),
    Case::new("rocks", 5_000, MARCH, 160, 60),
    Case::new("rocks", 20_000, MARCH, 160, 60),
    Case::new("rocks", 100_000, MARCH, 160, 60),
    Case::new("rocks, late", 20_000, MARCH, 160, 300),
    Case::new("jam", 20_000, MEETING, 160, 300),
    Case::new("jam, densest", 20_000, MEETING, 160, 520),
    Case::new("attack, no foes", 20_000, MEETING, 160, 300).attacking(false),
    Case::new("attack", 20_000, MEETING, 160, 300).attacking(true),
];

impl Case {
    const fn new(
        name: &'static str,
        units: u32,
        begin: [f32; 2],
        rocks: usize,
        before: u32,
    ) -> Self {
        Self {
            name,
            units,
            begin,
            rocks,
            before,
            attack: None,
        }
    }

    const fn attacking(mut self, are_foes: bool) -> Self {
        self.attack = Some(are_foes);
        self
    }

    /// Returns the army as it is before the timed steps.
    fn army(&self) -> (FlowWorld, Army) {
        let mut map = CostMap::open(600, 400).expect("within the limits");
        for at in 0..self.rocks as i32 {
            let (x, y) = (70 + at * 37 % 450, 20 + at * 53 % 350);
            map.edit(CellRect::new(x, y, 4, 3), Cost::WALL)
                .expect("on the map");
        }
        let mut world = FlowWorld::new(map);
        let mut settings = Settings::default();
        settings.cohesion = 0.1;
        let mut army = Army::new(settings).unwrap();
        let goals = [Cell::new(580, 200), Cell::new(20, 200)];
        for (team, (from, goal)) in (1..).zip(self.begin.into_iter().zip(goals)) {
            let order = world.order(goal, &[Cell::new(10, 200)]).expect("a way");
            let target = match self.attack {
                None => Target::Order(order),
                Some(_) => Target::AttackMove(order, Chase::default()),
            };
            let group = army.add_group(target, Reading::Ahead).unwrap();
            if self.attack == Some(true) {
                let mut settings = *army.settings(group).unwrap();
                (settings.team, settings.foes) = (team, Teams::ALL);
                army.configure(group, settings, &world).unwrap();
            }
            // Always the same density: one unit for each square of 0.9 cells, at
            // most 120 across.
            let columns = (self.units / 2).isqrt().min(120);
            for at in 0..self.units / 2 {
                let (x, y) = (at % columns, at / columns);
                let position = [from + x as f32 * 0.9, 10.0 + y as f32 * 0.9];
                let id = army.units().len() as u32;
                army.add(Unit::new(id, group, position)).unwrap();
            }
        }
        army.put_out_of_walls(&world);
        for _ in 0..before(self.before) {
            world.tick(Budget::UNLIMITED);
            army.step(&world, 0.05);
            army.cover_strays(&mut world);
        }
        (world, army)
    }

    /// Returns the time of this many steps.
    fn time(&self, steps: u64) -> Duration {
        let mut total = Duration::ZERO;
        let mut left = steps;
        while left > 0 {
            let (world, mut army) = self.army();
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
}

fn steering(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a step of an army");
    group.sample_size(10);
    for case in CASES {
        let (world, mut army) = case.army();
        let before = army.state_hash();
        army.step(&world, 0.05);
        assert_ne!(army.state_hash(), before, "checked before it is timed");
        group.throughput(Throughput::Elements(u64::from(case.units)));
        group.bench_function(BenchmarkId::new(case.name, case.units), |bencher| {
            bencher.iter_custom(|steps| case.time(steps));
        });
    }
    group.finish();
}

/// What a game asks of an army of 20,000 units besides marching.
fn standing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("an army of 20,000 on the way");
    let (world, mut army) = CASES[3].army();
    group.bench_function("state hash", |bencher| bencher.iter(|| army.state_hash()));
    group.bench_function("deepest overlap", |bencher| {
        bencher.iter(|| army.deepest_overlap());
    });
    for id in army.groups().collect::<Vec<GroupId>>() {
        army.send(id, Target::Hold).expect("a group");
    }
    for _ in 0..before(400) {
        army.step(&world, 0.05);
    }
    group.bench_function("a step at rest", |bencher| {
        bencher.iter(|| army.step(&world, 0.05));
    });
    group.finish();
}

/// A base of units that hold, and a few on the march.
#[derive(Clone, Copy)]
struct Base {
    name: &'static str,
    holding: u32,
    marching: u32,
    /// Where those on the march set out: in a row of the base, or north of it.
    from: [f32; 2],
    /// The steps before those that are timed.
    before: u32,
}

const BASES: [Base; 6] = [
    Base::new("1 past 10,000", 10_000, 1, [10.0, 5.0], 100),
    Base::new("1 through 10,000", 10_000, 1, [10.0, 150.0], 300),
    Base::new("10 through 10,000", 10_000, 10, [10.0, 150.0], 300),
    Base::new("100 through 10,000", 10_000, 100, [10.0, 150.0], 300),
    Base::new("500 alone", 0, 500, [10.0, 20.0], 100),
    Base::new("500 beside 19,500", 19_500, 500, [10.0, 20.0], 100),
];

impl Base {
    const fn new(
        name: &'static str,
        holding: u32,
        marching: u32,
        from: [f32; 2],
        before: u32,
    ) -> Self {
        Self {
            name,
            holding,
            marching,
            from,
            before,
        }
    }

    fn army(&self) -> (FlowWorld, Army) {
        let mut world = FlowWorld::new(CostMap::open(600, 400).expect("within the limits"));
        let mut army = Army::default();
        let [x, y] = self.from.map(|at| at as i32);
        let order = world
            .order(Cell::new(580, y), &[Cell::new(x, y)])
            .expect("a way");
        for (target, count, from, across) in [
            (Target::Hold, self.holding, [40.0, 100.0], 140),
            (Target::Order(order), self.marching, self.from, 10),
        ] {
            let group = army.add_group(target, Reading::Ahead).expect("a target");
            for at in 0..count {
                let off = [at % across, at / across].map(|at| at as f32 * 0.9);
                let id = army.units().len() as u32;
                let unit = Unit::new(id, group, [from[0] + off[0], from[1] + off[1]]);
                army.add(unit).expect("a new unit");
            }
        }
        for _ in 0..before(self.before) {
            world.tick(Budget::UNLIMITED);
            army.step(&world, 0.05);
        }
        (world, army)
    }
}

/// A step of a base among which a few go.
fn bases(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a step of a base and a few");
    group.sample_size(10);
    for base in BASES {
        group.bench_function(base.name, |bencher| {
            bencher.iter_custom(|steps| {
                let mut total = Duration::ZERO;
                for done in (0..steps).step_by(TIMED as usize) {
                    let (world, mut army) = base.army();
                    let start = Instant::now();
                    for _ in done..steps.min(done + TIMED) {
                        army.step(&world, 0.05);
                    }
                    total += start.elapsed();
                    assert!(!army.is_settled(), "timed on the march");
                }
                total
            });
        });
    }
    group.finish();
}

/// Returns the time of changing an army of 20,000 units this often.
fn time_of_changes(times: u64, change: impl Fn(&mut Army, GroupId)) -> Duration {
    let world = FlowWorld::new(CostMap::open(200, 100).expect("within the limits"));
    let mut total = Duration::ZERO;
    for _ in 0..times {
        let mut army = Army::default();
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

criterion_group!(benches, steering, standing, bases, handling);
criterion_main!(benches);
