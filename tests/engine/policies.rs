//! Drawn maps with goals and units anywhere, also in walls and on other
//! islands.

use crate::draws::draws;
use crate::oracle::draw::for_drawn;
use crate::oracle::follow::{End, finish, walk, world_of};
use crate::oracle::{Map, WALL, ends, field, islands, nearest};
use std::collections::BTreeSet;

use flowtiles::error::OrderError;
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Order, Quality, Sample};

const SIZES: [(i32, i32); 6] = [(1, 9), (9, 9), (11, 21), (25, 14), (33, 58), (64, 41)];

/// Returns the open cells around the walls that hang together with a wall, in order.
fn sides(map: &Map, wall: Cell) -> Vec<Cell> {
    let walls_beside = |walls: &BTreeSet<Cell>| -> BTreeSet<Cell> {
        let beside = |&cell: &Cell| [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|by| moved_by(cell, by));
        let beside = walls.iter().flat_map(beside);
        beside
            .chain([wall])
            .filter(|&cell| map.contains(cell) && !map.is_open(cell))
            .collect()
    };
    let mut walls = BTreeSet::new();
    loop {
        let more = walls_beside(&walls).union(&walls).copied().collect();
        if more == walls {
            break;
        }
        walls = more;
    }
    let touches = |cell: Cell| {
        let near = |wall: &Cell| (wall.x - cell.x).abs() <= 1 && (wall.y - cell.y).abs() <= 1;
        walls.iter().any(near)
    };
    let open = map.open_cells().into_iter();
    open.filter(|&cell| touches(cell)).collect()
}

fn moved_by(cell: Cell, (x, y): (i32, i32)) -> Cell {
    Cell::new(cell.x + x, cell.y + y)
}

#[test]
fn nearest_policy_ends_at_a_side_or_the_nearest_cell() {
    let (mut moved, mut beside, mut courts, mut thinned) = (0, 0, 0, 0);
    for_drawn(51, &SIZES, 6, |map, rng| {
        let open = map.open_cells();
        if open.is_empty() {
            return;
        }
        let goal = rng.cell(map);
        let units: Vec<Cell> = (0..3).map(|_| rng.pick(&open)).collect();
        let mut world = world_of(map);
        let exact = Goal::at(goal).or_nearest().with_quality(Quality::Exact);
        let order = world.order(exact, &units).expect("always somewhere");
        let asked: Vec<Cell> = order.goal().cells().skip(1).collect();
        let islands = islands(map);
        if map.is_open(goal) {
            // It may be in a court.
            let outside = |cell: &Cell| islands[map.id(*cell)] != islands[map.id(goal)];
            assert!(asked.iter().all(outside), "{goal} on {map}");
            courts += usize::from(!asked.is_empty());
        } else {
            let mut sides = sides(map, goal);
            if sides.len() > 128 {
                assert!((20..=128).contains(&asked.len()), "{goal} on {map}");
                sides.retain(|side| asked.contains(side));
                thinned += 1;
            }
            assert_eq!(asked, sides, "{goal} on {map}");
        }
        for unit in units {
            let ends = ends(map, &islands, order.goal(), unit);
            let walk = walk(&mut world, &order, map, unit);
            assert!(
                walk.end == End::Arrived && ends.contains(&walk.last),
                "{unit} toward {goal} ends at {}, of {ends:?} on {map}",
                walk.last
            );
            let prices = ends
                .iter()
                .filter_map(|&end| field(map, end, 0)[map.id(unit)]);
            assert_eq!(Some(walk.price), prices.min(), "{unit} on {map}");
            moved += usize::from(walk.last != goal);
            beside += usize::from(ends.len() > 1);
        }
    });
    assert!(beside > 10, "only {beside} goals were in obstacles");
    assert!(
        (courts > 0 || draws() < 9) && thinned > 0,
        "{courts} courts, {thinned} thinned"
    );
    assert!(moved > 30, "only {moved} goals were moved");
}

