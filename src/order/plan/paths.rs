//! The paths from the units to the goals.

use super::request::Request;
use super::unit_in_wall::UnitInWall;
use super::{Plan, PlanScratch};
use crate::budget::{Paused, Work, run_to_end};
use crate::cost::CellLink;
use crate::field::Region;
use crate::grid::Cell;
use crate::map::{Change, Map};
use crate::order::goal::{Goal, Quality};
use crate::portal::PortalId;
use crate::route::Search;

/// Work of starting to look for a unit's path, in cells.
const SEEK_WORK: u64 = 5;

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

/// The paths found for what is asked of a plan.
#[derive(Clone)]
pub(super) struct Paths {
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
    pub(super) fn new(map: &Map, scratch: &mut PlanScratch, asked: &Request) -> Self {
        Self {
            sought: 0,
            search: search_of(map, scratch, asked),
            scope: Scope::of(&asked.goal),
            route: Vec::new(),
            in_walls: Vec::new(),
            exits: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// Makes a search that has forgotten look for all units again.
    fn recall_search(&mut self, map: &Map, scratch: &mut PlanScratch) {
        if self.scope == Scope::Paths && self.search.is_forgotten() {
            self.search.recall(map, &mut scratch.search);
            self.in_walls.clear();
            self.exits.clear();
            self.left_out.clear();
            self.sought = 0;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.exits.capacity() + self.left_out.capacity()) * size_of::<Cell>()
            + self.in_walls.capacity() * size_of::<UnitInWall>()
            + self.search.bytes()
            + self.route.capacity() * size_of::<PortalId>()
    }
}

fn search_of(map: &Map, scratch: &mut PlanScratch, Request { reach, .. }: &Request) -> Search {
    let (sources, links) = (reach.sources().collect(), reach.links(map));
    Search::new(map, &mut scratch.search, sources, links)
}

/// Finding paths.
impl Plan {
    /// Finds the goals, and paths to them from all units.
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
        self.asked.reach.begin_seeking(map, &self.asked.goal);
        self.find_goals(map, work)?;
        self.paths.search.advance(map, &mut scratch.search, work)
    }

    /// Makes the search look for paths from all units' cells.
    fn seek_units(
        &mut self,
        map: &Map,
        scratch: &mut PlanScratch,
        work: &mut Work,
    ) -> Result<(), Paused> {
        while let Some(&unit) = self.asked.units.cells().get(self.paths.sought) {
            work.check()?;
            self.seek(map, unit);
            work.count(SEEK_WORK);
            self.paths.sought += 1;
            if self.are_all_sought() && self.paths.scope == Scope::Paths {
                self.choose_scope(map, scratch);
            }
        }
        Ok(())
    }

    /// Makes the search look for a path from a unit's cell, unless its sector is
    /// loaded anyway. Returns false if there can be no path.
    fn seek(&mut self, map: &Map, unit: Cell) -> bool {
        let Request { goal, reach, .. } = &mut self.asked;
        match map.islands.of(&map.costs, unit) {
            None if reach.may_serve(map, unit) => {
                let unit = UnitInWall::new(map.costs.extent(), unit);
                self.paths.in_walls.push(unit);
            }
            Some(island) if reach.serve_island(goal, island, unit) => self.want(map, unit),
            _ => {
                self.paths.left_out.push(unit);
                return false;
            }
        }
        true
    }

    fn want(&mut self, map: &Map, cell: Cell) {
        let Paths { search, scope, .. } = &mut self.paths;
        if *scope != Scope::Paths {
            return;
        }
        let island = map.islands.of(&map.costs, cell);
        if island.is_some_and(|island| self.asked.reach.needs_links(island)) {
            search.require_links();
        }
        search.want(map, cell);
    }

    /// Chooses the scope once all units were looked at. Where their sectors are many,
    /// the order would load most of the map, so it loads all of it without a search.
    fn choose_scope(&mut self, map: &Map, scratch: &mut PlanScratch) {
        let Paths { search, scope, .. } = &mut self.paths;
        let targets = search.target_count();
        if targets >= MANY && targets * MANY_OF >= map.costs.extent().sector_count() {
            *scope = Scope::Everywhere;
            let other = search_of(map, scratch, &self.asked);
            std::mem::replace(search, other).retire(&mut scratch.search);
        }
    }

    /// Finds the goals of islands that are looked for.
    fn find_goals(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        let (Request { goal, reach, .. }, Paths { search, .. }) =
            (&mut self.asked, &mut self.paths);
        reach.find_goals(map, goal, work, |source| search.add_source(source))
    }

    /// Finds paths for units in walls.
    fn find_paths_out(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        let any_island = self.takes_nearest();
        while let Some(unit) = self.paths.in_walls.last_mut() {
            let Request { goal, reach, .. } = &mut self.asked;
            unit.find_way_out(map, reach, any_island, work)?;
            let out = unit.found().filter(|&out| map.costs.is_open(out));
            self.paths.left_out.push(unit.from());
            self.paths.in_walls.pop();
            let island = out.and_then(|out| map.islands.of(&map.costs, out));
            if let (Some(out), Some(island)) = (out, island)
                && reach.serve_island(goal, island, out)
            {
                self.paths.exits.push(out);
                self.want(map, out);
            }
        }
        Ok(())
    }

    /// Finds the same paths again, from the ends of the paths out of walls.
    pub(super) fn find_again(&mut self, map: &Map, scratch: &mut PlanScratch, exits: Vec<Cell>) {
        run_to_end(|work| self.seek_units(map, scratch, work));
        let Paths {
            left_out, in_walls, ..
        } = &mut self.paths;
        left_out.extend(in_walls.drain(..).map(|unit| unit.from()));
        for &exit in &exits {
            if self.asked.reach.serves(map, exit) {
                self.want(map, exit);
            }
        }
        self.paths.exits = exits;
        run_to_end(|work| self.find(map, scratch, work));
    }

    /// Adds a unit for which there is nothing to do until the map changes.
    pub(super) fn take_in(&mut self, unit: Cell) {
        let all_sought = self.are_all_sought();
        self.paths.sought += usize::from(self.asked.units.take_in(unit) && all_sought);
    }

    /// Adds a unit that needs a path; returns whether there is work to do for it. A
    /// unit that cannot reach a goal is kept until a path opens.
    pub(super) fn seek_path(&mut self, map: &Map, scratch: &mut PlanScratch, unit: Cell) -> bool {
        if !self.is_refused(map, unit) {
            self.paths.recall_search(map, scratch);
        }
        // It waits until the units before it were looked at.
        let all_sought = self.are_all_sought();
        self.take_in(unit);
        !all_sought || self.seek(map, unit)
    }

    /// Whether a unit can never be led.
    pub(super) fn is_refused(&self, map: &Map, unit: Cell) -> bool {
        !self.takes_nearest() && !self.asked.reach.may_serve(map, unit)
    }

    fn are_all_sought(&self) -> bool {
        self.paths.sought == self.asked.units.cells().len()
    }

    /// Whether any goal or path is still to be looked for.
    pub(super) fn has_more_to_find(&self) -> bool {
        !self.are_all_sought()
            || !self.paths.search.is_served()
            || !self.paths.in_walls.is_empty()
            || self.asked.reach.is_seeking()
    }

    pub(super) fn goal_cells(&self) -> impl Iterator<Item = (Cell, u64)> {
        let sources = self.asked.reach.sources();
        sources.map(|source| (source.cell, source.start_cost))
    }

    /// Returns the links that the field is to lead through: all if the region grows by itself,
    /// else those between its sectors, on the paths found or not. So its directions do not
    /// depend on which unit asked first.
    pub(super) fn links_in(&self, region: &Region) -> Vec<CellLink> {
        let paths = &self.paths;
        let grows = paths.scope == Scope::Everywhere || self.goal().quality() == Quality::Exact;
        let is_in = |link: &CellLink| region.covers(link.entry) && region.covers(link.exit);
        let links = paths.search.links();
        links.filter(|link| grows || is_in(link)).collect()
    }

    /// Whether a change may give a path to a unit that had none.
    pub(super) fn may_lead_more(&self, map: &Map, change: &Change) -> bool {
        let Request { units, reach, .. } = &self.asked;
        let mut left_out = self.paths.left_out.iter();
        (change.islands.joined || units.any_in(&change.relabelled))
            && left_out.any(|&unit| reach.serves(map, unit))
    }
}
