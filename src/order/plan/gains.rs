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

/// The points of paths at which costs are known, and the gain that counts.
#[derive(Clone, Default)]
pub(super) struct Gains {
    /// The portals on the paths, each with the cost of the path from there on.
    portals: Vec<(PortalId, u64)>,
    points: Vec<PathPoint>,
    /// The gain from which on a sector counts.
    least: i64,
}

/// A point on a path.
#[derive(Clone, Copy)]
struct PathPoint {
    cell: Cell,
    /// The cost of the path from there on.
    cost: i64,
}

impl Gains {
    /// Notes a portal on a path, and the cost of the path from there on.
    pub(super) fn note(&mut self, portal: PortalId, cost: u64) {
        if self.portals.len() < PORTALS {
            self.portals.push((portal, cost));
        }
    }

    /// Finds the points of the paths, once all portals are noted, and chooses the gain that
    /// counts.
    pub(super) fn begin(
        &mut self,
        map: &Map,
        search: &Search,
        goals: impl Iterator<Item = (Cell, u64)>,
    ) {
        let mut dearest = 0;
        for (cell, cost) in search.dearest_by_target() {
            self.add(cell, cost);
            dearest = cost.max(dearest);
        }
        for (portal, cost) in std::mem::take(&mut self.portals) {
            if let Some(place) = map.graph.place(portal) {
                self.add(place, cost);
            }
        }
        for (cell, cost) in goals.take(GOALS) {
            self.add(cell, cost);
        }
        self.least = (dearest / PART).max(1).cast_signed();
    }

    fn add(&mut self, cell: Cell, cost: u64) {
        let cost = i64::try_from(cost).unwrap_or(i64::MAX).min(i64::MAX / 4);
        self.points.push(PathPoint { cell, cost });
    }

    /// Whether a path may gain enough in a sector whose cheapest cell has this cost.
    pub(super) fn may_be_in(&self, sector: Sector, lowest: Cost) -> bool {
        let lowest = i64::from(lowest.value());
        let first = sector.origin();
        let gap = |at: i32, first: i32| {
            let last = first + SECTOR_SIDE - 1;
            (first - at).max(at - last).max(0).cast_unsigned()
        };
        let (mut before, mut after) = (i64::MIN / 4, i64::MIN / 4);
        for &PathPoint { cell, cost } in &self.points {
            let away = octile(gap(cell.x, first.x), gap(cell.y, first.y)).cast_signed();
            before = before.max(cost - away * lowest);
            after = after.max(-cost - away * lowest);
        }
        before + after >= self.least
    }

    /// Work of asking about one sector, in cells.
    pub(super) const fn work(&self) -> u64 {
        self.points.len() as u64 / 4
    }

    pub(super) fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<PathPoint>()
            + self.portals.capacity() * size_of::<(PortalId, u64)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path that goes 40 cells north, 60 east, and 40 south.
    fn bend() -> Gains {
        let mut gains = Gains {
            least: 100,
            ..Gains::default()
        };
        let steps = [([0, 40], 0), ([0, 0], 40), ([60, 0], 100), ([60, 40], 140)];
        for ([x, y], steps) in steps {
            gains.add(Cell::new(100 + x, 100 + y), 700 - 5 * steps);
        }
        gains
    }

    #[test]
    fn a_path_may_gain_inside_a_bend_and_not_outside() {
        let gains = bend();
        assert!(gains.may_be_in(Sector::new(13, 13), Cost::OPEN));
        assert!(gains.may_be_in(Sector::new(13, 11), Cost::OPEN));
        assert!(!gains.may_be_in(Sector::new(13, 7), Cost::OPEN));
        assert!(!gains.may_be_in(Sector::new(4, 12), Cost::OPEN));
        assert!(!gains.may_be_in(Sector::new(22, 12), Cost::OPEN));
    }

    #[test]
    fn the_bound_is_the_highest_over_all_pairs_of_points() {
        let mut gains = bend();
        for sector in (5..20).flat_map(|y| (5..20).map(move |x| Sector::new(x, y))) {
            let cells = (0..100).map(|at| (at % 10, at / 10));
            let cells: Vec<Cell> = cells
                .map(|(x, y)| Cell::new(10 * sector.x + x, 10 * sector.y + y))
                .collect();
            let away = |point: &PathPoint| {
                let to = |cell: &Cell| {
                    octile(point.cell.x.abs_diff(cell.x), point.cell.y.abs_diff(cell.y))
                };
                cells.iter().map(to).min().unwrap().cast_signed()
            };
            let pairs = gains
                .points
                .iter()
                .flat_map(|a| gains.points.iter().map(move |b| (a, b)));
            let highest = pairs
                .map(|(a, b)| a.cost - b.cost - away(a) - away(b))
                .max()
                .unwrap();
            for least in [highest, highest + 1] {
                gains.least = least;
                assert_eq!(gains.may_be_in(sector, Cost::OPEN), least == highest);
            }
        }
    }
}
