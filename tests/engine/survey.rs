//! Surveyed worlds: searches take fewer portals and find paths of the same
//! cost, however the map has changed since the survey.

use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{finish, hold_field, hold_legal, world_of};
use crate::oracle::{Map, WALL, home_of};
use flowtiles::{Budget, Cell, Cost, FlowWorld, Rect};

const SIZES: [(i32, i32); 4] = [(21, 21), (33, 58), (137, 64), (160, 160)];

fn surveyed(map: &Map) -> FlowWorld {
    let mut world = world_of(map);
    assert!(!world.inspect().is_surveyed());
    world.survey();
    assert!(world.inspect().is_surveyed());
    world
}

/// Draws an edit that makes ground more expensive or cheaper, closes it or
/// opens it.
fn draw_edit(map: &Map, rng: &mut Rng) -> (Rect, u8) {
    let side = rng.pick(&[1, 1, 2, 4, 12]);
    let drawn = rng.between(2, 30) as u8;
    (rng.area(map, side), rng.pick(&[WALL, WALL, 1, 1, drawn]))
}

fn edit<const N: usize>(map: &mut Map, worlds: [&mut FlowWorld; N], (area, cost): (Rect, u8)) {
    map.fill(area, cost);
    for world in worlds {
        let cost = Cost::new(cost).expect("not 0");
        world.edit(area, cost).expect("on the map");
    }
}

#[test]
fn a_surveyed_search_finds_paths_of_the_same_cost() {
    let (mut plain_work, mut surveyed_work, mut lasted) = (0, 0, 0);
    for_drawn(91, &SIZES, 2, |map, rng| {
        let mut map = map.clone();
        let (mut plain, mut with) = (world_of(&map), surveyed(&map));
        for _ in 0..6 {
            for _ in 0..4 {
                let Some(goal) = rng.open_cell(&map) else {
                    continue;
                };
                let unit = rng.pick(&home_of(&map, goal));
                let of = |world: &mut FlowWorld| {
                    let found = world.find_route(unit, goal).expect("on the map");
                    let cost = found.map(|route| route.cost);
                    let order = world.order(goal, &[unit]).expect("reachable");
                    let work = world.tick(Budget::UNLIMITED).cells;
                    drop(order);
                    world.tick(Budget::cells(1));
                    (cost, work)
                };
                let (expected, found) = (of(&mut plain), of(&mut with));
                assert_eq!(found.0, expected.0, "from {unit} to {goal} on {map}");
                plain_work += expected.1;
                surveyed_work += found.1;
            }
            let drawn = draw_edit(&map, rng);
            edit(&mut map, [&mut plain, &mut with], drawn);
        }
        lasted += u32::from(with.inspect().is_surveyed());
    });
    assert!(surveyed_work < plain_work, "{surveyed_work}, {plain_work}");
    assert!(lasted > 50, "{lasted} surveys outlived the edits");
}

#[test]
fn an_order_on_its_way_meets_edits_and_surveys() {
    for_drawn(92, &SIZES, 2, |map, rng| {
        let mut map = map.clone();
        let Some(goal) = rng.open_cell(&map) else {
            return;
        };
        let home = home_of(&map, goal);
        let units: Vec<Cell> = (0..3).map(|_| rng.pick(&home)).collect();
        let mut with = surveyed(&map);
        let order = with.order(goal, &units).expect("reachable");
        for _ in 0..8 {
            with.tick(Budget::cells(rng.pick(&[20, 60, 300, 2000])));
            hold_legal(&with, &order, &map);
            let drawn = draw_edit(&map, rng);
            if !drawn.0.contains(goal) {
                edit(&mut map, [&mut with], drawn);
            }
            if rng.chance(20) {
                with.survey();
            }
            if rng.chance(30) {
                with.cover(&order, rng.pick(&home)).expect("on the map");
            }
        }
        finish(&mut with);
        hold_field(&with, &order, &map, goal, 0);
        let home = home_of(&map, goal);
        for unit in units.iter().filter(|unit| home.contains(unit)) {
            let cost = with.cost_to_go(&order, *unit);
            assert!(cost.is_some(), "{unit} to {goal} on {map}");
        }
    });
}

#[test]
fn buildings_that_come_and_go_leave_the_survey() {
    let mut map = Map::open(400, 400);
    for wall in 1..8 {
        let open_end = if wall % 2 == 0 { 0 } else { 10 };
        map.fill(Rect::new(open_end, 50 * wall, 390, 3), WALL);
    }
    let (mut plain, mut with) = (world_of(&map), surveyed(&map));
    let work = |world: &mut FlowWorld| {
        let order = world.order(Cell::new(200, 5), &[Cell::new(200, 395)]);
        let work = world.tick(Budget::UNLIMITED).cells;
        drop(order.expect("reachable"));
        world.tick(Budget::cells(1));
        work
    };
    let (long, short) = (work(&mut plain), work(&mut with));
    assert!(3 * short < 2 * long, "{short} for {long} cells");
    let mut rng = Rng::new(5);
    for _ in 0..60 {
        let place = Rect::new(rng.between(20, 370), rng.between(0, 390), 6, 6);
        let was: Vec<u8> = place.cells().map(|cell| map.cost(cell)).collect();
        with.edit(place, Cost::WALL).expect("on the map");
        with.edit_rows(place, &was).expect("on the map");
    }
    assert!(with.inspect().is_surveyed());
    let after = work(&mut with);
    assert!(3 * after < 2 * long, "{after} for {long} cells");
}
