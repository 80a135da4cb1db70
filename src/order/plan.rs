//! The work behind an order.

use std::collections::HashSet;

use super::goal::{Goal, Quality};
use super::reach::Reach;
use crate::budget::{Budget, Work};
use crate::chart::{Change, Chart};
use crate::cost::Rewritten;
use crate::field::{Flow, FlowField, Growth, Region};
use crate::grid::{Cell, Direction, Extent, Sector, SectorId};
use crate::portal::{Island, Outlook, PortalId};
use crate::queue::BucketRing;
use crate::route::{Route, Search, SearchRoom};
use crate::wave::{octile, step_price};

/// How many rings of sectors are looked through for a way out of a wall each
/// time a unit asks.
const WAY_OUT_RINGS: i32 = 3;
/// As many as there are.
const ALL_RINGS: i32 = i32::MAX;

/// With units in so many sectors, and in one of so many of the map's, an order
/// loads all of it without a search.
const MANY: usize = 64;
const MANY_OF: usize = 12;

/// The cells an order was asked to serve. Only asked of, never walked, and
/// hashed with the same keys in every run.
type Asked = HashSet<Cell, ahash::RandomState>;

/// What is being done for an order.
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

/// Room that plans work in and leave to each other.
pub(crate) struct Scratch {
    search: SearchRoom,
    rings: Vec<BucketRing<u32>>,
}

/// How many queues of integrations are kept.
const SPARE_RINGS: usize = 8;

impl Scratch {
    pub(crate) const fn new(extent: Extent) -> Self {
        Self {
            search: SearchRoom::new(extent),
            rings: Vec::new(),
        }
    }

    /// Searches for a route between two cells that can reach each other.
    pub(crate) fn find_route(&mut self, chart: &Chart, from: Cell, to: Cell) -> Option<Route> {
        Route::find(chart, &mut self.search, from, to)
    }

