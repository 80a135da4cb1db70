//! The targets that a game gives: to hold, to come to a point, to follow, one
//! after the other, and again and again.

use crate::crowd::configure;
use flowtiles::steer::{Army, ArmyError, ArmyEvent, Chase, Pace, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal};

use crate::crowd::add_rows;

const STEP: f32 = 0.05;

fn army() -> Army {
    Army::default()
}

fn open(width: u32, height: u32) -> FlowWorld {
    FlowWorld::new(CostMap::open(width, height).unwrap())
}

fn apart([ax, ay]: [f32; 2], [bx, by]: [f32; 2]) -> f32 {
    (ax - bx).hypot(ay - by)
}

#[test]
fn units_that_hold_come_back_and_drift_nowhere() {
    let world = open(60, 40);
    let mut army = army();
    let guards = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    add_rows(&mut army, guards, 0..40, 8, [25.5, 17.5], 0.7);
    let before: Vec<[f32; 2]> = army.units().iter().map(|unit| unit.position).collect();
    // Others push through them, twice.
    let mut told = 0;
    for id in 0..10 {
        let through = Target::Point([55.5, 15.5 + id as f32]);
        let group = army.add_group(through, Reading::Ahead).unwrap();
        let place = [4.5, 14.5 + id as f32];
        army.add(Unit::new(100 + id, group, place).with_radius(0.4))
            .unwrap();
    }
    let mut pushed: f32 = 0.0;
    for tick in 0..1_200 {
        if tick == 400 {
            for id in 100..110 {
                let group = army.get(id).unwrap().group;
                army.send(group, Target::Point([4.5, 19.0])).unwrap();
            }
        }
        army.step(&world, STEP);
        for (unit, before) in army.units().iter().zip(&before) {
            pushed = pushed.max(apart(unit.position, *before));
            assert_eq!(unit.state, UnitState::Arrived);
        }
        let is_guard = |event: &&ArmyEvent| match **event {
            ArmyEvent::Arrived { unit } | ArmyEvent::Stuck { unit, .. } => unit < 40,
            ArmyEvent::GroupArrived { group } => group == guards,
            _ => false,
        };
        told += army.events().iter().filter(is_guard).count();
    }
    assert!(pushed > 0.2, "no unit made room: {pushed}");
    assert_eq!(told, 0, "a unit that holds does not arrive");
    let after = army.units().iter().take(40).map(|unit| unit.position);
    assert!(after.eq(before), "0 cells of drift in 60 s");
    assert!(army.units()[40..].iter().all(|unit| unit.position[0] < 9.0));
}

#[test]
fn a_unit_that_holds_goes_back_to_where_it_was_put() {
    let mut world = open(30, 20);
    let mut army = army();
    let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    army.add(Unit::new(0, group, [5.5, 5.5])).unwrap();
    army.send(group, Target::Hold).unwrap();
    army.set_position(0, [9.5, 5.5]).unwrap();
    // Built upon, it comes out, and comes back when the wall is gone.
    world.edit(Cell::new(9, 5), Cost::WALL).unwrap();
    for _ in 0..100 {
        army.step(&world, STEP);
    }
    assert_ne!(army.units()[0].position, [9.5, 5.5]);
    world.edit(Cell::new(9, 5), Cost::OPEN).unwrap();
    for _ in 0..100 {
        army.step(&world, STEP);
    }
    assert_eq!(army.units()[0].position, [9.5, 5.5]);
    assert!(army.is_settled());
}

#[test]
fn units_settle_around_a_point() {
    let world = open(60, 40);
    for (count, speed) in [(1, 4.0), (1, 60.0), (80, 4.0), (80, 15.0)] {
        let mut army = army();
        let point = [40.3, 20.8];
        let group = army
            .add_group(Target::Point(point), Reading::Ahead)
            .unwrap();
        let same = army
            .add_group(Target::Point(point), Reading::Ahead)
            .unwrap();
        for id in 0..count {
            let place = [5.5 + 0.7 * (id % 9) as f32, 15.5 + 0.7 * (id / 9) as f32];
            let group = [group, same][id as usize % 2];
            army.add(Unit::new(id, group, place).with_speed(speed))
                .unwrap();
        }
        let (mut ticks, mut whole) = (0, 0);
        while !army.is_settled() {
            army.step(&world, STEP);
            let told = army.events().iter();
            whole += told
                .filter(|event| matches!(event, ArmyEvent::GroupArrived { .. }))
                .count();
            ticks += 1;
            assert!(ticks < 500, "{count} at {speed}");
        }
        assert_eq!(whole, count.min(2) as usize);
        let disc = 0.3 + (count as f32 * 0.09 / 0.55).sqrt();
        for unit in army.units() {
            assert!(apart(unit.position, point) < disc + 0.5, "{unit:?}");
        }
    }
}

