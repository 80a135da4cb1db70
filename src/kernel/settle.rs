//! Settling one tile: values around it in; directions, borders and wake bits
//! out.
//!
//! # The idea
//!
//! A row of the frame is one vector, a lane a cell, and a row can be drawn from
//! the row beside it in ten instructions. So the tile is swept by whole rows
//! until nothing changes; most tiles are done after one or two rounds.
//!
//! ```text
//!   N N N N N N      gather   the halo's values into the frame
//!   W . . . . E      sweep    row 1 from row 0, row 10 from row 11, and on
//!   W . # # . E      along    each row from itself, cells west and east
//!   W . . . . E               again until nothing changes
//!   S S S S S S      finish   directions; borders; which halo cells to wake
//! ```
//!
//! # How the code departs from that
//!
//! 1. Lanes hold closeness, not values; see [`row`](super::row). No way is 0.
//! 2. No masks in the chain: walls and halo have a price that nobody can pay;
//!    see [`prices`](super::prices).
//! 3. Lanes are narrow, and values count from the lowest one around. A byte
//!    holds what lies up to 253 above it, 15 bits what lies up to 32,765
//!    above. If every open cell is reached, whatever was cut off did not
//!    matter: a way cut off is longer than any that is held. Only a tile with
//!    an unreached cell is looked at again ([`cut_off`]), and may go to the
//!    next wider lanes: bytes, words, and then 64 bits a cell
//!    ([`wide`]).
//! 4. A tile is settled from its halo and goals alone, not from values it had
//!    before. The fixpoint is the same, since a halo never gets worse, and so
//!    no inner value need be kept.
//! 5. A frame without any wall is done after one sweep, without a check.
//! 6. On x86-64 the kernels are compiled twice, for SSE2 and for AVX2, and the
//!    processor is asked which it has. The code is the same, and so are the
//!    bytes; with AVX2 an operation need not overwrite what it works on, which
//!    saves a fifth of the instructions, nearly all of them copies. The call
//!    into that build is the only unsafe one of the engine.
//!
//! # Measured
//!
//! A whole tile, from gathering to wake bits; the least of many runs on one
//! core of a shared virtual machine (AMD EPYC 9005), SSE2 alone. The last
//! column is the 64-bit frame, a cell at a time.
//!
//! | ground | lanes | ns | instructions | frame, ns |
//! | --- | --- | --: | --: | --: |
//! | clear | bytes | 115 | 1,880 | 3,500 |
//! | 10 % walls | bytes | 229 | 3,580 | 5,700 |
//! | 20 % walls | bytes | 254 | 3,880 | 7,500 |
//! | caves | bytes | 238 | 3,670 | 5,700 |
//! | maze | bytes | 282 | 4,260 | 4,500 |
//! | hills of 1 to 20 | words | 360 | 7,110 | 4,600 |
//! | random costs | words | 411 | 8,140 | 6,100 |
//!
//! PERF: `cargo test --release --lib speed -- --ignored --nocapture`. All of it
//! runs at some 16 instructions a ns, so it is the instructions that count.
//! Gathering, borders and wake bits are a third of a clear tile.
//!
//! Lost: two tiles in one call (there is nothing to wait for). What else lost
//! stands with what it lost to, in [`row`](super::row), [`sweep`]
//! and [`flow`].

use super::border;
use super::fastest::Fast;
use super::flow;
use super::ground::{Costs, FRAME, Ground, Walls};
use super::halo::{Borders, Halo, NO_WAY, Seed, Wake};
use super::lanes::{TooFar, Words};
use super::prices::{Clear, Costed, StepPrices, Walled};
use super::row::{Gathered, Row, Single};
use super::sweep;
use super::wide;
use crate::grid::SECTOR_CELLS;

/// Settles a tile: every cell's value becomes the price of the cheapest way
/// through the tile from it to a seed or a halo cell.
///
/// Writes for each cell the place in [`Direction::ALL`] of the first step that
/// accounts for its value, 8 where no step does (a seed), 9 where there is no
/// way; and the values of its borders. Tells which cells of the halo a step
/// into the tile would improve.
///
/// Values must stay below [`NO_WAY`], and must be [`NO_WAY`] at walls.
///
/// [`Direction::ALL`]: crate::grid::Direction::ALL
pub(crate) fn settle(
    ground: Ground<'_>,
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Wake {
    debug_assert!(
        halo.cells()
            .all(|(x, y, value)| value == NO_WAY || !ground.is_wall(x, y)),
        "a value in a wall of the halo"
    );
    #[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has been found to have what the function is
        // compiled for, and that is all that calling it asks for.
        #[expect(unsafe_code, reason = "AVX2 takes a fifth of the instructions")]
        return unsafe { settle_with_avx2(ground, halo, seeds, flow, borders) };
    }
    settle_plainly(ground, halo, seeds, flow, borders)
}

