//! Goals of several cells, goals that move, and orders that share a goal.

use crate::oracle::draw::{SIZES, for_drawn};
use crate::oracle::follow::{finish, order_stats, world_of};
use crate::oracle::{Field, Map, WALL, field, home_of};
use flowtiles::error::OrderError;
use flowtiles::{Budget, Cell, CellRect, CostMap, FlowWorld, Goal, Order, Sample};

/// Follows an order; returns where it ends.
fn follow(world: &FlowWorld, order: &Order, mut unit: Cell) -> (Cell, Sample) {
    loop {
        match world.sample(order, unit) {
            Sample::Go(direction) => unit = unit.step(direction),
            end => return (unit, end),
        }
    }
}

#[test]
fn each_unit_goes_where_it_costs_least() {
    let mut told = 0;
    for_drawn(61, &SIZES, 3, |map, rng| {
        let cells: Vec<(Cell, u64)> = (0..4)
            .map(|_| (rng.cell(map), rng.pick(&[0, 0, 30, 400])))
            .collect();
        let fields: Vec<(Cell, Field)> = cells
            .iter()
            .filter(|&&(cell, _)| map.is_open(cell))
            .map(|&(cell, start)| (cell, field(map, cell, start)))
            .collect();
        let mut goal = Goal::at(cells[0].0).with_start_cost(cells[0].1);
        for &(cell, start) in &cells[1..] {
            goal = goal.or_at(cell, start);
        }
        let units: Vec<Cell> = (0..3).filter_map(|_| rng.open_cell(map)).collect();
        let mut world = world_of(map);
        let ordered = world.order(goal, &units);
        let best = |unit: Cell| fields.iter().filter_map(|(_, to)| to[map.id(unit)]).min();
        let reached = units.iter().any(|&unit| best(unit).is_some());
        assert_eq!(
            ordered.is_ok(),
            reached && !fields.is_empty(),
            "{cells:?} on {map}"
        );
        let Ok(order) = ordered else { return };
        finish(&mut world);
        for &unit in &units {
            let Some(best) = best(unit) else {
                assert_eq!(world.sample(&order, unit), Sample::Unreachable);
                continue;
            };
            let led = world.cost_to_go(&order, unit).expect("loaded");
            assert!(led >= best, "{led} < {best} from {unit} on {map}");
            let end = world.destination(&order, unit).expect("it is led");
            assert_eq!(follow(&world, &order, unit), (end, Sample::Arrived));
            assert!(
                fields.iter().any(|&(cell, _)| cell == end),
                "{end} on {map}"
            );
            told += 1;
        }
    });
    assert!(told > 100, "{told}");
}

#[test]
fn an_area_is_reached_at_its_nearest_cell() {
    let map = Map::open(120, 40);
    let mut world = world_of(&map);
    let area = CellRect::new(60, 10, 8, 8);
    let goal = Goal::within(area).expect("not empty");
    let order = world
        .order(goal, &[Cell::new(3, 12), Cell::new(110, 3)])
        .unwrap();
    finish(&mut world);
    assert_eq!(
        world.destination(&order, Cell::new(3, 12)),
        Some(Cell::new(60, 12))
    );
    assert_eq!(
        world.destination(&order, Cell::new(110, 3)),
        Some(Cell::new(67, 10))
    );
    assert_eq!(world.sample(&order, Cell::new(63, 14)), Sample::Arrived);
    assert!(Goal::within(CellRect::new(0, 0, 0, 5)).is_none());
    assert!(Goal::within(CellRect::new(0, 0, u32::MAX, u32::MAX)).is_none());
    assert!(Goal::any_of([]).is_none());
}

#[test]
fn goal_of_several_cells_serves_after_some_are_walls() {
    let mut map = Map::open(60, 20);
    let (near, far) = (Cell::new(20, 10), Cell::new(55, 10));
    let unit = Cell::new(2, 10);
    let mut world = world_of(&map);
    let order = world.order(Goal::at(near).or_at(far, 0), &[unit]).unwrap();
    finish(&mut world);
    assert_eq!(world.destination(&order, unit), Some(near));
    for (cost, end) in [(WALL, far), (1, near)] {
        map.set(near, cost);
        world
            .edit(near, flowtiles::Cost::new(cost).unwrap())
            .unwrap();
        finish(&mut world);
        assert_eq!(
            world.destination(&order, unit),
            Some(end),
            "with {cost} at {near}"
        );
    }
    let error = world.order(Goal::at(Cell::new(60, 0)).or_at(near, 0), &[unit]);
    assert!(matches!(error, Err(OrderError::GoalOffMap { .. })));
    let error = world.order(Goal::at(near).or_at(Cell::new(0, 20), 0), &[unit]);
    assert!(matches!(error, Err(OrderError::GoalOffMap { .. })));
}

