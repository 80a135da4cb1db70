//! The life of an order: refusals, budgets, reads that change nothing, and
//! claims that free what they held.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::oracle::draw::{Look, Rng, draw, for_drawn};
use crate::oracle::follow::{answers, assert_field, assert_legal, finish, order_stats, world_of};
use crate::oracle::{Map, WALL, home_of};
use flowtiles::error::OrderError;
use flowtiles::{
    Budget, Cell, CellRect, CostMap, FlowWorld, Goal, Limits, Order, Quality, Sample, SharedWorld,
};

/// Returns two rooms with a wall between them, and much ground in each.
fn two_islands() -> Map {
    let mut map = Map::open(61, 33);
    map.fill(CellRect::new(30, 0, 1, 33), WALL);
    map
}

const WEST: Cell = Cell::new(3, 4);
const EAST: Cell = Cell::new(57, 29);

/// Draws maps with a goal and units that reach it.
fn for_drawn_orders(salt: u64, mut check: impl FnMut(&Map, Cell, &[Cell])) {
    let mut checked = 0;
    for_drawn(salt, &[(25, 14), (33, 58), (64, 41)], 1, |map, rng| {
        if let Some(goal) = rng.open_cell(map) {
            let home = home_of(map, goal);
            let units: Vec<Cell> = (0..4).map(|_| rng.pick(&home)).collect();
            check(map, goal, &units);
            checked += 1;
        }
    });
    assert!(checked > 10, "only {checked} maps have a goal");
}

#[test]
fn cut_off_units_are_unreachable_without_work() {
    let map = two_islands();
    let mut world = world_of(&map);
    let order = world.order(EAST, &[EAST, WEST]).unwrap();
    assert_eq!(
        world.sample(&order, WEST),
        Sample::Unreachable,
        "before any tick"
    );
    finish(&mut world);
    let before = order_stats(&world);
    for x in 0..30 {
        for y in 0..33 {
            let unit = Cell::new(x, y);
            assert_eq!(world.sample(&order, unit), Sample::Unreachable);
            world.cover(&order, unit).expect("on the map");
            assert_eq!(world.tick(Budget::UNLIMITED).cells, 0);
        }
    }
    assert_eq!(order_stats(&world), before);
}

#[test]
fn a_budget_of_zero_does_nothing() {
    for_drawn_orders(21, |map, goal, units| {
        let mut world = world_of(map);
        let order = world.order(goal, units).unwrap();
        let before = (answers(&world, &order, map), order_stats(&world));
        for _ in 0..5 {
            let progress = world.tick(Budget::cells(0));
            assert_eq!((progress.cells, progress.waiting), (0, 1), "on {map}");
        }
        let after = (answers(&world, &order, map), order_stats(&world));
        assert_eq!(after, before, "on {map}");
    });
}

/// The most by which a tick may exceed its budget: the work of the last sector.
const SLACK: u64 = 100;

/// Ticks with one budget until nothing waits; returns the total work in cells.
fn finish_with(world: &mut FlowWorld, budget: u64) -> u64 {
    let (mut cells, mut owed) = (0, 0);
    for _ in 0..1_000_000 {
        let progress = world.tick(Budget::cells(budget));
        cells += progress.cells;
        if progress.waiting == 0 {
            return cells;
        }
        assert!(
            progress.cells > 0 || owed >= budget,
            "work waits and no more is owed than is given, and a tick does none"
        );
        owed = progress.owed;
        assert!(progress.cells <= budget + SLACK, "{progress:?}");
    }
    panic!("a million ticks were not enough");
}

