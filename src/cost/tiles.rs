//! The tiles of all sectors: shared, of their own, or in the source.
//!
//! ```text
//!   places   │ 0 │ 0 │ 1 │ 5 │ source, digest │ 0 │    a word a sector
//!              ▼       ▼   ▼          └──► read when asked for
//!   pool     │clear│closed│ … │ own │                 126 bytes a tile
//! ```

use std::ops::Deref;
use std::sync::Arc;

use super::{Cost, CostSource, CostTile};
use crate::bytes::Digest;
use crate::grid::{Direction, Extent, SectorId};

/// The pool's first two tiles: open ground, and walls.
const CLEAR: u32 = 0;
const CLOSED: u32 = 1;
const NO_PLACE: u32 = u32::MAX;
/// The bit that says that a tile is in the source; the bits below are those of
/// its digest.
const IN_SOURCE: u32 = 1 << 30;
const DIGEST: u32 = IN_SOURCE - 1;

/// A sector's tile: kept, or just read from the source.
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

/// Costs that are not kept.
#[derive(Clone)]
pub(super) struct CostOrigin {
    pub(super) source: Arc<dyn CostSource>,
    /// The digest of the map as the source tells it.
    pub(super) digest: u64,
}

/// The tiles of a map.
#[derive(Clone)]
pub(super) struct CostTiles {
    extent: Extent,
    /// Where the tile of each sector is.
    places: Vec<u32>,
    /// Tiles. Those with one cost all over are shared, and stay for good.
    pool: Vec<CostTile>,
    /// The shared tile of each cost, if there is one.
    even: Box<[u32; 256]>,
    /// Places of the pool that no sector uses.
    vacant: Vec<u32>,
    pub(super) origin: Option<CostOrigin>,
}

impl CostTiles {
    /// Open ground everywhere.
    pub(super) fn open(extent: Extent) -> Self {
        let mut even = Box::new([NO_PLACE; 256]);
        even[usize::from(Cost::OPEN.value())] = CLEAR;
        even[usize::from(Cost::WALL.value())] = CLOSED;
        Self {
            extent,
            places: vec![CLEAR; extent.sector_count()],
            pool: vec![CostTile::CLEAR, CostTile::CLOSED],
            even,
            vacant: Vec::new(),
            origin: None,
        }
    }

    pub(super) const fn extent(&self) -> Extent {
        self.extent
    }

    /// A sector's tile.
    #[inline]
    pub(super) fn get(&self, sector: SectorId) -> TileRef<'_> {
        match self.pool.get(self.places[sector.index()] as usize) {
            Some(tile) => TileRef::Kept(tile),
            None => TileRef::Read(Box::new(self.read(sector))),
        }
    }

    /// Whether every cell of a sector costs 1.
    #[inline]
    pub(super) fn is_clear(&self, sector: SectorId) -> bool {
        self.places[sector.index()] == CLEAR
    }

    /// Whether a sector's tile is not kept.
    #[inline]
    pub(super) fn is_in_source(&self, sector: SectorId) -> bool {
        self.places[sector.index()] & IN_SOURCE != 0
    }

    /// The tiles of a sector and its eight neighbours, in the order of
    /// [`Direction::ALL`](crate::grid::Direction::ALL); all must be on the map.
    /// `room` is for those that have to be read.
    #[inline]
    pub(super) fn nine<'a>(
        &'a self,
        sector: SectorId,
        room: &'a mut Vec<CostTile>,
    ) -> [&'a CostTile; 9] {
        if self.origin.is_some() {
            return self.read_nine(sector, room);
        }
        self.nine_places(sector)
            .map(|place| &self.pool[place as usize])
    }

    /// The places of a sector and its eight neighbours.
    #[inline]
    fn nine_places(&self, sector: SectorId) -> [u32; 9] {
        let (at, columns) = (sector.index(), self.extent.columns() as usize);
        let row = |middle: usize| {
            let places = &self.places[middle - 1..middle + 2];
            [places[0], places[1], places[2]]
        };
        let [nw, n, ne] = row(at - columns);
        let [w, own, e] = row(at);
        let [sw, s, se] = row(at + columns);
        [own, n, e, s, w, ne, se, sw, nw]
    }

    /// The nine tiles, with those read that are not kept.
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
        self.nine_places(sector)
            .map(|place| match self.pool.get(place as usize) {
                Some(tile) => tile,
                None => read.next().unwrap_or(&CostTile::CLOSED),
            })
    }

    /// Reads a tile that is not kept.
    ///
    /// # Panics
    /// If the source tells something else than at first.
    #[cold]
    fn read(&self, sector: SectorId) -> CostTile {
        let tile = self.told(sector);
        let same = tile.filter(|tile| place_in_source(tile) == self.places[sector.index()]);
        same.unwrap_or_else(|| {
            panic!(
                "the source of costs tells something else of sector {} than at first: \
                 what a `CostSource` tells must not change",
                self.extent.sector(sector)
            )
        })
    }

    /// What the source tells of a sector; `None` without a source, or if it
    /// tells what cannot be.
    pub(super) fn told(&self, sector: SectorId) -> Option<CostTile> {
        let origin = self.origin.as_ref()?;
        let costs = origin.source.sector(self.extent.sector(sector));
        costs.tile(self.extent, sector).ok()
    }

    /// Gives a sector a tile: a shared one where that will do, none where it is
    /// what the source tells.
    pub(super) fn put(&mut self, sector: SectorId, tile: CostTile) {
        let before = self.places[sector.index()];
        if before > CLOSED
            && let Some(tile) = self.pool.get(before as usize)
            && tile.even().is_none()
        {
            self.vacant.push(before);
        }
        self.places[sector.index()] = if let Some(cost) = tile.even() {
            self.share(cost, tile)
        } else if self.told(sector).is_some_and(|told| told == tile) {
            place_in_source(&tile)
        } else {
            self.own(tile)
        };
    }

    /// Gives back the room that making a map has left over.
    pub(super) fn settle(&mut self) {
        self.pool.shrink_to_fit();
        self.vacant.shrink_to_fit();
    }

    /// Notes that a sector is as the source tells it, which is `tile`.
    pub(super) fn leave(&mut self, sector: SectorId, tile: CostTile) {
        self.places[sector.index()] = match tile.even() {
            Some(cost) => self.share(cost, tile),
            None => place_in_source(&tile),
        };
    }

    fn share(&mut self, cost: Cost, tile: CostTile) -> u32 {
        let cost = usize::from(cost.value());
        if self.even[cost] == NO_PLACE {
            self.even[cost] = self.pool.len() as u32;
            self.pool.push(tile);
        }
        self.even[cost]
    }

    fn own(&mut self, tile: CostTile) -> u32 {
        if let Some(place) = self.vacant.pop() {
            self.pool[place as usize] = tile;
            return place;
        }
        self.pool.push(tile);
        (self.pool.len() - 1) as u32
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        (self.places.capacity() + self.vacant.capacity() + 256) * size_of::<u32>()
            + self.pool.capacity() * size_of::<CostTile>()
    }
}

/// The place of a tile that is in the source.
fn place_in_source(tile: &CostTile) -> u32 {
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
        tiles.put(SectorId(55), CostTile::CLEAR);
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
