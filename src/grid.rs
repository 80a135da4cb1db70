//! Positions on the map: cells, directions, rectangles, sectors, slots.
//!
//! A map is a grid of cells. It is divided into *sectors* of 10×10 cells; the
//! last column and the last row of sectors may be ragged. The index of a cell
//! inside its sector is its *slot*, 0..100, row by row:
//!
//! ```text
//!        sector 0      sector 1
//!       x 0 … 9       x 10 … 19
//!  y 0 ┌─────────┐   ┌─────────┐
//!      │ 0 … 9   │   │ 0 … 9   │   slot = (y mod 10) · 10 + (x mod 10)
//!   …  │ 10 … 19 │   │         │   x grows to the east
//!  y 9 │ 90 … 99 │   │         │   y grows to the south
//!      └─────────┘   └─────────┘
//! ```
//!
//! Nothing in this module knows the costs of cells.

mod cell;
mod cell_rect;
#[allow(clippy::float_arithmetic, reason = "positions, for steering")]
mod direction;
mod extent;
mod list;
mod pages;
mod sector;
#[allow(clippy::float_arithmetic, reason = "positions, for the game")]
mod transform;

pub use cell::Cell;
pub use cell_rect::CellRect;
pub use direction::Direction;
pub(crate) use extent::Extent;
pub use extent::{MAX_SIDE, SizeError};
pub(crate) use list::SectorList;
pub(crate) use pages::{PagesCursor, SectorPages};
pub(crate) use sector::{SECTOR_CELLS, SectorBounds, SectorId, Slot};
pub use sector::{SECTOR_SIDE, Sector};
pub use transform::MapTransform;