#[test]
fn orders_with_equal_goals_share_search_and_tiles() {
    let map = Map::open(200, 100);
    let mut world = world_of(&map);
    let goal = Cell::new(190, 50);
    let first = world.order(goal, &[Cell::new(5, 50)]).unwrap();
    finish(&mut world);
    let alone = order_stats(&world);
    let again = world.order(goal, &[Cell::new(5, 50)]).unwrap();
    assert_eq!(first, again);
    assert_eq!(
        (order_stats(&world), world.inspect().stats().waiting),
        (alone, 0),
        "nothing was done twice"
    );
    // A unit elsewhere adds the sectors that it needs, and no more.
    let third = world.order(goal, &[Cell::new(100, 95)]).unwrap();
    assert_eq!(first.number(), third.number());
    finish(&mut world);
    assert_eq!(world.inspect().stats().orders, 1);
    assert_eq!(world.destination(&third, Cell::new(100, 95)), Some(goal));
    // Another quality is another goal.
    let exact = Goal::at(goal).with_quality(flowtiles::Quality::Exact);
    assert_ne!(world.order(exact, &[Cell::new(5, 50)]).unwrap(), first);
    // The order lives as long as any claim on it, and no longer.
    drop((first, again));
    world.tick(Budget::UNLIMITED);
    assert_eq!(world.destination(&third, Cell::new(5, 50)), Some(goal));
    drop(third);
    world.tick(Budget::UNLIMITED);
    assert_eq!(world.inspect().stats().tiles, 0);
    let anew = world.order(goal, &[Cell::new(5, 50)]).unwrap();
    assert_eq!(anew.number(), 2);
}

#[test]
fn unit_that_pursues_a_moving_target_catches_it() {
    let mut caught = 0;
    for_drawn(62, &[(64, 47), (137, 64)], 2, |map, rng| {
        let Some(mut target) = rng.open_cell(map) else {
            return;
        };
        let home = home_of(map, target);
        let mut hunters: Vec<Cell> = (0..3).map(|_| rng.pick(&home)).collect();
        let mut world = world_of(map);
        let mut order = world.order(target, &hunters).expect("reachable");
        let mut aims = 0;
        for turn in 0..4000 {
            if turn % 3 == 0 {
                let steps: Vec<Cell> = map
                    .neighbours(target)
                    .filter(|&next| map.step(target, next).is_some())
                    .collect();
                if !steps.is_empty() && turn < 600 {
                    target = rng.pick(&steps);
                }
            }
            aims += usize::from(
                world
                    .aim_at_moving(&mut order, target, &hunters)
                    .expect("reachable"),
            );
            world.tick(Budget::cells(900));
            for hunter in &mut hunters {
                match world.sample(&order, *hunter) {
                    Sample::Go(way) => {
                        assert!(map.step(*hunter, hunter.step(way)).is_some());
                        *hunter = hunter.step(way);
                    }
                    Sample::OffRoute => world.cover(&order, *hunter).expect("on the map"),
                    Sample::Arrived | Sample::Waiting => {}
                    other => panic!("{other:?} at {hunter} on {map}"),
                }
            }
            if hunters.iter().all(|&hunter| hunter == target) {
                caught += 1;
                break;
            }
            assert!(
                turn < 3999,
                "{hunters:?} after {target}, aimed {aims} times, on {map}"
            );
        }
    });
    assert!(caught > 6, "{caught}");
}

#[test]
fn reaimed_order_forgets_its_former_units() {
    let mut world = FlowWorld::new(CostMap::open(300, 300).unwrap());
    let unit = Cell::new(5, 5);
    let mut order = world
        .order(Cell::new(290, 290), &[unit, Cell::new(5, 290)])
        .unwrap();
    world.tick(Budget::UNLIMITED);
    world.aim(&mut order, Cell::new(60, 5), &[unit]).unwrap();
    // The old directions stay until the new ones are ready.
    assert!(world.sample(&order, unit).direction().is_some());
    assert_eq!(world.sample(&order, Cell::new(290, 290)), Sample::Waiting);
    world.tick(Budget::UNLIMITED);
    assert_eq!(world.destination(&order, unit), Some(Cell::new(60, 5)));
    assert!(world.inspect().loaded(&order).len() < 12);
    assert!(world.aim(&mut order, Cell::new(300, 0), &[unit]).is_err());
    assert_eq!(world.destination(&order, unit), Some(Cell::new(60, 5)));
    // The order is found by its new goal, and not by the old one.
    let same = world.order(Cell::new(60, 5), &[unit]).unwrap();
    let other = world.order(Cell::new(290, 290), &[unit]).unwrap();
    assert_eq!((same == order, other == order), (true, false));
}

#[test]
fn goal_cell_given_twice_has_its_least_start_cost() {
    for_drawn(67, &SIZES, 2, |map, rng| {
        let (Some(goal), Some(unit)) = (rng.open_cell(map), rng.open_cell(map)) else {
            return;
        };
        let (mut least, mut twice) = (world_of(map), world_of(map));
        let costs = [1_000, 30];
        for [first, second] in [costs, [costs[1], costs[0]]] {
            let plain = Goal::at(goal).with_start_cost(30);
            let listed = Goal::at(goal).with_start_cost(first).or_at(goal, second);
            let orders = (least.order(plain, &[unit]), twice.order(listed, &[unit]));
            let (Ok(plain), Ok(listed)) = orders else {
                return;
            };
            least.tick(Budget::UNLIMITED);
            twice.tick(Budget::UNLIMITED);
            let cost = least.cost_to_go(&plain, unit);
            assert!(cost.is_some(), "{unit} to {goal} on {map}");
            assert_eq!(
                twice.cost_to_go(&listed, unit),
                cost,
                "{unit} to {goal} on {map}"
            );
        }
    });
}
