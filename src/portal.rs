//! Portals: the windows between sectors, and the graph they make.
//!
//! Where two sectors touch, each run of cells that are open on both sides of
//! the border is a *window*; unless both sectors are open ground, a long run is
//! cut into several windows. A window is a *portal*, a node of the graph:
//!
//! ```text
//!      sector A │ sector B
//!         . . . │ . . .      ┐
//!         . . # │ . . .      │ a wall on either side ends a run
//!         . . . │ . . .   ┐
//!         . . c │ c . .   │ one window of 3, its crossing the pair c c
//!         . . . │ . . .   ┘
//! ```
//!
//! An edge joins two portals of one sector if a unit can walk from crossing to crossing
//! through that sector. It costs exactly what the cheapest such walk costs. The
//! price of a step depends on the cell that it leaves, so each direction has an
//! edge with its own cost. Everything here is a pure function of the costs.

mod graph;
mod id;
mod in_sector;
mod known_walks;
mod local_portal;
#[expect(
    clippy::disallowed_types,
    reason = "a set asked for members, never iterated"
)]
mod petgraph;
mod portal_slot;
mod relaxation;
mod sector_windows;
mod walks;
mod window;

pub use graph::{Portal, PortalEdge, PortalGraph};
pub(crate) use id::Border;
pub use id::PortalId;
pub(crate) use local_portal::{LocalPortal, PackedCrossing};
pub use petgraph::EdgeBetween;
pub(crate) use portal_slot::{PortalSlot, PortalSlots, Side, VECTOR, with_neighbours};
pub(crate) use relaxation::{FreshRow, WalkCost, relax, relax_rows};
pub(crate) use walks::{Rows, SectorWalks};
