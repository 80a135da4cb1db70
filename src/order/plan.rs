//! The work behind an order.

mod asking;
mod change;
mod load;
mod loading;
mod lost;
mod work;

use loading::Loading;
use lost::Lost;

use super::first_directions::FirstDirections;
use super::goal::{Goal, Quality};
use super::order_queue::Need;
use super::reach::Reach;
use super::scratch::PlanScratch;
use super::units::Units;
use crate::budget::run_to_end;
use crate::field::{Flow, FlowField, Region};
use crate::grid::{Cell, Direction, Sector, SectorList};
use crate::islands::{Outlook, SeenCell, leads_straight_out};
use crate::map::{Map, Touched};
use crate::portal::PortalId;
use crate::route::Search;

/// How many rings of sectors are looked through for a way out of a wall each
/// time a unit asks.
const WAY_OUT_RINGS: i32 = 3;

/// With units in so many sectors, and in one of so many of the map's, an order
/// loads all of it without a search.
const MANY: usize = 64;
const MANY_OF: usize = 12;

/// The goal and the units that a plan turns to when it is made again.
struct Retarget {
    goal: Goal,
    units: Units,
}

/// What is being done for an order.
pub(crate) enum Stage {
    /// The search runs.
    Search,
    /// The sectors that the ways found lead through are loaded.
    Load(Box<Loading>),
    /// The loaded sectors are integrated.
    Integrate(Box<Region>),
    /// What was edited since is patched, or taken back.
    Patch(Box<Region>),
    /// Nothing is left to do.
    Done,
}

impl Stage {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Load(_) => "load",
            Self::Integrate(_) => "integrate",
            Self::Patch(_) => "patch",
            Self::Done => "done",
        }
    }

    /// Leaves its room to others.
    fn retire(self, scratch: &mut PlanScratch) {
        let region = match self {
            Self::Load(loading) => loading.into_region(),
            Self::Integrate(region) | Self::Patch(region) => *region,
            Self::Search | Self::Done => return,
        };
        scratch.give_ring(region.into_field().1);
    }
}

/// What a change of the map means to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Concern {
    /// Nothing: its directions are as good as before.
    None,
    /// It is to be made anew once the work in hand is done.
    Later,
    /// What was begun is of no use: it starts again, behind all others.
    Anew,
}

/// How far a piece of work has brought a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advance {
    /// There is more to do.
    More,
    /// It is done.
    Done,
    /// It is done for the map as it was; there is more to do for the map as it
    /// is, when the others have had their turn.
    Again,
}

/// An order as the world keeps it.
///
/// The stages follow each other; the old field stays readable until the new
/// one is whole. An edit does not stop a plan that is being made: what was
/// begun is brought to its end on the map as it was, what the edit touched is
/// taken back from it, and then it is made again. So a plan comes about
/// however often the map changes.
pub(crate) struct Plan {
    goal: Goal,
    reach: Reach,
    units: Units,
    /// For how many of them a way is looked for, or known not to be.
    sought: usize,
    search: Search,
    /// Whether all sectors are loaded from which a goal can be reached.
    everywhere: bool,
    /// The portals on the ways found, each once.
    route: Vec<PortalId>,
    stage: Stage,
    field: FlowField,
    /// How often what the field says has changed.
    revision: u64,
    /// Directions to go by until the field is there.
    first_directions: FirstDirections,
    /// Whether the field was made before the last edit that concerns it.
    stale: bool,
    /// Whether the field was made for other units than those that are served.
    inherited: bool,
    /// Units in walls for which a way out is still looked for.
    lost: Vec<Lost>,
    /// Where units in walls were found a way out.
    exits: Vec<Cell>,
    /// Units that could not reach any goal when the plan was begun, and those in
    /// walls.
    left_out: Vec<Cell>,
    /// The sectors at which edits have been since the integration was begun.
    since: SectorList<Touched>,
    /// Whether to make the plan again after the work in hand.
    again: bool,
    /// The goal and the units that it turns to when it is made again.
    turn: Option<Retarget>,
    /// Of a plan that comes back from a save: the sectors to load, whatever ways
    /// are found.
    sectors: Option<Vec<Sector>>,
}

