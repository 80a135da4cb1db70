//! Bad input: each is refused with the place and the remedy, nothing changes,
//! and nothing panics.

use crate::oracle::follow::{finish, world_of};
use crate::oracle::{Map, WALL};
use std::panic::{AssertUnwindSafe, RefUnwindSafe, UnwindSafe, catch_unwind};

use flowtiles::error::{CostMapError, SizeError};
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, MAX_SIDE, MAX_START_COST,
    Movement, Order, Sample, SharedWorld,
};

const HERE: Cell = Cell::new(3, 4);

#[test]
fn a_cost_of_zero_is_refused_with_its_cell() {
    for (x, y) in [(0, 0), (24, 0), (3, 13), (24, 13)] {
        let mut costs = Map::open(25, 14).costs;
        costs[y * 25 + x] = 0;
        costs[25 * 14 - 1] = 0;
        let error = CostMap::from_rows(25, 14, &costs).expect_err("a zero");
        let cell = Cell::new(x as i32, y as i32);
        assert_eq!(error, CostMapError::Zero { cell });
        assert!(error.to_string().contains(&cell.to_string()), "{error}");
    }
    assert!(Cost::new(0).is_err());
}

#[test]
fn sizes_that_cannot_be_are_refused_by_name() {
    for (width, height) in [(0, 0), (0, 5), (5, 0)] {
        let error = CostMap::open(width, height).expect_err("no cells");
        assert_eq!(error, SizeError::Empty { width, height });
        assert_eq!(
            CostMap::from_rows(width, height, &[]),
            Err(CostMapError::Size(error))
        );
        assert!(error.to_string().contains(&format!("{width}×{height}")));
    }
    for (width, height) in [(MAX_SIDE + 1, 1), (1, u32::MAX), (u32::MAX, u32::MAX)] {
        let error = CostMap::open(width, height).expect_err("over the limit");
        assert_eq!(error, SizeError::TooLarge { width, height });
        assert!(error.to_string().contains("65535"), "{error}");
    }
    assert!(CostMap::open(MAX_SIDE, 1).is_ok());
}

#[test]
fn rows_of_unequal_length_are_refused_with_both() {
    for length in [0, 349, 351] {
        let error = CostMap::from_rows(25, 14, &vec![1; length]).expect_err("not 350");
        let text = error.to_string();
        assert!(
            text.contains("350") && text.contains(&length.to_string()),
            "{text}"
        );
    }
}

#[test]
fn a_refused_order_derives_no_layer() {
    let mut map = Map::open(61, 33);
    for y in 0..33 {
        map.set(Cell::new(40, y), WALL);
    }
    let mut world = world_of(&map);
    let layers = [(); 3].map(|()| world.add_layer(Movement::new().with_size(2).unwrap()));
    let [wide, derived, ..] = layers.map(Result::unwrap);
    world.derive_layer(derived).unwrap();
    let there = Cell::new(20, 20);
    let _held = world.order(Goal::at(there).on(derived), &[HERE]).unwrap();
    let rock = (0..33).map(|y| Cell::new(40, y)).collect::<Vec<_>>();
    let (off, behind) = (Cell::new(61, 3), Cell::new(50, 3));
    let mut full = world.limits();
    full.orders = 1;
    let mut few = world.limits();
    few.units = 1;
    let any = world.limits();
    let at = |goal: Cell| Goal::at(goal).on(wide);
    let odd = [(0, 33), (-1, 3), (i32::MAX, i32::MIN)].map(Cell::from);
    let off_map = "is off the map of 61×33 cells";
    let dear = at(there).with_start_cost(MAX_START_COST + 1);
    let no_layer = Goal::at(there).on(LayerId::from_number(7));
    let (one, one_off, two) = ([HERE], [HERE, off], [HERE, there]);
    let mut refusals: Vec<(Goal, &[Cell], _, &str)> = vec![
        (at(off), &one, any, "the goal (61, 3) is off the map"),
        (at(there), &one_off, any, "unit 1 at (61, 3) is off the"),
        (at(rock[3]), &one, any, "the goal (40, 3) is a wall"),
        // To wide bodies.
        (at(Cell::new(39, 3)), &one, any, "(39, 3) is a wall"),
        (
            at(behind),
            &[HERE],
            any,
            "no unit can reach the goal (50, 3)",
        ),
        (dear, &one, any, "start cost"),
        (at(there), &one, full, "1 orders"),
        (at(there), &two, few, "2 units"),
        (no_layer, &one, any, "no layer 7"),
    ];
    refusals.extend(odd.map(|goal| (at(goal), &one[..], any, off_map)));
    for (goal, units, limits, words) in refusals {
        world.set_limits(limits);
        let before = world.save();
        let error = world.order(goal, units).expect_err(words).to_string();
        assert!(error.contains(words), "{words}: {error}");
        assert!(world.save() == before, "{words}: the save is another");
    }
    world.set_limits(any);
    let dear = at(there).with_start_cost(MAX_START_COST);
    let _dear = world.order(dear, &[HERE]).unwrap();
    let given = world.order(at(there), &[HERE]).unwrap();
    let before = world.save();
    for off in odd {
        assert!(world.cover(&given, off).is_err());
        assert_eq!(world.sample(&given, off), Sample::Unreachable);
        assert!(!world.reachable(off, HERE) && !world.reachable(HERE, off));
    }
    assert!(world.save() == before);
    let derived_by_number = [derived, wide].map(|layer| world.layer(layer).is_some());
    assert_eq!(derived_by_number, [true; 2]);
}

#[test]
fn caller_s_panic_leaves_the_world_of_the_last_call() {
    fn is_safe<T: UnwindSafe + RefUnwindSafe>() {}
    is_safe::<SharedWorld>();
    is_safe::<Order>();
    let made = || SharedWorld::new(FlowWorld::new(CostMap::open(60, 40).unwrap()));
    let (world, twin, other) = (made(), made(), made());
    let goal = Cell::new(50, 30);
    let stranger = other.write().order(goal, &[]).expect("it is open");
    let ordered = [&world, &twin].map(|world| {
        let order = world.write().order(goal, &[Cell::new(3, 3)]);
        order.expect("it is open")
    });
    let edited = CellRect::new(20, 0, 2, 30);
    let panics: [&dyn Fn(); 3] = [
        &|| {
            let mut world = world.write();
            world.edit(edited, Cost::WALL).expect("on the map");
            let _given = world.order(Cell::new(1, 1), &[]).expect("it is open");
            world.tick(Budget::cells(150));
            panic!("in the midst of a game's turn");
        },
        &|| {
            let _ = world.write().cover(&stranger, Cell::new(7, 7));
        },
        &|| {
            let _ = world
                .write()
                .aim(&mut stranger.clone(), Cell::new(7, 7), &[Cell::new(1, 1)]);
        },
    ];
    for panics in panics {
        assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    }
    let mut twin = twin.write();
    twin.edit(edited, Cost::WALL).expect("on the map");
    let given = twin.order(Cell::new(1, 1), &[]).expect("it is open");
    twin.tick(Budget::cells(150));
    drop(given);
    finish(&mut twin);
    let mut world = world.write();
    finish(&mut world);
    assert_eq!(world.inspect().state_parts(), twin.inspect().state_parts());
    assert_eq!(
        world.inspect().stats().orders,
        1,
        "what the panic dropped is freed"
    );
    let end = world.destination(&ordered[0], Cell::new(3, 3));
    assert_eq!(end, Some(goal));
}
