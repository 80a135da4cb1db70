//! Worlds that are built piece by piece, over costs that are read when needed.

pub use crate::cost::{CostSource, SectorCosts};
pub use crate::world::{BuildProgress, WorldBuild};
