//! The map that every engine gets, and the judge of their paths.
//!
//! A step costs the cost of the cell that it leaves, times 1 if straight and √2
//! if diagonal. Lengths are integers, in millionths.

use flowtiles::{Cell, CostMap};

/// The cost of a cell that cannot be entered.
pub const WALL: u8 = 255;
/// The length of a straight step, in millionths.
pub const STRAIGHT: u64 = 1_000_000;
/// The length of a diagonal step, in millionths.
pub const DIAGONAL: u64 = 1_414_214;

/// The eight neighbours, clockwise from the east; odd ones are diagonal. The
/// opposite of direction `d` is `d ^ 4`.
pub const NEIGHBOURS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

/// The costs of a map, row by row.
#[derive(Clone)]
pub struct Ground {
    pub width: i32,
    pub height: i32,
    pub costs: Vec<u8>,
}

/// The judge's verdict on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The length, in millionths.
    pub length: u64,
    /// The number of diagonal steps past a wall.
    pub corners: usize,
}

impl Ground {
    /// Returns the map as flowtiles takes it.
    pub fn cost_map(&self) -> Result<CostMap, String> {
        let (width, height) = (self.width as u32, self.height as u32);
        CostMap::from_rows(width, height, &self.costs).map_err(|error| error.to_string())
    }

    pub fn contains(&self, cell: Cell) -> bool {
        (0..self.width).contains(&cell.x) && (0..self.height).contains(&cell.y)
    }

    pub fn place(&self, cell: Cell) -> usize {
        cell.y as usize * self.width as usize + cell.x as usize
    }

    pub fn cell(&self, place: usize) -> Cell {
        let width = self.width as usize;
        Cell::new((place % width) as i32, (place / width) as i32)
    }

    /// Returns the cost of a cell; a wall off the map.
    pub fn cost(&self, cell: Cell) -> u8 {
        if self.contains(cell) {
            self.costs[self.place(cell)]
        } else {
            WALL
        }
    }

    pub fn is_open(&self, cell: Cell) -> bool {
        self.cost(cell) != WALL
    }

    /// Whether some open cell costs more than open ground.
    pub fn is_weighted(&self) -> bool {
        self.costs.iter().any(|&cost| (2..WALL).contains(&cost))
    }

    /// Whether a step between neighbours is allowed: both cells are open and,
    /// for a diagonal step, both cells beside it are open too.
    pub fn allows(&self, from: Cell, (dx, dy): (i32, i32)) -> bool {
        let at = |dx, dy| self.is_open(Cell::new(from.x + dx, from.y + dy));
        at(0, 0) && at(dx, dy) && at(dx, 0) && at(0, dy)
    }

    /// Returns the cost of a step out of a cell, in millionths.
    pub fn price(&self, from: Cell, (dx, dy): (i32, i32)) -> u64 {
        let step = if dx != 0 && dy != 0 {
            DIAGONAL
        } else {
            STRAIGHT
        };
        step * u64::from(self.cost(from))
    }

    /// Judges a path from its first cell to its last.
    pub fn judge(&self, way: &[Cell], from: Cell, to: Cell) -> Result<Verdict, String> {
        if way.first() != Some(&from) || way.last() != Some(&to) {
            return Err("did not lead from the start to the goal".into());
        }
        let mut verdict = Verdict {
            length: 0,
            corners: 0,
        };
        for step in way.windows(2) {
            let delta = (step[1].x - step[0].x, step[1].y - step[0].y);
            if delta.0.abs().max(delta.1.abs()) != 1 {
                return Err("jumped".into());
            }
            if !self.is_open(step[1]) {
                return Err("walked into a wall".into());
            }
            verdict.corners += usize::from(!self.allows(step[0], delta));
            verdict.length += self.price(step[0], delta);
        }
        Ok(verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_judged() {
        // 1 3
        // # 1
        let ground = Ground {
            width: 2,
            height: 2,
            costs: vec![1, 3, WALL, 1],
        };
        let at = Cell::new;
        let judge = |way: &[Cell]| ground.judge(way, at(0, 0), at(1, 1));
        let around = judge(&[at(0, 0), at(1, 0), at(1, 1)]).unwrap();
        assert_eq!((around.length, around.corners), (4 * STRAIGHT, 0));
        let cut = judge(&[at(0, 0), at(1, 1)]).unwrap();
        assert_eq!((cut.length, cut.corners), (DIAGONAL, 1));
        assert!(judge(&[at(0, 0), at(0, 1), at(1, 1)]).is_err(), "a wall");
        assert!(judge(&[at(0, 0), at(1, 0)]).is_err(), "not the goal");
    }
}
