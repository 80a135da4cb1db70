//! Strays: a unit off the loaded sectors gets a path by the same search, and
//! only the missing sectors are settled. The result equals that of settling all
//! of these sectors at once.

use crate::oracle::draw::{Look, Rng, draw, for_drawn};
use crate::oracle::follow::{End, answers, assert_field, finish, walk, world_of};
use crate::oracle::{Map, WALL, field};
use flowtiles::inspect::OrderStage;
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, Order, Quality, Sample};

/// Returns the orders of a world with their fields, computed from scratch over
/// the loaded sectors: a save contains no more than these.
fn from_nothing(world: &FlowWorld) -> (FlowWorld, Vec<Order>) {
    let (mut loaded, orders) = FlowWorld::load(&world.save()).expect("a good save");
    finish(&mut loaded);
    (loaded, orders)
}

#[test]
fn field_grown_by_strays_equals_one_made_at_once() {
    let sizes = [(11, 21), (25, 14), (33, 58), (90, 70)];
    let (mut grown, mut led) = (0, 0);
    for_drawn(140, &sizes, 3, |map, rng| {
        let Some(first) = rng.open_cell(map) else {
            return;
        };
        let mut goal = Goal::at(first);
        if rng.chance(50) {
            for _ in 0..rng.between(0, 3) {
                if let Some(more) = rng.open_cell(map) {
                    goal = goal.or_at(more, rng.between(0, 60) as u64);
                }
            }
        }
        if rng.chance(50) {
            goal = goal.or_nearest();
        }
        let mut world = world_of(map);
        let Ok(order) = world.order(goal, &[first]) else {
            return;
        };
        finish(&mut world);
        for _ in 0..5 {
            let before = world.inspect().loaded(&order);
            let Some(stray) = rng.open_cell(map) else {
                break;
            };
            world.cover(&order, stray).expect("on the map");
            if rng.chance(20) {
                // Another stray, while the sectors of the first are being
                // settled.
                world.tick(Budget::cells(rng.between(1, 400) as u64));
                world.cover(&order, rng.cell(map)).expect("on the map");
            }
            finish(&mut world);
            let after = world.inspect().loaded(&order);
            assert!(before.iter().all(|sector| after.contains(sector)));
            grown += usize::from(after.len() > before.len() && before.len() > 1);
            let (mut other, orders) = from_nothing(&world);
            assert_eq!(
                world.inspect().state_parts(),
                other.inspect().state_parts(),
                "{stray} on {map}"
            );
            assert_eq!(after, other.inspect().loaded(&orders[0]));
            assert!(answers(&world, &order, map) == answers(&other, &orders[0], map));
            if walk(&mut world, &order, map, stray).end == End::Arrived {
                led += 1;
                let there = walk(&mut other, &orders[0], map, stray);
                assert_eq!(there.end, End::Arrived, "{stray} on {map}");
            }
        }
    });
    assert!(grown > 30, "only {grown} fields grew");
    assert!(led > 50, "only {led} strays were led home");
}

/// Works on a world's only order until it is done, in small slices; returns the
/// work in cells, and the part of it spent on tiles.
fn count_work(world: &mut FlowWorld, order: &Order) -> (u64, u64) {
    let (mut worked, mut on_tiles) = (0, 0);
    loop {
        let stage = world.inspect().watch(order).stage();
        let progress = world.tick(Budget::cells(20));
        worked += progress.cells;
        if stage == OrderStage::Integrate {
            on_tiles += progress.cells;
        }
        if progress.waiting == 0 {
            return (worked, on_tiles);
        }
    }
}

/// Returns a map of hills, a world with a finished order for a long path on it,
/// and the work on its tiles, in cells.
fn long_way() -> (Map, FlowWorld, Order, u64) {
    let map = draw(Look::Terrain, 700, 260, &mut Rng::new(141));
    let mut world = world_of(&map);
    let near = |x: i32, y: i32| {
        let mut cells = (0..40).map(|i| Cell::new(x + i, y));
        let open = cells.find(|&cell| map.is_open(cell));
        open.expect("hills have open ground")
    };
    let order = world.order(near(5, 130), &[near(650, 130)]);
    let order = order.expect("open ground hangs together");
    let (_, on_tiles) = count_work(&mut world, &order);
    (map, world, order, on_tiles)
}

