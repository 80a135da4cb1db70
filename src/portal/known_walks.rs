//! In-sector costs that were derived before.
//!
//! Ground that is made in patterns has many sectors with the same costs and portals: a
//! straight road crosses one like the next. Their in-sector costs are copied.

use super::local_portal::LocalPortal;
use super::walks::SectorWalks;
use crate::bytes::Digest;
use crate::cost::CostTile;
use crate::grid::SECTOR_CELLS;

/// The number of sectors that are remembered, each in a bucket given by its hash.
const BUCKETS: usize = 512;

/// The in-sector costs of some sectors that came up twice.
#[derive(Default)]
pub(super) struct KnownWalks {
    /// By bucket: the hash of the last sector, and its costs once it came up again.
    buckets: Vec<(u64, Option<KnownSector>)>,
}

struct KnownSector {
    costs: [u8; SECTOR_CELLS],
    portals: Vec<LocalPortal>,
    walks: SectorWalks,
}

impl KnownWalks {
    /// Returns a hash of all on which a sector's in-sector costs depend.
    pub(super) fn hash(tile: &CostTile, portals: &[LocalPortal]) -> u64 {
        let mut digest = Digest::new();
        digest.bytes(tile.costs());
        for portal in portals {
            digest.number(u64::from(portal.crossing.bits().cast_unsigned()));
        }
        digest.finish()
    }

    /// Returns the in-sector costs of a sector like this one.
    pub(super) fn get(
        &self,
        hash: u64,
        tile: &CostTile,
        portals: &[LocalPortal],
    ) -> Option<&SectorWalks> {
        let (_, known) = self.buckets.get(hash as usize % BUCKETS)?;
        let known = known
            .as_ref()
            .filter(|known| known.costs == *tile.costs())?;
        let pairs = known.portals.iter().zip(portals);
        let is_same =
            known.portals.len() == portals.len() && { pairs }.all(|(one, other)| one.is_as(other));
        is_same.then_some(&known.walks)
    }

    /// Remembers the in-sector costs of a sector if it comes up for the second time.
    pub(super) fn note(
        &mut self,
        hash: u64,
        tile: &CostTile,
        portals: &[LocalPortal],
        walks: &SectorWalks,
    ) {
        self.buckets.resize_with(BUCKETS, || (0, None));
        let bucket = &mut self.buckets[hash as usize % BUCKETS];
        if bucket.0 != hash {
            bucket.0 = hash;
            return;
        }
        bucket.1 = Some(KnownSector {
            costs: *tile.costs(),
            portals: portals.to_vec(),
            walks: walks.clone(),
        });
    }
}
