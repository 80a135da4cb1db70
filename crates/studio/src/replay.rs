//! Replays: all inputs of a session, and hashes to check the result.
//!
//! A replay names what it begins with, or holds it, so it needs no other file. The format is
//! described in `docs/save-format.md`.

mod file;
#[cfg(test)]
pub mod file_test;
mod input;

pub use file::{Line, Saved};
pub use input::{Hashes, Input};
