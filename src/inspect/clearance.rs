//! Clearance: the width of the largest open square at each cell.
//!
//! The square of side `n` at a cell extends from it to the east and to the
//! south. It is open if the cell itself is open, and so are the squares of side
//! `n - 1` at its eastern, southern and south-eastern neighbours. So one pass
//! from the last cell to the first gives all values, a row of sectors at a time:
//!
//! ```text
//!   . . . #        3 2 1 0
//!   . . . .   →    3 3 2 1
//!   . . . .        2 2 2 1
//!   . . . .        1 1 1 1
//! ```

use super::CellValues;
use crate::cost::{Cost, CostMap};
use crate::grid::{Cell, CellRect, SECTOR_SIDE, SectorId};

const SIDE: usize = SECTOR_SIDE as usize;

/// The largest clearance that is reported; it stands for all larger values too.
/// It limits how far around a view cells are read.
pub const CLEARANCE_MAX: u8 = 32;

/// Returns, for each cell of the view that is on the map, the side of the largest
/// square of open cells with its north-west corner there: 0 for walls, at most
/// [`CLEARANCE_MAX`]. A unit of `n`×`n` cells may stand with its north-west
/// cell where the value is at least `n`.
///
/// A map of 1024×1024 cells takes two or three milliseconds.
#[must_use]
pub fn clearance(costs: &CostMap, view: CellRect) -> CellValues<u8> {
    let (extent, shown) = (costs.extent(), view.intersection(costs.area()));
    let mut clearance = CellValues::all(shown, 0);
    if shown.is_empty() {
        return clearance;
    }
    // Squares extend beyond the view.
    let beyond = u32::from(CLEARANCE_MAX);
    let (width, height) = (shown.width + beyond, shown.height + beyond);
    let seen = CellRect::new(shown.x, shown.y, width, height).intersection(costs.area());
    let sectors: Vec<SectorId> = extent.sectors_of(seen).collect();
    let rows = sectors.chunk_by(|&a, &b| extent.sector(a).y == extent.sector(b).y);
    let mut lines = OpenLines::default();
    let (mut sides, mut room) = (Vec::new(), Vec::new());
    for row in rows.rev() {
        lines.read(costs, row);
        sides.resize(lines.width + 1, 0);
        let corner = extent.origin(row[0]);
        for (y, open) in lines.open.chunks_exact(lines.width).enumerate().rev() {
            extend(open, &mut sides, &mut room);
            let from = (shown.x - corner.x) as usize;
            let shown_sides = &sides[from..from + shown.width as usize];
            clearance.put(Cell::new(shown.x, corner.y + y as i32), shown_sides);
        }
    }
    clearance
}

/// The cells of a row of sectors, row by row: [`u8::MAX`] where they are open, else 0.
#[derive(Default)]
struct OpenLines {
    open: Vec<u8>,
    width: usize,
}

impl OpenLines {
    fn read(&mut self, costs: &CostMap, sectors: &[SectorId]) {
        self.width = sectors.len() * SIDE;
        self.open.resize(self.width * SIDE, 0);
        for (at, &sector) in sectors.iter().enumerate() {
            let tile = costs.tile(sector);
            let lines = self.open.chunks_exact_mut(self.width);
            for (line, costs) in lines.zip(tile.costs().chunks_exact(SIDE)) {
                for (open, &cost) in line[at * SIDE..][..SIDE].iter_mut().zip(costs) {
                    *open = if cost == Cost::WALL.value() {
                        0
                    } else {
                        u8::MAX
                    };
                }
            }
        }
    }
}

/// Turns the sides of the squares of one row, and a 0 east of them, into those of the row
/// north of it. `room` is a buffer.
fn extend(open: &[u8], sides: &mut [u8], room: &mut Vec<u8>) {
    room.clear();
    let south = sides.iter().zip(&sides[1..]);
    room.extend(south.map(|(&south, &east)| south.min(east).min(CLEARANCE_MAX - 1)));
    let mut east = 0;
    for ((side, &south), open) in sides.iter_mut().zip(&*room).zip(open).rev() {
        east = (east.min(south) + 1) & open;
        *side = east;
    }
}
