use std::fmt;

/// Cells along one side of a sector.
pub const SECTOR_SIDE: i32 = 10;

/// Cells of one sector.
pub(crate) const SECTOR_CELLS: usize = (SECTOR_SIDE * SECTOR_SIDE) as usize;

/// A block of 10×10 cells, by its column and row among the sectors.
///
/// The last sector of a row or column may be ragged: what lies outside the map
/// counts as wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sector {
    /// Column of sectors: cell `x` divided by 10.
    pub x: i32,
    /// Row of sectors: cell `y` divided by 10.
    pub y: i32,
}

impl Sector {
    /// The sector in column `x`, row `y` of the sectors.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
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

/// A cell's place inside its sector, 0..100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot(u8);

impl Slot {
    /// The slot in column `x`, row `y` of a sector, both 0..10.
    pub(crate) const fn at(x: i32, y: i32) -> Self {
        debug_assert!(x >= 0 && x < SECTOR_SIDE && y >= 0 && y < SECTOR_SIDE);
        Self((y * SECTOR_SIDE + x) as u8)
    }

    /// The slot with this number, below a hundred.
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

    /// All hundred, row by row.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..SECTOR_CELLS as u8).map(Self)
    }
}
