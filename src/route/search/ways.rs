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
                let first = want.step.portal();
                let mut step = first.and_then(|portal| self.nodes.node(portal));
                while let Some(node) = step {
                    let Some(taken) = self.nodes.tell(graph, node) else {
                        break;
                    };
                    lead(Lead {
                        from: taken.from,
                        portal: taken.portal,
                        cost: taken.cost,
                        into: taken.through,
                        next: taken.next.map(|(portal, _)| portal),
                    });
                    sector(taken.through);
                    step = taken.next.map(|(_, node)| node);
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
