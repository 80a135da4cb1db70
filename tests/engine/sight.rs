//! Line of sight: every cell that answers `InSight` sees the goal, and near the goal
//! every cell that sees it answers `InSight`.

use std::collections::BTreeSet;

use crate::oracle::draw::{Look, Rng, draw, for_drawn};
use crate::oracle::follow::{finish, is_near, world_of};
use crate::oracle::sight::{is_straight_best, sees};
use crate::oracle::{Map, WALL, field_within, home_of};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, Order, Quality, Sample, Sector};

fn told(world: &FlowWorld, order: &Order, cell: Cell) -> bool {
    matches!(world.sample(order, cell), Sample::InSight(_))
}

fn loaded(world: &FlowWorld, order: &Order) -> BTreeSet<Sector> {
    world.inspect().loaded(order).into_iter().collect()
}

/// Counts the cells whose sample is in sight; the goal must be visible from all
/// of them, on the map as it is.
fn assert_sight_told(world: &FlowWorld, order: &Order, map: &Map, goal: Cell) -> usize {
    let sectors = loaded(world, order);
    let told = map.cells().filter(|&cell| told(world, order, cell));
    let seen = told.inspect(|&cell| {
        assert!(
            sees(map, &sectors, cell, goal),
            "{cell} does not see {goal} on {map}"
        );
        assert_eq!(world.goal_in_sight(order), Some(goal));
    });
    seen.count()
}

#[test]
fn sight_bit_is_set_only_in_view_and_always_near_the_goal() {
    let looks = [
        Look::Open,
        Look::Walls(1),
        Look::Walls(4),
        Look::Walls(15),
        Look::Rooms,
        Look::Terrain,
        Look::Roads,
        Look::Even(4),
    ];
    let (mut near, mut far, mut hidden) = (0, 0, 0);
    for seed in 0..60 {
        let mut rng = Rng::new(91 << 32 | seed);
        let map = draw(rng.pick(&looks), 83, 64, &mut rng);
        let Some(goal) = rng.open_cell(&map) else {
            continue;
        };
        let mut world = world_of(&map);
        let quality = rng.pick(&[Quality::Corridor, Quality::Exact, Quality::Everywhere]);
        let home = home_of(&map, goal);
        let units = [(); 3].map(|()| rng.pick(&home));
        let order = world.order(Goal::at(goal).with_quality(quality), &units);
        let order = order.expect("they can reach it");
        finish(&mut world);
        let sectors = loaded(&world, &order);
        let field = field_within(&map, goal, 0, &world.inspect().loaded(&order));
        for &cell in home.iter().filter(|&&cell| cell != goal) {
            let to_go = field[map.id(cell)];
            let seen =
                sees(&map, &sectors, cell, goal) && is_straight_best(&map, to_go, cell, goal);
            let told = told(&world, &order, cell);
            assert!(seen || !told, "{cell} does not see {goal} on {map}");
            assert!(
                told || !seen || !is_near(cell, goal),
                "{cell} sees {goal} on {map}"
            );
            near += usize::from(told && is_near(cell, goal));
            far += usize::from(told && !is_near(cell, goal));
            hidden += usize::from(!told && is_near(cell, goal));
        }
    }
    assert!(
        near > 5_000 && far > 5_000 && hidden > 2_000,
        "{near} {far} {hidden}"
    );
}

#[test]
fn on_open_ground_all_see_the_goal_up_to_32_sectors_away() {
    for cost in [1, 4, 254] {
        let mut map = Map::open(700, 30);
        map.fill(CellRect::new(0, 0, 700, 30), cost);
        let goal = Cell::new(14, 11);
        let mut world = world_of(&map);
        let order = world.order(Goal::at(goal).with_quality(Quality::Everywhere), &[]);
        let order = order.expect("open ground");
        finish(&mut world);
        for cell in map.cells().filter(|&cell| cell != goal) {
            let sectors = cell.x / 10 - goal.x / 10;
            assert_eq!(told(&world, &order, cell), sectors <= 32, "{cell}");
        }
    }
}

