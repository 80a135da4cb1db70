//! Maps, countries and scenes for [flowtiles]: what the command measures, the
//! inspector shows and tests play.
//!
//! ```text
//!   catalogue ─▶ small, large, layered, linked, targets, crowd ─▶ scene ─▶ aim
//!   names          one builder each                                 map, bands, incidents
//!
//!   maps: rooms, caves, mazes, roads …     landscape: a country, and armies in it
//! ```
//!
//! Everything is drawn from whole numbers and a seed, so it is the same on every
//! machine. There are no files, clocks or threads here.

#![allow(missing_docs)]

pub mod aim;
pub mod armies;
pub mod catalogue;
pub mod combat;
mod crowd;
pub mod landscape;
mod large;
mod layered;
mod linked;
pub mod mainland;
pub mod maps;
pub mod method;
pub mod random;
pub mod raster;
pub mod scene;
mod small;
pub mod suggestion;
mod targets;
pub mod tuning;
pub mod usage;
pub mod walls;
pub mod watch;

pub use aim::{Aim, Bearing, Orders};
pub use catalogue::{Build, Entry, SCENES, crowd_set};
pub use combat::fallen;
pub use method::Method;
pub use scene::{Incident, Scene, SceneOptions};
pub use tuning::Tuning;
pub use usage::{Kinds, Way};
pub use watch::Watch;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// The scenes: the name and the description of each.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES.iter().map(|entry| (entry.name, entry.about))
}

/// A scene by its number.
#[must_use]
pub fn scene(number: usize, seed: u64) -> Option<Scene> {
    let asked = SceneOptions {
        seed,
        method: Method::Crowd,
        units: None,
        tuning: Tuning::default(),
    };
    SCENES.get(number).map(|entry| entry.build.scene(&asked))
}
