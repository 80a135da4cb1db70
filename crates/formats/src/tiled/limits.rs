//! The limits for the size of a Tiled map.

/// The most bytes that a Tiled map, or a tileset beside it, may have: 32 MiB.
pub const MAX_TILED_BYTES: u64 = 32 << 20;
/// The most cells that a Tiled map may have: 2²⁴, a square with sides of 4,096
/// cells.
pub const MAX_TILED_CELLS: u64 = 1 << 24;
/// The most cells of all layers together.
pub(super) const MAX_LAYER_CELLS: u64 = 1 << 26;
