//! The ground around an obstacle, such as a building.
//!
//! If units are sent to a building, it does not matter which of its cells was pointed
//! at: they are to come to the side that they reach first. So a goal in an obstacle stands for the
//! open cells around it:
//!
//! ```text
//!   . . . . . . .      #  the obstacle: walls that hang together by their sides
//!   . o o o o o .      G  the goal
//!   . o # G # o .      o  where units may go instead
//!   . o # # # o .
//!   . o o o o o .
//! ```
//!
//! The sides of a large obstacle (a mountain, a city wall with huts against it) are too far
//! apart to be one place. Of such an obstacle the cells near the goal count: those that are
//! not much more steps away through the walls than the nearest.
//!
//! A closed court is open, but units can only come to the walls around it. If an island
//! lies around these on all four sides, they are an obstacle too:
//!
//! ```text
//!   o o o o o o        A room of a dungeon, with other islands on its sides, is no court:
//!   o # # # # o        the nearest cell to the goal is chosen from all cells there.
//!   o # . G # o
//!   o # # # # o
//!   o o o o o o
//! ```

use std::collections::VecDeque;

use super::{Goal, UnreachablePolicy};
use crate::cost::CostMap;
use crate::grid::{Cell, Direction};
use crate::islands::Island;
use crate::map::Map;

/// The most columns and rows of an obstacle whose sides all count, and of a court.
const WIDEST: i32 = 64;
/// How far from one of its cells, or from the middle of a court, such an obstacle and what is
/// around it reach.
const REACH: i32 = WIDEST + MOST_STEPS;
const SQUARE: usize = 2 * REACH as usize + 1;
/// Of a larger obstacle those cells count that are at most twice as many steps away as the
/// nearest and these.
const MORE_STEPS: i32 = 8;
/// The most steps to a cell around a larger obstacle: no wider than what was looked through
/// when it turned out to be larger.
const MOST_STEPS: i32 = WIDEST / 2;
/// The most pockets of a court: it lies in 8 × 8 sectors, and every other cell of a sector
/// may be a pocket.
const MOST_POCKETS: u32 = 8 * 8 * 50;
/// The most cells that are added to a goal.
const MOST_CELLS: usize = 128;

impl Goal {
    /// Returns the goal of an order to this goal, on ground as it is now: if this is a
    /// single cell in an obstacle and [`or_nearest`](Self::or_nearest), the open cells
    /// around the obstacle are added; some of them if that makes more than `most` cells.
    pub(crate) fn with_sides(self, map: &Map, most: u32) -> Self {
        let this = self.without_sides();
        if this.is_strict() || this.others.is_some() {
            return this;
        }
        let costs = &map.costs;
        let around = if costs.is_open(this.cell) {
            cells_around_court(map, this.cell)
        } else {
            Obstacle::at(this.cell).cells_around(costs)
        };
        if around.is_empty() {
            return this;
        }
        let most = (most as usize).saturating_sub(1).min(MOST_CELLS);
        let (around, start_cost) = (thinned(around, most), this.start_cost);
        around
            .into_iter()
            .fold(this, |goal, cell| goal.or_at(cell, start_cost))
            .or_nearest_side()
    }

    /// Returns the goal that was asked for: without sides, if it has them.
    pub(super) fn without_sides(mut self) -> Self {
        if self.has_sides() {
            self.others = None;
            self.unreachable_policy = UnreachablePolicy::Nearest;
        }
        self
    }
}

/// Returns the open cells around the court with this cell, row by row; none if it is no
/// closed court, or too large.
fn cells_around_court(map: &Map, cell: Cell) -> Vec<Cell> {
    let (costs, islands) = (&map.costs, &map.islands);
    if islands.count() == 1
        || islands
            .of(costs, cell)
            .is_none_or(|island| islands.pockets_in(island) > MOST_POCKETS)
    {
        return Vec::new();
    }
    let Some((obstacle, bounds)) = Obstacle::of_court(costs, cell) else {
        return Vec::new();
    };
    let island = |cell| islands.of(costs, cell);
    let mut entries = map.links.open().iter();
    let here = island(cell);
    if entries.any(|link| island(link.exit) == here && island(link.entry) != here) {
        return Vec::new();
    }
    let mut around: Vec<(Island, Cell)> = obstacle
        .cells_around(costs)
        .into_iter()
        .filter_map(|cell| Some((island(cell)?, cell)))
        .collect();
    around.sort_unstable_by_key(|&(island, cell)| (island, cell.y, cell.x));
    let outer = around
        .chunk_by(|&(one, _), &(other, _)| one == other)
        .filter(|cells| {
            let all = ObstacleBounds::around(cells.iter().map(|(_, cell)| cell));
            all.is_some_and(|all| all.are_around(bounds))
        })
        .flatten()
        .map(|&(_, cell)| cell)
        .collect();
    in_rows(costs, outer)
}

