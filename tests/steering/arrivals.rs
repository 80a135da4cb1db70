//! Where a march ends.

use flowtiles::steer::{Army, ArmyEvent, Pace, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};

use crate::crowd::{add_rows, configure, in_wall, march};

fn away_from_stop(army: &Army, unit: &Unit) -> f32 {
    let [x, y] = army.stop_of(unit.id).unwrap();
    (unit.position[0] - x).hypot(unit.position[1] - y)
}

#[test]
fn each_unit_stops_at_a_place_of_its_own_and_rests() {
    let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let order = world.order(Cell::new(45, 20), &[Cell::new(5, 20)]).unwrap();
    let mut army = Army::default();
    // Two groups, and units of several sizes.
    let groups = [0, 1].map(|_| army.add_group(order.clone(), Reading::Ahead).unwrap());
    for id in 0..200 {
        let place = [3.5 + (id / 14) as f32, 13.5 + (id % 14) as f32];
        let unit = Unit::new(id, groups[id as usize % 2], place);
        let radius = [0.3, 0.3, 0.45][id as usize % 3];
        army.add(unit.with_radius(radius)).unwrap();
    }
    march(&mut world, &mut army, 0.05, 2_000);
    let rest: Vec<_> = army.units().iter().map(|unit| unit.position).collect();
    for unit in army.units() {
        assert!(away_from_stop(&army, unit) < 1.5, "{unit:?}");
    }
    let there = army
        .units()
        .iter()
        .filter(|unit| away_from_stop(&army, unit) < 0.1);
    assert!(there.count() > 180);
    assert!(army.deepest_overlap() < 0.1);
    let share = 1.0 / 200.0;
    let [x, y] = [0, 1].map(|axis| rest.iter().map(|place| place[axis]).sum::<f32>() * share);
    assert!((x - 45.5).hypot(y - 20.5) < 0.4, "{x}, {y}");
    for _ in 0..2 {
        army.step(&world, 0.05);
    }
    let before = army.state_hash();
    let places = army.units().to_vec();
    army.step(&world, 0.05);
    assert_eq!(army.units(), places, "{before}");
}

#[test]
fn late_units_and_walls_on_places_give_other_places() {
    let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let goal = Cell::new(45, 20);
    let order = world.order(goal, &[Cell::new(5, 20)]).unwrap();
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).unwrap();
    add_rows(&mut army, group, 0..40, 8, [30.5, 16.5], 1.0);
    for tick in 0..400 {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
        if tick == 20 {
            // On places of units that are still on their way.
            world.edit(CellRect::new(46, 18, 1, 5), Cost::WALL).unwrap();
        }
        if tick == 60 {
            add_rows(&mut army, group, 40..60, 8, [30.5, 16.5], 1.0);
        }
    }
    let marching = army
        .units()
        .iter()
        .find(|unit| unit.state == UnitState::Marching);
    assert_eq!(marching, None);
    for unit in army.units() {
        assert!(
            !in_wall(world.costs(), unit.position, unit.radius),
            "{unit:?}"
        );
        let [x, y] = unit.position;
        assert!((x - 45.5).hypot(y - 20.5) < 5.0, "{unit:?}");
    }
    assert!(army.deepest_overlap() < 0.1);
}

#[test]
fn saves_in_the_middle_of_an_arrival_go_on_alike() {
    let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let order = world.order(Cell::new(45, 20), &[Cell::new(5, 20)]).unwrap();
    let mut army = Army::default();
    let group = army.add_group(order, Reading::Ahead).unwrap();
    add_rows(&mut army, group, 0..80, 8, [25.5, 16.5], 1.0);
    for _ in 0..150 {
        army.tick(&mut world, Budget::UNLIMITED, 0.03);
    }
    assert!(
        army.units()
            .iter()
            .any(|unit| unit.state == UnitState::Arrived)
    );
    let (mut other_world, claims) = FlowWorld::load(&world.save()).unwrap();
    let mut other = Army::load(&army.save(), &other_world).unwrap();
    drop(claims);
    for _ in 0..200 {
        army.tick(&mut world, Budget::UNLIMITED, 0.03);
        other.tick(&mut other_world, Budget::UNLIMITED, 0.03);
        assert_eq!(army.state_hash(), other.state_hash());
    }
    assert!(army.is_settled());
}

