use super::{Search, Source};
use crate::grid::Sector;
use crate::portal::{PortalGraph, PortalId};
use crate::route::target::TargetId;
use crate::wave::UNREACHED;

/// A portal on a way found: where it leads out of a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lead {
    /// The sector that the way leaves.
    pub(crate) from: Sector,
    /// The portal through which it does.
    pub(crate) portal: PortalId,
    /// The price of the way from the portal's own place.
    pub(crate) cost: u64,
    /// The sector that it goes on through, and the portal at which it leaves
    /// that one; `None` if it ends there.
    pub(crate) into: Sector,
    pub(crate) next: Option<PortalId>,
}

impl Search {
    /// The portals of the ways found, each told once to `lead`, and the sectors
    /// they lead through, told to `sector`, some more than once.
    pub(crate) fn ways(
        &mut self,
        graph: &PortalGraph,
        mut lead: impl FnMut(Lead),
        mut sector: impl FnMut(Sector),
    ) {
        self.nodes.untell();
        for target in self.targets.iter() {
            for want in target.wants.iter().filter(|want| want.cost != UNREACHED) {
                sector(target.sector);
                let mut step = want.step.portal();
                while let Some(portal) = step {
                    let Some(taken) = self.nodes.tell(graph, portal) else {
                        break;
                    };
                    let [owner, beyond] = portal.sectors();
                    let into = taken.through;
                    lead(Lead {
                        from: if into == owner { beyond } else { owner },
                        portal,
                        cost: taken.cost,
                        into,
                        next: taken.next,
                    });
                    sector(into);
                    step = taken.next;
                }
            }
        }
    }

    /// Whether cells of a sector are looked for.
    pub(crate) fn looks_for(&self, sector: Sector) -> bool {
        self.nodes.target(sector) != TargetId::NONE
    }

    /// The goals.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }
}
