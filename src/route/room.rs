//! Memory that searches reuse.

use super::blocks::Blocks;
use super::queue::BlockId;
use crate::map::Map;
use crate::queue::BucketRing;

/// Memory that finished searches leave to later ones.
#[derive(Default)]
pub(crate) struct SearchRoom {
    blocks: Vec<Blocks>,
    rings: Vec<BucketRing<BlockId>>,
}

const SPARE: usize = 8;

impl SearchRoom {
    pub(super) fn take_blocks(&mut self, map: &Map) -> Blocks {
        let spare = self.blocks.pop();
        spare.unwrap_or_else(|| Blocks::new(map.costs.extent()))
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
