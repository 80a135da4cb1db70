//! A march ends alike however many steps a second it has.

use flowtiles::steer::{Army, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

use crate::draws::draws;

/// Where a crowd comes to stand: the middle of all units, and how many of them
/// stand within the disc that all fill, closely packed.
#[derive(Debug)]
struct Stand {
    middle: [f32; 2],
    within: f32,
}

fn settled(count: u32, rate: u16) -> Stand {
    let mut world = FlowWorld::new(CostMap::open(300, 120).unwrap());
    let order = world
        .order(Cell::new(200, 60), &[Cell::new(20, 60)])
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
    let units = army.units();
    let share = 1.0 / units.len() as f32;
    let away = |unit: &Unit| (unit.position[0] - 200.5).hypot(unit.position[1] - 60.5);
    let disc = 0.3 * (units.len() as f32 / 0.8).sqrt();
    Stand {
        middle: [0, 1]
            .map(|axis| units.iter().map(|unit| unit.position[axis]).sum::<f32>() * share),
        within: units.iter().filter(|unit| away(unit) <= disc).count() as f32 * share,
    }
}

#[test]
fn crowd_comes_to_rest_at_one_place_at_every_rate() {
    let many = if draws() < 3 { 1 } else { 3 };
    for (count, far, share, rates) in [(100, 0.75, 0.15, 3), (1000, 2.5, 0.2, many)] {
        let first = settled(count, 20);
        for rate in [64, 30, 120].into_iter().take(rates) {
            let other = settled(count, rate);
            let [x, y] = [0, 1].map(|axis| other.middle[axis] - first.middle[axis]);
            assert!(x.hypot(y) < far, "{count} units: {first:?}, {other:?}");
            let more = (other.within - first.within).abs();
            assert!(more < share, "{count} units: {first:?}, {other:?}");
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
