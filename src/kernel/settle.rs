//! Settling one tile: the values around it in; directions, borders and wake
//! bits out.
//!
//! # The idea
//!
//! A row of the frame is one vector, one lane per cell. Ten instructions relax
//! a whole row from the row beside it. So the tile is swept by rows until
//! nothing changes; most tiles are done after one or two rounds.
//!
//! ```text
//!   N N N N N N      gather   the halo's values into the frame
//!   W . . . . E      sweep    row 1 from row 0, row 10 from row 11, and so on
//!   W . # # . E      along    each row from itself, cells west and east
//!   W . . . . E               repeat until nothing changes
//!   S S S S S S      finish   directions; borders; which halo cells to wake
//! ```
//!
//! # How the code departs from that
//!
//! 1. Lanes hold closeness, not values; see [`row`](super::row). 0 is
//!    unreached.
//! 2. The arithmetic uses no masks: a step out of a wall or a halo cell has a
//!    price that no closeness exceeds; see [`prices`](super::prices).
//! 3. Lanes are narrow, and values count from the lowest one around the tile. A
//!    byte holds values up to 253 above it, 15 bits up to 32,765 above it. If
//!    every open cell is reached, whatever was cut off does not matter: a path
//!    that is cut off is longer than every path that fits. Only a tile with an
//!    unreached cell is checked ([`cut_off`]), and may go to the next wider
//!    lanes: bytes, words, and then 64 bits a cell ([`wide`]).
//! 4. A tile is settled from its halo and goals alone, without its previous
//!    values. The fixpoint is the same, since the values of a halo never get
//!    worse. So no inner values are kept.
//! 5. On ground of one other cost all steps are as many times as dear. A tile there
//!    is settled as if the cost was 1; see [`units`].
//! 6. A tile whose costs differ and are low, such as one with a road, is tried in bytes
//!    first: half the instructions, if its values lie near enough to each other.
//! 7. A frame without walls is done after one sweep, without a check.
//! 8. On x86-64 the kernels are compiled twice, for SSE2 and for AVX2, and the
//!    choice is made at run time. The code and its results are the same. An
//!    AVX2 instruction need not overwrite an operand, which saves a fifth of
//!    the instructions, nearly all of them copies. The call into the AVX2 build
//!    is the only unsafe one of the engine.
//!
//! # Measured
//!
//! A whole tile, from gathering to wake bits: the least of many runs on one
//! core of a shared virtual machine (AMD EPYC 9005), SSE2 only. The last column
//! is the 64-bit frame, a cell at a time.
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
//! PERF: `cargo test --release -p flowtiles --lib speed -- --ignored --nocapture`. All
//! kernels run at about 16 instructions a ns, so the number of instructions
//! decides. Gathering, borders and wake bits are a third of a clear tile.
//!
//! Tried and rejected: two tiles in one call (nothing ever waits). Other
//! rejected variants are described in [`row`](super::row), [`sweep`] and
//! [`flow`].

use super::border;
use super::flow;
use super::ground::{Costs, FRAME, Ground, Walls};
use super::halo::{NO_PATH, Seed, Settling, Wake};
use super::lanes::TooFar;
use super::prices::{Clear, Costed, LowCosts, StepPrices, Walled};
use super::row::{Gathered, Lanes, Row, Single, any_low};
use super::sweep;
use super::{units, wide};
use crate::cost::Cost;

/// Settles a tile: every cell's value becomes the cost of the cheapest path
/// through the tile from it to a seed or a halo cell.
///
/// Writes for each cell the index in [`Direction::ALL`] of the first step that
/// accounts for its value, 8 where no step does (a seed), 9 where there is no
/// path. Writes the values of the tile's borders. Returns the cells of the halo
/// that a step into the tile would improve.
///
/// Values must stay below [`NO_PATH`], and must be [`NO_PATH`] at walls.
///
/// [`Direction::ALL`]: crate::grid::Direction::ALL
#[inline(always)]
pub(crate) fn settle(ground: Ground<'_>, tile: Settling<'_>) -> Wake {
    debug_assert!(
        tile.halo
            .cells()
            .all(|(x, y, value)| value == NO_PATH || !ground.is_wall(x, y)),
        "a value in a wall of the halo"
    );
    match ground {
        Ground::Clear(cost) | Ground::Walls(_, cost) if cost != Cost::OPEN => {
            units::settle(ground, cost, tile, settle_as_it_is)
        }
        ground => settle_as_it_is(ground, tile),
    }
}

/// Settles a tile whose open cells cost 1, or do not all cost the same.
#[inline(always)]
fn settle_as_it_is(ground: Ground<'_>, tile: Settling<'_>) -> Wake {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, and the function requires nothing
        // else.
        #[expect(unsafe_code, reason = "AVX2 takes a fifth of the instructions")]
        return unsafe { settle_with_avx2(ground, tile) };
    }
    settle_plainly(ground, tile)
}

