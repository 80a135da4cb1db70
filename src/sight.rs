//! Line of sight: between two points, and from a goal over whole tiles.
//!
//! `line` answers for one pair of points, in fractions of a cell. `light`
//! answers for all cells of a tile at once: which of them see a goal, by a
//! `beam` of light that runs outward from cell to cell.

mod beam;
mod light;
#[cfg(feature = "steer")]
mod line;

pub(crate) use light::{Incoming, Light, TEN, rows_inside, shine};
#[cfg(feature = "steer")]
pub use line::{FINE, Sight};