#[test]
fn where_a_road_is_cheaper_the_goal_is_not_in_sight() {
    let mut map = Map::open(90, 40);
    map.fill(CellRect::new(0, 0, 90, 40), 4);
    map.fill(CellRect::new(0, 15, 90, 2), 1);
    let goal = Cell::new(12, 20);
    let mut world = world_of(&map);
    let order = world.order(Goal::at(goal).with_quality(Quality::Everywhere), &[]);
    let order = order.expect("open ground");
    finish(&mut world);
    for (x, y, seen) in [
        (14, 22, true),
        (12, 39, true),
        (50, 20, false),
        (50, 39, false),
    ] {
        let cell = Cell::new(x, y);
        assert_eq!(told(&world, &order, cell), seen, "{cell}");
    }
}

#[test]
fn wall_between_unit_and_goal_ends_sight_at_once() {
    let (mut before, mut after) = (0, 0);
    for_drawn(92, &[(33, 28), (58, 33)], 2, |map, rng| {
        let mut map = map.clone();
        let Some(goal) = rng.open_cell(&map) else {
            return;
        };
        let home = home_of(&map, goal);
        let units = [(); 3].map(|()| rng.pick(&home));
        let mut world = world_of(&map);
        let quality = rng.pick(&[Quality::Corridor, Quality::Everywhere]);
        let order = world.order(Goal::at(goal).with_quality(quality), &units);
        let order = order.expect("they can reach it");
        for _ in 0..12 {
            finish(&mut world);
            before += assert_sight_told(&world, &order, &map, goal);
            for _ in 0..rng.between(1, 3) {
                let area = rng.area(&map, 3);
                let cost = rng.pick(&[WALL, WALL, 7, 1]);
                let is_goal = area.cells().any(|cell| cell == goal);
                if !is_goal {
                    map.fill(area, cost);
                    world.edit(area, Cost::new(cost).unwrap()).unwrap();
                }
                // At once, and while the order is being planned again.
                after += assert_sight_told(&world, &order, &map, goal);
                world.tick(Budget::cells(rng.pick(&[0, 60, 250])));
                after += assert_sight_told(&world, &order, &map, goal);
            }
        }
    });
    assert!(before > 10_000 && after > 5_000, "{before} and {after}");
}

#[test]
fn reaimed_order_shows_no_unit_its_former_goal_in_sight() {
    let map = Map::open(60, 40);
    let mut world = world_of(&map);
    let (old, new, unit) = (Cell::new(50, 30), Cell::new(8, 33), Cell::new(30, 20));
    let mut order = world.order(old, &[unit]).unwrap();
    finish(&mut world);
    assert!(assert_sight_told(&world, &order, &map, old) > 100);
    world.aim(&mut order, new, &[unit]).unwrap();
    assert!(world.sample(&order, unit).direction().is_some());
    assert_eq!(assert_sight_told(&world, &order, &map, new), 0);
    assert_eq!(world.goal_in_sight(&order), None);
    finish(&mut world);
    assert!(assert_sight_told(&world, &order, &map, new) > 100);
}

#[test]
fn order_with_several_goals_has_none_in_sight() {
    let map = Map::open(50, 30);
    let mut world = world_of(&map);
    let several = Goal::within(CellRect::new(20, 12, 2, 1)).unwrap();
    let order = world.order(several, &[Cell::new(3, 3)]).unwrap();
    finish(&mut world);
    assert!(!map.cells().any(|cell| told(&world, &order, cell)));
    assert_eq!(world.goal_in_sight(&order), None);
}

#[test]
fn what_is_in_sight_is_the_goal_that_was_found() {
    let mut map = Map::open(110, 70);
    // So deep in the wall that it does not stand for the cells around.
    map.fill(CellRect::new(20, 0, 90, 70), WALL);
    let mut world = world_of(&map);
    let goal = Goal::at(Cell::new(64, 34)).or_nearest();
    let order = world.order(goal, &[Cell::new(3, 3)]).unwrap();
    finish(&mut world);
    let found = world.destination(&order, Cell::new(3, 3)).unwrap();
    assert!(map.is_open(found));
    assert!(assert_sight_told(&world, &order, &map, found) > 50);
}
