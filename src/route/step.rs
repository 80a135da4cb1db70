//! How a path continues.

use crate::grid::Sector;
use crate::portal::PortalId;

/// A portal on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathStep {
    pub(crate) portal: PortalId,
    /// The sector that the path enters by it.
    pub(crate) into: Sector,
    /// The cost of the path from the portal's own cell to its end.
    pub(crate) cost: u64,
    /// Whether the search crossed the ground behind it as a whole cluster.
    pub(crate) is_in_cluster: bool,
}

/// The next point of a path: a portal, or a goal in the same sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NextStep(u32);

impl NextStep {
    /// Ordered after all portals.
    pub(super) const GOAL: Self = Self(u32::MAX);

    pub(super) const fn at(portal: PortalId) -> Self {
        Self(portal.number())
    }

    pub(super) fn portal(self) -> Option<PortalId> {
        (self != Self::GOAL).then_some(PortalId::from_number(self.0))
    }
}