/// Settles a tile on processors with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn settle_with_avx2(ground: Ground<'_>, tile: Settling<'_>) -> Wake {
    settle_by(ground, tile)
}

/// Settles a tile on any processor of the target.
#[inline(never)]
pub(super) fn settle_plainly(ground: Ground<'_>, tile: Settling<'_>) -> Wake {
    settle_by(ground, tile)
}

#[inline(always)]
fn settle_by(ground: Ground<'_>, mut tile: Settling<'_>) -> Wake {
    let tile = &mut tile;
    let narrow = match ground {
        Ground::Clear(_) => clear(tile),
        Ground::Walls(walls, _) => walled(walls, tile),
        // PERF: not by `or_else`, whose closure would be compiled without AVX2.
        Ground::Costs(costs) => match low_costs(costs, tile) {
            Ok(wake) => Ok(wake),
            Err(TooFar) => costed(costs, tile),
        },
    };
    narrow.unwrap_or_else(|TooFar| settle_far(ground, tile))
}

/// Settles a tile whose values lie too far apart for the narrowest lanes.
#[cold]
#[inline(never)]
fn settle_far(ground: Ground<'_>, tile: &mut Settling<'_>) -> Wake {
    if let Ground::Costs(costs) = ground {
        return wide::settle(costs, tile);
    }
    let costs = ground.costs();
    match costed(&costs, tile) {
        Ok(wake) => wake,
        Err(TooFar) => wide::settle(&costs, tile),
    }
}

/// Settles a tile of cost 1 without walls, in bytes.
#[inline(always)]
pub(super) fn clear(tile: &mut Settling<'_>) -> Result<Wake, TooFar> {
    let prices = Clear;
    let top = top_of::<Single>(tile);
    let mut frame = Single::gather(&tile.halo, top);
    sow(&mut frame.rows, &prices, tile.seeds, top);
    sweep::settle_clear(&mut frame.rows, &prices);
    finish(&prices, &frame, top, tile)
}

/// Settles a tile of cost 1 and walls, in bytes.
#[inline(always)]
pub(super) fn walled(walls: &Walls, tile: &mut Settling<'_>) -> Result<Wake, TooFar> {
    iterate(&Walled::new(walls), tile)
}

/// Settles a tile of low costs, in bytes; too far if a cost is not low.
#[inline(always)]
pub(super) fn low_costs(costs: &Costs, tile: &mut Settling<'_>) -> Result<Wake, TooFar> {
    iterate(&LowCosts::new(costs).ok_or(TooFar)?, tile)
}

/// Settles a tile of any costs, in words.
#[inline(always)]
pub(super) fn costed(costs: &Costs, tile: &mut Settling<'_>) -> Result<Wake, TooFar> {
    iterate(&Costed::new(costs), tile)
}

#[inline(always)]
fn iterate<P: StepPrices>(prices: &P, tile: &mut Settling<'_>) -> Result<Wake, TooFar> {
    let top = top_of::<P::Row>(tile);
    let mut frame = P::Row::gather(&tile.halo, top);
    sweep::step_in(&mut frame.rows, prices);
    sow(&mut frame.rows, prices, tile.seeds, top);
    sweep::settle(&mut frame.rows, prices);
    finish(prices, &frame, top, tile)
}

/// Returns the value with closeness 0: a whole range above the lowest value.
#[inline(always)]
fn top_of<R: Row>(tile: &Settling<'_>) -> u32 {
    let seeds = tile.seeds.iter().map(|seed| seed.value);
    let lowest = seeds.fold(tile.halo.lowest(), u32::min);
    lowest.min(NO_PATH - 1 - R::TOP) + R::TOP
}

/// Writes the seeds into the rows. Since they are rare, a lane at a time.
#[inline(always)]
fn sow<P: StepPrices>(rows: &mut [P::Row; FRAME], prices: &P, seeds: &[Seed], top: u32) {
    for seed in seeds {
        let (x, y) = (seed.slot.x() as usize + 1, seed.slot.y() as usize + 1);
        if prices.row(y).wall.at(x) == 0 {
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
    tile: &mut Settling<'_>,
) -> Result<Wake, TooFar> {
    let unreached = flow::directions(&frame.rows, prices, tile.flow);
    if unreached && cut_off(&frame.rows, top, tile) {
        return Err(TooFar);
    }
    Ok(border::finish(frame, prices, top, tile.borders))
}

/// Whether a value lies beyond the range, or so near its end that a step from
/// it may have been lost. Called only if an open cell is unreached.
#[inline(never)]
fn cut_off<R: Row>(rows: &[R; FRAME], top: u32, tile: &Settling<'_>) -> bool {
    tile.halo.any_from(top) || tile.seeds.iter().any(|seed| seed.value >= top) || any_low(rows)
}
