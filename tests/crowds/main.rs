//! Continuum Crowds: what must hold for streams and for armies that read them.
#![cfg(feature = "crowd")]

#[allow(dead_code, reason = "the march of the tests of steering")]
#[path = "../crowd/mod.rs"]
mod crowd;
mod scene;

mod armies;
mod bad_input;
mod detours;
mod edits;
mod eikonal;
mod lone;
mod many;
mod mirrors;
mod tiled;
