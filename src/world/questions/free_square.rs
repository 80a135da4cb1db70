//! Squares without walls, looked for outward from a cell.
//!
//! A square is known by its north-west cell. Those that begin in a window around the cell
//! are looked at together, row by row from the south and each row from the east. So each
//! cell is looked at once, however large the squares are:
//!
//! ```text
//!   side 3     . . . # .      2 2 2 0 3      Open cells from here to the south. A square
//!              . . . . .      1 1 1 4 2      begins where this and the next two columns
//!              # . # . .      0 3 0 3 1      have three or more.
//! ```
//!
//! If no square there is as near as any beyond the window can be, the window grows to twice
//! the size.

use crate::cost::WallRows;
use crate::grid::{Cell, CellRect, Extent, SECTOR_SIDE, SectorId};
use crate::islands::SeenCell;
use crate::kernel::octile;

/// The first window reaches at least this many cells to each side, and half the side of a
/// square if that is more: a whole square is looked at anyway.
const AROUND_MIN: u32 = 8;

/// The squares of one size on a map, of which `walls_of` returns the walls of each sector.
pub(super) struct FreeSquares<W> {
    extent: Extent,
    walls_of: W,
    size: u32,
    /// The north-west cells of all squares, free or not.
    corners: CellRect,
}

impl<W: Fn(SectorId) -> WallRows> FreeSquares<W> {
    /// `None` if the map has no square of this size, free or not.
    pub(super) fn new(extent: Extent, walls_of: W, size: u32) -> Option<Self> {
        let (width, height) = (extent.width() as u32, extent.height() as u32);
        if size == 0 || size > width.min(height) {
            return None;
        }
        let corners = CellRect::new(0, 0, width - size + 1, height - size + 1);
        Some(Self {
            extent,
            walls_of,
            size,
            corners,
        })
    }

    /// Returns the north-west cell of the free square nearest to a cell.
    pub(super) fn nearest(&self, from: Cell) -> Option<Cell> {
        if !self.extent.contains(from) {
            return None;
        }
        let mut around = AROUND_MIN.max(self.size / 2);
        loop {
            let (x, y) = (from.x - around as i32, from.y - around as i32);
            let side = 2 * around + 1;
            let window = CellRect::new(x, y, side, side).intersection(self.corners);
            let best = self.nearest_in(window, from);
            let beyond = octile(around + 1, 0);
            if window == self.corners || best.is_some_and(|best| best.price() < beyond) {
                return best.map(|best| best.cell);
            }
            around *= 2;
        }
    }

    /// Returns the nearest of the free squares that begin in a window.
    fn nearest_in(&self, window: CellRect, from: Cell) -> Option<SeenCell> {
        if window.is_empty() {
            return None;
        }
        let more = self.size - 1;
        let (width, height) = (window.width + more, window.height + more);
        let mut open = vec![0; width as usize];
        // By sector, the walls of those that the row passes through.
        let mut walls: Vec<WallRows> = Vec::new();
        let mut best: Option<SeenCell> = None;
        for y in (window.y..window.y + height as i32).rev() {
            let row = CellRect::new(window.x, y, width, 1);
            if walls.is_empty() || y % SECTOR_SIDE == SECTOR_SIDE - 1 {
                walls.clear();
                walls.extend(self.extent.sectors_of(row).map(&self.walls_of));
            }
            self.extend(row, &walls, &mut open);
            if y >= window.y + window.height as i32 {
                continue;
            }
            let mut columns = 0;
            for (column, &open) in open.iter().enumerate().rev() {
                columns = if open >= self.size { columns + 1 } else { 0 };
                if columns >= self.size {
                    let cell = Cell::new(window.x + column as i32, y);
                    let found = SeenCell::from(self.extent, from, cell);
                    best = best.into_iter().chain([found]).min();
                }
            }
        }
        best
    }

    /// Turns the numbers of open cells to the south, of a row of cells, into those of `row`,
    /// which is the one north of it.
    fn extend(&self, row: CellRect, walls: &[WallRows], open: &mut [u32]) {
        for ((sector, part), walls) in self.extent.parts_of(row).zip(walls) {
            let origin = self.extent.origin(sector);
            let walls = walls[(row.y - origin.y) as usize] >> (part.x - origin.x);
            let open = &mut open[(part.x - row.x) as usize..][..part.width as usize];
            for (column, open) in open.iter_mut().enumerate() {
                let is_open = u32::from(walls >> column & 1 == 0);
                *open = (*open + 1) * is_open;
            }
        }
    }
}
