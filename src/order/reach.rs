//! Which units can reach a goal: answered from the islands, without a search.

mod change;

use super::goal::Goal;
use crate::budget::{Paused, Work};
use crate::cost::CellLink;
use crate::grid::{Cell, SectorBounds};
use crate::islands::{Island, Nearest, Outlook, SearchStep, leads_straight_out};
use crate::map::Map;
use crate::route::Source;

pub(super) use change::GoalStatus;

/// The cells of an order's goals, and the islands with a goal.
///
/// Under [`Goal::or_nearest`] each island with a unit has a goal of its own: its
/// cell nearest to the requested one. The islands are known at once. The cells are
/// found by the plan's work, sector by sector and for all islands together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    goals: Vec<(Island, Source)>,
    /// How many of them were requested; the others were found.
    asked: usize,
    /// The bounds of the sectors of all requested cells, walls included.
    around: SectorBounds,
    /// On a layer with links: the islands with a requested goal, and those from which
    /// links lead to it, each once, in order.
    leading: Vec<Island>,
    /// All islands that have a goal, are getting one or lead to one, each once, in order.
    islands: Vec<Island>,
    /// If no island has a goal: the outward search for the nearest open cell of all.
    any: Option<Outlook>,
    /// The outward search for the goals of islands.
    nearest: Option<Nearest>,
    /// Islands for the next search, with a cell of each.
    wanted: Vec<(Island, Cell)>,
    /// Whether a new search might find other goals.
    is_stale: bool,
}

impl Reach {
    /// Returns the goals for units that start at these cells. Goals that are not
    /// requested are still to be [found](Self::find_goals).
    pub(crate) fn new(map: &Map, goal: &Goal, units: &[Cell]) -> Self {
        let mut reach = Self::asked_for(map, goal);
        if !goal.is_strict() {
            reach.want_islands_of(map, goal, units);
            if reach.islands.is_empty() && map.islands.count() > 0 {
                // No unit, or none on open ground: any island is accepted.
                reach.any = Some(Outlook::new(map.costs.extent(), goal.cell));
            }
        }
        reach
    }

    /// Returns the requested goals.
    fn asked_for(map: &Map, goal: &Goal) -> Self {
        let goals = asked_on_islands(map, goal);
        let mut reach = Self {
            asked: goals.len(),
            goals,
            ..Self::default()
        };
        let extent = map.costs.extent();
        for cell in goal.cells().filter(|&cell| extent.contains(cell)) {
            reach.around.take_in(extent.sector(extent.locate(cell).0));
        }
        reach.find_leading(map);
        reach.number_islands();
        reach
    }

    /// Looks up from which islands links lead to the requested goals.
    fn find_leading(&mut self, map: &Map) {
        self.leading.clear();
        if map.links.is_empty() {
            return;
        }
        let asked = self.goals[..self.asked].iter();
        self.leading = map.with_links_to(asked.map(|&(island, _)| island).collect());
    }

    /// Whether units of an island without a requested goal reach one through links.
    pub(crate) fn leads_through_links(&self, island: Island) -> bool {
        self.leading.binary_search(&island).is_ok()
    }

    /// Whether units of an island reach a requested goal through links alone.
    pub(super) fn needs_links(&self, island: Island) -> bool {
        let mut asked = self.goals[..self.asked].iter();
        self.leads_through_links(island) && !asked.any(|&(other, _)| other == island)
    }

    /// Returns the links through which paths to the goals may lead: those to an island that
    /// leads to a requested goal, and those that stay on their island.
    pub(crate) fn links<'a>(&'a self, map: &'a Map) -> impl Iterator<Item = CellLink> + 'a {
        let island = |cell| map.islands.of(&map.costs, cell);
        map.links.open().iter().copied().filter(move |link| {
            let (entry, exit) = (island(link.entry), island(link.exit));
            entry == exit || exit.is_some_and(|exit| self.leading.binary_search(&exit).is_ok())
        })
    }