    fn give_ring(&mut self, ring: BucketRing<u32>) {
        if self.rings.len() < SPARE_RINGS {
            self.rings.push(ring);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let rings: usize = self.rings.iter().map(BucketRing::bytes).sum();
        self.search.bytes() + rings
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
    units: Vec<Cell>,
    asked: Asked,
    search: Search,
    /// Whether all sectors are loaded from which a goal can be reached.
    everywhere: bool,
    /// The portals on the ways found, in id order.
    route: Vec<PortalId>,
    stage: Stage,
    field: FlowField,
    /// Whether the field was made before the last edit that concerns it.
    stale: bool,
    /// Units in walls for which a way out is still looked for.
    lost: Vec<Outlook>,
    /// Where units in walls were found a way out.
    exits: Vec<Cell>,
    /// Units that could not reach any goal when the plan was begun.
    left_out: Vec<Cell>,
    /// What was edited since the work in hand was begun.
    since: Vec<Rewritten>,
    /// Whether to make the plan again after the work in hand.
    again: bool,
    /// The goal and the units that it turns to when it is made again.
    next_aim: Option<(Goal, Vec<Cell>)>,
    /// The sectors to load, whatever ways are found: until they are.
    sectors: Option<Vec<Sector>>,
}

impl Plan {
    /// A plan for an order that was found good.
    pub(crate) fn new(
        chart: &Chart,
        scratch: &mut Scratch,
        goal: Goal,
        reach: Reach,
        units: &[Cell],
    ) -> Self {
        let mut plan = Self {
            goal,
            search: Search::new(&mut scratch.search, reach.sources().collect()),
            everywhere: false,
            route: Vec::new(),
            reach,
            units: Vec::new(),
            asked: Asked::with_hasher(ahash::RandomState::with_seeds(1, 2, 3, 4)),
            stage: Stage::Search,
            field: FlowField::empty(chart.costs.extent()),
            stale: false,
            lost: Vec::new(),
            exits: Vec::new(),
            left_out: Vec::new(),
            since: Vec::new(),
            again: false,
            next_aim: None,
            sectors: None,
        };
        for &unit in units {
            if plan.asked.insert(unit) {
                plan.units.push(unit);
                plan.seek(chart, unit);
            }
        }
        plan.settle_how_far(chart, scratch);
        plan
    }

    /// Finds out whether the order loads everything: because it was asked to,
    /// or because its units are spread so widely that it would do most of it
    /// anyway, and search ways first.
    fn settle_how_far(&mut self, chart: &Chart, scratch: &mut Scratch) {
        let targets = self.search.target_count();
        let wide = targets >= MANY && targets * MANY_OF >= chart.costs.extent().sector_count();
        self.everywhere = wide || self.goal.quality() == Quality::Everywhere;
        if self.everywhere {
            self.renew_search(scratch);
        }
    }

    fn renew_search(&mut self, scratch: &mut Scratch) {
        let search = Search::new(&mut scratch.search, self.reach.sources().collect());
        std::mem::replace(&mut self.search, search).retire(&mut scratch.search);
    }

    /// Has it come to the field that a plan with these goals had: it loads
    /// these sectors, each given once and row by row, and its ways out of
    /// walls are these. So it is until the map or what is asked of it changes.
    pub(crate) fn settled(mut self, chart: &Chart, exits: Vec<Cell>, sectors: Vec<Sector>) -> Self {
        self.lost.clear();
        for &exit in &exits {
            if !self.everywhere && self.reach.serves(chart, exit) {
                self.search.want(chart, exit);
            }
        }
        self.exits = exits;
        self.sectors = Some(sectors);
        self
    }

    /// Has the search forget what it knows: it has been done for long.
    pub(crate) fn forget_search(&mut self, scratch: &mut Scratch) {
        if self.is_done() {
            self.search.forget(&mut scratch.search);
        }
    }

    /// Has a search that has forgotten look for all units once more.
    fn recall_search(&mut self, chart: &Chart, scratch: &mut Scratch) {
        if self.search.is_forgotten() {
            self.search.recall(&mut scratch.search);
            self.lost.clear();
            self.exits.clear();
            self.left_out.clear();
            for i in 0..self.units.len() {
                self.seek(chart, self.units[i]);
            }
        }
    }

    /// Bytes of what the search knows.
    pub(crate) fn search_bytes(&self) -> usize {
        self.search.bytes()
    }

    /// Takes in more units; tells whether there is work to do for them.
    pub(crate) fn join(&mut self, chart: &Chart, scratch: &mut Scratch, units: &[Cell]) -> bool {
        let mut work = false;
        for &unit in units {
            work |= self.cover(chart, scratch, unit);
        }
        work
    }

    /// Takes another goal and other units. What is in hand is brought to its
    /// end first, so that a goal that moves all the time is led to all the
    /// same.
    pub(crate) fn aim(&mut self, chart: &Chart, scratch: &mut Scratch, goal: Goal, units: &[Cell]) {
        self.next_aim = Some((goal, units.to_vec()));
        if self.is_done() || matches!(self.stage, Stage::Search) && !self.search.is_begun() {
            self.begin(chart, scratch);
        } else {
            self.again = true;
            self.stale = true;
        }
    }

    /// The goals that it has, and is going to have.
    pub(crate) fn goals(&self) -> impl Iterator<Item = &Goal> {
        let next = self.next_aim.as_ref().map(|(goal, _)| goal);
        std::iter::once(&self.goal).chain(next)
    }

    /// Turns to the goal that was given last.
    fn turn(&mut self, chart: &Chart) {
        if let Some((goal, units)) = self.next_aim.take() {
            self.goal = goal;
            self.units.clear();
            self.asked.clear();
            for unit in units {
                if self.asked.insert(unit) {
                    self.units.push(unit);
                }
            }
            self.reach = Reach::new(chart, &self.goal, &self.units);
        }
    }

    /// Whether a cell is one of the goals.
    pub(crate) fn leads_to(&self, cell: Cell) -> bool {
        self.next_aim.is_none() && self.reach.sources().any(|source| source.cell == cell)
    }

    /// Has the search look for a way from a unit's cell, if it is not going to
    /// be loaded anyway; false if there can be
    /// none.
    fn seek(&mut self, chart: &Chart, unit: Cell) -> bool {
        match chart.islands.of(&chart.costs, unit) {
            None if self.reach.may_serve(chart, unit) => self.lost.push(Outlook::new(unit)),
            Some(island) if self.hold(chart, island) => {
                if !self.everywhere {
                    self.search.want(chart, unit);
                }
            }
            _ => {
                self.left_out.push(unit);
                return false;
            }
        }
        true
    }

    /// Sees to it that an island has a goal, if the policy gives it one.
    fn hold(&mut self, chart: &Chart, island: Island) -> bool {
        let known = self.reach.len();
        let held = self.reach.hold(chart, &self.goal, island);
        for source in self.reach.sources().skip(known) {
            self.search.add_source(source);
        }
        held
    }

    /// Serves a unit that stands off the field; tells whether there is work to
    /// do for it.
    pub(crate) fn cover(&mut self, chart: &Chart, scratch: &mut Scratch, unit: Cell) -> bool {
        let covered = !self.stale && self.field.get(unit).is_some_and(Flow::leads_on);
        let hopeless = self.goal.is_strict() && !self.reach.may_serve(chart, unit);
        if covered || hopeless || !self.asked.insert(unit) {
            return false;
        }
        if !self.everywhere {
            self.recall_search(chart, scratch);
        }
        self.units.push(unit);
        self.sectors = None;
        let served = self.seek(chart, unit);
        if served && matches!(self.stage, Stage::Done) {
            self.stage = Stage::Search;
        }
        served
    }

    /// Before the costs of some sectors change: has an integration that is
    /// going on keep them as they are.
    pub(crate) fn before_change(&mut self, chart: &Chart, touched: &[SectorId]) {
        if let Stage::Integrate(region) = &mut self.stage {
            for &sector in touched {
                region.keep(&chart.costs, sector);
            }
        }
    }

    /// After a change: takes back the directions that it has made doubtful,
    /// and finds out what it means to the plan.
    pub(crate) fn meet_change(
        &mut self,
        chart: &Chart,
        scratch: &mut Scratch,
        change: &Change,
    ) -> Concern {
        for rewritten in &change.sectors {
            doubt(chart, &mut self.field, rewritten);
        }
        if !self
            .reach
            .still_holds(chart, &self.goal, &self.units, change)
        {
            self.reach = Reach::new(chart, &self.goal, &self.units);
            self.begin(chart, scratch);
            return Concern::Anew;
        }
        let concerned = change.lowest_moved
            || change.landmarks_moved && self.is_searching() && self.search.is_begun()
            || self.is_concerned(chart, change);
        self.fit_search(chart, scratch, change);
        match &self.stage {
            Stage::Done if concerned => {
                self.begin(chart, scratch);
                Concern::Later
            }
            Stage::Search if concerned && !self.search.is_begun() => {
                self.begin(chart, scratch);
                Concern::Later
            }
            Stage::Search | Stage::Integrate(_) if concerned => {
                if matches!(self.stage, Stage::Integrate(_)) {
                    self.note_since(&change.sectors);
                }
                self.again = true;
                self.stale = true;
                Concern::Later
            }
            _ => Concern::None,
        }
    }

    /// After a change in what the search has seen, or in what it estimated by:
    /// what it knows is not to be built on. One that is done forgets it; one
    /// under way is brought to its end with it.
    fn fit_search(&mut self, chart: &Chart, scratch: &mut Scratch, change: &Change) {
        let extent = chart.costs.extent();
        let changed = change.sectors.iter().map(|r| extent.sector(r.sector));
        let under_way = self.is_searching();
        for sector in changed {
            if under_way {
                self.search.refit(&chart.graph, sector);
            } else if change.landmarks_moved || self.search.has_seen(extent, sector) {
                self.search.forget(&mut scratch.search);
            }
        }
    }

    /// The landmarks are others now: a search under way aims by them.
    pub(crate) fn aim_anew(&mut self, scratch: &mut Scratch) {
        self.search.drop_queue(&mut scratch.search);
    }

    /// Whether ways are looked for, or will be as soon as what is in hand is
    /// done.
    const fn is_searching(&self) -> bool {
        matches!(self.stage, Stage::Search) || !self.search.is_served()
    }

    /// Notes what has changed since the work in hand was begun: once a sector.
    fn note_since(&mut self, sectors: &[Rewritten]) {
        for rewritten in sectors {
            let mut known = self.since.iter_mut();
            match known.find(|known| known.sector == rewritten.sector) {
                Some(known) => known.join(rewritten),
                None => self.since.push(*rewritten),
            }
        }
    }

    /// Whether a change can make a difference to the ways found, or to those
    /// being looked for.
    fn is_concerned(&self, chart: &Chart, change: &Change) -> bool {
        let lowered = change.sectors.iter().any(|rewritten| rewritten.lowered);
        let hoped = |&unit: &Cell| self.reach.may_serve(chart, unit);
        if lowered && self.left_out.iter().any(hoped) {
            return true;
        }
        let in_hand = match &self.stage {
            Stage::Integrate(region) => Some(region),
            Stage::Search | Stage::Done => None,
        };
        let touches = |sector| {
            self.field.holds(sector)
                || in_hand.is_some_and(|region| region.holds(sector) || region.may_load(sector))
        };
        let searching = self.is_searching();
        change.sectors.iter().any(|rewritten| {
            let beside = rewritten.area.grown().intersection(chart.costs.area());
            let mut sectors = chart.costs.extent().sectors_of(beside);
            let sector = |id| chart.costs.extent().sector(id);
            sectors.any(|id| touches(sector(id)))
                || searching
                    && self
                        .search
                        .has_seen(chart.costs.extent(), sector(rewritten.sector))
                || rewritten.lowered && self.search.may_gain(chart, rewritten.area)
        })
    }

    /// Begins to make the plan on the map as it stands. The field stays, but
    /// for what was made doubtful.
    fn begin(&mut self, chart: &Chart, scratch: &mut Scratch) {
        self.turn(chart);
        self.stale = true;
        self.lost.clear();
        self.exits.clear();
        self.left_out.clear();
        self.since.clear();
        self.again = false;
        self.sectors = None;
        self.route.clear();
        self.everywhere = false;
        self.renew_search(scratch);
        for i in 0..self.units.len() {
            self.seek(chart, self.units[i]);
        }
        self.settle_how_far(chart, scratch);
        if let Stage::Integrate(region) = std::mem::replace(&mut self.stage, Stage::Search) {
            scratch.give_ring(region.into_field().1);
        }
    }

    /// Leaves its room to others.
    pub(crate) fn retire(self, scratch: &mut Scratch) {
        self.search.retire(&mut scratch.search);
        if let Stage::Integrate(region) = self.stage {
            scratch.give_ring(region.into_field().1);
        }
    }

    /// Does a piece of the present stage; `work` counts what is done.
    pub(crate) fn advance(
        &mut self,
        chart: &Chart,
        scratch: &mut Scratch,
        work: &mut Work,
    ) -> Advance {
        match std::mem::replace(&mut self.stage, Stage::Done) {
            Stage::Search => {
                let done = self.find_ways_out(chart, work)
                    && self.search.advance(chart, &mut scratch.search, work);
                self.stage = if done {
                    Stage::Integrate(Box::new(self.region(chart, scratch)))
                } else {
                    Stage::Search
                };
            }
            Stage::Integrate(mut region) => {
                if !region.advance(&chart.costs, work) {
                    self.stage = Stage::Integrate(region);
                    return Advance::More;
                }
                let (field, ring) = region.into_field();
                self.field = field;
                self.sectors = None;
                scratch.give_ring(ring);
                for rewritten in std::mem::take(&mut self.since) {
                    doubt(chart, &mut self.field, &rewritten);
                }
                if self.again {
                    self.begin(chart, scratch);
                    return Advance::Again;
                }
                self.stale = false;
                if !self.search.is_served() || !self.lost.is_empty() {
                    self.stage = Stage::Search;
                }
            }
            Stage::Done => {}
        }
        if matches!(self.stage, Stage::Done) {
            Advance::Done
        } else {
            Advance::More
        }
    }

    /// Finds units in walls a way out; false if the work was used up first.
    fn find_ways_out(&mut self, chart: &Chart, work: &mut Work) -> bool {
        while let Some(outlook) = self.lost.last_mut() {
            if !self.reach.look_out(chart, outlook, ALL_RINGS, work) {
                return false;
            }
            let (unit, found) = (outlook.from(), outlook.found());
            self.lost.pop();
            let open = |cell: &Cell| chart.costs.is_open(*cell);
            let nearest = || {
                let any = chart.islands.nearest(&chart.costs, unit, |_| true);
                any.filter(|_| self.takes_nearest())
            };
            let out = found.or_else(nearest).filter(open);
            let island = out.and_then(|out| chart.islands.of(&chart.costs, out));
            if let (Some(out), Some(island)) = (out, island)
                && self.hold(chart, island)
            {
                self.exits.push(out);
                if !self.everywhere {
                    self.search.want(chart, out);
                }
            }
        }
        true
    }

    /// The sectors that the ways found lead through, and what the quality asked
    /// for adds to them.
    fn region(&mut self, chart: &Chart, scratch: &mut Scratch) -> Region {
        let mut sectors: Vec<Sector> = Vec::new();
        let extent = chart.costs.extent();
        let mut growth = None;
        if self.everywhere {
            let held = |&id: &SectorId| chart.islands.any_in(id, |island| self.reach.holds(island));
            sectors.extend(extent.sectors().filter(held).map(|id| extent.sector(id)));
        } else {
            let goals = self.reach.sources();
            sectors.extend(goals.map(|source| extent.sector(extent.locate(source.cell).0)));
            let route = &mut self.route;
            route.clear();
            let (portal, sector) = (|id| route.push(id), |sector| sectors.push(sector));
            self.search.ways(&chart.graph, portal, sector);
            self.route.sort_unstable();
        }
        match self.goal.quality() {
            _ if self.everywhere => {}
            Quality::Corridor | Quality::Everywhere => {}
            Quality::Wide => add_ring(chart, &mut sectors),
            Quality::Exact => {
                let found = self.search.aim_and_dearest(chart);
                growth = found.map(|(aim, limit)| Growth { aim, limit });
            }
        }
        sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
        sectors.dedup();
        if let Some(kept) = self.sectors.clone() {
            (sectors, growth) = (kept, None);
        }
        let ring = scratch.rings.pop().unwrap_or_else(BucketRing::new);
        self.integrate(chart, sectors, growth, ring)
    }

    fn integrate(
        &self,
        chart: &Chart,
        sectors: Vec<Sector>,
        growth: Option<Growth>,
        ring: BucketRing<u32>,
    ) -> Region {
        let goals = self.reach.sources();
        let goals = goals.map(|source| (source.cell, source.start_cost));
        Region::new(&chart.costs, sectors, goals, growth, ring)
    }

    /// The loaded sectors, integrated once more.
    pub(crate) fn integration(&self, chart: &Chart) -> Region {
        let sectors = self.field.sectors();
        let mut region = self.integrate(chart, sectors, None, BucketRing::new());
        region.advance(&chart.costs, &mut Work::within(Budget::UNLIMITED));
        region
    }

    /// The portals on the ways found, each once, in id order.
    pub(crate) fn route(&self) -> &[PortalId] {
        &self.route
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
        let mut outlook = Outlook::new(unit);
        let mut work = Work::within(Budget::UNLIMITED);
        self.reach
            .look_out(chart, &mut outlook, WAY_OUT_RINGS, &mut work);
        let known = || {
            let exits = self.exits.iter().copied();
            let open = exits.filter(|&exit| self.reach.serves(chart, exit));
            open.min_by_key(|exit| (price(exit), chart.costs.extent().cell_id(*exit)))
        };
        let out = outlook.found().or_else(known)?;
        Direction::toward(out.x - unit.x, out.y - unit.y)
    }

    /// Where units in walls were found a way out.
    pub(crate) fn exits(&self) -> &[Cell] {
        &self.exits
    }

    /// The sectors that its field has, or is given back; `None` if they are
    /// still to be found.
    pub(crate) fn settled_sectors(&self) -> Option<Vec<Sector>> {
        match self.stage {
            Stage::Done => Some(self.field.sectors()),
            Stage::Search | Stage::Integrate(_) if self.again => None,
            Stage::Search | Stage::Integrate(_) => self.sectors.clone(),
        }
    }

    /// The goal and the cells to serve that were given last.
    pub(crate) fn last_asked(&self) -> (&Goal, &[Cell]) {
        match &self.next_aim {
            Some((goal, units)) => (goal, units),
            None => (&self.goal, &self.units),
        }
    }

    pub(crate) const fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The cells the order was asked to serve, each once, in the order of
    /// asking.
    pub(crate) fn units(&self) -> &[Cell] {
        &self.units
    }

    /// Whether the order has been asked to serve a cell.
    pub(crate) fn was_asked(&self, unit: Cell) -> bool {
        self.asked.contains(&unit)
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
            Stage::Integrate(region) => region.bytes(),
            Stage::Search | Stage::Done => 0,
        };
        size_of::<Self>()
            + self.units.capacity() * size_of::<Cell>()
            + self.asked.capacity() * size_of::<Cell>()
            + (self.exits.capacity() + self.left_out.capacity()) * size_of::<Cell>()
            + self.lost.capacity() * size_of::<Outlook>()
            + self.since.capacity() * size_of::<Rewritten>()
            + self.search.bytes()
            + self.route.capacity() * size_of::<PortalId>()
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

/// Takes back a field's directions in a changed sector, and beside it those
/// that the step rule no longer allows.
fn doubt(chart: &Chart, field: &mut FlowField, rewritten: &Rewritten) {
    let extent = chart.costs.extent();
    let changed = extent.sector(rewritten.sector);
    field.doubt(changed, |_, _| true);
    let beside = rewritten.area.grown().intersection(chart.costs.area());
    for id in extent.sectors_of(beside) {
        let sector = extent.sector(id);
        if sector != changed {
            field.doubt(sector, |slot, flow| {
                let cell = extent.cell_at(id, slot);
                flow.direction()
                    .is_some_and(|way| step_price(&chart.costs, cell, way).is_none())
            });
        }
    }
}
