//! The ground around a small obstacle, such as a building.
//!
//! Nobody who sends units to a building cares which of its cells was pointed at: they
//! are to come to the side that they reach first. So a goal in a small obstacle stands
//! for all open cells around it:
//!
//! ```text
//!   . . . . . . .      #  the obstacle: walls that hang together by their sides,
//!   . o o o o o .         at most 16 columns and 16 rows of them
//!   . o # G # o .      G  the goal
//!   . o # # # o .      o  where units may go instead
//!   . o o o o o .
//! ```
//!
//! Larger obstacles (a mountain, a lake) have sides too far apart to be one place.

use super::{Goal, UnreachablePolicy};
use crate::cost::CostMap;
use crate::grid::{Cell, Direction};

/// The most columns and rows of a small obstacle.
const WIDEST: i32 = 16;
/// The columns and rows in which a small obstacle and what is around it lie, if one of its
/// cells is in their middle.
const SQUARE: usize = 2 * WIDEST as usize + 1;

impl Goal {
    /// Returns the goal of an order to this goal, on ground as it is now: if this is a
    /// single cell in a small obstacle and [`or_nearest`](Self::or_nearest), the open
    /// cells around the obstacle are added, unless that makes more than `most` cells.
    pub(crate) fn with_sides(self, costs: &CostMap, most: u32) -> Self {
        if self.unreachable_policy == UnreachablePolicy::Refuse
            || self.others.is_some()
            || costs.is_open(self.cell)
        {
            return self;
        }
        let (around, start_cost) = (cells_around(costs, self.cell), self.start_cost);
        if around.len() >= most as usize {
            return self;
        }
        let around = around.into_iter();
        around.fold(self, |goal, cell| goal.or_at(cell, start_cost))
    }
}

/// Returns the open cells around the obstacle with this cell, row by row; none if it is
/// too large.
fn cells_around(costs: &CostMap, cell: Cell) -> Vec<Cell> {
    let extent = costs.extent();
    let (mut low, mut high) = (cell, cell);
    let mut seen = Square::around(cell);
    let (mut walls, mut around) = (vec![cell], Vec::new());
    seen.add(cell);
    while let Some(wall) = walls.pop() {
        low = Cell::new(low.x.min(wall.x), low.y.min(wall.y));
        high = Cell::new(high.x.max(wall.x), high.y.max(wall.y));
        if high.x - low.x >= WIDEST || high.y - low.y >= WIDEST {
            return Vec::new();
        }
        for direction in Direction::ALL {
            let next = wall.step(direction);
            let is_open = costs.is_open(next);
            // Walls that touch by a corner only are two obstacles.
            let is_part = is_open || !direction.is_diagonal();
            if is_part && extent.contains(next) && seen.add(next) {
                match is_open {
                    true => around.push(next),
                    false => walls.push(next),
                }
            }
        }
    }
    around.sort_unstable_by_key(|&cell| extent.cell_id(cell));
    around
}

/// Cells around a middle, each in it or not.
struct Square {
    corner: Cell,
    rows: [u64; SQUARE],
}

impl Square {
    fn around(middle: Cell) -> Self {
        Self {
            corner: Cell::new(middle.x - WIDEST, middle.y - WIDEST),
            rows: [0; SQUARE],
        }
    }

    /// Adds a cell. Returns whether it was missing.
    fn add(&mut self, cell: Cell) -> bool {
        let row = &mut self.rows[(cell.y - self.corner.y) as usize];
        let bit = 1 << (cell.x - self.corner.x);
        let is_new = *row & bit == 0;
        *row |= bit;
        is_new
    }
}
