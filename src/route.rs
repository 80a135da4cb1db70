//! Routes: the portals and sectors that lead from the units to the goal.
//!
//! One A* over the portal graph, rooted at the goal. It runs against the
//! direction in which the units will walk. So one search serves units in any
//! number of sectors, and continues for units that come later.

mod find;
mod nodes;
mod search;
mod step;
mod target;

pub use find::Route;
pub(crate) use search::{Lead, Search, SearchRoom, Source, Telling};
