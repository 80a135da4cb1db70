//! Islands: cells that can reach each other, kept up to date by edits.
//!
//! [`partition`] has the islands of the whole map, from the [`pockets`] of each
//! sector and their [`joining`] over portals; [`repair`] brings them up to date
//! after an edit. [`outlook`] and [`nearest`] look outward from a cell for the
//! nearest open one, or the nearest of an island.

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
pub(crate) use nearest::{Look, Nearest};
pub(crate) use outlook::{Bare, Outlook, SeenCell, leads_straight_out, price_to};
pub(crate) use partition::Islands;
pub(crate) use repair::Mending;
