use super::Cost;
use crate::grid::{SECTOR_CELLS, Slot};

const WALL: u8 = Cost::WALL.value();

/// The costs of one sector, and what a kernel wants to know of them before it
/// starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CostTile {
    costs: [u8; SECTOR_CELLS],
    highest: u8,
    walls: u8,
}

impl CostTile {
    pub(super) const CLEAR: Self = Self {
        costs: [1; SECTOR_CELLS],
        highest: 1,
        walls: 0,
    };

    pub(super) const CLOSED: Self = Self {
        costs: [WALL; SECTOR_CELLS],
        highest: 0,
        walls: SECTOR_CELLS as u8,
    };

    pub(super) fn new(costs: [u8; SECTOR_CELLS]) -> Self {
        let mut tile = Self {
            costs,
            highest: 0,
            walls: 0,
        };
        tile.summarise();
        tile
    }

    pub(super) fn write(&mut self, slot: Slot, cost: Cost) {
        self.costs[slot.index()] = cost.value();
    }

    /// Derives the summary anew after writes.
    pub(super) fn summarise(&mut self) {
        let (mut highest, mut walls) = (0, 0);
        for &cost in &self.costs {
            walls += u8::from(cost == WALL);
            highest = highest.max(if cost == WALL { 0 } else { cost });
        }
        self.highest = highest;
        self.walls = walls;
    }

    /// The hundred costs, by slot.
    pub(crate) const fn costs(&self) -> &[u8; SECTOR_CELLS] {
        &self.costs
    }

    pub(crate) const fn is_wall(&self, slot: Slot) -> bool {
        self.costs[slot.index()] == WALL
    }

    /// Whether every cell costs 1.
    pub(crate) const fn is_clear(&self) -> bool {
        self.walls == 0 && self.highest == 1
    }

    /// Whether every cell is a wall.
    pub(crate) const fn is_closed(&self) -> bool {
        self.highest == 0
    }
}
