//! What a settled frame leaves behind: its borders, and whom to wake.
//!
//! Which cells of the halo a step into the tile would improve is the step rule
//! once more, drawn from our border line to the halo's line at the halo's own
//! prices. So the answer is exact, and a tile never wakes the one it was
//! settled from.
//!
//! Near the end of the range one thing is lost: a border cell may have a value
//! while a step from it has none left. A halo cell without any value would gain
//! from that step all the same. So the line is drawn twice: as it is, which
//! tells what is better than what is there, and lifted above the highest
//! price, which tells where a step leads at all.
//!
//! Where a step would come to just what is there, the neighbour's cell has one
//! more cheapest way, of which its own settling may not have known. That is
//! told too. It is rare: a tile settled from another offers it worse values.
//!
//! A halo cell whose value lay beyond the range looks as if it had none, and
//! may be woken for nothing. That cannot go round in circles: each time the
//! woken value lies above the whole range of the waking tile, so along a
//! circle of such wakes values would rise for ever. Nor is such a cell ever told
//! to come to the same: its tile is settled anew, and sees for itself.

use super::ground::FRAME;
use super::halo::{Borders, Wake};
use super::lanes::Bytes;
use super::prices::{Edge, StepPrices};
use super::row::{Gathered, OUTSIDE, Row};

/// The bits of the cells between the corners.
const BETWEEN: u16 = 0x7FE;

/// Writes the borders; returns what they would be to the halo's cells.
#[inline(always)]
pub(super) fn finish<P: StepPrices>(
    frame: &Gathered<P::Row>,
    prices: &P,
    top: u32,
    borders: &mut Borders,
) -> Wake {
    let rows = &frame.rows;
    let (west, east) = P::Row::border_columns(rows);
    let (north, south) = (rows[1], rows[FRAME - 2]);
    for (side, line) in borders.sides.iter_mut().zip([north, east, south, west]) {
        *side = line.side(top);
    }
    let sides = [
        compare(rows[0], north, &prices.edge(0)),
        compare(frame.east, east, &prices.edge(1)),
        compare(rows[FRAME - 1], south, &prices.edge(2)),
        compare(frame.west, west, &prices.edge(3)),
    ];
    let lines = |of: fn(&(u16, u16)) -> u16| {
        let [north, east, south, west] = sides.each_ref().map(of);
        [north, east & BETWEEN, south, west & BETWEEN]
    };
    Wake {
        better: lines(|side| side.0),
        equal: lines(|side| side.1),
    }
}

/// The cells of a line of the halo that a step to the border would improve,
/// and those that would come to the same.
#[inline(always)]
fn compare<R: Row>(halo: R, border: R, edge: &Edge<R>) -> (u16, u16) {
    let none = R::all(0);
    let drawn = |border: R| {
        let beyond_corner = border.without(edge.wall);
        let diagonals = beyond_corner.west().max(beyond_corner.east());
        border
            .minus(edge.straight)
            .max(diagonals.minus(edge.diagonal))
            .max(none)
    };
    let border = border.without(R::from_mask(Bytes::load(&OUTSIDE)));
    let lifted = border.max(R::all(R::LOW + 1)).without(border.equal(none));
    let stepped = drawn(border);
    let better = stepped.above(halo);
    let first = drawn(lifted).and(halo.equal(none));
    let equal = stepped.matches(halo).without(halo.matches(none));
    (
        !R::by_column(better.or(first).matches(none)).bits(),
        R::by_column(equal).bits(),
    )
}
