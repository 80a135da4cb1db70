//! What is seen from a point: the corners of walls, and the goal.
//!
//! The eye looks up and down, row by row. What it sees of a run of open cells is a window between
//! two rays; each run of the next row narrows it, and may split it:
//!
//! ```text
//!   ▓ ╲ · ╱ ▓ ╲ ╱ ▓     two runs: two windows
//!   ▓ ▓ ╲ · · · ╱ ▓     one run: one window
//!   · · · ╲ · ╱ · ·
//!           e           the eye
//! ```

use super::{AnyAngle, Point, cross};

/// A look up (`sign` -1) or down (1) from a point.
struct Look<'a> {
    eye: Point,
    sign: i64,
    goal: Point,
    sight: &'a mut Sight,
}

/// What has been seen from a point.
#[derive(Default)]
pub(super) struct Sight {
    pub(super) corners: Vec<usize>,
    pub(super) sees_goal: bool,
}

/// What is seen of a run of a row: all between two rays from the eye, each a way to the right
/// and ahead.
struct Window {
    row: i64,
    run: [i64; 2],
    rays: [Point; 2],
}

impl AnyAngle {
    /// Looks in all directions from the middle of a cell.
    pub(super) fn look_around(&self, eye: Point, goal: Point) -> Sight {
        let mut sight = Sight::default();
        for sign in [-1, 1] {
            let sight = &mut sight;
            let look = Look {
                eye,
                sign,
                goal,
                sight,
            };
            self.look_ahead(look, [[-1, 0], [1, 0]]);
        }
        sight
    }

    /// Looks from a corner between two directions, at most a quarter of a turn apart.
    pub(super) fn look(&self, node: usize, cone: &[Point; 2], goal: Point) -> Sight {
        let mut sight = Sight::default();
        let turn = cross(cone[0], cone[1]).signum();
        if turn == 0 {
            return sight; // Straight on: seen from the point before.
        }
        for side in [-1, 1] {
            let way = [side, 0];
            if cross(cone[0], way) * turn >= 0 && cross(way, cone[1]) * turn >= 0 {
                self.look_along(node, side, &mut sight);
            }
        }
        let eye = self.corners[node].at;
        for sign in [-1, 1] {
            let ways = cone.map(|[x, y]| [x, y * sign]);
            if ways.iter().any(|way| way[1] > 0) {
                let mut rays = ways.map(|[x, y]| if y > 0 { [x, y] } else { [x.signum(), 0] });
                if is_left(rays[1], rays[0]) {
                    rays.swap(0, 1);
                }
                let sight = &mut sight;
                let look = Look {
                    eye,
                    sign,
                    goal,
                    sight,
                };
                self.look_ahead(look, rays);
            }
        }
        sight
    }

    /// Looks along a line between two rows, up to where walls are on both sides or touch.
    fn look_along(&self, node: usize, side: i64, sight: &mut Sight) {
        let [from, line] = self.corners[node].at.map(|at| at / 2);
        let mut far = from;
        let mut before = [true; 2];
        loop {
            let beside = [line - 1, line].map(|row| self.run_at(row, 2 * far + side).is_some());
            if !(beside[0] && before[0] || beside[1] && before[1]) {
                break;
            }
            before = beside;
            far += side;
        }
        self.see_corners(line, [from.min(far), from.max(far)], sight);
    }

    /// Sees the corners of a line from one place to another.
    fn see_corners(&self, line: i64, [from, to]: [i64; 2], sight: &mut Sight) {
        let (begin, end) = (self.lines[line as usize], self.lines[line as usize + 1]);
        let line = &self.corners[begin..end];
        let first = line.partition_point(|corner| corner.at[0] < 2 * from);
        let after = line.partition_point(|corner| corner.at[0] <= 2 * to);
        sight.corners.extend(begin + first..begin + after);
    }

    /// Looks between two rays, row by row.
    fn look_ahead(&self, mut look: Look<'_>, rays: [Point; 2]) {
        let row = (look.eye[1] - i64::from(look.sign < 0)).div_euclid(2);
        let Some(run) = self.run_at(row, look.eye[0]) else {
            return;
        };
        let mut windows = Vec::new();
        windows.extend(look.enter(row, run, rays));
        while let Some(Window { row, run, rays }) = windows.pop() {
            let line = row + i64::from(look.sign > 0);
            self.see_corners(line, look.whole_between(line, rays), look.sight);
            let ahead = row + look.sign;
            let Some(runs) = self.runs.get(ahead as usize) else {
                continue;
            };
            let [left, right] = look.whole_around(line, rays);
            // Those with a common edge, which the window reaches.
            let first = runs.partition_point(|next| next[1] <= run[0] || next[1] < left);
            for &next in &runs[first..] {
                if next[0] >= run[1] || next[0] > right {
                    break;
                }
                if let Some(rays) = look.narrowed(line, next, rays) {
                    windows.extend(look.enter(ahead, next, rays));
                }
            }
        }
    }

    /// The run of a row in which, or at the end of which, a place lies.
    pub(super) fn run_at(&self, row: i64, x: i64) -> Option<[i64; 2]> {
        let runs = self.runs.get(row as usize)?;
        let run = *runs.get(runs.partition_point(|run| 2 * run[1] < x))?;
        (2 * run[0] <= x).then_some(run)
    }
}

impl Look<'_> {
    /// The direction of a point, to the right and ahead.
    fn ray(&self, [x, y]: Point) -> Point {
        [x - self.eye[0], (y - self.eye[1]) * self.sign]
    }

    /// Narrows the rays to what lies between two places of a line.
    fn narrowed(&self, line: i64, run: [i64; 2], [left, right]: [Point; 2]) -> Option<[Point; 2]> {
        let [first, last] = run.map(|x| self.ray([2 * x, 2 * line]));
        let left = if is_left(left, first) { first } else { left };
        let right = if is_left(last, right) { last } else { right };
        (!is_left(right, left)).then_some([left, right])
    }

    /// Looks into a run of a row, and returns the window at its far side.
    fn enter(&mut self, row: i64, run: [i64; 2], rays: [Point; 2]) -> Option<Window> {
        let is_in = 2 * run[0] < self.goal[0] && self.goal[0] < 2 * run[1];
        if is_in && self.goal[1] == 2 * row + 1 {
            let goal = self.ray(self.goal);
            self.sight.sees_goal |= !is_left(goal, rays[0]) && !is_left(rays[1], goal);
        }
        let rays = self.narrowed(row + i64::from(self.sign > 0), run, rays)?;
        Some(Window { row, run, rays })
    }

    /// The first and the last grid point of a line between the rays.
    fn whole_between(&self, line: i64, [left, right]: [Point; 2]) -> [i64; 2] {
        [
            -self.whole_left(line, left, -1),
            self.whole_left(line, right, 1),
        ]
    }

    /// The last grid point before the rays or on the left one, and the first behind them or on
    /// the right one.
    fn whole_around(&self, line: i64, [left, right]: [Point; 2]) -> [i64; 2] {
        [
            self.whole_left(line, left, 1),
            -self.whole_left(line, right, -1),
        ]
    }

    /// The last grid point left of a ray or on it; with `side` -1 on a mirrored map.
    fn whole_left(&self, line: i64, [x, ahead]: Point, side: i64) -> i64 {
        let far = (2 * line - self.eye[1]) * self.sign;
        (side * (self.eye[0] * ahead + x * far)).div_euclid(2 * ahead)
    }
}

/// Whether a ray lies left of another, both to the right and ahead or just aside.
const fn is_left(one: Point, other: Point) -> bool {
    cross(one, other) < 0
}
