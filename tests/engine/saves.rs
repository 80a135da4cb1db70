//! Saves: valid ones round-trip, and all others are refused.

use crate::draws::draws;
use crate::oracle::Map;
use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::{answers, assert_legal, finish};
use crate::oracle::game::{Game, draw_input};
use flowtiles::error::{LoadError, OrderError, StampError};
use flowtiles::inspect::Digest;
use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, LayerId, Quality, StampTemplate, Teams,
    Turn,
};

/// The bytes of magic, version, length and parts before the rest of the body, and of the
/// digest after it.
const HEAD: usize = 21;
const TAIL: usize = 8;

#[test]
fn a_world_at_rest_comes_back_byte_for_byte() {
    for_drawn(86, &[(9, 9), (25, 14), (33, 58)], 4, |map, rng| {
        let mut game = Game::new(map);
        for _ in 0..40 {
            game.apply(&draw_input(map, rng));
        }
        finish(&mut game.world);
        let (hash, bytes) = (game.world.inspect().state_parts(), game.world.save());
        let seen: Vec<_> = game
            .taken
            .iter()
            .map(|t| answers(&game.world, &t.order, map))
            .collect();
        let loaded: Vec<_> = game
            .taken
            .iter()
            .map(|t| game.world.inspect().loaded(&t.order))
            .collect();
        game.reload();
        for _ in 0..4 {
            assert!(
                game.world.save() == bytes,
                "before and in the midst of the work"
            );
            game.world.tick(Budget::cells(130));
        }
        finish(&mut game.world);
        assert_eq!(game.world.inspect().state_parts(), hash, "on {map}");
        game.assert_map();
        for (taken, (seen, loaded)) in game.taken.iter().zip(seen.iter().zip(&loaded)) {
            assert_eq!(&game.world.inspect().loaded(&taken.order), loaded);
            assert!(&answers(&game.world, &taken.order, map) == seen, "on {map}");
        }
        assert!(game.world.save() == bytes, "the save of a load is the same");
    });
}

#[test]
fn a_world_at_work_goes_on_and_both_copies_agree() {
    for_drawn(87, &[(11, 21), (33, 58)], 3, |map, rng| {
        let mut game = Game::new(map);
        for _ in 0..30 {
            game.apply(&draw_input(map, rng));
        }
        // The world that made the save is reloaded too: see `FlowWorld::load`.
        let (bytes, saved) = (game.world.save(), game.world.inspect().state_parts());
        let mut other = Game {
            taken: game.taken.clone(),
            ..Game::new(map)
        };
        other.model = game.model.clone();
        other.dead = game.dead.clone();
        for copy in [&mut game, &mut other] {
            let (world, orders) = FlowWorld::load(&bytes).expect("a good save");
            assert_eq!(world.inspect().state_parts(), saved);
            copy.adopt(world, &orders);
        }
        for _ in 0..30 {
            let input = draw_input(map, rng);
            game.apply(&input);
            other.apply(&input);
            assert_eq!(
                game.world.inspect().state_parts(),
                other.world.inspect().state_parts(),
                "{input:?} on {map}"
            );
        }
        finish(&mut game.world);
        let map = game.assert_map();
        for taken in &game.taken {
            assert_legal(&game.world, &taken.order, &map);
        }
    });
}

/// Returns a small world with something of every kind.
fn small_world() -> (FlowWorld, Vec<flowtiles::Order>) {
    let mut map = CostMap::open(23, 12).unwrap();
    map.edit(CellRect::new(9, 0, 2, 10), Cost::WALL).unwrap();
    map.edit(CellRect::new(0, 5, 4, 4), Cost::new(7).unwrap())
        .unwrap();
    let mut world = FlowWorld::new(map);
    let hut = StampTemplate::rows(&["##", "# "]).unwrap();
    let stamps = [(3, 1), (4, 2), (15, 4)].map(|at| world.stamp(&hut, at.into(), Turn::Quarter));
    world.unstamp(stamps[0].unwrap().0);
    world.block(Cell::new(18, 8)).unwrap();
    world.block(Cell::new(18, 8)).unwrap();
    let goal = Goal::at(Cell::new(21, 1))
        .or_nearest()
        .with_quality(Quality::Exact);
    let mut orders = vec![
        world
            .order(goal, &[Cell::new(1, 1), Cell::new(2, 10)])
            .unwrap(),
    ];
    orders.push(world.order(Cell::new(0, 0), &[]).unwrap());
    finish(&mut world);
    orders.push(world.order(Cell::new(12, 3), &[Cell::new(1, 2)]).unwrap());
    (world, orders)
}

