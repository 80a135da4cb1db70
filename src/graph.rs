//! The graph of portals, its clusters and its links, for use with petgraph's own algorithms;
//! and routes on it.
//!
//! A world gives its graphs by [`FlowWorld::inspect`](crate::FlowWorld::inspect).

pub use crate::clusters::{ClusterEdge, ClusterEdgeRef, ClusterGraph};
pub use crate::map::{LinkedEdge, LinkedGraph, LinkedNode, LinkedWay};
pub use crate::portal::{
    Portal, PortalEdge, PortalEdgeId, PortalEdgeRef, PortalGraph, PortalId, PortalSet,
};
pub use crate::route::{Route, RouteLevel};
pub use crate::world::PricedPortal;
