//! Thousands of drawn maps: loaded values are exact, every step descends, and
//! reachable means reached.

use crate::oracle::draw::{Rng, SIZES, for_drawn};
use crate::oracle::follow::{End, assert_field, finish, walk, world_of};
use crate::oracle::{Map, WALL, field, home_of, sector_of};
use flowtiles::{Cell, CellRect, Goal, Quality, Sample, Sector};

/// Draws maps of every look and size with an open goal: many small ones, few
/// large.
fn for_drawn_goals(salt: u64, mut check: impl FnMut(&Map, Cell, &mut Rng)) {
    let mut checked = 0;
    for size in SIZES {
        let each = (6000 / (size.0 * size.1)).clamp(2, 12) as u64;
        for_drawn(salt, &[size], each, |map, rng| {
            if let Some(goal) = rng.open_cell(map) {
                check(map, goal, rng);
                checked += 1;
            }
        });
    }
    assert!(checked > 100, "only {checked} maps have a goal");
}

/// Returns cells that reach the goal, now and then the goal itself.
fn units_for(map: &Map, goal: Cell, count: usize, rng: &mut Rng) -> Vec<Cell> {
    let home = home_of(map, goal);
    (0..count).map(|_| rng.pick(&home)).collect()
}

#[test]
fn what_is_loaded_equals_a_dijkstra_inside_it() {
    for_drawn_goals(1, |map, goal, rng| {
        let mut world = world_of(map);
        let count = rng.between(1, 4) as usize;
        let units = units_for(map, goal, count, rng);
        let start = rng.pick(&[0, 1, 70_000, 1 << 33]);
        let goal_at = Goal::at(goal).with_start_cost(start);
        let order = world
            .order(goal_at, &units)
            .expect("all can reach the goal");
        finish(&mut world);
        assert_field(&world, &order, map, goal, start);
        for unit in units {
            assert!(
                world.cost_to_go(&order, unit).is_some(),
                "the unit at {unit} is covered on {map}"
            );
        }
    });
}

#[test]
fn a_walk_ends_at_the_goal_for_just_its_cost_to_go() {
    for_drawn_goals(2, |map, goal, rng| {
        let mut world = world_of(map);
        let units = units_for(map, goal, 3, rng);
        let order = world.order(goal, &units).expect("all can reach it");
        finish(&mut world);
        let whole = field(map, goal, 0);
        for unit in units {
            let to_go = world.cost_to_go(&order, unit);
            let walk = walk(&mut world, &order, map, unit);
            assert_eq!(
                (walk.end, walk.last),
                (End::Arrived, goal),
                "from {unit} on {map}"
            );
            assert_eq!(
                walk.strayed, 0,
                "a covered unit stays on the route, on {map}"
            );
            assert_eq!(to_go, Some(walk.price), "from {unit} on {map}");
            assert!(
                Some(walk.price) >= whole[map.id(unit)],
                "better than the best on {map}"
            );
        }
    });
}

#[test]
fn reached_means_reachable_for_every_kind_of_unit() {
    for_drawn_goals(3, |map, goal, rng| {
        let mut world = world_of(map);
        let home = units_for(map, goal, 1, rng);
        let order = world.order(goal, &home).expect("all can reach it");
        let whole = field(map, goal, 0);
        let open = map.open_cells();
        let units: Vec<Cell> = (0..6).map(|_| rng.pick(&open)).collect();
        let reachable = |unit: Cell| whole[map.id(unit)].is_some();
        for &unit in &units {
            let context = format!("{unit} to {goal} on {map}");
            assert_eq!(world.reachable(unit, goal), reachable(unit), "{context}");
            assert_eq!(world.reachable(goal, unit), reachable(unit), "{context}");
            let at_once = world.sample(&order, unit) == Sample::Unreachable;
            assert_eq!(at_once, !reachable(unit), "before any tick, {context}");
        }
        for unit in units {
            let walk = walk(&mut world, &order, map, unit);
            let expected = if reachable(unit) {
                (End::Arrived, goal)
            } else {
                (End::Unreachable, unit)
            };
            assert_eq!((walk.end, walk.last), expected, "{unit} to {goal} on {map}");
        }
        finish(&mut world);
        assert_field(&world, &order, map, goal, 0);
    });
}