#[test]
fn all_arrive_at_a_goal_in_a_dead_end() {
    // A corridor one cell wide: no room for a disc.
    let mut map = CostMap::open(40, 11).unwrap();
    map.edit(CellRect::new(15, 0, 25, 11), Cost::WALL).unwrap();
    map.edit(CellRect::new(15, 5, 20, 1), Cost::OPEN).unwrap();
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(34, 5);
    let order = world.order(goal, &[Cell::new(3, 3)]).unwrap();
    let mut army = Army::default();
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    add_rows(&mut army, group, 0..60, 10, [1.5, 2.5], 1.0);
    let mut arrived = Vec::new();
    let mut whole = 0;
    for _ in 0..1_500 {
        world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
        for event in army.events() {
            match *event {
                ArmyEvent::Arrived { unit } => arrived.push(unit),
                ArmyEvent::GroupArrived { group: told } => {
                    assert_eq!(told, group);
                    whole += 1;
                }
                _ => {}
            }
        }
        for unit in army.units() {
            assert!(!in_wall(world.costs(), unit.position, unit.radius));
        }
    }
    assert!(army.is_settled());
    arrived.sort_unstable();
    assert_eq!(arrived, (0..60).collect::<Vec<_>>(), "each emitted once");
    assert_eq!(whole, 1, "and the group once");
}

