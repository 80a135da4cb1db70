//! Cells: squares of the map.

use std::fmt;

use super::Direction;

/// One square of the map, by its column and row.
///
/// Coordinates are signed, so that a step off the map is a value like any
/// other. Only the map knows whether a cell lies on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Column, growing to the east.
    pub x: i32,
    /// Row, growing to the south.
    pub y: i32,
}

impl Cell {
    /// Returns the cell in column `x`, row `y`.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the position of its centre, in cells.
    ///
    /// ```
    /// assert_eq!(flowtiles::Cell::new(4, 7).centre(), [4.5, 7.5]);
    /// ```
    #[must_use]
    #[allow(clippy::float_arithmetic, reason = "a position, for the game")]
    pub const fn centre(self) -> [f32; 2] {
        [self.x as f32 + 0.5, self.y as f32 + 0.5]
    }

    /// Returns the neighbour one step away.
    ///
    /// ```
    /// use flowtiles::{Cell, Direction};
    /// assert_eq!(Cell::new(4, 4).step(Direction::NorthEast), Cell::new(5, 3));
    /// ```
    #[must_use]
    pub const fn step(self, direction: Direction) -> Self {
        let (dx, dy) = direction.offset();
        Self::new(self.x.wrapping_add(dx), self.y.wrapping_add(dy))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Self {
        Self::new(x, y)
    }
}
