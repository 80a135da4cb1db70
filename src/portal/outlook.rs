//! Looking outward from a cell for the nearest that will do.

use super::island::Island;
use super::islands::Islands;
use super::rings::Rings;
use crate::budget::{LOOK_WORK, TILE_WORK};
use crate::cost::CostMap;
use crate::grid::{Cell, Direction, Extent, SectorId, Slot};
use crate::wave::octile;

/// An open cell as seen from another: the nearer is less, by the price of the
/// way over open ground; among equals the one first in the map's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Seen {
    price: u64,
    id: u32,
    pub(crate) cell: Cell,
}

impl Seen {
    pub(crate) fn from(extent: Extent, from: Cell, cell: Cell) -> Self {
        Self {
            price: octile(cell.x.abs_diff(from.x), cell.y.abs_diff(from.y)),
            id: extent.cell_id(cell),
            cell,
        }
    }

    /// The price of the way over open ground.
    pub(crate) const fn price(self) -> u64 {
        self.price
    }
}

/// A look for the open cell nearest to another.
///
/// Sectors are looked through in rings, so the work grows with the distance; one
/// at a time, so that it can be done piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    from: Cell,
    rings: Rings,
    best: Option<Seen>,
}

impl Outlook {
    pub(crate) fn new(extent: Extent, from: Cell) -> Self {
        Self {
            from,
            rings: Rings::new(extent.sector(extent.locate(from).0)),
            best: None,
        }
    }

    /// The cell looked from.
    pub(crate) const fn from(&self) -> Cell {
        self.from
    }

    /// How many rings have been looked through.
    pub(crate) const fn rings(&self) -> i32 {
        self.rings.done()
    }

    /// Whether any sector has been looked at.
    pub(crate) const fn is_begun(&self) -> bool {
        self.rings.is_begun()
    }

    /// The nearest cell found so far: the nearest there is, once
    /// [`look_on`](Self::look_on) has found no more to look at.
    pub(crate) fn found(&self) -> Option<Cell> {
        self.best.map(|best| best.cell)
    }

    /// After a change of the map: what has become a wall is no find. Tells
    /// whether it was none.
    pub(crate) fn meet_change(&mut self, costs: &CostMap) -> bool {
        let before = self.best;
        self.best = before.filter(|best| costs.is_open(best.cell));
        self.best == before
    }

    /// Looks through the next sector, for cells of islands that are `wanted`
    /// and that `fit`; tells how much work that was, or `None` if no sector
    /// left could hold a nearer cell.
    pub(crate) fn look_on(
        &mut self,
        islands: &Islands,
        costs: &CostMap,
        wanted: impl Fn(Island) -> bool,
        fits: impl Fn(Cell) -> bool,
    ) -> Option<u64> {
        let best = &mut self.best;
        if best.is_some_and(|best| best.price < self.rings.price()) {
            return None;
        }
        let sector = self.rings.next(costs.extent())?;
        if !islands.any_in(sector, &wanted) {
            return Some(LOOK_WORK);
        }
        islands.see(costs, sector, self.from, |island, seen| {
            let nearer = best.is_none_or(|best| seen < best);
            if wanted(island) && nearer && fits(seen.cell) {
                *best = Some(seen);
            }
        });
        Some(TILE_WORK)
    }
}

impl Islands {
    /// Tells every open cell of a sector as seen from another cell, and its
    /// island.
    pub(crate) fn see(
        &self,
        costs: &CostMap,
        sector: SectorId,
        from: Cell,
        mut tell: impl FnMut(Island, Seen),
    ) {
        let (extent, tile) = (costs.extent(), costs.tile(sector));
        for slot in Slot::all().filter(|&slot| !tile.is_wall(slot)) {
            let island = self.label(self.pocket_at(sector, slot));
            let cell = extent.cell_at(sector, slot);
            tell(island, Seen::from(extent, from, cell));
        }
    }
}

/// Whether the straight way from a cell in a wall to an open one (diagonal
/// while it can be, then along a row or column) stays in walls until its end.
pub(crate) fn leads_straight_out(costs: &CostMap, from: Cell, to: Cell) -> bool {
    let mut cell = from;
    loop {
        let Some(direction) = Direction::toward(to.x - cell.x, to.y - cell.y) else {
            return true;
        };
        cell = cell.step(direction);
        if cell != to && costs.is_open(cell) {
            return false;
        }
    }
}
