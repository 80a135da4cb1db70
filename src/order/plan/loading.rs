//! Loading the sectors of an order, a few at a time.
//!
//! These are the goals' sectors, those on the paths, and some [beside
//! them](super::widening). An order of quality `Exact` loads further ones while its
//! region is integrated, as long as a path through them might be cheaper. An order over
//! the whole map searches nothing: it begins with the goals' sectors and loads each
//! other one when a value reaches its border, so nothing is listed ahead.

use super::edition::Edition;
use super::gains::Gains;
use super::paths::{Paths, Scope};
use super::present::Present;
use super::widening::Widening;
use crate::budget::{LOAD_WORK, Paused, Work};
use crate::field::{FlowField, Growth, Region};
use crate::grid::PagesCursor;
use crate::map::Map;
use crate::order::goal::Quality;
use crate::order::scratch::PlanScratch;
use crate::portal::PortalId;
use crate::route::{PathPortal, Reporting};

/// A region that is being loaded: the tiles of the field that it continues, if
/// any; the goals' sectors; the sectors on the paths; and some beside these.
#[derive(Clone)]
pub(crate) struct Loading {
    pub(super) region: Region,
    /// Whether it continues the present field.
    pub(super) goes_on: bool,
    /// Whether it loads the sectors of the present field, though not its values.
    pub(super) keeps_sectors: bool,
    /// The next of that field's tiles.
    from: PagesCursor,
    /// The number of goals whose sectors are loaded.
    goals: usize,
    reporting: Reporting,
    widening: Widening,
    gains: Gains,
    /// The portals on the paths so far, and the position on these paths.
    pub(super) route: Vec<PortalId>,
}

impl Loading {
    /// Begins to load the sectors on the paths found.
    pub(super) fn begin(
        map: &Map,
        scratch: &mut PlanScratch,
        paths: &Paths,
        present: &Present,
        now: Edition,
    ) -> Box<Self> {
        let extent = map.costs.extent();
        let growth = match (paths.scope, paths.goal.quality()) {
            (Scope::Everywhere, _) => Some(Growth::Everywhere),
            (Scope::Paths, Quality::Exact) => paths.search.found().map(|(estimate, limit)| {
                let estimate = Box::new(estimate);
                Growth::Within { estimate, limit }
            }),
            (Scope::Paths, _) => None,
        };
        let goes_on = paths.may_go_on_from(present, now);
        let keeps_sectors =
            present.edition.is_ground_of(now) && paths.scope == Scope::Paths && !goes_on;
        let before = if goes_on || keeps_sectors {
            present.field.sector_count()
        } else {
            0
        };
        let sectors_max = before + paths.search.sectors_expected(map);
        let sectors_max = sectors_max.min(extent.sector_count());
        Box::new(Self {
            region: Region::new(extent, sectors_max, growth, scratch.take_ring()),
            goes_on,
            keeps_sectors,
            from: PagesCursor::default(),
            goals: 0,
            reporting: Reporting::default(),
            widening: Widening::new(extent),
            gains: Gains::default(),
            route: Vec::new(),
        })
    }

    /// Loads all sectors with which the region begins.
    pub(super) fn load(
        &mut self,
        map: &Map,
        paths: &mut Paths,
        field: &FlowField,
        work: &mut Work,
    ) -> Result<(), Paused> {
        while self.goes_on {
            work.check()?;
            if !self.region.go_on_from(field, &mut self.from) {
                break;
            }
            work.count(LOAD_WORK);
        }
        while self.keeps_sectors {
            work.check()?;
            let Some(sector) = field.next_sector(&mut self.from) else {
                break;
            };
            self.region.load(sector);
            work.count(LOAD_WORK);
        }
        let extent = map.costs.extent();
        while let Some(source) = paths.reach.sources().nth(self.goals) {
            work.check()?;
            work.count(LOAD_WORK);
            self.goals += 1;
            self.region
                .load(extent.sector(extent.locate(source.cell).0));
        }
        if paths.scope == Scope::Everywhere {
            return Ok(());
        }
        let on_portal = |portal: PathPortal| {
            self.route.push(portal.id);
            self.gains.note(portal.id, portal.cost);
        };
        let reporting = &mut self.reporting;
        paths
            .search
            .report(map, reporting, work, on_portal, |sector| {
                self.region.load(sector);
                self.widening.note(sector);
            })?;
        // An exact order loads what it needs by itself. A stray gets its path alone,
        // so that it costs little.
        if self.goes_on || paths.goal.quality() == Quality::Exact {
            return Ok(());
        }
        self.widening.begin(|| {
            let goals = paths
                .reach
                .sources()
                .map(|goal| (goal.cell, goal.start_cost));
            self.gains.begin(map, &paths.search, goals)
        });
        self.widening.load(map, &self.gains, &mut self.region, work)
    }

    pub(super) fn bytes(&self) -> usize {
        self.region.bytes()
            + self.widening.bytes()
            + self.gains.bytes()
            + self.route.capacity() * size_of::<PortalId>()
    }
}
