use super::{Search, Source};
use crate::grid::Sector;
use crate::portal::{PortalGraph, PortalId};
use crate::route::target::TargetId;
use crate::wave::UNREACHED;

/// Where a way found leads out of a sector in which cells are looked for.
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
    /// Where the ways found lead out of the sectors in which cells are looked
    /// for: every portal that a way of any of them passes, by sector and
    /// portal.
    pub(crate) fn leads(&mut self, graph: &PortalGraph) -> Vec<Lead> {
        let mut leads = Vec::new();
        self.nodes.untell();
        for target in self.targets.iter() {
            for want in target.wants.iter().filter(|want| want.cost != UNREACHED) {
                let mut step = want.step.portal();
                while let Some(portal) = step {
                    let (Some(taken), Some(cost)) =
                        (self.nodes.tell(graph, portal), self.nodes.cost(portal))
                    else {
                        break;
                    };
                    let [owner, beyond] = portal.sectors();
                    let into = taken.through;
                    leads.push(Lead {
                        from: if into == owner { beyond } else { owner },
                        portal,
                        cost,
                        into,
                        next: taken.next,
                    });
                    step = taken.next;
                }
            }
        }
        leads.retain(|lead| self.nodes.target(lead.from) != TargetId::NONE);
        leads.sort_unstable_by_key(|lead| (lead.from.y, lead.from.x, lead.portal));
        leads
    }

    /// The goals.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }
}
