//! The bridge that falls during the march.

use flowtiles::CellRect;

/// A bridge that will fall.
#[derive(Clone, Copy, Debug)]
pub struct Fall {
    /// The cells that become water.
    pub deck: CellRect,
    /// The tick of the march at which they do.
    pub tick: u32,
}
