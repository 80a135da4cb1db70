//! The cost of Continuum Crowds.
//!
//! The solver runs over 256×256 cells: of one cost; of costs that change
//! smoothly and differ by side; the same among walls; and of drawn costs. Then
//! come a round of solves for two groups of 400 that meet, and a step of their
//! army.

use std::hint::black_box;
use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flowtiles::crowd::{Conduct, Crowd, CrowdSettings, Marching, Walker};
use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CostMap, FlowWorld, Order};

const SIDE: u32 = 256;
const CORNER: [(Cell, f32); 1] = [(Cell::new(0, 0), 0.0)];
const GOALS: [Cell; 2] = [Cell::new(110, 30), Cell::new(10, 30)];
const STEP: f32 = 0.05;

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
        Marching::new(SIDE, SIDE, cost).expect("costs above 0")
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

/// Returns two groups of 400 on open ground.
fn groups() -> (FlowWorld, [Order; 2], Army) {
    let mut world = FlowWorld::new(CostMap::open(120, 60).expect("a size within the limits"));
    let mut army = Army::default();
    let orders = [0, 1].map(|number: usize| {
        let goal = GOALS[number];
        let order = world
            .order(goal, &[GOALS[1 - number]])
            .expect("open ground");
        let target = Target::Order(order.clone());
        let group = army.add_group(target, Reading::Crowd).unwrap();
        for at in 0..400 {
            let (column, row) = ((at % 20) as f32, (at / 20) as f32);
            let place = [30.0 + 40.0 * number as f32 + 0.9 * column, 21.0 + 0.9 * row];
            army.add(Unit::new(number as u32 * 400 + at, group, place))
                .unwrap();
        }
        order
    });
    world.tick(Budget::UNLIMITED);
    for _ in 0..60 {
        army.step(&world, STEP);
    }
    (world, orders, army)
}

fn solve(criterion: &mut Criterion) {
    let (world, orders, army) = groups();
    let mut crowd = Crowd::new(CrowdSettings::default()).expect("the defaults");
    let mut round = || {
        let streams = orders.each_ref().map(|order| {
            let joined = crowd.join(&world, order, &Conduct::default(), 4.0);
            joined.expect("a good conduct")
        });
        let walkers: Vec<Walker> = army
            .units()
            .iter()
            .map(|unit| Walker {
                position: unit.position,
                velocity: unit.velocity,
                stream: Some(streams[unit.group.index()]),
                stands: false,
            })
            .collect();
        crowd.begin(&world, &walkers);
        while crowd.solve_stage(&world).is_some() {}
        assert!(
            crowd.direction(streams[0], [60.0, 30.0]).is_some(),
            "it leads"
        );
        crowd.stats().solved as u64
    };
    let cells = round();
    let mut group = criterion.benchmark_group("a round of solves");
    group.throughput(Throughput::Elements(cells));
    group.bench_function("two groups of 400", |bencher| bencher.iter(&mut round));
    group.finish();
}

fn step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("a step of a crowd");
    group.sample_size(10);
    for threads in [1, 2] {
        let (world, _, mut army) = groups();
        let before = army.state_hash();
        army.step(&world, STEP);
        assert_ne!(army.state_hash(), before, "checked before it is timed");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("one thread or two");
        // More than one thread needs the feature `rayon`.
        group.bench_function(format!("two groups of 400, {threads} threads"), |bencher| {
            bencher.iter_custom(|steps| {
                pool.install(|| {
                    let start = Instant::now();
                    for _ in 0..steps {
                        army.step(&world, STEP);
                    }
                    start.elapsed()
                })
            });
        });
    }
    group.finish();
}

criterion_group!(benches, marching, solve, step);
criterion_main!(benches);
