//! Cost tiles: the costs of one sector, with a summary of them.

use super::Cost;
use crate::arrays::Mapped;
use crate::grid::{SECTOR_CELLS, SECTOR_SIDE, Slot};

const WALL: u8 = Cost::WALL.value();
const SIDE: usize = SECTOR_SIDE as usize;
/// One bit for each cell of a row or column.
const LINE: u16 = (1 << SIDE) - 1;

/// At least this many leaps of cost make a tile rough. A line of other cost across the
/// sector makes more.
const ROUGH: u8 = 8;
/// The same for tiles of two costs, of which the greater is at most [`ROUGH_RATIO`] times the
/// lower: more than the borders of roads make, whose crossings have gates of their own,
/// and fewer than cells of both costs at random.
const ROUGH_OF_TWO: u8 = 60;
const ROUGH_RATIO: u32 = 20;

/// The costs of one sector, with a summary for the kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CostTile {
    costs: [u8; SECTOR_CELLS],
    kind: TileKind,
    walls: TileWalls,
}

/// What a tile's cells have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TileKind {
    /// The cost of all open cells if it is the same, [`SEVERAL`] if not, and 0 without
    /// open cells.
    unit: u8,
    /// Whether there is one cost, and no wall.
    clear: bool,
}

/// Stands for several costs in a tile: the cost of no open cell.
const SEVERAL: u8 = WALL;

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
    const OPEN: Self = Self::lines(0);
    pub(crate) const ALL: Self = Self::lines(LINE);

    const fn lines(line: u16) -> Self {
        Self {
            rows: [line; SIDE],
            west: line,
            east: line,
        }
    }

    fn of(costs: &[u8; SECTOR_CELLS]) -> Self {
        let mut walls = Self::OPEN;
        for (y, costs) in costs.chunks_exact(SIDE).enumerate() {
            let [first @ .., a, b] = costs else {
                continue;
            };
            let row = first.first_chunk().map_or(0, |first| eight_walls(*first))
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
    pub(super) const OPEN: Self = Self {
        costs: [1; SECTOR_CELLS],
        kind: TileKind {
            unit: 1,
            clear: true,
        },
        walls: TileWalls::OPEN,
    };

    pub(crate) const CLOSED: Self = Self {
        costs: [WALL; SECTOR_CELLS],
        kind: TileKind {
            unit: 0,
            clear: false,
        },
        walls: TileWalls::ALL,
    };

    pub(crate) fn new(costs: [u8; SECTOR_CELLS]) -> Self {
        let mut tile = Self {
            costs,
            ..Self::OPEN
        };
        tile.summarise();
        tile
    }

    /// Returns the tile with each cost replaced by that in a table, in which walls are
    /// walls and all other costs are none.
    pub(super) fn translated(&self, table: &[u8; 256]) -> Self {
        if let Some(unit) = self.unit() {
            let unit = table[usize::from(unit.value())];
            let kind = TileKind { unit, ..self.kind };
            return Self {
                costs: self
                    .costs
                    .map(|cost| if cost == WALL { WALL } else { unit }),
                kind,
                walls: self.walls,
            };
        }
        let costs = self.costs.map(|cost| table[usize::from(cost)]);
        if costs == self.costs {
            self.clone()
        } else {
            Self::new(costs)
        }
    }

    pub(super) fn write(&mut self, slot: Slot, cost: Cost) {
        self.costs[slot.index()] = cost.value();
    }

    /// Computes the summary again after writes.
    pub(super) fn summarise(&mut self) {
        // `next` is cost + 1, so a wall wraps to 0, the lowest. The loops
        // take two rows at a time, which the compiler turns into vector
        // instructions.
        let mut next = [0_u8; 2 * SIDE];
        let (pairs, _) = self.costs.as_chunks::<{ 2 * SIDE }>();
        for costs in pairs {
            for (next, cost) in next.iter_mut().zip(costs) {
                *next = cost.wrapping_add(1).max(*next);
            }
        }
        let highest = next.into_iter().max().unwrap_or(0).saturating_sub(1);
        let mut others = [false; 2 * SIDE];
        for costs in pairs {
            for (other, &cost) in others.iter_mut().zip(costs) {
                *other |= (cost != highest) & (cost != WALL);
            }
        }
        let unit = if others == [false; 2 * SIDE] {
            highest
        } else {
            SEVERAL
        };
        self.walls = TileWalls::of(&self.costs);
        self.kind = TileKind {
            unit,
            clear: unit != SEVERAL && self.walls == TileWalls::OPEN,
        };
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

    /// Returns the cost of all open cells, if it is the same.
    pub(crate) const fn unit(&self) -> Option<Cost> {
        match self.kind.unit {
            0 | SEVERAL => None,
            unit => Some(Cost::stored(unit)),
        }
    }

    /// Whether all open cells of this tile and another cost the same.
    pub(crate) const fn has_unit_of(&self, other: &Self) -> bool {
        self.kind.unit == other.kind.unit && self.kind.unit != SEVERAL
    }

    /// Whether both tiles have the same cost, if they have one, and both or neither has
    /// walls.
    #[inline]
    pub(crate) fn is_of_kind(&self, other: &Self) -> bool {
        self.kind == other.kind
    }

    /// Returns the cost of all cells, if it is the same.
    pub(crate) const fn even(&self) -> Option<Cost> {
        match self.kind.unit {
            0 => Some(Cost::WALL),
            unit if self.kind.clear => Some(Cost::stored(unit)),
            _ => None,
        }
    }

    /// Whether the tile has no walls, and one cost.
    pub(crate) const fn is_clear(&self) -> bool {
        self.kind.clear
    }

    /// Whether the cheapest path through the tile is hard to foresee, since costs change by
    /// leaps at many places. A leap is between two cells side by side of which one costs
    /// more than 1.5 times the other, and 0.5 more. Walls do not count.
    pub(crate) fn is_rough(&self) -> bool {
        if self.kind.unit != SEVERAL {
            return false;
        }
        let leaps = self.leaps();
        leaps >= ROUGH && (leaps >= ROUGH_OF_TWO || !self.has_two_costs())
    }

    /// Counts the pairs of cells side by side with a leap of cost between them.
    // The loops are over bytes and without branches, so the compiler turns them into
    // vector instructions. There are 180 pairs, so a byte holds their number.
    fn leaps(&self) -> u8 {
        /// Whether a cell has a neighbour to the east.
        const LEADS_EAST: [u8; SECTOR_CELLS] = {
            let mut leads = [1; SECTOR_CELLS];
            let mut y = 0;
            while y < SIDE {
                leads[y * SIDE + SIDE - 1] = 0;
                y += 1;
            }
            leads
        };
        // The same as 2 · high > 3 · low + 1.
        let leap = |a: u8, b: u8| {
            let (low, high) = (a.min(b), a.max(b));
            u8::from((high != WALL) & (high - low > low.wrapping_add(1) >> 1))
        };
        let costs = &self.costs;
        let mut count = 0;
        for at in 0..SECTOR_CELLS - 1 {
            count += leap(costs[at], costs[at + 1]) & LEADS_EAST[at];
        }
        for at in 0..SECTOR_CELLS - SIDE {
            count += leap(costs[at], costs[at + SIDE]);
        }
        count
    }

    /// Whether the open cells have just two costs, one at most [`ROUGH_RATIO`] times the other.
    fn has_two_costs(&self) -> bool {
        // A wall, raised by one, wraps to 0.
        let low = self.lowest().value();
        let raised = self.costs.mapped(|cost| cost.wrapping_add(1));
        let high = raised.into_iter().fold(1, u8::max) - 1;
        let others = self
            .costs
            .mapped(|cost| (cost != low) & (cost != high) & (cost != WALL));
        others == [false; SECTOR_CELLS] && u32::from(high) <= ROUGH_RATIO * u32::from(low)
    }

    /// Returns the lowest cost of its cells: that of walls if there are no others.
    pub(crate) fn lowest(&self) -> Cost {
        self.unit().unwrap_or_else(|| {
            let lowest = self.costs.iter().fold(WALL, |low, &cost| low.min(cost));
            Cost::stored(lowest)
        })
    }

    pub(crate) const fn is_closed(&self) -> bool {
        self.kind.unit == 0
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
                match turn % 8 {
                    0 => cost.max(1),
                    4 => WALL,
                    5 => [7, WALL][usize::from(cost & 1)],
                    6 => [7, 8][usize::from(cost == 0)],
                    7 => (turn >> 3) as u8 + 1,
                    1 => [1, WALL][usize::from(cost & 1)],
                    2 => [254, 127, 128, WALL][usize::from(cost & 3)],
                    _ => [1, WALL][usize::from(cost > 250)],
                }
            });
            let tile = CostTile::new(costs);
            for table in [|cost: u8| cost, |cost| cost / 2 + 1, |_| 9] {
                let table: [u8; 256] = std::array::from_fn(|cost| match cost as u8 {
                    WALL => WALL,
                    cost => table(cost),
                });
                let of_costs = CostTile::new(costs.map(|cost| table[usize::from(cost)]));
                assert_eq!(tile.translated(&table), of_costs);
            }
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
            let mut open = costs.iter().copied().filter(|&cost| cost != WALL);
            let unit = open.next().filter(|&first| open.all(|cost| cost == first));
            assert_eq!(tile.unit().map(Cost::value), unit);
            assert_eq!(tile.is_closed(), costs == [WALL; SECTOR_CELLS]);
            assert_eq!(
                tile.is_clear(),
                costs == [costs[0]; SECTOR_CELLS] && costs[0] != WALL
            );
            let even = costs == [costs[0]; SECTOR_CELLS];
            assert_eq!(tile.even().map(Cost::value), even.then_some(costs[0]));
        }
    }

    #[test]
    fn roads_are_not_rough_and_costs_at_random_are() {
        let tile = |cost: &dyn Fn(usize, usize) -> u8| {
            CostTile::new(std::array::from_fn(|slot| cost(slot % SIDE, slot / SIDE)))
        };
        let mut draw = crate::draws::draws(8);
        let drawn: [u8; SECTOR_CELLS] = std::array::from_fn(|_| 1 + 3 * draw(2) as u8);
        let crossing = |x: usize, y: usize| x / 2 == 2 || y / 2 == 1;
        let diagonal = |x: usize, y: usize| (x + y) / 2 == 4;
        for ground in [2, 4, 20] {
            for road in [&crossing as &dyn Fn(usize, usize) -> bool, &diagonal] {
                assert!(!tile(&|x, y| if road(x, y) { 1 } else { ground }).is_rough());
                let several = tile(&|x, y| match (x, road(x, y)) {
                    (9, _) => ground + 1,
                    (_, true) => 1,
                    _ => ground,
                });
                assert_eq!(several.is_rough(), ground > 2, "{several:?}");
            }
        }
        assert!(tile(&|x, y| if crossing(x, y) { 1 } else { 21 }).is_rough());
        assert!(tile(&|x, y| drawn[y * SIDE + x]).is_rough());
        assert!(!tile(&|x, _| 10 + x as u8).is_rough());
        assert!(!tile(&|x, _| if x == 0 { 9 } else { WALL }).is_rough());
    }

    #[test]
    fn leaps_are_counted_as_the_rule_says() {
        let mut draw = crate::draws::draws(9);
        for _ in 0..300 {
            let highest = [3, 20, 255][draw(3) as usize];
            let costs: [u8; SECTOR_CELLS] = std::array::from_fn(|_| match draw(6) {
                0 => WALL,
                _ => 1 + draw(highest) as u8,
            });
            let leap = |a: usize, b: usize| {
                let (low, high) = (costs[a].min(costs[b]), costs[a].max(costs[b]));
                high != WALL && 2 * u32::from(high) > 3 * u32::from(low) + 1
            };
            let across = (0..SECTOR_CELLS).filter(|at| at % SIDE != SIDE - 1 && leap(*at, at + 1));
            let down = (0..SECTOR_CELLS - SIDE).filter(|&at| leap(at, at + SIDE));
            let count = across.count() + down.count();
            assert_eq!(usize::from(CostTile::new(costs).leaps()), count);
        }
    }
}
