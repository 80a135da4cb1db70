//! The shortest way of a point between walls, at any angle: what no walk can beat.
//!
//! Such a way is straight but at corners of walls, where it bends around the wall:
//!
//! ```text
//!   · · · · · ▓ ▓ · · ·     From S the search looks around for corners, A* takes the most
//!   · S · · · ▓ ▓ · G ·     promising, here a, and looks on from there: only to where a way
//!   · · ╲ · · ▓ ▓ · / ·     turns that comes from S and clings to the wall, between straight
//!   · · · ╲ · ▓ ▓ / · ·     on and along the wall's edge. So it finds b, and from there G.
//!   · · · · ╲ a─b · · ·
//! ```
//!
//! Corners are grid points of whose four cells one is a wall. A way may touch walls, but does not
//! pass between two that touch at a point. All that is seen is decided with whole numbers; only
//! lengths are rounded.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use flowtiles::{Cell, CostMap};

mod sight;

/// A point or a direction in half cells: the middle of a cell has odd coordinates, a corner even
/// ones.
type Point = [i64; 2];

/// The walls of a map, prepared for the search.
pub struct AnyAngle {
    /// The runs of open cells of each row: the first cell and the one after the last.
    runs: Vec<Vec<[i64; 2]>>,
    /// By line between rows, then from left to right.
    corners: Vec<Corner>,
    /// Where the corners of each line begin among them all.
    lines: Vec<usize>,
}

/// A corner of a wall around which a way may bend.
struct Corner {
    at: Point,
    /// The directions of the wall's two edges, away from the corner.
    edges: [Point; 2],
}

impl AnyAngle {
    /// Notes the walls of a map; costs do not count.
    pub fn new(costs: &CostMap) -> Self {
        let [width, height] = [costs.width(), costs.height()].map(i64::from);
        let is_wall = |x: i64, y: i64| {
            let cost = costs.get(Cell::new(x as i32, y as i32));
            cost.is_none_or(|cost| cost.is_wall())
        };
        let mut map = Self {
            runs: (0..height)
                .map(|y| runs(width, |x| is_wall(x, y)))
                .collect(),
            corners: Vec::new(),
            lines: Vec::new(),
        };
        for y in 0..=height {
            map.lines.push(map.corners.len());
            for x in 0..=width {
                let around = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
                let mut walls = around
                    .into_iter()
                    .filter(|[dx, dy]| is_wall(x + (dx - 1) / 2, y + (dy - 1) / 2));
                if let (Some([dx, dy]), None) = (walls.next(), walls.next()) {
                    let edges = [[dx, 0], [0, dy]];
                    let at = [2 * x, 2 * y];
                    map.corners.push(Corner { at, edges });
                }
            }
        }
        map.lines.push(map.corners.len());
        map
    }

    /// The length in cells of the shortest way between the middles of two open cells; `None` if
    /// no way leads there, or if all are longer than `bound`.
    pub fn length(&self, from: Cell, to: Cell, bound: f64) -> Option<f64> {
        let way = self.way(from, to, bound)?;
        let parts = way.windows(2);
        Some(
            parts
                .map(|ends| (ends[1][0] - ends[0][0]).hypot(ends[1][1] - ends[0][1]))
                .sum(),
        )
    }

    /// The shortest way itself: both ends and where it bends, in cells; `None` as of
    /// [`length`](Self::length).
    pub fn way(&self, from: Cell, to: Cell, bound: f64) -> Option<Vec<[f64; 2]>> {
        let [start, goal] = [from, to].map(|cell| [cell.x, cell.y].map(|at| 2 * i64::from(at) + 1));
        self.run_at(from.y.into(), start[0])?;
        self.run_at(to.y.into(), goal[0])?;
        // Nodes are the corners, then the goal, then the start.
        let (end, begin) = (self.corners.len(), self.corners.len() + 1);
        let place = |node: usize| match self.corners.get(node) {
            Some(corner) => corner.at,
            None if node == end => goal,
            None => start,
        };
        let mut lengths = vec![f64::INFINITY; begin + 1];
        let mut parents = vec![begin; begin + 1];
        let mut is_done = vec![false; begin + 1];
        lengths[begin] = 0.0;
        // Lengths are not negative, so their bits have their order.
        let mut queue = BinaryHeap::from([Reverse((0, begin))]);
        while let Some(Reverse((_, node))) = queue.pop() {
            if node == end {
                let mut way = vec![goal];
                let mut node = end;
                while node != begin {
                    node = parents[node];
                    way.push(place(node));
                }
                way.reverse();
                return Some(way.iter().map(|at| at.map(|at| at as f64 / 2.0)).collect());
            }
            if std::mem::replace(&mut is_done[node], true) {
                continue;
            }
            let sight = match self.corners.get(node) {
                Some(corner) => self.look(node, &corner.bend(place(parents[node])), goal),
                None => self.look_around(start, goal),
            };
            let nexts = sight.corners.into_iter();
            for next in nexts.chain(sight.sees_goal.then_some(end)) {
                let length = lengths[node] + distance(place(node), place(next));
                let least = length + distance(place(next), goal);
                if length < lengths[next]
                    && least <= bound * (1.0 + 1e-9)
                    && self.clings(next, place(node))
                {
                    lengths[next] = length;
                    parents[next] = node;
                    queue.push(Reverse((least.to_bits(), next)));
                }
            }
        }
        None
    }

