//! Living worlds: drawn lists of every possible input, compared after every
//! step with a naive world that goes through the whole map each time.

use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{End, assert_field, assert_legal, finish, walk, world_of};
use crate::oracle::game::{Game, Taken, draw_input};
use crate::oracle::{Map, ends, field, is_strict, islands};
use flowtiles::{Budget, Cell, CellRect, Cost, Goal, Quality, Sample};

const SIZES: [(i32, i32); 4] = [(9, 9), (11, 21), (25, 14), (33, 58)];
const INPUTS: usize = 40;

#[test]
fn after_any_inputs_the_world_agrees_with_a_naive_one() {
    let mut sequences = 0;
    for_drawn(94, &SIZES, 15, |map, rng| {
        let mut game = Game::new(map);
        for step in 0..INPUTS {
            let input = draw_input(map, rng);
            game.tell(&input);
            if rng.chance(4) {
                game.reload();
            }
            assert_running(&game);
            if step % 10 == 9 {
                game.assert_map();
            }
        }
        assert_finished(&mut game, rng);
        assert_freed(&mut game);
        sequences += 1;
    });
    assert!(sequences >= 200, "{sequences} sequences");
}

/// The old field leads to the nearest cell of an island, and the new one leads away from
/// there: no unit may walk between the two.
#[test]
fn former_goal_leads_no_unit_in_circles() {
    let mut map = Map::open(80, 20);
    map.fill(CellRect::new(0, 10, 80, 1), 255);
    let mut world = world_of(&map);
    let goal = Goal::from(Cell::new(12, 15)).or_nearest();
    let units = [Cell::new(14, 2), Cell::new(25, 3)];
    let order = world.order(goal.clone(), &units).unwrap();
    world.tick(Budget::UNLIMITED);
    let nearest = Cell::new(12, 9);
    assert_eq!(world.sample(&order, nearest), Sample::Arrived);

    let gap = Cell::new(75, 10);
    map.fill(gap.into(), 1);
    world.edit(gap, Cost::OPEN).unwrap();
    while !world.tick(Budget::cells(20)).is_done() {
        let answer = |cell| {
            if map.is_open(cell) {
                world.sample(&order, cell)
            } else {
                Sample::Waiting
            }
        };
        let answers: Vec<Sample> = map.cells().map(answer).collect();
        assert_ends(&map, &answers, &goal);
    }
    finish(&mut world);
    for unit in units {
        let walk = walk(&mut world, &order, &map, unit);
        assert!(matches!(walk.end, End::Arrived), "{unit}");
    }
}

/// Checks that paths end at any time: following the samples leads to a cell
/// without a direction, or to a goal.
fn assert_ends(map: &Map, answers: &[Sample], context: &Goal) {
    const AHEAD: usize = usize::MAX;
    // The walk on which each cell was visited.
    let mut walks = vec![AHEAD; answers.len()];
    for start in map.open_cells() {
        let (mut cell, walk) = (start, map.id(start));
        while let Some(way) = answers[map.id(cell)].direction() {
            match walks[map.id(cell)] {
                AHEAD => walks[map.id(cell)] = walk,
                known => {
                    assert_ne!(known, walk, "{start} to {context:?} comes back on {map}");
                    break;
                }
            }
            cell = cell.step(way);
        }
    }
}

/// Checks what holds at any time: steps are legal, paths end, and exactly the
/// units that cannot reach a strict goal get `Unreachable`.
fn assert_running(game: &Game) {
    let map = game.model.map();
    let islands = islands(&map);
    let turning = |taken: &Taken| taken.aimed && game.world.inspect().stats().waiting > 0;
    for taken in &game.taken {
        let Taken { order, goal, .. } = taken;
        assert_legal(&game.world, order, &map);
        let answer = |cell| {
            if map.is_open(cell) {
                game.world.sample(order, cell)
            } else {
                Sample::Waiting
            }
        };
        let answers: Vec<Sample> = map.cells().map(answer).collect();
        assert_ends(&map, &answers, goal);
        if !is_strict(goal) || turning(taken) {
            continue;
        }
        for cell in map.open_cells() {
            let answer = answers[map.id(cell)];
            let hopeless = ends(&map, &islands, order.goal(), cell).is_empty();
            assert_eq!(
                answer == Sample::Unreachable,
                hopeless,
                "{answer:?} at {cell}, {goal:?} on {map}"
            );
        }
    }
}

/// Checks what holds when nothing waits: fields are exact, and all units that
/// can arrive do.
fn assert_finished(game: &mut Game, rng: &mut Rng) {
    finish(&mut game.world);
    let map = game.assert_map();
    let islands = islands(&map);
    for taken in game.taken.clone() {
        let Taken { order, goal, .. } = &taken;
        if is_strict(goal) && map.is_open(goal.cell()) {
            assert_exact(game, &map, &taken, rng);
        }
        let Some(unit) = rng.open_cell(&map) else {
            continue;
        };
        let walk = walk(&mut game.world, order, &map, unit);
        let ends = ends(&map, &islands, order.goal(), unit);
        let expected = if ends.is_empty() {
            (End::Unreachable, [unit].to_vec())
        } else {
            (End::Arrived, ends)
        };
        assert!(
            walk.end == expected.0 && expected.1.contains(&walk.last),
            "{unit} to {goal:?} ends at {}, {:?}, not {expected:?} on {map}",
            walk.last,
            walk.end
        );
    }
}

/// Checks that the field of an order with one goal is exact where it is loaded.
/// A path costs at least as much as the cheapest of the whole map. It costs
/// exactly that for the order's units with the qualities `Exact` and
/// `Everywhere`, and for a stray with `Everywhere`.
fn assert_exact(game: &mut Game, map: &Map, taken: &Taken, rng: &mut Rng) {
    let Taken {
        order, goal, units, ..
    } = taken;
    let stray = rng.pick(&crate::oracle::home_of(map, goal.cell()));
    game.world.cover(order, stray).expect("on the map");
    finish(&mut game.world);
    let start = game.world.cost_to_go(order, goal.cell());
    let start = start.expect("the goal is loaded");
    assert_field(&game.world, order, map, goal.cell(), start);
    let best = field(map, goal.cell(), start);
    let is_of = |quality| *goal == goal.clone().with_quality(quality);
    let everywhere = is_of(Quality::Everywhere);
    let exact = everywhere || is_of(Quality::Exact);
    for (unit, exact) in units
        .iter()
        .map(|unit| (unit, exact))
        .chain([(&stray, everywhere)])
    {
        let (best, found) = (best[map.id(*unit)], game.world.cost_to_go(order, *unit));
        if best.is_some() {
            assert!(found >= best, "{found:?} beats {best:?} on {map}");
            assert!(
                !exact || found == best,
                "{unit}, {found:?}, not {best:?}, {goal:?} on {map}"
            );
        }
    }
}

/// Checks that dropped orders are freed.
fn assert_freed(game: &mut Game) {
    game.taken.clear();
    game.world.tick(Budget::cells(1));
    let stats = game.world.inspect().stats();
    assert_eq!((stats.orders, stats.tiles, stats.order_bytes), (0, 0, 0));
}
