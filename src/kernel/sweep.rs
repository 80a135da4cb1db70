//! Sweeps and rounds: what brings a frame to its fixpoint.
//!
//! A row is *drawn* from the row beside it: each cell takes the best of what it
//! has, of the step straight across, and of the two diagonals. That is ten
//! instructions for twelve cells. A *sweep* draws every row from the one above
//! it and every row from the one below it:
//!
//! ```text
//!   row 1 from 0    row 10 from 11     two chains that do not wait for each
//!   row 2 from 1    row  9 from 10     other, so the processor runs both
//!     …               …
//!   row 6 from 5    row  5 from  6     past the middle each goes on over what
//!     …               …                the other has done
//! ```
//!
//! Then every row takes steps along itself. Sweep and steps are a *round*. A
//! round that changes nothing proves that no step can change anything.
//!
//! PERF: steps along the rows after the first round, then after each later
//! one, in numbers of double steps: 2 and 1 win or tie on every kind of ground
//! among (1..=4) × (0..=2); others cost 5–40 %.

use super::ground::FRAME;
use super::lanes::Bytes;
use super::prices::{Clear, StepPrices};
use super::row::{Row, Single};

const FIRST_TWOS: usize = 2;
const LATER_TWOS: usize = 1;

/// The best of a row and of what it may take from the row beside it; see
/// [`prices`](super::prices) for the corner rule.
#[inline(always)]
fn draw<R: Row>(row: R, beside: R, wall: R, straight: R, diagonal: R) -> R {
    let beyond_corner = beside.without(wall);
    let diagonals = beyond_corner.west().max(beyond_corner.east());
    row.max(beside.minus(straight))
        .max(diagonals.minus(diagonal))
}

/// Draws all rows from those above and below, and puts them into `swept`.
#[inline(always)]
fn sweep<P: StepPrices>(rows: &[P::Row; FRAME], swept: &mut [P::Row; FRAME], prices: &P) {
    let (mut above, mut below) = (rows[0], rows[FRAME - 1]);
    for down in 1..FRAME - 1 {
        let up = FRAME - 1 - down;
        // Past the middle the other chain has been there already.
        let (upper, lower) = if down < up {
            (rows[down], rows[up])
        } else {
            (swept[down], swept[up])
        };
        let (wall, straight) = (prices.wall(down), prices.straight(down));
        above = draw(upper, above, wall, straight, prices.above(down));
        swept[down] = above;
        let (wall, straight) = (prices.wall(up), prices.straight(up));
        below = draw(lower, below, wall, straight, prices.below(up));
        swept[up] = below;
    }
}

/// A step west and a step east; leaving a cell costs the same both ways.
#[inline(always)]
fn step_along<R: Row>(row: R, straight: R) -> R {
    row.max(row.west().max(row.east()).minus(straight))
}

/// One round, with room for a sweep; whether it changed anything.
#[inline(always)]
fn round<P: StepPrices>(
    rows: &mut [P::Row; FRAME],
    swept: &mut [P::Row; FRAME],
    prices: &P,
    twos: usize,
) -> bool {
    sweep(rows, swept, prices);
    let mut changed = P::Row::all(0);
    for y in 1..FRAME - 1 {
        let straight = prices.straight(y);
        let mut row = step_along(swept[y], straight);
        // Two steps cost what this cell costs and what the next one does.
        let west = straight.plus(straight.west());
        let east = straight.plus(straight.east());
        for _ in 0..twos {
            row = row
                .max(row.west2().minus(west))
                .max(row.east2().minus(east));
        }
        changed = changed.or(row.minus(rows[y]));
        rows[y] = row;
    }
    changed.any()
}

/// Brings a frame to its fixpoint.
#[inline(always)]
pub(super) fn settle<P: StepPrices>(rows: &mut [P::Row; FRAME], prices: &P) {
    let mut swept = [P::Row::all(0); FRAME];
    round(rows, &mut swept, prices, FIRST_TWOS);
    while round(rows, &mut swept, prices, LATER_TWOS) {}
}

/// The first step in from the western and eastern halo, and walls taken out.
#[inline(always)]
pub(super) fn step_in<P: StepPrices>(rows: &mut [P::Row; FRAME], prices: &P) {
    for (above, row) in rows[1..FRAME - 1].iter_mut().enumerate() {
        let y = above + 1;
        *row = step_along(row.without(prices.wall(y)), prices.straight(y));
    }
}

/// Brings a frame without walls to its fixpoint: every cheapest way there is
/// diagonal and vertical steps first, then horizontal ones. So one sweep and
/// one closure along the rows are enough, and nothing need be checked.
#[inline(always)]
pub(super) fn settle_clear<B: Bytes>(rows: &mut [Single<B>; FRAME], prices: &Clear<B>) {
    let mut swept = [Single::all(0); FRAME];
    sweep(rows, &mut swept, prices);
    let one = prices.straight(1);
    let two_west = one.plus(one.west());
    let two_east = one.plus(one.east());
    let three_west = two_west.plus(one.west2());
    let three_east = two_east.plus(one.east2());
    let three = |row: Single<B>| {
        row.max(row.west().west2().minus(three_west))
            .max(row.east().east2().minus(three_east))
    };
    for y in 1..FRAME - 1 {
        // 1, 3, 6 and 9 cells.
        let row = step_along(swept[y], one);
        let row = row
            .max(row.west2().minus(two_west))
            .max(row.east2().minus(two_east));
        rows[y] = three(three(row));
    }
}