/// Returns an open cell some sectors away from the order's loaded ones, far
/// from its goal.
fn off_the_way(map: &Map, world: &FlowWorld, order: &Order) -> Cell {
    let last = *world
        .inspect()
        .loaded(order)
        .iter()
        .max_by_key(|sector| sector.x)
        .expect("some are loaded");
    let cells = (0..100).map(|i| Cell::new(10 * last.x - 40 + i % 10, 10 * last.y + 35 + i / 10));
    let mut cells = cells.filter(|&cell| map.is_open(cell));
    cells.next().expect("hills have open ground")
}

#[test]
fn only_the_sectors_that_a_stray_lacks_are_settled() {
    let (map, mut world, order, whole) = long_way();
    let tiles = world.inspect().loaded(&order).len() as u64;
    assert!(tiles > 60 && whole >= 100 * tiles, "{tiles}: {whole} cells");
    let stray = off_the_way(&map, &world, &order);
    world.cover(&order, stray).expect("on the map");
    let (all, on_tiles) = count_work(&mut world, &order);
    let more = world.inspect().loaded(&order).len() as u64 - tiles;
    println!("{whole} cells for {tiles} tiles; {on_tiles} of {all} for {more} more");
    assert!((2..30).contains(&more), "{more} tiles more");
    // The missing tiles, a few more that they improve, and twice the path back
    // from where they touch the others.
    assert!(
        on_tiles < 300 * more + 2 * 900,
        "{on_tiles} cells for a stray that lacks {more} tiles; {whole} for {tiles} before"
    );
    assert_eq!(walk(&mut world, &order, &map, stray).end, End::Arrived);
}

#[test]
fn a_stray_is_as_much_work_in_any_slices() {
    let worked = [u64::MAX, 1000, 333, 100, 7].map(|slice| {
        let (map, mut world, order, _) = long_way();
        let stray = off_the_way(&map, &world, &order);
        world.cover(&order, stray).expect("on the map");
        let mut worked = 0;
        while world.inspect().stats().waiting > 0 {
            let progress = world.tick(Budget::cells(slice));
            worked += progress.cells;
            assert!(progress.owed <= 120, "{} cells too many", progress.owed);
        }
        (worked, world.inspect().state_parts())
    });
    assert!(worked.iter().all(|one| *one == worked[0]), "{worked:?}");
}

#[test]
fn strays_before_and_after_an_edit_are_led_home() {
    for_drawn(142, &[(33, 58), (90, 70)], 6, |map, rng| {
        let mut map = map.clone();
        let Some(goal) = rng.open_cell(&map) else {
            return;
        };
        let mut world = world_of(&map);
        let order = world.order(goal, &[goal]).expect("it is open");
        finish(&mut world);
        for _ in 0..4 {
            let home = crate::oracle::home_of(&map, goal);
            world.cover(&order, rng.pick(&home)).expect("on the map");
            // During the search, the walks back or the settling.
            world.tick(Budget::cells(rng.between(0, 900) as u64));
            let area = rng.area(&map, 12);
            if area.cells().all(|cell| cell != goal) {
                let cost = rng.pick(&[1, 4, crate::oracle::WALL]);
                map.fill(area, cost);
                let cost = flowtiles::Cost::new(cost).expect("no zero");
                world.edit(area, cost).expect("on the map");
            }
            finish(&mut world);
            assert_field(&world, &order, &map, goal, 0);
            let (other, orders) = from_nothing(&world);
            assert_eq!(
                world.inspect().state_parts(),
                other.inspect().state_parts(),
                "on {map}"
            );
            assert!(answers(&world, &order, &map) == answers(&other, &orders[0], &map));
        }
    });
}

/// Gives an order around a wall and does more or less of its work; then calls
/// `edit` with the place of an edit, on the path or off it where the search has
/// been.
fn amid_the_work(map: &Map, unit: Cell, edit: impl Fn(&mut FlowWorld, &Order, Cell, &str)) {
    let goal = Cell::new(5, 50);
    for cells in (20..9000).step_by(170) {
        for (x, y) in [(95, 50), (60, 30), (60, 70), (110, 85), (99, 15), (160, 60)] {
            let mut world = world_of(map);
            let order = world.order(goal, &[unit]).expect("reachable");
            world.tick(Budget::cells(cells));
            let context = format!("after {cells} cells and an edit at {x}, {y}");
            edit(&mut world, &order, Cell::new(x, y), &context);
        }
    }
}

