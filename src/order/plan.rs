//! The work behind an order.
//!
//! A [`Plan`] has what is asked of it ([`Request`]), the [`Paths`] found for it, the field that
//! units read, and the work under way ([`Job`]).

mod asking;
mod change;
mod edition;
mod gains;
mod job;
mod loading;
mod paths;
mod request;
mod unit_in_wall;
mod way_out;
mod widening;

use edition::Edition;
use job::Job;
use paths::Paths;
use request::Request;

use super::goal::Goal;
use super::reach::Reach;
use super::scratch::PlanScratch;
use crate::budget::{Budget, Paused, Work, run_to_end};
use crate::cost::CellLink;
use crate::field::{Flow, FlowField, Region};
use crate::grid::{Cell, Sector};
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
    asked: Request,
    /// What is asked of the next work, if that is not the same.
    request: Option<Box<Request>>,
    paths: Paths,
    /// The last field that was finished; empty before the first.
    field: FlowField,
    /// The edition that it was made for.
    made_for: Edition,
    /// How often what the field says has changed.
    revision: u64,
    /// What a field must be made for to be current.
    edition: Edition,
    /// `None` if no work is left: all paths are found, and the field is not stale.
    job: Option<Job>,
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
        let asked = Request::new(extent, goal, reach, units);
        Self {
            paths: Paths::new(map, scratch, &asked),
            asked,
            request: None,
            field: FlowField::empty(extent),
            made_for: Edition::default(),
            revision: 0,
            edition: Edition::default(),
            job: Some(Job::new(Edition::default())),
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
        self.find_again(map, scratch, exits);
        let extent = map.costs.extent();
        let goals = self
            .asked
            .reach
            .sources()
            .map(|goal| extent.sector(extent.locate(goal.cell).0));
        let count = sectors.len();
        let ring = scratch.take_ring();
        let region = self.integrate(map, count, ring, links, goals.chain(sectors));
        let (field, ring) = region.into_field();
        scratch.give_ring(ring);
        self.replace_field(field, self.edition);
        self.job = None;
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
        while let Some(edition) = self.job.as_ref().map(|job| job.edition) {
            if let Some(field) = self.advance(map, scratch, work)? {
                self.replace_field(field, edition);
                if self.is_stale() {
                    self.begin(map, scratch);
                    return Ok(Place::MovesBack);
                }
                if !self.has_more_to_find() {
                    self.job = None;
                    break;
                }
            }
            work.check()?;
        }
        Ok(Place::Leaves)
    }

    fn replace_field(&mut self, field: FlowField, edition: Edition) {
        self.field = field;
        self.made_for = edition;
        self.revision += 1;
    }

    /// Begins to make the plan on the present map. The old field stays readable.
    fn begin(&mut self, map: &Map, scratch: &mut PlanScratch) {
        if let Some(job) = self.job.replace(Job::new(self.edition)) {
            job.stage.retire(scratch);
        }
        if let Some(request) = self.request.take() {
            self.asked = *request;
        }
        self.asked.renew_reach(map);
        let paths = Paths::new(map, scratch, &self.asked);
        let former = std::mem::replace(&mut self.paths, paths);
        former.search.retire(&mut scratch.search);
        self.revision += 1;
    }

    /// Makes the plan again, since the edition has moved: after the work in hand, or at once
    /// if nothing has been done yet. Work that only adds units to a field that is stale now
    /// is dropped: the plan that is made again serves them.
    fn make_again(&mut self, map: &Map, scratch: &mut PlanScratch) {
        let is_in_hand =
            |job: &Job| !matches!(job.stage, Stage::Waiting) && !self.has_field_of(job.edition);
        if self.job.as_ref().is_some_and(is_in_hand) {
            self.revision += 1;
        } else {
            self.begin(map, scratch);
        }
    }

    /// Whether there is a field, and it was made for this edition.
    fn has_field_of(&self, edition: Edition) -> bool {
        self.made_for == edition && !self.field.is_empty()
    }

    /// Whether its parts agree; see the table of states in docs/ARCHITECTURE.md.
    fn is_consistent(&self) -> bool {
        let is_outdated = |job: &Job| job.edition != self.edition;
        let is_at_rest = !self.is_stale() && !self.has_more_to_find();
        let continues = |job: &Job| matches!(&job.stage, Stage::Load(load) if load.goes_on());
        self.job.as_ref().map_or(is_at_rest, |job| {
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
        let flow = self.field.get(cell);
        flow.filter(|flow| !flow.is_here() || is_goal())
            .unwrap_or(Flow::NO_DIRECTION)
    }

    /// Gives its memory back for reuse.
    pub(crate) fn retire(self, scratch: &mut PlanScratch) {
        self.paths.search.retire(&mut scratch.search);
        if let Some(job) = self.job {
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
        self.revision
    }

    /// The least start cost of a goal cell, which may be given more than once.
    pub(crate) fn start_cost(&self, goal: Cell) -> Option<u64> {
        let sources = self.reach().sources().filter(|source| source.cell == goal);
        sources.map(|source| source.start_cost).min()
    }

    /// The cost-to-go of a cell in the present field, on the map as it was when the
    /// field was made.
    pub(crate) fn cost_to_go(&self, map: &Map, cell: Cell) -> Option<u64> {
        self.field
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
        match &self.job {
            Some(job) => Some(&job.stage),
            None => None,
        }
    }

    /// The region that is being loaded or integrated, if any.
    pub(crate) fn region(&self) -> Option<&Region> {
        self.stage()?.region()
    }

    pub(crate) const fn is_done(&self) -> bool {
        self.job.is_none()
    }

    /// Whether the field was made before the last edit.
    #[inline]
    pub(crate) fn is_stale(&self) -> bool {
        self.made_for != self.edition
    }

    /// The ends of the paths out of walls.
    pub(crate) fn exits(&self) -> &[Cell] {
        &self.paths.exits
    }

    /// The links that its field leads through.
    pub(crate) fn links(&self) -> &[CellLink] {
        self.field.links()
    }

    /// The sectors of its field; `None` while there is work left.
    pub(crate) fn settled_sectors(&self) -> Option<impl Iterator<Item = Sector>> {
        self.is_done().then(|| self.field.sectors())
    }

    /// The loaded sectors, integrated again.
    pub(crate) fn integration(&self, map: &Map) -> Region {
        let (links, sectors) = (self.field.links().to_vec(), self.field.sectors());
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
        region.start(self.goal_cells());
        run_to_end(|work| region.advance(&map.costs, work));
        region
    }

    /// The goal that was given last, and the cells to serve: each once, in the
    /// order in which they were given.
    pub(crate) fn last_asked(&self) -> (&Goal, &[Cell]) {
        let asked = self.last_request();
        (&asked.goal, asked.units.cells())
    }

    /// Whether the order has been asked to serve a cell.
    pub(crate) fn was_asked(&self, unit: Cell) -> bool {
        self.last_request().units.has(unit)
    }

    fn last_request(&self) -> &Request {
        self.request.as_deref().unwrap_or(&self.asked)
    }

    pub(crate) const fn goal(&self) -> &Goal {
        &self.asked.goal
    }

    /// Whether the old field does not lead a unit and the unit is not one that the
    /// new field will serve, so that waiting is useless. False while there is no field
    /// to judge by.
    pub(crate) fn is_astray(&self, unit: Cell) -> bool {
        let is_known = self.is_stale() && !self.field.is_empty() && !self.is_turning();
        is_known
            && self
                .field
                .get(unit)
                .is_none_or(|flow| flow == Flow::NO_DIRECTION)
            && !self.was_asked(unit)
    }

    /// Whether units on an island without a goal get one.
    pub(crate) const fn takes_nearest(&self) -> bool {
        !self.goal().is_strict()
    }

    pub(crate) const fn reach(&self) -> &Reach {
        &self.asked.reach
    }

    pub(crate) const fn field(&self) -> &FlowField {
        &self.field
    }

    pub(crate) fn bytes(&self) -> usize {
        let running = self.stage().map_or(0, Stage::bytes);
        size_of::<Self>() + self.asked.bytes() + self.paths.bytes() + self.field.bytes() + running
    }
}
