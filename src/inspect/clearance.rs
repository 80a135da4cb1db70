//! How wide a square fits at a cell.
//!
//! The square of side `n` at a cell reaches from it to the east and to the
//! south. It is open if the squares of side `n - 1` at the cell's eastern,
//! southern and south-eastern neighbours are and the cell itself is; so one pass
//! from the last cell to the first gives them all:
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

/// The largest clearance that is reported; it stands for itself and all above. It
/// bounds what is read around a view.
pub const CLEARANCE_MAX: u8 = 32;

/// The side of the largest square of open cells whose north-west corner is each
/// cell of the view: 0 for walls and off the map, [`CLEARANCE_MAX`] at most. A
/// unit that covers `n`×`n` cells, counted from its north-west one, may stand
/// where it is `n` or more.
#[must_use]
pub fn clearance(costs: &CostMap, view: Rect) -> CellValues<u8> {
    let mut clearance = CellValues::new(view, |_| 0);
    let (width, height) = (i64::from(view.width), i64::from(view.height));
    // Squares reach beyond the view.
    let beyond = i64::from(CLEARANCE_MAX);
    let mut below = vec![0_u8; (width + beyond + 1) as usize];
    for dy in (0..height + beyond).rev() {
        let y = i64::from(view.y) + dy;
        // What `below` held one column further east before it was overwritten.
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
