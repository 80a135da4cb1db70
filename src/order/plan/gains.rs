//! Gains: how much cheaper a path can become by a sector beside it, at most.
//!
//! The cost-to-go is known at some points of the paths found: at the units, at the portals
//! on the way and at the goals. A path through another sector leaves the known one at a
//! point, and comes back at a later one:
//!
//! ```text
//!        S           what the known path pays from A to B:  cost(A) − cost(B)
//!      ↗   ↘         a path through S pays at least:  its cost · (octile(A, S) + octile(S, B))
//!    A  ┄┄┄  B → goal
//! ```
//!
//! The difference is the most that a path can gain in `S` between `A` and `B`, if the ground
//! on the way costs no less than the cheapest cell of `S`. One part of it depends on `A`
//! alone and the other on `B` alone, so the highest of each, over all points, give the most
//! that any path can gain there. Inside a bend this is much, and beside a straight path over
//! clear ground nothing.

use crate::cost::Cost;
use crate::grid::{Cell, SECTOR_SIDE, Sector};
use crate::kernel::octile;
use crate::map::Map;
use crate::portal::PortalId;
use crate::route::Search;

/// A sector counts if a path may gain this part of its cost there. Less would be gained
/// along the whole of most paths among walls, where the bound is far from the truth.
const PART: u64 = 8;

/// The number of goals that count as points of paths.
const GOALS: usize = 8;

/// The most portals that are noted. Paths with more lead through so many sectors that
/// nothing is loaded beside them.
const PORTALS: usize = 128;

/// The points that one cell of work stands for.
const POINTS_OF_WORK: u64 = 8;

/// The highest cost of a point over that of the cheapest. Dearer points count as if they
/// cost this much.
const COST_MAX: u64 = 1 << 30;

/// The points of paths at which costs are known, and the gain that counts.
#[derive(Clone, Default)]
pub(super) struct Gains {
    /// The portals on the paths, each with the cost of the path from there on.
    portals: Vec<(PortalId, u64)>,
    points: Points,
    /// The gain from which on a sector counts.
    least: i64,
}

/// Points on paths. Column, row and cost lie in lists of their own, so that the compiler
/// takes several points at a time.
#[derive(Clone, Default)]
struct Points {
    x: Vec<i32>,
    y: Vec<i32>,
    /// The costs of the paths from there on, over that of the cheapest.
    cost: Vec<i32>,
}

impl Points {
    fn of(points: &[(Cell, u64)]) -> Self {
        let cheapest = points.iter().map(|&(_, cost)| cost).min().unwrap_or(0);
        let over = |cost: u64| (cost - cheapest).min(COST_MAX) as i32;
        Self {
            x: points.iter().map(|(cell, _)| cell.x).collect(),
            y: points.iter().map(|(cell, _)| cell.y).collect(),
            cost: points.iter().map(|&(_, cost)| over(cost)).collect(),
        }
    }

    /// Returns the most that a path may gain in a sector if the ground costs as much as its
    /// cheapest cell.
    fn gain(&self, sector: Sector, lowest: Cost) -> i64 {
        let (Cell { x: left, y: top }, lowest) = (sector.origin(), i32::from(lowest.value()));
        let gap = |at: i32, first: i32| (first - at).max(at - first - SECTOR_SIDE + 1).max(0);
        let (mut before, mut after) = (i32::MIN / 2, i32::MIN / 2);
        for ((&x, &y), &cost) in self.x.iter().zip(&self.y).zip(&self.cost) {
            let (dx, dy) = (gap(x, left), gap(y, top));
            // That is `octile`: a diagonal step costs 7 in place of two of 5.
            let away = (5 * (dx + dy) - 3 * dx.min(dy)) * lowest;
            before = before.max(cost - away);
            after = after.max(-cost - away);
        }
        i64::from(before) + i64::from(after)
    }
}

impl Gains {
    pub(super) fn note(&mut self, portal: PortalId, cost: u64) {
        if self.portals.len() < PORTALS {
            self.portals.push((portal, cost));
        }
    }

    /// Finds the points of the paths, once all portals are noted, and chooses the gain that
    /// counts. Returns whether there may be a sector in which so much is gained.
    pub(super) fn begin(
        &mut self,
        map: &Map,
        search: &Search,
        goals: impl Iterator<Item = (Cell, u64)>,
    ) -> bool {
        let starts: Vec<(Cell, u64)> = search.dearest_by_target().collect();
        let goals: Vec<(Cell, u64)> = goals.take(GOALS).collect();
        let dearest = starts.iter().map(|&(_, cost)| cost).max().unwrap_or(0);
        self.least = (dearest / PART).max(1).cast_signed();
        if goals.len() < GOALS && detour(&starts, &goals, map.costs.lowest()) < self.least {
            return false;
        }
        let points: Vec<(Cell, u64)> = std::mem::take(&mut self.portals)
            .into_iter()
            .filter_map(|(id, cost)| Some((map.graph.own_cell(id)?, cost)))
            .chain(starts)
            .chain(goals)
            .collect();
        self.points = Points::of(&points);
        true
    }

