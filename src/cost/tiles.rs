//! The tiles of all sectors: shared, owned, or in the source.
//!
//! ```text
//!   entries  │ 0 │ 0 │ 1 │ 5 │ source, digest │ 0 │    a word per sector
//!              ▼       ▼   ▼          └──► read when needed
//!   pool     │open │closed│ … │ own │                 126 bytes per tile
//! ```

use crate::arrays::Mapped;
use std::ops::Deref;
use std::sync::Arc;

use super::edition::Edition;
use super::{Cost, CostSource, CostTile};
use crate::bytes::Digest;
use crate::grid::{Direction, Extent, SectorId};

/// The first two tiles of the pool: open ground, and walls.
const OPEN: u32 = 0;
const CLOSED: u32 = 1;
const NO_TILE: u32 = u32::MAX;
/// Marks a tile that is in the source; the bits below are those of its digest.
const IN_SOURCE: u32 = 1 << 30;
const DIGEST: u32 = IN_SOURCE - 1;

/// A sector's tile: stored, or just read from the source.
#[derive(Debug)]
pub(crate) enum TileRef<'a> {
    Kept(&'a CostTile),
    Read(Box<CostTile>),
}

impl Deref for TileRef<'_> {
    type Target = CostTile;

    #[inline]
    fn deref(&self) -> &CostTile {
        match self {
            Self::Kept(tile) => tile,
            Self::Read(tile) => tile,
        }
    }
}

/// The source of costs that are not stored.
#[derive(Clone)]
pub(super) struct CostOrigin {
    pub(super) source: Arc<dyn CostSource>,
    /// The digest of the map with the costs of the source.
    pub(super) digest: u64,
}

#[derive(Clone)]
pub(super) struct CostTiles {
    extent: Extent,
    /// By sector: the index of its tile in the pool, or its digest if it is in
    /// the source.
    entries: Vec<u32>,
    /// The stored tiles. Tiles of a single cost are shared, and are never
    /// removed.
    pool: Vec<CostTile>,
    /// By cost: the shared tile of that cost, if there is one.
    even: Box<[u32; 256]>,
    vacant: Vec<u32>,
    pub(super) origin: Option<CostOrigin>,
    pub(super) edition: Edition,
}

impl CostTiles {
    pub(super) fn open(extent: Extent) -> Self {
        let mut even = Box::new([NO_TILE; 256]);
        even[usize::from(Cost::OPEN.value())] = OPEN;
        even[usize::from(Cost::WALL.value())] = CLOSED;
        Self {
            extent,
            entries: vec![OPEN; extent.sector_count()],
            pool: vec![CostTile::OPEN, CostTile::CLOSED],
            even,
            vacant: Vec::new(),
            origin: None,
            edition: Edition::default(),
        }
    }

    pub(super) const fn extent(&self) -> Extent {
        self.extent
    }

