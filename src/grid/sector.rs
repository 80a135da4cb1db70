//! Sectors, their ids, and the slots of cells inside them.

use std::fmt;

use super::Cell;

/// Cells along one side of a sector.
pub const SECTOR_SIDE: i32 = 10;

pub(crate) const SECTOR_CELLS: usize = (SECTOR_SIDE * SECTOR_SIDE) as usize;

/// A block of 10×10 cells, by its column and row among the sectors.
///
/// The last sector of a row or column may be ragged: what lies outside the map
/// counts as wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sector {
    /// Column of sectors: cell `x` divided by 10.
    pub x: i32,
    /// Row of sectors: cell `y` divided by 10.
    pub y: i32,
}

impl Sector {
    /// Returns the sector in column `x`, row `y` of the sectors.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns the sector's north-west cell.
    pub(crate) const fn origin(self) -> Cell {
        Cell::new(self.x * SECTOR_SIDE, self.y * SECTOR_SIDE)
    }

    pub(crate) const fn cell_at(self, slot: Slot) -> Cell {
        let origin = self.origin();
        Cell::new(origin.x + slot.x(), origin.y + slot.y())
    }
}

/// The smallest rectangle of sectors around some sectors, which are added one
/// by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectorBounds {
    low: Sector,
    high: Sector,
}

impl Default for SectorBounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl SectorBounds {
    pub(crate) const EMPTY: Self = Self {
        low: Sector::new(i32::MAX, i32::MAX),
        high: Sector::new(i32::MIN, i32::MIN),
    };

    pub(crate) fn take_in(&mut self, sector: Sector) {
        self.low = Sector::new(self.low.x.min(sector.x), self.low.y.min(sector.y));
        self.high = Sector::new(self.high.x.max(sector.x), self.high.y.max(sector.y));
    }

    /// Whether a sector lies in the rectangle or touches it.
    #[inline]
    pub(crate) const fn is_near(&self, sector: Sector) -> bool {
        sector.x >= self.low.x.saturating_sub(1)
            && sector.x <= self.high.x.saturating_add(1)
            && sector.y >= self.low.y.saturating_sub(1)
            && sector.y <= self.high.y.saturating_add(1)
    }
}

impl fmt::Display for Sector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.x, self.y)
    }
}

/// A sector of one map as a dense number, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SectorId(pub(crate) u32);

impl SectorId {
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a cell inside its sector, 0..100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot(u8);

impl Slot {
    /// Returns the slot in column `x`, row `y` of a sector, both 0..10.
    pub(crate) const fn at(x: i32, y: i32) -> Self {
        debug_assert!(x >= 0 && x < SECTOR_SIDE && y >= 0 && y < SECTOR_SIDE);
        Self((y * SECTOR_SIDE + x) as u8)
    }

    /// Returns the slot with this index, below 100.
    pub(crate) const fn of(index: usize) -> Self {
        debug_assert!(index < SECTOR_CELLS);
        Self(index as u8)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn x(self) -> i32 {
        self.0 as i32 % SECTOR_SIDE
    }

    pub(crate) const fn y(self) -> i32 {
        self.0 as i32 / SECTOR_SIDE
    }

    /// Returns all hundred slots, row by row.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..SECTOR_CELLS as u8).map(Self)
    }
}