    /// Requests an outward search for the goals of all islands with units and no goal.
    fn want_islands_of(&mut self, map: &Map, goal: &Goal, units: &[Cell]) {
        let islands: Vec<(Island, Cell)> = units
            .iter()
            .filter_map(|&unit| {
                let island = map.islands.of(&map.costs, unit)?;
                (!self.serves_island(island)).then_some((island, unit))
            })
            .collect();
        if !islands.is_empty() {
            let extent = map.costs.extent();
            self.nearest = Some(Nearest::new(extent, goal.cell, islands));
            self.number_islands();
        }
    }

    /// Returns the goals of an order with these found goals besides the requested
    /// ones; `None` if one is in a wall or shares an island with another.
    pub(crate) fn with_found(map: &Map, goal: &Goal, found: &[Cell]) -> Option<Self> {
        let mut reach = Self::asked_for(map, goal);
        for &cell in found {
            let island = map.islands.of(&map.costs, cell)?;
            if reach.serves_island(island) {
                return None;
            }
            let start_cost = goal.start_cost;
            reach.goals.push((island, Source { cell, start_cost }));
            reach.note(island);
        }
        Some(reach)
    }

    /// Returns the goals that were found besides the requested ones.
    pub(crate) fn found(&self) -> &[(Island, Source)] {
        &self.goals[self.asked..]
    }

    /// Records that an island has a goal or is getting one.
    fn note(&mut self, island: Island) {
        if let Err(at) = self.islands.binary_search(&island) {
            self.islands.insert(at, island);
        }
    }

    fn number_islands(&mut self) {
        let goals = self
            .goals
            .iter()
            .map(|&(island, _)| island)
            .chain(self.leading.iter().copied());
        let sought = self.nearest.iter().flat_map(Nearest::sought);
        let wanted = self.wanted.iter().map(|&(island, _)| island);
        self.islands = goals
            .chain(sought.map(|(island, _)| island))
            .chain(wanted)
            .collect();
        self.islands.sort_unstable();
        self.islands.dedup();
    }

    /// Makes sure that the island of this cell has a goal or is getting one, if the
    /// policy gives it one. Returns whether it has.
    pub(crate) fn serve_island(&mut self, goal: &Goal, island: Island, member: Cell) -> bool {
        if !self.serves_island(island) && !goal.is_strict() {
            self.wanted.push((island, member));
            self.note(island);
        }
        self.serves_island(island)
    }

    /// Whether goals are still to be found.
    pub(crate) const fn is_seeking(&self) -> bool {
        self.any.is_some() || self.nearest.is_some() || !self.wanted.is_empty()
    }

    /// Notes that a new search might find other goals.
    pub(super) const fn expire(&mut self) {
        self.is_stale = true;
    }

    /// Whether a new search might find other goals.
    pub(super) const fn is_stale(&self) -> bool {
        self.is_stale
    }

    /// Whether there is no goal and none can be found, since everything is wall.
    pub(crate) const fn is_hopeless(&self) -> bool {
        self.islands.is_empty() && self.any.is_none()
    }

    /// Begins the requested search, if none is under way.
    pub(super) fn begin_seeking(&mut self, map: &Map, goal: &Goal) {
        if self.nearest.is_none() && !self.wanted.is_empty() {
            let islands = std::mem::take(&mut self.wanted);
            self.nearest = Some(Nearest::new(map.costs.extent(), goal.cell, islands));
        }
    }

    /// Finishes the search under way and calls `found` with its goals, the nearest to
    /// the requested goal first.
    pub(super) fn find_goals(
        &mut self,
        map: &Map,
        goal: &Goal,
        work: &mut Work,
        mut found: impl FnMut(Source),
    ) -> Result<(), Paused> {
        let start_cost = goal.start_cost;
        while self.any.is_some() || self.nearest.is_some() {
            work.check()?;
            let Some((island, cell)) = self.seek_step(map, work) else {
                continue;
            };
            let source = Source { cell, start_cost };
            self.goals.push((island, source));
            self.note(island);
            found(source);
        }
        Ok(())
    }