    #[inline]
    pub(super) fn get(&self, sector: SectorId) -> TileRef<'_> {
        match self.pool.get(self.entries[sector.index()] as usize) {
            Some(tile) => TileRef::Kept(tile),
            None => TileRef::Read(Box::new(self.read(sector))),
        }
    }

    /// Whether every cell of a sector costs 1.
    #[inline]
    pub(super) fn is_open_ground(&self, sector: SectorId) -> bool {
        self.entries[sector.index()] == OPEN
    }

    #[inline]
    pub(super) fn is_in_source(&self, sector: SectorId) -> bool {
        self.entries[sector.index()] & IN_SOURCE != 0
    }

    /// Returns the tiles of a sector and its eight neighbours, in the order of
    /// [`Direction::ALL`](crate::grid::Direction::ALL); all must be on the map.
    /// `room` is a buffer for tiles that have to be read.
    #[inline]
    pub(super) fn nine<'a>(
        &'a self,
        sector: SectorId,
        room: &'a mut Vec<CostTile>,
    ) -> [&'a CostTile; 9] {
        if self.origin.is_some() {
            return self.read_nine(sector, room);
        }
        self.nine_entries(sector)
            .mapped(|entry| &self.pool[entry as usize])
    }

    #[inline]
    fn nine_entries(&self, sector: SectorId) -> [u32; 9] {
        let (at, columns) = (sector.index(), self.extent.columns() as usize);
        let row = |middle: usize| {
            let entries = &self.entries[middle - 1..middle + 2];
            [entries[0], entries[1], entries[2]]
        };
        let [nw, n, ne] = row(at - columns);
        let [w, own, e] = row(at);
        let [sw, s, se] = row(at + columns);
        [own, n, e, s, w, ne, se, sw, nw]
    }

    /// Returns the nine tiles, of which at least one has to be read.
    #[inline(never)]
    fn read_nine<'a>(&'a self, sector: SectorId, room: &'a mut Vec<CostTile>) -> [&'a CostTile; 9] {
        let columns = self.extent.columns();
        let beside = Direction::ALL.map(|direction| {
            let (dx, dy) = direction.offset();
            sector.0.wrapping_add_signed(dy * columns + dx)
        });
        for near in std::iter::once(sector.0).chain(beside) {
            if self.is_in_source(SectorId(near)) {
                room.push(self.read(SectorId(near)));
            }
        }
        let mut read = room.iter();
        self.nine_entries(sector)
            .map(|entry| match self.pool.get(entry as usize) {
                Some(tile) => tile,
                None => read.next().unwrap_or(&CostTile::CLOSED),
            })
    }

    /// Reads a tile from the source.
    ///
    /// # Panics
    /// If the source returns other costs than at first.
    #[cold]
    fn read(&self, sector: SectorId) -> CostTile {
        let tile = self.source_tile(sector);
        tile.filter(|tile| source_entry(tile) == self.entries[sector.index()])
            .unwrap_or_else(|| {
                panic!(
                    "the source returned other costs for sector {} than at first: \
                 the costs of a `CostSource` must not change",
                    self.extent.sector(sector)
                )
            })
    }

    /// Returns the source's costs of a sector; `None` without a source, or if a
    /// cell costs 0.
    pub(super) fn source_tile(&self, sector: SectorId) -> Option<CostTile> {
        let origin = self.origin.as_ref()?;
        let costs = origin.source.sector(self.extent.sector(sector));
        costs.tile(self.extent, sector).ok()
    }

    /// Sets a sector's tile. Shares it if possible, and stores nothing if the
    /// tile is as in the source.
    pub(super) fn put(&mut self, sector: SectorId, tile: CostTile) {
        let before = self.entries[sector.index()];
        if before > CLOSED
            && let Some(tile) = self.pool.get(before as usize)
            && tile.even().is_none()
        {
            self.vacant.push(before);
        }
        self.entries[sector.index()] = if let Some(cost) = tile.even() {
            self.share(cost, tile)
        } else if self.source_tile(sector).is_some_and(|other| other == tile) {
            source_entry(&tile)
        } else {
            self.own(tile)
        };
    }

    /// Frees unused memory, once a map is made.
    pub(super) fn shrink_to_fit(&mut self) {
        self.pool.shrink_to_fit();
        self.vacant.shrink_to_fit();
    }

    /// Records that a sector's tile, `tile`, is in the source.
    pub(super) fn leave(&mut self, sector: SectorId, tile: CostTile) {
        self.entries[sector.index()] = match tile.even() {
            Some(cost) => self.share(cost, tile),
            None => source_entry(&tile),
        };
    }

    fn share(&mut self, cost: Cost, tile: CostTile) -> u32 {
        let cost = usize::from(cost.value());
        if self.even[cost] == NO_TILE {
            self.even[cost] = self.pool.len() as u32;
            self.pool.push(tile);
        }
        self.even[cost]
    }

    fn own(&mut self, tile: CostTile) -> u32 {
        if let Some(entry) = self.vacant.pop() {
            self.pool[entry as usize] = tile;
            return entry;
        }
        self.pool.push(tile);
        (self.pool.len() - 1) as u32
    }

    pub(super) fn bytes(&self) -> usize {
        (self.entries.capacity() + self.vacant.capacity() + 256) * size_of::<u32>()
            + self.pool.capacity() * size_of::<CostTile>()
    }
}

fn source_entry(tile: &CostTile) -> u32 {
    let mut digest = Digest::new();
    digest.bytes(tile.costs());
    IN_SOURCE | digest.finish() as u32 & DIGEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{SECTOR_CELLS, Slot};

    fn spotted(cost: u8) -> CostTile {
        let mut costs = [1; SECTOR_CELLS];
        costs[usize::from(cost)] = cost;
        CostTile::new(costs)
    }

    #[test]
    fn even_tiles_are_shared_and_others_given_back() {
        let mut tiles = CostTiles::open(Extent::new(100, 100).unwrap());
        assert_eq!(tiles.pool.len(), 2);
        tiles.put(SectorId(55), spotted(7));
        tiles.put(SectorId(56), spotted(8));
        assert_eq!(tiles.pool.len(), 4);
        tiles.put(SectorId(55), CostTile::OPEN);
        assert_eq!(tiles.vacant, [2]);
        let woods = CostTile::new([3; SECTOR_CELLS]);
        for sector in [1, 2, 56] {
            tiles.put(SectorId(sector), woods.clone());
        }
        assert_eq!(tiles.vacant, [2, 3]);
        assert_eq!(tiles.pool.len(), 5, "the three share one");
        tiles.put(SectorId(2), spotted(9));
        assert_eq!((tiles.vacant.as_slice(), tiles.pool.len()), (&[2][..], 5));
        assert_eq!(*tiles.get(SectorId(1)), woods);
        assert!(tiles.get(SectorId(2)).costs()[9] == 9);
        assert!(!tiles.get(SectorId(2)).is_wall(Slot::of(9)));
    }
}
