use std::fmt;

use super::{Cost, CostTile};
use crate::grid::{Cell, Extent, Rect, SECTOR_CELLS, SECTOR_SIDE, SectorId, SizeError, Slot};

/// The pool's first two tiles are shared by all sectors that look so.
const CLEAR: u32 = 0;
const CLOSED: u32 = 1;

/// The costs of a whole map.
///
/// Built from rows of bytes, or all open and painted. Memory is one word a
/// sector, and 102 bytes more for each sector that is neither wholly open
/// ground nor wholly wall.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap, Rect};
///
/// let mut map = CostMap::open(300, 200)?;
/// map.fill(Rect::new(100, 0, 1, 150), Cost::WALL)?;
/// assert_eq!(map.get(Cell::new(100, 3)), Some(Cost::WALL));
/// assert_eq!(map.get(Cell::new(100, 200)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CostMap {
    extent: Extent,
    /// The tile of each sector, as a place in the pool.
    places: Vec<u32>,
    pool: Vec<CostTile>,
    /// Places of the pool that no sector uses.
    vacant: Vec<u32>,
    /// How many cells of the map have each cost.
    counts: Box<[u32; 256]>,
}

impl CostMap {
    /// A map of open ground.
    ///
    /// # Errors
    /// For a size of zero or over [`MAX_SIDE`](crate::MAX_SIDE).
    pub fn open(width: u32, height: u32) -> Result<Self, SizeError> {
        let extent = Extent::new(width, height)?;
        let mut map = Self::of_places(extent, vec![CLEAR; extent.sector_count()]);
        for sector in map.extent.sectors() {
            let ragged = map.ragged_tile(sector);
            if let Some(tile) = ragged {
                map.places[sector.index()] = map.adopt(tile);
            }
        }
        map.counts[usize::from(Cost::OPEN.value())] = width * height;
        Ok(map)
    }

    /// A map from one byte a cell, row by row: 1 open, 2..=254 harder, 255
    /// wall.
    ///
    /// # Errors
    /// For a size of zero or over [`MAX_SIDE`](crate::MAX_SIDE), for a number
    /// of bytes other than `width` × `height`, and for a cost of 0, with the
    /// first such cell named.
    pub fn from_rows(width: u32, height: u32, rows: &[u8]) -> Result<Self, CostMapError> {
        let extent = Extent::new(width, height).map_err(CostMapError::Size)?;
        let expected = u64::from(width) * u64::from(height);
        if rows.len() as u64 != expected {
            return Err(CostMapError::Length {
                expected,
                found: rows.len() as u64,
            });
        }
        let mut map = Self::of_places(extent, Vec::with_capacity(extent.sector_count()));
        for &cost in rows {
            map.counts[usize::from(cost)] += 1;
        }
        if map.counts[0] > 0 {
            let at = rows.iter().position(|&cost| cost == 0).unwrap_or_default();
            let (x, y) = (at % width as usize, at / width as usize);
            return Err(CostMapError::Zero {
                cell: Cell::new(x as i32, y as i32),
            });
        }
        for sector in extent.sectors() {
            let tile = cut_tile(extent, sector, rows);
            let place = map.adopt(tile);
            map.places.push(place);
        }
        Ok(map)
    }

    fn of_places(extent: Extent, places: Vec<u32>) -> Self {
        Self {
            extent,
            places,
            pool: vec![CostTile::CLEAR, CostTile::CLOSED],
            vacant: Vec::new(),
            counts: Box::new([0; 256]),
        }
    }

    /// The open tile of a sector that the map's edge cuts; `None` for a whole
    /// sector.
    fn ragged_tile(&self, sector: SectorId) -> Option<CostTile> {
        let origin = self.extent.origin(sector);
        if origin.x + SECTOR_SIDE <= self.extent.width()
            && origin.y + SECTOR_SIDE <= self.extent.height()
        {
            return None;
        }
        let mut costs = [Cost::WALL.value(); SECTOR_CELLS];
        for slot in Slot::all() {
            if self.extent.contains(self.extent.cell_at(sector, slot)) {
                costs[slot.index()] = Cost::OPEN.value();
            }
        }
        Some(CostTile::new(costs))
    }

    /// Finds a place for a tile: a shared one where it is plain.
    fn adopt(&mut self, tile: CostTile) -> u32 {
        if tile.is_clear() {
            return CLEAR;
        }
        if tile.is_closed() {
            return CLOSED;
        }
        if let Some(place) = self.vacant.pop() {
            self.pool[place as usize] = tile;
            return place;
        }
        self.pool.push(tile);
        (self.pool.len() - 1) as u32
    }

