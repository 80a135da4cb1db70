//! Links: single cases, each of which was wrong once.

use crate::oracle::Map;
use crate::oracle::follow::{finish, world_of};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Link, Movement, Order, Quality, Sample,
};

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

fn west_with_a_rock() -> (FlowWorld, Order, Cell) {
    let mut map = Map::open(1100, 100);
    map.fill(CellRect::new(0, 0, 60, 100), 10);
    map.fill(CellRect::new(30, 20, 10, 60), 255);
    let mut world = world_of(&map);
    world
        .add_link(Link::new(cell(25, 95), cell(1000, 40)))
        .unwrap();
    let unit = cell(25, 5);
    let order = world.order(cell(1000, 45), &[unit]).unwrap();
    finish(&mut world);
    (world, order, unit)
}

#[test]
fn a_loaded_order_still_gains_through_links() {
    let (mut world, order, unit) = west_with_a_rock();
    let (mut loaded, orders) = FlowWorld::load(&world.save()).unwrap();
    let road = CellRect::new(31, 20, 2, 60);
    for world in [&mut world, &mut loaded] {
        world.edit(road, Cost::OPEN).unwrap();
        finish(world);
    }
    let (a, b) = (
        world.cost_to_go(&order, unit),
        loaded.cost_to_go(&orders[0], unit),
    );
    assert_eq!(a, b);
}

/// A patched tile and a link may make a circle.
#[test]
fn patched_tiles_and_links_make_no_circle() {
    let mut map = Map::open(60, 30);
    map.fill(CellRect::new(45, 0, 1, 30), 255);
    map.fill(CellRect::new(20, 0, 10, 10), 255);
    map.fill(CellRect::new(23, 3, 4, 4), 1);
    let mut world = world_of(&map);
    world.add_link(Link::new(cell(26, 6), cell(55, 5))).unwrap(); // L1: the way to the goal
    world
        .add_link(Link::new(cell(30, 5), cell(24, 4)).with_price(1))
        .unwrap(); // L2: into the pocket
    let unit = cell(38, 25);
    let order = world.order(cell(56, 20), &[unit]).unwrap();
    let mut circles = 0;
    for before in 0..500 {
        let (mut ahead, claims) = world.fork();
        for _ in 0..before {
            ahead.tick(Budget::cells(10));
        }
        ahead.edit(CellRect::new(27, 5, 3, 1), Cost::OPEN).unwrap();
        for _ in 0..600 {
            let order = &claims[0];
            for begin in [cell(24, 4), cell(30, 5), cell(32, 5)] {
                let mut at = begin;
                let mut steps = 0;
                loop {
                    at = match ahead.sample(order, at) {
                        Sample::Go(way) => at.step(way),
                        Sample::Link(link) => ahead.link(link).unwrap().end_of(at).unwrap(),
                        _ => break,
                    };
                    steps += 1;
                    if steps > 4000 {
                        circles += 1;
                        break;
                    }
                }
            }
            if ahead.tick(Budget::cells(10)).waiting == 0 {
                break;
            }
        }
    }
    let _ = order;
    assert_eq!(circles, 0);
}

/// Between an edit and the new plan a unit is sent into a link that is now a trap.
#[test]
fn no_unit_is_sent_into_a_link_with_no_way_out() {
    let mut map = Map::open(60, 40);
    map.fill(CellRect::new(30, 0, 1, 40), 255);
    let mut world = world_of(&map);
    let entry = cell(20, 10);
    world.add_link(Link::new(entry, cell(40, 10))).unwrap();
    world
        .add_link(Link::new(cell(20, 30), cell(40, 30)).with_price(200))
        .unwrap();
    let order = world.order(cell(55, 20), &[cell(5, 10)]).unwrap();
    finish(&mut world);
    assert!(matches!(world.sample(&order, entry), Sample::Link(_)));
    let ring = [
        (CellRect::new(38, 8, 5, 1), Cost::WALL),
        (CellRect::new(38, 12, 5, 1), Cost::WALL),
        (CellRect::new(38, 8, 1, 5), Cost::WALL),
        (CellRect::new(42, 8, 1, 5), Cost::WALL),
    ];
    world.edit_all(&ring).unwrap();
    let sample = world.sample(&order, entry);
    assert!(!matches!(sample, Sample::Link(_)));
}

/// A link that comes to matter since both its islands join the goal's, one by one.
#[test]
fn links_that_join_islands_to_the_goal_are_used() {
    let mut map = Map::open(300, 40);
    map.fill(CellRect::new(4, 21, 3, 3), 255);
    map.set(cell(5, 22), 1);
    map.fill(CellRect::new(172, 19, 3, 3), 255);
    map.set(cell(173, 20), 1);
    let mut world = world_of(&map);
    world
        .add_link(Link::new(cell(5, 22), cell(173, 20)).with_price(1))
        .unwrap();
    let unit = cell(5, 18);
    for quality in [Quality::Corridor, Quality::Exact, Quality::Everywhere] {
        let (mut world, _) = world.fork();
        let goal = Goal::at(cell(150, 20)).with_quality(quality);
        let order = world.order(goal.clone(), &[unit]).unwrap();
        finish(&mut world);
        world.edit(cell(5, 21), Cost::OPEN).unwrap();
        finish(&mut world);
        world.edit(cell(172, 20), Cost::OPEN).unwrap();
        finish(&mut world);
        let cost = world.cost_to_go(&order, unit);
        assert!(
            cost <= world.travel_cost(unit, cell(150, 20)),
            "{quality:?}"
        );
    }
}

