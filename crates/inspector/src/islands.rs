//! Islands as the page colours them: cells that can reach each other.
//!
//! The engine numbers the islands. The page also needs to know which of them is
//! the mainland, so that only areas cut off from it get a strong colour.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use flowtiles::Cell;

use crate::world_layers::OnLayer;

/// The byte of a wall.
pub(crate) const WALL: u8 = 255;
/// The number of bytes for islands: 0 is the mainland, the others share the
/// rest.
const BYTES: u32 = 254;
/// The number of cells sampled along a side of the map.
const SPOTS: i64 = 64;

/// The island with the most of some thousand cells, sampled across the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mainland(Option<u32>);

impl Mainland {
    /// Finds the mainland; the work is the same for a map of any size.
    pub(crate) fn of(on: &OnLayer<'_>) -> Self {
        let spots = |side: u32| {
            let side = i64::from(side);
            let count = side.min(SPOTS);
            (0..count).map(move |number| ((2 * number + 1) * side / (2 * count)) as i32)
        };
        let costs = on.costs;
        let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
        for y in spots(costs.height()) {
            for x in spots(costs.width()) {
                if let Some(island) = on.inside.island(Cell::new(x, y)) {
                    *counts.entry(island).or_default() += 1;
                }
            }
        }
        let largest = counts
            .into_iter()
            .max_by_key(|&(island, count)| (count, Reverse(island)));
        Self(largest.map(|(island, _)| island))
    }

    /// Whether an island is the mainland.
    pub(crate) fn is(self, island: u32) -> bool {
        self.0 == Some(island)
    }

    /// Returns the byte of a texel from those of some of its cells, its middle first.
    /// A cell that is cut off counts before all others.
    pub(crate) fn byte_of(bytes: impl Iterator<Item = u8>) -> u8 {
        let mut middle = None;
        for byte in bytes {
            if byte != 0 && byte != WALL {
                return byte;
            }
            middle.get_or_insert(byte);
        }
        middle.unwrap_or(WALL)
    }

    /// Returns a cell's byte.
    pub(crate) fn byte(self, on: &OnLayer<'_>, cell: Cell) -> u8 {
        match on.inside.island(cell) {
            None => WALL,
            Some(island) if self.is(island) => 0,
            Some(island) => 1 + (island.wrapping_mul(0x9E37_79B1) >> 8) as u8 % (BYTES - 1) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use flowtiles::{CellRect, Cost, CostMap, FlowWorld, LayerId};

    use super::*;

    #[test]
    fn cells_share_a_byte_exactly_if_they_are_connected() {
        let mut state = 7u64;
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(9);
            (state >> 33) % below
        };
        for _ in 0..5 {
            let mut map = CostMap::open(37, 23).unwrap();
            for cell in CellRect::new(0, 0, 37, 23).cells() {
                if draw(100) < 42 {
                    map.edit(cell, Cost::WALL).unwrap();
                }
            }
            let world = FlowWorld::new(map);
            let on = OnLayer::of(&world, LayerId::GROUND);
            let mainland = Mainland::of(&on);
            let cells: Vec<Cell> = CellRect::new(0, 0, 37, 23).cells().collect();
            let byte = |cell| mainland.byte(&on, cell);
            for &one in &cells {
                assert_eq!(byte(one) == WALL, !world.reachable(one, one));
                for &two in cells.iter().step_by(5) {
                    if world.reachable(one, two) {
                        assert_eq!(byte(one), byte(two));
                    } else if byte(one) == 0 {
                        assert_ne!(byte(two), 0, "the mainland has its byte alone");
                    }
                }
            }
            // On such a small map every cell is sampled, so the mainland is the
            // largest island.
            let size = |cell: Cell| {
                cells
                    .iter()
                    .filter(|&&to| world.reachable(cell, to))
                    .count()
            };
            let most = cells.iter().map(|&cell| size(cell)).max().unwrap();
            let main = cells.iter().find(|&&cell| byte(cell) == 0).unwrap();
            assert_eq!(size(*main), most);
        }
    }

    #[test]
    fn a_texel_shows_what_is_cut_off_in_any_of_its_cells() {
        let texel = |bytes: &[u8]| Mainland::byte_of(bytes.iter().copied());
        assert_eq!(texel(&[0, WALL, 0, 0]), 0);
        assert_eq!(texel(&[WALL, 0, 0, 0]), WALL);
        assert_eq!(texel(&[0, WALL, 0, 9]), 9);
    }

    #[test]
    fn mainland_of_a_large_map_is_found_by_a_few_cells() {
        let mut map = CostMap::open(1900, 700).unwrap();
        map.edit(CellRect::new(300, 0, 1, 700), Cost::WALL).unwrap();
        let world = FlowWorld::new(map);
        let on = OnLayer::of(&world, LayerId::GROUND);
        let mainland = Mainland::of(&on);
        assert_eq!(mainland.byte(&on, Cell::new(1899, 699)), 0);
        assert_ne!(mainland.byte(&on, Cell::new(0, 0)), 0);
        assert_eq!(mainland.byte(&on, Cell::new(-1, 0)), WALL);
    }
}