#[test]
fn a_byte_changed_anywhere_is_noticed() {
    let (world, _orders) = small_world();
    let bytes = world.save();
    assert!(FlowWorld::load(&bytes).is_ok());
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xFF] {
            let mut other = bytes.clone();
            other[at] ^= change;
            let error = FlowWorld::load(&other).err();
            let right = match at {
                0..8 => matches!(error, Some(LoadError::NotASave)),
                8..12 => matches!(error, Some(LoadError::Version { .. })),
                12..20 => matches!(error, Some(LoadError::Length { .. })),
                _ => matches!(error, Some(LoadError::Damaged)),
            };
            assert!(right, "byte {at} of {}: {error:?}", bytes.len());
        }
    }
}

#[test]
fn a_save_cut_off_or_added_to_is_noticed() {
    let (world, _orders) = small_world();
    let mut bytes = world.save();
    for length in 0..bytes.len() {
        let error = FlowWorld::load(&bytes[..length]).err();
        assert!(
            matches!(error, Some(LoadError::Length { .. })),
            "{length}: {error:?}"
        );
    }
    bytes.push(0);
    assert!(matches!(
        FlowWorld::load(&bytes),
        Err(LoadError::Length { .. })
    ));
    assert!(matches!(
        FlowWorld::load(b"FLOWSAVX"),
        Err(LoadError::NotASave)
    ));
}

/// Returns a body framed by the right length and digest, which damage would not
/// give.
fn framed(body: &[u8]) -> Vec<u8> {
    framed_with(0, body)
}

/// Returns a body with these parts in a frame.
fn framed_with(parts: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = b"FLOWSAVE\x01\0\0\0".to_vec();
    bytes.extend((body.len() as u64 + 1).to_le_bytes());
    bytes.push(parts);
    bytes.extend(body);
    let mut digest = Digest::new();
    digest.bytes(&bytes);
    bytes.extend(digest.finish().to_le_bytes());
    bytes
}

/// Tries to load a body, and uses the world if this succeeds.
fn try_body(body: &[u8]) -> bool {
    let bytes = framed(body);
    let Ok((mut world, orders)) = FlowWorld::load(&bytes) else {
        return false;
    };
    assert!(world.save() == bytes, "a world is written in one way");
    finish(&mut world);
    for order in &orders {
        let map = Map::of_costs(world.costs());
        assert_legal(&world, order, &map);
    }
    true
}

#[test]
fn forged_save_loads_or_is_refused_without_a_panic() {
    let (world, _orders) = small_world();
    let bytes = world.save();
    let body = &bytes[HEAD..bytes.len() - TAIL];
    assert!(framed(body) == bytes, "the frame is as the format says");
    for parts in 1..=u8::MAX {
        assert!(
            FlowWorld::load(&framed_with(parts, body)).is_err(),
            "{parts}"
        );
    }
    for length in 0..body.len() {
        assert!(
            !try_body(&body[..length]),
            "{length} bytes of {}",
            body.len()
        );
    }
    let size = 4 * 5;
    let (mut taken, mut refused) = (0, 0);
    // The first numbers are limits and sizes: large values there have tests of
    // their own.
    for at in 0..body.len() {
        for change in [1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0xFF] {
            let mut other = body.to_vec();
            other[at] ^= change;
            let world = at < size || try_body(&other);
            taken += usize::from(world);
            refused += usize::from(!world);
        }
    }
    assert!(
        taken > 100 && refused > 100,
        "{taken} taken, {refused} refused"
    );
    let mut rng = Rng::new(88);
    for _ in 0..7_000 * draws() {
        let mut other = body.to_vec();
        for _ in 0..rng.between(1, 4) {
            let at = rng.between(size as i32, other.len() as i32 - 1) as usize;
            other[at] = rng.word() as u8;
        }
        try_body(&other);
    }
}

