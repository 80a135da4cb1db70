//! The work behind an order.

use std::collections::HashSet;

use super::goal::{Goal, Quality};
use super::reach::Reach;
use crate::budget::{Budget, Work};
use crate::chart::Chart;
use crate::field::{Flow, FlowField, Growth, Region};
use crate::grid::{Cell, Direction, Sector};
use crate::portal::PortalId;
use crate::queue::BucketRing;
use crate::route::{Route, Search};
use crate::wave::octile;

/// How many rings of sectors are looked through for a way out of a wall each
/// time a unit asks.
const WAY_OUT_RINGS: i32 = 3;

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
    /// Nothing is left to do.
    Done,
}

impl Stage {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Integrate(_) => "integrate",
            Self::Done => "done",
        }
    }
}

/// The queues that plans work with, one plan at a time.
pub(crate) struct Scratch {
    search: BucketRing<PortalId>,
    integration: BucketRing<u32>,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self {
            search: BucketRing::new(),
            integration: BucketRing::new(),
        }
    }

    /// Searches for a route between two cells that can reach each other.
    pub(crate) fn find_route(&mut self, chart: &Chart, from: Cell, to: Cell) -> Option<Route> {
        Route::find(chart, &mut self.search, from, to)
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
    /// Whether the field was made before the last edit.
    stale: bool,
    /// Where units in walls were found a way out.
    exits: Vec<Cell>,
}

impl Plan {
    /// A plan for an order that was found good.
    pub(crate) fn new(chart: &Chart, goal: Goal, reach: Reach, units: &[Cell]) -> Self {
        let mut plan = Self {
            goal,
            search: Search::new(chart, reach.sources().collect()),
            reach,
            units: Vec::new(),
            asked: Asked::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
            stage: Stage::Search,
            field: FlowField::empty(chart.costs.extent()),
            stale: false,
            exits: Vec::new(),
        };
        for &unit in units {
            plan.ask(chart, unit);
        }
        plan
    }

    /// Takes in a unit's cell; false if it was known or cannot reach the goal.
    fn ask(&mut self, chart: &Chart, unit: Cell) -> bool {
        if !self.asked.insert(unit) {
            return false;
        }
        self.units.push(unit);
        self.seek(chart, unit)
    }

    /// Has the search look for a way from a unit's cell.
    fn seek(&mut self, chart: &Chart, unit: Cell) -> bool {
        let known = self.reach.len();
        let Some(start) = self.reach.start_of(chart, &self.goal, unit) else {
            return false;
        };
        for source in self.reach.sources().skip(known) {
            self.search.add_source(source);
        }
        if start != unit {
            self.exits.push(start);
        }
        self.search.want(chart, start);
        true
    }

    /// Serves a unit that stands off the field; tells whether there is work to
    /// do for it.
    pub(crate) fn cover(&mut self, chart: &Chart, unit: Cell) -> bool {
        let covered = !self.stale && self.field.get(unit).is_some_and(Flow::leads_on);
        let known = self.asked.contains(&unit);
        let starts = || self.reach.clone().start_of(chart, &self.goal, unit);
        if covered || known || starts().is_none() || !self.ask(chart, unit) {
            return false;
        }
        if matches!(self.stage, Stage::Done) {
            self.stage = Stage::Search;
        }
        true
    }

    /// Begins anew on changed ground. The field stays, but for what the change
    /// made doubtful.
    pub(crate) fn replan(&mut self, chart: &Chart) {
        self.stale = true;
        self.exits.clear();
        self.reach = Reach::new(chart, &self.goal, &self.units);
        self.search = Search::new(chart, self.reach.sources().collect());
        for i in 0..self.units.len() {
            self.seek(chart, self.units[i]);
        }
        self.stage = Stage::Search;
    }

