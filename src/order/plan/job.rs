//! The work of a plan, in pieces.

use super::edition::Edition;
use super::loading::Loading;
use super::paths::Paths;
use super::present::{Present, invalidated_by};
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
            for affected in around {
                integration
                    .region
                    .invalidate(affected.sector, invalidated_by(map, affected));
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
    pub(super) fn begin(map: &Map, paths: &mut Paths, loading: Loading) -> Box<Self> {
        let extent = map.costs.extent();
        let mut region = loading.region;
        paths.route = loading.route;
        paths.route.sort_unstable();
        paths.route.dedup();
        let links = paths.links(&region);
        region.lead_through(links.into_iter());
        region.start(paths.goal_cells());
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
                    self.region
                        .invalidate(affected.sector, invalidated_by(map, &affected));
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

    /// Finishes the present stage. After the last stage returns the new field. While nothing
    /// but prices is new in the present edition `now`, the sectors of the readable field stay
    /// loaded, so that no unit on the way loses its direction.
    pub(super) fn advance(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        paths: &mut Paths,
        present: &Present,
        now: Edition,
        work: &mut Work,
    ) -> Result<Option<FlowField>, Paused> {
        let mut integration = match std::mem::replace(&mut self.stage, Stage::Search) {
            Stage::Waiting | Stage::Search => {
                paths.find(map, scratch, work)?;
                self.stage = Stage::Load(Loading::begin(map, scratch, paths, present, now));
                return Ok(None);
            }
            Stage::Load(mut loading) => {
                debug_assert!(!loading.goes_on || paths.may_go_on_from(present, now));
                let loaded = loading.load(map, paths, &present.field, work);
                self.stage = match loaded {
                    Ok(()) => Stage::Integrate(Integrating::begin(map, paths, *loading)),
                    Err(Paused) => Stage::Load(loading),
                };
                return loaded.map(|()| None);
            }
            Stage::Integrate(mut integration) => {
                if let Err(paused) = integration.advance(map, work) {
                    self.stage = Stage::Integrate(integration);
                    return Err(paused);
                }
                integration
            }
            Stage::Patch(integration) => integration,
        };
        if let Err(paused) = integration.patch(map, work) {
            self.stage = Stage::Patch(integration);
            return Err(paused);
        }
        let (field, ring) = integration.region.into_field();
        scratch.give_ring(ring);
        Ok(Some(field))
    }
}
