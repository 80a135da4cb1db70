//! Limits of every list: a full list is an error, and dropped entries leave
//! nothing behind.

use crate::oracle::Map;
use crate::oracle::draw::{Look, Rng, draw};
use crate::oracle::follow::{finish, order_stats, world_of};
use flowtiles::error::{BlockError, OrderError, StampError};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Limits, StampTemplate, Turn};

fn world_with(limits: Limits) -> FlowWorld {
    let mut world = FlowWorld::new(CostMap::open(40, 30).unwrap());
    world.set_limits(limits);
    world
}

#[test]
fn full_world_refuses_orders_until_one_is_freed() {
    let mut limits = Limits::default();
    assert_eq!(limits.orders, 65_536);
    limits.orders = 3;
    let mut world = world_with(limits);
    let goal = Cell::new(35, 25);
    let mut orders: Vec<_> = (0..3)
        .map(|x| world.order((x, 20), &[Cell::new(x, 0)]).unwrap())
        .collect();
    let clone = orders[0].clone();
    let before = world.state_hash();
    for _ in 0..5 {
        assert_eq!(world.order(goal, &[]), Err(OrderError::Full { limit: 3 }));
    }
    let told = world.order(goal, &[]).expect_err("it is full").to_string();
    assert!(told.contains(" 3 "), "{told}");
    assert_eq!(world.state_hash(), before, "a refusal changes nothing");
    orders.remove(0);
    assert!(world.order(goal, &[]).is_err(), "a clone of it lives");
    drop(clone);
    // No tick in between: room is made at once.
    assert_eq!(world.order(goal, &[]).unwrap().number(), 3);
}

#[test]
fn order_over_its_limit_of_cells_is_refused() {
    let mut limits = Limits::default();
    limits.units = 4;
    let mut world = world_with(limits);
    let goal = Cell::new(35, 25);
    let units: Vec<Cell> = (0..5).map(|x| Cell::new(x, 0)).collect();
    let many = OrderError::TooManyUnits {
        units_max: 4,
        given: 5,
    };
    assert_eq!(world.order(goal, &units), Err(many));
    let order = world.order(goal, &units[..3]).unwrap();
    finish(&mut world);
    let strays = [Cell::new(0, 29), Cell::new(39, 0), Cell::new(0, 28)];
    assert!(world.cover(&order, strays[0]).is_ok());
    let full = Err(many);
    assert_eq!(world.cover(&order, strays[1]), full);
    assert!(
        world.cover(&order, strays[0]).is_ok(),
        "it is one of the four"
    );
    assert!(matches!(
        world.cover(&order, Cell::new(40, 0)),
        Err(OrderError::UnitOffMap { .. })
    ));
}

#[test]
fn stamps_and_blockers_are_limited() {
    let mut limits = Limits::default();
    limits.stamps = 2;
    limits.blocked = 2;
    let mut world = world_with(limits);
    let hut = StampTemplate::rows(&["##"]).unwrap();
    let stamp = |world: &mut FlowWorld, x| world.stamp(&hut, Cell::new(x, 3), Turn::None);
    let (first, _) = stamp(&mut world, 0).unwrap();
    stamp(&mut world, 4).unwrap();
    assert_eq!(stamp(&mut world, 8), Err(StampError::Full { limit: 2 }));
    assert_eq!(world.costs().get(Cell::new(8, 3)), Some(Cost::OPEN));
    world.unstamp(first);
    assert!(stamp(&mut world, 8).is_ok());

    let cells = [0, 1, 2].map(|x| Cell::new(x, 9));
    world.block(cells[0]).unwrap();
    world.block(cells[1]).unwrap();
    assert_eq!(world.block(cells[2]), Err(BlockError::Full { limit: 2 }));
    world.block(cells[1]).unwrap();
    world.unblock(cells[1]).unwrap();
    assert!(world.block(cells[2]).is_err(), "one is left on it");
    world.unblock(cells[1]).unwrap();
    assert!(world.block(cells[2]).is_ok());
}

#[test]
fn limits_are_saved_and_lowering_them_drops_nothing() {
    let mut world = world_with(Limits::default());
    let orders: Vec<_> = (0..4)
        .map(|x| world.order((30 + x, 20), &[Cell::new(x, 0)]).unwrap())
        .collect();
    let mut limits = Limits::default();
    limits.orders = 2;
    limits.units = 1;
    limits.stamps = 0;
    limits.blocked = 0;
    world.set_limits(limits);
    let (loaded, claims) = FlowWorld::load(&world.save()).unwrap();
    assert_eq!((loaded.limits(), claims.len()), (limits, orders.len()));
    assert_eq!(loaded.state_hash(), world.state_hash());
}

