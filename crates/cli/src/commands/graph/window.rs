//! Portal windows as text.

use flowtiles::{Cell, CellRect};

/// A row or column of cells by its ends.
pub fn run_text(window: CellRect) -> String {
    let CellRect {
        x,
        y,
        width,
        height,
    } = window;
    let first = Cell::new(x, y);
    let last = Cell::new(x + width as i32 - 1, y + height as i32 - 1);
    if first == last {
        return first.to_string();
    }
    format!("{first}..{last}")
}
