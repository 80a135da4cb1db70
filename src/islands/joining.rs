//! Joins the pockets of a whole map into islands.
//!
//! Pockets are numbered along the sectors. A forest over them stores for each
//! pocket itself, or an earlier pocket to which it is joined. So the root of a
//! tree is its first pocket. The map is divided into bands of sector rows. All
//! bands join their own pockets at the same time. What remains is to join the
//! bands along the borders between them, which hold a small part of all
//! windows.
//!
//! ```text
//!   band 0   ▫─▫─▫ ▫─▫      each band by itself, in parallel
//!            │ │     │      then the windows between bands, one by one
//!   band 1   ▫ ▫─▫─▫─▫
//! ```

use super::pockets::PocketTable;
use crate::grid::{Extent, SectorId};
use crate::portal::{Border, PortalGraph};
use crate::threads;

/// The number of rows of sectors in a band.
const BAND_ROWS: u32 = 16;

/// The sectors of a map, row by row.
struct Sectors<'a> {
    columns: u32,
    table: &'a PocketTable,
    graph: &'a PortalGraph,
}

/// A slice of the forest: the pockets from `first` on.
struct ForestPart<'a> {
    rows: std::ops::Range<u32>,
    first: u32,
    joined: &'a mut [u32],
}

/// Returns for each pocket, along the sectors, the first pocket that it is
/// joined to.
pub(super) fn joined_pockets(extent: Extent, table: &PocketTable, graph: &PortalGraph) -> Vec<u32> {
    let sectors = Sectors {
        columns: extent.columns() as u32,
        table,
        graph,
    };
    let (columns, rows) = (extent.columns() as u32, extent.rows() as u32);
    // The number of each row's first pocket; at the end, of all pockets.
    let in_row = |row: u32| (row * columns..(row + 1) * columns).map(SectorId);
    let mut firsts = vec![0];
    let mut total = 0_u32;
    for row in 0..rows {
        let counts = in_row(row).map(|sector| table.count(sector));
        total += counts.sum::<u32>();
        firsts.push(total);
    }
    let mut joined: Vec<u32> = (0..total).collect();
    let mut bands = Vec::new();
    let mut rest = joined.as_mut_slice();
    for start in (0..rows).step_by(BAND_ROWS as usize) {
        let end = (start + BAND_ROWS).min(rows);
        let [first, last] = [start, end].map(|row| firsts[row as usize]);
        let (own, others) = rest.split_at_mut((last - first) as usize);
        rest = others;
        bands.push(ForestPart {
            rows: start..end,
            first,
            joined: own,
        });
    }
    threads::change_all(&mut bands, |band| band.join(&sectors, &firsts));
    for row in (BAND_ROWS..rows).step_by(BAND_ROWS as usize) {
        let starts = [row - 1, row].map(|row| firsts[row as usize]);
        sectors.join_rows(row - 1, starts, &mut joined);
    }
    // No pocket is joined to a later one, so one step for each, from first to
    // last, leads every pocket to its root.
    for pocket in 0..joined.len() {
        joined[pocket] = joined[joined[pocket] as usize];
    }
    joined
}

impl ForestPart<'_> {
    fn join(&mut self, sectors: &Sectors<'_>, firsts: &[u32]) {
        let first = self.first;
        // Inside the band, pockets are numbered from the band's first.
        for pocket in self.joined.iter_mut() {
            *pocket -= first;
        }
        for row in self.rows.clone() {
            let start = firsts[row as usize] - first;
            sectors.join_row(row, start, self.joined);
            if row + 1 < self.rows.end {
                let starts = [start, firsts[row as usize + 1] - first];
                sectors.join_rows(row, starts, self.joined);
            }
        }
        for pocket in self.joined.iter_mut() {
            *pocket += first;
        }
    }
}

