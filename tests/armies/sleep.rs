//! Units that sleep: what a game sees is what it would see if all were looked at.

use flowtiles::steer::{Army, Chase, Pace, Reading, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

use crate::crowd::{add_rows, configure, on_threads};

/// An army that stands but may not rest yet, since its units still look for foes.
#[test]
fn a_step_may_have_no_unit_to_look_at() {
    let mut world = FlowWorld::new(CostMap::open(60, 60).unwrap());
    let order = world.order(Cell::new(30, 30), &[Cell::new(5, 5)]).unwrap();
    let mut army = Army::default();
    let attack = Target::AttackMove(order, Chase::default());
    let group = army.add_group(attack, Reading::Ahead).unwrap();
    add_rows(&mut army, group, 0..300, 20, [20.5, 20.5], 0.9);
    let mut alone = 0;
    for _ in 0..900 {
        on_threads(2, || army.tick(&mut world, Budget::UNLIMITED, 0.05));
        alone += u32::from(army.units().iter().all(|unit| army.is_asleep(unit.id)));
    }
    assert!(alone > 20, "all slept after {alone} steps");
    // One that is gone leaves a note, but no unit is near.
    army.set_position(299, [55.5, 5.5]).unwrap();
    army.send(group, Target::Hold).unwrap();
    for _ in 0..200 {
        on_threads(2, || army.tick(&mut world, Budget::UNLIMITED, 0.05));
    }
    army.remove(299).unwrap();
    on_threads(2, || army.tick(&mut world, Budget::UNLIMITED, 0.05));
    assert_eq!(army.units_within([4.5, 5.5], -1.0).len(), 0);
}

/// A pace that is set while a group sleeps counts from the next step on.
#[test]
fn a_pace_set_for_sleepers_counts_at_once() {
    let world = FlowWorld::new(CostMap::open(60, 20).unwrap());
    let mut armies = [(); 2].map(|()| {
        let mut army = Army::default();
        let stands = army.add_group(Target::Stand, Reading::Ahead).unwrap();
        for id in 0..60 {
            let place = [20.5 + (id % 10) as f32 * 0.8, 7.5 + (id / 10) as f32 * 0.8];
            let speed = if id % 2 == 0 { 1.0 } else { 4.0 };
            army.add(Unit::new(id, stands, place).with_speed(speed))
                .unwrap();
        }
        let passes = army
            .add_group(Target::Point([55.5, 9.5]), Reading::Ahead)
            .unwrap();
        army.add(Unit::new(99, passes, [2.5, 9.5])).unwrap();
        (army, stands)
    });
    let mut slept = 0;
    for tick in 0..200 {
        for (at, (army, stands)) in armies.iter_mut().enumerate() {
            if at == 1 {
                army.keep_awake();
            }
            if tick > 80 {
                let pace = [Pace::Own, Pace::Slowest, Pace::Shared(0)][tick / 7 % 3];
                configure(army, &world, *stands, |it| it.pace = pace).unwrap();
            }
            army.step(&world, 0.05);
        }
        let [(one, _), (other, _)] = &armies;
        assert_eq!(one.state_hash(), other.state_hash(), "tick {tick}");
        slept += one
            .units()
            .iter()
            .filter(|unit| one.is_asleep(unit.id))
            .count();
    }
    assert!(slept > 1_000, "{slept}");
}

/// Units that went to sleep on hard ground wake when it is made easy, though another call looked at
/// it first.
#[test]
fn sleepers_wake_on_new_ground_seen_by_another_call() {
    let mut map = CostMap::open(20, 20).unwrap();
    map.edit(CellRect::new(0, 0, 20, 20), Cost::new(90).unwrap())
        .unwrap();
    let mut world = FlowWorld::new(map);
    let mut army = Army::default();
    let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    for id in 0..16 {
        let [x, y] = [id % 4, id / 4].map(|at| 9.0 + 0.62 * at as f32);
        army.add(Unit::new(id, group, [x, y])).unwrap();
    }
    for _ in 0..400 {
        army.step(&world, 0.05);
    }
    assert!(army.units().iter().all(|unit| army.is_asleep(unit.id)));
    world.edit(CellRect::new(0, 0, 20, 20), Cost::OPEN).unwrap();
    let mut awake = army.clone();
    awake.keep_awake();
    army.put_out_of_walls(&world);
    let before = army.state_hash();
    for _ in 0..20 {
        army.step(&world, 0.05);
        awake.step(&world, 0.05);
    }
    assert_eq!(army.state_hash(), awake.state_hash());
    assert_ne!(army.state_hash(), before);
    assert!(
        army.units()
            .iter()
            .zip(awake.units())
            .all(|(one, other)| one == other)
    );
}
