//! The cost of reading a direction.
//!
//! First by a thousand units that stand together and read one order, then by as
//! many all over the map, each with one of 16 orders.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flowtiles::{Budget, Cell, CellRect, FlowWorld, Order, Sample};

mod maps;

const GOALS: usize = 16;
const READS: usize = 1000;

/// Returns the cells in the order's sectors that have a direction.
fn led(world: &FlowWorld, order: &Order) -> Vec<Cell> {
    let sectors = world.inspect().loaded(order).into_iter();
    sectors
        .flat_map(|sector| CellRect::new(sector.x * 10, sector.y * 10, 10, 10).cells())
        .filter(|&cell| world.reachable(cell, cell))
        .filter(|&cell| matches!(world.sample(order, cell), Sample::Go(_)))
        .collect()
}

fn sample(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sample");
    group.throughput(Throughput::Elements(READS as u64));
    let mut world = FlowWorld::new(maps::rooms());
    let mut draw = maps::Draw(21);
    let orders: Vec<Order> = (0..GOALS)
        .map(|_| {
            let place = draw.cell();
            let goal = maps::open_near(&world, place);
            let units = draw.units(&world, goal, 64);
            world.order(goal, &units).expect("joined")
        })
        .collect();
    world.tick(Budget::UNLIMITED);
    let led: Vec<Vec<Cell>> = orders.iter().map(|order| led(&world, order)).collect();
    let together: Vec<(usize, Cell)> = led[0].iter().take(READS).map(|&unit| (0, unit)).collect();
    assert_eq!(together.len(), READS, "checked before it is timed");
    let mut scatter = |_| {
        let goal = draw.below(GOALS as i32) as usize;
        (goal, led[goal][draw.below(led[goal].len() as i32) as usize])
    };
    // Enough that a read seldom finds its data in a cache.
    let scattered: Vec<(usize, Cell)> = (0..64 * READS).map(&mut scatter).collect();
    let mut parts = scattered.chunks(READS).cycle();
    let read = |reads: &[(usize, Cell)]| {
        for &(order, unit) in reads {
            black_box(world.sample(&orders[order], unit));
        }
    };
    group.bench_function("a thousand together", |bencher| {
        bencher.iter(|| read(black_box(&together)));
    });
    group.bench_function("a thousand scattered over 16 goals", |bencher| {
        bencher.iter(|| read(black_box(parts.next().expect("endless"))));
    });
    group.finish();
}

criterion_group!(benches, sample);
criterion_main!(benches);
