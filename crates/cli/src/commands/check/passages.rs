//! Passages between sectors that are too narrow.

use std::collections::BTreeMap;

use flowtiles::graph::PortalId;
use flowtiles::{Cell, CostMap, FlowWorld};

/// A gap in the border between sectors: neighbouring open cells, on both sides of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Its first cell on the north or west side of the border.
    pub cell: Cell,
    /// Its width in cells.
    pub width: u32,
    /// The first of its portals.
    pub portal: PortalId,
}

/// Finds the passages narrower than `size` cells.
///
/// A portal ends at the corner of its sector, a passage continues: the windows on
/// both sides of a corner are one passage unless a wall separates them.
pub fn find(costs: CostMap, size: u32) -> Vec<Passage> {
    let world = FlowWorld::new(costs);
    let mut found = BTreeMap::new();
    for portal in world.inspect().portal_graph().portals() {
        if portal.width() >= size {
            continue;
        }
        let [near, far] = portal.sectors;
        let [window, beyond] = portal.windows;
        let first = Cell::new(window.x, window.y);
        let opposite = Cell::new(beyond.x, beyond.y);
        // The border runs east between rows of sectors, south between columns.
        let (dx, dy) = if near.x == far.x { (1, 0) } else { (0, 1) };
        let is_open = |cell: Cell| world.costs().get(cell).is_some_and(|cost| !cost.is_wall());
        let goes_on = |steps: i32| {
            let shifted = |cell: Cell| Cell::new(cell.x + steps * dx, cell.y + steps * dy);
            is_open(shifted(first)) && is_open(shifted(opposite))
        };
        let mut begin = 0;
        while goes_on(begin - 1) {
            begin -= 1;
        }
        let mut end = portal.width() as i32;
        while goes_on(end) {
            end += 1;
        }
        let width = (end - begin) as u32;
        if width < size {
            let cell = Cell::new(first.x + begin * dx, first.y + begin * dy);
            let passage = Passage {
                cell,
                width,
                portal: portal.id,
            };
            found.entry((cell.y, cell.x, dx)).or_insert(passage);
        }
    }
    let mut found: Vec<Passage> = found.into_values().collect();
    found.sort_by_key(|passage| passage.width);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowtiles::{CellRect, Cost};

    /// A wall on the border between two columns of sectors, with a gap.
    fn gap(y: i32, height: u32) -> CostMap {
        let mut costs = CostMap::open(40, 40).unwrap();
        costs.edit(CellRect::new(9, 0, 2, 40), Cost::WALL).unwrap();
        costs
            .edit(CellRect::new(9, y, 2, height), Cost::OPEN)
            .unwrap();
        costs
    }

    #[test]
    fn a_gap_is_as_wide_as_it_is_wherever_sectors_end() {
        for (y, height) in [(3, 2), (9, 2), (8, 3), (39, 1), (0, 1), (5, 8)] {
            let narrow = |size| {
                let found = find(gap(y, height), size);
                found
                    .iter()
                    .map(|at| (at.cell, at.width))
                    .collect::<Vec<_>>()
            };
            assert_eq!(narrow(height), [], "{y}");
            // Beside the wall, the borders between rows of sectors are nine cells wide.
            assert_eq!(narrow(height + 1), [(Cell::new(9, y), height)], "{y}");
        }
    }

    #[test]
    fn ragged_ends_of_sectors_are_no_walls_to_a_passage() {
        // The third column of sectors has one cell, and so have its windows.
        let open = CostMap::open(21, 20).unwrap();
        assert_eq!(find(open, 5), []);
    }
}
