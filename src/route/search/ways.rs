//! Reports the paths found, from the wants to the goals.

use super::{Search, Source};
use crate::budget::{Paused, Work};
use crate::grid::Sector;
use crate::kernel::UNREACHED;
use crate::portal::{PortalGraph, PortalId};
use crate::route::target::TargetId;

/// Work of reporting a portal on a path.
const REPORT_WORK: u64 = 30;
/// Work of clearing the report marks of a batch of sectors.
const CLEAR_WORK: u64 = 10;

/// A portal on a path found, where the path leaves a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lead {
    /// The sector that the path leaves.
    pub(crate) from: Sector,
    /// The portal through which it leaves.
    pub(crate) portal: PortalId,
    /// The cost of the path from the portal's own cell.
    pub(crate) cost: u64,
    /// The sector that the path enters, and the portal through which it leaves
    /// that sector; `None` if it ends there.
    pub(crate) into: Sector,
    pub(crate) next: Option<PortalId>,
    /// Whether a path is wanted for cells of the sector that it leaves.
    pub(crate) is_wanted: bool,
}

/// The progress of [reporting paths](Search::tell).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Telling {
    /// The number of sectors whose report marks are cleared.
    ready: u32,
    /// The want whose path is being reported: the target, and the index of the
    /// want in it.
    target: usize,
    want: usize,
    /// The next portal to report on that path; `None` before the first.
    at: Option<PortalId>,
}

impl Search {
    /// Reports the paths found: calls `lead` with each portal on them, once,
    /// and `sector` with the sectors they lead through, some of them several
    /// times.
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
            telling.ready = self.nodes.clear_reported(telling.ready);
            work.count(CLEAR_WORK);
        }
        while let Some(target) = self.targets.get(telling.target) {
            let Some(want) = target.wants.get(telling.want) else {
                (telling.target, telling.want) = (telling.target + 1, 0);
                continue;
            };
            let mut at = telling.at.take();
            if at.is_none() {
                work.check()?;
                work.count(REPORT_WORK);
                if want.cost != UNREACHED {
                    sector(target.sector);
                    at = want.step.portal();
                }
            }
            // After an edit the portal may not exist any more.
            let mut node = at.and_then(|portal| self.nodes.node(portal));
            while let Some(here) = node {
                work.check().inspect_err(|_| telling.at = at)?;
                work.count(REPORT_WORK);
                let Some(taken) = self.nodes.report(graph, here) else {
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
                // A path may enter a sector for a portal's own cell and leave
                // it at once.
                sector(taken.from);
                sector(taken.through);
            }
            telling.want += 1;
        }
        Ok(())
    }

    /// Returns the number of sectors that the search has reached.
    pub(crate) const fn sectors_seen(&self) -> usize {
        self.nodes.seats() as usize
    }

    /// Returns the goals.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }
}
