//! Edits while orders are being planned: no order starves, none is planned
//! again without need, and none keeps a path that has become the longer one.

use crate::draws::draws;
use crate::oracle::draw::{Look, Rng, draw};
use crate::oracle::follow::{answers, assert_field, assert_legal, finish, world_of};
use crate::oracle::{Map, WALL, field, home_of};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, Order, Quality, Sample};

/// Returns a drawn map's world with orders on it.
fn orders_on(map: &Map, rng: &mut Rng, count: usize) -> (FlowWorld, Vec<(Order, Cell, Cell)>) {
    let mut world = world_of(map);
    let orders = (0..count).map(|_| {
        let goal = rng.open_cell(map).expect("open ground");
        let unit = rng.pick(&home_of(map, goal));
        let order = world.order(goal, &[unit]).expect("reachable");
        (order, unit, goal)
    });
    let orders = orders.collect();
    (world, orders)
}

#[test]
fn an_edit_every_tick_on_every_route_starves_no_order() {
    let mut rng = Rng::new(91);
    for round in 0..20 * draws() {
        let mut map = draw(Look::Caves, 90, 70, &mut rng);
        let (mut world, mut orders) = orders_on(&map, &mut rng, 6);
        let mut arrived = 0;
        for tick in 0..9000 {
            // A change near one unit after another.
            let near = orders[tick % orders.len()].1;
            let at = Cell::new(
                (near.x + rng.between(-12, 12)).clamp(0, 89),
                (near.y + rng.between(-12, 12)).clamp(0, 69),
            );
            if map.is_open(at)
                && orders
                    .iter()
                    .all(|&(_, unit, goal)| unit != at && goal != at)
            {
                let cost = rng.pick(&[1, 2, 3, 9]);
                map.set(at, cost);
                world.edit(at, Cost::new(cost).unwrap()).unwrap();
            }
            world.tick(Budget::cells(400));
            arrived = 0;
            for (order, unit, goal) in &mut orders {
                match world.sample(order, *unit) {
                    Sample::Go(way) => {
                        let next = unit.step(way);
                        assert!(map.step(*unit, next).is_some(), "{unit} {way} on {map}");
                        *unit = next;
                    }
                    Sample::OffRoute => world.cover(order, *unit).unwrap(),
                    Sample::Arrived => assert_eq!(unit, goal),
                    Sample::Waiting => {}
                    other => panic!("{other:?} at {unit}"),
                }
                arrived += usize::from(unit == goal);
            }
            if arrived == orders.len() {
                break;
            }
        }
        assert_eq!(arrived, orders.len(), "round {round} on {map}");
    }
}

#[test]
fn edit_far_from_an_order_leaves_it_unchanged() {
    let map = Map::open(200, 200);
    let mut world = world_of(&map);
    let order = world.order(Cell::new(190, 5), &[Cell::new(5, 5)]).unwrap();
    finish(&mut world);
    let (before, loaded) = (
        answers(&world, &order, &map),
        world.inspect().loaded(&order),
    );
    for (x, y) in [(100, 100), (5, 190), (77, 60)] {
        let wall = world.edit(CellRect::new(x, y, 9, 9), Cost::WALL).unwrap();
        assert_eq!(
            (wall.orders, world.inspect().stats().waiting),
            (0, 0),
            "a wall at {x}, {y}"
        );
        let gone = world.edit(CellRect::new(x, y, 9, 9), Cost::OPEN).unwrap();
        assert_eq!(
            (gone.orders, world.inspect().stats().waiting),
            (0, 0),
            "gone from {x}, {y}"
        );
    }
    assert!(before == answers(&world, &order, &map));
    assert_eq!(loaded, world.inspect().loaded(&order));
    // An edit on the route does affect the order.
    assert_eq!(world.edit(Cell::new(100, 5), Cost::WALL).unwrap().orders, 1);
}

