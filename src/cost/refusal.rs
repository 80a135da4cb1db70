//! Errors of making and editing a cost map.

use std::fmt;

use crate::grid::{Cell, CellRect, SizeError};

/// The error for costs that were refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostMapError {
    /// The size is zero or over the limit.
    Size(SizeError),
    /// The area reaches off the map.
    OffMap(OffMap),
    /// The number of bytes is not that of the cells.
    Length {
        /// Cells: width × height.
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

impl From<OffMap> for CostMapError {
    fn from(error: OffMap) -> Self {
        Self::OffMap(error)
    }
}

impl fmt::Display for CostMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::OffMap(error) => error.fmt(f),
            Self::Length { expected, found } => write!(
                f,
                "{found} costs were given for {expected} cells: give one byte a cell, row by row"
            ),
            Self::Zero { cell } => write!(
                f,
                "the cell {cell} has cost 0: give 1 for open ground, 255 for a wall"
            ),
        }
    }
}

impl std::error::Error for CostMapError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Size(error) => Some(error),
            Self::OffMap(error) => Some(error),
            Self::Length { .. } | Self::Zero { .. } => None,
        }
    }
}

/// The error for an area that reaches off the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OffMap {
    /// The requested area.
    pub area: CellRect,
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
