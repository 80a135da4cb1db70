//! A march ends alike however many steps a second it has.

use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

use crate::draws::draws;

/// Where and when a crowd comes to rest.
#[derive(Debug)]
struct Rest {
    middle: [f32; 2],
    seconds: f32,
}

fn settled(map: &CostMap, count: u32, rate: u16) -> Rest {
    let mut world = FlowWorld::new(map.clone());
    let order = world
        .order(Cell::new(100, 60), &[Cell::new(20, 60)])
        .unwrap();
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).unwrap();
    let rows = (count as f32).sqrt() as u32;
    for id in 0..count {
        let place = [id / rows, id % rows].map(|at| 0.7 * at as f32);
        let place = [5.5 + place[0], 60.5 - 0.35 * rows as f32 + place[1]];
        army.add(Unit::new(id, group, place).with_speed(5.0))
            .unwrap();
    }
    let mut ticks = 0;
    while !army.is_settled() {
        army.tick(&mut world, Budget::UNLIMITED, 1.0 / f32::from(rate));
        ticks += 1;
        assert!(ticks < 200 * u32::from(rate), "on the way for 200 s");
    }
    let share = 1.0 / count as f32;
    let along = |axis: usize| army.units().iter().map(move |unit| unit.position[axis]);
    Rest {
        middle: [0, 1].map(|axis| along(axis).sum::<f32>() * share),
        seconds: ticks as f32 / f32::from(rate),
    }
}

#[test]
fn march_ends_at_one_place_and_time_at_every_rate() {
    let open = CostMap::open(130, 120).unwrap();
    let mut gap = open.clone();
    gap.edit(CellRect::new(60, 0, 2, 120), Cost::WALL).unwrap();
    gap.edit(CellRect::new(60, 58, 2, 4), Cost::OPEN).unwrap();
    let count = if draws() < 3 { 150 } else { 1_000 };
    for map in [open, gap] {
        let first = settled(&map, count, 20);
        for rate in [30, 64, 120] {
            let other = settled(&map, count, rate);
            let [x, y] = [0, 1].map(|axis| other.middle[axis] - first.middle[axis]);
            assert!(x.hypot(y) < 0.25, "{rate} Hz: {first:?}, {other:?}");
            let longer = other.seconds / first.seconds;
            assert!(
                (0.92..1.08).contains(&longer),
                "{rate} Hz: {first:?}, {other:?}"
            );
        }
    }
}

const RATES: [u16; 4] = [10, 20, 60, 120];

/// Walks a unit straight on over even ground, and compares its way with the time it takes.
fn walk(cost: u8, speed: f32, rate: u16, target: &Target, world: &FlowWorld) {
    let mut army = Army::default();
    let group = army.add_group(target.clone(), Reading::Ahead).unwrap();
    let mut unit = Unit::new(0, group, [1.5, 2.3]).with_speed(speed);
    let pace = speed / f32::from(cost);
    unit.velocity = [pace, 0.0];
    army.add(unit).unwrap();
    let seconds = 1.0 / f32::from(rate);
    let case = format!("cost {cost}, speed {speed}, {rate} Hz");
    let mut heading = [pace, 0.0];
    let ticks = (2.0 / pace / seconds).clamp(20.0, 2_000.0) as u16;
    for _ in 0..ticks {
        army.step(world, seconds);
        let [x, y] = army.units()[0].velocity;
        let turned = (heading[0] * y - heading[1] * x).atan2(heading[0] * x + heading[1] * y);
        assert!(turned.abs().to_degrees() < 1.0, "{case}: turns by {turned}");
        heading = [x, y];
    }
    let came = army.units()[0].position[0] - 1.5;
    let share = came / (pace * seconds * f32::from(ticks));
    assert!(
        (0.97..1.03).contains(&share),
        "{case}: {came} cells, {share}"
    );
}

#[test]
fn a_lone_unit_takes_cost_times_length_at_every_rate() {
    let every = if draws() < 3 { 3 } else { 1 };
    let costs = (1..=100).step_by(every).map(|cost| (cost, 4.0));
    let speeds = [0.05, 0.1, 0.3, 0.7, 1.5, 3.0, 6.0, 10.0]
        .map(|speed| [1, 3, 17].map(|cost| (cost, speed)));
    for (cost, speed) in costs.chain(speeds.into_iter().flatten()) {
        let mut map = CostMap::open(300, 5).unwrap();
        map.edit(CellRect::new(0, 0, 300, 5), Cost::new(cost).unwrap())
            .unwrap();
        let mut world = FlowWorld::new(map);
        let order = world.order(Cell::new(298, 2), &[Cell::new(1, 2)]).unwrap();
        world.tick(Budget::UNLIMITED);
        for target in [Target::Order(order), Target::Point([298.5, 2.5])] {
            for rate in RATES {
                walk(cost, speed, rate, &target, &world);
            }
        }
    }
}
