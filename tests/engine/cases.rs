//! Maps drawn by hand, each for a fault seen in a real system.

use crate::oracle::draw::serpentine;
use crate::oracle::follow::{End, assert_field, finish, walk, world_of};
use crate::oracle::{Map, WALL, field, sector_of};
use flowtiles::error::OrderError;
use flowtiles::{Budget, Cell, CellRect, Cost, Goal, MAX_SIDE, Sample, Sector};

/// Orders one unit to the goal, walks it there, and checks the whole field.
/// Returns the cost of the walk.
fn walk_home(map: &Map, unit: Cell, goal: Cell) -> u64 {
    let mut world = world_of(map);
    let order = world.order(goal, &[unit]).expect("reachable");
    finish(&mut world);
    assert_field(&world, &order, map, goal, 0);
    let walk = walk(&mut world, &order, map, unit);
    assert_eq!((walk.end, walk.last, walk.strayed), (End::Arrived, goal, 0));
    walk.price
}

/// Returns the cost of the cheapest path on the whole map.
fn best(map: &Map, unit: Cell, goal: Cell) -> u64 {
    field(map, goal, 0)[map.id(unit)].expect("reachable")
}

#[test]
fn map_of_one_cell_takes_and_refuses_orders() {
    let mut map = Map::open(1, 1);
    let only = Cell::new(0, 0);
    assert_eq!(walk_home(&map, only, only), 0);
    let mut world = world_of(&map);
    assert_eq!(world.inspect().portal_graph().portals().count(), 0);
    assert!(world.reachable(only, only));
    assert!(world.order(Cell::new(1, 0), &[only]).is_err());
    map.set(only, WALL);
    let mut world = world_of(&map);
    let error = world.order(only, &[only]).expect_err("a wall");
    assert!(matches!(error, OrderError::GoalInWall { .. }), "{error:?}");
    assert!(
        world.order(Goal::at(only).or_nearest(), &[only]).is_err(),
        "nowhere to go"
    );
}

#[test]
fn thin_and_ragged_maps_are_crossed_end_to_end() {
    for (width, height) in [(1, 300), (300, 1), (2, 19), (10, 31), (11, 9), (65, 21)] {
        let map = Map::open(width, height);
        let (unit, goal) = (Cell::new(0, 0), Cell::new(width - 1, height - 1));
        assert_eq!(walk_home(&map, unit, goal), best(&map, unit, goal));
        assert_eq!(walk_home(&map, goal, unit), best(&map, goal, unit));
    }
}

#[test]
fn the_longest_map_is_walked_end_to_end() {
    for (width, height) in [(MAX_SIDE as i32, 1), (2, MAX_SIDE as i32)] {
        let map = Map::open(width, height);
        let (unit, goal) = (Cell::new(0, 0), Cell::new(width - 1, height - 1));
        let mut world = world_of(&map);
        let order = world.order(goal, &[unit]).unwrap();
        finish(&mut world);
        let walk = walk(&mut world, &order, &map, unit);
        assert_eq!((walk.end, walk.last), (End::Arrived, goal));
        let diagonals = u64::from(width > 1 && height > 1);
        let steps = width.max(height) as u64 - 1;
        assert_eq!(walk.price, 5 * (steps - diagonals) + 7 * diagonals);
    }
}

#[test]
fn serpentine_sector_of_cost_254_exceeds_16_bits() {
    let mut map = Map::open(10, 10);
    serpentine(&mut map, 254);
    let (unit, goal) = (Cell::new(9, 8), Cell::new(0, 0));
    let price = walk_home(&map, unit, goal);
    assert!(price > 65_535, "{price}");
    assert_eq!(price, best(&map, unit, goal));
}

