//! Maps and scenes for [flowtiles]: what the command measures, the
//! inspector shows and tests play.
//!
//! ```text
//!   catalogue ─▶ file ─▶ draw ─▶ scene ─▶ map_text, units, aim, measure
//!   names        TOML            map, bands, incidents
//!
//!   runner ─▶ scene              one that is played
//!
//!   maps: rooms, caves, mazes, roads …
//! ```
//!
//! Everything is said in the text files of `scenes/` or drawn from whole numbers and a
//! seed, so it is the same on every machine. Nothing reads files, clocks or threads here.

#![allow(missing_docs)]

pub mod aim;
pub mod catalogue;
mod draw;
mod file;
pub mod mainland;
mod map_text;
pub mod maps;
pub mod measure;
pub mod picture;
pub mod runner;
pub mod scene;
pub mod suggestion;
pub mod tuning;
pub mod units;
pub mod walls;
mod words;

pub use aim::{Aim, ScriptedEvent};
pub use catalogue::{SCENES, crowd_set, groups, pictures};
pub use file::Entry;
pub use measure::{Criterion, Kinds, Measure, Watch, Way};
pub use runner::{Actor, Part, Runner};
pub use scene::{Method, Scene, SceneOptions};
pub use tuning::Tuning;
pub use units::UnitSpec;

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
