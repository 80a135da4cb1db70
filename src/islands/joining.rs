//! Joins the pockets of sectors over the borders between them.
//!
//! Pockets are numbered along the sectors. A forest over them stores for each
//! pocket itself, or an earlier pocket to which it is joined. So the root of a
//! tree is its first pocket.
//!
//! ```text
//!   ▫─▫─▫ ▫─▫      each sector passes on the windows of its eastern
//!   │ │     │      and its southern border, if the sector beyond is
//!   ▫ ▫─▫─▫─▫      one of those given
//! ```
//!
//! A build and an edit join pockets by the same pass.

use super::pockets::PocketTable;
use crate::grid::{Extent, SectorId};
use crate::portal::{Border, PortalGraph};

/// The pockets of some sectors, and which of them are joined.
pub(super) struct JoinedPockets {
    /// The number of each sector's first pocket.
    pub(super) firsts: Vec<u32>,
    /// For each pocket the first pocket that it is joined to.
    pub(super) joined: Vec<u32>,
}

/// Joins the pockets that windows between these sectors join. The sectors are in
/// id order.
pub(super) fn joined_pockets(
    extent: Extent,
    sectors: &[SectorId],
    table: &PocketTable,
    graph: &PortalGraph,
) -> JoinedPockets {
    let (mut firsts, mut total) = (Vec::with_capacity(sectors.len()), 0);
    for &sector in sectors {
        firsts.push(total);
        total += table.count(sector);
    }
    let mut joined: Vec<u32> = (0..total).collect();
    let columns = extent.columns() as u32;
    // The first of the sectors that does not lie before the southern neighbour.
    let mut below = 0;
    for (at, &near) in sectors.iter().enumerate() {
        let (east, south) = (SectorId(near.0 + 1), SectorId(near.0 + columns));
        while sectors.get(below).is_some_and(|&other| other < south) {
            below += 1;
        }
        let is_last = east.0.is_multiple_of(columns);
        let sides = [(Border::East, at + 1, east), (Border::South, below, south)];
        for (border, beyond, far) in sides.into_iter().skip(usize::from(is_last)) {
            if sectors.get(beyond) == Some(&far) {
                graph.for_each_crossing(near, border, |here, there| {
                    let here = firsts[at] + table.pocket(near, here);
                    join(&mut joined, here, firsts[beyond] + table.pocket(far, there));
                });
            }
        }
    }
    // No pocket is joined to a later one, so one step for each, from first to
    // last, leads every pocket to its root.
    for pocket in 0..joined.len() {
        joined[pocket] = joined[joined[pocket] as usize];
    }
    JoinedPockets { firsts, joined }
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
    use crate::grid::{Cell, CellRect, Direction};
    use crate::islands::Island;
    use crate::islands::Islands;

    /// Returns the islands of a map, by flooding it cell by cell.
    fn flooded(costs: &CostMap) -> Vec<Option<usize>> {
        let width = costs.width() as i32;
        let number = |cell: Cell| (cell.y * width + cell.x) as usize;
        let cells = CellRect::new(0, 0, costs.width(), costs.height()).cells();
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
    fn islands_are_those_of_a_flood() {
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
            for (cell, flooded) in CellRect::new(0, 0, width, height).cells().zip(&plain) {
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