#[test]
fn strict_goal_is_decided_by_the_islands_alone() {
    let (mut taken, mut refused) = (0, 0);
    for_drawn(52, &SIZES, 6, |map, rng| {
        let islands = islands(map);
        let open = map.open_cells();
        if open.is_empty() {
            return;
        }
        let (goal, units) = (rng.cell(map), [rng.pick(&open), rng.pick(&open)]);
        let at_goal = islands[map.id(goal)];
        let mut world = world_of(map);
        let answer = world.order(goal, &units);
        let some = units.iter().any(|&unit| islands[map.id(unit)] == at_goal);
        match answer {
            Ok(_) => assert!(at_goal.is_some() && some, "{units:?} to {goal} on {map}"),
            Err(OrderError::GoalInWall { .. }) => assert_eq!(at_goal, None, "{goal} on {map}"),
            Err(OrderError::Unreachable { .. }) => {
                assert!(at_goal.is_some() && !some, "{units:?} to {goal} on {map}");
            }
            Err(other) => panic!("{other}"),
        }
        if world.inspect().stats().orders == 1 {
            taken += 1;
        } else {
            refused += 1;
        }
    });
    assert!(taken > 5 && refused > 5, "{taken} taken, {refused} refused");
}

/// Follows the directions of a unit in a wall until it stands on open ground.
fn leave_wall(world: &mut FlowWorld, order: &Order, map: &Map, unit: Cell) -> Option<Cell> {
    let mut here = unit;
    for _ in 0..map.costs.len() {
        if map.is_open(here) {
            return Some(here);
        }
        match world.sample(order, here) {
            Sample::Go(direction) => here = here.step(direction),
            Sample::OffRoute => {
                world.cover(order, here).expect("on the map");
                finish(world);
            }
            Sample::Waiting => finish(world),
            Sample::Unreachable => return None,
            other => panic!("{other} in a wall at {here} of {map}"),
        }
        assert!(map.contains(here), "off the map from {unit} of {map}");
    }
    panic!("the unit at {unit} circles in the wall of {map}");
}

#[test]
fn a_unit_in_a_wall_gets_out_and_home() {
    let (mut led, mut trapped) = (0, 0);
    for_drawn(53, &SIZES, 6, |map, rng| {
        let islands = islands(map);
        let Some(goal) = rng.open_cell(map) else {
            return;
        };
        let walls: Vec<Cell> = map.cells().filter(|&cell| !map.is_open(cell)).collect();
        if walls.is_empty() {
            return;
        }
        let mut world = world_of(map);
        let unit = rng.pick(&walls);
        let order = world.order(goal, &[unit]).expect("it can get out");
        finish(&mut world);
        let out = nearest(map, unit, |cell| {
            islands[map.id(cell)] == islands[map.id(goal)] && stays_in_walls(map, unit, cell)
        });
        let context = format!("from the wall at {unit}, goal {goal}, on {map}");
        if out.is_none() {
            // All ground around it is cut off: it is unreachable at once.
            assert_eq!(world.sample(&order, unit), Sample::Unreachable, "{context}");
            trapped += 1;
            return;
        }
        // On the way, a nearer cell may come into reach.
        let left = leave_wall(&mut world, &order, map, unit).expect("a way out");
        let home = islands[map.id(left)] == islands[map.id(goal)];
        assert!(home, "left at {left}, {context}");
        let walk = walk(&mut world, &order, map, left);
        assert_eq!((walk.end, walk.last), (End::Arrived, goal), "{context}");
        assert_eq!(walk.strayed, 0, "it was promised, {context}");
        led += 1;
    });
    assert!(
        led > 20 && trapped > 0 && trapped * 5 < led,
        "{led} led out, {trapped} trapped"
    );
}

