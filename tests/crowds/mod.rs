//! Continuum Crowds: what must hold for streams and for armies that read them.

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
