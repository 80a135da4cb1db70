//! Relaxation: what new paths through a sector, or a cluster of sectors, cost
//! from the portals around it. It is the innermost step of a search, done for
//! all portals at once.
//!
//! ```text
//!   rows of the portals whose costs are new     each plus that cost
//!        3  ∞  5  9                                     +4
//!        8  2  ∞  6                                     +0
//!        ──────────  relax: the lower of each lane
//!        7  2  9  6
//!        6  2  8  9      the costs known so far
//!           ──────────  better: the lanes in which the new path costs less
//!                  ▪
//! ```
//!
//! PERF: `better` takes 12 instructions for four lanes. For the plain loop the
//! compiler emits 58, since SSE2 cannot compare 64-bit numbers.

use bytemuck::cast;
use wide::{i64x2, u16x8, u32x4};

use crate::arrays::{Mapped, array_of};
use crate::lanes::{evens_and_odds, zip16};

/// The cost of a walk between two portals, as a table stores it.
pub(crate) trait WalkCost: Copy + Ord + 'static {
    /// There is no walk.
    const NO_WALK: Self;
    /// The highest cost that a table stores. Two such costs add up to less than
    /// `NO_WALK`.
    const HIGHEST: u32;
    /// Returns the cost in this type. It must lie below `NO_WALK`.
    fn of(cost: u32) -> Self;
    fn cost(self) -> u32;
    /// Returns the sum; `NO_WALK` if either is.
    fn plus(self, other: Self) -> Self;
    /// Returns a bit for each lane in which a walk plus `onward` costs less than
    /// what is known. Known costs stay below 2⁶². There are at most 32 lanes, a
    /// multiple of four. Lanes without a walk may be among those returned.
    fn better(known: &[u64], walks: &[Self], onward: u64) -> u32;
}

impl WalkCost for i16 {
    const NO_WALK: Self = Self::MAX;
    const HIGHEST: u32 = Self::NO_WALK as u32 / 2 - 1;

    #[inline]
    fn of(cost: u32) -> Self {
        cost as Self
    }

    #[inline]
    fn cost(self) -> u32 {
        u32::from(self.cast_unsigned())
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    #[inline(always)]
    fn better(known: &[u64], walks: &[Self], onward: u64) -> u32 {
        let fours = known.as_chunks().0.iter().zip(walks.as_chunks().0);
        let mut found = 0;
        for (four, (known, walks)) in fours.enumerate() {
            found |= better_of_four(known, walks, onward) << (4 * four);
        }
        found
    }
}

impl WalkCost for i32 {
    const NO_WALK: Self = Self::MAX;
    const HIGHEST: u32 = Self::NO_WALK as u32 / 2 - 1;

    #[inline]
    fn of(cost: u32) -> Self {
        cost.cast_signed()
    }

