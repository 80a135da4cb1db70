//! The smallest map, the longest, and costs about the highest that 16 and 32 bits hold.

use crate::oracle::draw::serpentine;
use crate::oracle::follow::{End, assert_field, finish, walk, world_of};
use crate::oracle::{Map, WALL, field};
use flowtiles::error::OrderError;
use flowtiles::{Cell, CellRect, Goal, MAX_SIDE};

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
