//! The heuristic: how much a way must cost at least.

use crate::grid::{Cell, Rect, SECTOR_SIDE, Sector};
use crate::wave::octile;

/// A lower bound of the price of any way from somewhere to the cells that are
/// looked for.
///
/// Over open ground to the nearest of some rectangles, and what is known to
/// lie beyond it. Around many cells that is one rectangle, with nothing
/// beyond. Around one sector it is a line for each side: its portals, and the
/// walk on from them that costs least. On open ground such a bound is the very
/// price, and the search goes straight to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    marks: [Mark; 4],
    count: usize,
    /// The lowest cost on the map.
    lowest: u64,
}

/// A rectangle of cells, and the price that lies beyond it at least.
#[derive(Clone, Copy, Debug)]
struct Mark {
    low: Cell,
    high: Cell,
    beyond: u64,
}

impl Mark {
    /// Around no cell.
    const NOWHERE: Self = Self {
        low: Cell::new(i32::MAX, i32::MAX),
        high: Cell::new(i32::MIN, i32::MIN),
        beyond: u64::MAX,
    };

    fn take_in(&mut self, Cell { x, y }: Cell, beyond: u64) {
        self.low = Cell::new(self.low.x.min(x), self.low.y.min(y));
        self.high = Cell::new(self.high.x.max(x), self.high.y.max(y));
        self.beyond = self.beyond.min(beyond);
    }

    /// From the nearest cell of those from `first` to `last`, with cells that
    /// cost `lowest`.
    const fn price_between(&self, first: Cell, last: Cell, lowest: u64) -> u64 {
        const fn off(from: i32, to: i32, low: i32, high: i32) -> u32 {
            let (before, behind) = (low - to, from - high);
            let off = if before > behind { before } else { behind };
            if off > 0 { off as u32 } else { 0 }
        }
        let dx = off(first.x, last.x, self.low.x, self.high.x);
        let dy = off(first.y, last.y, self.low.y, self.high.y);
        octile(dx, dy) * lowest + self.beyond
    }
}

impl Aim {
    /// Aims at the rectangle around some cells.
    pub(super) fn at(cells: impl Iterator<Item = Cell>, lowest: u8) -> Self {
        let mut around = Mark::NOWHERE;
        for cell in cells {
            around.take_in(cell, 0);
        }
        let mut marks = [Mark::NOWHERE; 4];
        marks[0] = around;
        let lowest = u64::from(lowest);
        Self {
            marks,
            count: 1,
            lowest,
        }
    }

    /// Aims at the portals around a sector: each with its side, its place and
    /// the price that lies beyond it at least, the highest number where no way
    /// leads on. `None` without any.
    pub(super) fn through(
        portals: impl Iterator<Item = (usize, Cell, u64)>,
        lowest: u8,
    ) -> Option<Self> {
        let mut sides = [Mark::NOWHERE; 4];
        for (side, place, beyond) in portals {
            if beyond != u64::MAX {
                sides[side].take_in(place, beyond);
            }
        }
        let mut marks = [Mark::NOWHERE; 4];
        let mut count = 0;
        for side in sides {
            if side.beyond != u64::MAX {
                marks[count] = side;
                count += 1;
            }
        }
        let lowest = u64::from(lowest);
        (count > 0).then_some(Self {
            marks,
            count,
            lowest,
        })
    }

    /// From the cell in column `x`, row `y`.
    #[inline]
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
    #[inline]
    fn price_between(&self, first: Cell, last: Cell) -> u64 {
        let mut least = u64::MAX;
        for mark in &self.marks[..self.count] {
            least = least.min(mark.price_between(first, last, self.lowest));
        }
        least
    }
}
