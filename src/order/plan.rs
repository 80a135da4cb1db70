//! The work behind an order.

use std::collections::HashSet;

use super::goal::Goal;
use super::reach::Reach;
use crate::field::{Flow, FlowField, Region};
use crate::grid::{Cell, SECTOR_CELLS, Sector};
use crate::portal::PortalId;
use crate::queue::BucketRing;
use crate::route::{Ground, Search};

/// The cells an order was asked to serve. Only asked of, never walked, and
/// hashed with the same keys in every run.
type Asked = HashSet<Cell, ahash::RandomState>;

/// What is being done for an order.
#[derive(Clone)]
pub(crate) enum Stage {
    /// The search runs.
    Search,
    /// The loaded sectors are integrated.
    Integrate(Box<Region>),
    /// The integrated sectors are turned into directions.
    Flow(Box<Region>, Vec<[Flow; SECTOR_CELLS]>),
    /// Nothing is left to do.
    Done,
}

impl Stage {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Integrate(_) => "integrate",
            Self::Flow(..) => "flow",
            Self::Done => "done",
        }
    }
}

/// An order as the world keeps it.
///
/// The stages follow each other; the old field stays readable until the new
/// one is whole.
pub(crate) struct Plan {
    goal: Goal,
    reach: Reach,
    units: Vec<Cell>,
    asked: Asked,
    search: Search,
    stage: Stage,
    field: FlowField,
}

impl Plan {
    /// A plan for an order that was found good.
    pub(crate) fn new(ground: Ground<'_>, goal: Goal, reach: Reach, units: &[Cell]) -> Self {
        let mut plan = Self {
            goal,
            search: Search::new(ground, reach.sources().collect()),
            reach,
            units: Vec::new(),
            asked: Asked::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
            stage: Stage::Search,
            field: FlowField::empty(ground.costs.extent()),
        };
        for &unit in units {
            plan.ask(ground, unit);
        }
        plan
    }

    /// Takes in a unit's cell; false if it was known or cannot reach the goal.
    fn ask(&mut self, ground: Ground<'_>, unit: Cell) -> bool {
        if !self.asked.insert(unit) {
            return false;
        }
        self.units.push(unit);
        self.seek(ground, unit)
    }

    /// Has the search look for a way from a unit's cell.
    fn seek(&mut self, ground: Ground<'_>, unit: Cell) -> bool {
        let known = self.reach.len();
        let Some(start) = self.reach.start_of(ground, &self.goal, unit) else {
            return false;
        };
        for source in self.reach.sources().skip(known) {
            self.search.add_source(source);
        }
        self.search.want(ground, start);
        true
    }

    /// Serves a unit that stands off the field; tells whether there is work to
    /// do for it.
    pub(crate) fn cover(&mut self, ground: Ground<'_>, unit: Cell) -> bool {
        if self.field.get(unit).is_some_and(Flow::leads_on) || !self.ask(ground, unit) {
            return false;
        }
        if matches!(self.stage, Stage::Done) {
            self.stage = Stage::Search;
        }
        true
    }

    /// Begins anew on changed ground. The field stays, but for what the change
    /// made doubtful.
    pub(crate) fn replan(&mut self, ground: Ground<'_>) {
        self.reach = Reach::new(ground, &self.goal, &self.units);
        self.search = Search::new(ground, self.reach.sources().collect());
        for i in 0..self.units.len() {
            self.seek(ground, self.units[i]);
        }
        self.stage = Stage::Search;
    }

    /// Does a piece of the present stage; `work` is counted down. Tells
    /// whether the plan is done.
    pub(crate) fn advance(
        &mut self,
        ground: Ground<'_>,
        ring: &mut BucketRing<PortalId>,
        work: &mut u64,
    ) -> bool {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Search => {
                self.stage = if self.search.advance(ground, ring, work) {
                    Stage::Integrate(Box::new(self.region(ground)))
                } else {
                    Stage::Search
                };
            }
            Stage::Integrate(mut region) => {
                self.stage = if region.advance(ground.costs, work) {
                    Stage::Flow(region, Vec::new())
                } else {
                    Stage::Integrate(region)
                };
            }
            Stage::Flow(region, mut flows) => {
                let from = flows.len();
                let done = region.flow(ground.costs, from, &mut flows, work) == region.len();
                if !done {
                    self.stage = Stage::Flow(region, flows);
                } else {
                    self.field = region.into_field(flows);
                    if !self.search.is_served() {
                        self.stage = Stage::Search;
                    }
                }
            }
            Stage::Done => {}
        }
        matches!(self.stage, Stage::Done)
    }

    /// The sectors that the ways found lead through.
    fn region(&self, ground: Ground<'_>) -> Region {
        let mut sectors: Vec<Sector> = Vec::new();
        self.search.ways(|_| (), |sector| sectors.push(sector));
        sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
        sectors.dedup();
        self.integrate(ground, sectors)
    }

    fn integrate(&self, ground: Ground<'_>, sectors: Vec<Sector>) -> Region {
        let goals = self.reach.sources();
        Region::new(
            ground.costs,
            sectors,
            goals.map(|source| (source.cell, source.start_cost)),
        )
    }

    /// The loaded sectors, integrated once more.
    pub(crate) fn integration(&self, ground: Ground<'_>) -> Region {
        let mut region = self.integrate(ground, self.field.sectors().to_vec());
        let mut unlimited = u64::MAX;
        region.advance(ground.costs, &mut unlimited);
        region
    }

    /// The portals on the ways found, each once, in id order.
    pub(crate) fn portals(&self) -> Vec<PortalId> {
        let mut portals = Vec::new();
        self.search.ways(|portal| portals.push(portal), |_| ());
        portals.sort_unstable();
        portals.dedup();
        portals
    }

    pub(crate) const fn stage(&self) -> &Stage {
        &self.stage
    }

    pub(crate) const fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }

    pub(crate) const fn reach(&self) -> &Reach {
        &self.reach
    }

    pub(crate) const fn field(&self) -> &FlowField {
        &self.field
    }

    pub(crate) const fn field_mut(&mut self) -> &mut FlowField {
        &mut self.field
    }

    pub(crate) fn bytes(&self) -> usize {
        let running = match &self.stage {
            Stage::Integrate(region) => region.bytes(),
            Stage::Flow(region, flows) => {
                region.bytes() + flows.capacity() * size_of::<[Flow; SECTOR_CELLS]>()
            }
            Stage::Search | Stage::Done => 0,
        };
        size_of::<Self>()
            + self.units.capacity() * size_of::<Cell>()
            + self.asked.capacity() * size_of::<Cell>()
            + self.search.bytes()
            + self.field.bytes()
            + running
    }
}
