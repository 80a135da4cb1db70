//! A search outward from a cell for the nearest suitable cell.

use super::island::Island;
use super::partition::Islands;
use super::rings::Rings;
use crate::budget::{LOOK_WORK, Paused, TILE_WORK, Work};
use crate::cost::CostMap;
use crate::grid::{Cell, CellRect, Direction, Extent, SectorId, Slot};
use crate::kernel::octile;

/// An open cell as seen from another. Ordered by the cost of the path between
/// them over open ground; among equals, the first in the map's rows is less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SeenCell {
    price: u64,
    id: u32,
    pub(crate) cell: Cell,
}

impl SeenCell {
    pub(crate) fn from(extent: Extent, from: Cell, cell: Cell) -> Self {
        Self {
            price: octile(cell.x.abs_diff(from.x), cell.y.abs_diff(from.y)),
            id: extent.cell_id(cell),
            cell,
        }
    }

    /// Returns the cost of the path over open ground.
    pub(crate) const fn price(self) -> u64 {
        self.price
    }
}

/// A search for the open cell nearest to another.
///
/// It visits sectors in rings, so its work grows with the distance. It visits
/// one sector per step, so it can be interrupted.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    from: Cell,
    rings: Rings,
    best: Option<SeenCell>,
}

impl Outlook {
    pub(crate) fn new(extent: Extent, from: Cell) -> Self {
        Self {
            from,
            rings: Rings::new(extent.sector(extent.locate(from).0)),
            best: None,
        }
    }

    /// Returns the cell from which the search began.
    pub(crate) const fn from(&self) -> Cell {
        self.from
    }

    /// Whether any sector has been visited.
    pub(crate) const fn is_begun(&self) -> bool {
        self.rings.is_begun()
    }

    /// Returns the nearest cell found so far. It is final once
    /// [`step`](Self::step) has returned `None`.
    pub(crate) fn found(&self) -> Option<Cell> {
        self.best.map(|best| best.cell)
    }

    /// Adapts to a change of the map: drops the found cell if it has become a
    /// wall. Returns whether it was kept.
    pub(crate) fn on_change(&mut self, costs: &CostMap) -> bool {
        let before = self.best;
        self.best = before.filter(|best| costs.is_open(best.cell));
        self.best == before
    }

    /// Visits the next sector, for cells of islands that are `wanted` and for
    /// which `fits` returns true. Returns the work done, or `None` if no
    /// remaining sector can hold a nearer cell.
    pub(crate) fn step(
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
        let least = price_to(costs.extent().area_of(sector), self.from);
        if best.is_some_and(|best| best.price < least) {
            return Some(LOOK_WORK);
        }
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

    /// Goes on for up to `rings` rings of sectors, or until no nearer cell is left.
    pub(crate) fn look(
        &mut self,
        islands: &Islands,
        costs: &CostMap,
        wanted: impl Fn(Island) -> bool,
        fits: impl Fn(Cell) -> bool,
        rings: i32,
        work: &mut Work,
    ) -> Result<(), Paused> {
        while self.rings.done() < rings {
            work.check()?;
            match self.step(islands, costs, &wanted, &fits) {
                Some(cells) => work.count(cells),
                None => break,
            }
        }
        Ok(())
    }
}

/// Returns the cost of the path over open ground of cost 1 between a cell and
/// an area.
pub(crate) fn price_to(area: CellRect, from: Cell) -> u64 {
    let off = |from: i32, low: i32, length: u32| {
        let high = low + length as i32 - 1;
        (low - from).max(from - high).max(0) as u32
    };
    octile(
        off(from.x, area.x, area.width),
        off(from.y, area.y, area.height),
    )
}

impl Islands {
    /// Calls `visit` for each open cell of a sector, as seen from another cell,
    /// with its island.
    pub(crate) fn see(
        &self,
        costs: &CostMap,
        sector: SectorId,
        from: Cell,
        mut visit: impl FnMut(Island, SeenCell),
    ) {
        let (extent, tile) = (costs.extent(), costs.tile(sector));
        for slot in Slot::all().filter(|&slot| !tile.is_wall(slot)) {
            let island = self.label(self.pocket_at(sector, slot));
            let cell = extent.cell_at(sector, slot);
            visit(island, SeenCell::from(extent, from, cell));
        }
    }
}

/// Whether the straight path from a cell in a wall to an open cell (diagonal as
/// far as possible, then along a row or column) stays in walls until its end.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::draws::draws;
    use crate::portal::PortalGraph;

    /// Searches to the end; returns the cell found.
    fn run(outlook: &mut Outlook, islands: &Islands, costs: &CostMap) -> Option<Cell> {
        let from = outlook.from();
        let fits = |cell| leads_straight_out(costs, from, cell);
        while outlook.step(islands, costs, |_| true, fits).is_some() {}
        outlook.found()
    }

    #[test]
    fn the_nearest_cell_with_a_straight_line_is_found() {
        let mut draw = draws(17);
        let mut found = 0;
        for _ in 0..30 {
            let (width, height) = (100 + draw(200), 100 + draw(200));
            let mut costs = CostMap::open(width, height).unwrap();
            costs
                .edit(CellRect::new(0, 0, width, height), Cost::WALL)
                .unwrap();
            for _ in 0..draw(6) {
                let (x, y) = (draw(width - 3) as i32, draw(height - 3) as i32);
                costs.edit(CellRect::new(x, y, 3, 2), Cost::OPEN).unwrap();
            }
            let islands = Islands::new(&costs, &PortalGraph::new(&costs));
            let extent = costs.extent();
            for _ in 0..30 {
                let from = Cell::new(draw(width) as i32, draw(height) as i32);
                if costs.is_open(from) {
                    continue;
                }
                let answer = run(&mut Outlook::new(extent, from), &islands, &costs);
                let nearest = CellRect::new(0, 0, width, height)
                    .cells()
                    .filter(|&cell| costs.is_open(cell))
                    .filter(|&cell| leads_straight_out(&costs, from, cell))
                    .map(|cell| SeenCell::from(extent, from, cell))
                    .min();
                assert_eq!(answer, nearest.map(|seen| seen.cell), "from {from}");
                found += u32::from(answer.is_some());
            }
        }
        assert!(found > 300, "{found}");
    }
}
