//! A region that is being put together.

use crate::field::Region;
use crate::grid::PagesCursor;
use crate::portal::PortalId;
use crate::route::{Lead, Telling};

/// A region that is being put together: the tiles of the field that it goes on
/// from, if it does, the goals' sectors, and those that the ways lead through.
pub(crate) struct Loading {
    pub(super) region: Region,
    /// Whether it goes on from the field that there is.
    pub(super) goes_on: bool,
    /// How far it has taken that over.
    pub(super) from: PagesCursor,
    /// How many goals have their sectors in it, or of a plan from a save how many
    /// sectors it has.
    pub(super) goals: usize,
    pub(super) kept: usize,
    pub(super) telling: Telling,
    /// The portals told, and the steps of the ways through them.
    pub(super) route: Vec<PortalId>,
    pub(super) first_directions: Vec<Lead>,
}

impl Loading {
    /// Whether it goes on from the field that there was.
    pub(super) const fn goes_on(&self) -> bool {
        self.goes_on
    }

    pub(super) const fn region(&self) -> &Region {
        &self.region
    }

    pub(super) fn into_region(self) -> Region {
        self.region
    }

    pub(super) fn bytes(&self) -> usize {
        self.region.bytes()
            + self.route.capacity() * size_of::<PortalId>()
            + self.first_directions.capacity() * size_of::<Lead>()
    }
}
