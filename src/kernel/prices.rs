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

use super::ground::{Costs, FRAME, Walls};
use super::lanes::{Bytes, Words};
use super::row::{Lanes, OUTSIDE, Pair, Row, Single, outer_columns};
use super::step::{DIAGONAL, STRAIGHT};
use crate::arrays::{Mapped, array_of};
use crate::cost::Cost;

pub(super) trait StepPrices {
    type Row: Row;
    /// Returns walls and prices of frame row `y`, 1 to 10.
    fn row(&self, y: usize) -> RowPrices<Self::Row>;
    /// Returns the prices of steps into the tile over one side.
    fn edge(&self, side: usize) -> Edge<Self::Row>;
}

/// The prices of steps out of the cells of a row.
#[derive(Clone, Copy)]
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

/// The rows of the tile itself.
const SIDE: usize = FRAME - 2;

const FIVE: u8 = STRAIGHT as u8;
const SEVEN: u8 = DIAGONAL as u8;

/// Cost 1 everywhere. Stores nothing.
pub(super) struct Clear;

impl Clear {
    #[inline(always)]
    fn inside(price: u8) -> Single {
        Single(Bytes::load(&OUTSIDE).or(Bytes::all(price)))
    }
}

impl StepPrices for Clear {
    type Row = Single;

    #[inline(always)]
    fn row(&self, _: usize) -> RowPrices<Single> {
        let [straight, diagonal] = [FIVE, SEVEN].mapped(Self::inside);
        RowPrices {
            wall: Single::all(0),
            straight,
            above: diagonal,
            below: diagonal,
        }
    }

    #[inline(always)]
    fn edge(&self, _: usize) -> Edge<Single> {
        Edge {
            wall: Single::all(0),
            straight: Single(Bytes::all(FIVE)),
            diagonal: Single(Bytes::all(SEVEN)),
        }
    }
}

/// Cost 1 and walls.
pub(super) struct Walled {
    columns: [u16; 4],
    wall: [Bytes; FRAME],
    straight: [Bytes; FRAME],
    /// Between this row and the one above. A wall in either row forbids the
    /// step, so one price serves both ways.
    diagonal: [Bytes; FRAME],
}

impl Walled {
    #[inline(always)]
    pub(super) fn new(walls: &Walls) -> Self {
        let outside = Bytes::load(&OUTSIDE);
        let (five, seven) = (outside.or(Bytes::all(FIVE)), outside.or(Bytes::all(SEVEN)));
        let wall: [Bytes; FRAME] = array_of(|y| Bytes::mask(walls.rows[y]));
        let straight = array_of(|y| wall[y].or(five));
        let diagonal = array_of(|y| wall[y].or(wall[y.saturating_sub(1)]).or(seven));
        Self {
            columns: walls.columns,
            wall,
            straight,
            diagonal,
        }
    }
}

impl StepPrices for Walled {
    type Row = Single;

    #[inline(always)]
    fn row(&self, y: usize) -> RowPrices<Single> {
        RowPrices {
            wall: Single(self.wall[y]),
            straight: Single(self.straight[y]),
            above: Single(self.diagonal[y]),
            below: Single(self.diagonal[y + 1]),
        }
    }

