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

mod around;
mod crossing;
mod graph;
mod id;
mod island;
mod islands;
mod joining;
mod labels;
mod landmarks;
mod links;
mod mend;
mod nearest;
mod outlook;
mod petgraph;
mod pockets;
mod port;
mod rings;
mod spot;
mod vicinity;
mod window;

pub use graph::{Portal, PortalEdge, PortalGraph};
pub use id::PortalId;
pub(crate) use island::Island;
pub(crate) use islands::Islands;
pub(crate) use landmarks::{Landmarks, Mended, PricesAround};
pub(crate) use links::{Entry, Row};
pub(crate) use mend::Mending;
pub(crate) use nearest::{Look, Nearest};
pub(crate) use outlook::{Bare, Outlook, Seen, leads_straight_out, price_to};
pub use petgraph::{PortalEdgeId, PortalEdgeRef, PortalSet};
pub(crate) use port::{Mark, Port};
pub(crate) use spot::{Side, Spot, Spots, with_neighbours};
