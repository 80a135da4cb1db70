//! The work behind an order.
//!
//! A [`Plan`] has three parts: what is asked of it and the [`Paths`] found for it,
//! the field that units [read](Present), and the work under way ([`Job`]).

mod asking;
mod change;
mod edition;
mod gains;
mod job;
mod loading;
mod paths;
mod present;
mod unit_in_wall;
mod widening;

use edition::Edition;
use job::Job;
use paths::{Paths, Request};
use present::Present;

use super::goal::Goal;
use super::reach::Reach;
use super::scratch::PlanScratch;
use crate::budget::{Budget, Paused, Work, run_to_end};
use crate::cost::CellLink;
use crate::field::{Flow, FlowField, Region};
use crate::grid::{Cell, Direction, Sector};
use crate::map::{Layers, Map};
use crate::portal::PortalId;
use crate::queue::BucketRing;
use crate::route::{Search, Source};

pub(crate) use job::Stage;

/// What becomes of a plan's place in the queue after a piece of work, or a change of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It has more to do, and keeps its place if it has one.
    Stays,
    /// It begins again, behind all others: what it has done is of the map as it was.
    MovesBack,
    /// It has nothing to do.
    Leaves,
}

/// The state of an order and the work on it.
///
/// The stages follow each other; the old field stays readable until the new one is
/// finished. An edit does not stop the work in hand. It is finished on the map as
/// it was, directions that the edit made invalid are withdrawn, and then the plan
/// is made again. So every plan is finished, however often the map changes.
#[derive(Clone)]
pub(crate) struct Plan {
    paths: Paths,
    now: Present,
    /// What a field must be made for to be current.
    edition: Edition,
    /// The goal and the units of the next work, if they are not the present ones.
    request: Option<Box<Request>>,
    /// `None` if no work is left: all paths are found, and the field is not stale.
    next: Option<Job>,
}

impl Plan {
    /// Creates a plan for an order that was accepted.
    pub(crate) fn new(
        map: &Map,
        scratch: &mut PlanScratch,
        goal: Goal,
        reach: Reach,
        units: &[Cell],
    ) -> Self {
        let extent = map.costs.extent();
        let (sources, links) = (reach.sources().collect(), reach.links(map));
        let search = Search::new(map, &mut scratch.search, sources, links);
        Self {
            paths: Paths::new(extent, search, goal, reach, units),
            now: Present::new(extent),
            edition: Edition::default(),
            request: None,
            next: Some(Job::new(Edition::default())),
        }
    }

    /// Gives it the field that a plan with these goals had: loads these sectors,
    /// which are given once each and row by row, and leads through these links. Its
    /// paths out of walls end at these cells.
    pub(crate) fn restored(
        mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        exits: Vec<Cell>,
        sectors: Vec<Sector>,
        links: Vec<CellLink>,
    ) -> Self {
        self.paths.find_again(map, scratch, exits);
        let extent = map.costs.extent();
        let goals = self
            .paths
            .goal_cells()
            .map(|(goal, _)| extent.sector(extent.locate(goal).0));
        let count = sectors.len();
        let ring = scratch.take_ring();
        let region = self.integrate(map, count, ring, links, goals.chain(sectors));
        let (field, ring) = region.into_field();
        scratch.give_ring(ring);
        self.now.replace(field, self.edition);
        self.next = None;
        self.forget_search(scratch);
        self
    }

    /// Works until the quantum is used up or the plan is made. Returns its place in the
    /// queue, and the work done.
    pub(crate) fn work(
        &mut self,
        layers: &Layers,
        scratch: &mut PlanScratch,
        quantum: u64,
    ) -> (Place, u64) {
        let mut work = Work::within(Budget::cells(quantum));
        let map = layers.used(self.goal().layer());
        let place = self.make(map, scratch, &mut work);
        debug_assert!(self.is_consistent());
        (place.unwrap_or(Place::Stays), work.done())
    }

    fn make(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        work: &mut Work,
    ) -> Result<Place, Paused> {
        while let Some(job) = &mut self.next {
            let edition = self.edition;
            let field = job.advance(map, scratch, &mut self.paths, &self.now, edition, work)?;
            if let Some(field) = field {
                self.now.replace(field, job.edition);
                if self.is_stale() {
                    self.begin(map, scratch);
                    return Ok(Place::MovesBack);
                }
                if !self.paths.has_more_to_find() {
                    self.next = None;
                    break;
                }
            }
            work.check()?;
        }
        Ok(Place::Leaves)
    }