#[test]
fn a_unit_in_a_wall_is_led_out_and_then_home() {
    let mut map = Map::open(60, 40);
    map.fill(CellRect::new(20, 5, 21, 21), WALL);
    let goal = Cell::new(55, 35);
    for (unit, out) in [
        ((20, 15), (19, 15)),
        ((40, 15), (41, 15)),
        ((30, 6), (30, 4)),
        ((30, 25), (30, 26)),
        ((30, 15), (30, 4)),
        ((24, 15), (19, 15)),
    ] {
        let (unit, out) = (Cell::from(unit), Cell::from(out));
        let mut world = world_of(&map);
        let order = world.order(goal, &[unit]).expect("it can get out");
        finish(&mut world);
        assert_eq!(leave_wall(&mut world, &order, &map, unit), Some(out));
        let walk = walk(&mut world, &order, &map, out);
        assert_eq!((walk.end, walk.last), (End::Arrived, goal));
    }
}

/// Whether the straight path from a cell in a wall (diagonal first) meets no
/// open cell before its end.
fn stays_in_walls(map: &Map, from: Cell, to: Cell) -> bool {
    let mut here = from;
    while here != to {
        let (dx, dy) = ((to.x - here.x).signum(), (to.y - here.y).signum());
        here = Cell::new(here.x + dx, here.y + dy);
        if map.is_open(here) && here != to {
            return false;
        }
    }
    true
}

#[test]
fn exact_order_survives_an_edit_that_cuts_off_all() {
    let mut world = FlowWorld::new(CostMap::open(60, 60).unwrap());
    let goal = Goal::at(Cell::new(5, 5)).with_quality(Quality::Exact);
    let unit = Cell::new(55, 55);
    let order = world.order(goal, &[unit]).unwrap();
    world.tick(Budget::UNLIMITED);
    world.edit(CellRect::new(0, 50, 60, 1), Cost::WALL).unwrap();
    world.tick(Budget::UNLIMITED);
    assert_eq!(world.sample(&order, unit), Sample::Unreachable);
    assert_eq!(world.sample(&order, Cell::new(5, 5)), Sample::Arrived);
}

#[test]
fn unit_enclosed_on_its_path_goes_as_near_as_it_can() {
    let mut world = FlowWorld::new(CostMap::open(60, 20).unwrap());
    let goal = Goal::at(Cell::new(55, 5)).or_nearest();
    let order = world.order(goal, &[Cell::new(2, 5)]).unwrap();
    world.tick(Budget::UNLIMITED);
    for x in [20, 40] {
        world.edit(CellRect::new(x, 0, 1, 20), Cost::WALL).unwrap();
    }
    let mut unit = Cell::new(25, 5);
    for _ in 0..60 {
        world.tick(Budget::UNLIMITED);
        match world.sample(&order, unit) {
            Sample::Go(way) => unit = unit.step(way),
            Sample::OffRoute => world.cover(&order, unit).unwrap(),
            Sample::Arrived => break,
            other => panic!("{other:?} at {unit}"),
        }
    }
    assert_eq!(unit, Cell::new(39, 5));
}

#[test]
fn way_out_of_a_wall_avoids_ground_that_is_cut_off() {
    // The nearest open ground lies to the west: a strip that is cut off.
    let mut map = Map::open(30, 1);
    map.fill(CellRect::new(17, 0, 1, 1), WALL);
    map.fill(CellRect::new(20, 0, 10, 1), WALL);
    let mut world = world_of(&map);
    let (goal, unit) = (Cell::new(3, 0), Cell::new(25, 0));
    let order = world.order(goal, &[unit]).expect("the goal is open");
    finish(&mut world);
    assert_eq!(world.sample(&order, unit), Sample::Unreachable);
    // With a second row there is a path around the strip, inside the wall.
    let mut map = Map::open(30, 12);
    map.fill(CellRect::new(17, 0, 13, 12), WALL);
    map.fill(CellRect::new(19, 0, 2, 2), 1);
    let mut world = world_of(&map);
    let unit = Cell::new(25, 1);
    let order = world.order(goal, &[unit]).expect("the goal is open");
    finish(&mut world);
    let left = leave_wall(&mut world, &order, &map, unit).expect("a way out");
    assert_eq!(left, Cell::new(16, 2));
    let walk = walk(&mut world, &order, &map, left);
    assert_eq!((walk.end, walk.last), (End::Arrived, goal));
}

