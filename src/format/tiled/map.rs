//! What is read from a Tiled map.

use crate::cost::CostMap;
use crate::grid::Cell;

/// A map of the Tiled editor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TiledMap {
    /// What its cells cost.
    pub costs: CostMap,
    /// The cells in which the objects of layers named `spawn` lie, in the order
    /// of the file. They may lie off the map.
    pub spawns: Vec<Cell>,
}
