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
            let mut row = 0;
            for (x, &cost) in costs.iter().enumerate() {
                row |= u16::from(cost == WALL) << x;
            }
            walls.rows[y] = row;
            walls.west |= (row & 1) << y;
            walls.east |= (row >> (SIDE - 1)) << y;
        }
        walls
    }
}

impl CostTile {
    pub(super) const CLEAR: Self = Self {
        costs: [1; SECTOR_CELLS],
        highest: 1,
        clear: true,
        walls: TileWalls::NONE,
    };

    pub(super) const CLOSED: Self = Self {
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
        let open = self.costs.iter().filter(|&&cost| cost != WALL);
        self.highest = open.copied().max().unwrap_or(0);
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