#[test]
fn forged_count_allocates_nothing() {
    let most = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1];
    // Limits, nothing owed, a map of 12×7 cells, two sectors of open ground.
    let head: &[u8] = &[1, 1, 1, 1, 0, 12, 7, 0, 2];
    // No stamp and no blocker, then an endless number of orders; likewise for
    // the others.
    for zeros in [1, 2, 4] {
        let mut body = head.to_vec();
        body.extend(std::iter::repeat_n(0, zeros));
        body.extend(most);
        body.extend(most);
        assert!(!try_body(&body), "after {zeros} zeros");
    }
    // A template that claims more cells than there are bytes.
    let mut body = head.to_vec();
    body.extend([1, 1, 0, 0, 0, 0, 0xFF, 0xFF, 3, 0xFF, 0xFF, 3]);
    assert!(!try_body(&body));
    // A size that no map has.
    for size in [[0, 5], [5, 0]] {
        let mut body = vec![1, 1, 1, 1, 0];
        body.extend(size);
        assert!(!try_body(&body));
    }
    let mut body = vec![1, 1, 1, 1, 0];
    body.extend(most);
    body.extend([1, 0, 1, 0, 0, 0, 0, 0]);
    assert!(!try_body(&body));
}

/// Returns the body of an open map's save with these numbers: the debt, the
/// sides, and the next numbers of stamps and orders.
fn body_with(owed: u64, sides: [u64; 2], next: [u64; 2]) -> Vec<u8> {
    let mut body = vec![8, 8, 8, 8];
    let mut number = |mut number: u64| {
        while number >= 0x80 {
            body.push(number as u8 | 0x80);
            number >>= 7;
        }
        body.push(number as u8);
    };
    number(owed);
    sides.into_iter().for_each(&mut number);
    let sectors = sides.map(|side| side.div_ceil(10));
    // A run of open sectors; no stamps, no blockers, no orders.
    let told = [
        0,
        sectors[0].saturating_mul(sectors[1]),
        next[0],
        0,
        0,
        next[1],
        0,
    ];
    told.into_iter().for_each(number);
    body
}

#[test]
fn saves_of_impossible_states_are_refused() {
    let refused = |body: &[u8]| match FlowWorld::load(&framed(body)) {
        Err(LoadError::Body { what, .. }) => what,
        loaded => panic!("{loaded:?}"),
    };
    assert!(try_body(&body_with(0, [30, 20], [0, 0])));
    assert!(refused(&body_with(1 << 32, [30, 20], [0, 0])).contains("owed"));
    // Each number has only one valid encoding.
    let plain = body_with(0, [30, 20], [0, 0]);
    let mut long = plain.clone();
    long[4] |= 0x80;
    long.insert(5, 0);
    assert!(refused(&long).contains("more bytes"));
    let mut two_runs = plain[..7].to_vec();
    two_runs.extend([0, 2, 0, 4]);
    two_runs.extend(&plain[9..]);
    assert!(refused(&two_runs).contains("the encoding"));
}

#[test]
fn exhausted_numbers_are_refused_and_never_wrap() {
    let body = body_with(0, [30, 20], [u64::MAX - 1; 2]);
    let (mut world, _) = FlowWorld::load(&framed(&body)).expect("one number is left");
    let hut = StampTemplate::rows(&["#"]).unwrap();
    let goals = [Cell::new(3, 3), Cell::new(4, 4)];
    let mut orders = vec![world.order(goals[0], &[]).expect("one number is left")];
    world
        .stamp(&hut, goals[1], Turn::None)
        .expect("one is left");
    for _ in 0..2 {
        let order = world.order(Cell::new(9, 9), &[]);
        assert_eq!(order, Err(OrderError::NoNumbers));
        let stamp = world.stamp(&hut, goals[0], Turn::None);
        assert_eq!(stamp.err(), Some(StampError::NoNumbers));
        (world, orders) = FlowWorld::load(&world.save()).expect("a good save");
    }
    assert_eq!(orders[0].number(), u64::MAX - 1);
}

