//! The flow field: a byte a cell.

use super::loaded::NOT_LOADED;
use crate::bytes::Digest;
use crate::grid::{Cell, Direction, Extent, PagesCursor, SECTOR_CELLS, Sector, SectorPages, Slot};
use crate::kernel;

/// The directions of one sector, by slot: a [`Flow`]'s byte each.
pub(crate) type FlowTile = [u8; SECTOR_CELLS];

/// What one cell of a loaded sector says, in a byte.
///
/// ```text
///   bit  7 6 5 4   3 2 1 0
///        flags     0–7 a direction, 8 here, 9 none, 10 taken back
/// ```
///
/// Bit 7 says that the goal is in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flow(u8);

impl Flow {
    const CODE: u8 = 0b1111;

    /// The goal.
    pub(crate) const HERE: Self = Self(kernel::HERE);
    /// A wall, or a cell that no way in the loaded sectors joins to the goal.
    pub(crate) const NONE: Self = Self(kernel::NONE);
    /// A cell whose direction an edit has made doubtful.
    pub(crate) const TAKEN_BACK: Self = Self(10);

    /// The flag of a cell from which the straight way to the goal is free.
    pub(super) const IN_SIGHT: u8 = 0b1000_0000;

    /// The byte of a tile.
    pub(crate) const fn of(byte: u8) -> Self {
        Self(byte)
    }

    /// The kernel's code for it.
    pub(super) const fn code(self) -> u8 {
        self.0 & Self::CODE
    }

    pub(crate) const fn direction(self) -> Option<Direction> {
        Direction::from_index(self.code())
    }

    /// Takes back what every cell of a tile says for which `doubtful` holds.
    pub(super) fn doubt(tile: &mut FlowTile, doubtful: impl Fn(Slot, Self) -> bool) {
        for slot in Slot::all() {
            let flow = &mut tile[slot.index()];
            if doubtful(slot, Self::of(*flow)) {
                *flow = Self::TAKEN_BACK.0;
            }
        }
    }

    /// Whether a direction comes before what it says.
    pub(super) const fn is_behind(self, direction: Direction) -> bool {
        self.code() > direction as u8
    }

    /// The same with another direction.
    pub(super) const fn with(self, direction: Direction) -> Self {
        Self(self.0 & !Self::CODE | direction as u8)
    }

    /// Its byte.
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    /// Whether a unit that reads it needs no more.
    pub(crate) const fn leads_on(self) -> bool {
        self.direction().is_some() || self.is_here()
    }

    /// Whether the straight way to the goal is free.
    pub(crate) const fn sees_goal(self) -> bool {
        self.0 & Self::IN_SIGHT != 0
    }

    pub(crate) const fn is_here(self) -> bool {
        self.code() == Self::HERE.0
    }
}

/// The directions of an order's loaded sectors.
#[derive(Clone)]
pub(crate) struct FlowField {
    /// Where among the tiles each loaded sector's is.
    places: SectorPages<u32>,
    tiles: Vec<FlowTile>,
    /// The goal that cells have in sight.
    lit: Option<Cell>,
}

impl FlowField {
    pub(super) fn new(
        mut places: SectorPages<u32>,
        mut tiles: Vec<FlowTile>,
        lit: Option<Cell>,
    ) -> Self {
        tiles.shrink_to_fit();
        places.settle();
        Self { places, tiles, lit }
    }

    /// A field with nothing loaded.
    pub(crate) fn empty(extent: Extent) -> Self {
        let places = SectorPages::new(extent, NOT_LOADED);
        Self::new(places, Vec::new(), None)
    }

    /// The goal that is in sight from the cells that say so.
    pub(crate) const fn goal_in_sight(&self) -> Option<Cell> {
        self.lit
    }

    /// Whether nothing is loaded.
    pub(crate) const fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// How many sectors are loaded.
    pub(crate) const fn sector_count(&self) -> usize {
        self.tiles.len()
    }

    /// What a cell on the map says; `None` where its sector is not loaded.
    pub(crate) fn get(&self, cell: Cell) -> Option<Flow> {
        let (sector, slot) = split(cell);
        match *self.places.get(sector) {
            NOT_LOADED => None,
            place => Some(Flow::of(self.tiles[place as usize][slot.index()])),
        }
    }

    /// Whether a sector on the map is loaded.
    pub(crate) fn holds(&self, sector: Sector) -> bool {
        *self.places.get(sector) != NOT_LOADED
    }

    /// Takes back what every cell of `sector` says for which `doubtful` holds.
    pub(crate) fn doubt(&mut self, sector: Sector, doubtful: impl Fn(Slot, Flow) -> bool) {
        let place = *self.places.get(sector);
        if place == NOT_LOADED {
            return;
        }
        Flow::doubt(&mut self.tiles[place as usize], doubtful);
    }

    /// Takes in the loaded sectors and what their cells say.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        let mut tiles: Vec<(Sector, &FlowTile)> = self.loaded().collect();
        tiles.sort_unstable_by_key(|&(sector, _)| sector);
        digest.number(tiles.len() as u64);
        for (sector, tile) in tiles {
            digest.number((sector.x as u64) << 32 | sector.y as u64);
            digest.bytes(tile);
        }
    }

    /// The next of the loaded sectors, one after the other, and what its cells
    /// say without flags.
    pub(super) fn next_bare_tile(&self, at: &mut PagesCursor) -> Option<(Sector, FlowTile)> {
        let (sector, tile) = self.next_tile(at)?;
        Some((sector, tile.map(|byte| Flow::of(byte).code())))
    }

    fn next_tile(&self, at: &mut PagesCursor) -> Option<(Sector, &FlowTile)> {
        loop {
            let (sector, place) = self.places.next_written(at)?;
            if let Some(tile) = self.tiles.get(place as usize) {
                return Some((sector, tile));
            }
        }
    }

    fn loaded(&self) -> impl Iterator<Item = (Sector, &FlowTile)> {
        let mut at = PagesCursor::default();
        std::iter::from_fn(move || self.next_tile(&mut at))
    }

    /// The loaded sectors.
    pub(crate) fn sectors(&self) -> impl Iterator<Item = Sector> {
        self.loaded().map(|(sector, _)| sector)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.places.bytes() + self.tiles.capacity() * size_of::<FlowTile>()
    }
}

/// The sector and slot of a cell on the map, without a map.
const fn split(cell: Cell) -> (Sector, Slot) {
    const SIDE: u32 = crate::grid::SECTOR_SIDE as u32;
    let (x, y) = (cell.x as u32, cell.y as u32);
    (
        Sector::new((x / SIDE) as i32, (y / SIDE) as i32),
        Slot::at((x % SIDE) as i32, (y % SIDE) as i32),
    )
}
