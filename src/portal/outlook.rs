//! Looking outward from a cell for the nearest that will do.

use super::islands::{Island, Islands};
use crate::cost::CostMap;
use crate::grid::{Cell, Direction, SECTOR_SIDE, Sector, SectorId, Slot};
use crate::wave::octile;

/// A look for the open cell nearest to another: by the price of the way over
/// open ground, among equals the one first in the map's rows.
///
/// Sectors are looked through in rings, so the work grows with the distance.
/// A ring at a time, so that it can be done piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct Outlook {
    from: Cell,
    ring: i32,
    best: Option<(u64, u32, Cell)>,
}

impl Outlook {
    pub(crate) const fn new(from: Cell) -> Self {
        Self {
            from,
            ring: 0,
            best: None,
        }
    }

    /// The cell looked from.
    pub(crate) const fn from(&self) -> Cell {
        self.from
    }

    /// How many rings have been looked through.
    pub(crate) const fn rings(&self) -> i32 {
        self.ring
    }

    /// The nearest cell found so far: the nearest there is, once
    /// [`look_on`](Self::look_on) has found no more to look at.
    pub(crate) fn found(&self) -> Option<Cell> {
        self.best.map(|(.., cell)| cell)
    }

    /// Looks through the next ring, for cells of islands that are `wanted`
    /// and that `fit`; tells how many sectors it has, or `None` if no ring
    /// left could hold a nearer cell.
    pub(crate) fn look_on(
        &mut self,
        islands: &Islands,
        costs: &CostMap,
        wanted: impl Fn(Island) -> bool,
        fits: impl Fn(Cell) -> bool,
    ) -> Option<u64> {
        let extent = costs.extent();
        let ring = self.ring;
        // A cell of this ring is at least so many columns or rows away.
        let away = ((ring - 1) * SECTOR_SIDE + 1).max(0) as u32;
        let beaten = self.best.is_some_and(|(price, ..)| octile(away, 0) > price);
        if beaten || ring >= extent.columns().max(extent.rows()) {
            return None;
        }
        self.ring += 1;
        let origin = extent.sector(extent.locate(self.from).0);
        let mut looked = 0;
        for (x, y) in ring_of(ring) {
            let place = Sector::new(origin.x + x, origin.y + y);
            let Some(sector) = extent.sector_id(place) else {
                continue;
            };
            looked += 1;
            if islands.any_in(sector, &wanted) {
                self.look_in(islands, costs, sector, &wanted, &fits);
            }
        }
        Some(looked)
    }

    fn look_in(
        &mut self,
        islands: &Islands,
        costs: &CostMap,
        sector: SectorId,
        wanted: &impl Fn(Island) -> bool,
        fits: &impl Fn(Cell) -> bool,
    ) {
        for slot in Slot::all() {
            let cell = costs.extent().cell_at(sector, slot);
            if !islands.of(costs, cell).is_some_and(wanted) {
                continue;
            }
            let (dx, dy) = (cell.x.abs_diff(self.from.x), cell.y.abs_diff(self.from.y));
            let found = (octile(dx, dy), costs.extent().cell_id(cell), cell);
            if self.best.is_none_or(|best| found < best) && fits(cell) {
                self.best = Some(found);
            }
        }
    }
}

impl Islands {
    /// The open cell nearest to `from` whose island is `wanted`.
    pub(crate) fn nearest(
        &self,
        costs: &CostMap,
        from: Cell,
        wanted: impl Fn(Island) -> bool,
    ) -> Option<Cell> {
        let mut outlook = Outlook::new(from);
        while outlook.look_on(self, costs, &wanted, |_| true).is_some() {}
        outlook.found()
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

/// The offsets of the sectors at Chebyshev distance `ring`.
fn ring_of(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    (-ring..=ring).flat_map(move |y| {
        let step = if y.abs() == ring {
            1
        } else {
            (2 * ring).max(1)
        };
        (-ring..=ring).step_by(step as usize).map(move |x| (x, y))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_whole_and_hold_each_sector_once() {
        for ring in 0..4 {
            let mut found: Vec<_> = ring_of(ring).collect();
            assert!(found.iter().all(|(x, y)| x.abs().max(y.abs()) == ring));
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), if ring == 0 { 1 } else { 8 * ring as usize });
        }
    }
}
