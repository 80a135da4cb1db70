//! The paths from the units to the goals.

use super::edition::Edition;
use super::present::Present;
use super::unit_in_wall::UnitInWall;
use crate::budget::{Paused, Work, run_to_end};
use crate::cost::CellLink;
use crate::field::Region;
use crate::grid::{Cell, Direction, Extent};
use crate::islands::{Outlook, SeenCell, leads_straight_out};
use crate::map::{Change, Map};
use crate::order::goal::{Goal, Quality};
use crate::order::reach::{GoalStatus, Reach};
use crate::order::scratch::PlanScratch;
use crate::order::units::Units;
use crate::portal::PortalId;
use crate::route::Search;

/// Work of starting to look for a unit's path, in cells.
const SEEK_WORK: u64 = 5;

/// The number of rings of sectors in which a path out of a wall is looked for each
/// time a unit asks.
const WAY_OUT_RINGS: i32 = 3;

/// An order whose units stand in at least `MANY` sectors, and in at least one
/// of every `MANY_OF` sectors of the map, loads all sectors without a search.
const MANY: usize = 64;
const MANY_OF: usize = 12;

/// Which sectors a plan loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// All from which a goal can be reached, without a search.
    Everywhere,
    /// Those on the paths found, and those that the quality adds.
    Paths,
}

impl Scope {
    const fn of(goal: &Goal) -> Self {
        match goal.quality() {
            Quality::Everywhere => Self::Everywhere,
            Quality::Corridor | Quality::Exact => Self::Paths,
        }
    }
}

/// A goal, the units to lead there, and which of them can reach it.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) goal: Goal,
    pub(super) units: Units,
    pub(super) reach: Reach,
}

impl Request {
    pub(super) fn new(extent: Extent, goal: Goal, reach: Reach, units: &[Cell]) -> Self {
        let units = Units::new(extent, units);
        Self { goal, units, reach }
    }

    /// Adds a unit to a request that waits. What it can reach is looked up later.
    pub(super) fn take_in(&mut self, unit: Cell) {
        self.units.take_in(unit);
        self.reach.expire();
    }
}

/// The requests to a plan, and the paths found for them.
#[derive(Clone)]
pub(super) struct Paths {
    pub(super) goal: Goal,
    pub(super) reach: Reach,
    pub(super) units: Units,
    /// How many of the units have been looked at: their path is found, looked for, or
    /// known not to exist.
    sought: usize,
    pub(super) search: Search,
    pub(super) scope: Scope,
    /// The portals on the paths found, in id order, each once.
    pub(super) route: Vec<PortalId>,
    /// Units in walls for which a path out is still looked for.
    in_walls: Vec<UnitInWall>,
    /// The ends of the paths out of walls.
    pub(super) exits: Vec<Cell>,
    /// Units in walls, and those that could not reach any goal when the plan
    /// began.
    left_out: Vec<Cell>,
}

