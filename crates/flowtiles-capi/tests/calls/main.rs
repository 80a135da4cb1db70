//! Drawn calls, in any order, with arguments that are right, wrong, stale or none at all.
//!
//! Of each call is held: it answers with a documented status, and never with
//! `FLOWTILES_ERROR_BROKEN`; the words of the last error change if, and only if, it is an
//! error; a call that is refused has changed no world and no army and written nothing; one
//! that only reads has changed none either; one that succeeds was given no handle that was
//! freed. Seeds are counted from `FLOWTILES_SEED`, or 0.

#![allow(unsafe_code, reason = "a caller in C")]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "play/drawn.rs keeps what pointers lead to"
)]

#[path = "../../../../tests/draws/mod.rs"]
mod draws;
mod play;

use std::collections::BTreeSet;
use std::env;

use draws::{Rng, draws};
use flowtiles_capi::*;
use play::{CALLS, Call, Drawn, play};

const SEQUENCES: u64 = 160;
const CALLS_EACH: usize = 300;

#[test]
fn drawn_calls_answer_and_refused_ones_change_nothing() {
    let first = env::var("FLOWTILES_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    let mut answers = BTreeSet::new();
    for seed in first..first + SEQUENCES * draws() {
        println!("seed {seed}");
        let drawn = Drawn::new(Rng::new(seed), seed as usize);
        answers.extend(play(drawn, CALLS_EACH));
    }
    // Else the draws are too wild, or too tame, to find much.
    let lacks = |call: &Call, failed: bool| {
        let other = |&(name, status)| name == call.name && (status != FLOWTILES_OK) == failed;
        !answers.iter().any(other)
    };
    let refused = CALLS.iter().filter(|call| lacks(call, false));
    let refused: Vec<&str> = refused.map(|call| call.name).collect();
    assert!(refused.is_empty(), "never succeed: {refused:?}");
    let done = CALLS
        .iter()
        .filter(|call| !call.never_fails && lacks(call, true));
    let done: Vec<&str> = done.map(|call| call.name).collect();
    assert!(done.is_empty(), "are never refused: {done:?}");
}

#[test]
fn every_function_of_the_header_is_in_the_table() {
    let header = include_str!("../../include/flowtiles.h");
    let code = header
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join(" ");
    let functions = code.split('(').filter_map(|part| {
        let name = part.trim_end().rsplit([' ', '*']).next()?;
        name.starts_with("flowtiles_").then_some(name)
    });
    let functions: BTreeSet<&str> = functions.collect();
    let table: BTreeSet<&str> = CALLS.iter().map(|call| call.name).collect();
    assert_eq!(functions, table);
}