#[test]
fn shorter_path_opened_far_from_the_route_is_taken() {
    let mut map = Map::open(200, 120);
    map.fill(CellRect::new(100, 0, 2, 110), WALL);
    let (unit, goal) = (Cell::new(5, 5), Cell::new(195, 5));
    let mut world = world_of(&map);
    let order = world.order(goal, &[unit]).unwrap();
    finish(&mut world);
    let cost = |world: &FlowWorld| world.cost_to_go(&order, unit);
    assert_eq!(cost(&world), field(&map, goal, 0)[map.id(unit)]);
    let gap = CellRect::new(100, 50, 2, 3);
    map.fill(gap, 1);
    assert_eq!(world.edit(gap, Cost::OPEN).unwrap().orders, 1);
    finish(&mut world);
    assert_eq!(cost(&world), field(&map, goal, 0)[map.id(unit)]);
}

#[test]
fn edits_during_the_work_leave_an_exact_field() {
    let mut rng = Rng::new(92);
    for look in [Look::Open, Look::Caves, Look::Rooms, Look::Terrain] {
        for _ in 0..4 * draws() {
            let mut map = draw(look, 64, 47, &mut rng);
            let (mut world, orders) = orders_on(&map, &mut rng, 3);
            for _ in 0..40 {
                let side = rng.pick(&[1, 1, 3, 8]);
                let area = rng.area(&map, side);
                let spared = |&(_, unit, goal): &(Order, Cell, Cell)| {
                    !area.contains(unit) && !area.contains(goal)
                };
                if orders.iter().all(spared) {
                    let cost = rng.pick(&[WALL, 1, 7]);
                    map.fill(area, cost);
                    world.edit(area, Cost::new(cost).unwrap()).unwrap();
                }
                let cells = rng.below(1200) as u64;
                world.tick(Budget::cells(cells));
                for (order, ..) in &orders {
                    assert_legal(&world, order, &map);
                }
            }
            finish(&mut world);
            for (order, unit, goal) in &orders {
                assert_field(&world, order, &map, *goal, 0);
                let reached = field(&map, *goal, 0)[map.id(*unit)].is_some();
                let led = world.sample(order, *unit);
                assert_eq!(
                    matches!(led, Sample::Go(_) | Sample::Arrived),
                    reached,
                    "{led:?} at {unit}, goal {goal}, on {map}"
                );
            }
        }
    }
}

#[test]
fn exact_order_takes_edits_beside_its_loaded_sectors() {
    let mut rng = Rng::new(95);
    for round in 0..50 * draws() {
        let mut map = draw(Look::Open, 64, 47, &mut rng);
        let mut world = world_of(&map);
        let (goal, unit) = (rng.cell(&map), rng.cell(&map));
        let exact = Goal::at(goal).with_quality(Quality::Exact);
        let order = world.order(exact, &[unit]).expect("open ground");
        for _ in 0..40 {
            // Hard ground on the path makes the region grow around it.
            let at = rng.area(&map, 6);
            let cost = rng.pick(&[WALL, WALL, 90]);
            if !at.contains(goal) && !at.contains(unit) {
                map.fill(at, cost);
                world.edit(at, Cost::new(cost).unwrap()).unwrap();
            }
            world.tick(Budget::cells(rng.pick(&[100, 200, 500])));
            assert_legal(&world, &order, &map);
        }
        finish(&mut world);
        assert_legal(&world, &order, &map);
        assert!(world.inspect().stats().waiting == 0, "round {round}");
    }
}

#[test]
fn strays_covered_tick_by_tick_are_loaded_together() {
    let mut world = world_of(&Map::open(600, 300));
    let order = world
        .order(Cell::new(590, 150), &[Cell::new(5, 150)])
        .unwrap();
    let mut first = 0;
    let led = |world: &FlowWorld, cell| {
        let sample = world.sample(&order, cell);
        matches!(sample, Sample::Go(_))
    };
    while !led(&world, Cell::new(5, 150)) {
        first += world.tick(Budget::cells(500)).cells;
    }
    // One unit strays in every tick, each to another sector; loading for one
    // takes many ticks.
    let (mut worked, mut ticks) = (0, 0);
    for stray in 0..60 {
        let cell = Cell::new(5 + 9 * stray, 155 + 2 * stray);
        world.cover(&order, cell).unwrap();
        worked += world.tick(Budget::cells(500)).cells;
        ticks += 1;
    }
    while world.inspect().stats().waiting > 0 {
        worked += world.tick(Budget::cells(500)).cells;
        ticks += 1;
    }
    assert!(first > 5000 && ticks > 60, "{first} cells, {ticks} ticks");
    assert!(
        worked < 20 * first,
        "{worked} cells for sixty strays, {first} for one unit"
    );
    for stray in 0..60 {
        let cell = Cell::new(5 + 9 * stray, 155 + 2 * stray);
        assert!(led(&world, cell), "{cell}");
    }
}

