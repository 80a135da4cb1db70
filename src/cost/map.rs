//! The cost map: the cost of every cell.

use std::fmt;

#[cfg(feature = "steer")]
use super::Edition;
use super::sectors_digest::SectorsDigest;
use super::tiles::{CostTiles, TileRef};
use super::{Cost, CostTile, OffMap, SectorChange};
use crate::bytes::Digest;
use crate::grid::{Cell, CellRect, Extent, SECTOR_SIDE, SectorId, Slot};

/// The costs of a whole map.
///
/// Built from rows of bytes, sector by sector, over a source that stores them
/// elsewhere, or all open and then filled. It takes one word per sector, and
/// 126 more bytes for each sector of differing costs that is not in a source.
///
/// ```
/// use flowtiles::{Cell, CellRect, Cost, CostMap};
///
/// let mut map = CostMap::open(300, 200)?;
/// map.edit(CellRect::new(100, 0, 1, 150), Cost::WALL)?;
/// assert_eq!(map.get(Cell::new(100, 3)), Some(Cost::WALL));
/// assert_eq!(map.get(Cell::new(100, 200)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CostMap {
    pub(super) tiles: CostTiles,
    /// By cost: the number of cells of the map that have it.
    pub(super) counts: Box<[u32; 256]>,
}

impl CostMap {
    /// Returns the number of cells in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.extent().width() as u32
    }

    /// Returns the number of cells in a column.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.extent().height() as u32
    }

    /// Returns the cost of a cell; `None` off the map.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap};
    /// let map = CostMap::from_rows(2, 1, &[1, 255])?;
    /// assert_eq!(map.get(Cell::new(1, 0)), Some(Cost::WALL));
    /// assert_eq!(map.get(Cell::new(2, 0)), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<Cost> {
        if !self.extent().contains(cell) {
            return None;
        }
        let (sector, slot) = self.extent().locate(cell);
        Some(Cost::stored(self.tile(sector).costs()[slot.index()]))
    }

    /// Gives every cell of `area` (a [`Cell`] or a [`CellRect`]) the same cost.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap};
    /// let mut map = CostMap::open(100, 60)?;
    /// map.edit(CellRect::new(50, 0, 2, 60), Cost::WALL)?;
    /// map.edit(Cell::new(10, 10), Cost::new(3)?)?;
    /// assert!(map.edit(Cell::new(100, 0), Cost::WALL).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell of the area is off the map; then nothing is changed.
    pub fn edit(&mut self, area: impl Into<CellRect>, cost: Cost) -> Result<(), OffMap> {
        let area = area.into();
        self.check(area)?;
        if area.is_empty() {
            return Ok(());
        }
        for sector in self.extent().sectors_of(area) {
            self.edit_sector(sector, area, |_, _| cost);
        }
        Ok(())
    }

    /// Returns the rectangle of all its cells.
    #[must_use]
    pub fn area(&self) -> CellRect {
        CellRect::new(0, 0, self.width(), self.height())
    }

    /// Returns an error if a cell of `area` is off the map.
    pub(crate) fn check(&self, area: CellRect) -> Result<(), OffMap> {
        if area.is_empty() || self.extent().contains_rect(area) {
            return Ok(());
        }
        Err(OffMap {
            area,
            width: self.width(),
            height: self.height(),
        })
    }

    /// Edits the cells that `sector` and `area` share: `cost_of` returns the
    /// new cost from the cell and its present cost. Returns what changed, if
    /// anything, and the tile as it was.
    pub(crate) fn edit_sector(
        &mut self,
        sector: SectorId,
        area: CellRect,
        mut cost_of: impl FnMut(Cell, Cost) -> Cost,
    ) -> Option<(SectorChange, CostTile)> {
        let origin = self.extent().origin(sector);
        let side = SECTOR_SIDE as u32;
        let area = area.intersection(CellRect::new(origin.x, origin.y, side, side));
        let mut tile = CostTile::clone(&self.tile(sector));
        let mut change: Option<SectorChange> = None;
        for cell in area.cells() {
            let slot = Slot::at(cell.x - origin.x, cell.y - origin.y);
            let before = tile.costs()[slot.index()];
            let before = Cost::stored(before);
            let after = cost_of(cell, before);
            if before != after {
                self.counts[usize::from(before.value())] -= 1;
                self.counts[usize::from(after.value())] += 1;
                tile.write(slot, after);
                change
                    .get_or_insert(SectorChange::nothing(sector, cell))
                    .add(cell, before, after);
            }
        }
        let change = change?;
        let former = CostTile::clone(&self.tile(sector));
        tile.summarise();
        self.tiles.put(sector, tile);
        self.tiles.edition.change();
        Some((change, former))
    }

    /// Returns all costs, row by row: the inverse of [`CostMap::from_rows`].
    ///
    /// ```
    /// use flowtiles::{CostMap};
    /// let rows = [1, 2, 255, 1, 1, 7];
    /// assert_eq!(CostMap::from_rows(3, 2, &rows)?.to_rows(), rows);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_rows(&self) -> Vec<u8> {
        let (width, height) = (self.extent().width(), self.extent().height());
        let mut rows = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            for x in (0..width).step_by(SECTOR_SIDE as usize) {
                let (sector, slot) = self.extent().locate(Cell::new(x, y));
                let run = (width - x).min(SECTOR_SIDE) as usize;
                rows.extend_from_slice(&self.tile(sector).costs()[slot.index()..][..run]);
            }
        }
        rows
    }

    /// Returns the bytes held: one word per sector, and the stored tiles. The
    /// source is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + size_of::<[u32; 256]>() + self.tiles.bytes()
    }

    /// Returns a digest of the costs in the source under this map; `None`
    /// without a source. A save of a world over a source contains the digest,
    /// and can be loaded only over a source with the same one.
    #[must_use]
    pub fn source_digest(&self) -> Option<u64> {
        self.tiles.origin.as_ref().map(|origin| origin.digest)
    }

    /// Gives the costs another mark, though they are as before.
    pub(crate) fn mark_changed(&mut self) {
        self.tiles.edition.change();
    }

    /// Returns the mark of the costs as they are now.
    #[cfg(feature = "steer")]
    pub(crate) const fn edition(&self) -> &Edition {
        &self.tiles.edition
    }

    pub(crate) const fn extent(&self) -> Extent {
        self.tiles.extent()
    }

    #[inline]
    pub(crate) fn tile(&self, sector: SectorId) -> TileRef<'_> {
        self.tiles.get(sector)
    }

    /// Whether every cell of a sector costs 1.
    #[inline]
    pub(crate) fn is_open_ground(&self, sector: SectorId) -> bool {
        self.tiles.is_open_ground(sector)
    }

    /// Whether a sector has the costs of the source, and is not stored.
    pub(super) fn is_in_source(&self, sector: SectorId) -> bool {
        self.tiles.is_in_source(sector)
    }

    /// Returns the tile of a sector and those of its eight neighbours, in the
    /// order of [`Direction::ALL`](crate::grid::Direction::ALL); all must be on
    /// the map. `room` is an empty buffer for tiles that have to be read.
    #[inline]
    pub(crate) fn nine<'a>(
        &'a self,
        sector: SectorId,
        room: &'a mut Vec<CostTile>,
    ) -> [&'a CostTile; 9] {
        self.tiles.nine(sector, room)
    }

    /// Adds the size and the cost of every cell to a digest.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        let mut sectors = SectorsDigest::begin(self.extent(), digest);
        for sector in self.extent().sectors() {
            sectors.take(&self.tile(sector));
        }
        sectors.end();
    }

    /// Whether a cell is on the map and no wall.
    pub(crate) fn is_open(&self, cell: Cell) -> bool {
        self.get(cell).is_some_and(|cost| !cost.is_wall())
    }

    /// Returns the lowest cost of any open cell; 1 if there is none.
    pub(crate) fn lowest(&self) -> u8 {
        let open = 1..Cost::WALL.value();
        open.into_iter()
            .find(|&cost| self.counts[usize::from(cost)] > 0)
            .unwrap_or(1)
    }
}