    /// Begins to make the plan on the present map. The old field stays readable.
    fn begin(&mut self, map: &Map, scratch: &mut PlanScratch) {
        if let Some(job) = self.next.replace(Job::new(self.edition)) {
            job.stage.retire(scratch);
        }
        let request = self.request.take().map(|request| *request);
        self.paths.begin(map, scratch, request);
        self.now.note_change();
    }

    /// Makes the plan again, since the edition has moved: after the work in hand, or at once
    /// if nothing has been done yet. Work that only adds units to a field that is stale now
    /// is dropped: the plan that is made again serves them.
    fn make_again(&mut self, map: &Map, scratch: &mut PlanScratch) {
        let is_in_hand = self
            .next
            .as_ref()
            .is_some_and(|job| !matches!(job.stage, Stage::Waiting) && !self.only_adds_units(job));
        if is_in_hand {
            self.now.note_change();
        } else {
            self.begin(map, scratch);
        }
    }

    /// Whether a job only adds units to the present field.
    fn only_adds_units(&self, job: &Job) -> bool {
        self.now.is_current(job.edition)
    }

    /// Whether its parts agree; see the table of states in docs/ARCHITECTURE.md.
    fn is_consistent(&self) -> bool {
        let is_outdated = |job: &Job| job.edition != self.edition;
        let is_at_rest = !self.is_stale() && !self.paths.has_more_to_find();
        let continues = |job: &Job| matches!(&job.stage, Stage::Load(load) if load.goes_on);
        self.next.as_ref().map_or(is_at_rest, |job| {
            (self.request.is_none() || is_outdated(job))
                && (!continues(job) || !is_outdated(job) && !self.is_stale())
        })
    }

    /// Whether no search is under way.
    pub(super) const fn has_searched(&self) -> bool {
        !matches!(
            self.stage(),
            Some(Stage::Waiting | Stage::Search | Stage::Load(_))
        )
    }

    /// Frees what the search has found, since it was done long ago.
    pub(crate) fn forget_search(&mut self, scratch: &mut PlanScratch) {
        if !self.is_searching() {
            self.paths.search.forget(&mut scratch.search);
        }
    }

    /// The goals that it has or will have next.
    pub(crate) fn goals(&self) -> impl Iterator<Item = &Goal> {
        let next = self.request.as_ref().map(|request| &request.goal);
        std::iter::once(self.goal()).chain(next)
    }

    /// The byte of a cell in the field before the last change. A cell that is no
    /// longer a goal has no direction: it was the nearest cell of an island that an
    /// edit may have joined to the goal's.
    pub(crate) fn former_flow(&self, cell: Cell) -> Flow {
        let is_goal = || {
            let mut sources = self.reach().sources();
            !self.is_turning() && sources.any(|source| source.cell == cell)
        };
        let flow = self.field().get(cell);
        flow.filter(|flow| !flow.is_here() || is_goal())
            .unwrap_or(Flow::NO_DIRECTION)
    }

    /// Gives its memory back for reuse.
    pub(crate) fn retire(self, scratch: &mut PlanScratch) {
        self.paths.search.retire(&mut scratch.search);
        if let Some(job) = self.next {
            job.stage.retire(scratch);
        }
    }

    /// The goal, if there is only one.
    pub(crate) fn only_goal(&self) -> Option<Source> {
        let mut goals = self.reach().sources();
        goals.next().filter(|_| goals.next().is_none())
    }

    /// A number that changes whenever directions in the field may have changed.
    pub(crate) const fn revision(&self) -> u64 {
        self.now.revision
    }

    /// The least start cost of a goal cell, which may be given more than once.
    pub(crate) fn start_cost(&self, goal: Cell) -> Option<u64> {
        let sources = self.reach().sources().filter(|source| source.cell == goal);
        sources.map(|source| source.start_cost).min()
    }

