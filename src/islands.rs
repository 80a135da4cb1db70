//! Islands: cells that can reach each other, kept up to date through edits.
//!
//! [`partition`] has the islands of the whole map, made from the [`pockets`] of
//! each sector and their [`joining`] over portals. [`repair`] updates them
//! after an edit. [`outlook`] and [`nearest`] search outward from a cell for
//! the nearest open cell, or the nearest cell of an island.
//!
//! Islands depend on walls alone. An edit of costs leaves them as they are, and layers
//! with exactly the ground's walls share its islands, which an edit mends once for all
//! of them.

mod island;
mod joining;
mod labels;
mod nearest;
mod outlook;
mod partition;
mod pockets;
mod repair;
mod rings;
mod vicinity;

pub(crate) use island::Island;
pub(crate) use nearest::{Nearest, SearchStep};
pub(crate) use outlook::{Outlook, SeenCell, leads_straight_out, price_to};
pub(crate) use partition::Islands;
pub(crate) use pockets::pocket_cells;
pub(crate) use repair::IslandRepair;
