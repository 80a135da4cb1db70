//! Loading the sectors of an order, a few at a time.
//!
//! These are the goals' sectors, those on the paths, and some [beside
//! them](super::widening). An order of quality `Exact` loads further ones while its
//! region is integrated, as long as a path through them might be cheaper. An order over
//! the whole map searches nothing: it begins with the goals' sectors and loads each
//! other one when a value reaches its border, so nothing is listed ahead.

use super::gains::Gains;
use super::paths::Scope;
use super::widening::Widening;
use super::{Plan, PlanScratch};
use crate::budget::{LOAD_WORK, Paused, Work};
use crate::field::{FlowField, Growth, Region};
use crate::grid::PagesCursor;
use crate::map::Map;
use crate::order::goal::Quality;
use crate::portal::PortalId;
use crate::route::{PathStep, Reporting};

/// What a region takes over from the present field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Nothing,
    /// Its sectors are loaded, but not their values.
    Sectors,
    /// It is continued.
    Field,
}

/// A region that is being loaded: the tiles of the field that it continues, if
/// any; the goals' sectors; the sectors on the paths; and some beside these.
#[derive(Clone)]
pub(crate) struct Loading {
    pub(super) region: Region,
    base: Base,
    /// The next tile of the present field.
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
    pub(super) fn begin(map: &Map, scratch: &mut PlanScratch, plan: &Plan) -> Box<Self> {
        let (extent, paths) = (map.costs.extent(), &plan.paths);
        let growth = match (paths.scope, plan.goal().quality()) {
            (Scope::Everywhere, _) => Some(Growth::Everywhere),
            (Scope::Paths, Quality::Exact) => paths.search.found().map(|(estimate, limit)| {
                let estimate = Box::new(estimate);
                Growth::Within { estimate, limit }
            }),
            (Scope::Paths, _) => None,
        };
        let base = if plan.may_go_on() {
            Base::Field
        } else if plan.made_for.is_ground_of(plan.edition) && paths.scope == Scope::Paths {
            // No unit on the way is to lose its direction.
            Base::Sectors
        } else {
            Base::Nothing
        };
        let before = match base {
            Base::Nothing => 0,
            Base::Sectors | Base::Field => plan.field.sector_count(),
        };
        let sectors_max = before + paths.search.sectors_expected(map);
        let sectors_max = sectors_max.min(extent.sector_count());
        Box::new(Self {
            region: Region::new(extent, sectors_max, growth, scratch.take_ring()),
            base,
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
        plan: &mut Plan,
        work: &mut Work,
    ) -> Result<(), Paused> {
        while self.base != Base::Nothing {
            work.check()?;
            if !self.take_over(&plan.field) {
                break;
            }
            work.count(LOAD_WORK);
        }
        let extent = map.costs.extent();
        let reach = &plan.asked.reach;
        while let Some(source) = reach.sources().nth(self.goals) {
            work.check()?;
            work.count(LOAD_WORK);
            self.goals += 1;
            self.region
                .load(extent.sector(extent.locate(source.cell).0));
        }
        if plan.paths.scope == Scope::Everywhere {
            return Ok(());
        }
        let on_portal = |step: PathStep| {
            self.route.push(step.portal);
            self.gains.note(step.portal, step.cost);
        };
        let reporting = &mut self.reporting;
        let search = &mut plan.paths.search;
        search.report(map, reporting, work, on_portal, |sector| {
            self.region.load(sector);
            self.widening.note(sector);
        })?;
        // An exact order loads what it needs by itself. A stray gets its path alone,
        // so that it costs little.
        if self.goes_on() || plan.asked.goal.quality() == Quality::Exact {
            return Ok(());
        }
        self.widening.begin(|| {
            let goals = reach.sources().map(|goal| (goal.cell, goal.start_cost));
            self.gains.begin(map, search, goals)
        });
        self.widening.load(map, &self.gains, &mut self.region, work)
    }

    /// Takes over one more sector of the present field; returns whether there was one.
    fn take_over(&mut self, field: &FlowField) -> bool {
        if self.goes_on() {
            return self.region.go_on_from(field, &mut self.from);
        }
        let sector = field.next_sector(&mut self.from);
        sector.inspect(|&sector| self.region.load(sector)).is_some()
    }

    /// Whether it continues the present field.
    pub(super) fn goes_on(&self) -> bool {
        self.base == Base::Field
    }

    pub(super) fn bytes(&self) -> usize {
        self.region.bytes()
            + self.widening.bytes()
            + self.gains.bytes()
            + self.route.capacity() * size_of::<PortalId>()
    }
}

impl Plan {
    /// Whether a region may continue the present field. (The region of an exact order
    /// starts from nothing: its sectors depend on all units. So does one with links, whose
    /// entries and exits may lie in any sector.)
    pub(super) fn may_go_on(&self) -> bool {
        let is_exact = self.goal().quality() == Quality::Exact;
        let has_links = self.paths.search.links().next().is_some();
        let is_on_paths = self.paths.scope == Scope::Paths;
        is_on_paths && !is_exact && !has_links && self.has_field_of(self.edition)
    }
}