#[test]
fn answers_do_not_depend_on_how_work_is_sliced() {
    for_drawn_orders(22, |map, goal, units| {
        let mut whole = world_of(map);
        let expected = whole.order(goal, units).unwrap();
        let cells = whole.tick(Budget::UNLIMITED).cells;
        let at_once = answers(&whole, &expected, map);
        for budget in [1, 7, 100, 333, 4000] {
            let mut world = world_of(map);
            let order = world.order(goal, units).unwrap();
            let sliced = finish_with(&mut world, budget);
            assert!(sliced <= cells, "more work at {budget} a tick on {map}");
            assert_eq!(
                world.inspect().loaded(&order),
                whole.inspect().loaded(&expected),
                "on {map}"
            );
            assert_eq!(
                world.inspect().route(&order),
                whole.inspect().route(&expected),
                "on {map}"
            );
            assert!(
                answers(&world, &order, map) == at_once,
                "{budget} a tick on {map}"
            );
        }
    });
}

#[test]
fn answers_between_ticks_are_legal_and_keep_paths() {
    for_drawn_orders(23, |map, goal, units| {
        let mut world = world_of(map);
        let order = world.order(goal, units).unwrap();
        while world.tick(Budget::cells(150)).waiting > 0 {
            assert_legal(&world, &order, map);
            for &unit in units {
                let sample = world.sample(&order, unit);
                assert_ne!(sample, Sample::Unreachable, "{unit} to {goal} on {map}");
                assert_ne!(sample, Sample::OffRoute, "{unit} was promised, on {map}");
            }
        }
        assert_field(&world, &order, map, goal, 0);
    });
}

#[test]
fn sampling_many_is_sampling_each() {
    for_drawn_orders(26, |map, goal, units| {
        let mut world = world_of(map);
        let order = world.order(goal, units).unwrap();
        finish(&mut world);
        let mut cells: Vec<Cell> = map.cells().collect();
        cells.push(Cell::new(-1, -1));
        let each: Vec<Sample> = cells
            .iter()
            .map(|&cell| world.sample(&order, cell))
            .collect();
        let mut many = vec![Sample::Waiting; 3];
        world.sample_many(&order, &cells, &mut many);
        assert_eq!(many, each, "on {map}");
        world.sample_many(&order, &[], &mut many);
        assert!(many.is_empty());
    });
}

#[test]
fn what_an_order_held_is_freed_with_its_last_claim() {
    for_drawn_orders(27, |map, goal, units| {
        let mut world = world_of(map);
        let empty = order_stats(&world);
        let order = world.order(goal, units).unwrap();
        finish(&mut world);
        let full = order_stats(&world);
        let loaded = world.inspect().loaded(&order).len();
        assert_eq!(full[..3], [1, loaded, loaded], "on {map}");
        assert!(loaded > 0 && full[3] > empty[3], "{full:?} on {map}");
        let clone = order.clone();
        drop(order);
        world.tick(Budget::UNLIMITED);
        assert_eq!(order_stats(&world), full, "a clone keeps it, on {map}");
        assert_eq!(world.sample(&clone, goal), Sample::Arrived);
        drop(clone);
        world.tick(Budget::cells(1));
        assert_eq!(order_stats(&world), empty, "on {map}");
    });
}

#[test]
fn a_claim_may_be_dropped_on_another_thread() {
    let map = two_islands();
    let mut world = world_of(&map);
    let empty = order_stats(&world);
    let order = world.order(WEST, &[Cell::new(20, 20)]).unwrap();
    finish(&mut world);
    let clones: Vec<Order> = (0..8).map(|_| order.clone()).collect();
    drop(order);
    let threads: Vec<_> = clones
        .into_iter()
        .map(|claim| thread::spawn(move || drop(claim)))
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    world.tick(Budget::UNLIMITED);
    assert_eq!(order_stats(&world), empty);
}

#[test]
fn finished_searches_hold_bounded_memory() {
    let map = draw(Look::Caves, 1000, 800, &mut Rng::new(3));
    let home = home_of(&map, map.open_cells()[9000]);
    let mut world = world_of(&map);
    let at = |i: usize| home[i * 7919 % home.len()];
    let orders: Vec<Order> = (0..300)
        .map(|i| world.order(at(i), &[at(i * 3 + 1), at(i * 5 + 2)]).unwrap())
        .collect();
    finish(&mut world);
    let bytes = world.inspect().stats().order_bytes;
    // All searches together would take six million bytes more.
    assert!(bytes < 30_000_000, "{bytes} for 300 orders");
    // Orders whose search was discarded also serve units that come later.
    for (i, order) in orders.iter().enumerate().step_by(30) {
        let late = at(i * 11 + 7);
        world.cover(order, late).unwrap();
        finish(&mut world);
        if i == 0 {
            assert_field(&world, order, &map, at(i), 0);
        }
        for unit in [at(i * 3 + 1), late] {
            assert_eq!(world.destination(order, unit), Some(at(i)), "order {i}");
        }
    }
}

