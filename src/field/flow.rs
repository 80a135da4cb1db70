//! The flow field: a byte a cell, and the costs-to-go of each tile's border.
//!
//! A region that continues a field needs the borders. They also make the
//! cost-to-go of any cell a look-up: its directions lead to its tile's border in a
//! few steps.
//!
//! A tile takes 100 bytes for its directions and 192 for its border.

use super::loaded::NOT_LOADED;
use super::patch::border_value;
use crate::bytes::Digest;
use crate::cost::{CellLink, CostMap};
use crate::grid::{Cell, Direction, Extent, PagesCursor, SECTOR_CELLS, Sector, SectorPages, Slot};
use crate::kernel::{self, Borders, NO_PATH, UNREACHED, step_price};
use crate::map::AffectedSector;

/// The directions of one sector, by slot: a [`Flow`]'s byte each.
pub(crate) type FlowTile = [u8; SECTOR_CELLS];

/// The direction of one cell of a loaded sector, in a byte.
///
/// ```text
///   0–7 a direction, 8 here, 9 none, 10 withdrawn, 11 a link
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flow(u8);

impl Flow {
    /// A tile that was never settled.
    pub(super) const NOTHING: FlowTile = [Self::NO_DIRECTION.0; SECTOR_CELLS];

    pub(crate) const HERE: Self = Self(kernel::HERE);
    /// A wall, or a cell from which no path in the loaded sectors leads to the goal.
    pub(crate) const NO_DIRECTION: Self = Self(kernel::NO_DIRECTION);
    /// A cell whose direction an edit may have made wrong.
    pub(crate) const WITHDRAWN: Self = Self(10);

    /// The entry of a link that is to be taken.
    pub(super) const LINK: Self = Self(11);

    /// The byte of a tile.
    pub(crate) const fn of(byte: u8) -> Self {
        Self(byte)
    }

    pub(crate) const fn direction(self) -> Option<Direction> {
        Direction::from_index(self.0)
    }

    /// Withdraws the directions of a tile that a change has made invalid: in a changed sector
    /// all, in one beside it those that the step rule no longer allows.
    pub(super) fn invalidate(tile: &mut FlowTile, costs: &CostMap, affected: AffectedSector) {
        for slot in Slot::all() {
            let cell = affected.sector.cell_at(slot);
            let is_forbidden = |way| step_price(costs, cell, way).is_none();
            let flow = &mut tile[slot.index()];
            let way = Self::of(*flow).direction();
            if affected.changed || way.is_some_and(is_forbidden) {
                *flow = Self::WITHDRAWN.0;
            }
        }
    }

    /// Whether a direction comes before its own in [`Direction::ALL`].
    pub(super) const fn is_behind(self, direction: Direction) -> bool {
        self.0 > direction as u8
    }

    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    /// Whether it is a direction, the goal or the entry of a link.
    pub(crate) const fn leads_on(self) -> bool {
        self.direction().is_some() || self.is_here() || self.is_link()
    }

    /// Whether a link is to be entered here.
    pub(crate) const fn is_link(self) -> bool {
        self.0 == Self::LINK.0
    }

    pub(crate) const fn is_here(self) -> bool {
        self.0 == Self::HERE.0
    }
}

/// The costs-to-go of all cells of a tile, [`UNREACHED`] for none.
pub(super) type FarTile = [u64; SECTOR_CELLS];

#[derive(Clone)]
pub(super) enum KeptCosts {
    /// The borders, as offsets from a base.
    Near(Vec<Borders>),
    /// The values of all cells, for regions that need 64 bits.
    Far(Vec<FarTile>),
}

impl KeptCosts {
    pub(super) fn push(&mut self, borders: Borders) {
        match self {
            Self::Near(tiles) => tiles.push(borders),
            Self::Far(tiles) => tiles.push([UNREACHED; SECTOR_CELLS]),
        }
    }

    pub(super) fn reserve_exact(&mut self, more: usize) {
        match self {
            Self::Near(tiles) => tiles.reserve_exact(more),
            Self::Far(tiles) => tiles.reserve_exact(more),
        }
    }