/// A surcharge changes the path from the start, and units past a link keep their directions.
#[test]
fn surcharges_keep_directions_past_links() {
    let mut map = Map::open(200, 40);
    for x in [40, 140] {
        map.fill(CellRect::new(x, 0, 1, 40), 255);
    }
    map.fill(CellRect::new(40, 20, 101, 1), 255);
    let mut world = world_of(&map);
    let wary = world.add_layer(Movement::new()).unwrap();
    world
        .add_link(Link::new(cell(30, 10), cell(50, 10)))
        .unwrap(); // to M
    world
        .add_link(Link::new(cell(130, 10), cell(150, 10)))
        .unwrap(); // from M
    world
        .add_link(Link::new(cell(30, 30), cell(50, 30)).with_price(60))
        .unwrap(); // to N
    world
        .add_link(Link::new(cell(130, 30), cell(150, 30)).with_price(60))
        .unwrap();
    let goal = Goal::at(cell(160, 10)).on(wary);
    let order = world.order(goal, &[cell(5, 10)]).unwrap();
    finish(&mut world);
    let past = cell(100, 10);
    assert!(matches!(world.sample(&order, past), Sample::Go(_)));
    let guns = CellRect::new(60, 0, 20, 20);
    world.surcharge(wary, &[(guns, 200)]).unwrap();
    finish(&mut world);
    assert!(matches!(world.sample(&order, past), Sample::Go(_)));
}

/// An exact order keeps the directions of units on their way.
#[test]
fn surcharges_keep_directions_of_exact_orders() {
    for quality in [Quality::Corridor, Quality::Exact] {
        let mut map = Map::open(150, 150);
        map.fill(CellRect::new(70, 0, 3, 150), 255);
        map.fill(CellRect::new(70, 75, 3, 1), 1);
        map.fill(CellRect::new(70, 5, 3, 1), 1);
        let mut world = world_of(&map);
        let wary = world.add_layer(Movement::new()).unwrap();
        let goal = Goal::at(cell(140, 40)).on(wary).with_quality(quality);
        let order = world.order(goal, &[cell(2, 75)]).unwrap();
        finish(&mut world);
        let near = cell(62, 75);
        let guns = CellRect::new(70, 75, 3, 5);
        world.surcharge(wary, &[(guns, 200)]).unwrap();
        finish(&mut world);
        let then = world.sample(&order, near);
        assert!(then.direction().is_some(), "{quality:?}");
    }
}

/// Without links an order far from a door is not planned again for it.
#[test]
fn islands_joined_far_away_replan_no_order() {
    for side in [0, 1] {
        let mut map = Map::open(400, 400);
        map.fill(CellRect::new(200, 0, 1, 400), 255);
        let mut world = world_of(&map);
        let x = 20 + 210 * side;
        let order = world.order(cell(x + 15, 20), &[cell(x, 20)]).unwrap();
        finish(&mut world);
        let open = world.edit(cell(200, 390), Cost::OPEN).unwrap().orders;
        finish(&mut world);
        let shut = world.edit(cell(200, 390), Cost::WALL).unwrap().orders;
        assert_eq!((open, shut), (0, 0), "{order:?}");
    }
}

/// A link that cannot pay costs an order a look.
#[test]
fn links_far_off_leave_the_work_of_an_order_as_it_is() {
    let mut map = Map::open(900, 300);
    map.fill(CellRect::new(150, 40, 3, 260), 255);
    let mut work = [0, 40].map(|links| {
        let mut world = world_of(&map);
        for number in 0..links {
            let ends = [cell(400 + 5 * number, 150), cell(880, 10 + number)];
            world.add_link(Link::new(ends[0], ends[1])).unwrap();
        }
        let order = world.order(cell(250, 200), &[cell(20, 200)]).unwrap();
        let cells = world.tick(Budget::UNLIMITED).cells;
        drop(order);
        i64::try_from(cells).unwrap()
    });
    work[1] -= work[0];
    assert!(work[1] < work[0] / 10, "{work:?}");
}

#[test]
fn unit_at_a_link_s_exit_blocks_no_other_unit_s_path() {
    let mut map = Map::open(100, 40);
    map.fill(CellRect::new(0, 15, 45, 1), 255);
    map.fill(CellRect::new(50, 15, 10, 1), 255);
    let mut world = world_of(&map);
    world
        .add_link(Link::new(cell(15, 8), cell(55, 17)).with_price(1))
        .unwrap();
    let units = [cell(15, 12), cell(15, 17), cell(55, 17)];
    let order = world.order(cell(95, 17), &units).unwrap();
    finish(&mut world);
    world.cover(&order, units[1]).unwrap();
    finish(&mut world);
    for unit in units {
        assert!(world.cost_to_go(&order, unit).is_some(), "{unit}");
    }
}

#[test]
fn link_beyond_the_highest_column_has_no_end() {
    let link = Link::new(CellRect::new(0, 0, 10, 10), cell(i32::MAX, 0));
    assert_eq!(link.end_of(cell(5, 5)), None);
}

/// Whichever unit asks first, the directions on the loaded sectors are the best there.
#[test]
fn late_unit_takes_a_link_the_others_do_not_use() {
    let mut map = CostMap::open(10, 10).unwrap();
    map.edit(CellRect::new(4, 0, 2, 10), Cost::new(100).unwrap())
        .unwrap();
    let mut world = FlowWorld::new(map);
    world.add_link(Link::new(cell(8, 8), cell(1, 8))).unwrap();
    let (goal, late) = (cell(1, 1), cell(8, 8));
    let order = world.order(goal, &[cell(0, 0)]).unwrap();
    finish(&mut world);
    world.cover(&order, late).unwrap();
    finish(&mut world);
    assert_eq!(world.cost_to_go(&order, late), Some(40));
    assert_eq!(world.travel_cost(late, goal), Some(40));
}
