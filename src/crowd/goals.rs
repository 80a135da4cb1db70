//! The goal's cells in the sectors that a crowd solves, and the entries of links that the
//! order leads through: there the way ends as far as a crowd is concerned.

use crate::grid::{Cell, SECTOR_SIDE, Sector, SectorPages};
use crate::order::Order;
use crate::world::{FlowWorld, Sample};

/// The cells of a goal found so far.
#[derive(Clone)]
pub(super) struct Goals {
    revision: u64,
    /// The sectors searched.
    seen: SectorPages<bool>,
    cells: Vec<Cell>,
}

impl Goals {
    /// Returns the cells of a goal before any sector was searched.
    pub(super) fn new(world: &FlowWorld, order: &Order) -> Self {
        Self {
            revision: world.inspect().revision(order),
            seen: SectorPages::new(world.costs().extent(), false),
            cells: Vec::new(),
        }
    }

    /// Forgets the cells if the order's field has changed since.
    pub(super) fn refresh(&mut self, world: &FlowWorld, order: &Order) {
        let revision = world.inspect().revision(order);
        if revision != self.revision {
            self.revision = revision;
            self.seen.clear();
            self.cells.clear();
        }
    }

    /// Searches a sector of the map for cells of the goal.
    pub(super) fn look_through(&mut self, world: &FlowWorld, order: &Order, sector: Sector) {
        if std::mem::replace(self.seen.get_mut(sector), true) {
            return;
        }
        let (left, top) = (sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
        for y in top..top + SECTOR_SIDE {
            for x in left..left + SECTOR_SIDE {
                let cell = Cell::new(x, y);
                let open = world.costs().get(cell).is_some_and(|cost| !cost.is_wall());
                let is_end = |sample| matches!(sample, Sample::Arrived | Sample::Link(_));
                if open && is_end(world.sample(order, cell)) {
                    self.cells.push(cell);
                }
            }
        }
    }

    /// Returns the goal's cells in the sectors searched.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }
}
