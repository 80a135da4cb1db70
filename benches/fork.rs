//! The cost of keeping a moment to come back to: a fork of a world with a hundred orders,
//! alone and with an army of a thousand units.

use criterion::{Criterion, criterion_group, criterion_main};
use flowtiles::steer::{Army, Reading, Unit};
use flowtiles::{Budget, Cell, FlowWorld};

mod maps;

const ORDERS: usize = 100;
const UNITS: u32 = 1000;

fn fork(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fork");
    for (name, map) in maps::all() {
        let mut world = FlowWorld::new(map);
        let mut draw = maps::Draw(17);
        let goal = maps::open_near(&world, Cell::new(612, 391));
        let starts = draw.units(&world, goal, ORDERS);
        // From the one goal to the many starts, so that the orders differ.
        let mut order = |start: &Cell| world.order(*start, &[goal]).expect("joined");
        let orders: Vec<_> = starts.iter().map(&mut order).collect();
        world.tick(Budget::UNLIMITED);

        let mut army = Army::default();
        let mut groups = Vec::new();
        for order in &orders {
            groups.push(army.add_group(order.clone(), Reading::Ahead).expect("room"));
        }
        for id in 0..UNITS {
            let group = groups[id as usize % ORDERS];
            let [x, y] = [goal.x, goal.y].map(|at| at as f32 + 0.5);
            army.add(Unit::new(id, group, [x, y])).expect("a new id");
        }
        let (world_then, army_then) = army.fork(&world).expect("its own world");
        assert_eq!(
            world_then.state_hash(),
            world.state_hash(),
            "checked before it is timed"
        );
        assert_eq!(army_then.state_hash(), army.state_hash());

        group.bench_function(format!("world, {name}"), |bencher| {
            bencher.iter_with_large_drop(|| world.fork());
        });
        group.bench_function(format!("world and army, {name}"), |bencher| {
            bencher.iter_with_large_drop(|| army.fork(&world).expect("its own world"));
        });
    }
    group.finish();
}

criterion_group!(benches, fork);
criterion_main!(benches);
