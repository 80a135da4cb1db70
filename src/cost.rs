//! Costs: the engine's only input.
//!
//! A cell costs 1 (open ground) to 254, or is a wall (255). Costs are kept a
//! sector at a time. Most sectors of most maps are wholly open or wholly
//! closed, and those own nothing: all share one tile. A write to a shared
//! tile makes a copy first, and a tile that has become plain again goes back
//! to being shared. Costs that a game keeps elsewhere stay there (`source.rs`):
//! a sector of such a map is read when it is looked at, and kept once it is
//! written to.
//!
//! On the ground stand stamps and blockers (`stamps.rs`): what they leave of it
//! is what the map says, and all the rest of the engine sees.
//!
//! What one step costs is not said here but in the step rule of
//! [`kernel`](crate::kernel), which multiplies.

mod made;
mod map;
mod packed;
mod refusal;
mod rewritten;
mod sectors_digest;
mod source;
mod stamps;
mod template;
mod tile;
mod tiles;
mod value;

pub use map::CostMap;
pub use refusal::{CostMapError, OffMap};
pub(crate) use rewritten::Rewritten;
pub use source::{CostSource, SectorCosts};
pub use stamps::StampId;
pub(crate) use stamps::{Placed, Stamps};
pub use template::{Template, TemplateError, Turn};
pub(crate) use tile::{CostTile, TileWalls};
pub(crate) use tiles::TileRef;
pub use value::{Cost, ZeroCost};
