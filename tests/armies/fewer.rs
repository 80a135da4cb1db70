//! Drawn games that fail are told with few calls: calls are left out as long as the game still
//! panics at the same place.
//!
//! Each call has draws of its own, so that those that are left in stay as they were.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};

use crate::crowd::Draw;
use crate::draws::tries::{Fault, fault_of};

/// How many games with fewer calls are tried.
const TRIES: usize = 150;

/// The drawn calls of a game, some of them left out.
#[derive(Clone, Default)]
pub struct Calls {
    left_out: Arc<BTreeSet<u32>>,
    /// The number of calls so far.
    number: u32,
    /// What was told of calls that were made, by their numbers.
    told: Arc<Mutex<BTreeMap<u32, String>>>,
}

impl Calls {
    /// Returns the draws that the next call has for itself, or nothing if it is left out.
    pub fn next(&mut self, draw: &mut Draw) -> Option<Draw> {
        let own = Draw::new(draw.below(1 << 24));
        self.number += 1;
        (!self.left_out.contains(&self.number)).then_some(own)
    }

    /// Notes what the last call is.
    pub fn tell(&self, call: &impl fmt::Debug) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert(self.number, format!("{call:?}"));
    }

    fn told(&self) -> BTreeMap<u32, String> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.clone()
    }

    fn without(&self, more: &[u32]) -> Self {
        let left_out = self.left_out.iter().chain(more).copied().collect();
        Self {
            left_out: Arc::new(left_out),
            ..Self::default()
        }
    }
}

/// Plays a game. If it panics, tells of few calls that make it panic too.
pub fn play<T>(game: impl Fn(Calls) -> T) -> T {
    let (all, mut played) = (Calls::default(), None);
    let first = fault_of(true, || played = Some(game(all.clone())));
    let Some(first) = first else {
        return played.expect("the game has not panicked");
    };
    let (least, last) = fewest(all, &first.place, &game);
    eprintln!("it fails with these calls:");
    for (number, call) in least.told() {
        eprintln!("  {number}: {call}");
    }
    let last = last.unwrap_or(first);
    eprintln!("panics: {}", last.words());
    resume_unwind(last.panic)
}

/// Leaves out calls. Returns those that are left, and how the game fails with them, if any
/// could be left out.
fn fewest<T>(all: Calls, place: &str, game: &impl Fn(Calls) -> T) -> (Calls, Option<Fault>) {
    let (mut least, mut last) = (all, None);
    let mut tries = 0..TRIES;
    let mut part = least.told().len().div_ceil(2);
    while part > 0 {
        let (mut at, before) = (0, least.told().len());
        loop {
            let made: Vec<u32> = least.told().into_keys().collect();
            // The last ones first: they are most often for nothing.
            let end = made.len().saturating_sub(at);
            if end == 0 || tries.next().is_none() {
                break;
            }
            let fewer = least.without(&made[end.saturating_sub(part)..end]);
            let fault = fault_of(false, || drop(game(fewer.clone())));
            match fault.filter(|fault| fault.place == place) {
                Some(fault) => (least, last) = (fewer, Some(fault)),
                None => at += part,
            }
        }
        // Fewer may let go of more.
        if part > 1 || least.told().len() == before {
            part /= 2;
        }
    }
    (least, last)
}

/// A fault that needs the calls 7, 60 and 200 of 300 is told in these.
#[cfg(panic = "unwind")]
#[test]
fn a_failing_game_is_told_in_few_calls() {
    let game = |mut calls: Calls| {
        let (mut draw, mut made) = (Draw::new(1), [false; 301]);
        crate::crowd::on_threads(2, || {
            for number in 1..=300 {
                let own = calls.next(&mut draw);
                let Some(mut own) = own else { continue };
                calls.tell(&own.below(9));
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
    let (least, last) = fewest(all, &first.place, &game);
    let made: Vec<u32> = least.told().into_keys().collect();
    assert_eq!(made, [7, 60, 200]);
    assert_eq!(last.expect("it fails").words(), "the fault of this test");
}