#[test]
fn short_save_of_a_vast_map_is_refused_by_the_limit() {
    let vast = framed(&body_with(0, [65_535, 65_535], [0, 0]));
    assert!(vast.len() < 60);
    let error = FlowWorld::load_within(&vast, 1 << 26).expect_err("too large");
    assert!(matches!(error, LoadError::TooLarge { .. }), "{error}");
    assert!(error.to_string().contains("65535×65535"));
    let body = body_with(0, [u64::MAX, u64::MAX], [0, 0]);
    assert!(matches!(
        FlowWorld::load_within(&framed(&body), 1 << 26),
        Err(LoadError::TooLarge { .. })
    ));
    let small = framed(&body_with(0, [30, 20], [0, 0]));
    assert!(FlowWorld::load_within(&small, 599).is_err());
    assert!(FlowWorld::load_within(&small, 600).is_ok());
}

#[test]
fn open_ground_takes_few_bytes_in_a_save() {
    let world = FlowWorld::new(CostMap::open(2005, 1503).unwrap());
    assert!(world.save().len() < 60, "{} bytes", world.save().len());
    let mut map = CostMap::open(1000, 1000).unwrap();
    map.edit(CellRect::new(0, 0, 1000, 400), Cost::WALL)
        .unwrap();
    map.edit(Cell::new(500, 700), Cost::new(3).unwrap())
        .unwrap();
    let world = FlowWorld::new(map.clone());
    assert!(world.save().len() < 80, "{} bytes", world.save().len());
    let (loaded, _) = FlowWorld::load(&world.save()).unwrap();
    assert!(loaded.costs() == &map);
}

#[test]
fn order_numbers_are_kept_in_a_save() {
    let (mut world, orders) = small_world();
    let ids: Vec<_> = world.inspect().stamps().collect();
    let numbers: Vec<u64> = orders.iter().map(flowtiles::Order::number).collect();
    assert!(world.order_with_number(numbers[1]) == Some(orders[1].clone()));
    drop(orders);
    assert_eq!(world.order_with_number(numbers[1]), None, "it is over");
    let (mut empty, none) = FlowWorld::load(&world.save()).unwrap();
    assert!(none.is_empty(), "an order without a claim is not saved");
    let next = empty.order(Cell::new(0, 0), &[]).unwrap();
    assert_eq!(next.number(), 3);
    assert!(empty.inspect().stamps().eq(ids.iter().copied()));
    let hut = StampTemplate::rows(&["#"]).unwrap();
    let next = [&mut world, &mut empty]
        .map(|world| world.stamp(&hut, Cell::new(0, 0), Turn::None).unwrap().0);
    assert_eq!(next[0], next[1]);
    assert!(next[0] > ids[1]);
    assert!(empty.unstamp(ids[0]).is_some() && empty.unstamp(ids[0]).is_none());
}

#[test]
fn state_hash_differs_after_each_change_of_state() {
    let (mut world, orders) = small_world();
    let mut seen = vec![world.state_hash()];
    let mut differs = |world: &FlowWorld, what: &str| {
        let hash = world.state_hash();
        assert!(!seen.contains(&hash), "{what} goes unseen");
        seen.push(hash);
    };
    world.tick(Budget::UNLIMITED);
    differs(&world, "a field that is done");
    world.cover(&orders[1], Cell::new(20, 10)).unwrap();
    differs(&world, "a cell to serve");
    world
        .edit(Cell::new(22, 11), Cost::new(2).unwrap())
        .unwrap();
    differs(&world, "a cost");
    world.block(Cell::new(18, 8)).unwrap();
    differs(&world, "one more blocker on a wall");
    let (id, _) = world
        .stamp(
            &StampTemplate::rows(&["."]).unwrap(),
            Cell::new(0, 0),
            Turn::None,
        )
        .unwrap();
    differs(&world, "a stamp that costs what the ground does");
    world.unstamp(id);
    differs(&world, "that there was a stamp");
    world.edit(Cell::new(18, 8), Cost::new(2).unwrap()).unwrap();
    differs(&world, "the ground under a blocker");
    let mut limits = world.limits();
    limits.orders = 7;
    world.set_limits(limits);
    differs(&world, "a limit");
    drop(orders);
    differs(&world, "an order that is over");
}

