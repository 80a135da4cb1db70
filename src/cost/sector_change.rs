//! What an edit has changed in one sector.

use super::Cost;
use crate::grid::{Cell, CellRect, SectorId};

/// The changed cells of one sector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectorChange {
    pub(crate) sector: SectorId,
    /// The number of cells with a new cost.
    pub(crate) cells: u32,
    /// A rectangle around these cells.
    pub(crate) area: CellRect,
    /// Whether any cell has become cheaper.
    pub(crate) lowered: bool,
    /// Whether any cell has become a wall, or is one no longer.
    pub(crate) walls: bool,
}

impl SectorChange {
    pub(super) fn nothing(sector: SectorId, at: Cell) -> Self {
        Self {
            sector,
            cells: 0,
            area: at.into(),
            lowered: false,
            walls: false,
        }
    }

    pub(super) fn add(&mut self, cell: Cell, before: Cost, after: Cost) {
        self.area = self.area.around(cell.into());
        self.cells += 1;
        self.lowered |= after < before;
        self.walls |= after.is_wall() != before.is_wall();
    }

    /// Adds another change of the same sector.
    pub(crate) fn join(&mut self, other: &Self) {
        self.area = self.area.around(other.area);
        self.cells += other.cells;
        self.lowered |= other.lowered;
        self.walls |= other.walls;
    }
}
