//! Drawn games that fail are reported with few calls: calls are left out as long as the game still
//! panics at the same place.
//!
//! Each call has draws of its own, so that those that are left in stay as they were.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::mem;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};

use crate::crowd::Draw;
use crate::draws::tries::{fault_of, fewest};

/// How many games with fewer calls are tried.
const TRIES: usize = 150;

/// The drawn calls of a game: all, or some.
#[derive(Clone, Default)]
pub struct Calls {
    /// The numbers of those that are made, if not all are.
    some: Option<Arc<BTreeSet<u32>>>,
    /// The number of calls so far.
    number: u32,
    /// The text of the calls that were made, by their numbers.
    noted: Arc<Mutex<BTreeMap<u32, String>>>,
    /// The game's draws, while a call has its own.
    rest: Option<Draw>,
}

impl Calls {
    fn some(numbers: &[u32]) -> Self {
        Self {
            some: Some(Arc::new(numbers.iter().copied().collect())),
            ..Self::default()
        }
    }

    /// Whether the next call is made. If so, the draws are its own until it [ends](Self::end).
    pub fn begin(&mut self, draw: &mut Draw) -> bool {
        let own = Draw::new(draw.below(1 << 24));
        self.number += 1;
        let some = self.some.as_ref();
        let is_made = some.is_none_or(|some| some.contains(&self.number));
        if is_made {
            self.rest = Some(mem::replace(draw, own));
        }
        is_made
    }

    /// Ends a call that was made.
    pub fn end(&mut self, draw: &mut Draw) {
        *draw = self.rest.take().expect("a call was begun");
    }

    /// Notes what the last call is.
    pub fn note(&self, call: &impl fmt::Debug) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.insert(self.number, format!("{call:?}"));
    }

    fn noted(&self) -> BTreeMap<u32, String> {
        let noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.clone()
    }
}

/// Plays a game. If it panics, prints few calls that make it panic too.
pub fn play<T>(game: impl Fn(Calls) -> T) -> T {
    let (all, mut played) = (Calls::default(), None);
    let first = fault_of(true, || played = Some(game(all.clone())));
    let Some(first) = first else {
        return played.expect("the game has not panicked");
    };
    let made = least_calls(&all, &first.place, &game);
    let least = Calls::some(&made);
    // If another run of the same calls passes, the first panic is all there is.
    let last = fault_of(false, || drop(game(least.clone()))).unwrap_or(first);
    eprintln!("it fails with these calls:");
    for (number, call) in least.noted() {
        eprintln!("  {number}: {call}");
    }
    eprintln!("panics: {}", last.words());
    resume_unwind(last.panic)
}

/// Returns the numbers of few calls with which the game panics at the same place.
fn least_calls<T>(all: &Calls, place: &str, game: &impl Fn(Calls) -> T) -> Vec<u32> {
    let mut tries = 0..TRIES;
    fewest(all.noted().into_keys().collect(), |made| {
        let fails = || fault_of(false, || drop(game(Calls::some(made))));
        tries.next().is_some() && fails().is_some_and(|fault| fault.place == place)
    })
}

/// A fault that needs the calls 7, 60 and 200 of 300 is shrunk to these.
#[cfg(panic = "unwind")]
#[test]
fn a_failing_game_is_told_in_few_calls() {
    let game = |mut calls: Calls| {
        let (mut draw, mut made) = (Draw::new(1), [false; 301]);
        crate::crowd::on_threads(2, || {
            for number in 1..=300 {
                if !calls.begin(&mut draw) {
                    continue;
                }
                calls.note(&draw.below(9));
                calls.end(&mut draw);
                made[number] = true;
                assert!(
                    !(number == 200 && made[7] && made[60]),
                    "the fault of this test"
                );
            }
        });
    };
    let all = Calls::default();
    let first = fault_of(false, || game(all.clone())).expect("it fails");
    let made = least_calls(&all, &first.place, &game);
    assert_eq!(made, [7, 60, 200]);
    let last = fault_of(false, || game(Calls::some(&made)));
    assert_eq!(last.expect("it fails").words(), "the fault of this test");
}
