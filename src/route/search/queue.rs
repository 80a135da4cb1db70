//! The queue of a search.

use crate::grid::{Sector, Slot};
use crate::heuristic::{Estimate, Span};
use crate::queue::BucketRing;
use crate::route::nodes::NodeNumber;

/// The portals that are known and not taken, by a lower bound on the cost of a
/// path through them.
pub(super) struct Queue {
    pub(super) ring: BucketRing<NodeNumber>,
    pub(super) aim: Estimate,
    /// Wanted cells whose span is not computed yet, and the joined span of the
    /// others.
    pub(super) afar: Vec<(Sector, Slot)>,
    pub(super) span: Option<Span>,
    /// The number of known sectors whose portals are in the queue, and how many
    /// there are to add.
    pub(super) filled: u32,
    pub(super) to_fill: u32,
}
