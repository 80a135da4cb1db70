//! Stamps and blockers: costs laid over the ground for a while, and the ground
//! that comes back.

use crate::oracle::Map;
use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{assert_field, finish, world_of};
use crate::oracle::game::{Game, Input, draw_input, template_of, turned};
use flowtiles::error::{BlockError, StampError};
use flowtiles::{Cell, Cost, CostMap, FlowWorld, StampTemplate, Turn};

fn stamps_or_edits(map: &Map, rng: &mut Rng) -> Input {
    loop {
        let input = draw_input(map, rng);
        let others = matches!(
            input,
            Input::Order(..) | Input::Cover(..) | Input::Drop(_) | Input::Tick(_) | Input::Finish
        );
        if !others {
            return input;
        }
    }
}

#[test]
fn stamps_and_blockers_equal_a_plain_model() {
    for_drawn(83, &[(9, 9), (11, 21), (33, 58)], 4, |map, rng| {
        let mut game = Game::new(map);
        for step in 0..40 {
            game.apply(&stamps_or_edits(map, rng));
            if step % 4 == 3 {
                game.assert_map();
            }
        }
        // All are removed, in a drawn order; the ground is then as the edits
        // left it.
        while !game.model.stamps.is_empty() || !game.model.blockers.is_empty() {
            let which = rng.below(1000) as usize;
            let leavers: [fn(usize) -> Input; 2] = [Input::Unstamp, Input::Unblock];
            let leaver = rng.pick(&leavers);
            game.apply(&leaver(which));
        }
        let left = game.assert_map();
        assert!(left.costs == game.model.ground.costs);
        assert_eq!(game.world.inspect().stamps().count(), 0);
    });
}

#[test]
fn stamps_replan_orders_as_edits_do() {
    for_drawn(84, &[(25, 14), (33, 58)], 4, |map, rng| {
        let mut game = Game::new(map);
        for _ in 0..30 {
            game.apply(&draw_input(map, rng));
        }
        // The same world by other means: built from the present costs.
        finish(&mut game.world);
        let map = game.model.map();
        for taken in &game.taken {
            if taken.goal == taken.goal.clone().or_nearest() || !map.is_open(taken.goal.cell()) {
                continue;
            }
            let start = game.world.cost_to_go(&taken.order, taken.goal.cell());
            if let Some(start) = start {
                assert_field(&game.world, &taken.order, &map, taken.goal.cell(), start);
            }
        }
    });
}

#[test]
fn stamp_over_the_map_s_edge_is_refused_unchanged() {
    let mut world = FlowWorld::new(CostMap::open(30, 20).unwrap());
    let long = StampTemplate::new(5, 2, &[Some(Cost::WALL); 10]).unwrap();
    let before = world.state_hash();
    for (at, turn) in [
        ((26, 0), Turn::None),
        ((-1, 0), Turn::None),
        ((0, 16), Turn::Quarter),
        ((29, 0), Turn::ThreeQuarters),
        ((i32::MAX, i32::MAX), Turn::Half),
    ] {
        let answer = world.stamp(&long, at.into(), turn);
        assert!(
            matches!(answer, Err(StampError::OffMap(_))),
            "{at:?} {turn:?}"
        );
    }
    assert_eq!(world.state_hash(), before);
    assert!(world.stamp(&long, Cell::new(25, 0), Turn::Half).is_ok());
    assert!(world.stamp(&long, Cell::new(28, 15), Turn::Quarter).is_ok());
}

#[test]
fn cell_is_open_once_its_last_blocker_is_gone() {
    let mut world = FlowWorld::new(CostMap::open(30, 20).unwrap());
    let cell = Cell::new(7, 7);
    assert_eq!(world.unblock(cell), Err(BlockError::NotBlocked { cell }));
    assert_eq!(world.block(cell).unwrap().cells, 1);
    assert_eq!(world.block(cell).unwrap().cells, 0, "a wall already");
    assert_eq!(world.unblock(cell).unwrap().cells, 0, "one is left");
    assert_eq!(world.costs().get(cell), Some(Cost::WALL));
    world.edit(cell, Cost::new(9).unwrap()).unwrap();
    assert_eq!(world.costs().get(cell), Some(Cost::WALL));
    assert_eq!(world.unblock(cell).unwrap().cells, 1);
    assert_eq!(world.costs().get(cell).map(Cost::value), Some(9));
    for off in [Cell::new(30, 0), Cell::new(0, -1)] {
        assert!(matches!(world.block(off), Err(BlockError::OffMap(_))));
        assert!(matches!(world.unblock(off), Err(BlockError::OffMap(_))));
        assert_eq!(
            (world.inspect().blockers(off), world.inspect().ground(off)),
            (0, None)
        );
    }
}

#[test]
fn four_quarter_turns_give_the_template_back() {
    let mut rng = Rng::new(85);
    let map = Map::open(40, 40);
    for _ in 0..200 {
        let Input::Stamp(picture, ..) = stamps_or_edits(&map, &mut rng) else {
            continue;
        };
        let mut fourth = picture.clone();
        for _ in 0..4 {
            fourth = turned(&fourth, Turn::Quarter);
        }
        assert!(fourth == picture);
        let half = turned(&picture, Turn::Half);
        assert!(turned(&half, Turn::Half) == picture);
        let (a, b) = (template_of(&half), template_of(&picture));
        let mut worlds = [world_of(&map), world_of(&map)];
        worlds[0].stamp(&a, Cell::new(3, 9), Turn::None).unwrap();
        worlds[1].stamp(&b, Cell::new(3, 9), Turn::Half).unwrap();
        assert!(worlds[0].costs() == worlds[1].costs());
    }
}
