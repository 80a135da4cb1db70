//! No list without a limit: what is full says so, and what goes leaves
//! nothing behind.

use crate::oracle::Map;
use crate::oracle::draw::{Look, Rng, draw};
use crate::oracle::follow::{finish, held, world_of};
use flowtiles::{
    BlockError, Budget, Cell, Cost, CostMap, CoverError, FlowWorld, Limits, OrderError, Rect,
    StampError, Template, Turn,
};

fn world_with(limits: Limits) -> FlowWorld {
    let mut world = FlowWorld::new(CostMap::open(40, 30).unwrap());
    world.set_limits(limits);
    world
}

#[test]
fn a_full_world_takes_no_order_until_one_is_over() {
    let mut world = world_with(Limits {
        orders: 3,
        ..Limits::default()
    });
    let goal = Cell::new(35, 25);
    let mut orders: Vec<_> = (0..3)
        .map(|x| world.order((x, 20), &[Cell::new(x, 0)]).unwrap())
        .collect();
    let clone = orders[0].clone();
    let before = world.state_hash();
    for _ in 0..5 {
        assert_eq!(world.order(goal, &[]), Err(OrderError::Full { limit: 3 }));
    }
    assert_eq!(world.state_hash(), before, "a refusal changes nothing");
    orders.remove(0);
    assert!(world.order(goal, &[]).is_err(), "a clone of it lives");
    drop(clone);
    // No tick in between: room is made at once.
    assert_eq!(world.order(goal, &[]).unwrap().number(), 3);
}

#[test]
fn an_order_serves_so_many_cells() {
    let mut world = world_with(Limits {
        units: 4,
        ..Limits::default()
    });
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
    let full = Err(CoverError::Full { limit: 4 });
    assert_eq!(world.cover(&order, strays[1]), full);
    assert!(
        world.cover(&order, strays[0]).is_ok(),
        "it is one of the four"
    );
    assert!(matches!(
        world.cover(&order, Cell::new(40, 0)),
        Err(CoverError::OffMap(_))
    ));
}

#[test]
fn stamps_and_blockers_are_limited() {
    let mut world = world_with(Limits {
        stamps: 2,
        blocked: 2,
        ..Limits::default()
    });
    let hut = Template::rows(&["##"]).unwrap();
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
    let limits = Limits {
        orders: 2,
        units: 1,
        stamps: 0,
        blocked: 0,
    };
    world.set_limits(limits);
    let (loaded, claims) = FlowWorld::load(&world.save()).unwrap();
    assert_eq!((loaded.limits(), claims.len()), (limits, orders.len()));
    assert_eq!(loaded.state_hash(), world.state_hash());
}

#[test]
fn a_thousand_asks_for_what_cannot_be_reached_cost_no_search() {
    let mut map = Map::open(300, 200);
    map.fill(Rect::new(150, 0, 1, 200), crate::oracle::WALL);
    let mut world = world_of(&map);
    let before = world.stats();
    for i in 0..1000 {
        let (unit, goal) = (
            Cell::new(i % 150, i % 200),
            Cell::new(151 + i % 149, i % 200),
        );
        assert_eq!(
            world.order(goal, &[unit]),
            Err(OrderError::Unreachable { goal, unit })
        );
        let progress = world.tick(Budget::UNLIMITED);
        assert_eq!((progress.cells, progress.waiting), (0, 0));
    }
    assert_eq!(world.stats(), before);
}

#[test]
fn a_hundred_thousand_orders_leave_nothing() {
    let mut rng = Rng::new(93);
    let map = draw(Look::Caves, 60, 50, &mut rng);
    let home = crate::oracle::home_of(&map, rng.open_cell(&map).unwrap());
    let mut world = world_of(&map);
    let empty = world.stats();
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
            most = most.max(world.stats().order_bytes);
        }
    }
    assert!(most > 0);
    alive.clear();
    world.tick(Budget::cells(1));
    assert_eq!(held(&world), [0; 4]);
    // What orders left is room for a few, not for a hundred thousand.
    let left = world.stats();
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
