//! Line of sight: between two points, and from a goal over whole tiles.
//!
//! `line` tests one pair of points, in fractions of a cell. `light` finds all
//! cells of a tile that see a goal: a `beam` of light spreads outward from the
//! goal, cell by cell.

mod beam;
mod light;
#[cfg(feature = "steer")]
mod line;

pub(crate) use light::{Incoming, Light, TEN, rows_inside, shine};
#[cfg(feature = "steer")]
pub(crate) use line::SightGround;
#[cfg(feature = "steer")]
pub use line::{FINE, Sight};
