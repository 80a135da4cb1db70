//! The cost of Continuum Crowds.
//!
//! The solver runs over 256×256 cells: of one cost; of costs that change
//! smoothly and differ by side; the same among walls; and of drawn costs. Then
//! four armies of 2,500 meet among pillars: a round of solves for all four groups, by
//! its stages, and a tick, by its halves.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, CrowdUnit, FastMarching, SolveStage};
use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Order};

const SIDE: u32 = 256;
const CORNER: [(Cell, f32); 1] = [(Cell::new(0, 0), 0.0)];
/// Where the armies meet, the ways that they march, and units along a side of each.
const MIDDLE: i32 = 250;
const WAYS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const COLUMNS: usize = 50;
/// Seconds of a tick: with solves at 10 Hz every second one begins a round.
const TICK: f32 = 0.05;
/// Ticks until the armies meet, and ticks that are then timed.
const TICKS: [usize; 2] = [60, 40];

/// Returns costs of 1 to 3.5 that change smoothly and differ by side.
fn smooth(cell: Cell) -> [f32; 4] {
    let wave = |at: i32, length: i32| (at % length - length / 2).abs() as f32 / length as f32;
    std::array::from_fn(|side| {
        let side = side as i32;
        let along = wave(cell.x * (3 + side) + cell.y * (5 - side), 200);
        1.0 + 2.5 * (along + wave(cell.y * 2 + cell.x * side, 120))
    })
}

/// Whether a cell lies in one of the blocks of walls.
fn is_wall(cell: Cell) -> bool {
    let (x, y) = (cell.x / 4, cell.y / 4);
    (x + y) > 0 && (x * 7 + y * 13) % 29 < 6
}

/// Returns costs of 1 to 3.5, drawn from the cell's coordinates.
fn drawn(cell: Cell) -> [f32; 4] {
    std::array::from_fn(|side| {
        let place = (cell.y as u32 * SIDE + cell.x as u32) * 4 + side as u32;
        let state = (place ^ 0x9E37).wrapping_mul(0x85EB_CA6B) >> 7;
        1.0 + (state % 2501) as f32 / 1000.0
    })
}

fn marching(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("marching");
    group.throughput(Throughput::Elements(u64::from(SIDE * SIDE)));
    let field = |cost: &dyn Fn(Cell) -> Option<[f32; 4]>| {
        FastMarching::new(SIDE, SIDE, cost).expect("costs above 0")
    };
    let fields = [
        ("uniform", field(&|_| Some([1.0; 4]))),
        ("smooth", field(&|cell| Some(smooth(cell)))),
        (
            "obstacles",
            field(&|cell| (!is_wall(cell)).then(|| smooth(cell))),
        ),
        ("noise", field(&|cell| Some(drawn(cell)))),
    ];
    for (name, mut field) in fields {
        field.solve(&CORNER);
        let end = Cell::new(SIDE as i32 - 1, 3);
        let far = field.potential(end).expect("it is reached");
        let most = 3.5 * 2.0 * SIDE as f32;
        assert!((SIDE as f32 - 1.0..most).contains(&far), "{name}: {far}");
        group.bench_function(name, |bencher| {
            bencher.iter(|| field.solve(black_box(&CORNER)));
        });
    }
    group.finish();
}

/// Returns ground with pillars and four armies that have just met on it, each on its
/// way to the other side.
fn armies(side: u32) -> (FlowWorld, Vec<Order>, Army) {
    let mut map = CostMap::open(side, side).expect("a size within the limits");
    let places = (100..400).step_by(25);
    for (x, y) in places
        .clone()
        .flat_map(|y| places.clone().map(move |x| (x, y)))
    {
        let (far, near) = ((x - MIDDLE).abs(), (y - MIDDLE).abs());
        if far.max(near) >= 90 || far.min(near) >= 40 {
            let pillar = CellRect::new(x + x * y % 7, y + y / 25 % 7, 3, 3);
            map.edit(pillar, Cost::WALL).expect("on the map");
        }
    }
    let mut world = FlowWorld::new(map);
    let mut army = Army::default();
    let mut orders = Vec::new();
    for (dx, dy) in WAYS {
        let at = |far: i32| Cell::new(MIDDLE + dx * far, MIDDLE + dy * far);
        let camp = at(-37);
        let camp: Vec<Cell> = CellRect::new(camp.x - 22, camp.y - 22, 45, 45)
            .cells()
            .collect();
        let order = world.order(at(200), &camp).expect("all is joined");
        let target = Target::Order(order.clone());
        let group = army.add_group(target, Reading::Crowd).unwrap();
        for number in 0..COLUMNS * COLUMNS {
            let place = [number % COLUMNS, number / COLUMNS].map(|at| at as f32 * 0.9 - 22.5);
            let camp = [camp[camp.len() / 2].x, camp[camp.len() / 2].y].map(|at| at as f32 + 0.5);
            let id = army.units().len() as u32;
            army.add(Unit::new(
                id,
                group,
                [camp[0] + place[0], camp[1] + place[1]],
            ))
            .unwrap();
        }
        orders.push(order);
    }
    world.tick(Budget::UNLIMITED);
    for _ in 0..TICKS[0] {
        army.step(&world, TICK);
    }
    (world, orders, army)
}

