//! The ways that units take: readings, ties, obstacles.

use flowtiles::steer::parts::{MovingCircle, avoid, bilinear, by_turns, lowest_of_four, nearest};
use flowtiles::steer::{Army, Reading, Settings, Target, Unit};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Quality, Sample};

use crate::crowd::{Draw, drawn_map};

#[test]
fn no_blending_across_walls_or_from_unloaded_cells() {
    // South of the wall the path leads west, north of it east.
    let mut map = CostMap::open(60, 30).unwrap();
    map.edit(CellRect::new(10, 14, 40, 1), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(12, 4);
    let order = world
        .order(goal, &[Cell::new(20, 20), Cell::new(30, 12)])
        .unwrap();
    world.tick(Budget::UNLIMITED);
    let mut compared = 0;
    for seed in 0..30 {
        let mut draw = Draw::new(seed);
        let mut walled = drawn_map(&mut draw, 30, 30, 12);
        for area in [CellRect::new(24, 24, 3, 3), CellRect::new(2, 3, 1, 1)] {
            walled.edit(area, Cost::OPEN).unwrap();
        }
        let mut world = FlowWorld::new(walled);
        let Ok(order) = world.order(Cell::new(25, 25), &[Cell::new(25, 24), Cell::new(2, 3)])
        else {
            continue;
        };
        world.tick(Budget::UNLIMITED);
        for _ in 0..300 {
            let at = [draw.float(1.0, 29.0), draw.float(1.0, 29.0)];
            compared += check_blend(&world, &order, at);
        }
    }
    assert!(compared > 2_000, "only {compared} places");
    // Positions on both sides of the thin wall, as close to it as possible.
    for x in 12..48 {
        let x = x as f32 + 0.5;
        for y in [13.99, 15.01] {
            let here = nearest(&world, &order, [x, y]);
            if let Some(blend) = bilinear(&world, &order, [x, y]) {
                let [along, _] = here.expect("what is blended has a middle");
                assert!(blend[0] * along >= 0.0, "({x}, {y}): {blend:?}");
            }
        }
    }
}

/// Compares a blend with a sum over the cells that the step rule joins to the
/// one under the position.
fn check_blend(world: &FlowWorld, order: &flowtiles::Order, at: [f32; 2]) -> u32 {
    let home = Cell::new(at[0].floor() as i32, at[1].floor() as i32);
    let open = |x: i32, y: i32| {
        world
            .costs()
            .get(Cell::new(x, y))
            .is_some_and(|c| !c.is_wall())
    };
    let Some(blend) = bilinear(world, order, at) else {
        assert!(nearest(world, order, at).is_none());
        return 0;
    };
    if !open(home.x, home.y) {
        return 0;
    }
    let mut sum = [0.0f64; 2];
    for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
        let cell = Cell::new(home.x + dx, home.y + dy);
        let reach = |at: f32, cell: i32| (1.0 - (at - cell as f32 - 0.5).abs()).max(0.0);
        let weight = f64::from(reach(at[0], cell.x) * reach(at[1], cell.y));
        let joined = open(cell.x, cell.y) && open(cell.x, home.y) && open(home.x, cell.y);
        if let (true, Some(way)) = (joined, world.sample(order, cell).direction()) {
            let [x, y] = way.unit_vector();
            sum = [
                sum[0] + weight * f64::from(x),
                sum[1] + weight * f64::from(y),
            ];
        }
        if joined && world.sample(order, cell) == Sample::Arrived {
            return 0; // Its direction depends on the place: not summed here.
        }
    }
    let length = sum[0].hypot(sum[1]);
    if length < 0.15 {
        return 0;
    }
    let off = (f64::from(blend[0]) - sum[0] / length).abs()
        + (f64::from(blend[1]) - sum[1] / length).abs();
    assert!(off < 1e-3, "{at:?}: {blend:?}, not {sum:?} over {length}");
    1
}

