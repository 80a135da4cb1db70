//! The cells that an order serves.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use ahash::AHasher;

use crate::grid::{Cell, Extent, Sector, SectorId};

/// Never iterated, and hashed with the same keys in every run.
type UnitSet<T> = HashSet<T, BuildHasherDefault<AHasher>>;

/// The cells that an order serves, each once, in the order in which they were
/// added.
#[derive(Clone)]
pub(super) struct Units {
    extent: Extent,
    cells: Vec<Cell>,
    asked: UnitSet<Cell>,
    /// The sectors of these cells.
    sectors: UnitSet<Sector>,
}

impl Units {
    /// Creates it with these cells of the map. A cell may be given more than
    /// once.
    pub(super) fn new(extent: Extent, cells: &[Cell]) -> Self {
        let mut units = Self {
            extent,
            cells: Vec::with_capacity(cells.len()),
            asked: UnitSet::default(),
            sectors: UnitSet::default(),
        };
        units.asked.reserve(cells.len());
        for &cell in cells {
            units.take_in(cell);
        }
        units
    }

    /// Adds a cell. Returns whether it is new.
    pub(super) fn take_in(&mut self, cell: Cell) -> bool {
        let is_new = self.asked.insert(cell);
        if is_new {
            self.cells.push(cell);
            self.sectors.insert(self.sector_of(cell));
        }
        is_new
    }

    const fn sector_of(&self, cell: Cell) -> Sector {
        self.extent.sector(self.extent.locate(cell).0)
    }

    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    pub(super) fn has(&self, cell: Cell) -> bool {
        self.asked.contains(&cell)
    }

    /// Whether any cell lies in one of these sectors, which are in id order.
    pub(super) fn any_in(&self, sectors: &[SectorId]) -> bool {
        if sectors.len() <= self.cells.len() {
            return sectors
                .iter()
                .map(|&id| self.extent.sector(id))
                .any(|sector| self.sectors.contains(&sector));
        }
        self.cells
            .iter()
            .any(|&cell| sectors.binary_search(&self.extent.locate(cell).0).is_ok())
    }

    pub(super) fn bytes(&self) -> usize {
        (self.cells.capacity() + self.asked.capacity()) * size_of::<Cell>()
            + self.sectors.capacity() * size_of::<Sector>()
    }
}