#[test]
fn units_deep_in_a_wall_leave_it_within_the_budget() {
    let mut map = CostMap::open(700, 700).unwrap();
    map.edit(CellRect::new(5, 0, 690, 700), Cost::WALL).unwrap();
    let mut world = FlowWorld::new(map);
    let units: Vec<Cell> = (0..60)
        .map(|i| Cell::new(340 + i % 8, 300 + i / 8))
        .collect();
    let order = world.order(Cell::new(2, 2), &units).unwrap();
    let mut ticks = 0;
    loop {
        let progress = world.tick(Budget::cells(500));
        // The search reads one sector at a time.
        assert!(progress.cells <= 600, "{} cells", progress.cells);
        ticks += 1;
        if progress.waiting == 0 {
            break;
        }
    }
    assert!(ticks > 20, "{ticks}: the looks are counted");
    for &unit in &units {
        assert!(
            matches!(world.sample(&order, unit), Sample::Go(_)),
            "{unit}"
        );
    }
}

#[test]
fn unit_with_no_straight_way_out_finds_one_in_budget() {
    // A strip that is cut off lies before all the ground that is not.
    let mut map = Map::open(900, 40);
    map.fill(CellRect::new(5, 0, 895, 40), WALL);
    map.fill(CellRect::new(8, 0, 1, 40), 1);
    let (goal, unit) = (Cell::new(2, 2), Cell::new(890, 20));
    let mut world = world_of(&map);
    let order = world.order(Goal::at(goal).or_nearest(), &[unit]).unwrap();
    let mut ticks = 0;
    loop {
        let progress = world.tick(Budget::cells(50));
        assert!(progress.cells <= 150, "{progress:?}");
        ticks += 1;
        if progress.waiting == 0 {
            break;
        }
    }
    assert!(ticks > 15, "{ticks}: two looks over 360 sectors");
    let left = leave_wall(&mut world, &order, &map, unit).expect("a way out");
    assert_eq!(left, Cell::new(8, 20));
    let walk = walk(&mut world, &order, &map, left);
    assert_eq!((walk.end, walk.last), (End::Arrived, Cell::new(8, 2)));
}

#[test]
fn far_gap_that_joins_a_nearer_cell_replans_the_order() {
    // The goal is in a wall between two corridors; the nearer one is cut off.
    let mut map = Map::open(60, 12);
    map.costs.fill(WALL);
    map.fill(CellRect::new(0, 7, 60, 1), 1);
    map.fill(CellRect::new(10, 4, 40, 1), 1);
    let (unit, goal) = (Cell::new(3, 7), Cell::new(10, 5));
    let mut world = world_of(&map);
    // A goal of two cells has no sides.
    let there = Goal::at(goal).or_at(goal, 0).or_nearest();
    let order = world.order(there, &[unit]).unwrap();
    assert_eq!(walk(&mut world, &order, &map, unit).last, Cell::new(10, 7));
    let gap = CellRect::new(50, 4, 1, 3);
    map.fill(gap, 1);
    world.edit(gap, Cost::OPEN).unwrap();
    finish(&mut world);
    assert_eq!(walk(&mut world, &order, &map, unit).last, Cell::new(10, 4));
}

