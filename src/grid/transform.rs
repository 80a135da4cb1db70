//! The transform between the map and a game's world.

use super::Cell;

/// Where the map lies in a game's world; converts world positions into cells
/// and back.
///
/// The cell (0, 0) covers the world square from `origin` to `origin +
/// cell_size` along both axes; a cell owns its west and north edges. World
/// positions are plain `[f32; 2]`. Floats end here: no decision of the engine
/// uses one.
///
/// ```
/// use flowtiles::{Cell, MapTransform};
/// let ground = MapTransform { origin: [-100.0, 50.0], cell_size: 2.0 };
/// assert_eq!(ground.cell_at([-97.0, 50.5]), Cell::new(1, 0));
/// assert_eq!(ground.centre_of(Cell::new(1, 0)), [-97.0, 51.0]);
/// assert_eq!(ground.cell_at([-100.5, 50.5]), Cell::new(-1, 0)); // off the map
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, remote = "Self"))]
pub struct MapTransform {
    /// World position of the outer corner of cell (0, 0).
    pub origin: [f32; 2],
    /// Length of a cell's side in world units; more than zero.
    pub cell_size: f32,
}

impl Default for MapTransform {
    /// Returns a transform in which a cell is one world unit, and the map's
    /// corner is the world's origin.
    fn default() -> Self {
        Self {
            origin: [0.0, 0.0],
            cell_size: 1.0,
        }
    }
}

impl MapTransform {
    /// Returns the cell under a world position. Positions far off any map (and
    /// NaN) give cells that are on no map.
    #[must_use]
    pub fn cell_at(&self, position: [f32; 2]) -> Cell {
        let along = |axis: usize| {
            let cells = ((position[axis] - self.origin[axis]) / self.cell_size).floor();
            if cells.is_nan() { -1 } else { cells as i32 }
        };
        Cell::new(along(0), along(1))
    }

    /// Returns the world position of a cell's centre.
    #[must_use]
    pub fn centre_of(&self, cell: Cell) -> [f32; 2] {
        let along =
            |axis: usize, cells: i32| self.origin[axis] + (cells as f32 + 0.5) * self.cell_size;
        [along(0, cell.x), along(1, cell.y)]
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for MapTransform {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// Values that cannot be used are refused.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for MapTransform {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = Self::deserialize(deserializer)?;
        let fault = if !(read.cell_size.is_finite() && read.cell_size > 0.0) {
            Some("`cell_size` must be a finite number above 0")
        } else if !read.origin.iter().all(|along| along.is_finite()) {
            Some("`origin` must be two finite numbers")
        } else {
            None
        };
        fault.map_or(Ok(read), |fault| Err(serde::de::Error::custom(fault)))
    }
}
