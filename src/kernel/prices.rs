//! The prices of steps in a frame, row by row.
//!
//! The price of a step is the cost of the cell it leaves, times 5 or 7. An
//! illegal step has the highest price there is, so that saturation makes its
//! result 0, and no mask stands between one addition and the next. This applies
//! to steps out of walls, and to steps out of halo cells, whose values are
//! fixed.
//!
//! The corner rule has two halves. Take a step to the north-east:
//!
//! ```text
//!    ┌───┬───┐   If `n` is a wall, the cell's price for the diagonals to the
//!    │ n │ × │   row above forbids both of them.
//!    ├───┼───┤   If `e` is a wall, the value at × is cleared before it is
//!    │ o │ e │   read: × lies straight above a wall of this row.
//!    └───┴───┘
//! ```
//!
//! So both diagonals to one row share one mask and one price.

use std::array::from_fn;
use std::marker::PhantomData;

use super::ground::{Costs, FRAME, Walls};
use super::lanes::{Bytes, Words};
use super::row::{Lanes, OUTSIDE, Pair, Row, Single, outer_columns};
use super::step::{DIAGONAL, STRAIGHT};
use crate::cost::Cost;

/// The prices of the steps in a frame.
pub(super) trait StepPrices {
    type Row: Row;
    /// Returns walls and prices of frame row `y`, 1 to 10.
    fn row(&self, y: usize) -> RowPrices<Self::Row>;
    /// Returns the prices of steps into the tile over one side.
    fn edge(&self, side: usize) -> Edge<Self::Row>;
}

/// The prices of steps out of the cells of a row.
pub(super) struct RowPrices<R> {
    /// All bits are set at walls, halo included.
    pub(super) wall: R,
    pub(super) straight: R,
    /// Of diagonal steps to the row above, and to the row below.
    pub(super) above: R,
    pub(super) below: R,
}

/// A line of the halo, with the prices of steps from it to the tile's border.
pub(super) struct Edge<R> {
    pub(super) wall: R,
    pub(super) straight: R,
    pub(super) diagonal: R,
}

const FIVE: u8 = STRAIGHT as u8;
const SEVEN: u8 = DIAGONAL as u8;

/// Cost 1 everywhere. Stores nothing.
pub(super) struct Clear<B>(PhantomData<B>);

impl<B: Bytes> Clear<B> {
    pub(super) const PRICES: Self = Self(PhantomData);

    #[inline(always)]
    fn inside(price: u8) -> Single<B> {
        Single(B::load(&OUTSIDE).or(B::all(price)))
    }
}

impl<B: Bytes> StepPrices for Clear<B> {
    type Row = Single<B>;

    #[inline(always)]
    fn row(&self, _: usize) -> RowPrices<Single<B>> {
        let [straight, diagonal] = [FIVE, SEVEN].map(Self::inside);
        RowPrices {
            wall: Single::all(0),
            straight,
            above: diagonal,
            below: diagonal,
        }
    }

    #[inline(always)]
    fn edge(&self, _: usize) -> Edge<Single<B>> {
        Edge {
            wall: Single::all(0),
            straight: Single(B::all(FIVE)),
            diagonal: Single(B::all(SEVEN)),
        }
    }
}

/// Cost 1 and walls.
pub(super) struct Walled<B> {
    columns: [u16; 4],
    wall: [B; FRAME],
    straight: [B; FRAME],
    /// Between this row and the one above. A wall in either row forbids the
    /// step, so one price serves both ways.
    diagonal: [B; FRAME],
}

impl<B: Bytes> Walled<B> {
    #[inline(always)]
    pub(super) fn new(walls: &Walls) -> Self {
        let outside = B::load(&OUTSIDE);
        let (five, seven) = (outside.or(B::all(FIVE)), outside.or(B::all(SEVEN)));
        let wall: [B; FRAME] = from_fn(|y| B::mask(walls.rows[y]));
        let straight = from_fn(|y| wall[y].or(five));
        let diagonal = from_fn(|y| wall[y].or(wall[y.saturating_sub(1)]).or(seven));
        Self {
            columns: walls.columns,
            wall,
            straight,
            diagonal,
        }
    }
}

impl<B: Bytes> StepPrices for Walled<B> {
    type Row = Single<B>;

    #[inline(always)]
    fn row(&self, y: usize) -> RowPrices<Single<B>> {
        RowPrices {
            wall: Single(self.wall[y]),
            straight: Single(self.straight[y]),
            above: Single(self.diagonal[y]),
            below: Single(self.diagonal[y + 1]),
        }
    }

    #[inline(always)]
    fn edge(&self, side: usize) -> Edge<Single<B>> {
        let column = |at: usize| B::mask(self.columns[at]);
        let (halo, border) = match side {
            0 => (self.wall[0], self.wall[1]),
            1 => (column(3), column(2)),
            2 => (self.wall[FRAME - 1], self.wall[FRAME - 2]),
            _ => (column(0), column(1)),
        };
        Edge {
            wall: Single(halo),
            straight: Single(halo.or(B::all(FIVE))),
            diagonal: Single(halo.or(border).or(B::all(SEVEN))),
        }
    }
}

/// The highest cost of ground that is settled in bytes although its costs differ; some of
/// it must be of cost 1, such as a road.
///
/// PERF: a tile of such ground may span more than a byte holds, and is then settled once
/// more, in words. Tiles of higher costs nearly always do, and so do those without a road.
const LOW_COST: u8 = 4;

