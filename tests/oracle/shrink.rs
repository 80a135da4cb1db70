//! Drawn tests that fail are made short: the numbers that were drawn are left out and zeroed,
//! and the map is opened, as long as the test still panics at the same line.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::resume_unwind;

use flowtiles::CellRect;

use super::Map;
use crate::draws::Rng;
use crate::draws::tries::{Fault, fault_of, plainest};

/// How many shorter draws are tried.
const TRIES: usize = 1_200;

thread_local! {
    static IS_TRYING: Cell<bool> = const { Cell::new(false) };
    /// The inputs of the game, with how often each came in a row.
    static NOTED: RefCell<Vec<(String, usize)>> = const { RefCell::new(Vec::new()) };
}

/// What a test was given.
#[derive(Clone)]
pub struct Drawn {
    pub map: Map,
    /// The numbers drawn after the map.
    pub words: Vec<u64>,
}

/// Notes an input, for the list of those that made a test fail.
pub fn note(input: &impl fmt::Debug) {
    if !IS_TRYING.get() {
        return;
    }
    NOTED.with_borrow_mut(|noted| {
        let line = format!("{input:?}");
        match noted.last_mut() {
            Some((last, times)) if *last == line => *times += 1,
            _ => noted.push((line, 1)),
        }
    });
}

/// Runs a test. If it panics, prints a short game that makes it panic too.
pub fn check(map: Map, mut rng: Rng, check: &mut impl FnMut(&Map, &mut Rng)) {
    let mut start = rng.clone();
    let Some(first) = fault_of(true, || check(&map, &mut rng)) else {
        return;
    };
    let words = (start.drawn..rng.drawn).map(|_| start.word()).collect();
    let least = shrunk(Drawn { map, words }, &first.place, check);
    // If another run of the same draws passes, the first panic is all there is.
    resume_unwind(report(&least, check).unwrap_or(first).panic);
}

/// Runs the shortest draws once more, and prints what they were. Returns how they fail.
fn report(least: &Drawn, check: &mut impl FnMut(&Map, &mut Rng)) -> Option<Fault> {
    let fault = tried(least, check)?;
    eprintln!("made short, on {}", least.map);
    for (line, times) in NOTED.take() {
        eprintln!("  {times} × {line}");
    }
    eprintln!("panics: {}", fault.words());
    Some(fault)
}

/// Runs a test without its panic being printed, and returns how it fails.
fn tried(drawn: &Drawn, check: &mut impl FnMut(&Map, &mut Rng)) -> Option<Fault> {
    IS_TRYING.set(true);
    NOTED.take();
    let mut rng = Rng::of_words(&drawn.words);
    let fault = fault_of(false, || check(&drawn.map, &mut rng));
    IS_TRYING.set(false);
    fault
}

/// Returns the least draws found that make a test panic at this place.
fn shrunk(drawn: Drawn, place: &str, check: &mut impl FnMut(&Map, &mut Rng)) -> Drawn {
    let mut tries = 0..TRIES;
    let mut least = drawn;
    let mut fails = |drawn: &Drawn| {
        tries.next().is_some() && tried(drawn, check).is_some_and(|fault| fault.place == place)
    };
    loop {
        let before = size(&least);
        let Drawn { map, words } = least;
        let words = plainest(words, |words| {
            fails(&Drawn {
                map: map.clone(),
                words: words.to_vec(),
            })
        });
        least = opened(Drawn { map, words }, &mut fails);
        if size(&least) == before {
            return least;
        }
    }
}

/// Opens the map, half by half and at last cell by cell.
fn opened(mut least: Drawn, fails: &mut impl FnMut(&Drawn) -> bool) -> Drawn {
    let (width, height) = (least.map.width, least.map.height);
    let mut side = width.max(height);
    while side > 0 {
        for y in (0..height).step_by(side as usize) {
            for x in (0..width).step_by(side as usize) {
                let sides = [side.min(width - x), side.min(height - y)].map(|side| side as u32);
                let mut open = least.clone();
                open.map.fill(CellRect::new(x, y, sides[0], sides[1]), 1);
                if open.map != least.map && fails(&open) {
                    least = open;
                }
            }
        }
        side /= 2;
    }
    least
}

/// The numbers that are not 0, all numbers, and the cells that are not open.
fn size(drawn: &Drawn) -> [usize; 3] {
    let words = drawn.words.iter().filter(|&&word| word != 0).count();
    let cells = drawn.map.costs.iter().filter(|&&cost| cost != 1).count();
    [words, drawn.words.len(), cells]
}

/// A fault that needs a wall, a blocker, and an order afterwards is shrunk to two inputs and one wall.
#[cfg(panic = "unwind")]
#[test]
fn a_failing_game_is_made_short() {
    use super::draw::{Look, draw};
    use super::game::{Game, Input, draw_input};

    let mut play = |map: &Map, rng: &mut Rng| {
        let mut game = Game::new(map);
        let mut is_blocked = false;
        for _ in 0..40 {
            let input = draw_input(map, rng);
            game.apply(&input);
            is_blocked |= matches!(input, Input::Block(_));
            let has_wall = map.costs.contains(&super::WALL);
            assert!(
                !(is_blocked && has_wall && matches!(input, Input::Order(..))),
                "the fault of this test"
            );
        }
    };
    let (map, mut start, drawn, place) = (0..)
        .find_map(|seed| {
            let mut rng = Rng::new(seed);
            let map = draw(Look::Caves, 25, 14, &mut rng);
            let start = rng.clone();
            let fault = fault_of(false, || play(&map, &mut rng))?;
            Some((map, start, rng.drawn, fault.place))
        })
        .expect("some seed draws it");
    let words = (start.drawn..drawn).map(|_| start.word()).collect();
    let least = shrunk(Drawn { map, words }, &place, &mut play);
    assert!(tried(&least, &mut play).is_some());
    let noted = NOTED.take();
    let lines = noted.iter().filter(|(line, _)| !line.starts_with("Tick"));
    assert_eq!(lines.count(), 2, "{noted:?}");
    let walls = least.map.costs.iter().filter(|&&cost| cost != 1);
    assert_eq!(walls.count(), 1, "{}", least.map);
}