impl Plan {
    /// A plan for an order that was found good.
    pub(crate) fn new(
        map: &Map,
        scratch: &mut PlanScratch,
        goal: Goal,
        reach: Reach,
        units: &[Cell],
    ) -> Self {
        let extent = map.costs.extent();
        Self {
            search: Search::new(&mut scratch.search, reach.sources().collect()),
            everywhere: matches!(goal.quality(), Quality::Everywhere),
            goal,
            route: Vec::new(),
            reach,
            units: Units::new(extent, units),
            sought: 0,
            stage: Stage::Search,
            field: FlowField::empty(extent),
            revision: 0,
            first_directions: FirstDirections::new(extent),
            stale: false,
            inherited: false,
            lost: Vec::new(),
            exits: Vec::new(),
            left_out: Vec::new(),
            since: SectorList::new(extent),
            again: false,
            turn: None,
            sectors: None,
        }
    }

    /// Once all units are sought: if they are spread so widely that the order
    /// would load most of the map anyway, and search ways first, it loads all.
    fn settle_how_far(&mut self, map: &Map, scratch: &mut PlanScratch) {
        let targets = self.search.target_count();
        if targets >= MANY && targets * MANY_OF >= map.costs.extent().sector_count() {
            self.everywhere = true;
            self.renew_search(scratch);
        }
    }

    fn renew_search(&mut self, scratch: &mut PlanScratch) {
        let search = Search::new(&mut scratch.search, self.reach.sources().collect());
        std::mem::replace(&mut self.search, search).retire(&mut scratch.search);
    }

    /// Brings it to the field that a plan with these goals had: it loads these
    /// sectors, each given once and row by row, and its ways out of walls are
    /// these.
    pub(crate) fn settled(
        mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        exits: Vec<Cell>,
        sectors: Vec<Sector>,
    ) -> Self {
        run_to_end(|work| self.seek_units(map, scratch, work));
        self.left_out
            .extend(self.lost.drain(..).map(|lost| lost.from()));
        for &exit in &exits {
            if !self.everywhere && self.reach.serves(map, exit) {
                self.search.want(map, exit);
            }
        }
        self.exits = exits;
        self.sectors = Some(sectors);
        while !self.is_done() {
            self.work(map, scratch, u64::MAX);
        }
        self.forget_search(scratch);
        self
    }

    /// What it waits for.
    pub(super) const fn need(&self) -> Need {
        match self.stage {
            Stage::Search | Stage::Load(_) => Need::Search,
            Stage::Integrate(_) if self.first_directions.are_waited_for() => Need::Search,
            Stage::Integrate(_) | Stage::Patch(_) | Stage::Done => Need::Load,
        }
    }

    /// Whether it is of use to whoever wants the same goal: at rest, and good
    /// for any units. (An exact order's sectors are those of its own units.)
    pub(super) fn may_be_kept(&self) -> bool {
        self.is_done()
            && !self.stale
            && self.turn.is_none()
            && self.goal.quality() != Quality::Exact
            && !self.field.is_empty()
    }

    /// Has the search forget what it knows: it has been done for long.
    pub(crate) fn forget_search(&mut self, scratch: &mut PlanScratch) {
        if !self.is_searching() {
            self.search.forget(&mut scratch.search);
        }
    }

    /// Has a search that has forgotten look for all units once more.
    fn recall_search(&mut self, scratch: &mut PlanScratch) {
        if self.search.is_forgotten() {
            self.search.recall(&mut scratch.search);
            self.lost.clear();
            self.exits.clear();
            self.left_out.clear();
            self.sought = 0;
        }
    }

