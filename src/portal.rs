//! Portals: the windows between sectors, and the graph they make.
//!
//! Where two sectors touch, each maximal run of cells open on both sides of
//! the border is a *window*. It makes one *portal*, a node of the graph:
//!
//! ```text
//!      sector A │ sector B
//!         . . . │ . . .      ┐
//!         . . # │ . . .      │ a wall on either side ends a run
//!         . . . │ . . .   ┐
//!         . . g │ g . .   │ one window of 3, its gate the pair g g
//!         . . . │ . . .   ┘
//! ```
//!
//! Two portals of one sector are joined by an edge when a unit can walk from
//! gate to gate through that sector; the edge costs exactly what that walk
//! costs. Prices depend on the cell left, so an edge has its own cost each
//! way. Everything here is a pure function of the costs.

mod crossing;
mod graph;
mod id;
mod links;
mod local_portal;
mod petgraph;
mod portal_slot;
mod relaxation;
mod sector_windows;
mod window;

pub use graph::{Portal, PortalEdge, PortalGraph};
pub use id::PortalId;
pub(crate) use id::{BORDER_PORTALS, Border};
pub(crate) use links::{ArrivalRow, TableEntry};
pub(crate) use local_portal::{LocalPortal, PackedGate};
pub use petgraph::{PortalEdgeId, PortalEdgeRef, PortalSet};
pub(crate) use portal_slot::{PortalSlot, PortalSlots, Side, with_neighbours};
