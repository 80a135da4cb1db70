//! Constructors of cost maps: from rows, by sectors, over a source.

use std::sync::Arc;

use super::sectors_digest::SectorsDigest;
use super::tiles::{CostOrigin, CostTiles};
use super::{Cost, CostMap, CostMapError, CostSource, CostTile, SectorCosts};
use crate::bytes::Digest;
use crate::grid::{Cell, Extent, SECTOR_CELLS, SECTOR_SIDE, Sector, SectorId, SizeError, Slot};

impl CostMap {
    /// Makes a map of open ground.
    ///
    /// ```
    /// use flowtiles::{CostMap};
    /// let map = CostMap::open(100, 60)?;
    /// assert_eq!((map.width(), map.height()), (100, 60));
    /// assert!(CostMap::open(0, 60).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// For a size of zero or over [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn open(width: u32, height: u32) -> Result<Self, SizeError> {
        let mut map = Self::all_open(Extent::new(width, height)?);
        map.counts[usize::from(Cost::OPEN.value())] = width * height;
        Ok(map)
    }

    /// Makes a map from one byte per cell, row by row: 1 open, 2..=254 harder,
    /// 255 wall.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap};
    /// let map = CostMap::from_rows(3, 2, &[1, 1, 255, 1, 4, 1])?;
    /// assert_eq!(map.get(Cell::new(1, 1)), Some(Cost::new(4)?));
    /// assert!(CostMap::from_rows(3, 2, &[1, 1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// For a size of zero or over [`MAX_SIDE`](crate::MAX_SIDE), for a number
    /// of bytes other than `width` × `height`, and for a cost of 0; this error
    /// names the first such cell.
    pub fn from_rows(width: u32, height: u32, rows: &[u8]) -> Result<Self, CostMapError> {
        let extent = Extent::new(width, height).map_err(CostMapError::Size)?;
        let expected = u64::from(width) * u64::from(height);
        if rows.len() as u64 != expected {
            return Err(CostMapError::Length {
                expected,
                found: rows.len() as u64,
            });
        }
        let mut counts = Box::new([0; 256]);
        for &cost in rows {
            counts[usize::from(cost)] += 1;
        }
        if counts[0] > 0 {
            let at = rows.iter().position(|&cost| cost == 0).unwrap_or_default();
            let (x, y) = (at % width as usize, at / width as usize);
            return Err(CostMapError::Zero {
                cell: Cell::new(x as i32, y as i32),
            });
        }
        let mut tiles = CostTiles::open(extent);
        for sector in extent.sectors() {
            tiles.put(sector, cut_tile(extent, sector, rows));
        }
        tiles.shrink_to_fit();
        Ok(Self { tiles, counts })
    }

    /// Makes a map sector by sector, row by row, without all its cells in
    /// memory at once. Of the costs that `costs` returns, only sectors of
    /// differing costs are stored.
    ///
    /// ```
    /// use flowtiles::build::SectorCosts;
    /// use flowtiles::{Cell, Cost, CostMap};
    ///
    /// // Marsh in the west, open ground in the east.
    /// let marsh = SectorCosts::Even(Cost::new(4)?);
    /// let costs = |sector: flowtiles::Sector| if sector.x < 300 { marsh } else { SectorCosts::OPEN };
    /// let map = CostMap::from_sectors(6000, 6000, costs)?;
    /// assert!(map.bytes() < 2_000_000, "for 36,000,000 cells");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// For a size of zero or over [`MAX_SIDE`](crate::MAX_SIDE), and for a cost
    /// of 0; this error names the cell.
    pub fn from_sectors(
        width: u32,
        height: u32,
        mut costs: impl FnMut(Sector) -> SectorCosts,
    ) -> Result<Self, CostMapError> {
        let extent = Extent::new(width, height).map_err(CostMapError::Size)?;
        let mut map = Self::all_open(extent);
        for sector in extent.sectors() {
            let tile = map.counted_tile(sector, costs(extent.sector(sector)))?;
            map.tiles.put(sector, tile);
        }
        map.tiles.shrink_to_fit();
        Ok(map)
    }

    /// Makes a map over a source. Its sectors are read when needed and not
    /// stored; sectors that are edited are copied first.
    ///
    /// Reads every sector once, to check that all values are costs. If the
    /// source returns other costs later, reading them panics: see
    /// [`CostSource`].
    ///
    /// # Errors
    /// For a size of zero or over [`MAX_SIDE`](crate::MAX_SIDE), and for a cost
    /// of 0; this error names the cell.
    pub fn from_source(source: impl CostSource + 'static) -> Result<Self, CostMapError> {
        let (width, height) = source.size();
        let extent = Extent::new(width, height).map_err(CostMapError::Size)?;
        let mut map = Self::all_open(extent);
        let mut digest = Digest::new();
        let mut sectors = SectorsDigest::begin(extent, &mut digest);
        for sector in extent.sectors() {
            let tile = map.counted_tile(sector, source.sector(extent.sector(sector)))?;
            sectors.take(&tile);
            map.tiles.leave(sector, tile);
        }
        sectors.end();
        map.tiles.origin = Some(CostOrigin {
            source: Arc::new(source),
            digest: digest.finish(),
        });
        Ok(map)
    }

    /// Makes a map of open ground whose cells are not counted yet.
    fn all_open(extent: Extent) -> Self {
        let mut tiles = CostTiles::open(extent);
        for sector in extent.sectors().filter(|&sector| !extent.is_whole(sector)) {
            let Ok(tile) = SectorCosts::OPEN.tile(extent, sector) else {
                continue;
            };
            tiles.put(sector, tile);
        }
        Self {
            tiles,
            counts: Box::new([0; 256]),
        }
    }

    /// Makes the tile of these costs of a sector, and counts its cells.
    fn counted_tile(
        &mut self,
        sector: SectorId,
        costs: SectorCosts,
    ) -> Result<CostTile, CostMapError> {
        let extent = self.extent();
        let tile = costs.tile(extent, sector).map_err(|slot| {
            let cell = extent.cell_at(sector, slot);
            CostMapError::Zero { cell }
        })?;
        self.count(sector, &tile);
        Ok(tile)
    }

    /// Counts the cells of a sector that lie on the map.
    fn count(&mut self, sector: SectorId, tile: &CostTile) {
        let extent = self.extent();
        if extent.is_whole(sector) {
            if let Some(unit) = tile.unit().or_else(|| tile.even()) {
                // PERF: a counter raised cell by cell waits for itself.
                let walls: u32 = tile.walls().rows.iter().map(|row| row.count_ones()).sum();
                self.counts[usize::from(unit.value())] += SECTOR_CELLS as u32 - walls;
                self.counts[usize::from(Cost::WALL.value())] += walls;
                return;
            }
            for &cost in tile.costs() {
                self.counts[usize::from(cost)] += 1;
            }
            return;
        }
        for cell in extent.area_of(sector).cells() {
            let cost = tile.costs()[extent.locate(cell).1.index()];
            self.counts[usize::from(cost)] += 1;
        }
    }

    /// Returns the map with each cost replaced by that in a table, in which walls are walls
    /// and all other costs are none.
    pub(super) fn translated(&self, table: &[u8; 256]) -> Self {
        let mut costs = self.counts.iter().zip(0..=u8::MAX).zip(table);
        if costs.all(|((&count, cost), &other)| count == 0 || cost == other) {
            return self.clone();
        }
        let mut map = Self::all_open(self.extent());
        for sector in self.extent().sectors() {
            map.tiles.put(sector, self.tile(sector).translated(table));
        }
        map.tiles.shrink_to_fit();
        for (&cost, &count) in table.iter().zip(self.counts.iter()) {
            map.counts[usize::from(cost)] += count;
        }
        map
    }

    /// Makes a map of these costs of each sector, which are wall off the map.
    pub(super) fn from_tiles(
        extent: Extent,
        costs: impl Fn(SectorId) -> [u8; SECTOR_CELLS],
    ) -> Self {
        let mut map = Self::all_open(extent);
        for sector in extent.sectors() {
            let tile = CostTile::new(costs(sector));
            map.count(sector, &tile);
            map.tiles.put(sector, tile);
        }
        map.tiles.shrink_to_fit();
        map
    }
}

/// Cuts one sector out of the rows; cells off the map become wall.
fn cut_tile(extent: Extent, sector: SectorId, rows: &[u8]) -> CostTile {
    let origin = extent.origin(sector);
    let run = (extent.width() - origin.x).min(SECTOR_SIDE) as usize;
    let lines = (extent.height() - origin.y).min(SECTOR_SIDE);
    let mut costs = [Cost::WALL.value(); SECTOR_CELLS];
    for y in 0..lines {
        let from = (origin.y + y) as usize * extent.width() as usize + origin.x as usize;
        let to = Slot::at(0, y).index();
        costs[to..to + run].copy_from_slice(&rows[from..from + run]);
    }
    CostTile::new(costs)
}
