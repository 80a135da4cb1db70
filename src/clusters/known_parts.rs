//! Parts of clusters that were joined before.
//!
//! Ground that is made in patterns has many parts with the same in-sector costs: most of
//! what lies around a winding road is open. Their rows are copied.

use super::division::SectorRect;
use super::part::Part;
use crate::portal::{PortalGraph, WalkCost};

/// The number of parts that are remembered, each in a bucket given by its hash: for one
/// clique, and for those of a map.
const FEW: usize = 16;
const MANY: usize = 512;

/// The rows of some parts that came up twice, all of one graph.
pub(super) struct KnownParts<T: WalkCost> {
    /// By bucket: the hash of the last part, and the part once it came up again.
    buckets: Vec<(u64, Option<KnownPart<T>>)>,
    count: usize,
}

struct KnownPart<T: WalkCost> {
    sectors: SectorRect,
    part: Part<'static, T>,
}

impl<T: WalkCost> KnownParts<T> {
    /// None yet, for one clique.
    pub(super) const fn few() -> Self {
        Self::of(FEW)
    }

    /// None yet, for the cliques of a map.
    pub(super) const fn many() -> Self {
        Self::of(MANY)
    }

    const fn of(count: usize) -> Self {
        let buckets = Vec::new();
        Self { buckets, count }
    }

    /// Returns a part like this one.
    pub(super) fn get(
        &self,
        hash: u64,
        graph: &PortalGraph,
        sectors: SectorRect,
    ) -> Option<&Part<'static, T>> {
        let (_, known) = self.buckets.get(hash as usize % self.count)?;
        let known = known.as_ref()?;
        known.sectors.is_like(sectors, graph).then_some(&known.part)
    }

    /// Remembers a part if it comes up for the second time.
    pub(super) fn note(&mut self, hash: u64, sectors: SectorRect, part: &Part<'_, T>) {
        self.buckets.resize_with(self.count, || (0, None));
        let bucket = &mut self.buckets[hash as usize % self.count];
        if bucket.0 != hash {
            bucket.0 = hash;
            return;
        }
        let part = part.copied(Vec::new());
        bucket.1 = Some(KnownPart { sectors, part });
    }
}
