//! Memory that plans reuse.

use crate::queue::BucketRing;
use crate::route::SearchRoom;

/// Memory that plans work in, one after the other.
#[derive(Default)]
pub(crate) struct PlanScratch {
    pub(super) search: SearchRoom,
    rings: Vec<BucketRing<u32>>,
}

/// The number of integration queues kept for reuse.
const SPARE_RINGS: usize = 8;

impl PlanScratch {
    pub(super) fn take_ring(&mut self) -> BucketRing<u32> {
        self.rings.pop().unwrap_or_else(BucketRing::new)
    }

    pub(super) fn give_ring(&mut self, ring: BucketRing<u32>) {
        if self.rings.len() < SPARE_RINGS {
            self.rings.push(ring);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let rings: usize = self.rings.iter().map(BucketRing::bytes).sum();
        self.search.bytes() + rings
    }
}
