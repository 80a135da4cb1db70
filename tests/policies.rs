//! Drawn maps, goals and units anywhere: walls and other islands included.

mod oracle;

use flowtiles::{
    Budget, Cell, Cost, CostMap, FlowWorld, Goal, Order, OrderError, Quality, Rect, Sample,
};
use oracle::draw::for_drawn;
use oracle::follow::{End, finish, walk, world_of};
use oracle::{Map, islands};

const SIZES: [(i32, i32); 6] = [(1, 9), (9, 9), (11, 21), (25, 14), (33, 58), (64, 41)];

/// The price over open ground.
fn apart(a: Cell, b: Cell) -> i32 {
    let (dx, dy) = ((a.x - b.x).abs(), (a.y - b.y).abs());
    7 * dx.min(dy) + 5 * (dx - dy).abs()
}

/// The cell nearest to another for which `wanted` holds, among equals the one
/// first in the map's rows.
fn nearest(map: &Map, to: Cell, wanted: impl Fn(Cell) -> bool) -> Option<Cell> {
    let open = map.open_cells().into_iter();
    open.filter(|&cell| wanted(cell))
        .min_by_key(|&cell| (apart(cell, to), map.id(cell)))
}

#[test]
fn the_nearest_policy_ends_at_the_nearest_cell_of_each_units_island() {
    let mut moved = 0;
    for_drawn(51, &SIZES, 6, |map, rng| {
        let islands = islands(map);
        let open = map.open_cells();
        if open.is_empty() {
            return;
        }
        let goal = rng.cell(map);
        let units: Vec<Cell> = (0..3).map(|_| rng.pick(&open)).collect();
        let mut world = world_of(map);
        let order = world
            .order(Goal::at(goal).or_nearest(), &units)
            .expect("always somewhere");
        for unit in units {
            let home = islands[map.id(unit)];
            let end = nearest(map, goal, |cell| islands[map.id(cell)] == home);
            let walk = walk(&mut world, &order, map, unit);
            assert_eq!(
                (walk.end, Some(walk.last)),
                (End::Arrived, end),
                "{unit} toward {goal} on {map}"
            );
            moved += usize::from(walk.last != goal);
        }
    });
    assert!(moved > 200, "only {moved} goals were moved");
}

#[test]
fn a_strict_goal_is_taken_or_refused_by_the_islands_alone() {
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
        if world.stats().orders == 1 {
            taken += 1;
        } else {
            refused += 1;
        }
    });
    assert!(
        taken > 50 && refused > 50,
        "{taken} taken, {refused} refused"
    );
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
            Sample::Arrived => panic!("arrived in a wall at {here} of {map}"),
            Sample::Unreachable => return None,
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
            islands[map.id(cell)] == islands[map.id(goal)]
        });
        let left = leave_wall(&mut world, &order, map, unit).expect("some open cell");
        let context = format!("from the wall at {unit}, goal {goal}, on {map}");
        if world.sample(&order, left) == Sample::Unreachable {
            // Ground that is cut off lay in between.
            assert_ne!(islands[map.id(left)], islands[map.id(goal)], "{context}");
            trapped += 1;
            return;
        }
        assert_eq!(Some(left), out, "{context}");
        let walk = walk(&mut world, &order, map, left);
        assert_eq!((walk.end, walk.last), (End::Arrived, goal), "{context}");
        assert_eq!(walk.strayed, 0, "it was promised, {context}");
        led += 1;
    });
    assert!(
        led > 200 && trapped * 5 < led,
        "{led} led out, {trapped} trapped"
    );
}

#[test]
fn an_exact_order_outlives_an_edit_that_cuts_off_all_its_units() {
    let mut world = FlowWorld::new(CostMap::open(60, 60).unwrap());
    let goal = Goal::at(Cell::new(5, 5)).with_quality(Quality::Exact);
    let unit = Cell::new(55, 55);
    let order = world.order(goal, &[unit]).unwrap();
    world.tick(Budget::UNLIMITED);
    world.edit(Rect::new(0, 50, 60, 1), Cost::WALL).unwrap();
    world.tick(Budget::UNLIMITED);
    assert_eq!(world.sample(&order, unit), Sample::Unreachable);
    assert_eq!(world.sample(&order, Cell::new(5, 5)), Sample::Arrived);
}

#[test]
fn a_unit_shut_in_on_its_way_is_sent_as_near_as_it_can_get() {
    let mut world = FlowWorld::new(CostMap::open(60, 20).unwrap());
    let goal = Goal::at(Cell::new(55, 5)).or_nearest();
    let order = world.order(goal, &[Cell::new(2, 5)]).unwrap();
    world.tick(Budget::UNLIMITED);
    for x in [20, 40] {
        world.edit(Rect::new(x, 0, 1, 20), Cost::WALL).unwrap();
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
