//! Steering: what must hold for every unit, whatever the map and the crowd.

mod crowd;

use std::time::Instant;

use crowd::{Draw, drawn_map, in_wall, march, on_threads};
use flowtiles::steer::{
    Army, ArmyEvent, MAX_RADIUS, Mover, Reading, Settings, Shape, State, Target, Unit, assign,
    avoid, bilinear, by_turns, is_clear, lowest_of_four, nearest, nearest_clear, slide,
};
use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Goal, Movement, Quality, Rect, Sample};

#[test]
fn no_circle_ever_slides_into_a_wall() {
    let (mut moved, mut stopped) = (0, 0);
    for seed in 0..40 {
        let mut draw = Draw::new(seed);
        let map = drawn_map(&mut draw, 24, 18, 25);
        for _ in 0..60 {
            let radius = draw.float(0.05, 0.49);
            let from = [draw.float(0.5, 23.5), draw.float(0.5, 17.5)];
            let Some(mut at) = nearest_clear(&map, from, radius) else {
                continue;
            };
            assert!(is_clear(&map, at, radius));
            for _ in 0..20 {
                // From a thousandth of a cell to across the map and back.
                let far = [0.001, 0.1, 1.0, 7.0, 400.0][draw.below(5) as usize];
                let way = [draw.float(-far, far), draw.float(-far, far)];
                let next = slide(&map, at, way, radius);
                assert!(is_clear(&map, next, radius), "{at:?} {way:?} {radius}");
                assert!(!in_wall(&map, next, radius), "{at:?} {way:?} {radius}");
                assert!(
                    same_room(&map, at, next),
                    "{at:?} came through a wall to {next:?}"
                );
                let came = [next[0] - at[0], next[1] - at[1]];
                let whole = (came[0] - way[0]).abs() + (came[1] - way[1]).abs() < 1e-3;
                moved += u32::from(whole);
                stopped += u32::from(!whole);
                at = next;
            }
        }
    }
    assert!(moved > 2_000 && stopped > 2_000, "{moved} and {stopped}");
}

/// Whether straight steps over open cells lead from one position to the other.
fn same_room(map: &CostMap, one: [f32; 2], two: [f32; 2]) -> bool {
    let cell = |[x, y]: [f32; 2]| Cell::new(x.floor() as i32, y.floor() as i32);
    let (from, to) = (cell(one), cell(two));
    let (mut seen, mut next) = (vec![from], 0);
    while next < seen.len() && !seen.contains(&to) {
        let at = seen[next];
        next += 1;
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let near = Cell::new(at.x + dx, at.y + dy);
            let open = map.get(near).is_some_and(|cost| !cost.is_wall());
            if open && !seen.contains(&near) {
                seen.push(near);
            }
        }
    }
    seen.contains(&to)
}

#[test]
fn along_a_wall_a_circle_keeps_its_way() {
    let mut map = CostMap::open(40, 20).unwrap();
    map.edit(Rect::new(0, 10, 40, 10), Cost::WALL).unwrap();
    let mut at = [2.0, 9.5];
    for _ in 0..60 {
        at = slide(&map, at, [0.5, 0.2], 0.3);
    }
    assert!(
        (at[0] - 32.0).abs() < 0.1,
        "nothing of the way along is lost: {at:?}"
    );
    assert!(at[1] > 9.69 && at[1] <= 9.7, "close to the wall: {at:?}");
}