    fn shrink_to_fit(&mut self) {
        match self {
            Self::Near(tiles) => tiles.shrink_to_fit(),
            Self::Far(tiles) => tiles.shrink_to_fit(),
        }
    }

    /// Returns the cost-to-go of a cell, if it was reached and is kept.
    pub(super) fn get(&self, base: u64, index: usize, slot: Slot) -> Option<u64> {
        match self {
            Self::Near(tiles) => {
                let value = border_value(tiles.get(index)?, slot)?;
                (value != NO_PATH).then(|| base + u64::from(value))
            }
            Self::Far(tiles) => {
                let value = tiles.get(index)?[slot.index()];
                (value != UNREACHED).then_some(value)
            }
        }
    }

    /// Returns the bytes of the tiles. Room that was never written to takes no
    /// memory yet.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Near(tiles) => size_of_val::<[Borders]>(tiles),
            Self::Far(tiles) => size_of_val::<[FarTile]>(tiles),
        }
    }
}

/// The directions of an order's loaded sectors.
#[derive(Clone)]
pub(crate) struct FlowField {
    /// The index of each loaded sector's tile.
    indices: SectorPages<u32>,
    tiles: Vec<FlowTile>,
    /// The value from which kept offsets count.
    base: u64,
    kept: KeptCosts,
    /// The links to be entered, by the row and column of the entry.
    links: Vec<CellLink>,
}

impl FlowField {
    pub(super) fn new(
        mut indices: SectorPages<u32>,
        mut tiles: Vec<FlowTile>,
        base: u64,
        mut kept: KeptCosts,
        links: Vec<CellLink>,
    ) -> Self {
        tiles.shrink_to_fit();
        kept.shrink_to_fit();
        indices.shrink_to_fit();
        Self {
            indices,
            tiles,
            base,
            kept,
            links,
        }
    }

    /// Returns a field without sectors.
    pub(crate) fn empty(extent: Extent) -> Self {
        let indices = SectorPages::new(extent, NOT_LOADED);
        let kept = KeptCosts::Near(Vec::new());
        Self::new(indices, Vec::new(), 0, kept, Vec::new())
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    pub(crate) const fn sector_count(&self) -> usize {
        self.tiles.len()
    }

    /// Returns the byte of a cell on the map; `None` if its sector is not loaded.
    #[inline]
    pub(crate) fn get(&self, cell: Cell) -> Option<Flow> {
        let (sector, slot) = split(cell);
        Some(Flow::of(self.tile(sector)?[slot.index()]))
    }

    /// Returns the bytes of a sector on the map; `None` if it is not loaded.
    #[inline]
    pub(crate) fn tile(&self, sector: Sector) -> Option<&FlowTile> {
        self.indexed_tile(sector).map(|(_, tile)| tile)
    }

    /// Returns the number of a sector's tile too.
    #[inline]
    pub(super) fn indexed_tile(&self, sector: Sector) -> Option<(usize, &FlowTile)> {
        match *self.indices.get(sector) {
            NOT_LOADED => None,
            index => Some((index as usize, &self.tiles[index as usize])),
        }
    }

    /// Returns the cost-to-go of a cell, on the map as it was when the field was
    /// made. Follows the directions to a cell whose cost-to-go is kept, or to a goal,
    /// whose cost `start_cost` returns. `None` where no direction leads on.
    pub(crate) fn cost_to_go(
        &self,
        costs: &CostMap,
        start_cost: impl Fn(Cell) -> Option<u64>,
        mut cell: Cell,
    ) -> Option<u64> {
        let mut total = 0;
        loop {
            let flow = self.get(cell)?;
            if flow.is_here() {
                return start_cost(cell).map(|start| total + start);
            }
            if let Some(link) = self.link_at(cell) {
                total += u64::from(link.price);
                cell = link.exit;
                continue;
            }
            let direction = flow.direction()?;
            if let Some(value) = self.kept_value(cell) {
                return Some(total + value);
            }
            total += u64::from(step_price(costs, cell, direction)?);
            cell = cell.step(direction);
        }
    }

    pub(crate) fn link_at(&self, cell: Cell) -> Option<CellLink> {
        if self.links.is_empty() || !self.get(cell)?.is_link() {
            return None;
        }
        let key = |cell: Cell| (cell.y, cell.x);
        let at = self
            .links
            .binary_search_by_key(&key(cell), |link| key(link.entry));
        Some(self.links[at.ok()?])
    }

    /// Returns the links that are to be entered, by the row and column of the entry.
    pub(crate) fn links(&self) -> &[CellLink] {
        &self.links
    }

    fn kept_value(&self, cell: Cell) -> Option<u64> {
        let (sector, slot) = split(cell);
        self.kept_at(*self.indices.get(sector) as usize, slot)
    }

    /// Returns the borders of the tile with this number; `None` if the values of all its cells are
    /// kept.
    pub(super) fn borders(&self, index: usize) -> Option<&Borders> {
        match &self.kept {
            KeptCosts::Near(tiles) => tiles.get(index),
            KeptCosts::Far(_) => None,
        }
    }

    /// Returns the cost-to-go of a cell of the tile with this number, if it is kept.
    pub(super) fn kept_at(&self, index: usize, slot: Slot) -> Option<u64> {
        self.kept.get(self.base, index, slot)
    }

    /// Returns the base of the borders' offsets.
    pub(super) const fn base(&self) -> u64 {
        self.base
    }

    pub(crate) fn has_sector(&self, sector: Sector) -> bool {
        *self.indices.get(sector) != NOT_LOADED
    }

    /// Withdraws the directions that a change has made invalid.
    pub(crate) fn invalidate(&mut self, costs: &CostMap, affected: AffectedSector) {
        let index = *self.indices.get(affected.sector);
        if index != NOT_LOADED {
            Flow::invalidate(&mut self.tiles[index as usize], costs, affected);
        }
    }

    /// Adds the loaded sectors and their directions to a digest.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        let mut tiles: Vec<(Sector, &FlowTile)> = self.loaded().collect();
        tiles.sort_unstable_by_key(|&(sector, _)| sector);
        digest.number(tiles.len() as u64);
        for (sector, tile) in tiles {
            digest.number((sector.x as u64) << 32 | sector.y as u64);
            digest.bytes(tile);
        }
        if !self.links.is_empty() {
            digest.number(self.links.len() as u64);
            for link in &self.links {
                digest.number(u64::from(link.id.number()));
            }
        }
    }