#[test]
fn sector_with_a_spread_of_sixteen_bits_is_exact() {
    // The farthest cell has each of the values around 2¹⁶ − 1.
    for over_five in [13_106, 13_107, 13_108] {
        let mut map = Map::open(10, 10);
        serpentine(&mut map, 254);
        let (unit, goal) = (Cell::new(9, 9), Cell::new(0, 0));
        let price = |map: &Map| best(map, unit, goal) / 5;
        for x in 1..10 {
            let over = price(&map) - over_five;
            map.set(Cell::new(x, 0), 254 - over.min(253) as u8);
        }
        assert_eq!(price(&map), over_five);
        for start in [0, 1, 1 << 40] {
            let mut world = world_of(&map);
            let to = Goal::at(goal).with_start_cost(start);
            let order = world.order(to, &[unit]).unwrap();
            finish(&mut world);
            assert_field(&world, &order, &map, goal, start);
            let walk = walk(&mut world, &order, &map, unit);
            assert_eq!((walk.end, walk.price), (End::Arrived, 5 * over_five));
        }
    }
}

#[test]
fn crossings_over_16_bits_apart_keep_their_price() {
    let mut map = Map::open(10, 40);
    serpentine(&mut map, 254);
    let world = world_of(&map);
    let graph = world.inspect().portal_graph();
    let edges = graph.portals().flat_map(|portal| graph.edges(portal.id));
    let dearest = edges.map(|(_, edge)| edge.cost).max();
    assert!(dearest > Some(65_535), "{dearest:?}");
    let (unit, goal) = (Cell::new(0, 38), Cell::new(0, 0));
    for (from, to) in [(unit, goal), (goal, unit)] {
        assert_eq!(walk_home(&map, from, to), best(&map, from, to));
    }
}

#[test]
fn serpentine_sectors_in_a_row_keep_their_spread() {
    let mut map = Map::open(40, 30);
    serpentine(&mut map, 254);
    let (unit, goal) = (Cell::new(0, 28), Cell::new(39, 0));
    let price = walk_home(&map, unit, goal);
    assert!(price > 500_000, "{price}");
    assert_eq!(price, best(&map, unit, goal));
}

#[test]
fn a_long_path_passes_sixteen_bits_on_plain_ground() {
    // A serpentine of cost 1, wide enough that neighbouring lanes of one sector
    // are far apart along the path.
    let mut map = Map::open(400, 70);
    serpentine(&mut map, 1);
    let (unit, goal) = (Cell::new(0, 68), Cell::new(399, 0));
    let price = walk_home(&map, unit, goal);
    assert!(price > 65_535, "{price}");
    assert_eq!(price, best(&map, unit, goal));
}

#[test]
fn start_cost_over_32_bits_keeps_the_field_exact() {
    let mut map = Map::open(33, 27);
    map.fill(CellRect::new(12, 3, 2, 24), WALL);
    serpentine_block(&mut map, Cell::new(20, 10));
    for start in [65_530, (1 << 32) - 3, 5_000_000_000, 1 << 60] {
        let mut world = world_of(&map);
        let (unit, goal) = (Cell::new(0, 26), Cell::new(30, 20));
        let order = world
            .order(Goal::at(goal).with_start_cost(start), &[unit])
            .unwrap();
        finish(&mut world);
        assert_field(&world, &order, &map, goal, start);
        assert_eq!(world.cost_to_go(&order, goal), Some(start));
        let to_go = world.cost_to_go(&order, unit).unwrap();
        let walk = walk(&mut world, &order, &map, unit);
        assert_eq!((walk.end, walk.price), (End::Arrived, to_go - start));
    }
}

/// Places a sector of cost 254 with lanes in the middle of other ground.
fn serpentine_block(map: &mut Map, corner: Cell) {
    let mut block = Map::open(10, 10);
    serpentine(&mut block, 254);
    for cell in block.cells() {
        map.set(
            Cell::new(corner.x + cell.x, corner.y + cell.y),
            block.cost(cell),
        );
    }
}

