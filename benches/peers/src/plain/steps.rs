//! The steps out of each cell: a byte for each cell, computed once.

use flowtiles::Cell;

use crate::ground::{Ground, NEIGHBOURS, WALL};

/// A map with a bit for each allowed step of each cell.
pub struct Steps {
    width: i32,
    ground: Ground,
    masks: Vec<u8>,
    offsets: [isize; 8],
}

impl Steps {
    pub fn new(ground: &Ground) -> Self {
        let mut steps = Self {
            width: ground.width,
            ground: ground.clone(),
            masks: vec![0; ground.costs.len()],
            offsets: NEIGHBOURS.map(|(dx, dy)| (dy * ground.width + dx) as isize),
        };
        for y in 0..ground.height {
            for x in 0..ground.width {
                steps.look(Cell::new(x, y));
            }
        }
        steps
    }

    /// Gives a cell another cost.
    pub fn edit(&mut self, cell: Cell, cost: u8) {
        let place = self.ground.place(cell);
        self.ground.costs[place] = cost;
        for dy in -1..=1 {
            for dx in -1..=1 {
                let near = Cell::new(cell.x + dx, cell.y + dy);
                if self.ground.contains(near) {
                    self.look(near);
                }
            }
        }
    }

    fn look(&mut self, cell: Cell) {
        let open = NEIGHBOURS.map(|(dx, dy)| {
            let to = Cell::new(cell.x + dx, cell.y + dy);
            self.ground.cost(to) != WALL
        });
        let mut mask = 0;
        for direction in 0..8 {
            let beside = direction % 2 == 0 || open[direction - 1] && open[(direction + 1) % 8];
            mask |= u8::from(open[direction] && beside) << direction;
        }
        let place = self.ground.place(cell);
        self.masks[place] = if self.ground.costs[place] == WALL {
            0
        } else {
            mask
        };
    }

    pub fn len(&self) -> usize {
        self.masks.len()
    }

    pub fn place(&self, cell: Cell) -> u32 {
        (cell.y * self.width + cell.x) as u32
    }

    pub fn cell(&self, place: u32) -> Cell {
        Cell::new(place as i32 % self.width, place as i32 / self.width)
    }

    /// Returns the cost of a straight step out of a cell.
    pub fn price(&self, place: u32) -> u32 {
        5 * u32::from(self.ground.costs[place as usize])
    }

    /// Returns the cell to which a step leads.
    pub const fn beyond(&self, place: u32, direction: usize) -> u32 {
        (place as isize + self.offsets[direction]) as u32
    }

    /// Returns the allowed steps out of a cell, each as its direction and its
    /// target. In reverse, they are the allowed steps into the cell.
    pub fn out(&self, place: u32) -> impl Iterator<Item = (usize, u32)> {
        let mut mask = self.masks[place as usize];
        std::iter::from_fn(move || {
            if mask == 0 {
                return None;
            }
            let direction = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            Some((direction, self.beyond(place, direction)))
        })
    }
}

/// Returns the cost of a step in a direction, from that of a straight step.
pub const fn stretched(price: u32, direction: usize) -> u32 {
    if direction.is_multiple_of(2) {
        price
    } else {
        price / 5 * 7
    }
}
