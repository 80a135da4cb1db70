//! The eikonal solver on a rectangle of cells: for measurements, and for a
//! game's own fields.

use crate::grid::Cell;

use super::conduct::CrowdError;
use super::eikonal::{EAST, Front, NORTH, SOUTH, Sides, UNREACHED, WALL, WEST, direction};
use super::quota::Quota;

/// The greatest length of a side.
const MAX_SIDE: u32 = 8192;
/// The width of a bucket, as a part of the least cost of any cell.
const BUCKET: f32 = 0.5;

/// A potential on a rectangle of cells: the cost of the cheapest path to the
/// seeds, over all angles.
///
/// ```
/// use flowtiles::Cell;
/// use flowtiles::crowd::FastMarching;
///
/// // To the east a step costs 1, against the wind 3; one cell is a wall.
/// let wind = |cell| (cell != Cell::new(10, 10)).then_some([1.0, 1.5, 3.0, 1.5]);
/// let mut marching = FastMarching::new(40, 20, wind)?;
/// marching.solve(&[(Cell::new(20, 10), 0.0)]);
/// assert_eq!(marching.potential(Cell::new(15, 10)), Some(5.0));
/// assert_eq!(marching.potential(Cell::new(25, 10)), Some(15.0));
/// assert_eq!(marching.potential(Cell::new(10, 10)), None);
/// assert_eq!(marching.direction(Cell::new(15, 10)), Some([1.0, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FastMarching {
    width: i32,
    height: i32,
    /// By cell, row by row, after one wall cell that stands for the outside.
    sides: Vec<Sides>,
    walls: Vec<bool>,
    potential: Vec<f32>,
    front: Front,
    /// The least cost of any cell.
    least: f32,
}

impl FastMarching {
    /// Builds a rectangle; `cost` returns the costs of leaving a cell towards
    /// the east, north, west and south, or `None` for a wall.
    ///
    /// # Errors
    /// If a side is 0 or more than 8,192, or a cost is not finite and above 0.
    pub fn new(
        width: u32,
        height: u32,
        mut cost: impl FnMut(Cell) -> Option<[f32; 4]>,
    ) -> Result<Self, CrowdError> {
        for (field, side) in [("width", width), ("height", height)] {
            if !(1..=MAX_SIDE).contains(&side) {
                return Err(CrowdError {
                    field,
                    value: side as f32,
                    wanted: "1 to 8192 cells",
                });
            }
        }
        let count = 1 + width as usize * height as usize;
        let mut marching = Self {
            width: width as i32,
            height: height as i32,
            sides: vec![Sides::default(); count],
            walls: vec![true; count],
            potential: vec![WALL; count],
            front: Front::default(),
            least: f32::INFINITY,
        };
        for cell in marching.cells() {
            let Some(costs) = cost(cell) else { continue };
            let at = marching.at(cell);
            for value in costs {
                if !(value > 0.0 && value.is_finite()) {
                    return Err(CrowdError {
                        field: "cost",
                        value,
                        wanted: "a number above 0",
                    });
                }
                if value < marching.least {
                    marching.least = value;
                }
            }
            marching.sides[at].costs = costs;
            marching.walls[at] = false;
        }
        marching.link();
        Ok(marching)
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// Returns the index of a cell in the arrays; 0 outside.
    fn at(&self, cell: Cell) -> usize {
        let inside = |at: i32, end: i32| (0..end).contains(&at);
        if inside(cell.x, self.width) && inside(cell.y, self.height) {
            1 + (cell.y * self.width + cell.x) as usize
        } else {
            0
        }
    }

    /// Links all cells with their neighbours.
    fn link(&mut self) {
        for cell in self.cells() {
            let at = self.at(cell);
            if self.walls[at] {
                continue;
            }
            for (side, dx, dy) in [(EAST, 1, 0), (NORTH, 0, -1), (WEST, -1, 0), (SOUTH, 0, 1)] {
                let beside = self.at(Cell::new(cell.x + dx, cell.y + dy));
                if !self.walls[beside] {
                    self.sides[at].links[side] = beside as u32;
                }
            }
        }
    }

    /// Solves from scratch, from seed cells with the cost of the path onward
    /// from each. Seeds outside, in walls, or with a cost below 0 are ignored.
    pub fn solve(&mut self, seeds: &[(Cell, f32)]) {
        for (potential, &wall) in self.potential.iter_mut().zip(&self.walls) {
            *potential = if wall { WALL } else { UNREACHED };
        }
        self.front.restart(BUCKET * self.least);
        for &(cell, value) in seeds {
            if value >= 0.0 {
                let at = self.at(cell) as u32;
                self.front.seed(&mut self.potential, at, value);
            }
        }
        let mut quota = Quota::of(u64::MAX);
        // This quota cannot be used up, so the solve does not pause.
        let _ = self.front.run(&self.sides, &mut self.potential, &mut quota);
    }

    /// Returns the cost of the cheapest path from a cell to the seeds; `None`
    /// in walls, outside, and where there is no path.
    #[must_use]
    pub fn potential(&self, cell: Cell) -> Option<f32> {
        let value = self.potential[self.at(cell)];
        value.is_finite().then_some(value)
    }

    /// Returns the direction of the cheapest path from a cell, of length 1;
    /// `None` at seeds, in walls, outside, and where there is no path.
    #[must_use]
    pub fn direction(&self, cell: Cell) -> Option<[f32; 2]> {
        direction(&self.sides, &self.potential, self.at(cell))
    }
}
