//! The heights of the ground, where a game has them.

use crate::vector::{Vector, floor};

/// The heights of a map's cells, measured in cells: a slope of 1 rises by one
/// cell over the length of one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    width: usize,
    height: usize,
    levels: Levels,
}

/// The heights of a map without cells.
#[cfg(feature = "steer")]
impl Default for Heights {
    fn default() -> Self {
        Self {
            width: 0,
            height: 0,
            levels: Levels::Floats(Vec::new()),
        }
    }
}

/// The heights of all cells, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Levels {
    Bytes(Vec<u8>, f32),
    Floats(Vec<f32>),
}

impl Heights {
    /// Builds heights from one byte for each cell, row by row; a byte counts
    /// `step` cells of height. `None` if `levels` does not have `width` ×
    /// `height` values, or `step` is not finite.
    #[must_use]
    pub fn from_bytes(width: u32, height: u32, levels: Vec<u8>, step: f32) -> Option<Self> {
        let (width, height) = (width as usize, height as usize);
        let fits = levels.len() == width.checked_mul(height)? && step.is_finite();
        let levels = Levels::Bytes(levels, step);
        fits.then_some(Self {
            width,
            height,
            levels,
        })
    }

    /// Builds heights from one number for each cell, row by row; `None` if
    /// `levels` does not have `width` × `height` values, or a value is not
    /// finite.
    #[must_use]
    pub fn from_floats(width: u32, height: u32, levels: Vec<f32>) -> Option<Self> {
        let (width, height) = (width as usize, height as usize);
        let fits = levels.len() == width.checked_mul(height)?;
        let finite = levels.iter().all(|level| level.is_finite());
        let levels = Levels::Floats(levels);
        (fits && finite).then_some(Self {
            width,
            height,
            levels,
        })
    }

    /// Returns the columns and rows.
    #[must_use]
    pub const fn size(&self) -> [usize; 2] {
        [self.width, self.height]
    }

    /// Returns the heights as they were given.
    #[cfg(feature = "steer")]
    pub(crate) const fn levels(&self) -> &Levels {
        &self.levels
    }

    fn level(&self, x: i32, y: i32) -> f32 {
        let inside = |at: i32, end: usize| (at.max(0) as usize).min(end.saturating_sub(1));
        let at = inside(y, self.height) * self.width + inside(x, self.width);
        match &self.levels {
            Levels::Bytes(levels, step) => {
                levels.get(at).map_or(0.0, |&level| f32::from(level) * step)
            }
            Levels::Floats(levels) => levels.get(at).copied().unwrap_or(0.0),
        }
    }

    /// Returns the height at a position, interpolated between the middles of
    /// the cells around it.
    pub(super) fn at(&self, position: Vector) -> f32 {
        let (x, y) = (position[0] - 0.5, position[1] - 0.5);
        let (left, top) = (floor(x), floor(y));
        let (dx, dy) = (x - left as f32, y - top as f32);
        let row = |y: i32| {
            let (west, east) = (self.level(left, y), self.level(left + 1, y));
            west + (east - west) * dx
        };
        let (north, south) = (row(top), row(top + 1));
        north + (south - north) * dy
    }
}