    /// Whether a path may gain enough in a sector whose cheapest cell has this cost.
    pub(super) fn may_be_in(&self, sector: Sector, lowest: Cost) -> bool {
        self.points.gain(sector, lowest) >= self.least
    }

    /// Work of asking about one sector, in cells.
    pub(super) const fn work(&self) -> u64 {
        self.points.x.len() as u64 / POINTS_OF_WORK
    }

    pub(super) fn bytes(&self) -> usize {
        let points = &self.points;
        (points.x.capacity() + points.y.capacity() + points.cost.capacity()) * size_of::<i32>()
            + self.portals.capacity() * size_of::<(PortalId, u64)>()
    }
}

/// Returns the most that any of the paths may gain in a sector, wherever it lies: what a
/// path costs over the straight line, and the width of the sector.
fn detour(starts: &[(Cell, u64)], goals: &[(Cell, u64)], lowest: u8) -> i64 {
    const ACROSS: u64 = octile(SECTOR_SIDE as u32 - 1, SECTOR_SIDE as u32 - 1);
    let lowest = u64::from(lowest);
    let straight = |from: Cell| {
        let to = |&(to, cost): &(Cell, u64)| {
            cost.saturating_add(lowest * octile(from.x.abs_diff(to.x), from.y.abs_diff(to.y)))
        };
        goals.iter().map(to).min().unwrap_or(0)
    };
    let highest = starts
        .iter()
        .map(|&(from, cost)| cost.saturating_sub(straight(from)))
        .max()
        .unwrap_or(0);
    i64::try_from(highest + ACROSS * lowest).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path that goes 40 cells north, 60 east, and 40 south.
    fn bend() -> Vec<(Cell, u64)> {
        let steps = [([0, 40], 0), ([0, 0], 40), ([60, 0], 100), ([60, 40], 140)];
        steps
            .map(|([x, y], steps): ([i32; 2], u64)| (Cell::new(100 + x, 100 + y), 900 - 5 * steps))
            .into()
    }

    /// The same by a look at each pair of points and each cell.
    fn slow_gain(points: &[(Cell, u64)], sector: Sector, lowest: u64) -> i64 {
        let away = |from: Cell| {
            let cells = (0..100).map(|at| (at % 10 + 10 * sector.x, at / 10 + 10 * sector.y));
            let to = cells.map(|(x, y)| octile(from.x.abs_diff(x), from.y.abs_diff(y)));
            (lowest * to.min().unwrap_or(0)).cast_signed()
        };
        let pairs = points
            .iter()
            .flat_map(|&a| points.iter().map(move |&b| (a, b)));
        let gain = |((a, before), (b, after)): ((Cell, u64), (Cell, u64))| {
            before.cast_signed() - after.cast_signed() - away(a) - away(b)
        };
        pairs.map(gain).max().unwrap_or(0)
    }

    #[test]
    fn gain_is_positive_inside_a_bend_and_not_outside() {
        let gains = Gains {
            points: Points::of(&bend()),
            least: 100,
            ..Gains::default()
        };
        for (x, y, may) in [
            (13, 13, true),
            (13, 11, true),
            (13, 7, false),
            (4, 12, false),
        ] {
            assert_eq!(
                gains.may_be_in(Sector::new(x, y), Cost::OPEN),
                may,
                "{x}, {y}"
            );
        }
    }

    #[test]
    fn the_gain_is_the_highest_over_all_pairs_of_points() {
        let mut draw = crate::draws::draws(5);
        for turn in 0..60 {
            let mut number = |limit: u32| draw(limit) as i32;
            let drawn = (0..turn % 9 + 1).map(|_| {
                let cell = Cell::new(number(300), number(300));
                (cell, 100 + number(3000) as u64)
            });
            let points: Vec<(Cell, u64)> = drawn.collect();
            let (cost, lanes) = (1 + number(254) as u8 % 254, Points::of(&points));
            let cost = Cost::stored(cost);
            let sectors = (0..30).map(|_| Sector::new(number(30), number(30)));
            for sector in sectors.collect::<Vec<_>>() {
                let slow = slow_gain(&points, sector, cost.value().into());
                assert_eq!(lanes.gain(sector, cost), slow, "{points:?} in {sector}");
            }
        }
    }

    #[test]
    fn sector_gains_at_most_the_detour_of_the_whole_path() {
        let path = bend();
        let most = detour(&path[..1], &path[3..], 1);
        let sectors = (0..30).flat_map(|y| (0..30).map(move |x| Sector::new(x, y)));
        let gains = sectors.map(|sector| slow_gain(&path, sector, 1));
        assert!(gains.max().is_some_and(|highest| highest <= most));
        let straight = [(Cell::new(0, 0), 1000), (Cell::new(200, 0), 0)];
        assert_eq!(detour(&straight[..1], &straight[1..], 1), 63);
    }
}