/// Walls that were found, and what has been seen around a cell in their middle.
struct Obstacle {
    seen: ObstacleSquare,
    /// Those around which nothing was looked at yet, each with its steps from the first.
    next: VecDeque<(Cell, i32)>,
    bounds: ObstacleBounds,
}

impl Obstacle {
    fn at(wall: Cell) -> Self {
        let mut seen = ObstacleSquare::around(wall);
        seen.add(wall);
        Self {
            seen,
            next: VecDeque::from([(wall, 0)]),
            bounds: ObstacleBounds::of(wall),
        }
    }

    /// Returns the walls beside the open cells that hang together with this one, and the
    /// bounds of these cells; `None` if they are too wide or have no walls.
    fn of_court(costs: &CostMap, cell: Cell) -> Option<(Self, ObstacleBounds)> {
        let mut seen = ObstacleSquare::around(cell);
        seen.add(cell);
        let (mut court, mut bounds) = (vec![cell], ObstacleBounds::of(cell));
        let (mut cells, mut walls) = (vec![cell], Vec::new());
        // The last cell first: on open ground that is a straight line to the outside.
        while let Some(open) = court.pop() {
            bounds = bounds.with(open);
            if bounds.are_wide() {
                return None;
            }
            for direction in Direction::ALL {
                let next = open.step(direction);
                let is_beside = !direction.is_diagonal() && costs.extent().contains(next);
                if is_beside && seen.add(next) {
                    if costs.is_open(next) {
                        court.push(next);
                    } else {
                        walls.push(next);
                    }
                    cells.push(next);
                }
            }
        }
        let first = *walls.first()?;
        // What is around the walls is seen from the court's middle, wherever the cell is.
        let mut seen = ObstacleSquare::around(bounds.middle());
        for cell in cells {
            seen.add(cell);
        }
        let obstacle = Self {
            seen,
            next: walls.into_iter().map(|wall| (wall, 0)).collect(),
            bounds: ObstacleBounds::of(first),
        };
        Some((obstacle, bounds))
    }

    /// Returns the open cells around all walls that hang together with these, row by row;
    /// of walls that are too wide those that are near.
    fn cells_around(mut self, costs: &CostMap) -> Vec<Cell> {
        let extent = costs.extent();
        let mut around: Vec<(Cell, i32)> = Vec::new();
        let mut most = i32::MAX;
        while let Some((wall, steps)) = self.next.pop_front() {
            self.bounds = self.bounds.with(wall);
            if self.bounds.are_wide() {
                let nearest = around.first().map_or(MOST_STEPS, |&(_, steps)| steps);
                most = (2 * nearest + MORE_STEPS).min(MOST_STEPS);
            }
            if steps >= most {
                break;
            }
            for direction in Direction::ALL {
                let next = wall.step(direction);
                let is_open = costs.is_open(next);
                // Walls that touch by a corner only are two obstacles.
                let is_part = is_open || !direction.is_diagonal();
                if is_part && extent.contains(next) && self.seen.add(next) {
                    if is_open {
                        around.push((next, steps + 1));
                    } else {
                        self.next.push_back((next, steps + 1));
                    }
                }
            }
        }
        around.retain(|&(_, steps)| steps <= most);
        in_rows(costs, around.into_iter().map(|(cell, _)| cell).collect())
    }
}

fn in_rows(costs: &CostMap, mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_unstable_by_key(|&cell| costs.extent().cell_id(cell));
    cells
}

/// Returns at most `most` of these cells. Most of those that are left out
/// are a few steps along the others from one that is not, on the same side of all walls.
fn thinned(cells: Vec<Cell>, most: usize) -> Vec<Cell> {
    let Some(middle) = ObstacleBounds::around(&cells).map(ObstacleBounds::middle) else {
        return cells;
    };
    let mut kept = cells.clone();
    let mut steps = 1;
    while kept.len() > most && steps < WIDEST {
        kept = apart(&cells, middle, steps);
        steps *= 2;
    }
    let every = kept.len().div_ceil(most.max(1)).max(1);
    kept.into_iter().step_by(every).take(most).collect()
}

