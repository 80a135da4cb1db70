//! A digest of a map's costs.

use super::{Cost, CostTile};
use crate::bytes::Digest;
use crate::grid::Extent;

/// A digest of all tiles, in the order of their sectors.
pub(super) struct SectorsDigest<'a> {
    digest: &'a mut Digest,
    /// The number of sectors of open ground since the last other one.
    open: u64,
}

impl<'a> SectorsDigest<'a> {
    pub(super) fn begin(extent: Extent, digest: &'a mut Digest) -> Self {
        digest.number((extent.width() as u64) << 32 | extent.height() as u64);
        Self { digest, open: 0 }
    }

    pub(super) fn take(&mut self, tile: &CostTile) {
        if tile.even() == Some(Cost::OPEN) {
            self.open += 1;
            return;
        }
        self.digest.number(self.open);
        self.open = 0;
        self.digest.bytes(tile.costs());
    }

    pub(super) fn end(self) {
        self.digest.number(self.open);
    }
}
