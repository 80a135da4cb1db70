//! The result of reading a Tiled map.

use flowtiles::Cell;
use flowtiles::CostMap;

/// A map of the Tiled editor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TiledMap {
    /// The costs of the map's cells.
    pub costs: CostMap,
    /// The cells of the objects in layers named `spawn`, in the order of the
    /// file. They may lie off the map.
    pub spawns: Vec<Cell>,
}