#[test]
fn crowd_goes_round_an_obstacle_on_both_sides() {
    let mut map = CostMap::open(30, 21).unwrap();
    map.edit(CellRect::new(12, 6, 2, 9), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let order = world.order(Cell::new(26, 10), &[Cell::new(3, 10)]).unwrap();
    world.tick(Budget::UNLIMITED);
    // Corners of four cells of which two lead in different directions.
    let mut tied = 0;
    for at in (3..12).flat_map(|x| (6..15).map(move |y| [x as f32, y as f32])) {
        let ways: Vec<_> = (0..40)
            .filter_map(|id| lowest_of_four(&world, &order, at, [1.0, 0.0], id))
            .collect();
        let same = ways.iter().filter(|&way| *way == ways[0]).count();
        if same < ways.len() {
            assert_eq!(same, 20, "evenly, at {at:?}");
            tied += 1;
        }
    }
    assert!(tied > 0, "nowhere a tie");
}

#[test]
fn ties_are_ties_and_each_path_gets_its_share() {
    let (mut tied, mut plain) = (0, 0);
    for seed in 0..60 {
        let mut draw = Draw::new(seed);
        let map = drawn_map(&mut draw, 31, 31, 6);
        let goal = Cell::new(27, 15);
        let mut world = FlowWorld::new(map);
        let goal = Goal::at(goal).with_quality(Quality::Everywhere);
        let Ok(order) = world.order(goal, &[]) else {
            continue;
        };
        world.tick(Budget::UNLIMITED);
        for cell in CellRect::new(0, 0, 31, 31).cells() {
            let Some(says) = world.sample(&order, cell).direction() else {
                continue;
            };
            let ways: Vec<_> = (0..12)
                .map(|id| by_turns(&world, &order, cell, id).expect("it says a direction"))
                .collect();
            let mut kinds = ways.clone();
            kinds.sort_unstable();
            kinds.dedup();
            assert!(kinds.contains(&says));
            for &kind in &kinds {
                let share = ways.iter().filter(|&&way| way == kind).count();
                assert_eq!(share * kinds.len(), 12, "evenly, at {cell}");
                // The second path must cost the same as the field's.
                let [one, two] = [says, kind].map(|way| {
                    let (dx, dy) = way.offset();
                    let long = if dx != 0 && dy != 0 { 7 } else { 5 };
                    long + world
                        .cost_to_go(&order, cell.step(way))
                        .expect("it leads on")
                });
                assert_eq!(one, two, "{says} and {kind} at {cell}");
            }
            tied += usize::from(kinds.len() > 1);
            plain += usize::from(kinds.len() == 1);
        }
    }
    assert!(tied > 100 && plain > 10_000, "{tied} and {plain}");
}

#[test]
fn file_goes_round_an_obstacle_half_on_each_side() {
    for (wall, most) in [
        (CellRect::new(20, 5, 2, 11), 20),
        (CellRect::new(20, 5, 2, 13), 0),
    ] {
        for reading in [Reading::Ahead, Reading::Nearest] {
            let mut map = CostMap::open(45, 21).unwrap();
            map.edit(wall, Cost::WALL).unwrap();
            let mut world = FlowWorld::new(map);
            let goal = Cell::new(40, 10);
            // With everything loaded, both paths can be taken.
            let both = Goal::at(goal).with_quality(Quality::Everywhere);
            let order = world.order(both, &[Cell::new(2, 10)]).unwrap();
            world.tick(Budget::UNLIMITED);
            let mut settings = Settings::default();
            settings.avoidance = 0.0;
            settings.separation = 0.0;
            settings.pushes = 0;
            let mut army = Army::new(settings).unwrap();
            let group = army.add_group(Target::Order(order), reading).unwrap();
            for id in 0..40 {
                army.add(Unit::new(id, group, [1.5 + 0.3 * (id % 20) as f32, 10.5]))
                    .unwrap();
            }
            let mut south = 0;
            for _ in 0..400 {
                let before: Vec<f32> = army.units().iter().map(|unit| unit.position[0]).collect();
                army.step(&world, 0.05);
                for (unit, before) in army.units().iter().zip(before) {
                    let passes = before < 21.0 && unit.position[0] >= 21.0;
                    south += usize::from(passes && unit.position[1] > 10.5);
                }
                if army.is_settled() {
                    break;
                }
            }
            assert!(army.is_settled());
            assert_eq!(south, most, "{reading:?} around {wall:?}");
        }
    }
}

#[test]
fn a_heading_decides_where_the_field_does_not() {
    let mut map = CostMap::open(30, 21).unwrap();
    map.edit(CellRect::new(12, 6, 2, 9), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let order = world.order(Cell::new(26, 10), &[Cell::new(3, 10)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let mut decided = 0;
    for at in (3..12).flat_map(|x| (6..15).map(move |y| [x as f32, y as f32])) {
        let way = |heading, id| lowest_of_four(&world, &order, at, heading, id);
        let ties: Vec<_> = (0..2).filter_map(|id| way([1.0, 0.0], id)).collect();
        if ties.len() < 2 || ties[0] == ties[1] {
            continue;
        }
        // A unit heading along one of the two stays on it.
        for &heading in &ties {
            for id in 0..4 {
                assert_eq!(way(heading, id), Some(heading), "at {at:?}");
                decided += 1;
            }
        }
    }
    assert!(decided > 0);
}

#[test]
fn two_head_on_take_the_same_side() {
    for seed in 0..200 {
        let mut draw = Draw::new(seed);
        let mut mover = |x: f32, speed: f32| MovingCircle {
            position: [x, draw.float(-0.2, 0.2)],
            velocity: [speed, draw.float(-0.3, 0.3)],
            radius: 0.3,
        };
        let (one, two) = (mover(0.0, 4.0), mover(2.5, -4.0));
        let (here, there) = (avoid(&one, &two, 1.0), avoid(&two, &one, 1.0));
        let sum = (here[0] + there[0]).abs() + (here[1] + there[1]).abs();
        assert!(
            sum < 1e-5,
            "they push to opposite sides: {here:?} {there:?}"
        );
    }
}

#[test]
fn cheaper_road_is_kept_over_a_line_on_hard_ground() {
    // The goal can be seen from the start, and the road to it is a detour.
    let mut map = CostMap::open(140, 50).unwrap();
    map.edit(CellRect::new(0, 0, 140, 50), Cost::new(20).unwrap())
        .unwrap();
    map.edit(CellRect::new(0, 10, 140, 1), Cost::OPEN).unwrap();
    let mut world = FlowWorld::new(map);
    let (start, goal) = (Cell::new(5, 25), Cell::new(130, 25));
    let order = world.order(goal, &[start]).unwrap();
    let ticks = [Reading::Nearest, Reading::Ahead].map(|reading| {
        let mut army = Army::default();
        let group = army.add_group(order.clone(), reading).unwrap();
        let unit = Unit::new(0, group, [5.5, 25.5]).with_speed(4.0);
        army.add(unit).unwrap();
        let mut ticks = 0;
        while !army.is_settled() {
            army.tick(&mut world, Budget::UNLIMITED, 0.05);
            ticks += 1;
            assert!(ticks < 20_000, "{reading:?} never arrives");
        }
        ticks
    });
    assert!(
        ticks[1] <= ticks[0],
        "Nearest takes {} ticks, Ahead {}",
        ticks[0],
        ticks[1]
    );
}
