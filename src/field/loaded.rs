//! Which sectors are loaded, and what lies beside each.

use crate::arrays::Mapped;
use crate::cost::{CostMap, CostTile, TileRef};
use crate::grid::{Direction, Extent, SECTOR_SIDE, Sector, SectorList, SectorPages, Slot};

pub(super) const NOT_LOADED: u32 = u32::MAX;

/// For each of the eight neighbours, in the order of [`Direction::ALL`], the
/// lowest value that has reached it; [`UNREACHED`](crate::kernel::UNREACHED) for
/// none.
pub(super) type Woken = [u64; 8];

#[derive(Clone)]
pub(super) struct Loaded {
    pub(super) extent: Extent,
    sectors: Vec<Sector>,
    indices: SectorPages<u32>,
    /// The costs, when the integration began, of sectors that have changed
    /// since.
    kept: SectorList<CostTile>,
}

/// The indices of the eight neighbours of a tile, in the order of
/// [`Direction::ALL`]; [`NOT_LOADED`] for those that are not loaded.
pub(super) type Ring = [u32; 8];

impl Loaded {
    /// Returns a list without sectors.
    pub(super) const fn new(extent: Extent) -> Self {
        Self {
            extent,
            sectors: Vec::new(),
            indices: SectorPages::new(extent, NOT_LOADED),
            kept: SectorList::new(extent),
        }
    }

    pub(super) fn add(&mut self, sector: Sector) -> u32 {
        let index = self.sectors.len() as u32;
        self.sectors.push(sector);
        *self.indices.get_mut(sector) = index;
        index
    }

    pub(super) const fn len(&self) -> usize {
        self.sectors.len()
    }

    /// Whether the former costs of a sector on the map are kept.
    pub(super) fn keeps(&self, sector: Sector) -> bool {
        self.kept.get(sector).is_some()
    }

    /// Keeps the former costs of a sector on the map, unless older ones are kept.
    pub(super) fn keep(&mut self, sector: Sector, former: &CostTile) {
        if !self.keeps(sector) {
            self.kept.push(sector, former.clone());
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.sectors.capacity() * size_of::<Sector>() + self.indices.bytes() + self.kept.bytes()
    }

    pub(super) fn into_indices(self) -> SectorPages<u32> {
        self.indices
    }

    /// Returns the neighbour of a sector on the map, if it is on the map too.
    pub(super) const fn beside(&self, sector: Sector, direction: Direction) -> Option<Sector> {
        let (dx, dy) = direction.offset();
        let beside = Sector::new(sector.x + dx, sector.y + dy);
        match self.extent.sector_id(beside) {
            Some(_) => Some(beside),
            None => None,
        }
    }

    /// Returns the costs of a sector when the integration began; `None` off the map.
    pub(super) fn costs<'a>(&'a self, costs: &'a CostMap, sector: Sector) -> Option<TileRef<'a>> {
        let id = self.extent.sector_id(sector)?;
        let kept = self.kept.get(sector);
        Some(kept.map_or_else(|| costs.tile(id), TileRef::Kept))
    }

    /// Returns the costs of a sector and its eight neighbours when the integration
    /// began, if all are on the map. `room` receives those that are not in memory.
    #[inline]
    pub(super) fn nine_costs<'a>(
        &'a self,
        costs: &'a CostMap,
        sector: Sector,
        room: &'a mut Vec<CostTile>,
    ) -> Option<[&'a CostTile; 9]> {
        if !self.is_inside(sector) {
            return None;
        }
        let mut nine = costs.nine(self.extent.sector_id(sector)?, room);
        if !self.kept.is_empty() {
            self.put_kept(sector, &mut nine);
        }
        Some(nine)
    }

    /// Replaces present costs by those kept.
    #[inline(never)]
    fn put_kept<'a>(&'a self, sector: Sector, nine: &mut [&'a CostTile; 9]) {
        let [own, beside @ ..] = nine;
        *own = self.kept.get(sector).unwrap_or(own);
        for (tile, kept) in beside.iter_mut().zip(self.kept.around(sector)) {
            *tile = kept.unwrap_or(tile);
        }
    }

    /// Whether all neighbours of a sector are on the map.
    #[inline]
    const fn is_inside(&self, sector: Sector) -> bool {
        sector.x > 0
            && sector.y > 0
            && sector.x + 1 < self.extent.columns()
            && sector.y + 1 < self.extent.rows()
    }

    /// Returns the indices of the neighbours.
    #[inline]
    pub(super) fn ring(&self, sector: Sector) -> Ring {
        if self.is_inside(sector) {
            return self.indices.around(sector);
        }
        Direction::ALL.mapped(|direction| match self.beside(sector, direction) {
            Some(beside) => self.index(beside),
            None => NOT_LOADED,
        })
    }

    /// Returns the index of a sector on the map, or [`NOT_LOADED`].
    pub(super) fn index(&self, sector: Sector) -> u32 {
        *self.indices.get(sector)
    }

    pub(super) fn sector(&self, index: u32) -> Sector {
        self.sectors[index as usize]
    }
}

/// Returns the tile index and the slot of a cell beside a tile, from its column
/// and row relative to the tile's corner.
pub(super) fn cell_beside(ring: &Ring, x: i32, y: i32) -> Option<(u32, Slot)> {
    let side = Direction::toward(x.div_euclid(SECTOR_SIDE), y.div_euclid(SECTOR_SIDE))?;
    let slot = Slot::at(x.rem_euclid(SECTOR_SIDE), y.rem_euclid(SECTOR_SIDE));
    Some((ring[side as usize], slot))
}
