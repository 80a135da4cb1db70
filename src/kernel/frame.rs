//! A tile and its halo with 64-bit values, for the cell-by-cell kernel.

use super::ground::Costs;
use crate::arrays::Mapped;
use crate::cost::Cost;
use crate::grid::{SECTOR_CELLS, SECTOR_SIDE, Slot};

/// Cells along a side of the frame: the tile's and one at each end.
pub(super) const SIDE: usize = SECTOR_SIDE as usize + 2;
pub(super) const CELLS: usize = SIDE * SIDE;

/// The value of a cell that nothing has reached.
pub(crate) const UNREACHED: u64 = u64::MAX;

/// A tile's costs and costs-to-go, with those of the halo around it.
///
/// ```text
///   column  0   1 … 10  11
///   row 0   NW  north   NE     halo: the neighbours' border cells;
///   1 … 10  W   tile    E      wall and unreached off the map
///   row 11  SW  south   SE
/// ```
#[derive(Clone)]
pub(crate) struct Frame {
    pub(super) costs: [u8; CELLS],
    pub(super) values: [u64; CELLS],
}

/// Returns the index in the frame of the tile's column `x` and row `y`; −1 and
/// 10 are in the halo.
const fn at(x: i32, y: i32) -> usize {
    (y + 1) as usize * SIDE + (x + 1) as usize
}

impl Frame {
    /// Returns the frame of ground with these costs; nothing is reached.
    pub(crate) fn of(costs: &Costs) -> Self {
        let mut frame = Self {
            costs: [Cost::WALL.value(); CELLS],
            values: [UNREACHED; CELLS],
        };
        for (row, costs) in frame.costs.chunks_exact_mut(SIDE).zip(&costs.0) {
            row.copy_from_slice(&costs[..SIDE]);
        }
        frame
    }

    /// Sets the value of a cell of the tile or the halo.
    pub(crate) const fn set(&mut self, x: i32, y: i32, value: u64) {
        self.values[at(x, y)] = value;
    }

    pub(super) fn is_wall(&self, slot: Slot) -> bool {
        self.costs[at(slot.x(), slot.y())] == Cost::WALL.value()
    }

    /// Makes a cell of the tile a source of this value, unless its value is
    /// lower already.
    pub(crate) fn seed(&mut self, slot: Slot, value: u64) {
        let value_here = &mut self.values[at(slot.x(), slot.y())];
        *value_here = value.min(*value_here);
    }

    pub(crate) fn value(&self, slot: Slot) -> u64 {
        self.values[at(slot.x(), slot.y())]
    }

    pub(crate) fn tile_values(&self) -> [u64; SECTOR_CELLS] {
        INNER.mapped(|cell| self.values[cell])
    }
}

/// The index in the frame of each cell of the tile.
pub(super) const INNER: [usize; SECTOR_CELLS] = {
    let mut cells = [0; SECTOR_CELLS];
    let mut slot = 0;
    while slot < SECTOR_CELLS {
        cells[slot] = at(slot as i32 % SECTOR_SIDE, slot as i32 / SECTOR_SIDE);
        slot += 1;
    }
    cells
};