#[test]
fn pockets_of_one_sector_are_told_apart() {
    // The sector in the middle has two pockets. Each is reached from another
    // side, and no path leads from one to the other inside the sector.
    let mut map = Map::open(30, 30);
    map.fill(CellRect::new(10, 15, 10, 1), WALL);
    map.fill(CellRect::new(0, 15, 10, 1), WALL);
    let (north, south) = (Cell::new(12, 14), Cell::new(12, 16));
    let price = walk_home(&map, north, south);
    assert!(price > 5 * 14, "around the wall: {price}");
    // A third pocket is closed.
    map.fill(CellRect::new(14, 17, 3, 3), WALL);
    map.set(Cell::new(15, 18), 1);
    let mut world = world_of(&map);
    let shut = Cell::new(15, 18);
    assert!(!world.reachable(shut, south));
    assert!(world.order(shut, &[south]).is_err());
    let order = world
        .order(south, &[shut, north])
        .expect("one of two can reach it");
    assert_eq!(world.sample(&order, shut), Sample::Unreachable);
    finish(&mut world);
    assert_field(&world, &order, &map, south, 0);
}

#[test]
fn goal_in_a_small_pocket_is_reached_by_its_door() {
    // Most of the goal's sector is another pocket; the goal's own opens only to
    // the far side.
    let mut map = Map::open(40, 20);
    map.fill(CellRect::new(10, 8, 10, 1), WALL);
    map.fill(CellRect::new(9, 8, 1, 12), WALL);
    let (unit, goal) = (Cell::new(11, 7), Cell::new(11, 9));
    assert_eq!(sector_of(unit), sector_of(goal));
    assert_eq!(walk_home(&map, unit, goal), best(&map, unit, goal));
}

#[test]
fn unit_joined_to_its_goal_outside_is_led_around() {
    let mut map = Map::open(30, 20);
    map.fill(CellRect::new(5, 0, 1, 10), WALL);
    let (unit, goal) = (Cell::new(4, 0), Cell::new(6, 0));
    assert_eq!(sector_of(unit), sector_of(goal));
    let price = walk_home(&map, unit, goal);
    assert_eq!(price, best(&map, unit, goal));
    assert_eq!(walk_home(&map, goal, unit), best(&map, goal, unit));
}

#[test]
fn unit_near_its_goal_takes_the_cheaper_path_outside() {
    // Inside, a ridge of cost 254 joins the two; a step outside is open ground.
    let mut map = Map::open(30, 20);
    map.fill(CellRect::new(5, 0, 1, 10), 254);
    let (unit, goal) = (Cell::new(4, 8), Cell::new(6, 8));
    let price = walk_home(&map, unit, goal);
    assert_eq!(price, best(&map, unit, goal));
    assert!(price < 254 * 5, "not over the ridge: {price}");
}

#[test]
fn route_through_one_sector_three_times_is_walked() {
    // A lane leads through the middle sector to the east, back through it to
    // the west, and a third time through it to the goal.
    let mut map = Map::open(30, 10);
    map.fill(CellRect::new(0, 0, 30, 10), WALL);
    for lane in [
        CellRect::new(1, 1, 24, 1),
        CellRect::new(24, 1, 1, 5),
        CellRect::new(3, 5, 22, 1),
        CellRect::new(3, 5, 1, 4),
        CellRect::new(3, 8, 26, 1),
    ] {
        map.fill(lane, 1);
    }
    let (unit, goal) = (Cell::new(1, 1), Cell::new(28, 8));
    for (from, to) in [(unit, goal), (goal, unit)] {
        assert_eq!(walk_home(&map, from, to), best(&map, from, to));
    }
    // The same lane through many sectors, with expensive ground on it.
    map.fill(CellRect::new(12, 5, 4, 1), 200);
    assert_eq!(walk_home(&map, unit, goal), best(&map, unit, goal));
}

