//! A game that fails is told in few calls: calls are left out as long as it still panics at the
//! same place.

use std::cell::RefCell;
use std::panic::resume_unwind;

use crate::tries::{fault_of, fewest};
use crate::{Call, Game};

/// How many games with fewer calls are tried.
const TRIES: usize = 300;

/// The next call of a game; `None` if it is over.
pub type Next<'n> = dyn FnMut(&Game) -> Option<Call> + 'n;

/// Plays a game with the calls that are drawn for it. If it panics, prints few calls with which it
/// panics too.
///
/// # Panics
/// As the game does.
pub fn play<T>(
    mut draw: impl FnMut(&Game) -> Option<Call>,
    game: impl Fn(&mut Next<'_>) -> T,
) -> T {
    let (made, mut played) = (RefCell::new(Vec::new()), None);
    let mut next = |state: &Game| {
        let call = draw(state);
        made.borrow_mut().extend(call.clone());
        call
    };
    let Some(first) = fault_of(true, || played = Some(game(&mut next))) else {
        return played.expect("the game has not panicked");
    };
    let again = |calls: &[Call]| {
        let mut calls = calls.iter().cloned();
        fault_of(false, || drop(game(&mut |_| calls.next())))
    };
    let mut tries = 0..TRIES;
    let least = fewest(made.take(), |calls| {
        tries.next().is_some() && again(calls).is_some_and(|fault| fault.place == first.place)
    });
    // If another run of the same calls passes, the first panic is all there is.
    let last = again(&least).unwrap_or(first);
    eprintln!("it fails with these calls:");
    for call in least {
        eprintln!("  {call:?}");
    }
    eprintln!("panics: {}", last.words());
    resume_unwind(last.panic)
}