    #[inline(always)]
    fn edge(&self, side: usize) -> Edge<Single> {
        let column = |at: usize| Bytes::mask(self.columns[at]);
        let (halo, border) = match side {
            0 => (self.wall[0], self.wall[1]),
            1 => (column(3), column(2)),
            2 => (self.wall[FRAME - 1], self.wall[FRAME - 2]),
            _ => (column(0), column(1)),
        };
        Edge {
            wall: Single(halo),
            straight: Single(halo.or(Bytes::all(FIVE))),
            diagonal: Single(halo.or(border).or(Bytes::all(SEVEN))),
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
pub(super) struct LowCosts {
    /// By side: the costs of the halo's line and of the border's line.
    lines: [(Bytes, Bytes); 4],
    rows: [RowPrices<LowRow>; SIDE],
}

type LowRow = Single<{ SEVEN as i16 * LOW_COST as i16 }>;

impl LowCosts {
    /// `None` if a cost is higher, or none is 1.
    #[inline(always)]
    pub(super) fn new(costs: &Costs) -> Option<Self> {
        let row: [Bytes; FRAME] = array_of(|y| Bytes::load(&costs.0[y]));
        let wall = row.mapped(wall_mask);
        let (mut highest, mut lowest) = (Bytes::all(0), Bytes::all(0));
        for y in 0..FRAME {
            highest = highest.max(row[y].without(wall[y]));
            lowest = lowest.or(row[y].equal(Bytes::all(1)));
        }
        let is_high = highest.minus(Bytes::all(LOW_COST)).any();
        if is_high || !lowest.any() {
            return None;
        }
        let [west, near_west, near_east, east] = outer_columns(&row);
        let lines = [
            (row[0], row[1]),
            (east, near_east),
            (row[FRAME - 1], row[FRAME - 2]),
            (west, near_west),
        ];
        let outside = Bytes::load(&OUTSIDE);
        // Large values, which `array_of` would write twice.
        let rows = std::array::from_fn(|above| {
            let y = above + 1;
            let (straight, diagonal) = five_and_seven(row[y].or(outside));
            RowPrices {
                wall: Single(wall[y]),
                straight: Single(straight),
                above: Single(diagonal.or(wall[y - 1])),
                below: Single(diagonal.or(wall[y + 1])),
            }
        });
        Some(Self { lines, rows })
    }
}

#[inline(always)]
fn wall_mask(costs: Bytes) -> Bytes {
    costs.equal(Bytes::all(Cost::WALL.value()))
}

/// Returns five and seven times these costs; the highest number for walls.
#[inline(always)]
fn five_and_seven(costs: Bytes) -> (Bytes, Bytes) {
    let two = costs.plus(costs);
    let five = two.plus(two).plus(costs);
    (five, five.plus(two))
}

impl StepPrices for LowCosts {
    type Row = LowRow;

    #[inline(always)]
    fn row(&self, y: usize) -> RowPrices<LowRow> {
        self.rows[y - 1]
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
pub(super) struct Costed {
    /// By side: the costs of the halo's line and of the border's line.
    lines: [(Bytes, Bytes); 4],
    rows: [RowPrices<Pair>; SIDE],
}

impl Costed {
    #[inline(always)]
    pub(super) fn new(costs: &Costs) -> Self {
        let row: [Bytes; FRAME] = array_of(|y| Bytes::load(&costs.0[y]));
        let wall = row.mapped(Pair::from_mask);
        let [west, near_west, near_east, east] = outer_columns(&row);
        let lines = [
            (row[0], row[1]),
            (east, near_east),
            (row[FRAME - 1], row[FRAME - 2]),
            (west, near_west),
        ];
        let outside = Bytes::load(&OUTSIDE);
        // Large values, which `array_of` would write twice.
        let rows = std::array::from_fn(|above| {
            let y = above + 1;
            let (straight, diagonal) = weighted(row[y].or(outside));
            RowPrices {
                wall: wall[y],
                straight,
                above: diagonal.or(wall[y - 1].forbidding()),
                below: diagonal.or(wall[y + 1].forbidding()),
            }
        });
        Self { lines, rows }
    }
}

/// Returns the prices of straight and diagonal steps out of cells of these
/// costs.
#[inline(always)]
fn weighted(costs: Bytes) -> (Pair, Pair) {
    let costs = Pair::of_bytes(costs);
    let wall = costs
        .equal(Pair::all(i16::from(Cost::WALL.value())))
        .forbidding();
    let times = |weight: u8| {
        costs
            .both(|cost| cost.times(Words::all(i16::from(weight))))
            .or(wall)
    };
    (times(FIVE), times(SEVEN))
}

impl StepPrices for Costed {
    type Row = Pair;

    #[inline(always)]
    fn row(&self, y: usize) -> RowPrices<Pair> {
        self.rows[y - 1]
    }

    #[inline(always)]
    fn edge(&self, side: usize) -> Edge<Pair> {
        let (halo, border) = self.lines[side];
        let (straight, diagonal) = weighted(halo);
        Edge {
            wall: Pair::from_mask(halo),
            straight,
            diagonal: diagonal.or(Pair::from_mask(border).forbidding()),
        }
    }
}
