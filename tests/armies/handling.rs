//! Units and groups, added, changed, regrouped and removed.

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{
    Army, ArmyError, ArmyEvent, Chase, GroupId, MAX_RADIUS, Reading, Settings, Shape, Target,
    Turning, Unit, UnitState,
};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Movement};

use crate::crowd::{add_rows, march};

fn army() -> Army {
    Army::default()
}

/// Calls with a value that cannot be used.
type Bad = fn(&mut Army, GroupId, f32) -> Result<(), ArmyError>;

#[test]
fn bad_numbers_are_refused_and_change_nothing() {
    let world = FlowWorld::new(CostMap::open(20, 20).unwrap());
    let mut army = army();
    let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    army.add(Unit::new(1, group, [5.5, 5.5])).unwrap();
    let before = army.state_hash();
    let unit = |group| Unit::new(2, group, [3.5, 3.5]);
    let calls: [(Bad, &str); 13] = [
        (|a, g, v| a.add(Unit::new(2, g, [v, 1.0])), "unit 2"),
        (|a, g, v| a.add(Unit::new(2, g, [1.0, v])), "unit 2"),
        (
            |a, g, v| {
                let mut unit = Unit::new(2, g, [1.0, 1.0]);
                unit.velocity = [0.0, v];
                a.add(unit)
            },
            "velocity of unit 2",
        ),
        (
            |a, g, v| a.add(Unit::new(2, g, [1.0, 1.0]).with_speed(v)),
            "speed of unit 2",
        ),
        (
            |a, g, v| a.add(Unit::new(2, g, [1.0, 1.0]).with_radius(v)),
            "radius of unit 2",
        ),
        (|a, _, v| a.set_speed(1, v), "speed of unit 1"),
        (|a, _, v| a.set_radius(1, v), "radius of unit 1"),
        (|a, _, v| a.set_position(1, [v, 1.0]), "position of unit 1"),
        (|a, _, v| a.carry(1, [v, 1.0]), "position of unit 1"),
        (
            |a, _, rate| {
                let on_the_spot = true;
                a.set_turning(1, Turning { rate, on_the_spot })
            },
            "turning rate of unit 1",
        ),
        (
            |a, _, v| {
                a.add_group(Target::Point([1.0, v]), Reading::Ahead)
                    .map(|_| ())
            },
            "target point",
        ),
        (|a, g, v| a.send(g, Target::Point([v, 1.0])), "target point"),
        (
            |a, g, v| {
                let world = FlowWorld::new(CostMap::open(20, 20).unwrap());
                a.form(g, Shape::Box, v, &world)
            },
            "spacing",
        ),
    ];
    for (call, named) in calls {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e7, -1e7] {
            let refused = call(&mut army, group, value).expect_err(named);
            let text = refused.to_string();
            let told = format!("{value}");
            assert!(text.contains(named) && text.contains(&told), "{text}");
            assert!(text.contains("set it to"), "{text}");
            assert_eq!(army.state_hash(), before, "{text}");
        }
    }
    let mut odd = Settings::default();
    odd.room = -1.0;
    let refused = Army::new(odd).unwrap_err().to_string();
    let words = "the setting `room` cannot be -1: set it to";
    assert!(refused.starts_with(words), "{refused}");
    let widest = unit(group).with_radius(MAX_RADIUS).with_speed(0.0);
    army.add(widest).unwrap();
    assert_eq!(army.add(widest), Err(ArmyError::UnitExists { unit: 2 }));
    assert_eq!(army.set_speed(3, 1.0), Err(ArmyError::NoUnit { unit: 3 }));
    // A step whose seconds are not a number moves no unit and loses none.
    for seconds in [f32::NAN, f32::INFINITY, -1.0, 1e-40, 1e30] {
        army.step(&world, seconds);
        for unit in army.units() {
            let all = [unit.position, unit.velocity];
            assert!(all.iter().flatten().all(|at| at.is_finite()), "{unit:?}");
        }
    }
}

