use super::Cost;
use crate::grid::{SECTOR_CELLS, SECTOR_SIDE, Slot};

const WALL: u8 = Cost::WALL.value();
const SIDE: usize = SECTOR_SIDE as usize;
/// A bit for each cell of a line.
const LINE: u16 = (1 << SIDE) - 1;

/// The costs of one sector, and what a kernel wants to know of them before it
/// starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CostTile {
    costs: [u8; SECTOR_CELLS],
    highest: u8,
    clear: bool,
    walls: TileWalls,
}

/// Where a sector's walls stand, a bit a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileWalls {
    /// Bit x of row y.
    pub(crate) rows: [u16; SIDE],
    /// Bit y of the westernmost column.
    pub(crate) west: u16,
    /// Bit y of the easternmost column.
    pub(crate) east: u16,
}

impl TileWalls {
    const NONE: Self = Self::lines(0);
    pub(crate) const ALL: Self = Self::lines(LINE);

    const fn lines(line: u16) -> Self {
        Self {
            rows: [line; SIDE],
            west: line,
            east: line,
        }
    }

    fn of(costs: &[u8; SECTOR_CELLS]) -> Self {
        let mut walls = Self::NONE;
        for (y, costs) in costs.chunks_exact(SIDE).enumerate() {
            let [first @ .., a, b] = costs else {
                continue;
            };
            let row = first.as_array().map_or(0, |first| eight_walls(*first))
                | u16::from(*a == WALL) << 8
                | u16::from(*b == WALL) << 9;
            walls.rows[y] = row;
            walls.west |= (row & 1) << y;
            walls.east |= (row >> (SIDE - 1)) << y;
        }
        walls
    }
}

/// Which of eight costs are walls, a bit each.
// PERF: a source's tiles are summarised whenever they are read. Cell by cell
// that took 1,390 instructions, now it takes 470.
const fn eight_walls(costs: [u8; 8]) -> u16 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    // A wall is all ones: its complement alone is zero, and only that leaves
    // the high bit of its byte unset in the sum.
    let others = !u64::from_le_bytes(costs);
    let walls = !(((others & LOW) + LOW) | others | LOW);
    // One bit a byte, gathered into the highest byte.
    ((walls >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u16
}

impl CostTile {
    pub(super) const CLEAR: Self = Self {
        costs: [1; SECTOR_CELLS],
        highest: 1,
        clear: true,
        walls: TileWalls::NONE,
    };

    /// A tile of walls.
    pub(crate) const CLOSED: Self = Self {
        costs: [WALL; SECTOR_CELLS],
        highest: 0,
        clear: false,
        walls: TileWalls::ALL,
    };

    pub(crate) fn new(costs: [u8; SECTOR_CELLS]) -> Self {
        let mut tile = Self {
            costs,
            ..Self::CLEAR
        };
        tile.summarise();
        tile
    }

    pub(super) fn write(&mut self, slot: Slot, cost: Cost) {
        self.costs[slot.index()] = cost.value();
    }

    /// Derives the summary anew after writes.
    pub(super) fn summarise(&mut self) {
        // Next after its cost a wall has 0, the lowest; line by line, so that
        // the compiler takes a line's cells at once.
        let mut next = [0_u8; 2 * SIDE];
        let (pairs, _) = self.costs.as_chunks::<{ 2 * SIDE }>();
        for costs in pairs {
            for (next, cost) in next.iter_mut().zip(costs) {
                *next = cost.wrapping_add(1).max(*next);
            }
        }
        self.highest = next.into_iter().max().unwrap_or(0).saturating_sub(1);
        self.walls = TileWalls::of(&self.costs);
        self.clear = self.highest == 1 && self.walls == TileWalls::NONE;
    }

    /// The hundred costs, by slot.
    pub(crate) const fn costs(&self) -> &[u8; SECTOR_CELLS] {
        &self.costs
    }

    pub(crate) const fn is_wall(&self, slot: Slot) -> bool {
        self.costs[slot.index()] == WALL
    }

    pub(crate) const fn walls(&self) -> &TileWalls {
        &self.walls
    }

    /// The highest cost of an open cell; 0 where there is none.
    pub(crate) const fn highest(&self) -> u8 {
        self.highest
    }

    /// The cost of all cells, if they have one.
    pub(super) fn even(&self) -> Option<Cost> {
        let [first, ..] = self.costs;
        self.costs
            .iter()
            .all(|&cost| cost == first)
            .then(|| Cost::stored(first))
    }

    /// Whether every cell costs 1.
    pub(crate) const fn is_clear(&self) -> bool {
        self.clear
    }

    /// Whether every cell is a wall.
    pub(crate) const fn is_closed(&self) -> bool {
        self.highest == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_that_of_a_look_at_each_cell() {
        let mut state = 3_u64;
        for turn in 0..500 {
            let costs: [u8; SECTOR_CELLS] = std::array::from_fn(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let cost = (state >> 40) as u8;
                match turn % 4 {
                    0 => cost.max(1),
                    1 => [1, WALL][usize::from(cost & 1)],
                    2 => [254, 127, 128, WALL][usize::from(cost & 3)],
                    _ => [1, WALL][usize::from(cost > 250)],
                }
            });
            let tile = CostTile::new(costs);
            let wall = |x: usize, y: usize| costs[y * SIDE + x] == WALL;
            for at in 0..SIDE {
                for along in 0..SIDE {
                    assert_eq!(tile.walls.rows[at] >> along & 1 == 1, wall(along, at));
                }
                assert_eq!(tile.walls.west >> at & 1 == 1, wall(0, at));
                assert_eq!(tile.walls.east >> at & 1 == 1, wall(SIDE - 1, at));
                assert_eq!(
                    (tile.walls.rows[at] | tile.walls.west | tile.walls.east) >> SIDE,
                    0
                );
            }
            let open = costs.iter().copied().filter(|&cost| cost != WALL);
            assert_eq!(tile.highest, open.max().unwrap_or(0));
            assert_eq!(tile.clear, costs == [1; SECTOR_CELLS]);
        }
    }
}