    /// Bytes of what the search knows.
    pub(crate) fn search_bytes(&self) -> usize {
        self.search.bytes()
    }

    /// The goals that it has, and is going to have.
    pub(crate) fn goals(&self) -> impl Iterator<Item = &Goal> {
        let next = self.turn.as_ref().map(|turn| &turn.goal);
        std::iter::once(&self.goal).chain(next)
    }

    /// Whether a cell is one of the goals.
    pub(crate) fn leads_to(&self, cell: Cell) -> bool {
        self.turn.is_none() && self.reach.sources().any(|source| source.cell == cell)
    }

    /// Begins to make the plan on the map as it stands. The field stays, but
    /// for what was made doubtful.
    fn begin(&mut self, map: &Map, scratch: &mut PlanScratch) {
        self.turn(map);
        self.revision += 1;
        self.reach.renew(map, &self.goal, self.units.cells());
        self.stale = true;
        self.lost.clear();
        self.exits.clear();
        self.left_out.clear();
        self.since.clear();
        self.again = false;
        self.route.clear();
        self.first_directions.clear();
        self.everywhere = matches!(self.goal.quality(), Quality::Everywhere);
        self.renew_search(scratch);
        self.sought = 0;
        std::mem::replace(&mut self.stage, Stage::Search).retire(scratch);
    }

    /// Leaves its room to others.
    pub(crate) fn retire(self, scratch: &mut PlanScratch) {
        self.search.retire(&mut scratch.search);
        self.stage.retire(scratch);
    }

    /// A number that changes whenever what the field says may have changed.
    pub(crate) const fn revision(&self) -> u64 {
        self.revision
    }

    /// The cost at which a way that ends in a goal cell begins to count.
    pub(crate) fn start_cost(&self, goal: Cell) -> Option<u64> {
        let mut sources = self.reach.sources();
        let source = sources.find(|source| source.cell == goal)?;
        Some(source.start_cost)
    }

    /// The cost-to-go of a cell on the map by the field that there is: on the map
    /// as it was when that was made.
    pub(crate) fn cost_to_go(&self, map: &Map, cell: Cell) -> Option<u64> {
        self.field
            .cost_to_go(&map.costs, |goal| self.start_cost(goal), cell)
    }

    /// The portals on the ways found, each once, in id order.
    pub(crate) fn route(&self) -> Vec<PortalId> {
        let mut route = self.route.clone();
        route.sort_unstable();
        route
    }

    /// What the search knows.
    pub(crate) const fn search(&self) -> &Search {
        &self.search
    }

