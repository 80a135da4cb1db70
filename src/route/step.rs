//! How a path continues.

use crate::portal::PortalId;

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
