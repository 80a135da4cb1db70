//! Memory that searches reuse.

use super::blocks::Blocks;
use super::queue::BlockId;
use crate::grid::Extent;
use crate::queue::BucketRing;

/// Memory that finished searches leave to later ones.
pub(crate) struct SearchRoom {
    extent: Extent,
    blocks: Vec<Blocks>,
    rings: Vec<BucketRing<BlockId>>,
}

const SPARE: usize = 8;

impl SearchRoom {
    pub(crate) const fn new(extent: Extent) -> Self {
        Self {
            extent,
            blocks: Vec::new(),
            rings: Vec::new(),
        }
    }

    pub(super) fn take_blocks(&mut self) -> Blocks {
        self.blocks
            .pop()
            .unwrap_or_else(|| Blocks::new(self.extent))
    }

    pub(super) fn give_blocks(&mut self, mut blocks: Blocks) {
        if self.blocks.len() < SPARE {
            blocks.clear();
            self.blocks.push(blocks);
        }
    }

    pub(super) fn take_ring(&mut self) -> BucketRing<BlockId> {
        self.rings.pop().unwrap_or_else(BucketRing::new)
    }

    pub(super) fn give_ring(&mut self, ring: BucketRing<BlockId>) {
        if self.rings.len() < SPARE {
            self.rings.push(ring);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(Blocks::bytes).sum();
        let rings: usize = self.rings.iter().map(BucketRing::bytes).sum();
        blocks + rings
    }
}
