//! The step as a function: order, threads, settings, hashes.

use flowtiles::steer::{Army, Reading, Shape, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

use crate::crowd::{Draw, drawn_map, on_threads};

/// Returns two groups on a drawn map, ready to march.
fn crowd(seed: u32) -> (FlowWorld, Vec<Unit>, impl Fn(&[Unit]) -> Army) {
    let mut draw = Draw::new(seed);
    let mut map = drawn_map(&mut draw, 60, 40, 8);
    for rect in [CellRect::new(1, 1, 12, 38), CellRect::new(47, 1, 12, 38)] {
        map.edit(rect, Cost::OPEN).unwrap();
    }
    let mut world = FlowWorld::new(map);
    let goals = [Cell::new(52, 20), Cell::new(7, 20)];
    let starts = [Cell::new(5, 20), Cell::new(54, 20)];
    let orders: Vec<_> = (0..2)
        .map(|at| world.order(goals[at], &[starts[at]]).expect("open ground"))
        .collect();
    world.tick(Budget::UNLIMITED);
    let muster = move |units: &[Unit]| {
        let mut army = Army::default();
        for order in &orders {
            army.add_group(Target::Order(order.clone()), Reading::Ahead)
                .unwrap();
        }
        for &unit in units {
            army.add(unit).unwrap();
        }
        army
    };
    let empty = muster(&[]);
    drop(empty);
    let mut groups = Army::default();
    let ids = [(); 2].map(|()| groups.add_group(Target::Flock, Reading::Nearest).unwrap());
    let units = (0..400).map(|id| {
        let side = (id % 2) as usize;
        let x = [2.0, 48.0][side] + (id / 2 % 10) as f32;
        Unit::new(id, ids[side], [x, 4.0 + (id / 20) as f32 * 1.6])
            .with_radius(draw.float(0.2, 0.4))
    });
    let units = units.collect();
    (world, units, muster)
}

#[test]
fn neither_the_order_of_units_nor_the_threads_matter() {
    for seed in 0..3 {
        let (world, units, muster) = crowd(seed);
        let mut shuffled = units.clone();
        let mut draw = Draw::new(seed + 100);
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, draw.below(at as u32 + 1) as usize);
        }
        assert_ne!(shuffled[0].id, units[0].id);
        let armies = [(&units, 1), (&units, 2), (&units, 3), (&shuffled, 1)];
        let all = armies.map(|(units, threads)| {
            let mut army = muster(units);
            on_threads(threads, || {
                let step = |_| {
                    army.step(&world, 0.05);
                    army.state_hash()
                };
                (0..150).map(step).collect::<Vec<u64>>()
            })
        });
        assert!(all.iter().all(|hashes| *hashes == all[0]), "{all:x?}");
        let mut hashes = all[0].clone();
        hashes.dedup();
        assert_eq!(hashes.len(), 150, "every step shows in the hash");
        let mut other = units.clone();
        other[7].position[0] += 1e-4;
        let mut other = muster(&other);
        other.step(&world, 0.05);
        assert_ne!(other.state_hash(), hashes[0], "a hair's breadth shows");
    }
}

#[test]
fn state_hash_covers_targets_readings_and_formations() {
    let mut world = FlowWorld::new(CostMap::open(40, 20).unwrap());
    let goals = [Cell::new(30, 10), Cell::new(30, 11)];
    let [one, other] =
        goals.map(|goal| Target::Order(world.order(goal, &[Cell::new(5, 10)]).unwrap()));
    world.tick(Budget::UNLIMITED);
    let hash = |target: &Target, reading, formation: Option<(Shape, f32)>| {
        let mut army = Army::default();
        let group = army.add_group(target.clone(), reading).unwrap();
        // A single unit has one place, whatever the shape.
        army.add(Unit::new(0, group, [5.5, 5.5])).unwrap();
        if let Some((shape, spacing)) = formation {
            army.form(group, shape, spacing, &world).unwrap();
        }
        army.state_hash()
    };
    let box_of = |spacing| Some((Shape::Box, spacing));
    let hashes = [
        hash(&one, Reading::Ahead, None),
        hash(&other, Reading::Ahead, None),
        hash(&one, Reading::Nearest, None),
        hash(&Target::Point([30.5, 10.5]), Reading::Ahead, None),
        hash(&Target::Flock, Reading::Ahead, None),
        hash(&Target::Stand, Reading::Ahead, None),
        hash(&one, Reading::Ahead, box_of(1.0)),
        hash(&one, Reading::Ahead, box_of(2.0)),
    ];
    let different = std::collections::BTreeSet::from(hashes);
    assert_eq!(different.len(), hashes.len(), "{hashes:x?}");
    assert_eq!(hash(&one, Reading::Ahead, None), hashes[0]);
}