    /// Does a piece of the present stage; `work` counts what is done. Tells
    /// whether the plan is done.
    pub(crate) fn advance(
        &mut self,
        chart: &Chart,
        scratch: &mut Scratch,
        work: &mut Work,
    ) -> bool {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Search => {
                self.stage = if self.search.advance(chart, &mut scratch.search, work) {
                    Stage::Integrate(Box::new(self.region(chart)))
                } else {
                    Stage::Search
                };
            }
            Stage::Integrate(mut region) => {
                if region.advance(&chart.costs, &mut scratch.integration, work) {
                    self.field = region.into_field();
                    self.stale = false;
                    if !self.search.is_served() {
                        self.stage = Stage::Search;
                    }
                } else {
                    self.stage = Stage::Integrate(region);
                }
            }
            Stage::Done => {}
        }
        matches!(self.stage, Stage::Done)
    }

    /// The sectors that the ways found lead through, and what the quality asked
    /// for adds to them.
    fn region(&self, chart: &Chart) -> Region {
        let mut sectors: Vec<Sector> = Vec::new();
        let extent = chart.costs.extent();
        let goals = self.reach.sources();
        sectors.extend(goals.map(|source| extent.sector(extent.locate(source.cell).0)));
        self.search.ways(|_| (), |sector| sectors.push(sector));
        let mut growth = None;
        match self.goal.quality() {
            Quality::Corridor => {}
            Quality::Wide => add_ring(chart, &mut sectors),
            Quality::Exact => {
                let found = self.search.aim_and_dearest(chart);
                growth = found.map(|(aim, limit)| Growth { aim, limit });
            }
        }
        sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
        sectors.dedup();
        self.integrate(chart, sectors, growth)
    }

    fn integrate(&self, chart: &Chart, sectors: Vec<Sector>, growth: Option<Growth>) -> Region {
        let goals = self.reach.sources();
        let goals = goals.map(|source| (source.cell, source.start_cost));
        Region::new(&chart.costs, sectors, goals, growth)
    }

    /// The loaded sectors, integrated once more.
    pub(crate) fn integration(&self, chart: &Chart) -> Region {
        let mut region = self.integrate(chart, self.field.sectors().to_vec(), None);
        region.advance(
            &chart.costs,
            &mut BucketRing::new(),
            &mut Work::within(Budget::UNLIMITED),
        );
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

    /// Whether the field was made before the last edit.
    pub(crate) const fn is_stale(&self) -> bool {
        self.stale
    }

    /// The step that leads a unit out of the wall it is in: straight toward the
    /// nearest open cell from which a goal can be reached. Looks a few sectors
    /// around; further in, toward the nearest exit that the order knows.
    pub(crate) fn way_out(&self, chart: &Chart, unit: Cell) -> Option<Direction> {
        let price = |to: &Cell| octile(to.x.abs_diff(unit.x), to.y.abs_diff(unit.y));
        let near = self.reach.way_out(chart, unit, WAY_OUT_RINGS);
        let known = || {
            let open = self
                .exits
                .iter()
                .filter(|&&exit| self.reach.serves(chart, exit));
            open.min_by_key(|exit| (price(exit), chart.costs.extent().cell_id(**exit)))
        };
        let out = near.or_else(|| known().copied())?;
        Direction::toward(out.x - unit.x, out.y - unit.y)
    }

    /// Whether a unit on an island without a goal would be given one.
    pub(crate) const fn takes_nearest(&self) -> bool {
        !self.goal.is_strict()
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
            Stage::Search | Stage::Done => 0,
        };
        size_of::<Self>()
            + self.units.capacity() * size_of::<Cell>()
            + self.asked.capacity() * size_of::<Cell>()
            + self.exits.capacity() * size_of::<Cell>()
            + self.search.bytes()
            + self.field.bytes()
            + running
    }
}

/// Adds the eight neighbours of each sector.
fn add_ring(chart: &Chart, sectors: &mut Vec<Sector>) {
    for i in 0..sectors.len() {
        let Sector { x, y } = sectors[i];
        sectors.extend(Direction::ALL.into_iter().filter_map(|direction| {
            let (dx, dy) = direction.offset();
            let beside = Sector::new(x + dx, y + dy);
            chart.costs.extent().sector_id(beside).map(|_| beside)
        }));
    }
}