#[test]
fn unit_joining_a_group_of_its_target_stays_arrived() {
    let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let orders = [Cell::new(40, 20), Cell::new(20, 20)]
        .map(|goal| world.order(goal, &[Cell::new(5, 20)]).unwrap());
    let mut army = army();
    let [one, same, other] = [0, 0, 1].map(|at| {
        let target = Target::Order(orders[at].clone());
        army.add_group(target, Reading::Ahead).unwrap()
    });
    add_rows(&mut army, one, 0..12, 4, [3.5, 18.5], 1.0);
    march(&mut world, &mut army, 0.05, 600);
    for id in 0..4 {
        army.set_group(id, same).unwrap();
    }
    army.set_group(4, other).unwrap();
    assert_eq!(army.get(0).map(|unit| unit.state), Some(UnitState::Arrived));
    assert_eq!(
        army.get(4).map(|unit| unit.state),
        Some(UnitState::Marching)
    );
    let mut arrived = Vec::new();
    for _ in 0..400 {
        army.tick(&mut world, Budget::UNLIMITED, 0.05);
        for event in army.events() {
            if let ArmyEvent::Arrived { unit } = *event {
                arrived.push(unit);
            }
        }
    }
    assert_eq!(arrived, [4], "only the one with another target set out");
}

#[test]
fn units_settle_around_the_goal_that_they_reach() {
    // Two depots, with the named one behind a wall for the eastern units; and
    // a goal in a building.
    let mut map = CostMap::open(80, 40).unwrap();
    map.edit(CellRect::new(38, 0, 2, 40), Cost::WALL).unwrap();
    map.edit(CellRect::new(18, 18, 4, 4), Cost::WALL).unwrap();
    let depots = Goal::at(Cell::new(10, 20)).or_at(Cell::new(70, 20), 0);
    let building = Goal::at(Cell::new(20, 20)).or_nearest();
    // Units that come from the east stay on that side of the building, or stand at its corner.
    for (goal, west_end) in [(depots, 0.0), (building, 20.0)] {
        let mut world = FlowWorld::new(map.clone());
        let cells = [Cell::new(30, 20), Cell::new(50, 20)];
        let order = world.order(goal, &cells).unwrap();
        let mut army = army();
        let group = army.add_group(order.clone(), Reading::Ahead).unwrap();
        for id in 0..80 {
            let (x, y) = ((id / 2 % 8) as f32 * 0.7, (id / 16) as f32 * 0.7);
            let place = [[28.5, 48.5][id as usize % 2] + x, 17.5 + y];
            army.add(Unit::new(id, group, place)).unwrap();
        }
        let mut ticks = 0;
        let mut ends = Vec::new();
        while !army.is_settled() {
            world.tick(Budget::UNLIMITED);
            if ticks == 0 {
                ends = cells
                    .map(|cell| world.destination(&order, cell).unwrap())
                    .to_vec();
            }
            army.step(&world, 0.05);
            army.cover_strays(&mut world);
            ticks += 1;
            assert!(ticks < 600, "{order:?}");
        }
        assert_ne!(ends[0], ends[1]);
        for unit in army.units() {
            let [x, y] = unit.position;
            let away = |end: Cell| (x - end.x as f32 - 0.5).hypot(y - end.y as f32 - 0.5);
            // They come to different cells beside the building.
            let goals = order
                .goal()
                .cells()
                .filter(|goal| map.get(*goal) == Some(Cost::OPEN));
            let goals = goals.chain([ends[unit.id as usize % 2]]);
            let least = goals.map(away).fold(f32::MAX, f32::min);
            assert!(least < 4.0, "{unit:?} is {least} from its goal");
            assert!(x > west_end, "{unit:?} went round the building");
        }
    }
}

#[test]
fn unit_leaves_a_wall_to_a_place_no_wide_unit_covers() {
    let mut map = CostMap::open(120, 60).unwrap();
    map.edit(CellRect::new(0, 0, 60, 60), Cost::WALL).unwrap();
    let world = FlowWorld::new(map);
    let mut army = army();
    let group = army.add_group(Target::Stand, Reading::Ahead).unwrap();
    let wide = Unit::new(0, group, [76.5, 30.5]).with_radius(MAX_RADIUS);
    army.add(wide).unwrap();
    army.add(Unit::new(1, group, [50.0, 30.5])).unwrap();
    assert_eq!(army.put_out_of_walls(&world), 1);
    let [x, y] = army.get(1).unwrap().position;
    assert!((x - 76.5).hypot(y - 30.5) >= MAX_RADIUS + 0.3, "{x}, {y}");
}

