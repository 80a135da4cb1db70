//! Smooth noise from whole numbers: heights, moisture, woods.

use flowtiles::Cell;

use crate::random::hash;

/// Smooth drawn fields over the whole plane, each value 0..65536.
///
/// Value noise: numbers drawn at the corners of a grid and blended between
/// them, then several such grids, each twice as fine and half as strong,
/// added up.
pub struct Noise {
    seed: u64,
}

/// One as a fixed-point number of 16 bits.
const ONE: i64 = 1 << 16;

impl Noise {
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The height of the land.
    pub fn height(&self, cell: Cell) -> i32 {
        let bent = self.bent(cell, 90, 60);
        self.layered(1, bent, 260, 6)
    }

    /// The density of woods.
    pub fn wood(&self, cell: Cell) -> i32 {
        let bent = self.bent(cell, 40, 30);
        self.layered(2, bent, 120, 5)
    }

    /// The moisture.
    pub fn moisture(&self, cell: Cell) -> i32 {
        self.layered(3, cell, 70, 4)
    }

    /// The difficulty of building, for squares of some cells.
    pub fn roughness(&self, square: Cell) -> i32 {
        self.layered(7, square, 14, 3)
    }

    /// A random number of a cell.
    pub const fn grain(&self, cell: Cell) -> i32 {
        corner(hash(self.seed ^ 4), cell.x, cell.y) as i32
    }

    /// The cell moved by a slow noise, which bends the straight creases that a grid
    /// leaves.
    fn bent(&self, cell: Cell, grid: i32, reach: i32) -> Cell {
        let shift = |field: u64| {
            let part = i64::from(self.layered(field, cell, grid, 3)) - ONE / 2;
            (part * i64::from(reach) * 2 / ONE) as i32
        };
        Cell::new(cell.x + shift(5), cell.y + shift(6))
    }

    fn layered(&self, field: u64, cell: Cell, grid: i32, layers: u32) -> i32 {
        let (mut sum, mut weights) = (0, 0);
        for layer in 0..layers {
            let weight = 1i64 << (layers - layer);
            let field = field << 8 | u64::from(layer);
            sum += self.blended(field, cell, (grid >> layer).max(2)) * weight;
            weights += weight;
        }
        (sum / weights) as i32
    }

    fn blended(&self, field: u64, cell: Cell, grid: i32) -> i64 {
        let (column, row) = (cell.x.div_euclid(grid), cell.y.div_euclid(grid));
        // Less than 2²⁵: quicker to divide than 64 bits.
        let along = |at: i32| eased(i64::from(at.rem_euclid(grid) * ONE as i32 / grid));
        let (right, down) = (along(cell.x), along(cell.y));
        let drawn = hash(self.seed ^ field);
        let corner = |dx: i32, dy: i32| corner(drawn, column + dx, row + dy);
        let north = mix(corner(0, 0), corner(1, 0), right);
        let south = mix(corner(0, 1), corner(1, 1), right);
        mix(north, south, down)
    }
}

/// The number drawn at a corner of a grid.
const fn corner(drawn: u64, column: i32, row: i32) -> i64 {
    let place = (column as u32 as u64) << 32 | row as u32 as u64;
    (hash(drawn ^ place) >> 48) as i64
}

/// Slow at both ends: t²(3 − 2t).
const fn eased(t: i64) -> i64 {
    let square = t * t / ONE;
    square * (3 * ONE - 2 * t) / ONE
}

const fn mix(from: i64, to: i64, part: i64) -> i64 {
    from + (to - from) * part / ONE
}
