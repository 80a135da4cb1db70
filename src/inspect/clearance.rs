//! Clearance: the width of the largest open square at each cell.
//!
//! The square of side `n` at a cell extends from it to the east and to the
//! south. It is open if the cell itself is open, and so are the squares of side
//! `n - 1` at its eastern, southern and south-eastern neighbours. So one pass
//! from the last cell to the first gives all values:
//!
//! ```text
//!   . . . #        3 2 1 0
//!   . . . .   →    3 3 2 1
//!   . . . .        2 2 2 1
//!   . . . .        1 1 1 1
//! ```

use super::CellValues;
use crate::cost::CostMap;
use crate::grid::{Cell, Rect};

/// The largest clearance that is reported; it stands for all larger values too.
/// It limits how far around a view cells are read.
pub const CLEARANCE_MAX: u8 = 32;

/// Returns, for each cell of the view, the side of the largest square of open
/// cells with its north-west corner there: 0 for walls and off the map, at most
/// [`CLEARANCE_MAX`]. A unit of `n`×`n` cells may stand with its north-west
/// cell where the value is at least `n`.
#[must_use]
pub fn clearance(costs: &CostMap, view: Rect) -> CellValues<u8> {
    let mut clearance = CellValues::new(view, |_| 0);
    let (width, height) = (i64::from(view.width), i64::from(view.height));
    // Squares extend beyond the view.
    let beyond = i64::from(CLEARANCE_MAX);
    let mut below = vec![0_u8; (width + beyond + 1) as usize];
    for dy in (0..height + beyond).rev() {
        let y = i64::from(view.y) + dy;
        // The value of `below` one column further east, before it was
        // overwritten.
        let mut south_east = 0;
        for dx in (0..width + beyond).rev() {
            let column = dx as usize;
            let (south, east) = (below[column], below[column + 1]);
            let cell = on_grid(i64::from(view.x) + dx, y);
            let is_open = cell.is_some_and(|cell| is_open(costs, cell));
            let side = match is_open {
                true => (1 + south.min(east).min(south_east)).min(CLEARANCE_MAX),
                false => 0,
            };
            south_east = south;
            below[column] = side;
            if let Some(value) = cell.and_then(|cell| clearance.get_mut(cell)) {
                *value = side;
            }
        }
    }
    clearance
}

fn on_grid(x: i64, y: i64) -> Option<Cell> {
    Some(Cell::new(i32::try_from(x).ok()?, i32::try_from(y).ok()?))
}

fn is_open(costs: &CostMap, cell: Cell) -> bool {
    costs.get(cell).is_some_and(|cost| !cost.is_wall())
}