    /// Whether a way from a point to a node touches the wall there, and does not end at it.
    fn clings(&self, node: usize, from: Point) -> bool {
        self.corners.get(node).is_none_or(|corner| {
            let way = minus(corner.at, from);
            let [one, other] = corner.edges.map(|edge| cross(way, edge).signum());
            one * other >= 0
        })
    }
}

impl Corner {
    /// Between which directions a way bends around the wall that comes from a point and clings to
    /// the wall: straight on, and along the wall's edge.
    fn bend(&self, from: Point) -> [Point; 2] {
        let ahead = minus(self.at, from);
        let [one, other] = self.edges.map(|[x, y]| ahead[0] * x + ahead[1] * y);
        [ahead, self.edges[usize::from(other > one)]]
    }
}

/// The runs of open cells of a row.
fn runs(width: i64, is_wall: impl Fn(i64) -> bool) -> Vec<[i64; 2]> {
    let mut runs: Vec<[i64; 2]> = Vec::new();
    for x in (0..width).filter(|&x| !is_wall(x)) {
        match runs.last_mut() {
            Some(run) if run[1] == x => run[1] += 1,
            _ => runs.push([x, x + 1]),
        }
    }
    runs
}

const fn cross([ax, ay]: Point, [bx, by]: Point) -> i64 {
    ax * by - ay * bx
}

const fn minus([ax, ay]: Point, [bx, by]: Point) -> Point {
    [ax - bx, ay - by]
}

