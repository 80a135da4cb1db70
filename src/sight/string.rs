//! A path pulled tight: from a path of cells to the few points between which it runs straight.
//!
//! ```text
//!   a ─ ─ ─ ─ ─ ─ b      The string lies along the path a, b, c. Where c is in sight of a, b falls
//!   ▓ ╲ · w · · · │      away. Here walls stick into the triangle of the three, so b gives way to
//!   ▓ ▓ ▓ ▓ ╲ · · │      the corners that hold the string on b's side, a hull: to w alone.
//!   ▓ ▓ ▓ ▓ · · ╲ c
//! ```
//!
//! It is pulled until no three points in a row give anything. Each change must lower the toll,
//! the length over each cell times its cost, so a string never costs more than its path.
//!
//! All is in integers, like [sight](super) itself.

use super::{CELL, FINE, Sight, SightGround, round};
use crate::cost::{Cost, CostMap};
use crate::grid::{Cell, SECTOR_SIDE};

/// A point, in 256ths of a cell.
type Point = [i32; 2];

/// Changes for each point of the path after which the string is tight enough.
const CHANGES: usize = 16;

/// The ground and the body for which a string is pulled.
#[derive(Clone, Copy)]
pub(crate) struct Pull<'a> {
    pub(crate) costs: &'a CostMap,
    /// As of a [`Sight`].
    pub(crate) clearance: i32,
}

/// What a straight line goes over.
#[derive(Clone, Copy, Default)]
struct Toll {
    /// Its length over each cell times the cost of the cell, in 4096ths.
    toll: u64,
    highest: u8,
}

impl Pull<'_> {
    /// Pulls a path of straight pieces tight: each point falls away, or gives way to the corners
    /// that hold the string. The ends stay.
    pub(crate) fn tight(self, mut points: Vec<Point>) -> Vec<Point> {
        let mut changes = CHANGES * points.len();
        let mut at = 1;
        while at + 1 < points.len() && changes > 0 {
            match self.around([points[at - 1], points[at], points[at + 1]]) {
                Some(corners) => {
                    points.splice(at..=at, corners);
                    at = (at - 1).max(1);
                    changes -= 1;
                }
                None => at += 1,
            }
        }
        points
    }

    /// Returns what the middle one of three points gives way to; `None` if it stays.
    fn around(self, [from, middle, to]: [Point; 3]) -> Option<Vec<Point>> {
        let now = [from, middle, to];
        let is_straight = turn(from, middle, to) == 0;
        if is_straight && self.is_free(&[from, to]) || self.is_cheaper(&[from, to], &now) {
            return Some(Vec::new());
        }
        if is_straight {
            return None;
        }
        let highest = now.windows(2).map(|ends| self.toll(ends).highest).max()?;
        let highest = Cost::new(highest).ok().filter(|cost| !cost.is_wall())?;
        let corners = self.corners_in(now, highest);
        let string = hull(now, &corners);
        (string != now && self.is_cheaper(&string, &now))
            .then(|| string[1..string.len() - 1].to_vec())
    }

    /// Whether a string is free, and costs less than the present one.
    fn is_cheaper(self, string: &[Point], present: &[Point]) -> bool {
        let toll = |string: &[Point]| -> u64 {
            let pieces = string.windows(2);
            pieces.map(|ends| self.toll(ends).toll).sum()
        };
        string.windows(2).all(|ends| self.is_free(ends)) && toll(string) < toll(present)
    }

    /// Whether no wall is in the way. One that begins beside a wall is free as a unit's sight is,
    /// from either end.
    fn is_free(self, ends: &[Point]) -> bool {
        let sight = Sight {
            clearance: self.clearance,
            highest: Cost::HIGHEST,
        };
        let back = || self.clearance > 0 && sight.over(self.costs, ends[1], ends[0]);
        sight.over(self.costs, ends[0], ends[1]) || back()
    }

    /// Returns the toll of a straight line, walls included.
    fn toll(self, ends: &[Point]) -> Toll {
        let [from, to] = [ends[0], ends[1]].map(|end| end.map(i64::from));
        let way = [to[0] - from[0], to[1] - from[1]];
        let square = (way[0] * way[0] + way[1] * way[1]) as u64;
        let length = (square << 8).isqrt();
        let mut cell = [from[0].div_euclid(CELL), from[1].div_euclid(CELL)];
        let last = [to[0].div_euclid(CELL), to[1].div_euclid(CELL)];
        let step = way.map(i64::signum);
        // How much of the line lies before it leaves the cell along an axis.
        let share = |cell: i64, axis: usize| {
            let border = (cell + i64::from(step[axis] > 0)) * CELL;
            ((border - from[axis]) * WHOLE).checked_div(way[axis])
        };
        let (mut before, mut sum, mut highest) = (0, 0, 0);
        loop {
            let next = |axis: usize| {
                let goes_on = cell[axis] != last[axis];
                share(cell[axis], axis).filter(|_| goes_on).unwrap_or(WHOLE)
            };
            let [east, south] = [next(0), next(1)];
            let until = east.min(south).clamp(before, WHOLE);
            let here = Cell::new(cell[0] as i32, cell[1] as i32);
            let cost = self.costs.get(here).unwrap_or(Cost::WALL).value();
            if until > before {
                highest = cost.max(highest);
            }
            sum += u64::from(cost) * (until - before) as u64;
            before = until;
            if cell == last {
                let toll = (sum * length) >> WHOLE.ilog2();
                return Toll { toll, highest };
            }
            let axis = usize::from(cell[0] == last[0] || south < east && cell[1] != last[1]);
            cell[axis] += step[axis];
        }
    }

    /// Returns the corners that hold a string, of cells harder than `highest`, as far as they lie
    /// in a triangle.
    fn corners_in(self, triangle: [Point; 3], highest: Cost) -> Vec<Point> {
        let reach = round(self.clearance.into()) as i32 + 1;
        let costs = self.costs;
        let holds = |x: i32, y: i32| {
            let cost = costs.get(Cell::new(x, y)).unwrap_or(Cost::WALL);
            (cost > highest).then_some(cost)
        };
        let mut corners = Vec::new();
        for [y, mut x, east] in rows(triangle, reach) {
            while x <= east {
                // To the end of the sector at once, if all in it are open.
                let end = east.min(x - x.rem_euclid(SECTOR_SIDE) + SECTOR_SIDE - 1);
                if costs.is_known_at_most(highest, Cell::new(x, y), Cell::new(end, y)) {
                    x = end + 1;
                    continue;
                }
                if let Some(cost) = holds(x, y) {
                    // Dear cells are not grown, as for sight.
                    let clearance = if cost.is_wall() { self.clearance } else { 0 };
                    for [dx, dy] in [[-1, -1], [1, -1], [-1, 1], [1, 1]] {
                        let around = [[x + dx, y], [x, y + dy], [x + dx, y + dy]];
                        let is_corner = || around.iter().all(|&[x, y]| holds(x, y).is_none());
                        for [far, near] in bevel(clearance) {
                            let corner = [corner(x, dx, far), corner(y, dy, near)];
                            if is_within(triangle, corner) && is_corner() {
                                corners.push(corner);
                            }
                        }
                    }
                }
                x += 1;
            }
        }
        corners
    }
}