#[test]
fn a_unit_that_is_enclosed_sets_out_when_a_path_opens() {
    let mut map = CostMap::open(40, 20).unwrap();
    map.edit(CellRect::new(20, 0, 1, 20), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(30, 10);
    let order = world
        .order(goal, &[Cell::new(35, 5), Cell::new(5, 5)])
        .unwrap();
    let mut army = Army::default();
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    army.add(Unit::new(1, group, [35.5, 5.5])).unwrap();
    army.add(Unit::new(2, group, [5.5, 5.5])).unwrap();
    march(&mut world, &mut army, 0.05, 400);
    let states = [UnitState::Arrived, UnitState::Unreachable];
    assert_eq!([army.units()[0].state, army.units()[1].state], states);
    world.edit(Cell::new(20, 10), Cost::OPEN).unwrap();
    for _ in 0..600 {
        let progress = world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
        if progress.waiting == 0 {
            army.cover_strays(&mut world);
        }
    }
    assert_eq!(army.units()[1].state, UnitState::Arrived);
}

#[test]
fn a_unit_that_waits_behind_a_wall_has_not_arrived() {
    // The goal is behind the wall, and the door a few cells away.
    let mut map = CostMap::open(60, 60).unwrap();
    map.edit(CellRect::new(30, 0, 1, 60), Cost::WALL).unwrap();
    map.edit(Cell::new(30, 14), Cost::OPEN).unwrap();
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(31, 20);
    let order = world.order(goal, &[Cell::new(3, 3)]).unwrap();
    let mut army = Army::default();
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    for id in 0..600 {
        let place = [(id % 25) as f32, (id / 25) as f32].map(|at| at * 0.9);
        army.add(Unit::new(id, group, [3.5 + place[0], 8.5 + place[1]]))
            .unwrap();
    }
    let mut behind = 0;
    for _ in 0..400 {
        world.tick(Budget::UNLIMITED);
        let before = army.units().to_vec();
        army.step(&world, 0.05);
        for event in army.events() {
            let ArmyEvent::Arrived { unit } = *event else {
                continue;
            };
            let here = before[unit as usize].position;
            if here[0] >= 30.0 {
                continue;
            }
            // West of the wall, only beside a unit that had arrived before.
            let touched = before.iter().any(|other| {
                let way = [other.position[0] - here[0], other.position[1] - here[1]];
                other.state == UnitState::Arrived && way[0].hypot(way[1]) < 0.8
            });
            behind += u32::from(!touched);
        }
    }
    assert_eq!(behind, 0, "arrived behind the wall, beside no unit");
}

#[test]
fn groups_with_one_goal_share_where_they_arrive() {
    let mut world = FlowWorld::new(CostMap::open(40, 40).unwrap());
    let goals = [Cell::new(30, 10), Cell::new(30, 30)];
    let orders = goals.map(|goal| world.order(goal, &[Cell::new(5, 20)]).unwrap());
    let target = |at: usize| Target::Order(orders[at].clone());
    let mut army = Army::default();
    let groups = [0, 1, 0, 1].map(|at| army.add_group(target(at), Reading::Ahead).unwrap());
    for id in 0..80 {
        let place = [3.5 + (id % 8) as f32, 15.5 + (id / 8) as f32];
        army.add(Unit::new(id, groups[id as usize % 4], place))
            .unwrap();
    }
    // Two groups swap goals: each goal still has two groups.
    army.send(groups[0], target(1)).unwrap();
    army.send(groups[1], target(0)).unwrap();
    march(&mut world, &mut army, 0.05, 600);
    for unit in army.units() {
        let goal = goals[[1, 0, 0, 1][unit.group.index()]];
        let [x, y] = unit.position;
        let away = (x - goal.x as f32 - 0.5).hypot(y - goal.y as f32 - 0.5);
        assert!(away < 4.0, "{unit:?}");
    }
}

#[test]
fn group_arrives_when_its_last_late_unit_is_removed() {
    for cut_off in [true, false] {
        let mut world = FlowWorld::new(CostMap::open(60, 20).unwrap());
        let goal = Cell::new(50, 10);
        let cells = [Cell::new(45, 10), Cell::new(5, 10)];
        let order = world.order(goal, &cells).unwrap();
        let mut army = Army::default();
        let group = army
            .add_group(Target::Order(order), Reading::Ahead)
            .unwrap();
        army.add(Unit::new(0, group, [45.5, 10.5])).unwrap();
        army.add(Unit::new(1, group, [5.5, 10.5])).unwrap();
        let mut told = 0;
        for tick in 0..200 {
            if tick == 60 {
                assert_eq!(army.units()[0].state, UnitState::Arrived);
                assert_eq!(told, 0);
                if cut_off {
                    world.edit(CellRect::new(30, 0, 1, 20), Cost::WALL).unwrap();
                } else {
                    army.remove(1);
                }
            }
            world.tick(Budget::UNLIMITED);
            army.step(&world, 0.05);
            let event = ArmyEvent::GroupArrived { group };
            told += army
                .events()
                .iter()
                .filter(|&&other| other == event)
                .count();
        }
        assert_eq!(told, 1, "cut off: {cut_off}");
    }
}

#[test]
fn standing_units_make_room_and_stop_again() {
    let world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let far = |target: Target| {
        let mut army = Army::default();
        let idle = army.add_group(target, Reading::Ahead).unwrap();
        for id in 0..60 {
            let (column, row) = ((id % 10) as f32, (id / 10) as f32);
            // Closer together than they like.
            let place = [25.5 + 0.5 * column, 18.5 + 0.5 * row];
            army.add(Unit::new(id, idle, place)).unwrap();
        }
        // A unit that goes right through them.
        let through = army
            .add_group(Target::Point([58.0, 19.0]), Reading::Ahead)
            .unwrap();
        army.add(Unit::new(60, through, [2.5, 19.5])).unwrap();
        let settled_after = 400;
        let mut before = Vec::new();
        for tick in 0..1200 {
            if tick == settled_after {
                before = army.units().iter().map(|unit| unit.position).collect();
            }
            army.step(&world, 0.05);
        }
        let moved = army.units().iter().zip(before).take(60);
        let moved = moved.map(|(unit, [x, y])| {
            let [to_x, to_y] = unit.position;
            (to_x - x).hypot(to_y - y)
        });
        let [x, y] = army.units()[60].position;
        assert!((x - 58.0).hypot(y - 19.0) < 6.0, "it came through: {x} {y}");
        moved.fold(0.0, f32::max)
    };
    let (standing, flocking) = (far(Target::Stand), far(Target::Flock));
    println!("{standing} cells standing, {flocking} flocking");
    assert!(standing < 0.5, "{standing} cells in 40 s");
}

#[test]
fn unit_without_speed_is_stuck_and_its_group_arrives() {
    for (pace, is_ordered) in [(Pace::Own, true), (Pace::Slowest, true), (Pace::Own, false)] {
        let mut world = FlowWorld::new(CostMap::open(60, 20).unwrap());
        let goal = Cell::new(50, 10);
        let order = world.order(goal, &[Cell::new(5, 10)]).unwrap();
        let target = [Target::Point(goal.centre()), Target::Order(order)];
        let target = target[usize::from(is_ordered)].clone();
        let mut army = Army::default();
        let group = army.add_group(target, Reading::Ahead).unwrap();
        configure(&mut army, &world, group, |it| it.pace = pace).unwrap();
        for id in 0..6 {
            let unit = Unit::new(id, group, [5.5, 5.5 + 2.0 * id as f32]);
            let speed = if id == 0 { 0.0 } else { 5.0 };
            army.add(unit.with_speed(speed)).unwrap();
        }
        let (mut told, mut whole) = (Vec::new(), 0);
        for _ in 0..400 {
            army.tick(&mut world, Budget::UNLIMITED, 0.05);
            let events = army.events().iter();
            told.extend(events.filter(|event| match event {
                ArmyEvent::Stuck { unit, .. } | ArmyEvent::Unreachable { unit } => *unit == 0,
                _ => false,
            }));
            let event = ArmyEvent::GroupArrived { group };
            whole += u32::from(army.events().contains(&event));
        }
        let unit = 0;
        let stuck = |level| ArmyEvent::Stuck { unit, level };
        let expected = [
            stuck(1),
            stuck(2),
            stuck(3),
            ArmyEvent::Unreachable { unit },
        ];
        assert_eq!((told, whole), (expected.to_vec(), 1));
        assert!(army.is_settled());
        assert_eq!(army.units()[0].position, [5.5, 5.5]);
        // With a speed it goes after the others.
        army.set_speed(0, 5.0).unwrap();
        march(&mut world, &mut army, 0.05, 600);
        assert_eq!(army.units()[0].state, UnitState::Arrived);
    }
}

/// A step may be longer than a unit is wide: it stops on its goal all the same, and circles nowhere.
#[test]
fn the_slimmest_units_stop_at_once() {
    let readings = [
        Reading::Ahead,
        Reading::Nearest,
        Reading::Bilinear,
        Reading::LowestOfFour,
    ];
    for (reading, rate) in readings.into_iter().flat_map(|of| [(of, 20_u16), (of, 60)]) {
        for speed in [1.0, 4.0_f32] {
            let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
            let (from, to) = (Cell::new(8, 11), Cell::new(45, 24));
            let order = world.order(to, &[from]).unwrap();
            let mut army = Army::default();
            let group = army.add_group(order, reading).unwrap();
            let unit = Unit::new(0, group, from.centre()).with_radius(0.02);
            army.add(unit.with_speed(speed)).unwrap();
            // As long as the path by cells takes, and half a second more.
            let cells = 24.0 + 13.0 * 2_f32.sqrt();
            let most = ((cells / speed + 0.5) * f32::from(rate)) as usize + 2;
            let mut ticks = 0;
            while army.units()[0].state != UnitState::Arrived {
                world.tick(Budget::UNLIMITED);
                army.tick(&mut world, Budget::UNLIMITED, 1.0 / f32::from(rate));
                ticks += 1;
                assert!(
                    ticks <= most,
                    "{reading:?} at {speed}, {rate} steps a second"
                );
            }
            assert!(away_from_stop(&army, &army.units()[0]) < 0.5);
        }
    }
}