/// Solves for all groups, and returns the times of the stages and the field cells solved.
fn solve_once(
    crowd: &mut Crowd,
    world: &FlowWorld,
    orders: &[Order],
    army: &Army,
) -> ([Duration; 5], u64) {
    let joined = orders.iter().map(|order| {
        let joined = crowd.join(world, order, &Conduct::default(), 4.0);
        joined.expect("a good conduct")
    });
    let streams: Vec<_> = joined.collect();
    let walker = |unit: &Unit| CrowdUnit {
        position: unit.position,
        velocity: unit.velocity,
        stream: Some(streams[unit.group.index()]),
        stands: false,
    };
    let walkers: Vec<CrowdUnit> = army.units().iter().map(walker).collect();
    let mut times = [Duration::ZERO; 5];
    let start = Instant::now();
    crowd.begin(world, &walkers);
    times[0] = start.elapsed();
    loop {
        let start = Instant::now();
        let at = match crowd.solve_stage(world) {
            Some(SolveStage::Costs) => 1,
            Some(SolveStage::Rim) => 2,
            Some(SolveStage::Wave) => 3,
            Some(SolveStage::Directions) => 4,
            None => break,
        };
        times[at] += start.elapsed();
    }
    (times, crowd.stats().solved as u64)
}

fn solve(criterion: &mut Criterion) {
    let (world, orders, army) = armies(500);
    let mut crowd = Crowd::new(CrowdSettings::default()).expect("the defaults");
    // The first one includes reading the ground.
    let (_, cells) = solve_once(&mut crowd, &world, &orders, &army);
    assert!(cells > 0, "checked before it is timed");
    let mut group = criterion.benchmark_group("a round of solves");
    group.throughput(Throughput::Elements(cells));
    let stages = [
        ("begin", 0..1),
        ("costs", 1..2),
        ("rim", 2..3),
        ("wave", 3..4),
        ("directions", 4..5),
        ("whole", 0..5),
    ];
    for (name, stages) in stages {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| {
                let round = |_| {
                    let (times, _) = solve_once(&mut crowd, &world, &orders, &army);
                    times[stages.clone()].iter().sum::<Duration>()
                };
                (0..rounds).map(round).sum()
            });
        });
    }
    group.finish();
}

fn tick(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a tick of 10,000 units");
    group.sample_size(10);
    for (threads, side) in [(1, 500), (2, 500), (1, 4000)] {
        let (world, _, met) = armies(side);
        let mut army = met.clone();
        army.step(&world, TICK);
        assert_ne!(
            army.state_hash(),
            met.state_hash(),
            "checked before it is timed"
        );
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("one thread or two");
        for (at, half) in ["fields", "motion"].into_iter().enumerate() {
            let name = format!("{half}, {threads} threads, a map of {side}²");
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|ticks| {
                    let mut time = Duration::ZERO;
                    for number in 0..ticks as usize {
                        if number.is_multiple_of(TICKS[1]) {
                            army = met.clone();
                        }
                        let start = Instant::now();
                        pool.install(|| army.foresee(&world, TICK));
                        let middle = Instant::now();
                        pool.install(|| army.advance(&world, TICK));
                        time += [middle - start, middle.elapsed()][at];
                    }
                    time
                })
            });
        }
    }
    group.finish();
}

criterion_group!(benches, marching, solve, tick);
criterion_main!(benches);
