//! Replays: everything that was told to a world, and hashes to hold it to.
//!
//! ```text
//!   record:  seed ─▶ draw ─▶ inputs ─▶ battle ─▶ hashes ─▶ log
//!   verify:  log ─▶ inputs ─▶ battles in other manners ─▶ the same hashes?
//! ```
//!
//! A replay begins with a world as it is saved, so it needs nothing beside it.
//! The format is told in `docs/save-format.md`.

mod battle;
mod draw;
mod goal_text;
mod log;
mod words;

pub use battle::{Battle, Fault, Manner};
pub use draw::{Drawing, country};
pub use log::{Input, Line, Log, Parts};