#[test]
fn fork_goes_on_as_its_world_does_and_independently() {
    for_drawn(176, &[(11, 21), (33, 58)], 3, |map, rng| {
        let mut game = Game::new(map);
        for _ in 0..30 {
            game.apply(&draw_input(map, rng));
        }
        let (world, orders) = game.world.fork();
        assert_eq!(
            world.inspect().state_parts(),
            game.world.inspect().state_parts()
        );
        let mut other = Game {
            taken: game.taken.clone(),
            ..Game::new(map)
        };
        (other.model, other.dead) = (game.model.clone(), game.dead.clone());
        other.adopt(world, &orders);
        drop(orders);
        for _ in 0..30 {
            let input = draw_input(map, rng);
            game.apply(&input);
            let before = game.world.inspect().state_parts();
            other.apply(&input);
            assert_eq!(before, game.world.inspect().state_parts());
            assert_eq!(other.world.inspect().state_parts(), before, "on {map}");
            let pairs = game.taken.iter().zip(&other.taken);
            for (one, two) in pairs {
                let [one, two] = [(&game, one), (&other, two)]
                    .map(|(game, taken)| answers(&game.world, &taken.order, map));
                assert!(one == two, "on {map}");
            }
        }
    });
}

/// A save of `small_world` with a gate and two layers besides, which an earlier build wrote
/// with a jam in the record of congestion that worlds kept then. The file is never changed: as
/// long as the format has version 1, it must load.
const WITH_CONGESTION: &str = include_str!("saves/version-1.hex");

/// That world with the surcharges that its congestion has become, and one of the game beside
/// them. The file is never changed either.
const WITH_SURCHARGES: &str = include_str!("saves/version-1-surcharges.hex");

fn kept(hex: &str) -> Vec<u8> {
    let digits: Vec<char> = hex.chars().filter(|digit| !digit.is_whitespace()).collect();
    let pairs = digits.chunks_exact(2).map(String::from_iter);
    pairs
        .map(|pair| u8::from_str_radix(&pair, 16).unwrap())
        .collect()
}

#[test]
fn kept_save_loads_with_all_its_parts() {
    let (mut world, orders) = FlowWorld::load(&kept(WITH_CONGESTION)).expect("the kept save");
    let surcharged = LayerId::from_number(2);
    let of = |world: &FlowWorld| [9, 12, 15].map(|x| world.surcharge_of(surcharged, (x, 7).into()));
    // A full jam, and what that cost on the layer.
    assert_eq!(of(&world), [0, 8, 0]);
    let save = kept(WITH_SURCHARGES);
    let (other, _claims) = FlowWorld::load(&save).expect("the kept save");
    assert_eq!(other.save(), save);
    assert_eq!(of(&other), [5, 13, 0]);
    let area = CellRect::new(8, 6, 6, 3);
    world
        .surcharge(surcharged, &[(area, 5)])
        .expect("on the map");
    assert_eq!(world.save(), save);
    assert_eq!((world.costs().width(), world.costs().height()), (23, 12));
    assert_eq!(world.costs().get(Cell::new(9, 3)), Some(Cost::WALL));
    assert_eq!(world.costs().get(Cell::new(1, 6)), Cost::new(7).ok());
    assert_eq!(world.inspect().blockers(Cell::new(18, 8)), 2);
    assert_eq!(world.inspect().stamps().count(), 2);
    finish(&mut world);
    let [exact, all, late, layered] = &orders[..] else {
        panic!("{} orders", orders.len());
    };
    assert_eq!(exact.goal().cell(), Cell::new(21, 1));
    assert_eq!(all.goal(), &Goal::at(Cell::new(0, 0)));
    // The gate is closed to them.
    let ends = [(exact, (1, 1)), (late, (1, 2))]
        .map(|(order, unit)| world.destination(order, unit.into()));
    assert_eq!(ends, [Some(Cell::new(8, 1)), None]);
    let wide = LayerId::from_number(1);
    let movement = world.movement(wide).expect("a layer");
    assert_eq!((movement.size(), movement.wall_costs()), (2, [3, 1, 0, 0]));
    assert_eq!(movement.cost(Cost::new(7).unwrap()), Cost::OPEN);
    let gate = world.inspect().gates().next().expect("a gate");
    let area = CellRect::new(9, 10, 2, 2);
    assert_eq!(
        world.inspect().gate(gate),
        Some((area, Teams::NONE.with(3)))
    );
    assert_eq!(Some(layered.goal().layer()), wide.for_team(3));
    assert_eq!(
        world.destination(layered, Cell::new(1, 1)),
        Some(Cell::new(20, 6))
    );
}
