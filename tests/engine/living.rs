//! Living worlds: drawn lists of every possible input, compared after every
//! step with a naive world that goes through the whole map each time.

use std::hint::black_box;

use crate::oracle::Map;
use crate::oracle::draw::for_drawn;
use crate::oracle::follow::{End, answers, finish, walk, world_of};
use crate::oracle::game::{Game, Taken, draw_input};
use crate::oracle::holds::{assert_ends, assert_finished, assert_freed, assert_running};
use flowtiles::{Budget, Cell, CellRect, Cost, Goal, Sample};

const SIZES: [(i32, i32); 4] = [(9, 9), (11, 21), (25, 14), (33, 58)];
const INPUTS: usize = 40;

#[test]
fn after_any_inputs_the_world_agrees_with_a_naive_one() {
    let mut sequences = 0;
    for_drawn(94, &SIZES, 15, |map, rng| {
        let mut game = Game::new(map);
        for step in 0..INPUTS {
            let input = draw_input(map, rng);
            game.apply(&input);
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
    assert!(sequences >= 80, "{sequences} sequences");
}

#[test]
fn inspection_between_commands_changes_no_state() {
    for_drawn(63, &SIZES[1..], 4, |map, rng| {
        let mut games = [(); 2].map(|()| Game::new(map));
        for step in 0..60 {
            let input = draw_input(map, rng);
            games.iter_mut().for_each(|game| game.apply(&input));
            let [seen, unseen] = &games;
            let inside = seen.world.inspect();
            for Taken { order, goal, .. } in seen.taken.iter().filter(|_| step % 6 == 5) {
                black_box(answers(&seen.world, order, map));
                black_box(seen.world.cost_to_go(order, goal.cell()));
                black_box((inside.route(order), inside.integration(order)));
            }
            let unseen = unseen.world.inspect();
            assert_eq!(inside.state_parts(), unseen.state_parts(), "on {map}");
            assert_eq!(inside.stats(), unseen.stats(), "on {map}");
        }
    });
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
