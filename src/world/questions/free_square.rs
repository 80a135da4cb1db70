//! Squares without walls, looked for outward from a cell.
//!
//! A square is known by its north-west cell. Those whose north-west cell is in one sector
//! are looked at together: each row of walls that they may cover shuts out some of them.
//!
//! ```text
//!   side 3     . . . # . .        the wall shuts out the squares that begin at
//!              . . . . . .        one of the three cells up to it in this row,
//!                                 and as many in each of the two rows above
//! ```

use std::ops::Range;

use crate::cost::CostMap;
use crate::grid::{Cell, SECTOR_SIDE, Sector, SectorId};
use crate::islands::{Rings, SeenCell, price_to};

const SIDE: usize = SECTOR_SIDE as usize;

/// The squares of one size on a map.
pub(super) struct FreeSquares<'a> {
    costs: &'a CostMap,
    size: usize,
}

/// The squares that begin in one sector and are not free: by row y of the north-west cell,
/// bit x.
type ShutOut = [u16; SIDE];

/// One bit for each cell of a row of a sector.
const LINE: u16 = (1 << SIDE) - 1;

impl<'a> FreeSquares<'a> {
    /// `None` if the map has no square of this size, free or not.
    pub(super) fn new(costs: &'a CostMap, size: u32) -> Option<Self> {
        let fits = size > 0 && size <= costs.width().min(costs.height());
        let size = size as usize;
        fits.then_some(Self { costs, size })
    }

    /// Returns the north-west cell of the free square nearest to a cell.
    pub(super) fn nearest(&self, from: Cell) -> Option<Cell> {
        let extent = self.costs.extent();
        if !extent.contains(from) {
            return None;
        }
        let mut rings = Rings::new(extent.sector(extent.locate(from).0));
        let mut best: Option<SeenCell> = None;
        while best.is_none_or(|best| best.price() >= rings.price())
            && let Some(sector) = rings.next(extent)
        {
            let least = price_to(extent.area_of(sector), from);
            if best.is_none_or(|best| best.price() >= least) {
                best = self
                    .free_in(sector)
                    .map(|cell| SeenCell::from(extent, from, cell))
                    .chain(best)
                    .min();
            }
        }
        best.map(|best| best.cell)
    }

    /// Returns the north-west cells of the free squares that begin in a sector.
    fn free_in(&self, sector: SectorId) -> impl Iterator<Item = Cell> {
        let (extent, size) = (self.costs.extent(), self.size as i32);
        let (shut_out, origin) = (self.shut_out(sector), extent.origin(sector));
        extent
            .area_of(sector)
            .cells()
            .filter(move |cell| {
                let (x, y) = (cell.x - origin.x, cell.y - origin.y);
                shut_out[y as usize] & 1 << x == 0
            })
            .filter(move |&Cell { x, y }| x + size <= extent.width() && y + size <= extent.height())
    }

    /// Returns the squares that begin in a sector and cover a wall.
    fn shut_out(&self, sector: SectorId) -> ShutOut {
        let extent = self.costs.extent();
        let mut shut_out = [0; SIDE];
        let Sector { x, y } = extent.sector(sector);
        let sectors = 0..(self.size + SIDE - 2) / SIDE + 1;
        let around = sectors
            .clone()
            .flat_map(|down| sectors.clone().map(move |right| (right, down)));
        for (right, down) in around {
            let covered = extent.sector_id(Sector::new(x + right as i32, y + down as i32));
            let Some(tile) = covered.map(|covered| self.costs.tile(covered)) else {
                continue;
            };
            if tile.is_clear() {
                continue;
            }
            for (row, walls) in tile.walls().rows.iter().enumerate() {
                let squares = self.squares_over(*walls, right * SIDE);
                for begins in self.begins_over(down * SIDE + row) {
                    shut_out[begins] |= squares;
                }
            }
            if shut_out == [LINE; SIDE] {
                break;
            }
        }
        shut_out
    }

    /// Returns a bit for each square of a row of squares that covers one of these walls, of
    /// which the first is `east` cells east of the first square.
    fn squares_over(&self, walls: u16, east: usize) -> u16 {
        let columns = (0..SIDE).filter(|column| walls & 1 << column != 0);
        let squares = columns.map(|column| {
            let Range { start, end } = self.begins_over(east + column);
            LINE >> (SIDE - end) & LINE << start
        });
        squares.fold(0, |all, squares| all | squares)
    }

    /// Returns at which of the ten cells of a line through the sector squares begin that
    /// cover the cell at this place of the line.
    fn begins_over(&self, at: usize) -> Range<usize> {
        let end = SIDE.min(at + 1);
        (at + 1).saturating_sub(self.size).min(end)..end
    }
}