impl Sectors<'_> {
    /// Joins the pockets that windows join along a row of sectors. The row's first
    /// pocket has the number `start`.
    fn join_row(&self, row: u32, start: u32, joined: &mut [u32]) {
        let mut here = start;
        for sector in (row * self.columns..(row + 1) * self.columns - 1).map(SectorId) {
            let there = here + self.table.count(sector);
            let beyond = SectorId(sector.0 + 1);
            let pair = [(sector, here), (beyond, there)];
            join_over(Border::East, pair, self.table, self.graph, joined);
            here = there;
        }
    }

    /// Joins the pockets that windows join between a row of sectors and the next.
    /// `starts` are the numbers of their first pockets.
    fn join_rows(&self, row: u32, starts: [u32; 2], joined: &mut [u32]) {
        let [mut here, mut there] = starts;
        for sector in (row * self.columns..(row + 1) * self.columns).map(SectorId) {
            let beyond = SectorId(sector.0 + self.columns);
            let pair = [(sector, here), (beyond, there)];
            join_over(Border::South, pair, self.table, self.graph, joined);
            here += self.table.count(sector);
            there += self.table.count(beyond);
        }
    }
}

/// Joins the pockets that the windows of a border join. The two sectors, the owner
/// first, come with the numbers of their first pockets.
#[inline]
pub(super) fn join_over(
    border: Border,
    [(near, here), (far, there)]: [(SectorId, u32); 2],
    table: &PocketTable,
    graph: &PortalGraph,
    joined: &mut [u32],
) {
    graph.for_each_gate(near, border, |near_slot, far_slot| {
        join(
            joined,
            here + table.pocket(near, near_slot),
            there + table.pocket(far, far_slot),
        );
    });
}

/// Joins the trees of two pockets under the root that comes first.
pub(super) fn join(joined: &mut [u32], a: u32, b: u32) {
    let (a, b) = (root(joined, a), root(joined, b));
    joined[a.max(b) as usize] = a.min(b);
}

/// Returns the root of a pocket's tree. Halves the path to it on the way, so
/// that later calls are faster.
pub(super) fn root(joined: &mut [u32], mut pocket: u32) -> u32 {
    loop {
        let above = joined[pocket as usize];
        if above == pocket {
            return pocket;
        }
        let next = joined[above as usize];
        joined[pocket as usize] = next;
        pocket = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Cost, CostMap};
    use crate::draws::draws;
    use crate::grid::{Cell, Direction, Rect};
    use crate::islands::Island;
    use crate::islands::Islands;

    /// Returns the islands of a map, by flooding it cell by cell.
    fn flooded(costs: &CostMap) -> Vec<Option<usize>> {
        let width = costs.width() as i32;
        let number = |cell: Cell| (cell.y * width + cell.x) as usize;
        let cells = Rect::new(0, 0, costs.width(), costs.height()).cells();
        let mut islands: Vec<Option<usize>> = vec![None; (costs.width() * costs.height()) as usize];
        for cell in cells {
            let mut wet = vec![cell];
            while let Some(here) = wet.pop() {
                if costs.is_open(here) && islands[number(here)].is_none() {
                    islands[number(here)] = Some(number(cell));
                    wet.extend(Direction::ALL[..4].iter().map(|&way| here.step(way)));
                }
            }
        }
        islands
    }

    #[test]
    fn islands_over_several_bands_are_those_of_a_flood() {
        let mut draw = draws(11);
        for (width, height, percent) in [(25, 170, 38), (13, 160, 30), (41, 333, 42), (9, 700, 20)]
        {
            let mut costs = CostMap::open(width, height).unwrap();
            for _ in 0..width * height * percent / 100 {
                let cell = Cell::new(draw(width) as i32, draw(height) as i32);
                costs.edit(cell, Cost::WALL).unwrap();
            }
            let islands = Islands::new(&costs, &PortalGraph::new(&costs));
            let plain = flooded(&costs);
            // The label of each island of the flood, in the order of labels.
            let mut labels: Vec<Option<Island>> = vec![None; plain.len()];
            let cells = Rect::new(0, 0, width, height).cells();
            for (cell, flooded) in cells.zip(&plain) {
                let island = islands.of(&costs, cell);
                assert_eq!(island.is_some(), flooded.is_some(), "{cell}");
                if let Some(first) = *flooded {
                    assert_eq!(
                        labels[first].get_or_insert(island.unwrap()),
                        &island.unwrap()
                    );
                }
            }
            let mut known: Vec<Island> = labels.into_iter().flatten().collect();
            assert!(known.len() > 3, "several islands");
            assert_eq!(known.len(), islands.count());
            known.sort_unstable();
            known.dedup();
            assert_eq!(known.len(), islands.count(), "no two share a label");
        }
    }
}
