//! Cells, positions and velocities as the points and vectors of `mint`, which most
//! mathematics crates convert from and to.

use mint::Point2;
#[cfg(feature = "steer")]
use mint::Vector2;

use crate::grid::{Cell, MapTransform};
#[cfg(feature = "steer")]
use crate::steer::Unit;
#[cfg(feature = "steer")]
use crate::steer::parts::MovingCircle;

impl From<Cell> for Point2<i32> {
    fn from(cell: Cell) -> Self {
        Self {
            x: cell.x,
            y: cell.y,
        }
    }
}

impl From<Point2<i32>> for Cell {
    fn from(point: Point2<i32>) -> Self {
        Self::new(point.x, point.y)
    }
}

impl MapTransform {
    /// [`cell_at`](Self::cell_at) for a point of `mint`; feature `mint`.
    #[must_use]
    pub fn cell_at_point(&self, point: Point2<f32>) -> Cell {
        self.cell_at(point.into())
    }

    /// [`centre_of`](Self::centre_of) as a point of `mint`; feature `mint`.
    #[must_use]
    pub fn centre_point_of(&self, cell: Cell) -> Point2<f32> {
        self.centre_of(cell).into()
    }
}

#[cfg(feature = "steer")]
impl Unit {
    /// Its position as a point of `mint`; feature `mint`.
    #[must_use]
    pub fn point(&self) -> Point2<f32> {
        self.position.into()
    }

    /// Its velocity as a vector of `mint`; feature `mint`.
    #[must_use]
    pub fn motion(&self) -> Vector2<f32> {
        self.velocity.into()
    }
}

#[cfg(feature = "steer")]
impl MovingCircle {
    /// Its position as a point of `mint`; feature `mint`.
    #[must_use]
    pub fn point(&self) -> Point2<f32> {
        self.position.into()
    }
}