impl PartialEq for CostMap {
    fn eq(&self, other: &Self) -> bool {
        let mut sectors = self.extent().sectors();
        self.extent() == other.extent()
            && sectors.all(|sector| *self.tile(sector) == *other.tile(sector))
    }
}

impl Eq for CostMap {}

impl fmt::Debug for CostMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CostMap")
            .field("width", &self.width())
            .field("height", &self.height())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_as_they_went_in() {
        let rows: Vec<u8> = (0..25 * 14u32).map(|i| (i * 7 % 255 + 1) as u8).collect();
        let map = CostMap::from_rows(25, 14, &rows).unwrap();
        assert_eq!(map.to_rows(), rows);
        let mut painted = CostMap::open(25, 14).unwrap();
        for (cell, &cost) in CellRect::new(0, 0, 25, 14).cells().zip(&rows) {
            painted.edit(cell, Cost::new(cost).unwrap()).unwrap();
        }
        assert_eq!(painted, map);
        assert_eq!(painted.counts, map.counts);
    }

    #[test]
    fn a_translated_map_is_that_of_translated_rows() {
        let table: [u8; 256] = std::array::from_fn(|cost| match cost {
            255 => 255,
            cost => (cost % 7 + 1) as u8,
        });
        let rows: Vec<u8> = (0..25 * 14u32).map(|i| (i * i % 255 + 1) as u8).collect();
        let translated = CostMap::from_rows(25, 14, &rows)
            .unwrap()
            .translated(&table);
        let rows = rows.into_iter().map(|cost| table[usize::from(cost)]);
        let expected = CostMap::from_rows(25, 14, &rows.collect::<Vec<_>>()).unwrap();
        assert_eq!(translated, expected);
        assert_eq!(translated.counts, expected.counts);
    }
}
