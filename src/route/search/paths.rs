//! Reports the paths found, from the wants to the goals.

use super::Search;
use crate::budget::{LOOK_WORK, Paused, Work};
use crate::grid::{Cell, Sector};
use crate::kernel::{Threshold, UNREACHED};
use crate::map::Map;
use crate::portal::{PortalId, PortalSlot};
use crate::route::blocks::{BlockArea, BlockExit, Onward};
use crate::route::step::PathStep;
use crate::route::target::Want;
use crate::route::unpacking::portals_between;

/// Work of reporting a portal on a path, in cells.
const REPORT_WORK: u64 = 10;
/// Work of clearing the report marks of a batch of portals.
const CLEAR_WORK: u64 = 10;

/// The progress of [reporting paths](Search::report).
#[derive(Clone, Debug, Default)]
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
    /// The wants at the ends of links through which reported paths lead, which are to be
    /// reported too: the target, and the index in it.
    followed: Vec<[usize; 2]>,
    /// Whether the goals are looked for at which paths end, and the last of them.
    finds_ends: bool,
    end: Option<Cell>,
}

impl Reporting {
    /// Begins to report paths with the goals at which they end.
    pub(crate) fn of_ends() -> Self {
        Self {
            finds_ends: true,
            ..Self::default()
        }
    }

    /// Returns the goal at which the last path ended.
    pub(crate) const fn end(&self) -> Option<Cell> {
        self.end
    }

    pub(super) const fn finds_ends(&self) -> bool {
        self.finds_ends
    }

    /// Notes the goal at which a path ends.
    pub(super) const fn end_at(&mut self, goal: Cell) {
        self.end = Some(goal);
    }

    /// Has the path from the end of a link reported next.
    pub(super) fn follow(&mut self, want: Option<[usize; 2]>) {
        self.followed.extend(want);
    }
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
        mut on_portal: impl FnMut(PathStep),
        mut on_sector: impl FnMut(Sector),
    ) -> Result<(), Paused> {
        self.clear_reported(reporting, work)?;
        loop {
            let mut at = reporting.at.take();
            if at.is_none() {
                work.check()?;
                let Some((sector, want, is_followed)) = self.next_want(reporting) else {
                    break;
                };
                work.count(LOOK_WORK);
                if want.cost != UNREACHED {
                    on_sector(sector);
                    at = self.first_portal_of(map, reporting, sector, want, is_followed);
                }
            }
            while let Some(portal) = at {
                self.pay(work)
                    .and_then(|()| work.check())
                    .inspect_err(|_| reporting.at = at)?;
                work.count(REPORT_WORK);
                // After an edit the portal may not exist any more.
                let onward = self.blocks.report(map, portal);
                at = onward.and_then(|onward| {
                    self.note_end_behind(map, reporting, &onward);
                    self.report_block(map, onward, &mut on_portal, &mut on_sector)
                });
            }
        }
        self.blocks.free_unpacking_room();
        self.pay(work)
    }

    /// Returns the next want whose path is to be reported, with its sector: those at the
    /// ends of links first, so that a path is reported from its begin to its end.
    fn next_want(&self, reporting: &mut Reporting) -> Option<(Sector, Want, bool)> {
        if let Some([target, want]) = reporting.followed.pop() {
            let target = self.targets.get(target)?;
            return Some((target.sector, *target.wants.get(want)?, true));
        }
        loop {
            let target = self.targets.get(reporting.target)?;
            if let Some(&want) = target.wants.get(reporting.want) {
                reporting.want += 1;
                if want.by_unit {
                    return Some((target.sector, want, false));
                }
            } else {
                reporting.target += 1;
                reporting.want = 0;
                reporting.exits = 0;
            }
        }
    }

    /// Returns the portal by which a path leaves the sector where it begins, if it is the
    /// first path from there that does.
    fn first_portal_of(
        &mut self,
        map: &Map,
        reporting: &mut Reporting,
        sector: Sector,
        want: Want,
        is_followed: bool,
    ) -> Option<PortalId> {
        let Some(portal) = want.step.portal() else {
            self.note_end(map, reporting, sector, &Threshold::at(want.slot), want.cost);
            return None;
        };
        // The marks are those of the target whose wants are reported in turn.
        if is_followed {
            return Some(portal);
        }
        let exit = 1 << PortalSlot::of(portal, sector).number();
        let is_new = reporting.exits & exit == 0;
        reporting.exits |= exit;
        is_new.then_some(portal)
    }

    /// If a path ends in the block behind a portal: notes the link in which it ends.
    fn note_end_behind(&mut self, map: &Map, reporting: &mut Reporting, onward: &Onward) {
        let (BlockExit::Goal, BlockArea::Sector(sector)) = (onward.exit, onward.area) else {
            return;
        };
        if !self.needs_ends(reporting) {
            return;
        }
        let Some(id) = map.costs.extent().sector_id(sector) else {
            return;
        };
        let (tile, around) = (map.costs.tile(id), map.graph.around(sector));
        let mut portals = around.portals(&tile);
        if let Some(portal) = portals.find(|portal| portal.id == onward.portal) {
            self.note_end(map, reporting, sector, &portal.entry, onward.cost);
        }
    }

    fn clear_reported(&mut self, reporting: &mut Reporting, work: &mut Work) -> Result<(), Paused> {
        if !reporting.is_cleared && reporting.next_lane == 0 {
            self.forget_used_links();
        }
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
        mut on_portal: impl FnMut(PathStep),
        mut on_sector: impl FnMut(Sector),
    ) -> Option<PortalId> {
        let sectors = onward.area.sectors(map.clusters.division());
        let is_in_cluster = matches!(onward.area, BlockArea::Cluster(_));
        let (exit, price) = match onward.exit {
            BlockExit::By(exit, price) => (Some(exit), price),
            BlockExit::Goal | BlockExit::Lost => (None, 0),
        };
        let (inside, work) = match exit {
            Some(end) if is_in_cluster => {
                let room = self.blocks.unpacking_room();
                portals_between(map, room, sectors, [onward.portal, end], price)
            }
            _ => (Vec::new(), 0),
        };
        self.debt += work;
        let [one, other] = onward.portal.sectors();
        let (from, into) = if sectors.contains(one) {
            (other, one)
        } else {
            (one, other)
        };
        // A path may enter a sector for a portal's own cell and leave it at once.
        on_sector(from);
        let first = PathStep {
            portal: onward.portal,
            into,
            cost: onward.cost,
            is_in_cluster,
        };
        // After an edit the costs are of another map.
        let before = |cost| onward.cost.saturating_sub(u64::from(price) - cost);
        let inside = inside.into_iter().map(|step| PathStep {
            cost: before(step.cost),
            ..step
        });
        for step in std::iter::once(first).chain(inside) {
            on_sector(step.into);
            on_portal(step);
        }
        exit
    }
}
