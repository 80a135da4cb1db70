//! Values on a rectangle of cells.

use std::ops::{Index, IndexMut, Range};

use flowtiles::Cell;

/// One value a cell of a rectangle, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Raster<T> {
    width: i32,
    height: i32,
    values: Vec<T>,
}

impl<T> Raster<T> {
    /// The value of each cell, from the cell.
    pub fn from_cells(width: i32, height: i32, value: impl Fn(Cell) -> T) -> Self {
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        Self {
            width,
            height,
            values: cells.map(value).collect(),
        }
    }

    /// The same value everywhere.
    pub fn filled(width: i32, height: i32, value: T) -> Self
    where
        T: Clone,
    {
        Self {
            width,
            height,
            values: vec![value; (width * height) as usize],
        }
    }

    /// Columns.
    pub const fn width(&self) -> i32 {
        self.width
    }

    /// Rows.
    pub const fn height(&self) -> i32 {
        self.height
    }

    const fn place(&self, cell: Cell) -> Option<usize> {
        if cell.x < 0 || cell.y < 0 || cell.x >= self.width || cell.y >= self.height {
            return None;
        }
        Some((cell.y * self.width + cell.x) as usize)
    }

    /// The value of a cell; `None` outside.
    pub fn get(&self, cell: Cell) -> Option<&T> {
        self.values.get(self.place(cell)?)
    }

    /// The value of a cell for writing; `None` outside.
    pub fn get_mut(&mut self, cell: Cell) -> Option<&mut T> {
        let place = self.place(cell)?;
        self.values.get_mut(place)
    }

    /// The first column of a range that is inside, and the values of those columns in a row,
    /// for writing.
    pub fn row_part(&mut self, y: i32, columns: Range<i32>) -> (i32, &mut [T]) {
        let inside = |x: i32| x.clamp(0, self.width);
        let (from, to) = (inside(columns.start), inside(columns.end));
        if !(0..self.height).contains(&y) || from >= to {
            return (from, &mut []);
        }
        let row = (y * self.width) as usize;
        (
            from,
            &mut self.values[row + from as usize..row + to as usize],
        )
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<T> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// All values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter()
    }

    /// The cells inside that lie within `radius` of `centre`, with the square
    /// of their distance.
    pub fn disc(&self, centre: Cell, radius: i32) -> impl Iterator<Item = (Cell, i32)> + use<T> {
        let rows = (centre.y - radius).max(0)..(centre.y + radius + 1).min(self.height);
        let columns = (centre.x - radius).max(0)..(centre.x + radius + 1).min(self.width);
        rows.flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
            .map(move |cell| (cell, square_distance(cell, centre)))
            .filter(move |&(_, square)| square <= radius * radius)
    }
}

/// The square of the distance between two cells.
pub const fn square_distance(one: Cell, two: Cell) -> i32 {
    let (dx, dy) = (one.x - two.x, one.y - two.y);
    dx * dx + dy * dy
}

impl<T> Index<Cell> for Raster<T> {
    type Output = T;

    /// # Panics
    /// For a cell outside.
    fn index(&self, cell: Cell) -> &T {
        let place = self.place(cell).expect("a cell of the raster");
        &self.values[place]
    }
}

impl<T> IndexMut<Cell> for Raster<T> {
    /// # Panics
    /// For a cell outside.
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        let place = self.place(cell).expect("a cell of the raster");
        &mut self.values[place]
    }
}
