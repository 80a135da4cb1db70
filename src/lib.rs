//! Sector flow fields for armies on very large maps.

mod cost;
mod grid;

pub use cost::{Cost, CostMap, CostMapError, OffMap, ZeroCost};
pub use grid::{Cell, Direction, MAX_SIDE, Rect, SECTOR_SIDE, Sector, SizeError, Transform};