/// The same kernels, compiled for processors with AVX2.
#[cfg(all(target_arch = "x86_64", not(portable_lanes)))]
#[target_feature(enable = "avx2")]
fn settle_with_avx2(
    ground: Ground<'_>,
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Wake {
    settle_by::<Fast>(ground, halo, seeds, flow, borders)
}

/// The kernels as every processor of the target can run them.
#[inline(never)]
pub(super) fn settle_plainly(
    ground: Ground<'_>,
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Wake {
    settle_by::<Fast>(ground, halo, seeds, flow, borders)
}

#[inline(always)]
fn settle_by<W: Words>(
    ground: Ground<'_>,
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Wake {
    let narrow = match ground {
        Ground::Clear => clear::<W>(halo, seeds, flow, borders),
        Ground::Walls(walls) => walled::<W>(walls, halo, seeds, flow, borders),
        Ground::Costs(costs) => costed::<W>(costs, halo, seeds, flow, borders),
    };
    narrow.unwrap_or_else(|TooFar| settle_far(ground, halo, seeds, flow, borders))
}

/// Settles a tile whose values lie too far apart for the narrowest lanes.
#[cold]
#[inline(never)]
fn settle_far(
    ground: Ground<'_>,
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Wake {
    let costs = match ground {
        Ground::Costs(costs) => return wide::settle(costs, halo, seeds, flow, borders),
        Ground::Walls(walls) => Costs::of_walls(walls),
        Ground::Clear => Costs::of_walls(&Walls::NONE),
    };
    match costed::<Fast>(&costs, halo, seeds, flow, borders) {
        Ok(wake) => wake,
        Err(TooFar) => wide::settle(&costs, halo, seeds, flow, borders),
    }
}

/// Cost 1 everywhere, in bytes.
#[inline(always)]
pub(super) fn clear<W: Words>(
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Result<Wake, TooFar> {
    let prices = Clear::<W::Bytes>::PRICES;
    let top = top_of::<Single<W::Bytes>>(halo, seeds);
    let mut frame = Single::gather(halo, top);
    sow(&mut frame.rows, &prices, seeds, top);
    sweep::settle_clear(&mut frame.rows, &prices);
    finish(&prices, &frame, top, (halo, seeds), flow, borders)
}

/// Cost 1 and walls, in bytes.
#[inline(always)]
pub(super) fn walled<W: Words>(
    walls: &Walls,
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Result<Wake, TooFar> {
    iterate(&Walled::<W::Bytes>::new(walls), halo, seeds, flow, borders)
}

/// Any costs, in words.
#[inline(always)]
pub(super) fn costed<W: Words>(
    costs: &Costs,
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Result<Wake, TooFar> {
    iterate(&Costed::<W>::new(costs), halo, seeds, flow, borders)
}

#[inline(always)]
fn iterate<P: StepPrices>(
    prices: &P,
    halo: &Halo<'_>,
    seeds: &[Seed],
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Result<Wake, TooFar> {
    let top = top_of::<P::Row>(halo, seeds);
    let mut frame = P::Row::gather(halo, top);
    sweep::step_in(&mut frame.rows, prices);
    sow(&mut frame.rows, prices, seeds, top);
    sweep::settle(&mut frame.rows, prices);
    finish(prices, &frame, top, (halo, seeds), flow, borders)
}

/// The value at which closeness is 0: the whole range above the lowest.
#[inline(always)]
fn top_of<R: Row>(halo: &Halo<'_>, seeds: &[Seed]) -> u32 {
    let seeds = seeds.iter().map(|seed| seed.value);
    let lowest = seeds.fold(halo.lowest(), u32::min);
    lowest.min(NO_WAY - 1 - R::TOP) + R::TOP
}

/// Puts the seeds in: through memory, for they are rare.
#[inline(always)]
fn sow<P: StepPrices>(rows: &mut [P::Row; FRAME], prices: &P, seeds: &[Seed], top: u32) {
    for seed in seeds {
        let (x, y) = (seed.slot.x() as usize + 1, seed.slot.y() as usize + 1);
        if prices.wall(y).at(x) == 0 {
            let closeness = (top as i32 - seed.value as i32).max(0) as i16;
            rows[y] = rows[y].put(x, closeness.max(rows[y].at(x)));
        }
    }
}

#[inline(always)]
fn finish<P: StepPrices>(
    prices: &P,
    frame: &Gathered<P::Row>,
    top: u32,
    (halo, seeds): (&Halo<'_>, &[Seed]),
    flow: &mut [u8; SECTOR_CELLS],
    borders: &mut Borders,
) -> Result<Wake, TooFar> {
    let unreached = flow::directions(&frame.rows, prices, flow);
    if unreached && cut_off(&frame.rows, top, halo, seeds) {
        return Err(TooFar);
    }
    Ok(border::finish(frame, prices, top, borders))
}

/// Whether a value lay beyond the range, or so near its end that a step from
/// it may have been lost. Asked only where an open cell was not reached.
#[inline(never)]
fn cut_off<R: Row>(rows: &[R; FRAME], top: u32, halo: &Halo<'_>, seeds: &[Seed]) -> bool {
    halo.any_from(top) || seeds.iter().any(|seed| seed.value >= top) || any_low(rows)
}

/// Whether a cell is so far off that a step from it may have been lost.
#[inline(always)]
pub(super) fn any_low<R: Row>(rows: &[R; FRAME]) -> bool {
    let none = R::all(0);
    let low = |row: &R| {
        let at_most = row.minus(R::all(R::LOW)).max(none).equal(none);
        at_most.without(row.equal(none))
    };
    rows.iter().fold(none, |any, row| any.or(low(row))).any()
}
