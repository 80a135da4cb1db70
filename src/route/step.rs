//! Where a path goes on.

use crate::portal::PortalId;

/// Where a way goes on: at a portal, or at a goal in the same sector.
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
