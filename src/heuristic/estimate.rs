//! The heuristic: a lower bound on the cost of a path.

use super::bound::Bound;
use super::groups::{GROUPS, SearchGroup};
use crate::grid::{Cell, CellRect, MAX_SIDE, SECTOR_SIDE, Sector};
use crate::kernel::{STRAIGHT, octile};

/// A lower bound on the cost of any path to the target cells.
///
/// It is the cost over open ground to the nearest of some rectangles, plus the
/// cost known to lie beyond that rectangle. Around many cells there is one
/// rectangle for each group of them, with nothing beyond. Around one sector
/// there is a rectangle for each side: its portals, and the cheapest walk on
/// from them. On open ground this bound is the exact cost, and the search goes
/// straight to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    rectangles: Rectangles,
    /// The same rectangles, for one cell at a time.
    bound: Bound,
}

/// The rectangles, by first and last column and row, with the cost beyond each.
#[derive(Clone, Copy, Debug)]
struct Rectangles {
    left: [i32; RECTANGLES],
    right: [i32; RECTANGLES],
    top: [i32; RECTANGLES],
    bottom: [i32; RECTANGLES],
    beyond: [u32; RECTANGLES],
    lowest: u8,
}

const RECTANGLES: usize = GROUPS;
/// The cost beyond an unused rectangle: more than any path over open ground
/// costs, and far from the end of 32 bits.
const NOWHERE: u32 = Bound::NOWHERE;
const _: () = assert!((2 * MAX_SIDE * STRAIGHT) as u64 * 254 < NOWHERE as u64);

impl Rectangles {
    const fn nowhere(lowest: u8) -> Self {
        Self {
            left: [i32::MAX / 2; RECTANGLES],
            right: [i32::MIN / 2; RECTANGLES],
            top: [i32::MAX / 2; RECTANGLES],
            bottom: [i32::MIN / 2; RECTANGLES],
            beyond: [NOWHERE; RECTANGLES],
            lowest,
        }
    }

    fn take_in(&mut self, rectangle: usize, Cell { x, y }: Cell, beyond: u32) {
        self.left[rectangle] = self.left[rectangle].min(x);
        self.right[rectangle] = self.right[rectangle].max(x);
        self.top[rectangle] = self.top[rectangle].min(y);
        self.bottom[rectangle] = self.bottom[rectangle].max(y);
        self.beyond[rectangle] = self.beyond[rectangle].min(beyond);
    }

    /// Moves unused rectangles to the map's corner, and makes the estimate.
    fn estimate(mut self) -> Estimate {
        for rectangle in 0..RECTANGLES {
            if self.beyond[rectangle] == NOWHERE {
                for side in [&mut self.left, &mut self.right] {
                    side[rectangle] = 0;
                }
                for side in [&mut self.top, &mut self.bottom] {
                    side[rectangle] = 0;
                }
            }
        }
        let sides = [self.left, self.right, self.top, self.bottom];
        Estimate {
            rectangles: self,
            bound: Bound::new(sides, self.beyond, self.lowest),
        }
    }
}

impl Estimate {
    /// Makes an estimate to the rectangles around some cells, one for each
    /// group.
    pub(crate) fn at(cells: impl Iterator<Item = (SearchGroup, Cell)>, lowest: u8) -> Self {
        let mut rectangles = Rectangles::nowhere(lowest);
        for (SearchGroup(group), cell) in cells {
            rectangles.take_in(usize::from(group) % RECTANGLES, cell, 0);
        }
        rectangles.estimate()
    }

    /// Makes an estimate to the portals around a sector. Each comes with its
    /// side, its cell and a lower bound on the cost beyond it, `None` if no
    /// path leads on. Returns `None` if no path leads on from any.
    pub(crate) fn through(
        portals: impl Iterator<Item = (usize, Cell, Option<u32>)>,
        lowest: u8,
    ) -> Option<Self> {
        let mut rectangles = Rectangles::nowhere(lowest);
        for (side, cell, beyond) in portals {
            if let Some(beyond) = beyond {
                rectangles.take_in(side, cell, beyond.min(NOWHERE - 1));
            }
        }
        let any = rectangles.beyond.iter().any(|&beyond| beyond < NOWHERE);
        any.then(|| rectangles.estimate())
    }

    /// Returns the bound for the cell in column `x`, row `y`.
    #[inline]
    pub(crate) fn price(&self, x: i32, y: i32) -> u64 {
        match self.bound.price(x, y) {
            Some(price) => u64::from(price),
            None => self.price_afar(Cell::new(x, y)),
        }
    }

    #[cold]
    fn price_afar(&self, cell: Cell) -> u64 {
        self.price_between(cell, cell)
    }

    /// Returns the bound for the nearest cell of a sector.
    pub(crate) fn price_from_sector(&self, sector: Sector) -> u64 {
        let first = sector.origin();
        let last = Cell::new(first.x + SECTOR_SIDE - 1, first.y + SECTOR_SIDE - 1);
        self.price_between(first, last)
    }

    /// Returns the bound for the nearest cell of an area on the map.
    pub(crate) fn price_from_area(&self, area: CellRect) -> u64 {
        let (first, last) = corners(area);
        self.price_between(first, last)
    }

    /// Returns the bound for the nearest of the cells from `first` to `last`.
    fn price_between(&self, first: Cell, last: Cell) -> u64 {
        let rectangles = &self.rectangles;
        let prices = (0..RECTANGLES).map(|rectangle| {
            let price = octile(
                gap(
                    [rectangles.left[rectangle], rectangles.right[rectangle]],
                    [first.x, last.x],
                ),
                gap(
                    [rectangles.top[rectangle], rectangles.bottom[rectangle]],
                    [first.y, last.y],
                ),
            );
            price * u64::from(rectangles.lowest) + u64::from(rectangles.beyond[rectangle])
        });
        prices.min().unwrap_or(0)
    }
}

/// Returns the first and the last cell of an area.
const fn corners(area: CellRect) -> (Cell, Cell) {
    let last = Cell::new(
        area.x + area.width as i32 - 1,
        area.y + area.height as i32 - 1,
    );
    (Cell::new(area.x, area.y), last)
}

/// Returns the distance between two intervals, 0 if they overlap.
const fn gap([first, last]: [i32; 2], [other_first, other_last]: [i32; 2]) -> u32 {
    let (before, behind) = (first - other_last, other_first - last);
    let apart = if before > behind { before } else { behind };
    if apart > 0 { apart as u32 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_price_is_the_least_over_all_rectangles() {
        let portals = [
            (0, Cell::new(104, 99), Some(30)),
            (0, Cell::new(107, 99), Some(25)),
            (1, Cell::new(99, 105), None),
            (3, Cell::new(103, 109), Some(11)),
        ];
        let estimate = Estimate::through(portals.into_iter(), 3).unwrap();
        for (x, y) in [(0, 0), (105, 99), (105, 300), (65_534, 65_534), (99, 105)] {
            let to = |left: i32, right: i32, row: i32| {
                let dx = (left - x).max(x - right).max(0) as u32;
                3 * octile(dx, row.abs_diff(y))
            };
            let want = (to(104, 107, 99) + 25).min(to(103, 103, 109) + 11);
            assert_eq!(estimate.price(x, y), want, "from {x}, {y}");
        }
        assert!(Estimate::through([(2, Cell::new(1, 1), None)].into_iter(), 1).is_none());
    }
}
