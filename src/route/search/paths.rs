//! Reports the paths found, from the wants to the goals.

use super::{Search, Source};
use crate::budget::{LOOK_WORK, Paused, Work};
use crate::grid::Sector;
use crate::kernel::UNREACHED;
use crate::map::Map;
use crate::portal::{PortalId, PortalSlot};
use crate::route::blocks::{BlockArea, BlockExit, Onward};
use crate::route::target::TargetId;
use crate::route::unpacking::portals_between;

/// Work of reporting a portal on a path, in cells.
const REPORT_WORK: u64 = 10;
/// Work of clearing the report marks of a batch of portals.
const CLEAR_WORK: u64 = 10;

/// A portal on a path found, where the path leaves a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PathPortal {
    /// The sector that the path leaves.
    pub(crate) from: Sector,
    /// The portal through which it leaves.
    pub(crate) id: PortalId,
    /// The cost of the path from the portal's own cell.
    pub(crate) cost: u64,
    /// The sector that the path enters, and the portal through which it leaves
    /// that sector; `None` if it ends there.
    pub(crate) into: Sector,
    pub(crate) next: Option<PortalId>,
    /// Whether a path is wanted for cells of the sector that it leaves.
    pub(crate) is_wanted: bool,
    /// Whether the search crossed the ground behind the portal as a whole cluster.
    pub(crate) is_in_cluster: bool,
}

/// The progress of [reporting paths](Search::report).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reporting {
    /// The next lane whose mark is cleared, until all are.
    next_lane: usize,
    is_cleared: bool,
    /// The want whose path is being reported: the target, and the index of the
    /// want in it.
    target: usize,
    want: usize,
    /// The next portal to report on that path; `None` before the first.
    at: Option<PortalId>,
    /// A bit for each portal slot by which a reported path leaves the target.
    exits: u32,
}

impl Search {
    /// Reports the paths found: calls `on_portal` with each portal on them, and `on_sector`
    /// with the sectors they lead through. Where paths meet inside a cluster, its
    /// portals and sectors may be reported several times.
    pub(crate) fn report(
        &mut self,
        map: &Map,
        reporting: &mut Reporting,
        work: &mut Work,
        mut on_portal: impl FnMut(PathPortal),
        mut on_sector: impl FnMut(Sector),
    ) -> Result<(), Paused> {
        self.clear_reported(reporting, work)?;
        while let Some(target) = self.targets.get(reporting.target) {
            let Some(want) = target.wants.get(reporting.want) else {
                (reporting.target, reporting.want) = (reporting.target + 1, 0);
                reporting.exits = 0;
                continue;
            };
            let mut at = reporting.at.take();
            if at.is_none() {
                work.check()?;
                work.count(LOOK_WORK);
                if want.cost != UNREACHED {
                    on_sector(target.sector);
                    at = want.step.portal().filter(|&portal| {
                        let exit = 1 << PortalSlot::of(portal, target.sector).number();
                        let is_new = reporting.exits & exit == 0;
                        reporting.exits |= exit;
                        is_new
                    });
                }
            }
            while let Some(portal) = at {
                let paid = self.pay(work).and_then(|()| work.check());
                paid.inspect_err(|_| reporting.at = at)?;
                work.count(REPORT_WORK);
                // After an edit the portal may not exist any more.
                let onward = self.blocks.report(map, portal);
                at = onward.and_then(|onward| {
                    self.report_block(map, onward, &mut on_portal, &mut on_sector)
                });
            }
            reporting.want += 1;
        }
        self.blocks.free_unpacking_room();
        self.pay(work)
    }

    fn clear_reported(&mut self, reporting: &mut Reporting, work: &mut Work) -> Result<(), Paused> {
        while !reporting.is_cleared {
            work.check()?;
            work.count(CLEAR_WORK);
            match self.blocks.clear_reported(reporting.next_lane) {
                Some(next) => reporting.next_lane = next,
                None => reporting.is_cleared = true,
            }
        }
        Ok(())
    }

    /// Reports a path through a block: the portal at which it enters, and those
    /// inside. Returns the portal at which it leaves.
    fn report_block(
        &mut self,
        map: &Map,
        onward: Onward,
        mut on_portal: impl FnMut(PathPortal),
        mut on_sector: impl FnMut(Sector),
    ) -> Option<PortalId> {
        let sectors = onward.area.sectors(map.clusters.division());
        let [one, other] = onward.portal.sectors();
        let (from, into) = if sectors.contains(one) {
            (other, one)
        } else {
            (one, other)
        };
        let (exit, price) = match onward.exit {
            BlockExit::By(exit, price) => (Some(exit), price),
            BlockExit::Goal | BlockExit::Lost => (None, 0),
        };
        let (inside, work) = match (exit, onward.area) {
            (Some(end), BlockArea::Cluster(_)) => {
                let room = self.blocks.unpacking_room();
                portals_between(map, room, sectors, [onward.portal, end], price)
            }
            _ => (Vec::new(), 0),
        };
        // A path may enter a sector for a portal's own cell and leave it at once.
        on_sector(from);
        on_sector(into);
        let mut report = |from, id, cost, into, next| {
            on_portal(PathPortal {
                from,
                id,
                cost,
                into,
                next,
                is_wanted: self.blocks.target_in(from) != TargetId::NONE,
                is_in_cluster: matches!(onward.area, BlockArea::Cluster(_)),
            });
        };
        let (mut at, mut cost, mut from, mut into) = (onward.portal, onward.cost, from, into);
        for next in inside {
            report(from, at, cost, into, Some(next.portal));
            // After an edit the costs are of another map.
            cost = onward.cost.saturating_sub((price - next.to_end).into());
            (at, from, into) = (next.portal, into, next.into);
            on_sector(into);
        }
        report(from, at, cost, into, exit);
        self.debt += work;
        exit
    }

    /// Returns the goals.
    pub(crate) fn sources(&self) -> &[Source] {
        &self.sources
    }
}