    /// The cost-to-go of a cell in the present field, on the map as it was when the
    /// field was made.
    pub(crate) fn cost_to_go(&self, map: &Map, cell: Cell) -> Option<u64> {
        self.field()
            .cost_to_go(&map.costs, |goal| self.start_cost(goal), cell)
    }

    /// The portals on the paths found, each once, in id order.
    pub(crate) fn route(&self) -> Vec<PortalId> {
        self.paths.route.clone()
    }

    pub(crate) const fn search(&self) -> &Search {
        &self.paths.search
    }

    /// The stage of the work under way; `None` if it is done.
    pub(crate) const fn stage(&self) -> Option<&Stage> {
        match &self.next {
            Some(job) => Some(&job.stage),
            None => None,
        }
    }

    /// The region that is being loaded or integrated, if any.
    pub(crate) fn region(&self) -> Option<&Region> {
        self.stage()?.region()
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.next.is_none()
    }

    /// Whether the field was made before the last edit.
    #[inline]
    pub(crate) fn is_stale(&self) -> bool {
        self.now.edition != self.edition
    }

    /// The step that leads a unit out of its wall; see [`Paths::way_out`].
    pub(crate) fn way_out(&self, map: &Map, unit: Cell) -> Option<Direction> {
        let now = self.is_done().then_some(&self.now);
        self.paths.way_out(map, unit, now)
    }

    /// The ends of the paths out of walls.
    pub(crate) fn exits(&self) -> &[Cell] {
        &self.paths.exits
    }

    /// The links that its field leads through.
    pub(crate) fn links(&self) -> &[CellLink] {
        self.field().links()
    }

    /// The sectors of its field; `None` while there is work left.
    pub(crate) fn settled_sectors(&self) -> Option<impl Iterator<Item = Sector>> {
        self.is_done().then(|| self.field().sectors())
    }

    /// The loaded sectors, integrated again.
    pub(crate) fn integration(&self, map: &Map) -> Region {
        let (links, sectors) = (self.field().links().to_vec(), self.field().sectors());
        self.integrate(map, 0, BucketRing::new(), links, sectors)
    }

    /// These sectors, integrated.
    fn integrate(
        &self,
        map: &Map,
        sectors_max: usize,
        ring: BucketRing<u32>,
        links: Vec<CellLink>,
        sectors: impl Iterator<Item = Sector>,
    ) -> Region {
        let mut region = Region::new(map.costs.extent(), sectors_max, None, ring);
        sectors.for_each(|sector| region.load(sector));
        region.lead_through(links.into_iter());
        region.start(self.paths.goal_cells());
        run_to_end(|work| region.advance(&map.costs, work));
        region
    }

    /// The goal that was given last, and the cells to serve: each once, in the
    /// order in which they were given.
    pub(crate) fn last_asked(&self) -> (&Goal, &[Cell]) {
        match &self.request {
            Some(request) => (&request.goal, request.units.cells()),
            None => (self.goal(), self.paths.units.cells()),
        }
    }

    pub(crate) const fn goal(&self) -> &Goal {
        &self.paths.goal
    }

    /// Whether the order has been asked to serve a cell.
    pub(crate) fn was_asked(&self, unit: Cell) -> bool {
        let request = self.request.as_ref();
        request
            .map_or(&self.paths.units, |request| &request.units)
            .has(unit)
    }

    /// Whether the old field does not lead a unit and the unit is not one that the
    /// new field will serve, so that waiting is useless. False while there is no field
    /// to judge by.
    pub(crate) fn is_astray(&self, unit: Cell) -> bool {
        let is_known = self.is_stale() && !self.field().is_empty() && !self.is_turning();
        is_known
            && self
                .field()
                .get(unit)
                .is_none_or(|flow| flow == Flow::NO_DIRECTION)
            && !self.was_asked(unit)
    }

    /// Whether units on an island without a goal get one.
    pub(crate) const fn takes_nearest(&self) -> bool {
        !self.goal().is_strict()
    }

    pub(crate) const fn reach(&self) -> &Reach {
        &self.paths.reach
    }

    pub(crate) const fn field(&self) -> &FlowField {
        &self.now.field
    }

    pub(crate) fn bytes(&self) -> usize {
        let running = self.stage().map_or(0, Stage::bytes);
        size_of::<Self>() + self.paths.bytes() + self.field().bytes() + running
    }
}
