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
mod battle_army;
mod battle_groups;
#[cfg(test)]
mod battle_groups_test;
mod draw;
mod draw_groups;
#[cfg(test)]
mod draw_groups_test;
mod fault;
mod goal_text;
mod group_input;
mod hashes;
mod log;
mod seal;
mod target_text;
mod words;

pub use battle::{Battle, Manner};
pub use battle_groups::BattleGroups;
pub use draw::{Drawing, country};
pub use fault::Fault;
pub use group_input::GroupInput;
pub use hashes::{Hashes, Parts};
pub use log::{Input, LINE, Line, Log};
pub use seal::{Sealed, unsealed};
pub use words::{Hex, Words, unhex};
