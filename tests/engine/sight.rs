//! Line of sight: the order names its goal exactly where the straight line is free and no
//! path costs less.

use super::links::{draw_link, field_with, jumps};
use crate::draws::draws;
use crate::oracle::draw::{Look, Rng, draw, for_drawn};
use crate::oracle::follow::{finish, world_of};
use crate::oracle::sight::sees;
use crate::oracle::{Map, WALL, field_within, home_of};
use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, Order, Quality};

fn goals_seen(world: &FlowWorld, order: &Order, map: &Map) -> Vec<Option<Cell>> {
    let cells = map.cells();
    cells.map(|cell| world.sees_goal(order, cell)).collect()
}

/// Counts the cells of which the order says that they see the goal; they must see it on the
/// map as it is.
fn assert_sight_told(world: &FlowWorld, order: &Order, map: &Map, goal: Cell) -> usize {
    let field = field_within(map, goal, 0, &world.inspect().loaded(order));
    let told = goals_seen(world, order, map);
    for (&seen, (&to_go, cell)) in told.iter().zip(field.iter().zip(map.cells())) {
        let right = seen.is_none() || seen == Some(goal) && sees(map, to_go, cell, goal);
        assert!(right, "{seen:?} from {cell}, goal {goal}, on {map}");
    }
    told.iter().flatten().count()
}

#[test]
fn goal_is_seen_only_where_the_line_is_free_and_best() {
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
    let (mut visible, mut far, mut dearer, mut shorter_by_link, mut hidden) = (0, 0, 0, 0, 0);
    for seed in 0..27 * draws() {
        let mut rng = Rng::new(91 << 32 | seed);
        let map = draw(rng.pick(&looks), 83, 64, &mut rng);
        let Some(goal) = rng.open_cell(&map) else {
            continue;
        };
        let mut world = world_of(&map);
        for _ in 0..rng.pick(&[0, 0, 3]) {
            let _ = world.add_link(draw_link(&map, &mut rng));
        }
        let jumps = jumps(&world);
        let quality = rng.pick(&[Quality::Corridor, Quality::Exact, Quality::Everywhere]);
        let home = home_of(&map, goal);
        let units = [(); 3].map(|()| rng.pick(&home));
        let start = rng.pick(&[0, 700]);
        let asked = Goal::at(goal).with_start_cost(start).with_quality(quality);
        let order = world.order(asked, &units).expect("they can reach it");
        finish(&mut world);
        let loaded = world.inspect().loaded(&order);
        let field = field_with(&map, &jumps, goal, 0, Some(&loaded));
        let plain = field_within(&map, goal, 0, &loaded);
        for cell in map.cells() {
            let to_go = world.cost_to_go(&order, cell);
            // A corridor does not lead through every link.
            let best = match quality {
                Quality::Corridor if !jumps.is_empty() => to_go.map(|to_go| to_go - start),
                _ => field[map.id(cell)],
            };
            let seen = sees(&map, best, cell, goal);
            let told = world.sees_goal(&order, cell);
            assert_eq!(told, seen.then_some(goal), "from {cell} on {map}");
            let away = (cell.x - goal.x).abs().max((cell.y - goal.y).abs());
            visible += usize::from(seen);
            far += usize::from(seen && away > 30);
            dearer += usize::from(seen && map.cost(cell) > map.cost(goal));
            shorter_by_link += usize::from(!seen && sees(&map, plain[map.id(cell)], cell, goal));
            hidden += usize::from(!seen && away < 10 && to_go.is_some());
        }
    }
    let counts = [visible, far, dearer, shorter_by_link, hidden];
    assert!(counts.iter().all(|&count| count > 3), "{counts:?}");
}

#[test]
fn on_open_ground_all_see_the_goal() {
    for cost in [1, 4, 254] {
        let mut map = Map::open(700, 30);
        map.fill(CellRect::new(0, 0, 700, 30), cost);
        let goal = Cell::new(14, 11);
        let mut world = world_of(&map);
        let order = world.order(Goal::at(goal).with_quality(Quality::Everywhere), &[]);
        let order = order.expect("open ground");
        finish(&mut world);
        for cell in map.cells() {
            assert_eq!(world.sees_goal(&order, cell), Some(goal), "{cell}");
        }
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
    assert!(before > 3_000 && after > 1_500, "{before} and {after}");
}

#[test]
fn reaimed_order_shows_no_unit_its_former_goal() {
    let map = Map::open(60, 40);
    let mut world = world_of(&map);
    let (old, new, unit) = (Cell::new(50, 30), Cell::new(8, 33), Cell::new(30, 20));
    let mut order = world.order(old, &[unit]).unwrap();
    finish(&mut world);
    assert!(assert_sight_told(&world, &order, &map, old) > 100);
    world.aim(&mut order, new, &[unit]).unwrap();
    assert!(world.sample(&order, unit).direction().is_some());
    assert_eq!(assert_sight_told(&world, &order, &map, new), 0);
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
    assert_eq!(goals_seen(&world, &order, &map), [None; 50 * 30]);
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
