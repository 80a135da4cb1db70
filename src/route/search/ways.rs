//! The ways found, told from the wants to the goals.

use super::{Search, Source};
use crate::budget::{Paused, Work};
use crate::grid::Sector;
use crate::kernel::UNREACHED;
use crate::portal::{PortalGraph, PortalId};
use crate::route::target::TargetId;

/// Work of telling a portal of a way, and of making some sectors ready for it.
const TELL_WORK: u64 = 30;
const UNTELL_WORK: u64 = 10;

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
    /// Whether cells of the sector that it leaves are looked for.
    pub(crate) is_wanted: bool,
}

/// How far the [telling of ways](Search::tell) has come.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Telling {
    /// How many sectors are ready for it.
    ready: u32,
    /// The want whose way is told: the target, and its number there.
    target: usize,
    want: usize,
    /// The portal on that way that is told next, once any was.
    at: Option<PortalId>,
}

impl Search {
    /// Goes on to tell the ways found: the portals on them, each once, to
    /// `lead`, and the sectors they lead through, some more than once, to
    /// `sector`.
    pub(crate) fn tell(
        &mut self,
        graph: &PortalGraph,
        telling: &mut Telling,
        work: &mut Work,
        mut lead: impl FnMut(Lead),
        mut sector: impl FnMut(Sector),
    ) -> Result<(), Paused> {
        while telling.ready < self.nodes.seats() {
            work.check()?;
            telling.ready = self.nodes.untell(telling.ready);
            work.count(UNTELL_WORK);
        }
        while let Some(target) = self.targets.get(telling.target) {
            let Some(want) = target.wants.get(telling.want) else {
                (telling.target, telling.want) = (telling.target + 1, 0);
                continue;
            };
            let mut at = telling.at.take();
            if at.is_none() {
                work.check()?;
                work.count(TELL_WORK);
                if want.cost != UNREACHED {
                    sector(target.sector);
                    at = want.step.portal();
                }
            }
            // After an edit it may be no more.
            let mut node = at.and_then(|portal| self.nodes.node(portal));
            while let Some(here) = node {
                work.check().inspect_err(|_| telling.at = at)?;
                work.count(TELL_WORK);
                let Some(taken) = self.nodes.tell(graph, here) else {
                    break;
                };
                (at, node) = taken.next.unzip();
                lead(Lead {
                    from: taken.from,
                    portal: taken.portal,
                    cost: taken.cost,
                    into: taken.through,
                    next: at,
                    is_wanted: self.nodes.target(taken.from) != TargetId::NONE,
                });
                // A way may go out to a portal's place and come back at once.
                sector(taken.from);
                sector(taken.through);
            }
            telling.want += 1;
        }
        Ok(())
    }

    /// In how many sectors it has been.
    pub(crate) const fn sectors_seen(&self) -> usize {
        self.nodes.seats() as usize
    }

    /// The goals.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }
}
