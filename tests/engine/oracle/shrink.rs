//! Drawn tests that fail are made short: the numbers that were drawn are left out and zeroed,
//! and the map is opened, as long as the test still panics at the same line.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Once;

use flowtiles::CellRect;

use super::Map;
use crate::draws::Rng;

/// How many shorter draws are tried.
const TRIES: usize = 600;

thread_local! {
    /// The line of the last panic.
    static LINE: RefCell<String> = const { RefCell::new(String::new()) };
    static IS_TRYING: Cell<bool> = const { Cell::new(false) };
    /// What was told to the game, with how often in a row.
    static TOLD: RefCell<Vec<(String, usize)>> = const { RefCell::new(Vec::new()) };
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
    TOLD.with_borrow_mut(|told| {
        let line = format!("{input:?}");
        match told.last_mut() {
            Some((last, times)) if *last == line => *times += 1,
            _ => told.push((line, 1)),
        }
    });
}

/// Runs a test. If it panics, tells of a short game that makes it panic too.
pub fn check(map: Map, mut rng: Rng, check: &mut impl FnMut(&Map, &mut Rng)) {
    keep_lines();
    let mut start = rng.clone();
    let run = catch_unwind(AssertUnwindSafe(|| check(&map, &mut rng)));
    let Err(panic) = run else {
        return;
    };
    let words = (start.drawn..rng.drawn).map(|_| start.word()).collect();
    let least = shrunk(Drawn { map, words }, check);
    // If another run of the same draws passes, the first panic is all there is.
    resume_unwind(tell(&least, check).unwrap_or(panic));
}

/// Runs the shortest draws once more, and prints what they were. Returns the panic.
fn tell(least: &Drawn, check: &mut impl FnMut(&Map, &mut Rng)) -> Option<Box<dyn Any + Send>> {
    let panic = panic_of(least, check)?;
    eprintln!("made short, on {}", least.map);
    for (line, times) in TOLD.take() {
        eprintln!("  {times} × {line}");
    }
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    eprintln!("panics: {}", words.unwrap_or("without words"));
    Some(panic)
}

/// Runs a test without its panic being printed, and returns the panic.
fn panic_of(drawn: &Drawn, check: &mut impl FnMut(&Map, &mut Rng)) -> Option<Box<dyn Any + Send>> {
    IS_TRYING.set(true);
    TOLD.take();
    let mut rng = Rng::of_words(&drawn.words);
    let run = catch_unwind(AssertUnwindSafe(|| check(&drawn.map, &mut rng)));
    IS_TRYING.set(false);
    run.err()
}

/// Returns the least draws found that make a test panic at the line of its last panic.
pub fn shrunk(drawn: Drawn, check: &mut impl FnMut(&Map, &mut Rng)) -> Drawn {
    let line = LINE.take();
    let mut tries = 0..TRIES;
    let mut least = drawn;
    let mut fails = |drawn: &Drawn| panic_of(drawn, check).is_some() && LINE.take() == line;
    loop {
        let before = size(&least);
        let mut part = least.words.len().div_ceil(2);
        while part > 0 {
            let mut at = 0;
            while at < least.words.len() {
                let end = (at + part).min(least.words.len());
                let mut shorter = least.clone();
                shorter.words.drain(at..end);
                let mut plainer = least.clone();
                plainer.words[at..end].fill(0);
                let is_plain = plainer.words == least.words;
                if tries.next().is_none() {
                    return least;
                }
                if fails(&shorter) {
                    least = shorter;
                    continue;
                }
                if !is_plain && fails(&plainer) {
                    least = plainer;
                }
                at = end;
            }
            part /= 2;
        }
        least = opened(least, &mut tries, &mut fails);
        if size(&least) == before {
            return least;
        }
    }
}

/// Opens the map, half by half and at last cell by cell.
fn opened(
    mut least: Drawn,
    tries: &mut impl Iterator,
    fails: &mut impl FnMut(&Drawn) -> bool,
) -> Drawn {
    let (width, height) = (least.map.width, least.map.height);
    let mut side = width.max(height);
    while side > 0 {
        for y in (0..height).step_by(side as usize) {
            for x in (0..width).step_by(side as usize) {
                let sides = [side.min(width - x), side.min(height - y)].map(|side| side as u32);
                let mut open = least.clone();
                open.map.fill(CellRect::new(x, y, sides[0], sides[1]), 1);
                if open.map == least.map {
                    continue;
                }
                if tries.next().is_none() {
                    return least;
                }
                if fails(&open) {
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

/// Keeps the line of each thread's last panic. Panics of a try are not printed.
fn keep_lines() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let line = panic.location().map(ToString::to_string);
            drop(LINE.replace(line.unwrap_or_default()));
            if !IS_TRYING.get() {
                print(panic);
            }
        }));
    });
}

/// A fault that needs a wall, a blocker, and an order afterwards is told in two inputs and one wall.
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
            game.tell(&input);
            is_blocked |= matches!(input, Input::Block(_));
            let has_wall = map.costs.contains(&super::WALL);
            assert!(
                !(is_blocked && has_wall && matches!(input, Input::Order(..))),
                "the fault of this test"
            );
        }
    };
    keep_lines();
    let (map, mut start, drawn) = (0..)
        .find_map(|seed| {
            let mut rng = Rng::new(seed);
            let map = draw(Look::Caves, 25, 14, &mut rng);
            let start = rng.clone();
            IS_TRYING.set(true);
            let run = catch_unwind(AssertUnwindSafe(|| play(&map, &mut rng)));
            IS_TRYING.set(false);
            run.err().map(|_| (map, start, rng.drawn))
        })
        .expect("some seed draws it");
    let words = (start.drawn..drawn).map(|_| start.word()).collect();
    let least = shrunk(Drawn { map, words }, &mut play);
    assert!(panic_of(&least, &mut play).is_some());
    let told = TOLD.take();
    let lines = told.iter().filter(|(line, _)| !line.starts_with("Tick"));
    assert_eq!(lines.count(), 2, "{told:?}");
    let walls = least.map.costs.iter().filter(|&&cost| cost != 1);
    assert_eq!(walls.count(), 1, "{}", least.map);
}
