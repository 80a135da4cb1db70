//! Flow directions: for every cell the first step that accounts for its value.
//!
//! At the fixpoint each reached cell that is no goal has a neighbour that is
//! closer by exactly the price of the step. So eight comparisons for equality,
//! a row at a time, find the directions, on the same rows and prices. Each
//! neighbour that matches offers a code. Codes run from 8 (north) down to 1
//! (north-west), so the maximum is the first match in the order of
//! [`Direction::ALL`](crate::grid::Direction::ALL). 0 is a cell that no
//! neighbour accounts for: a goal.
//!
//! PERF: a flat copy of stride 12, which turns shifts into loads, takes a fifth
//! fewer instructions and 10–20 % more time: the loads wait for the stores.
//! Computing directions as the fixpoint check, in place of a round without
//! change, costs 25 % more. Keeping a row's shifts for the next row takes 8 %
//! more instructions: it spills registers.

use super::ground::FRAME;
use super::lanes::Bytes;
use super::prices::{RowPrices, StepPrices};
use super::row::{INSIDE, Lanes, Row};
use crate::arrays::put;
use crate::grid::{Direction, SECTOR_CELLS, SECTOR_SIDE};

/// The code of a goal: the one after the directions.
pub(crate) const HERE: u8 = Direction::ALL.len() as u8;
/// The code of a wall or an unreached cell.
pub(crate) const NO_DIRECTION: u8 = HERE + 1;

const SIDE: usize = SECTOR_SIDE as usize;

/// Writes the codes of all cells; returns whether an open cell is unreached.
#[inline(always)]
pub(super) fn directions<P: StepPrices>(
    rows: &[P::Row; FRAME],
    prices: &P,
    out: &mut [u8; SECTOR_CELLS],
) -> bool {
    let mut codes = [Bytes::all(0); SIDE];
    let mut unreached = codes[0];
    for y in 1..FRAME - 1 {
        let (row, prices) = (rows[y], prices.row(y));
        let offer = first_match([rows[y - 1], row, rows[y + 1]], &prices);
        let none = row
            .matches(P::Row::all(0))
            .and(Bytes::all(NO_DIRECTION - HERE));
        codes[y - 1] = P::Row::by_column(Bytes::all(HERE).minus(offer).or(none));
        unreached = unreached.or(row.or(prices.wall).matches(P::Row::all(0)));
    }
    store(&codes, out);
    P::Row::by_column(unreached)
        .and(Bytes::load(&INSIDE))
        .bits()
        != 0
}

/// Returns for each cell of a row [`HERE`] minus the code of the first
/// neighbour that accounts for its value.
#[inline(always)]
fn first_match<R: Row>([north, row, south]: [R; 3], prices: &RowPrices<R>) -> Bytes {
    let offer = |neighbour: R, wanted: R, direction: Direction| {
        let code = Bytes::all(HERE - direction as u8);
        neighbour.matches(wanted).and(code)
    };
    let (north_corner, south_corner) = (north.without(prices.wall), south.without(prices.wall));
    let straight = row.plus(prices.straight);
    let above = row.plus(prices.above);
    let below = row.plus(prices.below);
    offer(north, straight, Direction::North)
        .max(offer(row.east(), straight, Direction::East))
        .max(offer(south, straight, Direction::South))
        .max(offer(row.west(), straight, Direction::West))
        .max(offer(north_corner.east(), above, Direction::NorthEast))
        .max(offer(south_corner.east(), below, Direction::SouthEast))
        .max(offer(south_corner.west(), below, Direction::SouthWest))
        .max(offer(north_corner.west(), above, Direction::NorthWest))
}

/// Packs the ten inner lanes of ten rows into a tile's hundred bytes. Each row
/// is stored with six surplus lanes, which the next row overwrites.
#[inline(always)]
fn store(codes: &[Bytes; SIDE], out: &mut [u8; SECTOR_CELLS]) {
    const FIRST_SIX: [u8; 16] = [255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for (y, codes) in codes[..SIDE - 1].iter().enumerate() {
        put(&mut out[SIDE * y..], codes.down::<1>().store());
    }
    // The last row has no room for surplus lanes: it is shifted up behind the
    // last six lanes of the row before.
    let before = codes[SIDE - 2].down::<5>().and(Bytes::load(&FIRST_SIX));
    let last = codes[SIDE - 1]
        .and(Bytes::load(&INSIDE))
        .up::<5>()
        .or(before);
    put(&mut out[SECTOR_CELLS - 16..], last.store());
}