#[test]
fn an_army_at_rest_sees_that_a_layer_is_freed() {
    let mut map = CostMap::open(60, 40).unwrap();
    map.edit(CellRect::new(20, 10, 4, 4), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let flying = Movement::new().with_cost(Cost::WALL, Cost::OPEN);
    let flying = world.add_layer(flying).unwrap();
    let over = Cell::new(22, 12);
    let order = world.order(Goal::at(over).on(flying), &[over]).unwrap();
    world.tick(Budget::UNLIMITED);
    let mut army = army();
    let ground = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    let birds = army.add_group(order, Reading::Ahead).unwrap();
    army.add(Unit::new(0, ground, [5.5, 5.5])).unwrap();
    army.add(Unit::new(1, birds, [22.5, 12.5])).unwrap();
    army.send(birds, Target::Hold).unwrap();
    for _ in 0..5 {
        army.step(&world, 0.05);
    }
    world.tick(Budget::UNLIMITED);
    world.free_layer(flying).unwrap();
    let mut clone = army.clone();
    for _ in 0..3 {
        army.step(&world, 0.05);
        clone.step(&world, 0.05);
        assert_eq!(army.state_hash(), clone.state_hash());
    }
}

/// The tank of a row of infantry goes on as if alone, and the infantry makes way and comes back.
#[test]
fn a_heavy_unit_does_not_give_way_to_light_ones() {
    let world = FlowWorld::new(CostMap::open(40, 20).unwrap());
    let pass = |weight: f32| {
        let mut army = Army::default();
        let guards = army.add_group(Target::Hold, Reading::Ahead).unwrap();
        for id in 0..12 {
            let place = [20.5, 4.2 + id as f32 * 0.7];
            army.add(Unit::new(id, guards, place).with_radius(0.35))
                .unwrap();
        }
        let tank = army
            .add_group(Target::Point([35.5, 8.0]), Reading::Ahead)
            .unwrap();
        let unit = Unit::new(99, tank, [6.5, 8.0])
            .with_radius(0.8)
            .with_weight(weight);
        army.add(unit).unwrap();
        let mut ticks = 0;
        while !army.is_settled() {
            army.step(&world, 0.05);
            ticks += 1;
            assert!(ticks < 4_000, "weight {weight}");
        }
        ticks
    };
    let free = (29.0_f32 / 4.0 / 0.05) as i32;
    let [light, plain, heavy] = [0.5, 1.0, 100.0].map(pass);
    assert!(heavy < free + 20, "{heavy} of {free} ticks");
    assert!(light > plain && plain > heavy, "{light}, {plain}, {heavy}");
}

/// Vehicles with a goal behind them turn no faster than they can, take a curve if they cannot
/// turn on the spot, and arrive: alone, among others, and between walls.
#[test]
fn a_unit_that_turns_slowly_takes_curves_and_arrives() {
    let mut map = CostMap::open(60, 40).unwrap();
    for (x, y) in [(20, 6), (20, 20), (34, 12)] {
        map.edit(CellRect::new(x, y, 2, 14), Cost::WALL).unwrap();
    }
    let (rate, goal) = (2.0, Cell::new(52, 20));
    for (on_the_spot, count) in [(true, 1), (false, 1), (true, 12), (false, 12)] {
        let mut world = FlowWorld::new(map.clone());
        let mut army = Army::default();
        let point = army
            .add_group(Target::Point([9.5, 38.0]), Reading::Ahead)
            .unwrap();
        let turning = Turning { rate, on_the_spot };
        for id in 0..count {
            let place = [9.5 + (id % 4) as f32, 16.5 + (id / 4) as f32];
            army.add(Unit::new(id, point, place).with_turning(turning))
                .unwrap();
        }
        // First to the south, so that they are turned away from what comes then.
        (0..40).for_each(|_| army.step(&world, 0.05));
        let starts: Vec<Cell> = army
            .units()
            .iter()
            .map(|unit| anchor(1, unit.position))
            .collect();
        let order = world.order(goal, &starts).unwrap();
        army.send(point, order).unwrap();
        let mut ticks = 0;
        while !army.is_settled() {
            let before: Vec<Unit> = army.units().to_vec();
            army.tick(&mut world, Budget::UNLIMITED, 0.05);
            for (unit, before) in army.units().iter().zip(&before) {
                let ([x, y], [bx, by]) = (unit.heading().unwrap(), before.heading().unwrap());
                assert!((x.hypot(y) - 1.0).abs() < 1e-5);
                let turned = (x * by - y * bx).atan2(x * bx + y * by).abs();
                assert!(turned < rate * 0.05 * 1.01, "{turned} in a step");
            }
            ticks += 1;
            assert!(ticks < 1_200, "{count} units, on the spot: {on_the_spot}");
        }
        let near = army.units().iter().filter(|unit| {
            let [x, y] = unit.position;
            (x - 52.5).hypot(y - 20.5) < 3.5
        });
        assert_eq!(near.count(), count as usize);
    }
}

/// An army knows no map, so units may be added anywhere.
#[test]
fn unit_far_off_the_map_is_cut_off_and_army_settles() {
    let mut world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let goal = Cell::new(40, 20);
    let order = world.order(goal, &[Cell::new(5, 20)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let chase = Chase::default();
    for target in [
        Target::Order(order.clone()),
        Target::AttackMove(order, chase),
        Target::Point([40.5, 20.5]),
        Target::Follow(9),
    ] {
        let mut army = Army::default();
        let hold = army.add_group(Target::Hold, Reading::Ahead).unwrap();
        army.add(Unit::new(9, hold, [50.5, 30.5])).unwrap();
        let group = army.add_group(target.clone(), Reading::Ahead).unwrap();
        let places = [[-40.5, 5.5], [5.5, 20.5], [1e6, 1e6], [-4.0, 20.5]];
        for (id, place) in (0..).zip(places) {
            army.add(Unit::new(id, group, place)).unwrap();
        }
        let mut told = [0; 4];
        for _ in 0..260 {
            army.step(&world, 0.05);
            army.cover_strays(&mut world);
            world.tick(Budget::UNLIMITED);
            for event in army.events() {
                if let ArmyEvent::Unreachable { unit } = event {
                    told[*unit as usize] += 1;
                }
            }
        }
        assert_eq!(told, [1, 0, 1, 0], "{target:?}");
        let settles = target != Target::Follow(9);
        assert_eq!(army.is_settled(), settles, "{target:?}");
        // On the map it sets out.
        army.set_position(0, [5.5, 5.5]).unwrap();
        for _ in 0..160 {
            army.step(&world, 0.05);
            army.cover_strays(&mut world);
            world.tick(Budget::UNLIMITED);
        }
        let unit = army.get(0).unwrap();
        assert!(unit.position[0] > 30.0, "{unit:?} {target:?}");
    }
    // A unit with nowhere to go is not cut off.
    let mut army = Army::default();
    let stand = army.add_group(Target::Hold, Reading::Ahead).unwrap();
    army.add(Unit::new(0, stand, [-40.5, 5.5])).unwrap();
    army.step(&world, 0.05);
    assert!(army.events().is_empty() && army.is_settled());
}

#[test]
fn unit_too_wide_for_its_order_is_reported_when_stuck() {
    let mut map = CostMap::open(60, 40).unwrap();
    map.edit(CellRect::new(20, 0, 1, 40), Cost::WALL).unwrap();
    map.edit(Cell::new(20, 20), Cost::OPEN).unwrap();
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(40, 20);
    let order = world.order(goal, &[Cell::new(5, 20)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let mut army = Army::default();
    let group = army.add_group(Target::Order(order), Reading::Ahead);
    let group = group.unwrap();
    for (id, radius) in [(0, 0.3), (1, 0.8)] {
        let place = [15.5 - 10.0 * id as f32, 20.5];
        army.add(Unit::new(id, group, place).with_radius(radius))
            .unwrap();
    }
    let mut told = [0; 2];
    for _ in 0..600 {
        army.step(&world, 0.05);
        for event in army.events() {
            if let ArmyEvent::TooWide { unit } = event {
                told[*unit as usize] += 1;
            }
        }
    }
    assert_eq!(army.get(0).unwrap().state, UnitState::Arrived);
    assert_eq!(told, [0, 1]);
}
