//! Who can reach what: answered from the islands, without a search.

use super::goal::{Goal, Otherwise};
use crate::chart::Chart;
use crate::grid::Cell;
use crate::portal::Island;
use crate::route::Source;

/// As many rings of sectors as there are.
const ALL: i32 = i32::MAX;

/// Which islands an order's goals stand on, and which cells the goals are.
///
/// Under [`Goal::or_nearest`] each island with a unit on it has a goal of its
/// own: the cell nearest to the one asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reach {
    goals: Vec<(Island, Source)>,
}

impl Reach {
    /// The goals for units that start at these cells.
    pub(crate) fn new(chart: &Chart, goal: &Goal, units: &[Cell]) -> Self {
        let mut reach = Self::default();
        if let Some(island) = chart.islands.of(&chart.costs, goal.cell) {
            reach.add(island, goal, goal.cell);
        } else if units.is_empty() && goal.otherwise == Otherwise::Nearest {
            reach.extend_nearest(chart, goal, |_| true);
        }
        if goal.otherwise == Otherwise::Nearest {
            for &unit in units {
                reach.start_of(chart, goal, unit);
            }
        }
        reach
    }

    fn add(&mut self, island: Island, goal: &Goal, cell: Cell) {
        let start_cost = goal.start_cost;
        self.goals.push((island, Source { cell, start_cost }));
    }

    /// Adds the cell nearest to the goal on an island that is `wanted`.
    fn extend_nearest(&mut self, chart: &Chart, goal: &Goal, wanted: impl Fn(Island) -> bool) {
        let nearest = chart.islands.nearest(&chart.costs, goal.cell, ALL, wanted);
        if let Some(cell) = nearest
            && let Some(island) = chart.islands.of(&chart.costs, cell)
        {
            self.add(island, goal, cell);
        }
    }

    /// The cell at which a unit's way begins: its own, or for a unit in a wall
    /// the open cell nearest to it from which a goal can be reached. `None`
    /// for a unit that cannot reach any. Under [`Goal::or_nearest`] a goal is
    /// added where there is none.
    pub(crate) fn start_of(&mut self, chart: &Chart, goal: &Goal, unit: Cell) -> Option<Cell> {
        let nearest = goal.otherwise == Otherwise::Nearest;
        let start = match chart.islands.of(&chart.costs, unit) {
            Some(_) => unit,
            None => self.way_out(chart, unit, ALL).or_else(|| {
                let any = chart.islands.nearest(&chart.costs, unit, ALL, |_| true);
                any.filter(|_| nearest)
            })?,
        };
        let island = chart.islands.of(&chart.costs, start)?;
        if !self.holds(island) && nearest {
            self.extend_nearest(chart, goal, |other| other == island);
        }
        self.holds(island).then_some(start)
    }

    /// For a cell in a wall: the open cell nearest to it from which a goal can
    /// be reached, no more than so many rings of sectors away.
    pub(super) fn way_out(&self, chart: &Chart, from: Cell, rings: i32) -> Option<Cell> {
        if self.goals.is_empty() {
            return None;
        }
        let wanted = |island| self.holds(island);
        chart.islands.nearest(&chart.costs, from, rings, wanted)
    }

    /// Whether a goal can be reached from an open cell.
    pub(super) fn serves(&self, chart: &Chart, cell: Cell) -> bool {
        let island = chart.islands.of(&chart.costs, cell);
        island.is_some_and(|island| self.holds(island))
    }

    /// Whether a goal stands on this island.
    pub(crate) fn holds(&self, island: Island) -> bool {
        self.goals.iter().any(|&(other, _)| other == island)
    }

    /// The goals.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        self.goals.iter().map(|&(_, source)| source)
    }

    pub(crate) const fn len(&self) -> usize {
        self.goals.len()
    }
}