#[test]
fn goals_of_thousands_of_islands_keep_to_the_budget() {
    // Rooms of three by three cells without a door.
    let mut map = Map::open(203, 163);
    let cells: Vec<Cell> = map.cells().collect();
    for &cell in cells
        .iter()
        .filter(|cell| cell.x % 4 == 3 || cell.y % 4 == 3)
    {
        map.set(cell, WALL);
    }
    let goal = Cell::new(119, 83);
    let rooms = (0..51).flat_map(|x| (0..41).map(move |y| Cell::new(4 * x + 1, 4 * y)));
    let units: Vec<Cell> = rooms.collect();
    assert!(units.len() > 2000);
    let worlds = [100, 777, u64::MAX].map(|slice| {
        let mut world = world_of(&map);
        // A goal of two cells has no sides.
        let goal = Goal::at(goal).or_at(goal, 0).or_nearest();
        let order = world.order(goal, &units).expect("always somewhere");
        assert!(
            units
                .iter()
                .all(|&unit| world.sample(&order, unit) == Sample::Waiting)
        );
        let mut ticks = 0;
        loop {
            let progress = world.tick(Budget::cells(slice));
            ticks += 1;
            let most = slice.saturating_add(100);
            assert!(progress.cells <= most, "{progress:?} of {slice}");
            if progress.waiting == 0 {
                break;
            }
        }
        assert!(slice > 1000 || ticks > 50, "{ticks} ticks of {slice}");
        (world, order)
    });
    for (world, _) in &worlds {
        assert_eq!(
            world.inspect().state_parts(),
            worlds[0].0.inspect().state_parts()
        );
    }
    for &unit in &units {
        let room = CellRect::new(unit.x - 1, unit.y, 3, 3);
        let end = nearest(&map, goal, |cell| room.contains(cell));
        for (world, order) in &worlds {
            assert_eq!(world.destination(order, unit), end, "from {unit}");
        }
    }
}

#[test]
fn goals_found_are_the_nearest_after_every_edit() {
    let (mut checked, mut moved) = (0, 0);
    for_drawn(55, &SIZES, 4, |map, rng| {
        let open = map.open_cells();
        if open.is_empty() {
            return;
        }
        let mut map = map.clone();
        let goal = rng.cell(&map);
        let units: Vec<Cell> = (0..4).map(|_| rng.pick(&open)).collect();
        let mut world = world_of(&map);
        let order = world
            .order(Goal::at(goal).or_nearest(), &units)
            .expect("always somewhere");
        let mut before = None;
        for _ in 0..12 {
            let side = rng.pick(&[1, 1, 3, 9]);
            let (area, cost) = (rng.area(&map, side), rng.pick(&[WALL, 1, 1]));
            map.fill(area, cost);
            world
                .edit(area, Cost::new(cost).expect("not 0"))
                .expect("on the map");
            for &unit in units.iter().filter(|&&unit| map.is_open(unit)) {
                assert_ne!(world.sample(&order, unit), Sample::Unreachable);
            }
            world.tick(Budget::cells(rng.pick(&[0, 30, 150, 400, 2000])));
            if rng.chance(60) {
                continue;
            }
            finish(&mut world);
            for &unit in units.iter().filter(|&&unit| map.is_open(unit)) {
                let walk = walk(&mut world, &order, &map, unit);
                let ends = ends(&map, &islands(&map), order.goal(), unit);
                assert!(
                    walk.end == End::Arrived && ends.contains(&walk.last),
                    "{unit} toward {goal} ends at {}, of {ends:?} on {map}",
                    walk.last
                );
                checked += 1;
                moved += usize::from(before.replace(walk.last) != Some(walk.last));
            }
        }
    });
    assert!(
        checked > 500 && moved > 200,
        "{checked} checked, {moved} moved"
    );
}

