//! The heuristic: how much a way must cost at least.

use crate::grid::{Cell, SECTOR_SIDE, Sector};
use crate::wave::octile;

/// The price over open ground to a rectangle of cells: a lower bound of the
/// price of any way from there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    low: Cell,
    high: Cell,
    /// The lowest cost on the map.
    lowest: u64,
}

impl Aim {
    /// Aims at the rectangle around some cells.
    pub(super) fn at(cells: impl Iterator<Item = Cell>, lowest: u8) -> Self {
        let mut low = Cell::new(i32::MAX, i32::MAX);
        let mut high = Cell::new(i32::MIN, i32::MIN);
        for Cell { x, y } in cells {
            low = Cell::new(low.x.min(x), low.y.min(y));
            high = Cell::new(high.x.max(x), high.y.max(y));
        }
        let lowest = u64::from(lowest);
        Self { low, high, lowest }
    }

    /// From the cell in column `x`, row `y`.
    pub(super) fn price(&self, x: i32, y: i32) -> u64 {
        self.price_from(Cell::new(x, y), 1)
    }

    /// From the nearest cell of a sector.
    pub(crate) fn price_from_sector(&self, sector: Sector) -> u64 {
        let corner = Cell::new(sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
        self.price_from(corner, SECTOR_SIDE)
    }

    /// From the nearest cell of a square.
    fn price_from(&self, corner: Cell, side: i32) -> u64 {
        let off = |v: i32, low: i32, high: i32| (low - (v + side - 1)).max(v - high).max(0) as u32;
        let dx = off(corner.x, self.low.x, self.high.x);
        let dy = off(corner.y, self.low.y, self.high.y);
        octile(dx, dy) * self.lowest
    }
}