#[test]
fn shared_world_read_while_it_ticks_does_the_same() {
    let map = draw(Look::Caves, 200, 150, &mut Rng::new(4));
    let home = home_of(&map, map.open_cells()[1000]);
    let give = |world: &mut FlowWorld| -> Vec<Order> {
        let pairs = (0..8).map(|i| (home[i * 37], home[home.len() - 1 - i * 91]));
        pairs
            .map(|(goal, unit)| world.order(goal, &[unit]).unwrap())
            .collect()
    };
    let mut alone = world_of(&map);
    let orders = give(&mut alone);
    let shared = SharedWorld::new(world_of(&map));
    let claims = give(&mut shared.write());
    let (done, reads) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        let reader = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let world = shared.read();
                for claim in &claims {
                    if let Some(way) = world.sample(claim, home[0]).direction() {
                        assert!(map.step(home[0], home[0].step(way)).is_some());
                    }
                }
                drop(world);
                reads.fetch_add(1, Ordering::Relaxed);
                thread::yield_now();
            }
        });
        for cells in [700, 30_000, 90_000] {
            let one = alone.tick(Budget::cells(cells));
            assert_eq!(shared.tick(Budget::cells(cells)), one);
        }
        finish(&mut alone);
        while shared
            .tick_for(std::time::Duration::from_micros(200))
            .waiting
            > 0
        {}
        while reads.load(Ordering::Relaxed) == 0 {
            thread::yield_now();
        }
        done.store(true, Ordering::Relaxed);
        reader.join().expect("no panic");
    });
    let world = shared.read();
    for (order, claim) in orders.iter().zip(&claims).step_by(4) {
        assert!(answers(&alone, order, &map) == answers(&world, claim, &map));
    }
    drop(world);
    assert_eq!(shared.read().state_hash(), alone.state_hash());
}

#[test]
fn tick_for_unlimited_time_ends_with_the_work() {
    let world = SharedWorld::new(FlowWorld::new(CostMap::open(60, 60).unwrap()));
    let unit = Cell::new(3, 3);
    let order = world.write().order(Cell::new(50, 50), &[unit]).unwrap();
    assert_eq!(world.tick_for(std::time::Duration::MAX).waiting, 0);
    assert!(world.read().sample(&order, unit).direction().is_some());
}

#[test]
fn oldest_order_of_a_goal_is_shared_then_the_next() {
    let mut world = FlowWorld::new(CostMap::open(100, 100).unwrap());
    let (goal, unit) = (Cell::new(80, 90), Cell::new(1, 1));
    let mut first = world.order(Cell::new(90, 90), &[unit]).unwrap();
    let second = world.order(goal, &[unit]).unwrap();
    let mut third = world.order(Cell::new(70, 90), &[unit]).unwrap();
    for order in [&mut third, &mut first] {
        world.aim(order, goal, &[unit]).unwrap();
    }
    while world.tick(Budget::cells(10_000)).waiting > 0 {}
    let (mut loaded, _claims) = FlowWorld::load(&world.save()).unwrap();
    assert_eq!(world.order(goal, &[]).unwrap(), first);
    assert_eq!(loaded.order(goal, &[]).unwrap().number(), first.number());
    for (gone, next) in [(first, &second), (second.clone(), &second)] {
        drop(gone);
        world.tick(Budget::cells(1));
        assert_eq!(world.order(goal, &[]).unwrap(), *next);
    }
    drop(second);
    world.tick(Budget::cells(1));
    assert_eq!(world.order(goal, &[]).unwrap(), third);
}

