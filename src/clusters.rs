//! Clusters: the level above the portals.
//!
//! A cluster is a square of sectors. Its *rim* are the portals between it and
//! the clusters around it; its *clique* are the exact costs between all rim
//! portals, of walks that stay inside the cluster.
//!
//! ```text
//!      ┌──○──┬─────┐
//!      │     │     ○        ○   a rim portal
//!      ├──·──┼──·──┤        ·   a portal inside: it is on walks between
//!      ○     ·     │            rim portals, but the clique does not name it
//!      └─────┴──○──┘
//! ```
//!
//! So a search crosses a cluster in one step, at the price that it would pay
//! portal by portal. A clique is a pure function of the in-sector costs of its
//! sectors. An edit drops it, and it is made again when a search needs it.

mod asked;
mod clique;
mod division;
mod joiner;
mod known_parts;
mod level;
mod open_paths;
mod part;
#[expect(
    clippy::disallowed_types,
    reason = "a set asked for members, never iterated"
)]
mod petgraph;
mod rim;

use std::sync::atomic;

pub(crate) use division::{Cluster, Division, SectorRect};
pub(crate) use level::Clusters;
pub(crate) use open_paths::SideOfSector;
pub use petgraph::{ClusterEdge, ClusterGraph};
pub(crate) use rim::{Rim, RimPortal};
