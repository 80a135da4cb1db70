use std::fmt;

use crate::grid::{Cell, Rect, SizeError};

/// Why bytes are no cost map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostMapError {
    /// The size is zero or over the limit.
    Size(SizeError),
    /// The number of bytes is not width × height.
    Length {
        /// Width × height.
        expected: u64,
        /// Bytes given.
        found: u64,
    },
    /// A cell costs 0.
    Zero {
        /// The first such cell.
        cell: Cell,
    },
}

impl fmt::Display for CostMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::Length { expected, found } => write!(
                f,
                "{found} costs were given where width × height is {expected}: \
                 give one byte a cell, row by row"
            ),
            Self::Zero { cell } => write!(
                f,
                "the cell {cell} has cost 0, which is refused: use 1 for open ground, 255 for a wall"
            ),
        }
    }
}

impl std::error::Error for CostMapError {}

/// An area reaches off the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OffMap {
    /// The area asked for.
    pub area: Rect,
    /// The map's width.
    pub width: u32,
    /// The map's height.
    pub height: u32,
}

impl fmt::Display for OffMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} reach off the map of {}×{} cells: cut the area to the map; nothing was changed",
            self.area, self.width, self.height
        )
    }
}

impl std::error::Error for OffMap {}
