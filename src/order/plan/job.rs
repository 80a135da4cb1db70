//! The work of a plan, in pieces.

use super::Plan;
use super::edition::Edition;
use super::loading::Loading;
use crate::budget::{LOOK_WORK, Paused, TILE_WORK, Work};
use crate::field::{FlowField, Region};
use crate::grid::SectorList;
use crate::map::{AffectedSector, Map};
use crate::order::scratch::PlanScratch;

/// Work of withdrawing invalid directions beside an edited sector, in cells.
const INVALIDATE_WORK: u64 = 30;

/// What is being done for an order.
#[derive(Clone)]
pub(crate) enum Stage {
    /// Nothing is done yet, and it may be replaced at once.
    Waiting,
    Search,
    Load(Box<Loading>),
    Integrate(Box<Integrating>),
    /// Sectors edited since are patched, or their directions are withdrawn.
    Patch(Box<Integrating>),
}

impl Stage {
    pub(super) const fn integration(&self) -> Option<&Integrating> {
        match self {
            Self::Waiting | Self::Search | Self::Load(_) => None,
            Self::Integrate(integration) | Self::Patch(integration) => Some(integration),
        }
    }

    /// The region that is being loaded or integrated, if any.
    pub(super) fn region(&self) -> Option<&Region> {
        match self {
            Self::Load(loading) => Some(&loading.region),
            _ => self.integration().map(|integration| &integration.region),
        }
    }

    /// After a change of the map: withdraws directions that it has made invalid.
    pub(super) fn invalidate(&mut self, map: &Map, around: &[AffectedSector]) {
        if let Self::Patch(integration) = self {
            for &affected in around {
                integration.region.invalidate(&map.costs, affected);
            }
        }
    }

    /// Gives its memory back for reuse.
    pub(super) fn retire(self, scratch: &mut PlanScratch) {
        let region = match self {
            Self::Waiting | Self::Search => return,
            Self::Load(loading) => loading.region,
            Self::Integrate(integration) | Self::Patch(integration) => integration.region,
        };
        scratch.give_ring(region.into_field().1);
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Waiting | Self::Search => 0,
            Self::Load(loading) => loading.bytes(),
            Self::Integrate(integration) | Self::Patch(integration) => integration.bytes(),
        }
    }
}

/// A region whose sectors are all loaded. It is integrated on the map as it was
/// when it began, and then adapted to the edits made since.
#[derive(Clone)]
pub(crate) struct Integrating {
    pub(super) region: Region,
    /// The sectors edited since it began.
    since: SectorList<AffectedSector>,
}

impl Integrating {
    /// Gives the loaded region its goals.
    fn begin(map: &Map, plan: &Plan, mut region: Region) -> Box<Self> {
        let extent = map.costs.extent();
        region.lead_through(plan.links_in(&region).into_iter());
        region.start(plan.goal_cells());
        Box::new(Self {
            region,
            since: SectorList::new(extent),
        })
    }

    pub(super) fn advance(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        self.region.advance(&map.costs, work)
    }

    /// Adapts the field to the edits made since it began.
    pub(super) fn patch(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        while !self.since.is_empty() {
            work.check()?;
            let affected = self.since.pop(|affected| affected.sector);
            match affected.filter(|affected| self.region.has_sector(affected.sector)) {
                Some(affected) if affected.changed => {
                    self.region.patch(&map.costs, affected.sector);
                    work.count(TILE_WORK);
                }
                Some(affected) => {
                    self.region.invalidate(&map.costs, affected);
                    work.count(INVALIDATE_WORK);
                }
                None => work.count(LOOK_WORK),
            }
        }
        Ok(())
    }

    pub(super) fn note_since(&mut self, around: &[AffectedSector]) {
        for &affected in around {
            match self.since.get_mut(affected.sector) {
                Some(known) => known.changed |= affected.changed,
                None => self.since.push(affected.sector, affected),
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.region.bytes() + self.since.bytes()
    }
}

/// The work for one field, which can be read once it is finished.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) stage: Stage,
    /// The plan's edition when it began.
    pub(super) edition: Edition,
}

impl Job {
    pub(super) const fn new(edition: Edition) -> Self {
        Self {
            stage: Stage::Waiting,
            edition,
        }
    }
}

impl Plan {
    /// Finishes the stage of the job under way. After the last stage returns the new field.
    pub(super) fn advance(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        work: &mut Work,
    ) -> Result<Option<FlowField>, Paused> {
        let mut integration = match self.set_stage(Stage::Search) {
            Stage::Waiting | Stage::Search => {
                self.find(map, scratch, work)?;
                let loading = Loading::begin(map, scratch, self);
                self.set_stage(Stage::Load(loading));
                return Ok(None);
            }
            Stage::Load(mut loading) => {
                debug_assert!(!loading.goes_on() || self.may_go_on());
                let loaded = loading.load(map, self, work);
                let stage = match loaded {
                    Ok(()) => {
                        self.paths.route = loading.route;
                        self.paths.route.sort_unstable();
                        self.paths.route.dedup();
                        Stage::Integrate(Integrating::begin(map, self, loading.region))
                    }
                    Err(Paused) => Stage::Load(loading),
                };
                self.set_stage(stage);
                return loaded.map(|()| None);
            }
            Stage::Integrate(mut integration) => {
                if let Err(paused) = integration.advance(map, work) {
                    self.set_stage(Stage::Integrate(integration));
                    return Err(paused);
                }
                integration
            }
            Stage::Patch(integration) => integration,
        };
        if let Err(paused) = integration.patch(map, work) {
            self.set_stage(Stage::Patch(integration));
            return Err(paused);
        }
        let (field, ring) = integration.region.into_field();
        scratch.give_ring(ring);
        Ok(Some(field))
    }

    /// Sets the stage of the job, and returns the former one.
    fn set_stage(&mut self, stage: Stage) -> Stage {
        match &mut self.job {
            Some(job) => std::mem::replace(&mut job.stage, stage),
            None => unreachable!("only a plan with a job is worked on"),
        }
    }
}
