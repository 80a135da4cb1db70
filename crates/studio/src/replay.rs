//! Replays: all inputs of a battle or a session, and hashes to check the result.
//!
//! ```text
//!   record:  seed ─▶ draw ─▶ inputs ─▶ battle ─▶ hashes ─▶ file
//!   verify:  file ─▶ inputs ─▶ battles run in other ways ─▶ the same hashes?
//! ```
//!
//! A replay begins with a saved world, or names what it begins with, so it needs no other
//! file. The format is described in `docs/save-format.md`.

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
mod file;
#[cfg(test)]
pub mod file_test;
mod hashes;
mod input;

pub use battle::{Battle, Manner};
pub use battle_groups::BattleGroups;
pub use draw::{Drawing, country};
pub use fault::Fault;
pub use file::{Kind, Line, Saved};
pub use hashes::Hashes;
pub use input::{GroupInput, Input};
