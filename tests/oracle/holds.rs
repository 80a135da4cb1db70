//! What holds of a world that a game has applied its inputs to.

use flowtiles::{Budget, Goal, Quality, Sample};

use super::draw::Rng;
use super::follow::{End, assert_field, assert_legal, finish, walk};
use super::game::{Game, Taken};
use super::{Map, ends, field, home_of, is_strict, islands};

/// Checks that paths end at any time: following the samples leads to a cell
/// without a direction, or to a goal.
pub fn assert_ends(map: &Map, answers: &[Sample], context: &Goal) {
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
pub fn assert_running(game: &Game) {
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
pub fn assert_finished(game: &mut Game, rng: &mut Rng) {
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
    let stray = rng.pick(&home_of(map, goal.cell()));
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
pub fn assert_freed(game: &mut Game) {
    game.taken.clear();
    game.world.tick(Budget::cells(1));
    let stats = game.world.inspect().stats();
    assert_eq!((stats.orders, stats.tiles, stats.order_bytes), (0, 0, 0));
}
