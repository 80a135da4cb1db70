//! Sector flow fields for armies on very large maps.

mod budget;
mod cost;
#[cfg(doctest)]
mod doctests;
mod field;
pub mod format;
mod grid;
mod order;
mod portal;
mod queue;
mod route;
mod wave;
mod world;

pub use budget::Budget;
pub use cost::{Cost, CostMap, CostMapError, OffMap, ZeroCost};
pub use grid::{Cell, Direction, MAX_SIDE, Rect, SECTOR_SIDE, Sector, SizeError, Transform};
pub use order::{Goal, MAX_START_COST, Order, OrderError, Quality};
pub use portal::{
    Portal, PortalEdge, PortalEdgeId, PortalEdgeRef, PortalGraph, PortalId, PortalSet,
};
pub use world::{EditReport, FlowWorld, Integration, Progress, Sample, Stats};

/// The version of petgraph whose traits [`PortalGraph`] implements: take it
/// from here, and it is the same one.
pub use ::petgraph;