impl Paths {
    pub(super) fn new(
        extent: Extent,
        search: Search,
        goal: Goal,
        reach: Reach,
        units: &[Cell],
    ) -> Self {
        Self {
            search,
            scope: Scope::of(&goal),
            goal,
            reach,
            units: Units::new(extent, units),
            sought: 0,
            route: Vec::new(),
            in_walls: Vec::new(),
            exits: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Forgets all that was found, to find it again on the present map; for another
    /// goal and other units if they are given.
    pub(super) fn begin(&mut self, map: &Map, scratch: &mut PlanScratch, request: Option<Request>) {
        if let Some(Request { goal, units, reach }) = request {
            self.goal = goal;
            self.units = units;
            self.reach = reach;
        }
        self.reach.renew(map, &self.goal, self.units.cells());
        self.scope = Scope::of(&self.goal);
        self.route.clear();
        self.renew_search(map, scratch);
        self.forget_units();
    }

    pub(super) fn renew_reach(&mut self, map: &Map) {
        self.reach = Reach::new(map, &self.goal, self.units.cells());
    }

    fn renew_search(&mut self, map: &Map, scratch: &mut PlanScratch) {
        let (sources, links) = (self.reach.sources().collect(), self.reach.links(map));
        let search = Search::new(map, &mut scratch.search, sources, links);
        std::mem::replace(&mut self.search, search).retire(&mut scratch.search);
    }

    fn forget_units(&mut self) {
        self.in_walls.clear();
        self.exits.clear();
        self.left_out.clear();
        self.sought = 0;
    }

    /// Makes a search that has forgotten look for all units again.
    fn recall_search(&mut self, map: &Map, scratch: &mut PlanScratch) {
        if self.scope == Scope::Paths && self.search.is_forgotten() {
            self.search.recall(map, &mut scratch.search);
            self.forget_units();
        }
    }

    pub(super) fn find(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        work: &mut Work,
    ) -> Result<(), Paused> {
        self.seek_units(map, scratch, work)?;
        self.find_goals(map, work)?;
        self.find_paths_out(map, work)?;
        // Goals for the islands to which paths out of walls lead.
        self.reach.begin_seeking(map, &self.goal);
        self.find_goals(map, work)?;
        self.search.advance(map, &mut scratch.search, work)
    }

    /// Makes the search look for paths from all units' cells.
    fn seek_units(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        work: &mut Work,
    ) -> Result<(), Paused> {
        while let Some(&unit) = self.units.cells().get(self.sought) {
            work.check()?;
            self.seek(map, unit);
            work.count(SEEK_WORK);
            self.sought += 1;
            if self.are_all_sought() && self.scope == Scope::Paths {
                self.choose_scope(map, scratch);
            }
        }
        Ok(())
    }

    /// Makes the search look for a path from a unit's cell, unless its sector is
    /// loaded anyway. Returns false if there can be no path.
    fn seek(&mut self, map: &Map, unit: Cell) -> bool {
        match map.islands.of(&map.costs, unit) {
            None if self.reach.may_serve(map, unit) => {
                self.in_walls
                    .push(UnitInWall::new(map.costs.extent(), unit));
            }
            Some(island) if self.reach.serve_island(&self.goal, island, unit) => {
                self.want(map, unit)
            }
            _ => {
                self.left_out.push(unit);
                return false;
            }
        }
        true
    }

    fn want(&mut self, map: &Map, cell: Cell) {
        if self.scope != Scope::Paths {
            return;
        }
        if !self.search.needs_links() {
            let island = map.islands.of(&map.costs, cell);
            if island.is_some_and(|island| self.reach.needs_links(island)) {
                self.search.require_links();
            }
        }
        self.search.want(map, cell);
    }

    /// Chooses the scope once all units were looked at. Where their sectors are many,
    /// the order would load most of the map, so it loads all of it without a search.
    fn choose_scope(&mut self, map: &Map, scratch: &mut PlanScratch) {
        let targets = self.search.target_count();
        if targets >= MANY && targets * MANY_OF >= map.costs.extent().sector_count() {
            self.scope = Scope::Everywhere;
            self.renew_search(map, scratch);
        }
    }

    /// Finds the goals of islands that are looked for.
    fn find_goals(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        let (goal, search) = (&self.goal, &mut self.search);
        self.reach
            .find_goals(map, goal, work, |source| search.add_source(source))
    }

    /// Finds paths for units in walls.
    fn find_paths_out(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        let any_island = !self.goal.is_strict();
        while let Some(unit) = self.in_walls.last_mut() {
            unit.find_way_out(map, &self.reach, any_island, work)?;
            let out = unit.found().filter(|&out| map.costs.is_open(out));
            self.left_out.push(unit.from());
            self.in_walls.pop();
            let island = out.and_then(|out| map.islands.of(&map.costs, out));
            if let (Some(out), Some(island)) = (out, island)
                && self.reach.serve_island(&self.goal, island, out)
            {
                self.exits.push(out);
                self.want(map, out);
            }
        }
        Ok(())
    }

    /// Finds the same paths again, from the ends of the paths out of walls.
    pub(super) fn find_again(&mut self, map: &Map, scratch: &mut PlanScratch, exits: Vec<Cell>) {
        run_to_end(|work| self.seek_units(map, scratch, work));
        let unit = self.in_walls.drain(..).map(|unit| unit.from());
        self.left_out.extend(unit);
        for &exit in &exits {
            if self.reach.serves(map, exit) {
                self.want(map, exit);
            }
        }
        self.exits = exits;
        run_to_end(|work| self.find(map, scratch, work));
    }

    /// Adds a unit for which there is nothing to do until the map changes.
    pub(super) fn take_in(&mut self, unit: Cell) {
        let all_sought = self.are_all_sought();
        self.sought += usize::from(self.units.take_in(unit) && all_sought);
    }

    /// Adds a unit that needs a path; returns whether there is work to do for it. A
    /// unit that cannot reach a goal is kept until a path opens.
    pub(super) fn serve(&mut self, map: &Map, scratch: &mut PlanScratch, unit: Cell) -> bool {
        if !self.is_refused(map, unit) {
            self.recall_search(map, scratch);
        }
        // It waits until the units before it were looked at.
        let all_sought = self.are_all_sought();
        let is_new = self.units.take_in(unit);
        let served = !all_sought || self.seek(map, unit);
        self.sought += usize::from(all_sought && is_new);
        served
    }

    /// Whether a unit can never be led.
    pub(super) fn is_refused(&self, map: &Map, unit: Cell) -> bool {
        self.goal.is_strict() && !self.reach.may_serve(map, unit)
    }

    fn are_all_sought(&self) -> bool {
        self.sought == self.units.cells().len()
    }

    /// Whether any goal or path is still to be looked for.
    pub(super) fn has_more_to_find(&self) -> bool {
        !self.are_all_sought()
            || !self.search.is_served()
            || !self.in_walls.is_empty()
            || self.reach.is_seeking()
    }

    /// Whether a region may continue the present field. (The region of an exact order
    /// starts from nothing: its sectors depend on all units. So does one with links, whose
    /// entries and exits may lie in any sector.)
    pub(super) fn may_go_on_from(&self, present: &Present, now: Edition) -> bool {
        let is_exact = self.goal.quality() == Quality::Exact;
        let has_links = self.search.links().next().is_some();
        self.scope == Scope::Paths && !is_exact && !has_links && present.is_current(now)
    }

    /// Returns the links that the field is to lead through: all if the region grows by itself,
    /// else those between its sectors, on the paths found or not. So its directions do not
    /// depend on which unit asked first.
    pub(super) fn links(&self, region: &Region) -> Vec<CellLink> {
        let grows = self.scope == Scope::Everywhere || self.goal.quality() == Quality::Exact;
        let links = self.search.links();
        links
            .filter(|link| {
                grows
                    || [link.entry, link.exit]
                        .iter()
                        .all(|&end| region.covers(end))
            })
            .collect()
    }

    pub(super) fn goal_cells(&self) -> impl Iterator<Item = (Cell, u64)> {
        self.reach
            .sources()
            .map(|source| (source.cell, source.start_cost))
    }

    /// After a change of the map: returns what the goals are worth.
    pub(super) fn on_change(&mut self, map: &Map, change: &Change) -> GoalStatus {
        self.reach.on_change(map, &self.goal, &self.units, change)
    }

    /// Whether a change may give a path to a unit that had none.
    pub(super) fn may_lead_more(&self, map: &Map, change: &Change) -> bool {
        (change.islands.joined || self.units.any_in(&change.relabelled))
            && self
                .left_out
                .iter()
                .any(|&unit| self.reach.serves(map, unit))
    }

    /// Returns the step that leads a unit out of its wall: straight toward the
    /// nearest open cell from which a goal can be reached. Looks a few sectors around;
    /// deeper in the wall, the step leads toward the nearest known exit. If the plan
    /// is done, cells with a direction come before all others.
    ///
    /// After the step the cell is nearer and the line to it still straight. So the
    /// next answer leads to a cell at least as near, and no unit goes to and fro.
    pub(super) fn way_out(
        &self,
        map: &Map,
        unit: Cell,
        done: Option<&Present>,
    ) -> Option<Direction> {
        let led = done.and_then(|present| {
            let near = self.nearest_out(map, unit, |cell| present.leads(cell));
            let known = self.known_out(map, unit, |cell| present.leads(cell));
            near.into_iter().chain(known).min()
        });
        let any = |_| true;
        let out = led
            .or_else(|| self.nearest_out(map, unit, any))
            .or_else(|| self.known_out(map, unit, any))?;
        Direction::toward(out.cell.x - unit.x, out.cell.y - unit.y)
    }

    /// The nearest exit that fits within a few sectors.
    fn nearest_out(&self, map: &Map, unit: Cell, fit: impl Fn(Cell) -> bool) -> Option<SeenCell> {
        let extent = map.costs.extent();
        let mut outlook = Outlook::new(extent, unit);
        let reach = &self.reach;
        run_to_end(|work| reach.find_way_out(map, &mut outlook, WAY_OUT_RINGS, fit, work));
        Some(SeenCell::from(extent, unit, outlook.found()?))
    }

    /// The nearest known exit that fits.
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

    pub(super) fn bytes(&self) -> usize {
        self.units.bytes()
            + (self.exits.capacity() + self.left_out.capacity()) * size_of::<Cell>()
            + self.in_walls.capacity() * size_of::<UnitInWall>()
            + self.reach.bytes()
            + self.search.bytes()
            + self.route.capacity() * size_of::<PortalId>()
    }
}
