//! The scenes that `sim` measures and `inspect` shows.
//!
//! ```text
//!   catalogue ─▶ small, large, layered, linked, targets, crowd ─▶ scene ─▶ aim
//!   names          one builder each                                 map, bands, incidents
//! ```

mod aim;
mod catalogue;
mod combat;
mod crowd;
mod large;
mod layered;
mod linked;
mod method;
pub mod scene;
mod small;
mod targets;
mod tuning;
pub mod usage;
mod watch;

pub use aim::{Aim, Bearing, Orders};
pub use catalogue::{Build, Entry, SCENES, crowd_set};
pub use combat::fallen;
pub use method::Method;
pub use scene::{Incident, Scene, SceneOptions};
pub use tuning::Tuning;
pub use usage::{Kinds, Way};
pub use watch::Watch;

/// The scenes: the name and the description of each.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES.iter().map(|entry| (entry.name, entry.about))
}

/// A scene by its number.
pub fn scene(number: usize, seed: u64) -> Option<Scene> {
    let asked = SceneOptions {
        seed,
        method: Method::Crowd,
        units: None,
        tuning: Tuning::default(),
    };
    SCENES.get(number).map(|entry| entry.build.scene(&asked))
}
