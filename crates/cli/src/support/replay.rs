//! Replays: all inputs of a world, and hashes to check the result.
//!
//! ```text
//!   record:  seed ─▶ draw ─▶ inputs ─▶ battle ─▶ hashes ─▶ log
//!   verify:  log ─▶ inputs ─▶ battles run in other ways ─▶ the same hashes?
//! ```
//!
//! A replay begins with a saved world, so it needs no other file. The format is
//! described in `docs/save-format.md`.

mod battle;
mod draw;
mod goal_text;
mod log;
mod seal;
mod words;

pub use battle::{Battle, Fault, Manner};
pub use draw::{Drawing, country};
pub use log::{Input, LINE, Line, Log, Parts};
pub use seal::{Sealed, unsealed};
pub use words::{Hex, Words, unhex};