/// Returns two groups on a drawn map, ready to march.
fn crowd(seed: u32) -> (FlowWorld, Vec<Unit>, impl Fn(&[Unit]) -> Army) {
    let mut draw = Draw::new(seed);
    let mut map = drawn_map(&mut draw, 60, 40, 8);
    for rect in [Rect::new(1, 1, 12, 38), Rect::new(47, 1, 12, 38)] {
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
        let mut army = Army::new(Settings::default());
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
    let mut groups = Army::new(Settings::default());
    let ids = [(); 2].map(|()| groups.add_group(Target::Nowhere, Reading::Nearest).unwrap());
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
fn nothing_is_blended_across_a_wall_nor_from_where_nothing_is_loaded() {
    // South of the wall the path leads west, north of it east.
    let mut map = CostMap::open(60, 30).unwrap();
    map.edit(Rect::new(10, 14, 40, 1), Cost::WALL).unwrap();
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
        for area in [Rect::new(24, 24, 3, 3), Rect::new(2, 3, 1, 1)] {
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
fn a_crowd_before_an_obstacle_goes_round_on_both_sides() {
    let mut map = CostMap::open(30, 21).unwrap();
    map.edit(Rect::new(12, 6, 2, 9), Cost::WALL).unwrap();
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
        for cell in Rect::new(0, 0, 31, 31).cells() {
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
fn a_file_before_an_obstacle_goes_round_it_half_on_each_side() {
    for (wall, most) in [(Rect::new(20, 5, 2, 11), 20), (Rect::new(20, 5, 2, 13), 0)] {
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
            let mut army = Army::new(settings);
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
    map.edit(Rect::new(12, 6, 2, 9), Cost::WALL).unwrap();
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
fn a_small_formation_is_assigned_at_the_least_price() {
    let mut worse = 0;
    for seed in 0..60 {
        let mut draw = Draw::new(seed);
        let count = 1 + draw.below(6) as usize;
        let units: Vec<[f32; 2]> = (0..count)
            .map(|_| [draw.float(-4.0, 4.0), draw.float(-4.0, 4.0)])
            .collect();
        let shape = [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column][seed as usize % 4];
        let slots = shape.slots(count, 1.0);
        let price = |taken: &[usize]| -> f64 {
            let square = |(unit, &slot): (usize, &usize)| {
                let off = |axis: usize| f64::from(units[unit][axis] - slots[slot][axis]);
                off(0).powi(2) + off(1).powi(2)
            };
            taken.iter().enumerate().map(square).sum()
        };
        let taken = assign(&units, &slots);
        let mut least = f64::MAX;
        permute(&mut (0..count).collect::<Vec<_>>(), 0, &mut |taken| {
            least = least.min(price(taken))
        });
        assert!(
            (price(&taken) - least).abs() < 0.1,
            "{} over {least}",
            price(&taken)
        );
        let in_order: Vec<usize> = (0..count).collect();
        worse += usize::from(price(&in_order) > least + 0.1);
    }
    assert!(worse > 20, "it makes a difference");
}

fn permute(of: &mut Vec<usize>, from: usize, see: &mut impl FnMut(&[usize])) {
    if from == of.len() {
        see(of);
    }
    for at in from..of.len() {
        of.swap(from, at);
        permute(of, from + 1, see);
        of.swap(from, at);
    }
}

#[test]
fn a_large_formation_gives_each_unit_a_place_and_none_a_far_one() {
    for shape in [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column] {
        let mut draw = Draw::new(5);
        let slots = shape.slots(500, 1.0);
        let mut units = slots.clone();
        for unit in &mut units {
            *unit = [
                unit[0] + draw.float(-0.3, 0.3),
                unit[1] + draw.float(-0.3, 0.3),
            ];
        }
        let mut taken = assign(&units, &slots);
        let far = units.iter().zip(&taken).map(|(unit, &slot)| {
            (unit[0] - slots[slot][0]).abs() + (unit[1] - slots[slot][1]).abs()
        });
        assert!(far.sum::<f32>() / 500.0 < 1.0, "{shape:?}");
        taken.sort_unstable();
        assert_eq!(taken, (0..500).collect::<Vec<_>>());
    }
}

/// Returns the width and the depth of a group of units that march along the
/// rows.
fn width_and_depth(units: &[Unit]) -> [f32; 2] {
    [1, 0].map(|axis| {
        let along = || units.iter().map(|unit| unit.position[axis]);
        along().fold(f32::MIN, f32::max) - along().fold(f32::MAX, f32::min)
    })
}

#[test]
fn a_line_goes_through_a_door_and_is_a_line_again() {
    for door in [4, 2, 1] {
        let mut map = CostMap::open(110, 40).unwrap();
        map.edit(Rect::new(30, 0, 3, 40), Cost::WALL).unwrap();
        map.edit(Rect::new(30, 18, 3, door), Cost::OPEN).unwrap();
        let mut world = FlowWorld::new(map);
        let goal = Cell::new(100, 18);
        let order = world.order(goal, &[Cell::new(8, 18)]).unwrap();
        world.tick(Budget::UNLIMITED);
        let mut army = Army::new(Settings::default());
        let group = army
            .add_group(Target::Order(order), Reading::Ahead)
            .unwrap();
        for id in 0..24 {
            let (column, row) = ((id % 6) as f32, (id / 6) as f32);
            army.add(Unit::new(id, group, [4.0 + column, 16.0 + row]))
                .unwrap();
        }
        army.form(group, Shape::Line, 1.0, &world).unwrap();
        let (mut before, mut behind) = (None, None);
        for _ in 0..3_000 {
            let progress = world.tick(Budget::UNLIMITED);
            army.step(&world, 0.05);
            if progress.waiting == 0 {
                army.cover_strays(&mut world);
            }
            let units = army.units();
            let first = units
                .iter()
                .map(|unit| unit.position[0])
                .fold(0.0, f32::max);
            let last = units
                .iter()
                .map(|unit| unit.position[0])
                .fold(999.0, f32::min);
            if first < 28.0 {
                before = Some(width_and_depth(units));
            } else if last > 50.0 && behind.is_none() {
                behind = Some(width_and_depth(units));
            }
        }
        assert!(army.is_settled(), "a door of {door}");
        let [wide, deep] = before.expect("it marches in line");
        assert!(wide > 11.0 && deep < 2.5, "{wide} by {deep}");
        let [wide, deep] = behind.expect("it gets through");
        assert!(
            wide > 11.0 && deep < 2.5,
            "behind a door of {door}: {wide} by {deep}"
        );
        let [wide, deep] = width_and_depth(army.units());
        assert!(wide > 11.0 && deep < 2.0, "at the goal: {wide} by {deep}");
    }
}

#[test]
fn two_head_on_take_the_same_side() {
    for seed in 0..200 {
        let mut draw = Draw::new(seed);
        let mut mover = |x: f32, speed: f32| Mover {
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
fn on_open_ground_the_path_is_straight() {
    for (goal, most) in [((95, 40), 1.02), ((97, 95), 1.02), ((40, 80), 1.02)] {
        let mut world = FlowWorld::new(CostMap::open(100, 100).unwrap());
        let goal = Cell::from(goal);
        let order = world.order(goal, &[Cell::new(3, 3)]).unwrap();
        let mut army = Army::new(Settings::default());
        let group = army
            .add_group(Target::Order(order), Reading::Ahead)
            .unwrap();
        army.add(Unit::new(0, group, [3.5, 3.5])).unwrap();
        let walked = march(&mut world, &mut army, 0.05, 2_000)[0];
        let end = army.units()[0].position;
        let straight = f64::from(end[0] - 3.5).hypot(f64::from(end[1] - 3.5));
        assert!(walked / straight <= most, "{goal}: {}", walked / straight);
    }
}

#[test]
fn all_arrive_at_a_goal_in_a_dead_end() {
    // A corridor one cell wide: no room for a disc.
    let mut map = CostMap::open(40, 11).unwrap();
    map.edit(Rect::new(15, 0, 25, 11), Cost::WALL).unwrap();
    map.edit(Rect::new(15, 5, 20, 1), Cost::OPEN).unwrap();
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(34, 5);
    let order = world.order(goal, &[Cell::new(3, 3)]).unwrap();
    let mut army = Army::new(Settings::default());
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    for id in 0..60 {
        army.add(Unit::new(
            id,
            group,
            [1.5 + (id % 10) as f32, 2.5 + (id / 10) as f32],
        ))
        .unwrap();
    }
    let mut arrived = Vec::new();
    let mut whole = 0;
    for _ in 0..3_000 {
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
    assert_eq!(arrived, (0..60).collect::<Vec<_>>(), "each told once");
    assert_eq!(whole, 1, "and the group once");
}

#[test]
fn a_unit_that_is_enclosed_sets_out_when_a_path_opens() {
    let mut map = CostMap::open(40, 20).unwrap();
    map.edit(Rect::new(20, 0, 1, 20), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(30, 10);
    let order = world
        .order(goal, &[Cell::new(35, 5), Cell::new(5, 5)])
        .unwrap();
    let mut army = Army::new(Settings::default());
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    army.add(Unit::new(1, group, [35.5, 5.5])).unwrap();
    army.add(Unit::new(2, group, [5.5, 5.5])).unwrap();
    march(&mut world, &mut army, 0.05, 400);
    let states = [State::Arrived, State::Unreachable];
    assert_eq!([army.units()[0].state, army.units()[1].state], states);
    world.edit(Cell::new(20, 10), Cost::OPEN).unwrap();
    for _ in 0..600 {
        let progress = world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
        if progress.waiting == 0 {
            army.cover_strays(&mut world);
        }
    }
    assert_eq!(army.units()[1].state, State::Arrived);
}

#[test]
fn a_unit_under_a_new_wall_walks_out() {
    let mut world = FlowWorld::new(CostMap::open(40, 20).unwrap());
    let goal = Cell::new(35, 10);
    let order = world.order(goal, &[Cell::new(5, 10)]).unwrap();
    let mut army = Army::new(Settings::default());
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    army.add(Unit::new(0, group, [10.5, 10.5])).unwrap();
    world.edit(Rect::new(8, 8, 6, 6), Cost::WALL).unwrap();
    assert!(!is_clear(world.costs(), army.units()[0].position, 0.3));
    march(&mut world, &mut army, 0.05, 800);
    assert_eq!(army.units()[0].state, State::Arrived);
}

/// Forms 24 units in a block and marches them to a goal; panics if not all
/// arrive.
fn march_in_formation(map: CostMap, goal: Cell, shape: Shape, late: Option<[f32; 2]>) {
    let mut world = FlowWorld::new(map);
    let order = world.order(goal, &[Cell::new(3, 3)]).unwrap();
    let mut army = Army::new(Settings::default());
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    for id in 0..24 {
        let place = [1.5 + (id % 6) as f32, 3.5 + (id / 6) as f32];
        army.add(Unit::new(id, group, place)).unwrap();
    }
    world.tick(Budget::UNLIMITED);
    army.form(group, shape, 1.0, &world).unwrap();
    if let Some(place) = late {
        army.add(Unit::new(24, group, place)).unwrap();
    }
    march(&mut world, &mut army, 0.05, 1_000);
}

#[test]
fn a_formation_without_room_for_all_places_arrives() {
    for shape in [Shape::Line, Shape::Wedge, Shape::Box, Shape::Column] {
        let open = CostMap::open(50, 11).unwrap();
        let mut dead_end = open.clone();
        dead_end.edit(Rect::new(15, 0, 35, 11), Cost::WALL).unwrap();
        dead_end.edit(Rect::new(15, 5, 30, 2), Cost::OPEN).unwrap();
        march_in_formation(open.clone(), Cell::new(49, 10), shape, None);
        march_in_formation(dead_end, Cell::new(44, 5), shape, None);
        // A unit that joins later shares a place.
        march_in_formation(open, Cell::new(40, 5), shape, Some([2.5, 9.5]));
    }
}

#[test]
fn a_unit_that_waits_behind_a_wall_has_not_arrived() {
    // The goal is behind the wall, and the door a few cells away.
    let mut map = CostMap::open(60, 60).unwrap();
    map.edit(Rect::new(30, 0, 1, 60), Cost::WALL).unwrap();
    map.edit(Cell::new(30, 14), Cost::OPEN).unwrap();
    let mut world = FlowWorld::new(map);
    let goal = Cell::new(31, 20);
    let order = world.order(goal, &[Cell::new(3, 3)]).unwrap();
    let mut army = Army::new(Settings::default());
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
                other.state == State::Arrived && way[0].hypot(way[1]) < 0.8
            });
            behind += u32::from(!touched);
        }
    }
    assert_eq!(behind, 0, "arrived behind the wall, beside nobody");
}

#[test]
fn odd_settings_and_steps_do_no_harm() {
    let mut world = FlowWorld::new(CostMap::open(40, 20).unwrap());
    let goal = Cell::new(35, 10);
    let order = world.order(goal, &[Cell::new(5, 10)]).unwrap();
    let mut settings = Settings::default();
    settings.patience = u32::MAX;
    let mut army = Army::new(settings);
    let group = army
        .add_group(Target::Order(order), Reading::Ahead)
        .unwrap();
    for id in 0..9 {
        army.add(Unit::new(id, group, [5.5, 5.5 + id as f32]))
            .unwrap();
    }
    for _ in 0..5 {
        world.tick(Budget::UNLIMITED);
        army.step(&world, 0.05);
    }
    let before = army.units().to_vec();
    army.step(&world, 0.0);
    for (unit, before) in army.units().iter().zip(&before) {
        assert_eq!(unit.velocity, before.velocity);
        assert_eq!(unit.position, before.position);
    }
    march(&mut world, &mut army, 0.05, 400);
}

#[test]
fn places_off_any_map_are_assigned_as_well() {
    let units = [[1e12, 0.0], [0.0, -1e15], [f32::NAN, 0.0]];
    let mut taken = assign(&units, &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
    taken.sort_unstable();
    assert_eq!(taken, [0, 1, 2]);
}

#[test]
fn groups_with_one_goal_share_where_they_arrive() {
    let mut world = FlowWorld::new(CostMap::open(40, 40).unwrap());
    let goals = [Cell::new(30, 10), Cell::new(30, 30)];
    let orders = goals.map(|goal| world.order(goal, &[Cell::new(5, 20)]).unwrap());
    let target = |at: usize| Target::Order(orders[at].clone());
    let mut army = Army::new(Settings::default());
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
fn the_state_hash_tells_targets_readings_and_formations_apart() {
    let mut world = FlowWorld::new(CostMap::open(40, 20).unwrap());
    let goals = [Cell::new(30, 10), Cell::new(30, 11)];
    let [one, other] =
        goals.map(|goal| Target::Order(world.order(goal, &[Cell::new(5, 10)]).unwrap()));
    world.tick(Budget::UNLIMITED);
    let hash = |target: &Target, reading, formation: Option<(Shape, f32)>| {
        let mut army = Army::new(Settings::default());
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
        hash(&Target::Nowhere, Reading::Ahead, None),
        hash(&Target::Stand, Reading::Ahead, None),
        hash(&one, Reading::Ahead, box_of(1.0)),
        hash(&one, Reading::Ahead, box_of(2.0)),
    ];
    let different = std::collections::BTreeSet::from(hashes);
    assert_eq!(different.len(), hashes.len(), "{hashes:x?}");
    assert_eq!(hash(&one, Reading::Ahead, None), hashes[0]);
}

#[test]
fn a_group_has_arrived_when_the_last_of_the_others_is_gone() {
    for cut_off in [true, false] {
        let mut world = FlowWorld::new(CostMap::open(60, 20).unwrap());
        let goal = Cell::new(50, 10);
        let cells = [Cell::new(45, 10), Cell::new(5, 10)];
        let order = world.order(goal, &cells).unwrap();
        let mut army = Army::new(Settings::default());
        let group = army
            .add_group(Target::Order(order), Reading::Ahead)
            .unwrap();
        army.add(Unit::new(0, group, [45.5, 10.5])).unwrap();
        army.add(Unit::new(1, group, [5.5, 10.5])).unwrap();
        let mut told = 0;
        for tick in 0..200 {
            if tick == 60 {
                assert_eq!(army.units()[0].state, State::Arrived);
                assert_eq!(told, 0);
                if cut_off {
                    world.edit(Rect::new(30, 0, 1, 20), Cost::WALL).unwrap();
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
fn circles_beyond_all_measure_are_refused_at_once() {
    let map = CostMap::open(900, 900).unwrap();
    let at = [450.5, 450.5];
    let asked = Instant::now();
    for radius in [1e9, 400.0, 16.1, -1.0, f32::NAN, f32::INFINITY] {
        assert!(!is_clear(&map, at, radius));
        assert_eq!(slide(&map, at, [5.0, 3.0], radius), at);
        assert_eq!(nearest_clear(&map, at, radius), None);
    }
    // Reading all cells under the circles would take minutes.
    assert!(asked.elapsed().as_secs() < 5);
    assert!(is_clear(&map, at, MAX_RADIUS) && is_clear(&map, at, 0.0));
    assert_ne!(slide(&map, at, [5.0, 3.0], MAX_RADIUS), at);
    assert_eq!(
        nearest_clear(&map, [3.0, 450.5], MAX_RADIUS),
        Some([16.5, 450.5])
    );
}

#[test]
fn standing_units_make_room_and_stop_again() {
    let world = FlowWorld::new(CostMap::open(60, 40).unwrap());
    let far = |target: Target| {
        let mut army = Army::new(Settings::default());
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
    let (standing, flocking) = (far(Target::Stand), far(Target::Nowhere));
    println!("{standing} cells standing, {flocking} flocking");
    assert!(standing < 0.5, "{standing} cells in 40 s");
}

/// A wall with doors of 1, 2, 3 and 4 cells, from the north to the south.
fn wall_with_doors() -> CostMap {
    let mut map = CostMap::open(80, 80).expect("a size");
    map.edit(Rect::new(40, 0, 2, 80), Cost::WALL)
        .expect("on the map");
    for (door, y) in [(1, 10), (2, 28), (3, 46), (4, 64)] {
        let area = Rect::new(40, y, 2, door);
        map.edit(area, Cost::OPEN).expect("on the map");
    }
    map
}

#[test]
fn wide_units_pass_where_they_fit_and_touch_no_wall() {
    for width in 1..=4_u8 {
        let map = wall_with_doors();
        let mut world = FlowWorld::new(map.clone());
        let wide = Movement::new().with_size(width).expect("a size");
        let layer = world.add_layer(wide).expect("room for it");
        let radius = f32::from(width) / 2.0 - 0.1;
        let mut army = Army::new(Settings::default());
        let (goal, mut units) = (Cell::new(66, 12), Vec::new());
        for at in 0..6_u32 {
            let place = [6.0 + 5.0 * (at % 3) as f32, 8.0 + 5.0 * (at / 3) as f32];
            units.push(place);
        }
        let cells: Vec<Cell> = units
            .iter()
            .map(|&[x, y]| Cell::new(x as i32, y as i32))
            .collect();
        let order = world
            .order(Goal::at(goal).on(layer), &cells)
            .expect("a way");
        world.tick(Budget::UNLIMITED);
        let group = army.add_group(order, Reading::Ahead).expect("room for it");
        for (id, &place) in (0..).zip(&units) {
            let unit = Unit::new(id, group, place).with_radius(radius);
            army.add(unit).expect("a new unit");
        }
        let mut through = 0;
        for _ in 0..4000 {
            let before: Vec<[f32; 2]> = army.units().iter().map(|unit| unit.position).collect();
            army.step(&world, 1.0 / 20.0);
            army.cover_strays(&mut world);
            world.tick(Budget::cells(4_000));
            for (unit, before) in army.units().iter().zip(before) {
                assert!(
                    is_clear(&map, unit.position, radius),
                    "width {width}: {unit:?} overlaps a wall"
                );
                if before[0] < 41.0 && unit.position[0] >= 41.0 {
                    through += 1;
                    let door = [10, 28, 46, 64][usize::from(width) - 1];
                    let is_wider = unit.position[1] >= door as f32;
                    assert!(is_wider, "width {width} at {:?}", unit.position);
                }
            }
            if army.is_settled() {
                break;
            }
        }
        assert!(
            army.is_settled() && through == 6,
            "width {width}: {through}"
        );
    }
}

#[test]
fn ships_keep_to_the_water_and_hovercraft_do_not_mind() {
    let water = Cost::new(9).expect("not 0");
    let mut map = CostMap::open(60, 40).expect("a size");
    map.edit(Rect::new(10, 18, 40, 6), water)
        .expect("on the map");
    map.edit(Rect::new(10, 4, 5, 20), water)
        .expect("on the map");
    map.edit(Rect::new(45, 4, 5, 20), water)
        .expect("on the map");
    let mut world = FlowWorld::new(map.clone());
    let ships = Movement::new().with_costs(|kind| match kind == water {
        true => Cost::OPEN,
        false => Cost::WALL,
    });
    let hover = Movement::new().with_cost(water, Cost::OPEN);
    let [ships, hover] = [ships, hover].map(|class| world.add_layer(class).expect("room"));
    let (start, goal) = (Cell::new(12, 6), Cell::new(47, 6));
    let mut army = Army::new(Settings::default());
    let mut farthest = [0.0_f32; 2];
    for (id, layer) in (0..).zip([ships, hover]) {
        let order = world
            .order(Goal::at(goal).on(layer), &[start])
            .expect("a way");
        let group = army.add_group(order, Reading::Ahead).expect("room for it");
        let place = [12.5 + id as f32, 6.5];
        army.add(Unit::new(id, group, place)).expect("a new unit");
    }
    world.tick(Budget::UNLIMITED);
    let on_water = world.on(ships).expect("derived").costs().clone();
    for _ in 0..1500 {
        army.step(&world, 1.0 / 20.0);
        army.cover_strays(&mut world);
        world.tick(Budget::cells(4_000));
        let ship = army.units()[0];
        assert!(
            is_clear(&on_water, ship.position, ship.radius),
            "{ship:?} is aground"
        );
        for (farthest, unit) in farthest.iter_mut().zip(army.units()) {
            *farthest = farthest.max(unit.position[1]);
        }
    }
    assert!(army.is_settled());
    assert!(farthest[0] > 17.0 && farthest[1] < 12.0, "{farthest:?}");
}
