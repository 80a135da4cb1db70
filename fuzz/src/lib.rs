//! Fuzzing of flowtiles: functions that take any bytes, make files, saves, calls, messages
//! and games of them, and panic if a promise is broken.
//!
//! ```text
//!   bytes ──▶ a target of TARGETS ──▶ nothing, or a panic that says what is broken
//!     ▲
//!     ├─ main.rs: draws from seeds, damages the corpus, shrinks what fails
//!     └─ any.rs: libFuzzer, which looks for bytes that reach new code
//! ```
//!
//! The oracle is that of `tests/oracle`, the driver of the C ABI that of its tests, and games with
//! armies are those of `crates/games`; their draws come from the bytes here.

#[allow(dead_code, reason = "some of it is for the tests of the C ABI")]
#[allow(unsafe_code, reason = "a caller in C")]
#[allow(
    clippy::undocumented_unsafe_blocks,
    reason = "play/drawn.rs keeps what pointers lead to"
)]
#[path = "../../crates/flowtiles-capi/tests/calls/play/mod.rs"]
mod calls;
mod change;
mod crowds;
mod draws;
mod files;
mod formats;
mod kernels;
mod messages;
#[allow(dead_code, reason = "most of it is for the engine's tests")]
#[path = "../../tests/oracle/mod.rs"]
mod oracle;
mod replays;
mod saves;
mod seeds;
mod world;

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

pub use change::Changes;
pub use crowds::crowds;
pub use formats::formats;
pub use kernels::kernels;
pub use messages::messages;
pub use replays::replays;
pub use saves::{saves, saves_of};
pub use seeds::{corpus, seeds};
pub use world::world;

/// A name, the check that bytes go through, and a description of it.
pub type Target = (&'static str, fn(&[u8]), &'static str);

/// All targets.
pub const TARGETS: [Target; 8] = [
    (
        "formats",
        formats,
        "map files and scenarios: words for bad ones, and what is read is written and read back",
    ),
    (
        "saves",
        saves,
        "saved worlds and armies with forged content: refused in words, or they live and are saved",
    ),
    (
        "replays",
        replays,
        "replays with forged lines: refused in words, or played and written back",
    ),
    (
        "capi",
        capi,
        "calls of the C ABI: documented answers, and what is refused changes nothing",
    ),
    (
        "messages",
        messages,
        "messages of a page to a session: answered, and the session's recording verifies",
    ),
    (
        "world",
        world,
        "inputs to a world: it agrees with a naive model and a whole-map Dijkstra",
    ),
    (
        "kernels",
        kernels,
        "costs-to-go and directions of drawn tiles: those of a Dijkstra",
    ),
    (
        "crowds",
        crowds,
        "armies and crowds with odd numbers: words, finite places, and no unit in a wall",
    ),
];

/// Makes drawn calls of the C ABI, as its own tests do.
pub fn capi(data: &[u8]) {
    let mut rng = draws::Rng::of(data);
    let tameness = rng.below(4) as usize;
    // A call takes some ten draws.
    calls::play(calls::Drawn::new(rng, tameness), data.len() / 10);
}

static PRINTS: AtomicBool = AtomicBool::new(false);

/// Makes targets print what bytes mean to them while they run.
pub fn print_all() {
    PRINTS.store(true, Ordering::Relaxed);
}

fn print_if_asked(what: impl FnOnce() -> String) {
    if PRINTS.load(Ordering::Relaxed) {
        eprintln!("  {}", what());
    }
}

/// Returns the result of what succeeds. An error must have words.
fn accepted<T>(result: Result<T, impl Display>) -> Option<T> {
    result
        .map_err(|error| {
            let words = error.to_string();
            assert!(words.len() > 10, "an error without words: {words:?}");
            print_if_asked(|| format!("refused: {words}"));
        })
        .ok()
}