/// The parts of a line in which its share in a cell is counted.
const WHOLE: i64 = 1 << 20;

/// Returns the rows of cells that come within `reach` of a triangle, each with its first and its
/// last column.
fn rows(triangle: [Point; 3], reach: i32) -> impl Iterator<Item = [i32; 3]> {
    let ys = triangle.map(|[_, y]| y);
    let [north, south] = [ys.iter().min(), ys.iter().max()].map(|end| *end.unwrap_or(&0));
    let [a, b, c] = triangle;
    let cell = |fine: i32| fine.div_euclid(FINE);
    (cell(north - reach)..=cell(south + reach)).map(move |row| {
        let band = [row * FINE - reach, (row + 1) * FINE + reach];
        let (mut west, mut east) = (i32::MAX, i32::MIN);
        for [from, to] in [[a, b], [b, c], [c, a]] {
            let [low, high] = [from[1].min(to[1]), from[1].max(to[1])];
            if high < band[0] || low > band[1] {
                continue;
            }
            for y in band.map(|y| y.clamp(low, high)) {
                let x = across(from, to, y);
                (west, east) = (west.min(x[0]), east.max(x[1]));
            }
        }
        [row, cell(west - reach - 1), cell(east + reach + 1)]
    })
}

/// Returns between which columns a line lies at a height, of those between its ends.
fn across(from: Point, to: Point, y: i32) -> [i32; 2] {
    let down = i64::from(to[1] - from[1]);
    let at = i64::from(y - from[1]) * i64::from(to[0] - from[0]);
    match at.checked_div(down) {
        Some(x) => [from[0] + x as i32; 2],
        None => [from[0].min(to[0]), from[0].max(to[0])],
    }
}

/// Returns by how much a corner is grown along both axes, so that lines past it are free: at two
/// points, the ends of a bevel that touches the round corner.
fn bevel(clearance: i32) -> [[i32; 2]; 2] {
    let far = round(clearance.into()) as i32 + 1;
    // tan 22.5° in 256ths is a little less than 107.
    let near = (far * 107 + FINE - 1) / FINE;
    [[far, near], [near, far]]
}

/// Returns where a corner of a cell lies along an axis, `reach` beyond the cell.
const fn corner(cell: i32, side: i32, reach: i32) -> i32 {
    let edge = if side < 0 { cell } else { cell + 1 };
    edge * FINE + side * reach
}

/// Returns more than 0 if `to` lies to the right of the line from `from` to `over`.
fn turn(from: Point, over: Point, to: Point) -> i64 {
    let way = |end: Point| [0, 1].map(|axis| i64::from(end[axis]) - i64::from(from[axis]));
    let ([ax, ay], [bx, by]) = (way(over), way(to));
    ax * by - ay * bx
}

fn is_within([a, b, c]: [Point; 3], at: Point) -> bool {
    let side = turn(a, b, c).signum();
    [[a, b], [b, c], [c, a]]
        .iter()
        .all(|&[from, over]| turn(from, over, at) * side >= 0)
}

/// Returns the shortest string from the first to the last of three points that leaves none of
/// the corners, all within the triangle, on the side of the middle one.
fn hull([from, middle, to]: [Point; 3], corners: &[Point]) -> Vec<Point> {
    let side = turn(from, to, middle).signum();
    let far = |from: Point, to: Point| -> i64 {
        [0, 1]
            .map(|axis| (i64::from(to[axis]) - i64::from(from[axis])).pow(2))
            .iter()
            .sum()
    };
    let mut string = vec![from];
    let mut at = from;
    while at != to && string.len() <= corners.len() + 1 {
        let mut next = to;
        for &corner in corners.iter().filter(|&&corner| corner != at) {
            let turns = turn(at, next, corner) * side;
            if turns > 0 || turns == 0 && far(at, corner) > far(at, next) && next != to {
                next = corner;
            }
        }
        string.push(next);
        at = next;
    }
    string
}
