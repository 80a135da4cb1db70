//! Drawn battles, each fought three times with the same calls, which must come to the same bits:
//!
//! ```text
//!   on one, all awake   ───────┬─ bound to the loaded world ─────────────────▶
//!   on two threads      ───────┴─ saved and loaded with it  ─────────────────▶
//!   on eight threads    ──┬─────┴─ bound ────────────────────┬───────────────▶
//!                         └─ fork and clone go on            └─ again
//! ```

#[allow(dead_code, reason = "the games have numbers of their own")]
#[path = "../../../tests/draws/mod.rs"]
mod draws;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use draws::draws;
use flowtiles_games::{Call, Game, Kind, Random, Rules, draw, play};

/// Does work in a rayon pool of this many threads, which have the name of the test. The engine
/// uses them with its feature `rayon`; without it there is one thread.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let name = thread::current().name().unwrap_or_default().to_owned();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(move |_| name.clone());
    pool.build().expect("a few threads").install(work)
}

fn rules(seed: u64) -> Rules {
    let kinds = [
        Kind::Mixed,
        Kind::Mixed,
        Kind::Calm,
        Kind::Crowded,
        Kind::Odd,
    ];
    let is_mass = seed % 5 == 1;
    let kind = kinds[seed as usize % 5];
    Rules {
        kind,
        sides: [40, 71],
        groups: 4,
        units: if is_mass { [150, 180] } else { [8, 25] },
        most: 700,
        haste: if kind == Kind::Calm { 6 } else { 35 },
    }
}

/// Fights the battle of a seed; returns what was seen.
fn fight(seed: u64, next: &mut dyn FnMut(&Game) -> Option<Call>) -> BTreeMap<String, u64> {
    let mut games = [1, 2, 8].map(|threads| (Game::new(rules(seed), seed), threads));
    let mut asleep = 0;
    while let Some(call) = next(&games[0].0) {
        let hashes = games.each_mut().map(|(game, threads)| {
            match &call {
                Call::Load => game.load(*threads == 2),
                Call::Fork if *threads < 8 => {}
                call => {
                    if *threads == 1 {
                        game.army.keep_awake();
                    }
                    on_threads(*threads, || game.apply(call));
                }
            }
            let world = (game.steps % 4 == 0).then(|| game.world.state_hash());
            (game.army.state_hash(), world)
        });
        assert_eq!([hashes[0]; 3], hashes, "seed {seed}, {call:?}");
        let [(one, _), (two, _), _] = &games;
        let units = two.army.units().iter();
        asleep += units.filter(|unit| two.army.is_asleep(unit.id)).count() as u64;
        // Just after a load there are no events.
        let is_step = matches!(call, Call::Step(..));
        assert!(!is_step || one.army.events() == two.army.events());
    }
    let [(game, _), ..] = games;
    let mut seen = game.seen;
    seen.insert("asleep".to_owned(), asleep);
    seen
}

fn fight_all(seeds: Range<u64>, steps: u64) {
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for seed in seeds {
        let mut random = Random::new(seed + 1_000);
        let next = |game: &Game| (game.steps < steps).then(|| draw(game, &mut random));
        for (what, times) in play(next, |next| fight(seed, next)) {
            *seen.entry(what).or_default() += times;
        }
    }
    println!("{seen:?}");
    let is_much = seen.len() >= 70 && seen["asleep"] > 10_000;
    assert!(is_much, "too little was seen: {} of {seen:?}", seen.len());
}

#[test]
fn a_drawn_battle_goes_as_a_plain_model_says() {
    fight_all(0..(10 * draws()).min(40), 200);
}

#[test]
#[ignore = "minutes: many seeds"]
fn many_long_drawn_battles_go_as_a_plain_model_says() {
    fight_all(100..160, 600);
}

/// A game fails whose calls 7, 60 and 200 are steps of a second; it is shrunk to these.
#[test]
fn a_failing_game_is_told_in_few_calls() {
    let (made, mut at) = (RefCell::new(Vec::new()), 0);
    let next = |_: &Game| {
        at += 1;
        let seconds = if [7, 60, 200].contains(&at) { 1.0 } else { 0.1 };
        (at <= 300).then_some(Call::Step(at, seconds))
    };
    let failed = catch_unwind(AssertUnwindSafe(|| {
        play(next, |next| {
            let game = Game::new(rules(0), 0);
            let mut calls = Vec::new();
            while let Some(call) = next(&game) {
                calls.push(call);
                made.replace(calls.clone());
                let long = |call: &&Call| matches!(call, Call::Step(_, 1.0));
                let long = calls.iter().filter(long).count();
                assert!(long < 3, "the fault of this test");
            }
        });
    }));
    assert!(failed.is_err());
    let made = made.take();
    let numbers = made.iter().map(|call| match call {
        Call::Step(at, _) => *at,
        _ => 0,
    });
    assert!(numbers.eq([7, 60, 200]), "{made:?}");
}
