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

use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasherDefault;

use ahash::AHasher;

use super::{Goal, UnreachablePolicy};
use crate::cost::CostMap;
use crate::grid::{Cell, CellRect, Direction};
use crate::islands::Island;
use crate::map::Map;

/// Never iterated, and hashed with the same keys in every run.
type CellSet = HashSet<Cell, BuildHasherDefault<AHasher>>;

/// The most columns and rows of an obstacle whose sides all count, and of a court.
const WIDEST: u32 = 64;
/// Of a larger obstacle those cells count that are at most twice as many steps away as the
/// nearest and these.
const MORE_STEPS: u32 = 8;
/// The most steps to a cell around a larger obstacle: no wider than what was looked through
/// when it turned out to be larger.
const MOST_STEPS: u32 = WIDEST / 2;
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
            cells_around(costs, CellSet::from_iter([this.cell]), &[this.cell])
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
    let Some(Court {
        seen,
        walls,
        bounds,
    }) = Court::at(costs, cell)
    else {
        return Vec::new();
    };
    let island = |cell| islands.of(costs, cell);
    let mut entries = map.links.open().iter();
    let here = island(cell);
    if entries.any(|link| island(link.exit) == here && island(link.entry) != here) {
        return Vec::new();
    }
    let mut around: Vec<(Island, Cell)> = cells_around(costs, seen, &walls)
        .into_iter()
        .filter_map(|cell| Some((island(cell)?, cell)))
        .collect();
    around.sort_unstable_by_key(|&(island, cell)| (island, cell.y, cell.x));
    let wider = bounds.grown(1);
    let is_around = |cells: &&[(Island, Cell)]| {
        let each = cells.iter().map(|&(_, cell)| CellRect::from(cell));
        let all = each.reduce(|all, one| all.around(one));
        all.is_some_and(|all| all.intersection(wider) == wider)
    };
    let outer = around
        .chunk_by(|&(one, _), &(other, _)| one == other)
        .filter(is_around)
        .flatten()
        .map(|&(_, cell)| cell)
        .collect();
    in_rows(costs, outer)
}

/// The open cells that hang together with one, and the walls beside them.
struct Court {
    /// All these cells.
    seen: CellSet,
    walls: Vec<Cell>,
    /// Around the open cells.
    bounds: CellRect,
}

impl Court {
    /// Returns the court with a cell; `None` if it is too wide.
    fn at(costs: &CostMap, cell: Cell) -> Option<Self> {
        let mut court = Self {
            seen: CellSet::from_iter([cell]),
            walls: Vec::new(),
            bounds: cell.into(),
        };
        // The last cell first: on open ground that is a straight line to the outside.
        let mut next = vec![cell];
        while let Some(open) = next.pop() {
            court.bounds = court.bounds.around(open.into());
            if is_wide(court.bounds) {
                return None;
            }
            for beside in sides(open) {
                if costs.extent().contains(beside) && court.seen.insert(beside) {
                    if costs.is_open(beside) {
                        next.push(beside);
                    } else {
                        court.walls.push(beside);
                    }
                }
            }
        }
        Some(court)
    }
}

/// Returns the open cells around all walls that hang together with these, row by row; of walls
/// that are too wide those that are near. Cells that were seen before do not count.
fn cells_around(costs: &CostMap, mut seen: CellSet, walls: &[Cell]) -> Vec<Cell> {
    let extent = costs.extent();
    let mut next: VecDeque<(Cell, u32)> = walls.iter().map(|&wall| (wall, 0)).collect();
    let mut bounds: Option<CellRect> = None;
    let mut around: Vec<(Cell, u32)> = Vec::new();
    let mut most = u32::MAX;
    while let Some((wall, steps)) = next.pop_front() {
        let all = bounds.map_or(wall.into(), |bounds| bounds.around(wall.into()));
        bounds = Some(all);
        if is_wide(all) {
            let nearest = around.first().map_or(MOST_STEPS, |&(_, steps)| steps);
            most = (2 * nearest + MORE_STEPS).min(MOST_STEPS);
        }
        if steps >= most {
            break;
        }
        for direction in Direction::ALL {
            let beside = wall.step(direction);
            let is_open = costs.is_open(beside);
            // Walls that touch by a corner only are two obstacles.
            let is_part = is_open || !direction.is_diagonal();
            if is_part && extent.contains(beside) && seen.insert(beside) {
                if is_open {
                    around.push((beside, steps + 1));
                } else {
                    next.push_back((beside, steps + 1));
                }
            }
        }
    }
    around.retain(|&(_, steps)| steps <= most);
    in_rows(costs, around.into_iter().map(|(cell, _)| cell).collect())
}

const fn is_wide(bounds: CellRect) -> bool {
    bounds.width > WIDEST || bounds.height > WIDEST
}

fn sides(cell: Cell) -> impl Iterator<Item = Cell> {
    let straight = Direction::ALL.into_iter().filter(|way| !way.is_diagonal());
    straight.map(move |way| cell.step(way))
}

fn in_rows(costs: &CostMap, mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_unstable_by_key(|&cell| costs.extent().cell_id(cell));
    cells
}

/// Returns at most `most` of these cells. Most of those that are left out
/// are a few steps along the others from one that is not, on the same side of all walls.
fn thinned(cells: Vec<Cell>, most: usize) -> Vec<Cell> {
    let mut kept = cells.clone();
    let mut steps = 1;
    while kept.len() > most && steps < WIDEST {
        kept = apart(&cells, steps);
        steps *= 2;
    }
    let every = kept.len().div_ceil(most.max(1)).max(1);
    kept.into_iter().step_by(every).take(most).collect()
}

/// Picks from these cells some of which each is more than `steps` steps from all others, walked
/// along the cells.
fn apart(cells: &[Cell], steps: u32) -> Vec<Cell> {
    let mut missing: CellSet = cells.iter().copied().collect();
    let mut kept = Vec::new();
    for &cell in cells {
        if !missing.remove(&cell) {
            continue;
        }
        kept.push(cell);
        let mut edge = vec![cell];
        for _ in 0..steps {
            let beside = edge.into_iter().flat_map(sides);
            edge = beside.filter(|cell| missing.remove(cell)).collect();
        }
    }
    kept
}