#[test]
fn stray_far_off_the_route_is_led_to_the_goal() {
    for_drawn_goals(4, |map, goal, rng| {
        let mut world = world_of(map);
        let order = world.order(goal, &[goal]).expect("all can reach it");
        finish(&mut world);
        assert_eq!(
            world.inspect().loaded(&order),
            [sector_of(goal)],
            "no more than is needed"
        );
        for unit in units_for(map, goal, 2, rng) {
            world.cover(&order, unit).unwrap();
            finish(&mut world);
            let to_go = world.cost_to_go(&order, unit);
            let walk = walk(&mut world, &order, map, unit);
            assert_eq!(
                (walk.end, Some(walk.price)),
                (End::Arrived, to_go),
                "on {map}"
            );
        }
        assert_field(&world, &order, map, goal, 0);
    });
}

#[test]
fn one_order_for_many_units_equals_many_covers() {
    // The same units in one call, or added one after another: both orders are
    // exact in what they load, and bring all units to the goal.
    for_drawn_goals(5, |map, goal, rng| {
        let units = units_for(map, goal, 5, rng);
        let (mut at_once, mut by_turns) = (world_of(map), world_of(map));
        let first = at_once.order(goal, &units).expect("all can reach it");
        let second = by_turns.order(goal, &units[..1]).expect("all can reach it");
        for &unit in &units[1..] {
            by_turns.cover(&second, unit).unwrap();
            finish(&mut by_turns);
        }
        finish(&mut at_once);
        assert_field(&at_once, &first, map, goal, 0);
        assert_field(&by_turns, &second, map, goal, 0);
    });
}

#[test]
fn a_field_of_everywhere_is_the_whole_maps_dijkstra() {
    for_drawn_goals(9, |map, goal, rng| {
        let mut world = world_of(map);
        let goal_at = Goal::at(goal).with_quality(Quality::Everywhere);
        let order = world.order(goal_at, &[]).expect("it is open");
        finish(&mut world);
        assert_field(&world, &order, map, goal, 0);
        let home = home_of(map, goal);
        let of_home = |sector: &Sector| home.iter().any(|&cell| sector_of(cell) == *sector);
        let mut sectors = map.sectors();
        sectors.retain(of_home);
        assert_eq!(
            world.inspect().loaded(&order),
            sectors,
            "goal {goal} on {map}"
        );
        let best = field(map, goal, 0);
        for cell in map.open_cells() {
            let to_go = best[map.id(cell)];
            assert_eq!(world.cost_to_go(&order, cell), to_go, "{cell} on {map}");
        }
        let cell = rng.open_cell(map).expect("the goal");
        world.cover(&order, cell).expect("on the map");
        assert_eq!(
            world.inspect().stats().waiting,
            0,
            "all is loaded: {cell} on {map}"
        );
    });
}

#[test]
fn an_order_to_units_all_over_the_map_loads_all_of_it() {
    let mut map = Map::open(200, 150);
    map.fill(CellRect::new(60, 20, 3, 100), WALL);
    let goal = Cell::new(100, 77);
    let units = |step: usize| -> Vec<Cell> {
        let open = map.open_cells().into_iter();
        open.filter(|cell| cell.x % 20 == 7 && cell.y % 20 == 7)
            .step_by(step)
            .collect()
    };
    let mut world = world_of(&map);
    let few = world.order(goal, &units(4)).expect("reachable");
    let beside = Cell::new(100, 78);
    let many = world.order(beside, &units(1)).expect("reachable");
    finish(&mut world);
    assert!(
        world.inspect().route(&many).is_empty(),
        "there was no search"
    );
    assert_eq!(
        world.inspect().loaded(&many).len(),
        world.inspect().stats().sectors
    );
    assert!(world.inspect().loaded(&few).len() < world.inspect().stats().sectors);
    assert_field(&world, &many, &map, beside, 0);
}
