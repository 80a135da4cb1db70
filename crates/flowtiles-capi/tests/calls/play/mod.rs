//! Makes drawn calls, and checks each.

mod drawn;
mod table;

use std::collections::BTreeSet;
use std::ffi::CStr;

use flowtiles_capi::*;

pub use drawn::Drawn;
use drawn::Kind;
pub use table::{CALLS, Call};

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

fn words() -> String {
    let text = unsafe { CStr::from_ptr(flowtiles_last_error()) };
    text.to_str().expect("UTF-8").to_owned()
}

/// From here on, handles are drawn for no call.
const NEVER_GIVEN: u64 = u64::MAX << 32;

/// Fails a call in a way that no drawn call does, and returns its words.
fn mark(number: usize) -> String {
    let handle = NEVER_GIVEN + number as u64;
    assert_eq!(flowtiles_world_free(handle), FLOWTILES_ERROR_HANDLE);
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

/// Makes this many drawn calls, and returns what was answered.
///
/// # Panics
/// With all calls, at the first that does what it must not.
pub fn play(mut drawn: Drawn, calls: usize) -> BTreeSet<(&'static str, flowtiles_status)> {
    let mut answers = BTreeSet::new();
    let mut made = Vec::new();
    for number in 0..calls {
        let call = draw_call(&mut drawn);
        let (status, fault) = fault_of(call, &mut drawn, number);
        answers.insert((call.name, status));
        made.push(format!("{} {:?} = {status}", call.name, drawn.take_words()));
        if let Some(fault) = fault {
            panic!("call {number}: {fault}\n{}", made.join("\n"));
        }
    }
    for kind in [Kind::Order, Kind::World, Kind::Army] {
        drawn.free_all(kind);
    }
    answers
}
