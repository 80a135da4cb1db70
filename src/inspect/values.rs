//! One value for each cell of a view.

use crate::grid::{Cell, CellRect, MAX_SIDE};

/// The most cells of a view: as many as the largest map has.
const MOST: u64 = MAX_SIDE as u64 * MAX_SIDE as u64;

/// One value for each cell of a rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellValues<T> {
    view: CellRect,
    values: Vec<T>,
}

impl<T> CellValues<T> {
    /// Returns the rectangle of cells that have a value.
    #[must_use]
    pub const fn view(&self) -> CellRect {
        self.view
    }

    /// Returns the value of a cell; `None` outside the view.
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<&T> {
        self.values.get(self.index(cell)?)
    }

    pub(super) fn get_mut(&mut self, cell: Cell) -> Option<&mut T> {
        let index = self.index(cell)?;
        self.values.get_mut(index)
    }

    /// Returns all values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter()
    }

    const fn index(&self, cell: Cell) -> Option<usize> {
        if !self.view.contains(cell) {
            return None;
        }
        let dx = cell.x as i64 - self.view.x as i64;
        let dy = cell.y as i64 - self.view.y as i64;
        Some((dy * self.view.width as i64 + dx) as usize)
    }
}

impl<T: Copy> CellValues<T> {
    /// # Panics
    /// If the view has more cells than any map.
    pub(super) fn all(view: CellRect, value: T) -> Self {
        let cells = u64::from(view.width) * u64::from(view.height);
        assert!(
            cells <= MOST,
            "a view of {cells} cells has more than any map: give the part that is on the map"
        );
        let values = vec![value; cells as usize];
        Self { view, values }
    }

    /// Writes the values of a row of cells, the first of which is `start`. It must lie in
    /// the view.
    pub(super) fn put(&mut self, start: Cell, values: &[T]) {
        if let Some(from) = self.index(start) {
            self.values[from..from + values.len()].copy_from_slice(values);
        }
    }
}