#[test]
fn window_of_one_cell_anywhere_on_a_border_is_crossed() {
    for gap in 0..30 {
        let mut map = Map::open(20, 30);
        map.fill(CellRect::new(10, 0, 1, 30), WALL);
        map.set(Cell::new(10, gap), 1);
        let (unit, goal) = (Cell::new(0, 29), Cell::new(19, 0));
        let mut world = world_of(&map);
        let widths: Vec<u32> = world
            .inspect()
            .portal_graph()
            .portals()
            .filter(|portal| portal.crossing[0].x == 9 && portal.crossing[1].x == 10)
            .map(|portal| portal.width())
            .collect();
        assert_eq!(widths, [1], "at {gap}");
        assert!(world.order(goal, &[unit]).is_ok());
        assert_eq!(
            walk_home(&map, unit, goal),
            best(&map, unit, goal),
            "at {gap}"
        );
    }
}

#[test]
fn a_diagonal_step_crosses_where_four_sectors_meet() {
    let map = Map::open(20, 20);
    for (unit, goal) in [
        (Cell::new(9, 9), Cell::new(10, 10)),
        (Cell::new(10, 9), Cell::new(9, 10)),
        (Cell::new(0, 0), Cell::new(19, 19)),
        (Cell::new(19, 0), Cell::new(0, 19)),
    ] {
        assert_eq!(
            walk_home(&map, unit, goal),
            best(&map, unit, goal),
            "{unit} to {goal}"
        );
        assert_eq!(
            walk_home(&map, goal, unit),
            best(&map, goal, unit),
            "{goal} to {unit}"
        );
    }
}

#[test]
fn wall_at_the_corner_of_four_sectors_is_not_cut() {
    // A unit in each sector, so that all four are loaded.
    let (unit, goal) = (Cell::new(9, 9), Cell::new(10, 10));
    let units = [unit, Cell::new(12, 5), Cell::new(5, 12), Cell::new(15, 15)];
    let walls = [Cell::new(10, 9), Cell::new(9, 10)];
    for (shut, price) in [(&walls[..0], 7), (&walls[..1], 10), (&walls[1..], 10)] {
        let mut map = Map::open(20, 20);
        for &wall in shut {
            map.set(wall, WALL);
        }
        for (from, to) in [(unit, goal), (goal, unit)] {
            let mut world = world_of(&map);
            let order = world.order(to, &units).unwrap();
            finish(&mut world);
            assert_eq!(world.inspect().loaded(&order).len(), 4);
            assert_field(&world, &order, &map, to, 0);
            let walk = walk(&mut world, &order, &map, from);
            assert_eq!((walk.end, walk.price), (End::Arrived, price), "{shut:?}");
        }
    }
    let mut map = Map::open(20, 20);
    map.set(walls[0], WALL);
    map.set(walls[1], WALL);
    let price = walk_home(&map, unit, goal);
    assert!(price > 10, "both sides shut: {price}");
}

#[test]
fn step_costs_what_the_cell_it_leaves_costs() {
    let map = Map::of_picture(&["..9.."]);
    assert_eq!(
        walk_home(&map, Cell::new(0, 0), Cell::new(4, 0)),
        5 + 5 + 45 + 5
    );
    assert_eq!(walk_home(&map, Cell::new(0, 0), Cell::new(2, 0)), 5 + 5);
    assert_eq!(walk_home(&map, Cell::new(2, 0), Cell::new(0, 0)), 45 + 5);
}

#[test]
fn dear_ground_is_avoided_where_that_is_cheaper() {
    let mut map = Map::open(50, 50);
    map.fill(CellRect::new(15, 5, 20, 40), 9);
    let (unit, goal) = (Cell::new(2, 25), Cell::new(47, 25));
    let price = walk_home(&map, unit, goal);
    assert!(price < 5 * 20 * 9, "not straight through: {price}");
    assert!(price <= best(&map, unit, goal) * 105 / 100);
}

