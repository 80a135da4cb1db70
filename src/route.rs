//! Routes: the portals and sectors that lead from the units to the goal.
//!
//! One search over the portal graph and the clusters above it, rooted at the
//! goal. It runs against the direction in which the units will walk. So one
//! search serves units in any number of sectors, and continues for units that
//! come later.

mod blocks;
mod find;
mod queue;
mod room;
mod search;
mod search_link;
mod step;
mod target;
#[cfg(test)]
mod tests;
mod unpacking;

pub use find::{Route, RouteLevel};
pub(crate) use find::{nearest_goal, route_cost};
pub(crate) use room::SearchRoom;
pub(crate) use search::{Reporting, Search};
pub(crate) use step::PathStep;
pub(crate) use target::Source;
