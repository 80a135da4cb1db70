//! The open cells of a map, by number.

use flowtiles::{Cell, Cost, CostMap};

/// The number of a cell, row by row.
pub type Id = u32;

/// The open cells of a map.
pub struct OpenCells {
    width: u32,
    height: u32,
    is_open: Vec<bool>,
}

impl OpenCells {
    pub fn new(costs: &CostMap) -> Self {
        let rows = costs.to_rows();
        Self {
            width: costs.width(),
            height: costs.height(),
            is_open: rows
                .iter()
                .map(|&cost| cost != Cost::WALL.value())
                .collect(),
        }
    }

    /// How many cells there are.
    pub const fn len(&self) -> usize {
        self.is_open.len()
    }

    pub fn open_cells(&self) -> u32 {
        self.is_open.iter().filter(|&&is_open| is_open).count() as u32
    }

    pub fn is_open(&self, id: Id) -> bool {
        self.is_open[id as usize]
    }

    pub const fn cell(&self, id: Id) -> Cell {
        Cell::new((id % self.width) as i32, (id / self.width) as i32)
    }

    /// The number of a cell; `None` off the map.
    pub fn id(&self, cell: Cell) -> Option<Id> {
        let x = u32::try_from(cell.x).ok().filter(|&x| x < self.width)?;
        let y = u32::try_from(cell.y).ok().filter(|&y| y < self.height)?;
        Some(y * self.width + x)
    }

    /// The open neighbour of a cell on one of its four sides: north, east,
    /// south, west.
    ///
    /// Diagonal steps connect no more than these, since the step rule needs both
    /// cells beside a diagonal open.
    pub fn neighbour(&self, id: Id, side: u8) -> Option<Id> {
        let (x, last) = (id % self.width, self.width - 1);
        let next = match side {
            0 => id.checked_sub(self.width)?,
            1 if x < last => id + 1,
            2 if id / self.width + 1 < self.height => id + self.width,
            3 if x > 0 => id - 1,
            _ => return None,
        };
        self.is_open(next).then_some(next)
    }
}
