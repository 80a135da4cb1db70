//! The heuristic: how much a way must cost at least.

use crate::grid::{Cell, Rect, SECTOR_SIDE, Sector};
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
        self.price_between(Cell::new(x, y), Cell::new(x, y))
    }

    /// From the nearest cell of a sector.
    pub(crate) fn price_from_sector(&self, sector: Sector) -> u64 {
        let first = Cell::new(sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
        let last = Cell::new(first.x + SECTOR_SIDE - 1, first.y + SECTOR_SIDE - 1);
        self.price_between(first, last)
    }

    /// From the nearest cell of an area on the map.
    pub(super) fn price_from_area(&self, area: Rect) -> u64 {
        let Rect { x, y, .. } = area;
        let (right, bottom) = (x + area.width as i32 - 1, y + area.height as i32 - 1);
        self.price_between(Cell::new(x, y), Cell::new(right, bottom))
    }

    /// From the nearest cell of those from `first` to `last`.
    fn price_between(&self, first: Cell, last: Cell) -> u64 {
        let off = |from: i32, to: i32, low: i32, high: i32| (low - to).max(from - high).max(0);
        let dx = off(first.x, last.x, self.low.x, self.high.x);
        let dy = off(first.y, last.y, self.low.y, self.high.y);
        octile(dx as u32, dy as u32) * self.lowest
    }
}
