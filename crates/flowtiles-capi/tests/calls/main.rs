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
    reason = "drawn.rs keeps what pointers lead to"
)]

mod drawn;
#[path = "../../../../tests/draws/mod.rs"]
mod draws;
mod table;

use std::collections::BTreeSet;
use std::env;
use std::ffi::CStr;

use drawn::{Drawn, Kind};
use draws::draws;
use flowtiles_capi::*;
use table::{CALLS, Call};

const SEQUENCES: u64 = 120;
const CALLS_EACH: usize = 300;

/// What games call most.
const BUSY: [&str; 9] = [
    "flowtiles_world_tick",
    "flowtiles_army_step",
    "flowtiles_army_add_units",
    "flowtiles_army_add_group",
    "flowtiles_army_order",
    "flowtiles_army_send",
    "flowtiles_army_send_all",
    "flowtiles_order_new",
    "flowtiles_world_edit",
];

/// What may have changed the world before it is refused, as is said of it.
const PARTLY: &str = "flowtiles_order_cover";

fn words() -> String {
    let text = unsafe { CStr::from_ptr(flowtiles_last_error()) };
    text.to_str().expect("UTF-8").to_owned()
}

/// Fails a call in a way that no drawn call does, and returns its words.
fn mark(number: usize) -> String {
    let never_given = u64::MAX - number as u64;
    assert_eq!(flowtiles_world_free(never_given), FLOWTILES_ERROR_HANDLE);
    words()
}

fn draw_call(drawn: &mut Drawn) -> &'static Call {
    loop {
        let call = if drawn.one_in(2) {
            let name = drawn.of(&BUSY);
            CALLS
                .iter()
                .find(|call| call.name == name)
                .expect("in the table")
        } else {
            &CALLS[drawn.below(CALLS.len())]
        };
        if !call.name.ends_with("_free") || drawn.one_in(4) {
            return call;
        }
    }
}

/// Makes one drawn call, and says what it did that it must not.
fn fault_of(call: &Call, drawn: &mut Drawn, number: usize) -> (flowtiles_status, Option<String>) {
    let before = drawn.hashes();
    let marked = mark(number);
    let status = (call.make)(drawn);
    let said = words();
    let failed = status != FLOWTILES_OK;
    let fault = || {
        if !(FLOWTILES_OK..FLOWTILES_ERROR_BROKEN).contains(&status) {
            return Some(format!("status {status}: {said}"));
        }
        if failed == (said == marked) || said.is_empty() {
            return Some(format!("status {status}, and the last error says: {said}"));
        }
        let mut changed = drawn.hashes();
        changed.retain(|hash| !before.contains(hash));
        if call.name == PARTLY {
            changed.retain(|&(kind, ..)| kind != Kind::World);
        }
        if (call.reads || failed) && !changed.is_empty() {
            return Some(format!("status {status}, but a hash has changed: {said}"));
        }
        if failed && drawn.was_written(status) {
            return Some(format!(
                "status {status}, but something was written: {said}"
            ));
        }
        if !failed && let Some(dead) = drawn.dead_handle() {
            return Some(format!(
                "succeeded with the handle {dead:#x}, which is none"
            ));
        }
        None
    };
    let fault = fault();
    drawn.end_call(status);
    (status, fault)
}

fn play(seed: u64) -> BTreeSet<(&'static str, flowtiles_status)> {
    let mut drawn = Drawn::new(seed);
    let mut answers = BTreeSet::new();
    let mut made = Vec::new();
    for number in 0..CALLS_EACH {
        let call = draw_call(&mut drawn);
        let (status, fault) = fault_of(call, &mut drawn, number);
        answers.insert((call.name, status));
        made.push(format!("{} {:?} = {status}", call.name, drawn.take_words()));
        if let Some(fault) = fault {
            panic!("seed {seed}, call {number}: {fault}\n{}", made.join("\n"));
        }
    }
    for kind in [Kind::Order, Kind::World, Kind::Army] {
        drawn.free_all(kind);
    }
    answers
}

#[test]
fn drawn_calls_are_answered_and_those_refused_change_nothing() {
    let first = env::var("FLOWTILES_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    let mut answers = BTreeSet::new();
    for seed in first..first + SEQUENCES * draws() {
        answers.extend(play(seed));
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
