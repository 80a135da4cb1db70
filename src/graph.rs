//! The graph of portals, its clusters and its links, for use with petgraph's own algorithms;
//! and routes on it.
//!
//! A world gives its graphs by [`FlowWorld::inspect`](crate::FlowWorld::inspect).

pub use crate::clusters::{ClusterEdge, ClusterGraph};
pub use crate::map::{LinkedEdge, LinkedGraph, LinkedNode, LinkedWay};
pub use crate::portal::{EdgeBetween, Portal, PortalEdge, PortalGraph, PortalId};
pub use crate::route::{Route, RouteLevel};
pub use crate::world::PricedPortal;
