//! Density: the number of units on each cell.

use super::{CellValues, Point};
use crate::grid::{Cell, CellRect};

/// Returns the number of positions in each cell of the view.
///
/// # Panics
/// If the view has more cells than the largest map: give the part that is on the map.
#[must_use]
pub fn density(positions: &[Point], view: CellRect) -> CellValues<u32> {
    let mut density = CellValues::all(view, 0);
    for &[x, y] in positions {
        // A position that is not finite, or far off, lies in no cell.
        if !(x.abs() < 1e9 && y.abs() < 1e9) {
            continue;
        }
        if let Some(count) = density.get_mut(Cell::new(x.floor() as i32, y.floor() as i32)) {
            *count += 1;
        }
    }
    density
}
