//! The last stage of settling: writes the borders and finds the halo cells to
//! wake.
//!
//! To find the halo cells that a step into the tile would improve, the step
//! rule is applied once more: from our border line to the halo's line, at the
//! halo's own prices. The answer is exact, so a tile never wakes the tile it
//! was settled from.
//!
//! One case needs care near the end of the value range. A border cell may hold
//! a value while the value one step further no longer fits. An unreached halo
//! cell would gain from that step all the same. So the rule runs twice: on the
//! values as they are, which finds the cells that improve; and on values lifted
//! above the highest price, which finds the cells that any step can reach.
//!
//! If a step would be exactly as good as a halo cell's value, that cell has
//! another cheapest path, which its own settling may not have known. Such cells
//! are reported too. They are rare: a tile settled from another one mostly has
//! worse values to offer back.
//!
//! A halo cell whose value lies beyond the range looks unreached, and may be
//! woken needlessly. This cannot repeat forever: the woken value always lies
//! above the whole range of the waking tile, so along a cycle of such wakes
//! values would have to rise without end. Such a cell is never reported as
//! equal: when its tile is settled again, it finds the equal step itself.

use super::ground::FRAME;
use super::halo::{Borders, Wake};
use super::lanes::Bytes;
use super::prices::{Edge, StepPrices};
use super::row::{Gathered, OUTSIDE, Row};
use crate::arrays::Mapped;

/// The bits of the cells between the corners.
const BETWEEN: u16 = 0x7FE;

/// Writes the borders; returns what they would change in the halo.
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
    borders.sides = [
        north.side(top),
        east.side(top),
        south.side(top),
        west.side(top),
    ];
    let sides = [
        compare(rows[0], north, &prices.edge(0)),
        compare(frame.east, east, &prices.edge(1)),
        compare(rows[FRAME - 1], south, &prices.edge(2)),
        compare(frame.west, west, &prices.edge(3)),
    ];
    let lines = |of: fn(&(u16, u16)) -> u16| {
        let [north, east, south, west] = sides.each_ref().mapped(of);
        [north, east & BETWEEN, south, west & BETWEEN]
    };
    Wake {
        better: lines(|side| side.0),
        equal: lines(|side| side.1),
    }
}

/// Returns the cells of a halo line that a step to the border would improve,
/// and those for which it would be exactly as good.
#[inline(always)]
fn compare<R: Row>(halo: R, border: R, edge: &Edge<R>) -> (u16, u16) {
    let none = R::all(0);
    let offered = |border: R| {
        let beyond_corner = border.without(edge.wall);
        let diagonals = beyond_corner.west().max(beyond_corner.east());
        border
            .minus(edge.straight)
            .max(diagonals.minus(edge.diagonal))
            .max(none)
    };
    let border = border.without(R::from_mask(Bytes::load(&OUTSIDE)));
    let lifted = border.max(R::all(R::LOW + 1)).without(border.equal(none));
    let stepped = offered(border);
    let better = stepped.above(halo);
    let first = offered(lifted).and(halo.equal(none));
    let equal = stepped.matches(halo).without(halo.matches(none));
    (
        !R::by_column(better.or(first).matches(none)).bits(),
        R::by_column(equal).bits(),
    )
}