    /// Cells in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.extent.width() as u32
    }

    /// Cells in a column.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.extent.height() as u32
    }

    /// The cost of a cell; `None` off the map.
    #[must_use]
    pub fn get(&self, cell: Cell) -> Option<Cost> {
        if !self.extent.contains(cell) {
            return None;
        }
        let (sector, slot) = self.extent.locate(cell);
        Some(Cost::stored(self.tile(sector).costs()[slot.index()]))
    }

    /// Gives every cell of `area` (a [`Cell`] or a [`Rect`]) the same cost.
    ///
    /// # Errors
    /// If a cell of the area is off the map; then nothing is changed.
    pub fn fill(&mut self, area: impl Into<Rect>, cost: Cost) -> Result<(), OffMap> {
        let area = area.into();
        self.check(area)?;
        if area.is_empty() {
            return Ok(());
        }
        for sector in self.extent.sectors_of(area) {
            self.rewrite(sector, area, |_, _| cost);
        }
        Ok(())
    }

    /// The whole map.
    pub(crate) fn area(&self) -> Rect {
        Rect::new(0, 0, self.width(), self.height())
    }

    /// Whether every cell of `area` is on the map.
    pub(crate) fn check(&self, area: Rect) -> Result<(), OffMap> {
        if area.is_empty() || self.extent.contains_rect(area) {
            return Ok(());
        }
        Err(OffMap {
            area,
            width: self.width(),
            height: self.height(),
        })
    }

    /// Gives the cells that `sector` and `area` share the costs that `cost_of`
    /// says, given the cell and its cost now; tells what changed, if anything.
    pub(crate) fn rewrite(
        &mut self,
        sector: SectorId,
        area: Rect,
        mut cost_of: impl FnMut(Cell, Cost) -> Cost,
    ) -> Option<Rewritten> {
        let place = self.places[sector.index()];
        let origin = self.extent.origin(sector);
        let side = SECTOR_SIDE as u32;
        let area = area.intersection(Rect::new(origin.x, origin.y, side, side));
        let mut tile = self.pool[place as usize].clone();
        let mut rewritten: Option<Rewritten> = None;
        for cell in area.cells() {
            let slot = Slot::at(cell.x - origin.x, cell.y - origin.y);
            let before = tile.costs()[slot.index()];
            let after = cost_of(cell, Cost::stored(before));
            if before != after.value() {
                self.counts[usize::from(before)] -= 1;
                self.counts[usize::from(after.value())] += 1;
                tile.write(slot, after);
                let lowered = after.value() < before;
                rewritten
                    .get_or_insert(Rewritten::nothing(sector, cell))
                    .add(cell, lowered);
            }
        }
        if rewritten.is_some() {
            tile.summarise();
            if place > CLOSED {
                self.vacant.push(place);
            }
            self.places[sector.index()] = self.adopt(tile);
        }
        rewritten
    }

    /// All costs, row by row: the inverse of [`CostMap::from_rows`].
    #[must_use]
    pub fn to_rows(&self) -> Vec<u8> {
        let (width, height) = (self.extent.width(), self.extent.height());
        let mut rows = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            for x in (0..width).step_by(SECTOR_SIDE as usize) {
                let (sector, slot) = self.extent.locate(Cell::new(x, y));
                let run = (width - x).min(SECTOR_SIDE) as usize;
                rows.extend_from_slice(&self.tile(sector).costs()[slot.index()..][..run]);
            }
        }
        rows
    }

    /// Bytes held: words of the sectors and tiles of their own.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of::<[u32; 256]>()
            + self.places.capacity() * size_of::<u32>()
            + self.pool.capacity() * size_of::<CostTile>()
            + self.vacant.capacity() * size_of::<u32>()
    }

    pub(crate) const fn extent(&self) -> Extent {
        self.extent
    }

    pub(crate) fn tile(&self, sector: SectorId) -> &CostTile {
        &self.pool[self.places[sector.index()] as usize]
    }

    /// Whether a cell is on the map and no wall.
    /// The tile of a sector and those of its eight neighbours, in the order of
    /// [`Direction::ALL`](crate::grid::Direction::ALL); all must be on the map.
    #[inline]
    pub(crate) fn nine(&self, sector: SectorId) -> [&CostTile; 9] {
        let (at, columns) = (sector.index(), self.extent.columns() as usize);
        let row = |middle: usize| {
            let places = &self.places[middle - 1..middle + 2];
            [0, 1, 2].map(|i| &self.pool[places[i] as usize])
        };
        let [nw, n, ne] = row(at - columns);
        let [w, own, e] = row(at);
        let [sw, s, se] = row(at + columns);
        [own, n, e, s, w, ne, se, sw, nw]
    }

    pub(crate) fn is_open(&self, cell: Cell) -> bool {
        self.get(cell).is_some_and(|cost| !cost.is_wall())
    }

    /// The lowest cost of any open cell; 1 where there is none.
    pub(crate) fn lowest(&self) -> u8 {
        let open = 1..Cost::WALL.value();
        open.into_iter()
            .find(|&cost| self.counts[usize::from(cost)] > 0)
            .unwrap_or(1)
    }
}

