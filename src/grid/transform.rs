//! The transform between the map and a game's world.

use super::Cell;

/// Where the map lies in a game's world: converts positions and velocities in the world into
/// those on the map, in cells, and back.
///
/// The cell (0, 0) has its outer corner at `origin`, and the others follow along both axes of
/// the world, or against one that is flipped. Positions are plain `[f32; 2]`. Floats end here:
/// no decision of the engine uses one.
///
/// ```
/// use flowtiles::{Cell, MapTransform};
/// let ground = MapTransform {
///     origin: [-100.0, 50.0],
///     cell_size: 2.0,
///     ..MapTransform::default()
/// };
/// assert_eq!(ground.cell_at([-97.0, 50.5]), Cell::new(1, 0));
/// assert_eq!(ground.centre_of(Cell::new(1, 0)), [-97.0, 51.0]);
/// assert_eq!(ground.cell_at([-100.5, 50.5]), Cell::new(-1, 0)); // off the map
///
/// // In this world the second axis points to the north, on the map to the south.
/// let north_up = MapTransform {
///     origin: [0.0, 300.0],
///     is_flipped: [false, true],
///     ..MapTransform::default()
/// };
/// assert_eq!(north_up.to_map([10.0, 299.0]), [10.0, 1.0]);
/// assert_eq!(north_up.to_world([10.0, 1.0]), [10.0, 299.0]);
/// assert_eq!(north_up.velocity_to_world([0.0, 2.0]), [0.0, -2.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, remote = "Self"))]
pub struct MapTransform {
    /// World position of the outer corner of cell (0, 0).
    pub origin: [f32; 2],
    /// Length of a cell's side in world units; more than zero.
    pub cell_size: f32,
    /// Whether each axis of the world runs against that of the map.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_flipped: [bool; 2],
}

impl Default for MapTransform {
    /// Returns a transform in which a cell is one world unit, and the map's
    /// corner is the world's origin.
    fn default() -> Self {
        Self {
            origin: [0.0, 0.0],
            cell_size: 1.0,
            is_flipped: [false, false],
        }
    }
}

impl MapTransform {
    /// Returns the cell under a world position. Positions far off any map (and
    /// NaN) give cells that are on no map.
    #[must_use]
    pub fn cell_at(&self, position: [f32; 2]) -> Cell {
        let [x, y] = self.to_map(position).map(|at| {
            let cells = at.floor();
            if cells.is_nan() { -1 } else { cells as i32 }
        });
        Cell::new(x, y)
    }

    /// Returns the world position of a cell's centre.
    #[must_use]
    pub fn centre_of(&self, cell: Cell) -> [f32; 2] {
        self.to_world(cell.centre())
    }

    /// Returns the position on the map, in cells, of a world position.
    #[must_use]
    pub fn to_map(&self, position: [f32; 2]) -> [f32; 2] {
        let [x, y] = self.origin;
        self.velocity_to_map([position[0] - x, position[1] - y])
    }

    /// Returns the world position of a position on the map, in cells.
    #[must_use]
    pub fn to_world(&self, position: [f32; 2]) -> [f32; 2] {
        let [x, y] = self.velocity_to_world(position);
        [self.origin[0] + x, self.origin[1] + y]
    }

    /// Returns the velocity on the map of a velocity in the world; also of a direction.
    #[must_use]
    pub fn velocity_to_map(&self, velocity: [f32; 2]) -> [f32; 2] {
        self.flipped(velocity).map(|along| along / self.cell_size)
    }

    /// Returns the velocity in the world of a velocity on the map; also of a direction.
    #[must_use]
    pub fn velocity_to_world(&self, velocity: [f32; 2]) -> [f32; 2] {
        self.flipped(velocity).map(|along| along * self.cell_size)
    }

    fn flipped(&self, along: [f32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| match self.is_flipped[axis] {
            true => -along[axis],
            false => along[axis],
        })
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