/// The distance in cells.
fn distance(one: Point, other: Point) -> f64 {
    let [x, y] = minus(one, other).map(|far| far as f64 / 2.0);
    x.hypot(y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A map of random walls, and its cells row by row.
    fn strewn(random: &mut Random, [width, height]: [i32; 2], percent: i32) -> CostMap {
        let mut draw = || if random.below(100) < percent { 255 } else { 1 };
        let rows: Vec<u8> = (0..width * height).map(|_| draw()).collect();
        CostMap::from_rows(width as u32, height as u32, &rows).unwrap()
    }

    /// Whether a straight way is free, decided cell by cell, point by point.
    fn is_free(costs: &CostMap, from: Point, to: Point) -> bool {
        let wall = |x: i64, y: i64| {
            let cost = costs.get(Cell::new(x as i32, y as i32));
            cost.is_none_or(|cost| cost.is_wall())
        };
        let way = minus(to, from);
        let side = |x: i64, y: i64| cross(way, minus([x, y], from)).signum();
        let [low, high] = [0, 1].map(|end| {
            let pick = |axis: usize| [from[axis].min(to[axis]), from[axis].max(to[axis])][end];
            [pick(0), pick(1)]
        });
        let [width, height] = [costs.width(), costs.height()].map(i64::from);
        for (x, y) in (-1..=height).flat_map(|y| (-1..=width).map(move |x| (x, y))) {
            let [left, top] = [2 * x, 2 * y];
            let inside = left < high[0] && left + 2 > low[0] && top < high[1] && top + 2 > low[1];
            let around = [(0, 0), (2, 0), (0, 2), (2, 2)].map(|(dx, dy)| side(left + dx, top + dy));
            let is_cut = around.contains(&1) && around.contains(&-1);
            if wall(x, y) && inside && is_cut {
                return false;
            }
            // Two walls that touch at the cell's corner, or along its edges.
            let on = |px: i64, py: i64| {
                side(px, py) == 0
                    && (low[0]..=high[0]).contains(&px)
                    && (low[1]..=high[1]).contains(&py)
            };
            let [a, b, c, d] =
                [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(|(dx, dy)| wall(x + dx, y + dy));
            let is_inner = [left, top] != from && [left, top] != to;
            if is_inner && on(left, top) && (a && d && !b && !c || b && c && !a && !d) {
                return false;
            }
            let across = way[1] == 0 && from[1] == top && left < high[0] && left + 2 > low[0];
            let down = way[0] == 0 && from[0] == left && top < high[1] && top + 2 > low[1];
            if across && wall(x, y) && wall(x, y - 1) || down && wall(x, y) && wall(x - 1, y) {
                return false;
            }
        }
        true
    }

    /// The shortest way over all grid points, by trying all pairs.
    fn tried(costs: &CostMap, from: Cell, to: Cell) -> Option<f64> {
        let middle = |cell: Cell| [cell.x, cell.y].map(|at| 2 * i64::from(at) + 1);
        let mut points = vec![middle(from), middle(to)];
        let [width, height] = [costs.width(), costs.height()].map(i64::from);
        for (x, y) in (0..=height).flat_map(|y| (0..=width).map(move |x| (x, y))) {
            let walls = [(-1, -1), (0, -1), (-1, 0), (0, 0)].map(|(dx, dy)| {
                let cost = costs.get(Cell::new((x + dx) as i32, (y + dy) as i32));
                cost.is_none_or(|cost| cost.is_wall())
            });
            let touch = walls == [true, false, false, true] || walls == [false, true, true, false];
            if !touch && walls.contains(&false) {
                points.push([2 * x, 2 * y]);
            }
        }
        let mut lengths = vec![f64::INFINITY; points.len()];
        let mut left: Vec<usize> = (0..points.len()).collect();
        lengths[0] = 0.0;
        while !left.is_empty() {
            left.sort_by(|&one, &other| lengths[other].total_cmp(&lengths[one]));
            let here = left.pop()?;
            if here == 1 || lengths[here].is_infinite() {
                break;
            }
            for &next in &left {
                let length = lengths[here] + distance(points[here], points[next]);
                if length < lengths[next] && is_free(costs, points[here], points[next]) {
                    lengths[next] = length;
                }
            }
        }
        Some(lengths[1]).filter(|length| length.is_finite())
    }

    #[test]
    fn ways_are_as_short_as_by_trying_all_points() {
        let mut random = Random::new(5);
        let mut found = 0;
        for number in 0..400 {
            let size = [random.between(1, 11), random.between(1, 11)];
            let costs = strewn(&mut random, size, [10, 25, 40][number % 3]);
            let mut cell = || Cell::new(random.below(size[0]), random.below(size[1]));
            let [from, to] = [cell(), cell()];
            let is_open = |cell| costs.get(cell).is_some_and(|cost| !cost.is_wall());
            if !is_open(from) || !is_open(to) {
                continue;
            }
            let map = AnyAngle::new(&costs);
            let ours = map.length(from, to, f64::INFINITY);
            let all = tried(&costs, from, to);
            assert_eq!(ours.is_some(), all.is_some(), "{from} {to} {costs:?}");
            if let (Some(ours), Some(all)) = (ours, all) {
                assert!((ours - all).abs() < 1e-9, "{number}: {ours} {all}");
                assert!(map.length(from, to, ours).is_some());
                assert!(map.length(from, to, ours * 0.999).is_none() || ours == 0.0);
                found += 1;
            }
        }
        assert!(found > 100, "{found}");
    }

    #[test]
    fn ways_are_as_long_there_as_back() {
        let mut random = Random::new(6);
        let mut found = 0;
        for percent in [3, 10, 20, 30, 35] {
            let costs = strewn(&mut random, [120, 90], percent);
            let map = AnyAngle::new(&costs);
            for _ in 0..40 {
                let mut cell = || Cell::new(random.below(120), random.below(90));
                let [from, to] = [cell(), cell()];
                let lengths = [map.length(from, to, 1e9), map.length(to, from, 1e9)];
                assert_eq!(lengths[0].is_some(), lengths[1].is_some());
                if let [Some(there), Some(back)] = lengths {
                    assert!((there - back).abs() < 1e-9, "{from} {to}: {there} {back}");
                    found += 1;
                }
            }
        }
        assert!(found > 50, "{found}");
    }

    #[test]
    fn ways_by_hand() {
        // . . #
        // . # .
        // . . .
        let rows = [1, 1, 255, 1, 255, 1, 1, 1, 1];
        let map = AnyAngle::new(&CostMap::from_rows(3, 3, &rows).unwrap());
        let at = Cell::new;
        let way = map.way(at(1, 0), at(2, 1), f64::INFINITY).unwrap();
        let bends = [[1.5, 0.5], [1.0, 1.0], [1.0, 2.0], [2.0, 2.0], [2.5, 1.5]];
        assert_eq!(way, bends);
        assert_eq!(map.length(at(0, 0), at(2, 0), 99.0), None);
        let straight = map.length(at(0, 2), at(2, 2), 99.0);
        assert_eq!(straight, Some(2.0));
    }
}