    /// Looks at one more sector; returns a goal if one was found.
    fn seek_step(&mut self, map: &Map, work: &mut Work) -> Option<(Island, Cell)> {
        if let Some(outlook) = &mut self.any {
            let worked = outlook.step(&map.islands, &map.costs, |_| true, |_| true);
            if let Some(cells) = worked {
                work.count(cells);
                return None;
            }
            let cell = self.any.take()?.found()?;
            let island = map.islands.of(&map.costs, cell)?;
            // If it is requested by now, the next search finds it.
            return (!self.serves_island(island)).then_some((island, cell));
        }
        match self.nearest.as_mut()?.step(&map.islands, &map.costs) {
            SearchStep::Found(island, cell) => {
                work.count(1);
                return Some((island, cell));
            }
            SearchStep::Working(cells) => work.count(cells),
            SearchStep::Finished => self.nearest = None,
        }
        None
    }

    /// Whether a unit may be led to a goal. For a unit in a wall this is true while
    /// there is any goal: only an outward search shows which island its way out leads to.
    pub(crate) fn may_serve(&self, map: &Map, unit: Cell) -> bool {
        match map.islands.of(&map.costs, unit) {
            Some(island) => self.serves_island(island),
            None => !self.is_hopeless(),
        }
    }

    /// Looks for the path out of the wall that a unit is in: to the nearest open
    /// cell that fits, from which a goal can be reached, and to which a straight
    /// line leads through walls only. Looks through at most `rings` rings of
    /// sectors.
    pub(super) fn find_way_out(
        &self,
        map: &Map,
        outlook: &mut Outlook,
        rings: i32,
        fit: impl Fn(Cell) -> bool,
        work: &mut Work,
    ) -> Result<(), Paused> {
        let from = outlook.from();
        let fits = |cell| fit(cell) && leads_straight_out(&map.costs, from, cell);
        let wanted = |island| self.serves_island(island);
        if self.is_hopeless() {
            return Ok(());
        }
        outlook.look(&map.islands, &map.costs, wanted, fits, rings, work)
    }

    /// Whether a goal can be reached from an open cell.
    pub(super) fn serves(&self, map: &Map, cell: Cell) -> bool {
        let island = map.islands.of(&map.costs, cell);
        island.is_some_and(|island| self.serves_island(island))
    }

    /// Whether this island has a goal or is getting one.
    pub(crate) fn serves_island(&self, island: Island) -> bool {
        self.islands.binary_search(&island).is_ok()
    }

    /// Returns the goals.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        self.goals.iter().map(|&(_, source)| source)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.goals.capacity() * size_of::<(Island, Source)>()
            + (self.leading.capacity() + self.islands.capacity()) * size_of::<Island>()
            + self.wanted.capacity() * size_of::<(Island, Cell)>()
            + self.nearest.as_ref().map_or(0, Nearest::bytes)
    }
}

/// Returns those of an order's goals that count: open cells, each with its island; sides of an
/// obstacle only where its middle is out of reach.
fn asked_on_islands(map: &Map, goal: &Goal) -> Vec<(Island, Source)> {
    let mut goals = on_islands(map, goal.sources());
    if goal.has_sides()
        && let Some(&(middle, first)) = goals.first()
        && first.cell == goal.cell
    {
        let leads_there = map.with_links_to(vec![middle]);
        goals.retain(|(island, source)| {
            source.cell == goal.cell || leads_there.binary_search(island).is_err()
        });
    }
    goals
}

/// Returns those of these goals that are open cells, each with its island.
fn on_islands(map: &Map, goals: impl Iterator<Item = Source>) -> Vec<(Island, Source)> {
    goals
        .filter_map(|source| {
            let island = map.islands.of(&map.costs, source.cell)?;
            Some((island, source))
        })
        .collect()
}
