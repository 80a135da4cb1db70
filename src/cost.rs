//! Costs: the engine's only input.
//!
//! A cell costs 1 (open ground) to 254, or is a wall (255). Costs are kept a
//! sector at a time. Most sectors of most maps are wholly open or wholly
//! closed, and those own nothing: all share one tile. A write to a shared
//! tile makes a copy first, and a tile that has become plain again goes back
//! to being shared.
//!
//! What one step costs is not said here but in the step rule of
//! [`wave`](crate::wave), which multiplies.

mod map;
mod tile;
mod value;

pub(crate) use map::Rewritten;
pub use map::{CostMap, CostMapError, OffMap};
pub(crate) use tile::{CostTile, TileWalls};
pub use value::{Cost, ZeroCost};