#[test]
fn goal_in_a_wall_moves_to_the_nearest_cell_if_asked() {
    // A goal of two cells has no sides. Cells north and west of it are equally near. The
    // first in the map's rows is taken.
    let mut map = Map::open(30, 30);
    map.fill(CellRect::new(10, 10, 17, 3), WALL);
    let inside = Cell::new(11, 11);
    let mut world = world_of(&map);
    let unit = Cell::new(25, 25);
    assert!(matches!(
        world.order(inside, &[unit]),
        Err(OrderError::GoalInWall { .. })
    ));
    let there = Goal::at(inside).or_at(inside, 0).or_nearest();
    let order = world.order(there, &[unit]).unwrap();
    finish(&mut world);
    let nearest = Cell::new(11, 9);
    assert_field(&world, &order, &map, nearest, 0);
    let walk = walk(&mut world, &order, &map, unit);
    assert_eq!((walk.end, walk.last), (End::Arrived, nearest));
}

#[test]
fn the_nearest_cell_is_one_that_the_units_reach() {
    // The open cell nearest to the goal is enclosed with it; the units stand
    // outside.
    let mut map = Map::open(40, 30);
    map.fill(CellRect::new(10, 10, 9, 9), WALL);
    map.fill(CellRect::new(13, 13, 3, 3), 1);
    map.set(Cell::new(14, 14), WALL);
    let mut world = world_of(&map);
    let unit = Cell::new(0, 14);
    let goal = Cell::new(14, 14);
    let order = world.order(Goal::at(goal).or_nearest(), &[unit]).unwrap();
    let walk = walk(&mut world, &order, &map, unit);
    assert_eq!((walk.end, walk.last), (End::Arrived, Cell::new(14, 9)));
}

#[test]
fn goal_on_another_island_is_refused_or_moved() {
    let mut map = Map::open(60, 20);
    map.fill(CellRect::new(28, 0, 4, 20), WALL);
    let (unit, goal) = (Cell::new(3, 3), Cell::new(50, 10));
    let mut world = world_of(&map);
    let error = world.order(goal, &[unit]).expect_err("cut off");
    assert!(matches!(error, OrderError::Unreachable { .. }), "{error:?}");
    assert!(error.to_string().contains("(50, 10)"), "{error}");
    let order = world.order(Goal::at(goal).or_nearest(), &[unit]).unwrap();
    let walk = walk(&mut world, &order, &map, unit);
    assert_eq!((walk.end, walk.last), (End::Arrived, Cell::new(27, 10)));
}

#[test]
fn the_nearest_policy_keeps_a_goal_that_is_reached() {
    let map = Map::open(30, 30);
    let mut world = world_of(&map);
    let (unit, goal) = (Cell::new(3, 3), Cell::new(21, 17));
    let order = world.order(Goal::at(goal).or_nearest(), &[unit]).unwrap();
    finish(&mut world);
    assert_field(&world, &order, &map, goal, 0);
}

/// Walks a unit out of a wall; returns where it first stands on open ground,
/// and the number of steps to it.
fn way_out(map: &Map, goal: Cell, unit: Cell) -> (Cell, usize) {
    let mut world = world_of(map);
    let order = world.order(goal, &[unit]).expect("it can get out");
    let mut here = unit;
    for steps in 0..map.costs.len() {
        if map.is_open(here) {
            return (here, steps);
        }
        match world.sample(&order, here) {
            Sample::Go(direction) => here = here.step(direction),
            Sample::OffRoute | Sample::Waiting => {
                world.cover(&order, here).unwrap();
                finish(&mut world);
                let again = world.sample(&order, here);
                assert!(
                    matches!(again, Sample::Go(_)),
                    "{again:?} at {here} on {map}"
                );
            }
            other => panic!("{other:?} at {here} on {map}"),
        }
    }
    panic!("the unit at {unit} does not get out of the wall of {map}");
}

