//! A lower bound on the cost of a path to the nearest of four rectangles.
//!
//! ```text
//!      8 lanes:   dx dx dx dx  dy dy dy dy       one rectangle each
//!      long       ── the larger of the two ──     × 5
//!      short      ── the smaller of the two ──    × 2    (7 = 5 + 2)
//! ```
//!
//! PERF: about 30 instructions; as compiled from 32-bit lanes it takes 75.

use bytemuck::cast;
use wide::{i16x8, i32x4, u64x2};

use crate::arrays::array_of;
use crate::grid::Cell;
use crate::kernel::{DIAGONAL, STRAIGHT};
use crate::lanes::zip16;

/// Four rectangles, each with the cost that lies beyond it.
///
/// Their sides are stored relative to a nearby cell, in 16 bits. For cells out
/// of the range of these offsets there is no bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    origin: Cell,
    /// The first columns, then the first rows.
    low: [i16; 8],
    /// The last columns, then the last rows.
    high: [i16; 8],
    /// Prices of a step: alternately long and short.
    steps: [i16; 8],
    beyond: [u32; 4],
    /// Whether all sides are within range.
    is_near: bool,
}

/// The greatest offset, chosen so that differences fit into 16 bits.
const MAX_OFFSET: i32 = 16_000;

/// The greatest cost beyond a rectangle exceeds every path within range.
const _: () = assert!(2 * MAX_OFFSET as u64 * DIAGONAL as u64 * 254 < Bound::NOWHERE as u64);

impl Bound {
    /// The cost beyond an unused rectangle.
    pub(crate) const NOWHERE: u32 = 1 << 30;

    /// Makes a bound from the rectangles' first and last columns and rows, and
    /// the cost beyond each, at most [`NOWHERE`](Self::NOWHERE). Each step
    /// costs at least its weight times `lowest`.
    pub(crate) fn new(
        [left, right, top, bottom]: [[i32; 4]; 4],
        beyond: [u32; 4],
        lowest: u8,
    ) -> Self {
        let nearest = (0..4)
            .min_by_key(|&rectangle| beyond[rectangle])
            .unwrap_or(0);
        let origin = Cell::new(left[nearest], top[nearest]);
        let mut is_near = true;
        let mut relative = |columns: [i32; 4], rows: [i32; 4]| -> [i16; 8] {
            array_of(|lane| {
                let offset = match lane {
                    0..4 => columns[lane] - origin.x,
                    _ => rows[lane - 4] - origin.y,
                };
                is_near &= beyond[lane % 4] == Self::NOWHERE || offset.abs() <= MAX_OFFSET;
                offset.clamp(-MAX_OFFSET, MAX_OFFSET) as i16
            })
        };
        let (low, high) = (relative(left, top), relative(right, bottom));
        let short = i16::from(lowest) * (DIAGONAL - STRAIGHT) as i16;
        let long = i16::from(lowest) * STRAIGHT as i16;
        Self {
            origin,
            low,
            high,
            steps: [long, short, long, short, long, short, long, short],
            beyond,
            is_near,
        }
    }

    /// Returns the bound for the cell in column `x`, row `y`; `None` out of
    /// range.
    #[inline(always)]
    pub(crate) fn price(&self, x: i32, y: i32) -> Option<u32> {
        let (x, y) = (x - self.origin.x, y - self.origin.y);
        let near = self.is_near && x.abs() <= MAX_OFFSET && y.abs() <= MAX_OFFSET;
        near.then(|| self.price_from(x as i16, y as i16))
    }

    #[cfg(test)]
    fn plainly(&self, x: i16, y: i16) -> u32 {
        let off = |lane: usize, offset: i16| {
            let (before, behind) = (self.low[lane] - offset, offset - self.high[lane]);
            i32::from(before.max(behind).max(0))
        };
        let prices = std::array::from_fn::<u32, 4, _>(|rectangle| {
            let (dx, dy) = (off(rectangle, x), off(rectangle + 4, y));
            let (long, short) = (dx.max(dy), dx.min(dy));
            let price = long * i32::from(self.steps[0]) + short * i32::from(self.steps[1]);
            price as u32 + self.beyond[rectangle]
        });
        prices.into_iter().fold(u32::MAX, u32::min)
    }

    #[inline(always)]
    fn price_from(&self, x: i16, y: i16) -> u32 {
        // Column lanes below, row lanes above.
        let offset = i16x8::new([x, x, x, x, y, y, y, y]);
        let before = i16x8::new(self.low) - offset;
        let behind = offset - i16x8::new(self.high);
        let off = before.max(behind).max(i16x8::ZERO);
        let other: i16x8 = cast(cast::<_, u64x2>(off).unpack_hi(cast(off)));
        let (long, short) = (off.max(other), off.min(other));
        let by_turns: i16x8 = cast(zip16(cast(long), cast(short)).0);
        let open = by_turns.dot(i16x8::new(self.steps));
        let prices = open + cast::<_, i32x4>(self.beyond);
        prices.reduce_min() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::octile;

    #[test]
    fn bound_is_the_least_over_all_rectangles_in_reach() {
        let columns = [[104, 99, 0, 103], [107, 99, 0, 103]];
        let rows = [[99, 105, 0, 109], [99, 105, 0, 109]];
        let beyond = [25, 40, Bound::NOWHERE, 11];
        for lowest in [1, 3, 254] {
            let sides = [columns[0], columns[1], rows[0], rows[1]];
            let bound = Bound::new(sides, beyond, lowest);
            let far = [
                (0, 0),
                (105, 99),
                (105, 300),
                (99, 105),
                (15_000, 12_000),
                (65_534, 65_534),
                (65_534, 3),
            ];
            for (x, y) in far {
                let to = |rectangle: usize| {
                    let dx = (columns[0][rectangle] - x)
                        .max(x - columns[1][rectangle])
                        .max(0);
                    let dy = (rows[0][rectangle] - y).max(y - rows[1][rectangle]).max(0);
                    u64::from(lowest) * octile(dx as u32, dy as u32) + u64::from(beyond[rectangle])
                };
                let least = (0..4).map(to).min().unwrap();
                let Some(found) = bound.price(x, y) else {
                    assert!(x.max(y) > MAX_OFFSET, "{x} {y}");
                    continue;
                };
                assert_eq!(u64::from(found), least, "{x} {y}");
                let (dx, dy) = ((x - bound.origin.x) as i16, (y - bound.origin.y) as i16);
                assert_eq!(found, bound.plainly(dx, dy));
            }
        }
    }
}
