//! The formats of the Moving AI grid benchmarks.
//!
//! A `.map` is a header of four lines and one letter for each cell:
//!
//! ```text
//! type octile
//! height 3
//! width 5
//! map
//! ..@..
//! ..@SS
//! .....
//! ```
//!
//! A [`Terrain`] gives the costs of the letters, since the same letter means
//! different things in different files. A `.scen` is a list of starts, goals
//! and shortest lengths on such a map. Lines may end in LF or CR LF, and tabs
//! or spaces separate fields.

mod map;
mod scenario;
mod terrain;
mod writing;

pub use map::{MapError, MapFault, NoLetter, read_map, write_map};
pub use scenario::{ScenarioEntry, ScenarioError, ScenarioFault, read_scenario};
pub use terrain::Terrain;
pub use writing::{EntryFault, UnwritableEntry, write_scenario};
