//! The ground under a tile: the walls or costs of its frame.
//!
//! A tile cannot be settled from its own costs alone. The corner rule looks at
//! walls in the halo. And whether a step into the tile improves a halo cell
//! depends on the cost of leaving that halo cell. So the ground covers the
//! *frame*: the tile's ten rows and columns, and one more on every side.
//!
//! ```text
//!   frame  0  1 … 10  11          tile x = frame column − 1
//!      0   NW north   NE          tile y = frame row − 1
//!      1   W  ┌─────┐ E
//!      …      │ own │             composed of nine tiles at each settling
//!     10   W  └─────┘ E
//!     11   SW south   SE
//! ```
//!
//! There are three kinds of ground, the fastest first: one cost and no walls in
//! the whole frame; one cost and walls; any costs. The caller picks the first
//! that applies.
//!
//! PERF: composing takes 5 ns for walls, at one bit a cell, and 15 ns for
//! costs.

use crate::arrays::put;
use crate::cost::{Cost, TileWalls};
use crate::grid::{Direction, SECTOR_CELLS, SECTOR_SIDE};

const WALL: u8 = Cost::WALL.value();
const SIDE: usize = SECTOR_SIDE as usize;
const LAST: usize = SIDE - 1;
/// The number of rows, and of columns, in a frame.
pub(super) const FRAME: usize = SIDE + 2;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Ground<'a> {
    /// One cost everywhere, in the halo too.
    Clear(Cost),
    /// One cost and walls, in the halo too.
    Walls(&'a Walls, Cost),
    Costs(&'a Costs),
}

impl Ground<'_> {
    pub(super) fn costs(&self) -> Costs {
        match *self {
            Self::Clear(cost) => Costs::of_walls(&Walls::OPEN, cost),
            Self::Walls(walls, cost) => Costs::of_walls(walls, cost),
            Self::Costs(costs) => *costs,
        }
    }

    /// Whether the cell in this column and row of the frame is a wall.
    pub(super) const fn is_wall(&self, x: usize, y: usize) -> bool {
        match self {
            Self::Clear(_) => false,
            Self::Walls(walls, _) => walls.rows[y] >> x & 1 == 1,
            Self::Costs(costs) => costs.0[y][x] == WALL,
        }
    }
}

/// The walls of a frame, one bit per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Walls {
    /// By row y: bit x is the cell in column x.
    pub(crate) rows: [u16; FRAME],
    /// Columns 0, 1, 10 and 11: bit y is the cell in row y.
    pub(crate) columns: [u16; 4],
}

impl Walls {
    /// Composes the frame from a tile's walls and those of its eight
    /// neighbours, the latter in the order of [`Direction::ALL`].
    #[inline]
    pub(crate) fn compose(own: &TileWalls, beside: [&TileWalls; 8]) -> Self {
        let beside = |direction: Direction| beside[direction as usize];
        let (north, south) = (beside(Direction::North), beside(Direction::South));
        let (west, east) = (beside(Direction::West), beside(Direction::East));
        let line = |before: u16, own: u16, after: u16| before & 1 | own << 1 | (after & 1) << 11;
        let north_west = beside(Direction::NorthWest).rows[LAST] >> LAST;
        let north_east = beside(Direction::NorthEast).rows[LAST];
        let south_west = beside(Direction::SouthWest).rows[0] >> LAST;
        let south_east = beside(Direction::SouthEast).rows[0];
        let mut rows = [0; FRAME];
        rows[0] = line(north_west, north.rows[LAST], north_east);
        for (y, &row) in own.rows.iter().enumerate() {
            rows[y + 1] = line(west.east >> y, row, east.west >> y);
        }
        rows[FRAME - 1] = line(south_west, south.rows[0], south_east);
        let columns = [
            line(north_west, west.east, south_west),
            line(north.rows[LAST], own.west, south.rows[0]),
            line(north.rows[LAST] >> LAST, own.east, south.rows[0] >> LAST),
            line(north_east, east.west, south_east),
        ];
        Self { rows, columns }
    }

    /// Returns the frame of a tile surrounded by walls.
    #[inline]
    pub(crate) fn alone(own: &TileWalls) -> Self {
        Self::compose(own, [&TileWalls::ALL; 8])
    }

    const OPEN: Self = Self {
        rows: [0; FRAME],
        columns: [0; 4],
    };
}

/// The costs of a frame, row by row. Walls pad each row to sixteen cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(16))]
pub(crate) struct Costs(pub(super) [[u8; 16]; FRAME]);

impl Costs {
    /// Composes the frame from a tile's costs and those of its eight
    /// neighbours, the latter in the order of [`Direction::ALL`].
    #[inline]
    pub(crate) fn compose(own: &[u8; SECTOR_CELLS], beside: [&[u8; SECTOR_CELLS]; 8]) -> Self {
        let mut rows = [[WALL; 16]; FRAME];
        let beside = |direction: Direction| beside[direction as usize];
        let mut row_of = |y: usize, from: &[u8; SECTOR_CELLS], row: usize| {
            put(&mut rows[y][1..], from.as_chunks::<SIDE>().0[row]);
        };
        row_of(0, beside(Direction::North), LAST);
        for y in 0..SIDE {
            row_of(y + 1, own, y);
        }
        row_of(FRAME - 1, beside(Direction::South), 0);
        let (west, east) = (beside(Direction::West), beside(Direction::East));
        for y in 0..SIDE {
            rows[y + 1][0] = west[y * SIDE + LAST];
            rows[y + 1][FRAME - 1] = east[y * SIDE];
        }
        rows[0][0] = beside(Direction::NorthWest)[SECTOR_CELLS - 1];
        rows[0][FRAME - 1] = beside(Direction::NorthEast)[LAST * SIDE];
        rows[FRAME - 1][0] = beside(Direction::SouthWest)[LAST];
        rows[FRAME - 1][FRAME - 1] = beside(Direction::SouthEast)[0];
        Self(rows)
    }

    /// Returns the frame of a tile surrounded by walls.
    #[inline]
    pub(crate) fn alone(own: &[u8; SECTOR_CELLS]) -> Self {
        Self::compose(own, [&[WALL; SECTOR_CELLS]; 8])
    }

    /// Returns a frame of these walls, with one cost everywhere else.
    fn of_walls(walls: &Walls, open: Cost) -> Self {
        let mut rows = [[WALL; 16]; FRAME];
        for (row, &walls) in rows.iter_mut().zip(&walls.rows) {
            for (x, cost) in row.iter_mut().take(FRAME).enumerate() {
                if walls >> x & 1 == 0 {
                    *cost = open.value();
                }
            }
        }
        Self(rows)
    }
}