#[test]
fn a_unit_in_a_wall_is_led_out_and_then_home() {
    let mut map = Map::open(60, 40);
    map.fill(CellRect::new(20, 5, 21, 21), WALL);
    let goal = Cell::new(55, 35);
    for (unit, out, steps) in [
        (Cell::new(20, 15), Cell::new(19, 15), 1),
        (Cell::new(40, 15), Cell::new(41, 15), 1),
        (Cell::new(30, 6), Cell::new(30, 4), 2),
        (Cell::new(30, 25), Cell::new(30, 26), 1),
        (Cell::new(30, 15), Cell::new(30, 4), 11),
        (Cell::new(24, 15), Cell::new(19, 15), 5),
    ] {
        assert_eq!(way_out(&map, goal, unit), (out, steps), "from {unit}");
        let mut world = world_of(&map);
        let order = world.order(goal, &[out]).unwrap();
        let walk = walk(&mut world, &order, &map, out);
        assert_eq!((walk.end, walk.last), (End::Arrived, goal));
    }
}

#[test]
fn unit_in_a_wall_is_led_to_ground_joined_to_the_goal() {
    // The nearest open cell is in a closed yard; the way out is on the other
    // side.
    let mut map = Map::open(40, 20);
    map.fill(CellRect::new(10, 0, 9, 20), WALL);
    map.fill(CellRect::new(12, 9, 2, 2), 1);
    let goal = Cell::new(35, 10);
    let (out, _) = way_out(&map, goal, Cell::new(14, 10));
    assert_eq!(out, Cell::new(19, 10));
}

#[test]
fn unit_under_a_new_wall_is_led_out() {
    let mut map = Map::open(40, 40);
    let (unit, goal) = (Cell::new(12, 20), Cell::new(35, 20));
    let mut world = world_of(&map);
    let order = world.order(goal, &[unit]).unwrap();
    finish(&mut world);
    let area = CellRect::new(10, 18, 5, 5);
    map.fill(area, WALL);
    world.edit(area, Cost::WALL).unwrap();
    let mut here = unit;
    for _ in 0..100 {
        match world.sample(&order, here) {
            Sample::Arrived => break,
            Sample::Go(direction) => {
                let next = here.step(direction);
                assert!(map.contains(next));
                assert!(
                    !map.is_open(here) || map.step(here, next).is_some(),
                    "an illegal step {direction} from {here}"
                );
                here = next;
            }
            _ => {
                world.cover(&order, here).unwrap();
                finish(&mut world);
            }
        }
    }
    assert_eq!(here, goal);
}

#[test]
fn only_the_route_is_loaded() {
    let map = Map::open(400, 300);
    let mut world = world_of(&map);
    let (unit, goal) = (Cell::new(5, 150), Cell::new(395, 150));
    let order = world.order(goal, &[unit]).unwrap();
    assert_eq!(
        world.sample(&order, unit),
        Sample::Waiting,
        "nothing is ready before a tick"
    );
    finish(&mut world);
    let loaded = world.inspect().loaded(&order);
    assert!(loaded.len() < 60, "{} of 1200 sectors", loaded.len());
    assert_eq!(world.inspect().stats().sectors_loaded, loaded.len());
    assert_eq!(world.inspect().stats().sectors, 1200);
    assert_eq!(world.sample(&order, Cell::new(200, 5)), Sample::OffRoute);
    assert!(!loaded.contains(&Sector::new(20, 0)));
}

#[test]
fn route_lists_portals_between_loaded_sectors() {
    let mut map = Map::open(100, 60);
    map.fill(CellRect::new(50, 0, 2, 50), WALL);
    let mut world = world_of(&map);
    let order = world.order(Cell::new(95, 5), &[Cell::new(5, 5)]).unwrap();
    world.tick(Budget::UNLIMITED);
    let (route, loaded) = (
        world.inspect().route(&order),
        world.inspect().loaded(&order),
    );
    assert!(!route.is_empty());
    assert!(route.is_sorted_by(|a, b| a < b));
    for id in route {
        let portal = world
            .inspect()
            .portal_graph()
            .portal(id)
            .expect("a real portal");
        assert!(portal.sectors.iter().all(|sector| loaded.contains(sector)));
    }
}
