//! The size of a map, and the arithmetic between its cells and sectors.

use std::fmt;

use super::{Cell, CellRect, SECTOR_SIDE, Sector, SectorId, Slot};

/// The maximum number of cells along one side of a map.
///
/// All ids and sums in the engine are wide enough for it: 65,535² cells are
/// numbered by `u32`, and a cost-to-go is a `u64`.
pub const MAX_SIDE: u32 = 65_535;

/// The error for an invalid map size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SizeError {
    /// Width or height is zero.
    Empty {
        /// Requested width.
        width: u32,
        /// Requested height.
        height: u32,
    },
    /// Width or height is over [`MAX_SIDE`].
    TooLarge {
        /// Requested width.
        width: u32,
        /// Requested height.
        height: u32,
    },
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty { width, height } => write!(
                f,
                "a map of {width}×{height} cells has no cells: give at least 1×1"
            ),
            Self::TooLarge { width, height } => write!(
                f,
                "a map of {width}×{height} cells is over the limit of {MAX_SIDE} cells a side: \
                 cut it into several maps"
            ),
        }
    }
}

impl std::error::Error for SizeError {}

/// The size of a map, and the arithmetic between its cells and sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    width: i32,
    height: i32,
    columns: i32,
    rows: i32,
}

impl Extent {
    pub(crate) const fn new(width: u32, height: u32) -> Result<Self, SizeError> {
        if width == 0 || height == 0 {
            return Err(SizeError::Empty { width, height });
        }
        if width > MAX_SIDE || height > MAX_SIDE {
            return Err(SizeError::TooLarge { width, height });
        }
        let (width, height) = (width as i32, height as i32);
        Ok(Self {
            width,
            height,
            columns: (width + SECTOR_SIDE - 1) / SECTOR_SIDE,
            rows: (height + SECTOR_SIDE - 1) / SECTOR_SIDE,
        })
    }

    pub(crate) const fn width(self) -> i32 {
        self.width
    }

    pub(crate) const fn height(self) -> i32 {
        self.height
    }

    /// Returns the number of sectors in a row.
    pub(crate) const fn columns(self) -> i32 {
        self.columns
    }

    /// Returns the number of sectors in a column.
    pub(crate) const fn rows(self) -> i32 {
        self.rows
    }

    pub(crate) const fn sector_count(self) -> usize {
        self.columns as usize * self.rows as usize
    }

    pub(crate) const fn contains(self, cell: Cell) -> bool {
        cell.x >= 0 && cell.y >= 0 && cell.x < self.width && cell.y < self.height
    }

    pub(crate) const fn contains_rect(self, rect: CellRect) -> bool {
        rect.x >= 0
            && rect.y >= 0
            && rect.x as i64 + rect.width as i64 <= self.width as i64
            && rect.y as i64 + rect.height as i64 <= self.height as i64
    }

    /// Returns a cell's number, row by row. It breaks ties between cells.
    pub(crate) const fn cell_id(self, cell: Cell) -> u32 {
        debug_assert!(self.contains(cell));
        cell.y as u32 * self.width as u32 + cell.x as u32
    }

    /// Returns the sector and slot of a cell on the map.
    pub(crate) const fn locate(self, cell: Cell) -> (SectorId, Slot) {
        debug_assert!(self.contains(cell));
        let (x, y) = (cell.x as u32, cell.y as u32);
        const SIDE: u32 = SECTOR_SIDE as u32;
        let (sx, sy) = (x / SIDE, y / SIDE);
        (
            SectorId(sy * self.columns as u32 + sx),
            Slot::at((x % SIDE) as i32, (y % SIDE) as i32),
        )
    }

    /// Returns the cell of a sector's slot; it may lie off the map if the
    /// sector is ragged.
    pub(crate) const fn cell_at(self, sector: SectorId, slot: Slot) -> Cell {
        self.sector(sector).cell_at(slot)
    }

    /// Returns the north-west cell of a sector.
    pub(crate) const fn origin(self, sector: SectorId) -> Cell {
        self.sector(sector).origin()
    }

    /// Whether all hundred cells of a sector are on the map.
    pub(crate) const fn is_whole(self, sector: SectorId) -> bool {
        let origin = self.origin(sector);
        origin.x + SECTOR_SIDE <= self.width && origin.y + SECTOR_SIDE <= self.height
    }

