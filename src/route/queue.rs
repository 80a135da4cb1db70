//! The queue of a search.

use crate::clusters::RimPortal;
use crate::heuristic::Estimate;
use crate::queue::BucketRing;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockId(u32);

impl BlockId {
    pub(super) const NONE: Self = Self(u32::MAX);

    pub(super) const fn of_number(number: usize) -> Self {
        Self(number as u32)
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The blocks with fresh lanes, by a lower bound on the cost of a path through
/// them.
#[derive(Clone)]
pub(super) struct Queue {
    pub(super) ring: BucketRing<BlockId>,
    pub(super) estimate: Estimate,
    /// Whether the work of the search counts: whether it belongs to an order.
    pub(super) is_counted: bool,
    /// The number of known blocks that have been put into the queue, and how many
    /// there are to put.
    pub(super) filled: usize,
    pub(super) to_fill: usize,
}

impl Queue {
    /// Returns a lower bound on the cost of a path from the wanted cells to a
    /// portal.
    #[inline]
    pub(super) fn price(&self, &RimPortal { x, y, .. }: &RimPortal) -> u64 {
        self.estimate.price(x.into(), y.into())
    }
}