#[test]
fn target_that_returns_to_the_former_goal_is_pursued() {
    let mut world = FlowWorld::new(CostMap::open(100, 100).unwrap());
    let (here, away, unit) = (Cell::new(90, 90), Cell::new(10, 90), Cell::new(1, 1));
    let mut order = world.order(here, &[unit]).unwrap();
    world.tick(Budget::cells(100));
    assert_eq!(world.aim_at_moving(&mut order, away, &[unit]), Ok(true));
    assert_eq!(
        world.aim_at_moving(&mut order, away, &[unit]),
        Ok(false),
        "it is aimed there"
    );
    assert_eq!(world.aim_at_moving(&mut order, here, &[unit]), Ok(true));
    while world.tick(Budget::cells(10_000)).waiting > 0 {}
    assert_eq!(world.destination(&order, unit), Some(here));
}

#[test]
fn pursuing_order_keeps_start_cost_quality_and_policy() {
    let mut world = FlowWorld::new(CostMap::open(100, 100).unwrap());
    let (here, away, unit) = (Cell::new(90, 90), Cell::new(10, 90), Cell::new(1, 1));
    let with = |goal: Goal| goal.with_quality(Quality::Exact).or_nearest();
    let goal = with(Goal::at(here).with_start_cost(77)).or_at(Cell::new(50, 50), 3);
    let mut order = world.order(goal, &[unit]).unwrap();
    assert_eq!(world.aim_at_moving(&mut order, away, &[unit]), Ok(true));
    while world.tick(Budget::cells(10_000)).waiting > 0 {}
    assert_eq!(world.cost_to_go(&order, away), Some(77));
    let same = with(Goal::at(away).with_start_cost(77));
    assert_eq!(world.order(same, &[unit]).unwrap(), order);
}

#[test]
fn claim_of_a_shared_order_is_aimed_alone() {
    let mut world = FlowWorld::new(CostMap::open(120, 100).unwrap());
    let (goal, away, unit) = (Cell::new(110, 90), Cell::new(10, 90), Cell::new(1, 1));
    let mut first = world.order(goal, &[unit]).unwrap();
    let second = world.order(goal, &[unit]).unwrap();
    let third = second.clone();
    while !world.tick(Budget::cells(10_000)).is_done() {}
    assert_eq!(first, second);
    world.aim(&mut first, away, &[unit]).unwrap();
    assert_ne!(first, second);
    assert_eq!((first.goal().cell(), second.goal().cell()), (away, goal));
    // Until its own directions are ready, it keeps the old ones.
    assert_eq!(
        world.sample(&first, unit).direction(),
        world.sample(&second, unit).direction()
    );
    while !world.tick(Budget::cells(10_000)).is_done() {}
    assert_eq!(world.destination(&first, unit), Some(away));
    for other in [&second, &third] {
        assert_eq!(world.destination(other, unit), Some(goal));
    }
    // The last claim re-aims the order itself.
    let number = first.number();
    world.aim(&mut first, goal, &[unit]).unwrap();
    assert_eq!(first.number(), number);
    assert_eq!(first.goal().cell(), goal);
    let kept = world.order_with_number(second.number()).unwrap();
    assert_eq!((kept.goal(), &kept), (second.goal(), &second));
}

#[test]
fn shared_claim_is_not_aimed_in_a_full_world() {
    let mut world = FlowWorld::new(CostMap::open(60, 60).unwrap());
    let mut limits = Limits::default();
    limits.orders = 1;
    world.set_limits(limits);
    let (goal, away) = (Cell::new(50, 50), Cell::new(5, 50));
    let mut order = world.order(goal, &[]).unwrap();
    let other = order.clone();
    let full = Err(OrderError::Full { limit: 1 });
    assert_eq!(world.aim(&mut order, away, &[]), full);
    assert_eq!((order.goal().cell(), &order), (goal, &other));
    drop(other);
    assert_eq!(world.aim(&mut order, away, &[]), Ok(()));
}
