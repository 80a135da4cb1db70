//! Maps and scenes for [flowtiles]: what the command measures, the
//! inspector shows and tests play.
//!
//! ```text
//!   catalogue ─▶ file ─▶ map_text, units, draw ─▶ scene ─▶ aim
//!   names        TOML                             map, bands, incidents
//!
//!   maps: rooms, caves, mazes, roads …
//! ```
//!
//! Everything is said in the text files of `scenes/` or drawn from whole numbers and a
//! seed, so it is the same on every machine. Nothing reads files, clocks or threads here.

#![allow(missing_docs)]

pub mod aim;
pub mod catalogue;
pub mod combat;
mod draw;
mod file;
pub mod mainland;
mod map_text;
pub mod maps;
pub mod measure;
pub mod method;
pub mod picture;
pub mod scene;
pub mod suggestion;
pub mod tuning;
mod units;
pub mod usage;
pub mod walls;
pub mod watch;
mod words;

pub use aim::{Aim, Orders};
pub use catalogue::{SCENES, crowd_set, groups, pictures};
pub use combat::fallen;
pub use file::Entry;
pub use measure::{Criterion, Measure};
pub use method::Method;
pub use scene::{Scene, SceneOptions, ScriptedEvent};
pub use tuning::Tuning;
pub use usage::{Kinds, Way};
pub use watch::Watch;

/// The scenes: the name and the description of each.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES
        .iter()
        .map(|entry| (&*entry.name, &*entry.said().about))
}

/// A scene by its number.
///
/// # Errors
/// If there is none.
pub fn scene(number: usize, seed: u64) -> Result<Scene, String> {
    let entry = SCENES.get(number).ok_or("there is no such scene")?;
    entry.scene(&SceneOptions {
        seed,
        ..SceneOptions::default()
    })
}
