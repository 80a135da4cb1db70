//! Who can reach what: answered from the islands, without a search.

use super::goal::{Goal, Otherwise};
use crate::budget::Work;
use crate::chart::{Change, Chart};
use crate::grid::Cell;
use crate::portal::{Island, Outlook, leads_straight_out};
use crate::route::Source;

/// Which islands an order's goals stand on, and which cells the goals are.
///
/// Under [`Goal::or_nearest`] each island with a unit on it has a goal of its
/// own: the cell nearest to the one asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    goals: Vec<(Island, Source)>,
    /// How many of them were asked for; the others were found.
    asked: usize,
    /// The islands that have a goal, each once, in order.
    islands: Vec<Island>,
}

impl Reach {
    /// The goals for units that start at these cells.
    pub(crate) fn new(chart: &Chart, goal: &Goal, units: &[Cell]) -> Self {
        let mut reach = Self::default();
        for source in goal.sources() {
            if let Some(island) = chart.islands.of(&chart.costs, source.cell) {
                reach.add(island, source);
            }
        }
        reach.asked = reach.goals.len();
        if goal.otherwise == Otherwise::Nearest {
            for &unit in units {
                if let Some(island) = chart.islands.of(&chart.costs, unit) {
                    reach.hold(chart, goal, island);
                }
            }
            if reach.goals.is_empty() {
                // No unit, or none that stands on open ground: any island will do.
                reach.add_nearest(chart, goal, |_| true);
            }
        }
        reach
    }

    /// The goals of an order with these found beside those asked for; `None`
    /// if one of them is in a wall or shares an island with another.
    pub(crate) fn with_found(chart: &Chart, goal: &Goal, found: &[Cell]) -> Option<Self> {
        let mut reach = Self::new(chart, goal, &[]);
        reach.goals.truncate(reach.asked);
        reach.number_islands();
        for &cell in found {
            let island = chart.islands.of(&chart.costs, cell)?;
            if reach.holds(island) {
                return None;
            }
            let start_cost = goal.start_cost;
            reach.add(island, Source { cell, start_cost });
        }
        Some(reach)
    }

    /// The goals that were found beside those asked for.
    pub(crate) fn found(&self) -> &[(Island, Source)] {
        &self.goals[self.asked..]
    }

    fn add(&mut self, island: Island, source: Source) {
        self.goals.push((island, source));
        if let Err(at) = self.islands.binary_search(&island) {
            self.islands.insert(at, island);
        }
    }

    fn number_islands(&mut self) {
        self.islands = self.goals.iter().map(|&(island, _)| island).collect();
        self.islands.sort_unstable();
        self.islands.dedup();
    }

    /// Adds the cell nearest to the goal on an island that is `wanted`.
    fn add_nearest(&mut self, chart: &Chart, goal: &Goal, wanted: impl Fn(Island) -> bool) {
        let nearest = chart.islands.nearest(&chart.costs, goal.cell, wanted);
        if let Some(cell) = nearest
            && let Some(island) = chart.islands.of(&chart.costs, cell)
        {
            let start_cost = goal.start_cost;
            self.add(island, Source { cell, start_cost });
        }
    }

    /// Sees to it that an island has a goal, if the policy gives it one; tells
    /// whether it has.
    pub(crate) fn hold(&mut self, chart: &Chart, goal: &Goal, island: Island) -> bool {
        if !self.holds(island) && goal.otherwise == Otherwise::Nearest {
            self.add_nearest(chart, goal, |other| other == island);
        }
        self.holds(island)
    }

    /// Whether a unit may hope to be led to a goal. A unit in a wall may as
    /// long as there is any: whether a way out leads to its island takes a
    /// look around.
    pub(crate) fn may_serve(&self, chart: &Chart, unit: Cell) -> bool {
        match chart.islands.of(&chart.costs, unit) {
            Some(island) => self.holds(island),
            None => !self.goals.is_empty(),
        }
    }

    /// After a change: whether these still are the goals that would be chosen
    /// now. The islands are looked up anew.
    pub(crate) fn still_holds(
        &mut self,
        chart: &Chart,
        goal: &Goal,
        units: &[Cell],
        change: &Change,
    ) -> bool {
        let island_of = |cell| chart.islands.of(&chart.costs, cell);
        for (island, source) in &mut self.goals {
            match island_of(source.cell) {
                Some(now) => *island = now,
                None => return false,
            }
        }
        self.number_islands();
        let open = goal.cells().filter(|&cell| chart.costs.is_open(cell));
        if open.count() != self.asked {
            return false;
        }
        if goal.otherwise == Otherwise::Refuse {
            return true;
        }
        // What opens may join an island to one with a nearer cell: those that
        // have a cell there.
        let any_found = !self.found().is_empty();
        let lowered = change.sectors.iter();
        let lowered = lowered.filter(|change| any_found && change.lowered);
        let opened = lowered.flat_map(|change| change.area.cells());
        let mut opened: Vec<Island> = opened.filter_map(island_of).collect();
        opened.sort_unstable();
        opened.dedup();
        let is_nearest = |&(island, source): &(Island, Source)| {
            let wanted = |other| other == island;
            opened.binary_search(&island).is_err()
                || chart.islands.nearest(&chart.costs, goal.cell, wanted) == Some(source.cell)
        };
        // Those found have an island each, which none of those asked for has.
        let mut asked: Vec<Island> = self.goals[..self.asked].iter().map(|g| g.0).collect();
        asked.sort_unstable();
        asked.dedup();
        let each_once = self.islands.len() == asked.len() + self.found().len();
        let mut open = units.iter().filter_map(|&unit| island_of(unit));
        self.len() > 0
            && each_once
            && open.all(|island| self.holds(island))
            && self.found().iter().all(is_nearest)
    }

    /// Looks on for the way out of the wall that a unit is in: the nearest
    /// open cell from which a goal can be reached, and to which a straight way
    /// leads through nothing but walls. Stops after so many rings of sectors,
    /// or when the work is used up; tells whether it is done.
    pub(super) fn look_out(
        &self,
        chart: &Chart,
        outlook: &mut Outlook,
        rings: i32,
        work: &mut Work,
    ) -> bool {
        let from = outlook.from();
        let wanted = |island| self.holds(island);
        let fits = |cell| leads_straight_out(&chart.costs, from, cell);
        while !self.goals.is_empty() && outlook.rings() < rings {
            if work.is_over() {
                return false;
            }
            match outlook.look_on(&chart.islands, &chart.costs, wanted, fits) {
                Some(sectors) => work.count(sectors),
                None => break,
            }
        }
        true
    }

    /// Whether a goal can be reached from an open cell.
    pub(super) fn serves(&self, chart: &Chart, cell: Cell) -> bool {
        let island = chart.islands.of(&chart.costs, cell);
        island.is_some_and(|island| self.holds(island))
    }

    /// Whether a goal stands on this island.
    pub(crate) fn holds(&self, island: Island) -> bool {
        self.islands.binary_search(&island).is_ok()
    }

    /// The goals.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        self.goals.iter().map(|&(_, source)| source)
    }

    pub(crate) const fn len(&self) -> usize {
        self.goals.len()
    }
}
