//! The queue of a search.

use crate::grid::{Sector, Slot};
use crate::heuristic::Estimate;
use crate::heuristic::Span;
use crate::queue::BucketRing;
use crate::route::nodes::NodeNumber;

/// The portals that are known and not taken, by what a way through them costs at
/// least.
pub(super) struct Queue {
    pub(super) ring: BucketRing<NodeNumber>,
    pub(super) aim: Estimate,
    /// Cells looked for of which it is still to be asked how far they are from
    /// the landmarks; and how far the others are.
    pub(super) afar: Vec<(Sector, Slot)>,
    pub(super) span: Option<Span>,
    /// How many of the sectors that were known have their portals in it.
    pub(super) filled: u32,
    pub(super) to_fill: u32,
}