/// Picks from these cells some of which each is more than `steps` steps from all others, walked
/// along the cells.
fn apart(cells: &[Cell], middle: Cell, steps: i32) -> Vec<Cell> {
    let mut missing = ObstacleSquare::around(middle);
    for &cell in cells {
        missing.add(cell);
    }
    let mut kept = Vec::new();
    for &cell in cells {
        if !missing.remove(cell) {
            continue;
        }
        kept.push(cell);
        let mut edge = vec![cell];
        for _ in 0..steps {
            let sides = Direction::ALL.into_iter().filter(|way| !way.is_diagonal());
            let beside = |&cell: &Cell| sides.clone().map(move |way| cell.step(way));
            let next: Vec<Cell> = edge.iter().flat_map(beside).collect();
            edge = next
                .into_iter()
                .filter(|&cell| missing.remove(cell))
                .collect();
        }
    }
    kept
}

/// The least and greatest columns and rows of some cells.
#[derive(Clone, Copy)]
struct ObstacleBounds {
    low: Cell,
    high: Cell,
}

impl ObstacleBounds {
    const fn of(cell: Cell) -> Self {
        Self {
            low: cell,
            high: cell,
        }
    }

    fn with(self, cell: Cell) -> Self {
        let (low, high) = (self.low, self.high);
        Self {
            low: Cell::new(low.x.min(cell.x), low.y.min(cell.y)),
            high: Cell::new(high.x.max(cell.x), high.y.max(cell.y)),
        }
    }

    /// Those of some cells; `None` if there are none.
    fn around<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Option<Self> {
        let each = cells.into_iter().copied().map(Self::of);
        each.reduce(|all, one| all.with(one.low))
    }

    const fn middle(self) -> Cell {
        let Self { low, high } = self;
        Cell::new((low.x + high.x) / 2, (low.y + high.y) / 2)
    }

    const fn are_wide(self) -> bool {
        self.high.x - self.low.x >= WIDEST || self.high.y - self.low.y >= WIDEST
    }

    /// Whether these reach farther on all four sides.
    const fn are_around(self, other: Self) -> bool {
        self.low.x < other.low.x
            && self.low.y < other.low.y
            && self.high.x > other.high.x
            && self.high.y > other.high.y
    }
}

/// Cells around a middle, each in it or not.
struct ObstacleSquare {
    corner: Cell,
    words: Vec<u64>,
}

impl ObstacleSquare {
    fn around(middle: Cell) -> Self {
        Self {
            corner: Cell::new(middle.x - REACH, middle.y - REACH),
            words: vec![0; (SQUARE * SQUARE).div_ceil(64)],
        }
    }

    /// Returns the word and the bit of a cell; `None` outside.
    fn bit_of(&self, cell: Cell) -> Option<(usize, u64)> {
        let (x, y) = (cell.x - self.corner.x, cell.y - self.corner.y);
        let within = 0..SQUARE as i32;
        (within.contains(&x) && within.contains(&y)).then(|| {
            let at = y as usize * SQUARE + x as usize;
            (at / 64, 1 << (at % 64))
        })
    }

    /// Adds a cell. Returns whether it was missing; `false` outside.
    fn add(&mut self, cell: Cell) -> bool {
        let Some((word, bit)) = self.bit_of(cell) else {
            return false;
        };
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Takes a cell out. Returns whether it was in it.
    fn remove(&mut self, cell: Cell) -> bool {
        let Some((word, bit)) = self.bit_of(cell) else {
            return false;
        };
        let was_in = self.words[word] & bit != 0;
        self.words[word] &= !bit;
        was_in
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_holds_each_cell_up_to_its_reach() {
        let middle = Cell::new(-40, 1000);
        let mut square = ObstacleSquare::around(middle);
        let around = || {
            let offsets = -REACH - 1..=REACH + 1;
            let all = offsets
                .clone()
                .flat_map(move |y| offsets.clone().map(move |x| (x, y)));
            all.map(|(x, y)| {
                let is_reached = x.abs() <= REACH && y.abs() <= REACH;
                (Cell::new(middle.x + x, middle.y + y), is_reached)
            })
        };
        for (cell, is_reached) in around() {
            assert!(!square.remove(cell), "{cell}");
            assert_eq!(square.add(cell), is_reached, "{cell}");
            assert!(!square.add(cell), "{cell}");
        }
        for (cell, is_reached) in around() {
            assert_eq!(square.remove(cell), is_reached, "{cell}");
        }
    }
}