/// Costs of at most [`LOW_COST`], whose steps have prices that fit into bytes, and
/// walls.
pub(super) struct LowCosts<B> {
    /// By side: the costs of the halo's line and of the border's line.
    lines: [(B, B); 4],
    wall: [B; FRAME],
    straight: [B; FRAME],
    above: [B; FRAME],
    below: [B; FRAME],
}

impl<B: Bytes> LowCosts<B> {
    /// `None` if a cost is higher, or none is 1.
    #[inline(always)]
    pub(super) fn new(costs: &Costs) -> Option<Self> {
        let row: [B; FRAME] = from_fn(|y| B::load(&costs.0[y]));
        let wall = row.map(wall_mask);
        let others = row
            .into_iter()
            .zip(wall)
            .map(|(row, wall)| row.without(wall));
        let highest = others.fold(B::all(0), B::max);
        let lowest = row.map(|row| row.equal(B::all(1)));
        let lowest = lowest.into_iter().fold(B::all(0), B::or);
        let is_high = Single::<B>(highest.minus(B::all(LOW_COST))).any();
        if is_high || !Single::<B>(lowest).any() {
            return None;
        }
        let [west, near_west, near_east, east] = outer_columns(&row);
        let lines = [
            (row[0], row[1]),
            (east, near_east),
            (row[FRAME - 1], row[FRAME - 2]),
            (west, near_west),
        ];
        let outside = B::load(&OUTSIDE);
        let prices: [_; FRAME] = from_fn(|y| five_and_seven(row[y].or(outside)));
        let beyond = |y: usize| wall[y.min(FRAME - 1)];
        Some(Self {
            lines,
            wall,
            straight: prices.map(|(straight, _)| straight),
            above: from_fn(|y| prices[y].1.or(beyond(y.wrapping_sub(1)))),
            below: from_fn(|y| prices[y].1.or(beyond(y + 1))),
        })
    }
}

#[inline(always)]
fn wall_mask<B: Bytes>(costs: B) -> B {
    costs.equal(B::all(Cost::WALL.value()))
}

/// Returns five and seven times these costs; the highest number for walls.
#[inline(always)]
fn five_and_seven<B: Bytes>(costs: B) -> (B, B) {
    let two = costs.plus(costs);
    let five = two.plus(two).plus(costs);
    (five, five.plus(two))
}

impl<B: Bytes> StepPrices for LowCosts<B> {
    type Row = Single<B, { SEVEN as i16 * LOW_COST as i16 }>;

    #[inline(always)]
    fn row(&self, y: usize) -> RowPrices<Self::Row> {
        RowPrices {
            wall: Single(self.wall[y]),
            straight: Single(self.straight[y]),
            above: Single(self.above[y]),
            below: Single(self.below[y]),
        }
    }

    #[inline(always)]
    fn edge(&self, side: usize) -> Edge<Self::Row> {
        let (halo, border) = self.lines[side];
        let (straight, diagonal) = five_and_seven(halo);
        Edge {
            wall: Single(wall_mask(halo)),
            straight: Single(straight),
            diagonal: Single(diagonal.or(wall_mask(border))),
        }
    }
}

/// Any costs.
pub(super) struct Costed<W: Words> {
    /// By side: the costs of the halo's line and of the border's line.
    lines: [(W::Bytes, W::Bytes); 4],
    wall: [Pair<W>; FRAME],
    straight: [Pair<W>; FRAME],
    above: [Pair<W>; FRAME],
    below: [Pair<W>; FRAME],
}

impl<W: Words> Costed<W> {
    #[inline(always)]
    pub(super) fn new(costs: &Costs) -> Self {
        let row: [W::Bytes; FRAME] = from_fn(|y| W::Bytes::load(&costs.0[y]));
        let wall = row.map(Pair::<W>::from_mask);
        let [west, near_west, near_east, east] = outer_columns(&row);
        let lines = [
            (row[0], row[1]),
            (east, near_east),
            (row[FRAME - 1], row[FRAME - 2]),
            (west, near_west),
        ];
        let outside = W::Bytes::load(&OUTSIDE);
        let prices: [_; FRAME] = from_fn(|y| weighted::<W>(row[y].or(outside)));
        let beyond = |y: usize| wall[y.min(FRAME - 1)].forbidding();
        Self {
            lines,
            wall,
            straight: prices.map(|(straight, _)| straight),
            above: from_fn(|y| prices[y].1.or(beyond(y.wrapping_sub(1)))),
            below: from_fn(|y| prices[y].1.or(beyond(y + 1))),
        }
    }
}

/// Returns the prices of straight and diagonal steps out of cells of these
/// costs.
#[inline(always)]
fn weighted<W: Words>(costs: W::Bytes) -> (Pair<W>, Pair<W>) {
    let costs = Pair::<W>::of_bytes(costs);
    let wall = costs
        .equal(Pair::all(i16::from(Cost::WALL.value())))
        .forbidding();
    let times = |weight: u8| {
        costs
            .both(|cost| cost.times(W::all(i16::from(weight))))
            .or(wall)
    };
    (times(FIVE), times(SEVEN))
}

impl<W: Words> StepPrices for Costed<W> {
    type Row = Pair<W>;

    #[inline(always)]
    fn row(&self, y: usize) -> RowPrices<Pair<W>> {
        RowPrices {
            wall: self.wall[y],
            straight: self.straight[y],
            above: self.above[y],
            below: self.below[y],
        }
    }

    #[inline(always)]
    fn edge(&self, side: usize) -> Edge<Pair<W>> {
        let (halo, border) = self.lines[side];
        let (straight, diagonal) = weighted::<W>(halo);
        Edge {
            wall: Pair::from_mask(halo),
            straight,
            diagonal: diagonal.or(Pair::from_mask(border).forbidding()),
        }
    }
}