#[test]
fn unreachable_goal_asked_for_often_costs_no_search() {
    let mut map = Map::open(300, 200);
    map.fill(CellRect::new(150, 0, 1, 200), crate::oracle::WALL);
    let mut world = world_of(&map);
    let before = world.inspect().stats();
    for i in 0..1000 {
        let (unit, goal) = (
            Cell::new(i % 150, i % 200),
            Cell::new(151 + i % 149, i % 200),
        );
        assert_eq!(
            world.order(goal, &[unit]),
            Err(OrderError::Unreachable {
                goal,
                unit,
                gate: None
            })
        );
        let progress = world.tick(Budget::UNLIMITED);
        assert_eq!((progress.cells, progress.waiting), (0, 0));
    }
    assert_eq!(world.inspect().stats(), before);
}

#[test]
fn hundred_thousand_freed_orders_leave_no_memory() {
    let mut rng = Rng::new(93);
    let map = draw(Look::Caves, 60, 50, &mut rng);
    let home = crate::oracle::home_of(&map, rng.open_cell(&map).unwrap());
    let mut world = world_of(&map);
    let empty = world.inspect().stats();
    let mut alive = std::collections::VecDeque::new();
    let mut most = 0;
    for i in 0..100_000_u32 {
        let order = world.order(rng.pick(&home), &[rng.pick(&home)]).unwrap();
        alive.push_back(order);
        if alive.len() > 20 {
            alive.pop_front();
        }
        if i % 16 == 0 {
            world.tick(Budget::cells(500));
            most = most.max(world.inspect().stats().order_bytes);
        }
    }
    assert!(most > 0);
    alive.clear();
    world.tick(Budget::cells(1));
    assert_eq!(order_stats(&world), [0; 4]);
    // The memory kept for reuse is enough for a few orders, not for a hundred
    // thousand.
    let left = world.inspect().stats();
    assert!(
        left.scratch_bytes <= most,
        "{} of {most}",
        left.scratch_bytes
    );
    assert_eq!(
        (left.cost_bytes, left.graph_bytes),
        (empty.cost_bytes, empty.graph_bytes)
    );
}

#[test]
fn a_cell_asked_for_twice_counts_once() {
    let mut world = FlowWorld::new(CostMap::open(60, 60).unwrap());
    let mut limits = world.limits();
    limits.units = 2;
    world.set_limits(limits);
    let units = [Cell::new(3, 3), Cell::new(4, 4)];
    let order = world.order(Cell::new(50, 50), &units).unwrap();
    assert_eq!(world.order(Cell::new(50, 50), &units).unwrap(), order);
    world.order(Cell::new(40, 50), &[units[0]; 3]).unwrap();
    let third = [units[0], units[1], Cell::new(5, 5)];
    assert!(world.order(Cell::new(50, 50), &third).is_err());
    assert!(world.order(Cell::new(30, 50), &third).is_err());
}

#[test]
fn full_order_covers_a_cell_that_it_leads_already() {
    let mut limits = Limits::default();
    limits.units = 2;
    let mut world = world_with(limits);
    let units = [Cell::new(1, 1), Cell::new(2, 2)];
    let order = world.order(Cell::new(35, 1), &units).unwrap();
    finish(&mut world);
    let led = Cell::new(9, 3);
    assert!(world.sample(&order, led).direction().is_some());
    let before = world.state_hash();
    assert_eq!(world.cover(&order, led), Ok(()));
    let off = Cell::new(9, 29);
    let full = Err(OrderError::TooManyUnits {
        units_max: 2,
        given: 3,
    });
    assert_eq!(world.cover(&order, off), full);
    // Without a path there is nothing to keep.
    for x in 8..11 {
        world.edit(CellRect::new(x, 26, 1, 4), Cost::WALL).unwrap();
    }
    world.edit(off, Cost::OPEN).unwrap();
    finish(&mut world);
    assert_eq!(world.cover(&order, off), Ok(()));
    assert_eq!(world.sample(&order, off), flowtiles::Sample::Unreachable);
    assert_eq!(world.inspect().stats().waiting, 0);
    for x in 8..11 {
        world.edit(CellRect::new(x, 26, 1, 4), Cost::OPEN).unwrap();
    }
    finish(&mut world);
    assert_eq!(world.state_hash(), before, "nothing was kept of it");
}