#[test]
fn units_follow_a_unit_and_stay_beside_it() {
    let mut world = open(90, 60);
    let corners = [Cell::new(70, 10), Cell::new(70, 45), Cell::new(20, 45)];
    let mut army = army();
    let leaders = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    army.add(Unit::new(500, leaders, [12.5, 10.5]).with_speed(3.0))
        .unwrap();
    let group = army.add_group(Target::Follow(500), Reading::Ahead).unwrap();
    add_rows(&mut army, group, 0..20, 5, [4.5, 8.5], 1.0);
    for corner in corners {
        let order = world.order(corner, &[Cell::new(12, 10)]).unwrap();
        army.queue(leaders, order).unwrap();
    }
    let mut farthest: f32 = 0.0;
    for tick in 0..1_200 {
        army.tick(&mut world, Budget::UNLIMITED, STEP);
        if tick > 100 {
            let lead = army.get(500).unwrap().position;
            let away = army.members(group).map(|unit| apart(unit.position, lead));
            farthest = away.fold(farthest, f32::max);
        }
    }
    let lead = army.get(500).unwrap();
    assert_eq!(lead.state, UnitState::Arrived);
    assert!(apart(lead.position, [20.5, 45.5]) < 1.0);
    assert!(farthest < 6.0, "{farthest}");
    // Beside a leader that stands, they come to rest; without one they stand.
    for is_gone in [false, true] {
        if is_gone {
            army.remove(500);
        }
        let before: Vec<[f32; 2]> = army.members(group).map(|unit| unit.position).collect();
        for _ in 0..200 {
            army.step(&world, STEP);
        }
        for (unit, before) in army.members(group).zip(before) {
            assert!(
                apart(unit.position, before) < 0.5,
                "{unit:?} was at {before:?}"
            );
        }
    }
}

#[test]
fn queued_targets_follow_and_a_patrol_repeats() {
    let mut map = CostMap::open(60, 30).unwrap();
    map.edit(CellRect::new(20, 0, 1, 24), Cost::WALL).unwrap();
    for patrols in [false, true] {
        let mut world = FlowWorld::new(map.clone());
        let stops = [Cell::new(12, 20), Cell::new(30, 5), Cell::new(45, 20)];
        let orders = stops.map(|stop| world.order(stop, &[Cell::new(5, 5)]).unwrap());
        let targets = orders.each_ref().map(|order| Target::Order(order.clone()));
        let mut army = army();
        let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
        add_rows(&mut army, group, 0..12, 4, [4.5, 4.5], 1.0);
        if patrols {
            army.patrol(group, targets.clone()).unwrap();
        } else {
            for target in targets.clone() {
                army.queue(group, target).unwrap();
            }
        }
        assert_eq!(army.group(group).unwrap().queue(), &targets[1..]);
        let mut seen = Vec::new();
        for tick in 0..2_400 {
            world.tick(Budget::UNLIMITED);
            let Some(Target::Order(order)) = army.target(group).cloned() else {
                panic!("always an order");
            };
            army.step(&world, STEP);
            army.cover_strays(&mut world);
            if army.events().contains(&ArmyEvent::GroupArrived { group }) {
                seen.push(order.goal().cell());
                let at = order.goal().cell();
                let middle = at.centre();
                let here = army
                    .units()
                    .iter()
                    .all(|unit| apart(unit.position, middle) < 3.0);
                assert!(here, "tick {tick}");
            }
        }
        if patrols {
            assert!(seen.len() > 4, "{seen:?}");
            let again = stops.iter().cycle();
            assert!(seen.iter().zip(again).all(|(one, other)| one == other));
            army.send(group, Target::Stand).unwrap();
            assert!(army.group(group).unwrap().queue().is_empty());
        } else {
            assert_eq!(seen, stops, "each emitted once");
            assert!(army.is_settled());
        }
    }
}

#[test]
fn only_what_can_be_reached_makes_a_patrol() {
    let mut army = army();
    let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    let point = Target::Point([3.0, 3.0]);
    for bad in [
        vec![],
        vec![point.clone(), Target::Hold],
        vec![Target::Follow(1)],
        vec![Target::Pursue(1, Chase::default())],
    ] {
        assert_eq!(army.patrol(group, bad), Err(ArmyError::Patrol));
    }
    let odd = Target::Point([f32::NAN, 3.0]);
    assert!(army.patrol(group, [odd.clone(), point.clone()]).is_err());
    assert!(army.queue(group, odd).is_err());
    assert_eq!(army.target(group), Some(&Target::Stand));
    // What never ends gives way at once to what is queued.
    army.queue(group, point.clone()).unwrap();
    assert_eq!(army.target(group), Some(&point));
}