    pub(crate) fn next_sector(&self, at: &mut PagesCursor) -> Option<Sector> {
        self.next_tile(at).map(|(sector, ..)| sector)
    }

    /// Returns the next loaded sector, with its directions, and its borders if they
    /// are kept.
    pub(super) fn next_tile(
        &self,
        at: &mut PagesCursor,
    ) -> Option<(Sector, FlowTile, Option<&Borders>)> {
        let (sector, index) = self.next_index(at)?;
        Some((sector, self.tiles[index], self.borders(index)))
    }

    fn next_index(&self, at: &mut PagesCursor) -> Option<(Sector, usize)> {
        loop {
            let (sector, index) = self.indices.next_written(at)?;
            if index != NOT_LOADED {
                return Some((sector, index as usize));
            }
        }
    }

    fn loaded(&self) -> impl Iterator<Item = (Sector, &FlowTile)> {
        let mut at = PagesCursor::default();
        std::iter::from_fn(move || {
            let (sector, index) = self.next_index(&mut at)?;
            Some((sector, &self.tiles[index]))
        })
    }

    pub(crate) fn sectors(&self) -> impl Iterator<Item = Sector> {
        self.loaded().map(|(sector, _)| sector)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.indices.bytes()
            + self.tiles.capacity() * size_of::<FlowTile>()
            + self.kept.bytes()
            + self.links.capacity() * size_of::<CellLink>()
    }
}

/// Returns the sector and slot of a cell, without a map.
const fn split(cell: Cell) -> (Sector, Slot) {
    const SIDE: u32 = crate::grid::SECTOR_SIDE as u32;
    let (x, y) = (cell.x as u32, cell.y as u32);
    (
        Sector::new((x / SIDE) as i32, (y / SIDE) as i32),
        Slot::at((x % SIDE) as i32, (y % SIDE) as i32),
    )
}