#[test]
fn goal_search_ends_however_often_the_map_changes() {
    // The unit's island is far from the goal, and a door near the goal is
    // opened and closed all the time.
    let mut map = Map::open(400, 30);
    map.fill(CellRect::new(300, 0, 1, 30), WALL);
    let mut world = world_of(&map);
    let (goal, unit) = (Cell::new(2, 2), Cell::new(390, 20));
    let order = world.order(Goal::at(goal).or_nearest(), &[unit]).unwrap();
    for turn in 0..2000 {
        let cost = if turn % 2 == 0 {
            Cost::WALL
        } else {
            Cost::OPEN
        };
        world.edit(CellRect::new(320, 10, 3, 3), cost).unwrap();
        world.tick(Budget::cells(20));
        if !world.inspect().loaded(&order).is_empty() {
            world.tick(Budget::UNLIMITED);
            assert_eq!(world.destination(&order, unit), Some(Cell::new(301, 2)));
            return;
        }
    }
    panic!("the order never comes about");
}

/// Returns a world of these rows, `#` for walls, and an order for the nearest
/// cell.
fn nearest_to(goal: (i32, i32), rows: &[&str], unit: (i32, i32)) -> (FlowWorld, Order) {
    let bytes = rows.iter().flat_map(|row| row.bytes());
    let costs: Vec<u8> = bytes.map(|b| if b == b'#' { WALL } else { 1 }).collect();
    let (width, height) = (rows[0].len() as u32, rows.len() as u32);
    let mut world = FlowWorld::new(CostMap::from_rows(width, height, &costs).expect("costs"));
    let goal = Goal::from(goal).or_nearest();
    let order = world.order(goal, &[unit.into()]).expect("any island");
    (world, order)
}

#[test]
fn islands_joined_during_their_search_have_one_goal() {
    let rows = [
        ".......#.................",
        ".#......#................",
        ".......#.................",
    ];
    let (mut world, order) = nearest_to((1, 1), &rows, (6, 2));
    let stray = Cell::new(9, 0);
    world.cover(&order, stray).expect("on the map");
    world
        .edit(CellRect::new(7, 2, 1, 1), Cost::OPEN)
        .expect("on the map");
    finish(&mut world);
    let goal = world.destination(&order, Cell::new(6, 2));
    assert!(goal.is_some() && goal == world.destination(&order, stray));
    let (loaded, _claims) = FlowWorld::load(&world.save()).expect("what was saved is loaded");
    assert_eq!(loaded.state_hash(), world.state_hash());
}

#[test]
fn island_joined_to_a_wider_one_gets_its_nearest_cell() {
    let rows = [
        "..........#..............#....",
        "..........#..............#....",
        ".........#...............#....",
    ];
    let (mut world, order) = nearest_to((28, 0), &rows, (3, 1));
    let unit = Cell::new(3, 1);
    finish(&mut world);
    assert_eq!(world.destination(&order, unit), Some(Cell::new(9, 0)));
    world
        .edit(CellRect::new(9, 2, 1, 1), Cost::OPEN)
        .expect("on the map");
    finish(&mut world);
    assert_eq!(world.destination(&order, unit), Some(Cell::new(24, 0)));
}

#[test]
fn unit_covered_after_an_aim_goes_to_the_new_goal() {
    let mut costs = CostMap::open(300, 300).expect("costs");
    costs
        .edit(CellRect::new(150, 0, 1, 300), Cost::WALL)
        .expect("on the map");
    let mut world = FlowWorld::new(costs);
    let (east, west) = (Cell::new(290, 290), Cell::new(5, 290));
    let mut order = world.order(east, &[Cell::new(200, 5)]).expect("one island");
    world.tick(Budget::cells(50));
    world
        .aim(&mut order, west, &[Cell::new(5, 5)])
        .expect("one island");
    for unit in [Cell::new(5, 5), Cell::new(90, 90)] {
        assert_eq!(world.sample(&order, unit), Sample::Waiting);
    }
    world.cover(&order, Cell::new(90, 90)).expect("on the map");
    finish(&mut world);
    for unit in [Cell::new(5, 5), Cell::new(90, 90)] {
        assert_eq!(world.destination(&order, unit), Some(west));
    }
    assert_eq!(world.sample(&order, Cell::new(200, 5)), Sample::Unreachable);
}
