//! Memory that searches reuse.

use crate::grid::Extent;
use crate::queue::BucketRing;
use crate::route::nodes::{NodeNumber, Nodes};

/// Memory that finished searches leave to later ones.
pub(crate) struct SearchRoom {
    extent: Extent,
    nodes: Vec<Nodes>,
    rings: Vec<BucketRing<NodeNumber>>,
}

/// The number of spare items kept.
const SPARE: usize = 8;

impl SearchRoom {
    pub(crate) const fn new(extent: Extent) -> Self {
        Self {
            extent,
            nodes: Vec::new(),
            rings: Vec::new(),
        }
    }

    pub(super) fn take_nodes(&mut self) -> Nodes {
        let spare = self.nodes.pop();
        spare.unwrap_or_else(|| Nodes::new(self.extent))
    }

    pub(super) fn give_nodes(&mut self, mut nodes: Nodes) {
        if self.nodes.len() < SPARE {
            nodes.clear();
            self.nodes.push(nodes);
        }
    }

    pub(super) fn take_ring(&mut self) -> BucketRing<NodeNumber> {
        self.rings.pop().unwrap_or_else(BucketRing::new)
    }

    pub(super) fn give_ring(&mut self, ring: BucketRing<NodeNumber>) {
        if self.rings.len() < SPARE {
            self.rings.push(ring);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let nodes: usize = self.nodes.iter().map(Nodes::bytes).sum();
        let rings: usize = self.rings.iter().map(BucketRing::bytes).sum();
        nodes + rings
    }
}