#[test]
fn strays_keep_ticks_short_and_are_served_once() {
    let mut world = world_of(&Map::open(400, 400));
    let order = world
        .order(Cell::new(390, 200), &[Cell::new(5, 200)])
        .unwrap();
    finish(&mut world);
    let strays = |turn: i32| (0..200).map(move |i| Cell::new(2 * i, (7 * i + 40 * turn) % 400));
    let mut worked = [0, 0];
    for (again, worked) in (0..).zip(&mut worked) {
        for turn in 0..10 {
            for stray in strays(turn) {
                world.cover(&order, stray).unwrap();
            }
            let progress = world.tick(Budget::cells(500));
            assert!(
                progress.cells <= 600 && progress.waiting <= 1,
                "{progress:?}"
            );
            *worked += progress.cells;
        }
        while world.inspect().stats().waiting > 0 {
            *worked += world.tick(Budget::cells(500)).cells;
        }
        let led = |stray| world.destination(&order, stray) == Some(Cell::new(390, 200));
        assert!((0..10).flat_map(strays).all(led), "round {again}");
    }
    assert!(worked[0] > 5000 && worked[1] == 0, "{worked:?}");
}

#[test]
fn a_search_ends_however_many_units_join_it() {
    let mut rng = Rng::new(97);
    let map = draw(Look::Rooms, 500, 400, &mut rng);
    let home = home_of(&map, rng.open_cell(&map).expect("open ground"));
    let (goal, unit) = (home[0], home[home.len() - 1]);
    let ticks_with = |strays: &[Cell]| {
        let mut world = world_of(&map);
        let order = world.order(goal, &[unit]).expect("one island");
        let mut strays = strays.iter();
        for tick in 0.. {
            let progress = world.tick(Budget::cells(60));
            assert!(progress.cells <= 160, "{progress:?}");
            if world.sample(&order, unit) != Sample::Waiting {
                return tick;
            }
            if let Some(&stray) = strays.next() {
                world.cover(&order, stray).expect("on the map");
            }
        }
        0
    };
    let strays: Vec<Cell> = (0..5000).map(|_| rng.pick(&home)).collect();
    let (alone, beset) = (ticks_with(&[]), ticks_with(&strays));
    assert!(alone > 200, "{alone}");
    // Strays that come before the search has begun are served together with the
    // unit; all others wait until its path is found.
    assert!(
        beset < 3 * alone,
        "{beset} ticks with strays, {alone} without"
    );
}

#[test]
fn flickering_goal_cell_keeps_no_unit_from_the_others() {
    let mut map = Map::open(300, 200);
    for wall in 1..6 {
        let open_end = if wall % 2 == 0 { 0 } else { 10 };
        map.fill(CellRect::new(50 * wall, open_end, 3, 190), WALL);
    }
    let area = CellRect::new(280, 90, 8, 8);
    for (every, nearest) in [(1, false), (10, true), (37, false)] {
        let mut world = world_of(&map);
        let goal = Goal::within(area).expect("small");
        let goal = if nearest { goal.or_nearest() } else { goal };
        let mut unit = Cell::new(5, 5);
        let order = world.order(goal, &[unit]).expect("reachable");
        for tick in 0..6000 {
            let parked = Cell::new(283, 93);
            match tick % (2 * every) {
                0 => _ = world.block(parked).expect("on the map"),
                at if at == every => _ = world.unblock(parked).expect("it is blocked"),
                _ => {}
            }
            world.tick(Budget::cells(1000));
            match world.sample(&order, unit) {
                Sample::OffRoute => world.cover(&order, unit).expect("on the map"),
                Sample::Arrived => break,
                sample => unit = sample.direction().map_or(unit, |way| unit.step(way)),
            }
        }
        assert!(
            area.contains(unit),
            "{unit}, with a toggle every {every} ticks"
        );
    }
}