#[test]
fn a_group_goes_as_fast_as_its_slowest_on_wish() {
    let mut world = open(90, 30);
    let order = world.order(Cell::new(80, 15), &[Cell::new(5, 15)]).unwrap();
    let mut spread = |pace: Pace| {
        let mut army = army();
        let group = army.add_group(order.clone(), Reading::Ahead).unwrap();
        configure(&mut army, &world, group, |it| it.pace = pace).unwrap();
        for id in 0..12 {
            let place = [4.5 + (id % 4) as f32, 14.5 + (id / 4) as f32];
            let speed = 2.0 + id as f32 / 3.0;
            army.add(Unit::new(id, group, place).with_speed(speed))
                .unwrap();
        }
        for _ in 0..200 {
            army.tick(&mut world, Budget::UNLIMITED, STEP);
        }
        let along = |unit: &Unit| unit.position[0];
        let fastest = army.units().iter().map(along).fold(f32::MIN, f32::max);
        let slowest = army.units().iter().map(along).fold(f32::MAX, f32::min);
        assert!(fastest > 20.0);
        // Without the slowest, the others go faster.
        army.retain(|unit| unit.id > 5);
        let before = army.get(11).unwrap().position[0];
        for _ in 0..20 {
            army.step(&world, STEP);
        }
        let came = army.get(11).unwrap().position[0] - before;
        (fastest - slowest, came)
    };
    let (together, own) = (spread(Pace::Slowest), spread(Pace::Own));
    assert!(together.0 < 5.0 && own.0 > 20.0, "{together:?} and {own:?}");
    assert!((3.8..4.2).contains(&together.1), "{together:?}");
}

/// Their places overlap, so they push each other off them for ever.
#[test]
fn units_holding_overlapping_places_have_no_velocity() {
    let world = FlowWorld::new(CostMap::open(30, 20).unwrap());
    let mut army = Army::default();
    let group = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    for id in 0..5 {
        let place = [10.0 + 0.4 * id as f32, 10.5];
        army.add(Unit::new(id, group, place)).unwrap();
    }
    for _ in 0..400 {
        army.step(&world, 0.05);
    }
    for unit in army.units() {
        let [x, y] = unit.velocity;
        assert!(x.hypot(y) < 0.05, "{unit:?}");
    }
}

#[test]
fn units_walled_off_their_point_stand_until_it_opens() {
    let wall = CellRect::new(20, 8, 6, 6);
    for point in [[23.5, 11.5], [32.5, 11.5]] {
        let mut map = CostMap::open(40, 24).unwrap();
        map.edit(wall, Cost::WALL).unwrap();
        let mut world = FlowWorld::new(map);
        let mut army = Army::default();
        let target = Target::Point(point);
        let group = army.add_group(target, Reading::Ahead).unwrap();
        add_rows(&mut army, group, 0..12, 3, [6.5, 9.5], 1.0);
        let mut told = 0;
        for _ in 0..1_200 {
            army.step(&world, 0.05);
            let cut_off = |event: &&ArmyEvent| matches!(event, ArmyEvent::Unreachable { .. });
            told += army.events().iter().filter(cut_off).count();
        }
        let states = |state| {
            army.units()
                .iter()
                .filter(|unit| unit.state == state)
                .count()
        };
        assert!(
            army.is_settled(),
            "{point:?}: {} march",
            states(UnitState::Marching)
        );
        assert!(told > 0 && told == states(UnitState::Unreachable), "{told}");
        world.edit(wall, Cost::OPEN).unwrap();
        for _ in 0..600 {
            army.step(&world, 0.05);
        }
        assert!(
            army.units()
                .iter()
                .all(|unit| unit.state == UnitState::Arrived)
        );
    }
}

#[test]
fn an_army_tells_what_a_unit_is_about() {
    let mut world = open(60, 20);
    let mut army = army();
    let goal = Goal::at(Cell::new(50, 5)).or_at(Cell::new(50, 15), 0);
    let order = world.order(goal, &[Cell::new(5, 15)]).unwrap();
    let group = army.add_group(order.clone(), Reading::Ahead).unwrap();
    army.add(Unit::new(0, group, [5.5, 15.5])).unwrap();
    assert_eq!(army.order_of(0), Some(&order));
    assert_eq!(
        army.stop_of(0),
        Some([50.5, 5.5]),
        "the first cell of the goal"
    );
    for _ in 0..2_000 {
        world.tick(Budget::UNLIMITED);
        army.step(&world, STEP);
    }
    assert_eq!(army.stop_of(0), Some([50.5, 15.5]), "where it went");
    assert!(army.is_asleep(0) && army.foe_of(0).is_none());
    army.send(group, Target::Point([9.5, 9.5])).unwrap();
    assert_eq!(
        (army.order_of(0), army.stop_of(0)),
        (None, Some([9.5, 9.5]))
    );
    army.send(group, Target::Hold).unwrap();
    assert_eq!(army.stop_of(0), army.get(0).map(|unit| unit.position));
    army.send(group, Target::Stand).unwrap();
    assert_eq!((army.stop_of(0), army.stop_of(7)), (None, None));
    let hunters = army
        .add_group(Target::Pursue(0, Chase::default()), Reading::Ahead)
        .unwrap();
    army.add(Unit::new(1, hunters, [8.5, 9.5])).unwrap();
    assert_eq!(army.foe_of(1).map(|foe| foe.id), Some(0));
}