    /// The region that is put together or integrated, if one is.
    pub(crate) fn region(&self) -> Option<&Region> {
        match &self.stage {
            Stage::Load(loading) => Some(loading.region()),
            Stage::Integrate(region) | Stage::Patch(region) => Some(region),
            Stage::Search | Stage::Done => None,
        }
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

    /// The step on the way that a unit is going to have, while its directions
    /// are not there yet; `None` if that is not known either.
    pub(crate) fn lead(&self, map: &Map, unit: Cell) -> Option<Direction> {
        let (sector, slot) = map.costs.extent().locate(unit);
        self.first_directions
            .get(map.costs.extent().sector(sector), slot)
    }

    /// Whether a cell has a first direction of a plan that is being made anew, and
    /// none of the field before. To lead there by the old field would be to lead
    /// in circles: the new plan may well lead back.
    pub(crate) fn is_led_anew(&self, map: &Map, unit: Cell) -> bool {
        !self.field.get(unit).is_some_and(Flow::leads_on) && self.lead(map, unit).is_some()
    }

    /// The step that leads a unit out of the wall it is in: straight toward the
    /// nearest open cell from which a goal can be reached. Looks a few sectors
    /// around; further in, toward the nearest exit that the order knows. Once the
    /// plan is done, cells at which its field leads on come before all others.
    ///
    /// A step toward such a cell comes nearer to it, and the way on stays straight:
    /// so the next answer leads at least as near, and no unit walks to and fro.
    pub(crate) fn way_out(&self, map: &Map, unit: Cell) -> Option<Direction> {
        let leads = |cell| self.field.get(cell).is_some_and(Flow::leads_on);
        let led = self.is_done().then(|| {
            let near = self.nearest_out(map, unit, leads);
            let known = self.known_out(map, unit, leads);
            near.into_iter().chain(known).min()
        });
        let any = |_| true;
        let out = led.flatten();
        let out = out.or_else(|| self.nearest_out(map, unit, any));
        let out = out.or_else(|| self.known_out(map, unit, any))?;
        Direction::toward(out.cell.x - unit.x, out.cell.y - unit.y)
    }

    /// The nearest way out, of those a few sectors around that `fit`.
    fn nearest_out(&self, map: &Map, unit: Cell, fit: impl Fn(Cell) -> bool) -> Option<SeenCell> {
        let extent = map.costs.extent();
        let mut outlook = Outlook::new(extent, unit);
        let reach = &self.reach;
        run_to_end(|work| reach.look_out(map, &mut outlook, WAY_OUT_RINGS, fit, work));
        Some(SeenCell::from(extent, unit, outlook.found()?))
    }

    /// The nearest of the exits that the order knows that fit.
    fn known_out(&self, map: &Map, unit: Cell, fit: impl Fn(Cell) -> bool) -> Option<SeenCell> {
        let extent = map.costs.extent();
        let mut best: Option<SeenCell> = None;
        for &exit in &self.exits {
            let seen = SeenCell::from(extent, unit, exit);
            if best.is_none_or(|best| seen < best)
                && fit(exit)
                && self.reach.serves(map, exit)
                && leads_straight_out(&map.costs, unit, exit)
            {
                best = Some(seen);
            }
        }
        best
    }

    /// Where units in walls were found a way out.
    pub(crate) fn exits(&self) -> &[Cell] {
        &self.exits
    }

    /// The sectors that its field has; `None` while there is work left.
    pub(crate) fn settled_sectors(&self) -> Option<impl Iterator<Item = Sector>> {
        self.is_done().then(|| self.field.sectors())
    }

    /// The goal that was given last, and the cells to serve: each once, in the
    /// order of asking.
    pub(crate) fn last_asked(&self) -> (&Goal, &[Cell]) {
        match &self.turn {
            Some(turn) => (&turn.goal, turn.units.cells()),
            None => (&self.goal, self.units.cells()),
        }
    }

    pub(crate) const fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Whether the order has been asked to serve a cell.
    pub(crate) fn was_asked(&self, unit: Cell) -> bool {
        let units = self.turn.as_ref().map_or(&self.units, |turn| &turn.units);
        units.has(unit)
    }

    /// Whether a unit is neither where the field leads, or has led until an edit,
    /// nor where any is waited for: however often the plan is made anew, it is
    /// not for this one. While there is no field yet, it is not known.
    pub(crate) fn is_astray(&self, unit: Cell) -> bool {
        let is_known = self.stale && !self.field.is_empty() && !self.is_turning();
        let off = |flow| flow == Flow::NONE;
        is_known && self.field.get(unit).is_none_or(off) && !self.was_asked(unit)
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

    pub(crate) fn bytes(&self) -> usize {
        let running = match &self.stage {
            Stage::Load(loading) => loading.bytes(),
            Stage::Integrate(region) | Stage::Patch(region) => region.bytes(),
            Stage::Search | Stage::Done => 0,
        };
        size_of::<Self>()
            + self.units.bytes()
            + (self.exits.capacity() + self.left_out.capacity()) * size_of::<Cell>()
            + self.lost.capacity() * size_of::<Lost>()
            + self.since.bytes()
            + self.reach.bytes()
            + self.search.bytes()
            + self.route.capacity() * size_of::<PortalId>()
            + self.field.bytes()
            + self.first_directions.bytes()
            + running
    }
}