    #[inline]
    fn cost(self) -> u32 {
        self.cast_unsigned()
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn better(known: &[u64], walks: &[Self], onward: u64) -> u32 {
        let lanes = known.iter().zip(walks).enumerate();
        lanes.fold(0, |found, (lane, (&known, &walk))| {
            found | u32::from(onward + u64::from(walk.cost()) < known) << lane
        })
    }
}

/// Lowers each lane of `lowest` to that of `row` plus `by`.
#[inline(always)]
pub(crate) fn relax<T: WalkCost>(lowest: &mut [T], row: &[T], by: T) {
    let rows = lowest.as_chunks_mut::<4>().0.iter_mut();
    for (lowest, row) in rows.zip(row.as_chunks::<4>().0) {
        *lowest = lower(*lowest, row, by);
    }
}

#[inline(always)]
fn lower<T: WalkCost, const N: usize>(lowest: [T; N], row: &[T; N], by: T) -> [T; N] {
    array_of(|lane| lowest[lane].min(row[lane].plus(by)))
}

/// A row of a table to relax: where it begins, and the cost it starts from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreshRow {
    pub(crate) first: usize,
    pub(crate) cost: u64,
}

/// Sets `lowest` to the lowest of some rows of a table, each plus its cost less
/// `base`. `width` is a multiple of four.
///
/// PERF: goes over all rows with some lanes at a time, so the lowest costs stay in
/// registers.
#[inline(always)]
pub(crate) fn relax_rows<T: WalkCost>(
    lowest: &mut Vec<T>,
    table: &[T],
    width: usize,
    rows: &[FreshRow],
    base: u64,
) {
    lowest.clear();
    while lowest.len() < width {
        match width - lowest.len() {
            16.. => relax_lanes::<T, 16>(lowest, table, rows, base),
            8.. => relax_lanes::<T, 8>(lowest, table, rows, base),
            _ => relax_lanes::<T, 4>(lowest, table, rows, base),
        }
    }
}

#[inline(always)]
fn relax_lanes<T: WalkCost, const N: usize>(
    lowest: &mut Vec<T>,
    table: &[T],
    rows: &[FreshRow],
    base: u64,
) {
    let first = lowest.len();
    let mut lanes = [T::NO_WALK; N];
    for row in rows {
        if let Some(row_lanes) = table[row.first + first..].first_chunk() {
            lanes = lower(lanes, row_lanes, T::of((row.cost - base) as u32));
        }
    }
    lowest.extend_from_slice(&lanes);
}

#[cfg(test)]
fn plain_better(known: &[u64; 4], walks: &[i16; 4], onward: u64) -> u32 {
    let lanes = std::array::from_fn::<u32, 4, _>(|lane| {
        u32::from(onward + u64::from(walks[lane].cost()) < known[lane]) << lane
    });
    lanes.iter().sum()
}

#[inline(always)]
fn better_of_four(known: &[u64; 4], walks: &[i16; 4], onward: u64) -> u32 {
    let [a, b, c, d] = walks.mapped(|walk| u64::from(walk.cost()));
    let walks: u16x8 = cast([a | b << 16 | c << 32 | d << 48, 0]);
    let walks: u32x4 = cast(zip16(walks, u16x8::ZERO).0);
    let off = |walks: u32x4, known: [u64; 2]| {
        let cost = cast::<_, i64x2>(walks) + i64x2::splat(onward as i64);
        cast(cost - cast::<_, i64x2>(known))
    };
    let low = off(walks.unpack_lo(u32x4::ZERO), [known[0], known[1]]);
    let high = off(walks.unpack_hi(u32x4::ZERO), [known[2], known[3]]);
    evens_and_odds(low, high).1.to_bitmask()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::draws;

    #[test]
    fn the_lanes_found_are_those_of_the_plain_loop() {
        let mut draw = draws(3);
        for turn in 0..10_000 {
            let onward = [100, 1 << 40, 1 << 61][turn % 3];
            let walks: [i16; 12] = array_of(|_| match draw(4) {
                0 => i16::NO_WALK,
                _ => draw(2000) as i16,
            });
            let known: [u64; 12] = array_of(|lane| match draw(4) {
                0 => 1 << 62,
                1 => 0,
                2 => onward + u64::from(walks[lane].cost()),
                _ => onward + u64::from(draw(2000)),
            });
            let wide = walks.mapped(i32::from);
            let found = i16::better(&known, &walks, onward);
            assert_eq!(found, i32::better(&known, &wide, onward));
            let first = (known.first_chunk().unwrap(), walks.first_chunk().unwrap());
            assert_eq!(found & 15, plain_better(first.0, first.1, onward));
        }
    }

    #[test]
    fn relaxing_keeps_the_lower_cost_and_what_has_none() {
        let mut lowest = [7, i16::NO_WALK, 3, i16::NO_WALK];
        relax(&mut lowest, &[2, 4, 9, i16::NO_WALK], 4);
        assert_eq!(lowest, [6, 8, 3, i16::NO_WALK]);
        let highest = i16::of(i16::HIGHEST);
        assert!(highest.plus(highest) < i16::NO_WALK);
    }

    #[test]
    fn relaxing_rows_at_once_equals_one_after_the_other() {
        let mut draw = draws(5);
        for _ in 0..1_000 {
            let width = 4 * (1 + draw(12) as usize);
            let walks = (0..width * 8).map(|_| match draw(4) {
                0 => i16::NO_WALK,
                _ => draw(2000) as i16,
            });
            let table: Vec<i16> = walks.collect();
            let mut rows = Vec::new();
            for first in (0..table.len()).step_by(width) {
                if draw(2) == 0 {
                    let cost = 7 + u64::from(draw(1000));
                    rows.push(FreshRow { first, cost });
                }
            }
            let mut one_by_one = vec![i16::NO_WALK; width];
            for row in &rows {
                let lanes = &table[row.first..row.first + width];
                relax(&mut one_by_one, lanes, i16::of(row.cost as u32 - 7));
            }
            let mut at_once = vec![7; 3];
            relax_rows(&mut at_once, &table, width, &rows, 7);
            assert_eq!(at_once, one_by_one);
        }
    }
}