/// What a write has changed in one sector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rewritten {
    pub(crate) sector: SectorId,
    /// How many cells cost something else now.
    pub(crate) cells: u32,
    /// A rectangle around them.
    pub(crate) area: Rect,
    /// Whether any of them has become cheaper.
    pub(crate) lowered: bool,
}

impl Rewritten {
    fn nothing(sector: SectorId, at: Cell) -> Self {
        Self {
            sector,
            cells: 0,
            area: at.into(),
            lowered: false,
        }
    }

    fn add(&mut self, cell: Cell, lowered: bool) {
        self.area = self.area.around(cell.into());
        self.cells += 1;
        self.lowered |= lowered;
    }

    /// Takes in another change of the same sector.
    pub(crate) fn join(&mut self, other: &Self) {
        self.area = self.area.around(other.area);
        self.cells += other.cells;
        self.lowered |= other.lowered;
    }
}

/// Cuts one sector out of the rows; what lies outside the map is wall.
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

impl PartialEq for CostMap {
    fn eq(&self, other: &Self) -> bool {
        self.extent == other.extent
            && self
                .extent
                .sectors()
                .all(|sector| self.tile(sector) == other.tile(sector))
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

/// Why bytes are no cost map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CostMapError {
    /// The size is zero or over the limit.
    Size(SizeError),
    /// The number of bytes is not width × height.
    Length {
        /// Width × height.
        expected: u64,
        /// Bytes given.
        found: u64,
    },
    /// A cell costs 0.
    Zero {
        /// The first such cell.
        cell: Cell,
    },
}

impl fmt::Display for CostMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size(error) => error.fmt(f),
            Self::Length { expected, found } => write!(
                f,
                "{found} costs were given where width × height is {expected}: \
                 give one byte a cell, row by row"
            ),
            Self::Zero { cell } => write!(
                f,
                "the cell {cell} has cost 0, which is refused: use 1 for open ground, 255 for a wall"
            ),
        }
    }
}

impl std::error::Error for CostMapError {}

/// An area reaches off the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffMap {
    /// The area asked for.
    pub area: Rect,
    /// The map's width.
    pub width: u32,
    /// The map's height.
    pub height: u32,
}

impl fmt::Display for OffMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} reach off the map of {}×{} cells: cut the area to the map; nothing was changed",
            self.area, self.width, self.height
        )
    }
}

impl std::error::Error for OffMap {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_sectors_share_a_tile_and_a_write_copies() {
        let mut map = CostMap::open(100, 100).unwrap();
        assert_eq!(map.pool.len(), 2);
        map.fill(Cell::new(55, 55), Cost::WALL).unwrap();
        assert_eq!(map.pool.len(), 3);
        assert_eq!(map.get(Cell::new(45, 55)), Some(Cost::OPEN));
        map.fill(Cell::new(55, 55), Cost::OPEN).unwrap();
        assert_eq!(map.vacant, [2], "a tile that is plain again is given back");
        map.fill(Rect::new(0, 0, 10, 10), Cost::WALL).unwrap();
        assert_eq!(map.places[0], CLOSED);
        map.fill(Cell::new(3, 3), Cost::OPEN).unwrap();
        assert_eq!(
            (map.places[0], map.pool.len()),
            (2, 3),
            "a vacant place is used again"
        );
    }

    #[test]
    fn rows_come_back_as_they_went_in() {
        let rows: Vec<u8> = (0..25 * 14u32).map(|i| (i * 7 % 255 + 1) as u8).collect();
        let map = CostMap::from_rows(25, 14, &rows).unwrap();
        assert_eq!(map.to_rows(), rows);
        let mut painted = CostMap::open(25, 14).unwrap();
        for (cell, &cost) in Rect::new(0, 0, 25, 14).cells().zip(&rows) {
            painted.fill(cell, Cost::new(cost).unwrap()).unwrap();
        }
        assert_eq!(painted, map);
        assert_eq!(painted.counts, map.counts);
    }

    #[test]
    fn bad_bytes_are_refused_with_their_place() {
        let mut rows = vec![1; 25 * 14];
        rows[30] = 0;
        assert_eq!(
            CostMap::from_rows(25, 14, &rows),
            Err(CostMapError::Zero {
                cell: Cell::new(5, 1)
            })
        );
        assert!(matches!(
            CostMap::from_rows(25, 13, &rows),
            Err(CostMapError::Length {
                expected: 325,
                found: 350
            })
        ));
    }

    #[test]
    fn an_area_off_the_map_changes_nothing() {
        let mut map = CostMap::open(20, 20).unwrap();
        let before = map.clone();
        assert!(map.fill(Rect::new(15, 15, 6, 1), Cost::WALL).is_err());
        assert!(map.fill(Cell::new(-1, 0), Cost::WALL).is_err());
        assert_eq!(map, before);
    }
}
