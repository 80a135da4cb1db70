//! Routes: which portals and sectors lead from the units to the goal.
//!
//! One A* over the portal graph, rooted at the goal. It runs against the way
//! the units will walk, so one search serves units in any number of sectors,
//! and units that come later continue it.

mod find;
mod nodes;
mod search;
mod step;
mod target;

pub use find::Route;
pub(crate) use search::{Lead, Search, SearchRoom, Source, Telling};
