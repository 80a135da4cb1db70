//! The labels of islands and the ids of pockets.

use crate::grid::SectorId;

/// The label of an island. It is good for comparison only, since an edit
/// anywhere may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Island(pub(super) u32);

impl Island {
    pub(crate) const fn number(self) -> u32 {
        self.0
    }

    pub(super) const UNNUMBERED: Self = Self(u32::MAX >> 1);
}

/// A pocket, by its sector and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PocketId {
    pub(super) sector: SectorId,
    pub(super) pocket: u32,
}
