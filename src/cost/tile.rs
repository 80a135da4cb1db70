//! Cost tiles: the costs of one sector, with a summary of them.

use super::Cost;
use crate::grid::{SECTOR_CELLS, SECTOR_SIDE, Slot};

const WALL: u8 = Cost::WALL.value();
const SIDE: usize = SECTOR_SIDE as usize;
/// One bit for each cell of a row or column.
const LINE: u16 = (1 << SIDE) - 1;

/// At least this many leaps of cost make a tile rough. A line of other cost across the
/// sector makes more.
const ROUGH: usize = 8;

/// The costs of one sector, with a summary for the kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CostTile {
    costs: [u8; SECTOR_CELLS],
    highest: u8,
    clear: bool,
    walls: TileWalls,
}

/// The walls of a sector, one bit per cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TileWalls {
    /// By row y: bit x.
    pub(crate) rows: [u16; SIDE],
    /// The westernmost column: bit y.
    pub(crate) west: u16,
    /// The easternmost column: bit y.
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

/// Returns a bit for each of eight costs, set for walls.
// PERF: a source's tiles are summarised whenever they are read. Cell by cell
// that took 1,390 instructions, this way it takes 470.
const fn eight_walls(costs: [u8; 8]) -> u16 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    // Only a wall is all ones. So only its complement is zero, and only a zero
    // byte leaves its high bit unset in the sum.
    let others = !u64::from_le_bytes(costs);
    let walls = !(((others & LOW) + LOW) | others | LOW);
    // Gathers one bit per byte into the highest byte.
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

    /// Computes the summary again after writes.
    pub(super) fn summarise(&mut self) {
        // `next` is cost + 1, so a wall wraps to 0, the lowest. The loop
        // takes two rows at a time, which the compiler turns into vector
        // instructions.
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

    /// Returns the hundred costs, by slot.
    pub(crate) const fn costs(&self) -> &[u8; SECTOR_CELLS] {
        &self.costs
    }

    pub(crate) const fn is_wall(&self, slot: Slot) -> bool {
        self.costs[slot.index()] == WALL
    }

    pub(crate) const fn walls(&self) -> &TileWalls {
        &self.walls
    }

    /// Returns the highest cost of an open cell; 0 if there is none.
    pub(crate) const fn highest(&self) -> u8 {
        self.highest
    }

    /// Returns the cost of all cells, if it is the same.
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

    /// Whether costs change by leaps, at [`ROUGH`] places at least: one of two cells side
    /// by side costs more than 1.5 times the other, and 0.5 more. Walls do not count.
    pub(crate) fn is_rough(&self) -> bool {
        if self.highest <= 2 {
            return false;
        }
        let leap = |&(a, b): &(u8, u8)| {
            let (low, high) = (u32::from(a.min(b)), u32::from(a.max(b)));
            high != u32::from(WALL) && 2 * high > 3 * low + 1
        };
        let rows = self.costs.chunks_exact(SIDE);
        let across = rows.flat_map(|row| row.iter().copied().zip(row[1..].iter().copied()));
        let below = self.costs[SIDE..].iter().copied();
        let down = self.costs.iter().copied().zip(below);
        across.chain(down).filter(leap).take(ROUGH).count() == ROUGH
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