#[test]
fn stray_in_a_wall_is_led_out_despite_edits() {
    let mut map = Map::open(200, 100);
    map.fill(CellRect::new(100, 20, 2, 60), WALL);
    map.fill(CellRect::new(150, 85, 6, 6), WALL);
    let stray = Cell::new(152, 88);
    let two = Cost::new(2).expect("not 0");
    amid_the_work(&map, Cell::new(190, 50), |world, order, place, context| {
        world.cover(order, stray).expect("on the map");
        world.edit(place, two).expect("on the map");
        finish(world);
        let mut at = stray;
        for _ in 0..300 {
            at = match world.sample(order, at).direction() {
                Some(way) => at.step(way),
                None => break,
            };
        }
        assert_eq!(at, Cell::new(5, 50), "{context}");
    });
}

#[test]
fn stray_is_served_after_an_edit_of_searched_ground() {
    let mut map = Map::open(200, 100);
    map.fill(CellRect::new(100, 20, 2, 60), WALL);
    let stray = Cell::new(120, 90);
    let two = Cost::new(2).expect("not 0");
    amid_the_work(&map, Cell::new(190, 50), |world, order, place, context| {
        world.edit(place, two).expect("on the map");
        world.cover(order, stray).expect("on the map");
        finish(world);
        let led = world.sample(order, stray).direction();
        assert!(led.is_some(), "{context}");
    });
}

#[test]
fn a_unit_in_a_wall_is_led_when_the_wall_goes() {
    // The unit must leave the wall to the west; then the wall is removed.
    let mut map = Map::open(90, 40);
    let wall = CellRect::new(31, 1, 58, 38);
    map.fill(wall, WALL);
    let (goal, unit) = (Cell::new(3, 3), Cell::new(45, 22));
    let mut world = world_of(&map);
    let order = world.order(goal, &[unit]).expect("it is led out");
    finish(&mut world);
    world.edit(wall, Cost::OPEN).expect("on the map");
    finish(&mut world);
    let led = world.sample(&order, unit).direction();
    assert!(led.is_some(), "{:?}", world.sample(&order, unit));
}

#[test]
fn exact_orders_stay_exact_for_units_that_come_later() {
    let (mut asked, mut found_better) = (0, 0);
    for_drawn(143, &[(20, 20), (33, 58), (64, 41)], 60, |map, rng| {
        let open = map.open_cells();
        if open.is_empty() {
            return;
        }
        let (goal, first) = (rng.pick(&open), rng.pick(&open));
        let mut world = world_of(map);
        let exact = Goal::at(goal).with_quality(Quality::Exact);
        let Ok(order) = world.order(exact.clone(), &[first]) else {
            return;
        };
        finish(&mut world);
        let best = field(map, goal, 0);
        for _ in 0..4 {
            let later = rng.pick(&open);
            let before = world.cost_to_go(&order, later);
            // By either of the two ways in which units are added to an order.
            if rng.chance(50) {
                world.cover(&order, later).expect("on the map");
            } else if world.order(exact.clone(), &[later]).is_err() {
                continue;
            }
            finish(&mut world);
            let now = world.cost_to_go(&order, later);
            assert_eq!(now, best[map.id(later)], "{later} to {goal} on {map}");
            asked += 1;
            found_better += usize::from(before.is_some() && before != now);
        }
    });
    assert!(asked > 300, "only {asked} came later");
    assert!(found_better > 0, "no first answer fell short of the best");
}

#[test]
fn cut_off_unit_that_joins_waits_until_a_path_opens() {
    let mut map = Map::open(60, 30);
    map.fill(CellRect::new(30, 0, 1, 30), WALL);
    let (goal, near, cut_off) = (Cell::new(5, 15), Cell::new(20, 5), Cell::new(50, 20));
    let [joined, fresh] = [false, true].map(|fresh| {
        let mut world = world_of(&map);
        let order = if fresh {
            world.order(goal, &[near, cut_off]).expect("one can")
        } else {
            let order = world.order(goal, &[near]).expect("it can");
            finish(&mut world);
            let again = world.order(goal, &[near, cut_off]).expect("one can");
            assert_eq!(again, order, "it is one order with one goal");
            order
        };
        finish(&mut world);
        assert_eq!(world.sample(&order, cut_off), Sample::Unreachable);
        world
            .edit(Cell::new(30, 12), Cost::OPEN)
            .expect("on the map");
        finish(&mut world);
        (answers(&world, &order, &map), world.inspect().state_parts())
    });
    assert!(joined == fresh);
    assert!(joined.0[map.id(cut_off)].direction().is_some());
}