    /// Returns the cells of a sector that are on the map.
    pub(crate) fn area_of(self, sector: SectorId) -> CellRect {
        let origin = self.origin(sector);
        let side = SECTOR_SIDE as u32;
        let map = CellRect::new(0, 0, self.width as u32, self.height as u32);
        CellRect::new(origin.x, origin.y, side, side).intersection(map)
    }

    /// Returns the cell of a sector that is nearest to `to`, a cell on the map.
    pub(crate) fn nearest_in(self, sector: SectorId, to: Cell) -> Cell {
        let area = self.area_of(sector);
        let (right, bottom) = (area.x + area.width as i32, area.y + area.height as i32);
        Cell::new(
            to.x.clamp(area.x, right - 1),
            to.y.clamp(area.y, bottom - 1),
        )
    }

    pub(crate) const fn sector(self, id: SectorId) -> Sector {
        let columns = self.columns as u32;
        Sector::new((id.0 % columns) as i32, (id.0 / columns) as i32)
    }

    pub(crate) const fn sector_id(self, sector: Sector) -> Option<SectorId> {
        if sector.x < 0 || sector.y < 0 || sector.x >= self.columns || sector.y >= self.rows {
            return None;
        }
        Some(SectorId(
            sector.y as u32 * self.columns as u32 + sector.x as u32,
        ))
    }

    /// Returns all sectors, in id order.
    pub(crate) fn sectors(self) -> impl Iterator<Item = SectorId> {
        (0..self.sector_count() as u32).map(SectorId)
    }

    /// Returns the sectors that share a cell with `rect`, row by row. `rect`
    /// lies on the map and is not empty.
    pub(crate) fn sectors_of(self, rect: CellRect) -> impl Iterator<Item = SectorId> {
        debug_assert!(!rect.is_empty() && self.contains_rect(rect));
        let first = Sector::new(rect.x / SECTOR_SIDE, rect.y / SECTOR_SIDE);
        let last = Sector::new(
            (rect.x + rect.width as i32 - 1) / SECTOR_SIDE,
            (rect.y + rect.height as i32 - 1) / SECTOR_SIDE,
        );
        (first.y..=last.y).flat_map(move |y| {
            (first.x..=last.x).map(move |x| SectorId(y as u32 * self.columns as u32 + x as u32))
        })
    }

    /// Returns the [sectors of](Self::sectors_of) `rect`, each with the cells that it shares
    /// with it.
    pub(crate) fn parts_of(self, rect: CellRect) -> impl Iterator<Item = (SectorId, CellRect)> {
        let sectors = self.sectors_of(rect);
        sectors.map(move |sector| (sector, self.area_of(sector).intersection(rect)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_map_is_numbered_without_overflow() {
        let extent = Extent::new(MAX_SIDE, MAX_SIDE).unwrap();
        let last = Cell::new(extent.width() - 1, extent.height() - 1);
        assert_eq!(extent.cell_id(last), MAX_SIDE * MAX_SIDE - 1);
        let (sector, slot) = extent.locate(last);
        assert_eq!(sector.index(), extent.sector_count() - 1);
        assert_eq!(extent.cell_at(sector, slot), last);
        assert_eq!((slot.x(), slot.y()), (4, 4), "the last sector is ragged");
    }

    #[test]
    fn every_cell_of_a_ragged_map_is_found_again() {
        let extent = Extent::new(21, 13).unwrap();
        assert_eq!((extent.columns(), extent.rows()), (3, 2));
        for cell in CellRect::new(0, 0, 21, 13).cells() {
            let (sector, slot) = extent.locate(cell);
            assert_eq!(extent.cell_at(sector, slot), cell);
            assert_eq!(extent.sector_id(extent.sector(sector)), Some(sector));
        }
    }

    #[test]
    fn a_rectangle_touches_just_its_sectors() {
        let extent = Extent::new(40, 40).unwrap();
        let touched: Vec<_> = extent.sectors_of(CellRect::new(9, 10, 2, 10)).collect();
        assert_eq!(touched, [SectorId(4), SectorId(5)]);
        assert!(!extent.contains_rect(CellRect::new(39, 0, 2, 1)));
        assert!(!extent.contains_rect(CellRect::new(0, 0, u32::MAX, 1)));
    }
}
