//! Sweeps and rounds, which bring a frame to its fixpoint.
//!
//! A row is *relaxed* from the row beside it: each cell takes the best of its
//! own value, of the step straight across, and of the two diagonals. That is
//! ten instructions for twelve cells. A *sweep* relaxes every row from the one
//! above it and every row from the one below it:
//!
//! ```text
//!   row 1 from 0    row 10 from 11     two independent chains, which the
//!   row 2 from 1    row  9 from 10     processor runs at the same time
//!     …               …
//!   row 6 from 5    row  5 from  6     past the middle each chain continues on
//!     …               …                the rows that the other has relaxed
//! ```
//!
//! Then every row takes steps along itself. Sweep and steps together are a
//! *round*. A round that changes nothing proves that no step can change
//! anything.
//!
//! PERF: a round takes double steps along the rows too. Two of them in the
//! first round and one in each later round win or tie on every kind of ground,
//! among (1..=4) × (0..=2); other numbers cost 5–40 %.

use super::ground::FRAME;
use super::prices::{Clear, StepPrices};
use super::row::{Lanes, Row, Single};

const FIRST_TWOS: usize = 2;
const LATER_TWOS: usize = 1;

/// Relaxes a row from the row beside it; see [`prices`](super::prices) for the
/// corner rule.
#[inline(always)]
fn relax<R: Row>(row: R, beside: R, wall: R, straight: R, diagonal: R) -> R {
    let beyond_corner = beside.without(wall);
    let diagonals = beyond_corner.west().max(beyond_corner.east());
    row.max(beside.minus(straight))
        .max(diagonals.minus(diagonal))
}

/// Relaxes all rows from those above and below, and writes them into `swept`.
#[inline(always)]
fn sweep<P: StepPrices>(rows: &[P::Row; FRAME], swept: &mut [P::Row; FRAME], prices: &P) {
    let (mut above, mut below) = (rows[0], rows[FRAME - 1]);
    for down in 1..FRAME - 1 {
        let up = FRAME - 1 - down;
        // Past the middle the other chain has written the row already.
        let (upper, lower) = if down < up {
            (rows[down], rows[up])
        } else {
            (swept[down], swept[up])
        };
        let to = prices.row(down);
        above = relax(upper, above, to.wall, to.straight, to.above);
        swept[down] = above;
        let to = prices.row(up);
        below = relax(lower, below, to.wall, to.straight, to.below);
        swept[up] = below;
    }
}

/// Takes a step west and a step east; leaving a cell costs the same both ways.
#[inline(always)]
fn step_along<R: Row>(row: R, straight: R) -> R {
    row.max(row.west().max(row.east()).minus(straight))
}

/// Runs one round, with `swept` as scratch; returns whether a value changed.
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
        let straight = prices.row(y).straight;
        let mut row = step_along(swept[y], straight);
        // Two steps cost the price of this cell and that of the next.
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

/// Clears the walls, and takes the first steps in from the halo in west and
/// east.
#[inline(always)]
pub(super) fn step_in<P: StepPrices>(rows: &mut [P::Row; FRAME], prices: &P) {
    for (above, row) in rows[1..FRAME - 1].iter_mut().enumerate() {
        let y = above + 1;
        let prices = prices.row(y);
        *row = step_along(row.without(prices.wall), prices.straight);
    }
}

/// Brings a frame without walls to its fixpoint. For every cell there is a
/// cheapest path that takes all its diagonal and vertical steps first, then its
/// horizontal ones. So one sweep and then one closure along the rows are
/// enough, without a check.
#[inline(always)]
pub(super) fn settle_clear(rows: &mut [Single; FRAME], prices: &Clear) {
    let mut swept = [Single::all(0); FRAME];
    sweep(rows, &mut swept, prices);
    let one = prices.row(1).straight;
    let two_west = one.plus(one.west());
    let two_east = one.plus(one.east());
    let three_west = two_west.plus(one.west2());
    let three_east = two_east.plus(one.east2());
    let three = |row: Single| {
        row.max(row.west().west2().minus(three_west))
            .max(row.east().east2().minus(three_east))
    };
    for y in 1..FRAME - 1 {
        // Reaches 1, 3, 6 and 9 cells along the row.
        let row = step_along(swept[y], one);
        let row = row
            .max(row.west2().minus(two_west))
            .max(row.east2().minus(two_east));
        rows[y] = three(three(row));
    }
}
