//! The ground of the crowd's fields: the solved sectors, divided into field
//! cells.
//!
//! A sector in use has a *page*: its field cells, row by row. They are smaller
//! than the map's cells, by the resolution. All fields are arrays over the
//! cells of all pages:
//!
//! ```text
//!   page 0           page 1                page 2
//!   all walls   │    20×20 cells      │    20×20 cells of another sector
//!   0 1 2 … 399 │    400 … 799        │    800 …
//! ```
//!
//! Page 0 is all wall. It stands for every sector that is not in use.

use crate::cost::CostMap;
use crate::grid::{Cell, Extent, SECTOR_SIDE, Sector, SectorPages};
use crate::vector::{Vector, floor};

use super::eikonal::{EAST, NORTH, SOUTH, WEST};
use super::heights::Heights;
use super::numbering::{Numbering, fit};

/// The page of every sector that is not in use.
pub(super) const NO_PAGE: u32 = 0;
/// The cost of a wall cell.
pub(super) const CLOSED: f32 = 0.0;

/// A position closer than this to a border touches the border, in field cells.
const HAIR: f32 = 1.0 / 256.0;

/// The steps to the sectors beside a page: east, north, west, south.
const BESIDE: [(i32, i32); 4] = {
    let mut beside = [(0, 0); 4];
    beside[EAST] = (1, 0);
    beside[NORTH] = (0, -1);
    beside[WEST] = (-1, 0);
    beside[SOUTH] = (0, 1);
    beside
};

/// The sectors in use, divided into field cells.
#[derive(Clone)]
pub(super) struct CrowdGround {
    extent: Extent,
    resolution: i32,
    /// The number of cells along a page, and 2³² divided by it, rounded up.
    side: i32,
    per_side: u64,
    /// The page of each sector.
    pages: SectorPages<u32>,
    /// The sector of each page; `None` for a page that is not in use.
    sectors: Vec<Option<Sector>>,
    numbering: Numbering,
    /// The map's costs at the last copy of each page, and the time of that
    /// copy. No two copies have the same time.
    taken_in: Vec<([u8; 100], u64)>,
    time: u64,
    /// The map's cost of each cell, or [`CLOSED`].
    pub(super) costs: Vec<f32>,
    /// The height of each cell; empty without a map of heights.
    pub(super) heights: Vec<f32>,
}

/// The four field cells whose middles are nearest to a position.
///
/// ```text
///   0 ─ 1      clockwise from the north-west
///   │ · │
///   3 ─ 2
/// ```
pub(super) struct Corners {
    pub(super) cells: [usize; 4],
    pub(super) pages: [usize; 4],
    /// The offset of the position from the middle of the first cell, to the
    /// east and south, in field cells.
    pub(super) off: Vector,
}

impl Corners {
    /// Returns the index of the cell that contains the position.
    pub(super) fn under(&self) -> usize {
        match self.off.map(|along| along >= 0.5) {
            [false, false] => 0,
            [true, false] => 1,
            [true, true] => 2,
            [false, true] => 3,
        }
    }
}

impl CrowdGround {
    /// Returns the ground of a map with no sector in use.
    pub(super) fn new(extent: Extent, resolution: u32) -> Self {
        let mut ground = Self {
            extent,
            resolution: resolution as i32,
            side: SECTOR_SIDE * resolution as i32,
            per_side: (1 << 32) / (SECTOR_SIDE as u64 * u64::from(resolution)) + 1,
            pages: SectorPages::new(extent, NO_PAGE),
            sectors: Vec::new(),
            numbering: Numbering::default(),
            taken_in: Vec::new(),
            time: 0,
            costs: Vec::new(),
            heights: Vec::new(),
        };
        ground.numbering.take();
        ground.fit();
        ground
    }

    /// Resizes all arrays for the pages in use, and frees memory no longer
    /// needed.
    fn fit(&mut self) {
        let (pages, cells) = (self.numbering.end(), self.cells());
        fit(&mut self.sectors, pages, None);
        fit(&mut self.taken_in, pages, ([255; 100], 0));
        fit(&mut self.costs, cells, CLOSED);
        let heights = if self.heights.is_empty() { 0 } else { cells };
        fit(&mut self.heights, heights, 0.0);
    }

    /// Returns the extent of the map.
    pub(super) const fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns the number of field cells along one cell of the map.
    pub(super) const fn resolution(&self) -> i32 {
        self.resolution
    }

    /// Returns the length of a field cell, in cells of the map.
    pub(super) fn length(&self) -> f32 {
        1.0 / self.resolution as f32
    }

    /// Returns the number of field cells along a page.
    pub(super) const fn side(&self) -> i32 {
        self.side
    }

    /// Returns the number of field cells of a page.
    pub(super) const fn page_cells(&self) -> usize {
        (self.side * self.side) as usize
    }

    /// Returns the number of pages, page 0 included.
    pub(super) const fn page_count(&self) -> usize {
        self.numbering.end()
    }

    /// Returns the number of cells of all pages.
    pub(super) const fn cells(&self) -> usize {
        self.page_count() * self.page_cells()
    }

    /// Returns the cells of a page.
    pub(super) const fn range(&self, page: u32) -> std::ops::Range<usize> {
        let first = page as usize * self.page_cells();
        first..first + self.page_cells()
    }

    /// Returns the sector of a page; `None` if the page is not in use.
    pub(super) fn sector(&self, page: u32) -> Option<Sector> {
        self.sectors[page as usize]
    }

    /// Returns the page of a sector; [`NO_PAGE`] if it is not in use or off the
    /// map.
    pub(super) fn page(&self, sector: Sector) -> u32 {
        match self.extent.sector_id(sector) {
            Some(_) => *self.pages.get(sector),
            None => NO_PAGE,
        }
    }

    /// Returns the page beside a page, on a side.
    pub(super) fn beside(&self, page: u32, side: usize) -> u32 {
        let (dx, dy) = BESIDE[side];
        self.sector(page).map_or(NO_PAGE, |sector| {
            self.page(Sector::new(sector.x + dx, sector.y + dy))
        })
    }

    /// Returns the time at which the costs of a page were copied.
    pub(super) fn taken_in_at(&self, page: u32) -> u64 {
        self.taken_in[page as usize].1
    }

    /// Returns the field cell beside a cell, on a side; a cell of page 0 where
    /// no page is in use.
    pub(super) fn neighbour(&self, cell: usize, side: usize) -> usize {
        let (page_cells, across) = (self.page_cells(), self.side as usize);
        let (page, inside) = (cell / page_cells, cell % page_cells);
        let (x, y) = (inside % across, inside / across);
        let last = across - 1;
        let beside = |at: usize| self.range(self.beside(page as u32, side)).start + at;
        match side {
            EAST if x == last => beside(inside - last),
            EAST => cell + 1,
            WEST if x == 0 => beside(inside + last),
            WEST => cell - 1,
            SOUTH if y == last => beside(x),
            SOUTH => cell + across,
            _ if y == 0 => beside(last * across + x),
            _ => cell - across,
        }
    }

    /// Returns the pages in use.
    pub(super) fn in_use(&self) -> impl Iterator<Item = u32> {
        let pages = (0..).zip(&self.sectors);
        pages.filter_map(|(page, sector)| sector.map(|_| page))
    }

    /// Returns the field cell in column `x`, row `y` of the field cells of the
    /// whole map; a wall of page 0 where no page is in use.
    pub(super) fn cell(&self, x: i32, y: i32) -> usize {
        if x < 0 || y < 0 {
            return 0;
        }
        let ((column, x), (row, y)) = (self.split(x), self.split(y));
        match self.page(Sector::new(column, row)) {
            NO_PAGE => 0,
            page => self.range(page).start + (y * self.side + x) as usize,
        }
    }

    /// Returns the page along one axis in which a field cell lies, and the
    /// offset inside it: the quotient and the remainder by the side of a page.
    //
    // PERF: `instructions --time crowd-solve`: divisions by a number that is
    // unknown at compile time took a third of the splat. The product is exact
    // up to 2²⁶, and no map has more field cells along a side.
    #[inline]
    fn split(&self, at: i32) -> (i32, i32) {
        let page = ((at as u64 * self.per_side) >> 32) as i32;
        (page, at.wrapping_sub(page.wrapping_mul(self.side)))
    }

    /// Returns the column and row of a page's north-west cell.
    pub(super) fn corner(&self, page: u32) -> (i32, i32) {
        let sector = self.sector(page).unwrap_or(Sector::new(0, 0));
        (sector.x * self.side, sector.y * self.side)
    }

    /// Returns the middle of the field cell in column `x`, row `y`, in cells of
    /// the map.
    pub(super) fn middle(&self, x: i32, y: i32) -> Vector {
        let length = self.length();
        [(x as f32 + 0.5) * length, (y as f32 + 0.5) * length]
    }

    /// Puts sectors, all on the map, into use and releases all others.
    /// `sectors` is sorted and has no duplicates.
    pub(super) fn keep(&mut self, sectors: &[Sector], costs: &CostMap, heights: Option<&Heights>) {
        for page in 1..self.sectors.len() as u32 {
            if let Some(sector) = self.sectors[page as usize]
                && sectors.binary_search(&sector).is_err()
            {
                self.give_up(page, sector);
            }
        }
        for &sector in sectors {
            if self.page(sector) == NO_PAGE {
                let page = self.numbering.take();
                self.fit();
                self.sectors[page as usize] = Some(sector);
                *self.pages.get_mut(sector) = page;
                self.take_in(page, sector, costs, heights);
            }
        }
        self.fit();
    }

    fn give_up(&mut self, page: u32, sector: Sector) {
        *self.pages.get_mut(sector) = NO_PAGE;
        self.sectors[page as usize] = None;
        self.numbering.give_back(page);
        let range = self.range(page);
        self.costs[range].fill(CLOSED);
    }

    /// Copies again the pages whose costs on the map have changed, and returns
    /// these pages.
    pub(super) fn refresh(&mut self, costs: &CostMap, heights: Option<&Heights>) -> Vec<u32> {
        let mut changed = Vec::new();
        for page in 1..self.sectors.len() as u32 {
            if let Some(sector) = self.sectors[page as usize]
                && let Some(id) = self.extent.sector_id(sector)
                && *costs.tile(id).costs() != self.taken_in[page as usize].0
            {
                self.take_in(page, sector, costs, heights);
                changed.push(page);
            }
        }
        changed
    }

    fn take_in(&mut self, page: u32, sector: Sector, costs: &CostMap, heights: Option<&Heights>) {
        let Some(id) = self.extent.sector_id(sector) else {
            return;
        };
        let tile = costs.tile(id);
        self.time += 1;
        self.taken_in[page as usize] = (*tile.costs(), self.time);
        let range = self.range(page);
        let (side, resolution) = (self.side, self.resolution);
        let mut at = range.start;
        for y in 0..side {
            for x in 0..side {
                let slot = (y / resolution * SECTOR_SIDE + x / resolution) as usize;
                self.costs[at] = match tile.costs()[slot] {
                    255 => CLOSED,
                    cost => f32::from(cost),
                };
                at += 1;
            }
        }
        if let Some(heights) = heights {
            self.heights.resize(self.cells(), 0.0);
            let (left, top) = self.corner(page);
            for (at, cell) in range.enumerate() {
                let (x, y) = (left + at as i32 % side, top + at as i32 / side);
                self.heights[cell] = heights.at(self.middle(x, y));
            }
        }
    }

    /// Returns the four field cells whose middles are nearest to a position.
    pub(super) fn around(&self, position: Vector) -> Corners {
        let fine = self.resolution as f32;
        let (x, y) = (position[0] * fine - 0.5, position[1] * fine - 0.5);
        let (left, top) = (floor(x), floor(y));
        let off = [x - left as f32, y - top as f32];
        if left >= 0 && top >= 0 {
            let side = self.side;
            let ((column, x), (row, y)) = (self.split(left), self.split(top));
            if x + 1 < side && y + 1 < side {
                // The common case: all four lie in one page.
                let page = self.page(Sector::new(column, row));
                let cells = match page {
                    NO_PAGE => [0; 4],
                    _ => {
                        let first = self.range(page).start + (y * side + x) as usize;
                        let side = side as usize;
                        [first, first + 1, first + side + 1, first + side]
                    }
                };
                let pages = [page as usize; 4];
                return Corners { cells, pages, off };
            }
        }
        let cell = |dx, dy| self.cell(left.saturating_add(dx), top.saturating_add(dy));
        let cells = [cell(0, 0), cell(1, 0), cell(1, 1), cell(0, 1)];
        let pages = cells.map(|cell| cell / self.page_cells());
        Corners { cells, pages, off }
    }

    /// Returns the field cells that a position touches, possibly with
    /// duplicates: one cell, or the cells on both sides of the border or around
    /// the corner on which the position lies.
    pub(super) fn touched(&self, position: Vector) -> [usize; 4] {
        let fine = self.resolution as f32;
        let sides = |along: f32| [floor(along * fine - HAIR), floor(along * fine + HAIR)];
        let ([left, right], [top, bottom]) = (sides(position[0]), sides(position[1]));
        [(left, top), (right, top), (left, bottom), (right, bottom)].map(|(x, y)| self.cell(x, y))
    }

    /// Returns the map's cell that contains a field cell.
    pub(super) const fn map_cell(&self, x: i32, y: i32) -> Cell {
        Cell::new(x / self.resolution, y / self.resolution)
    }

    /// Returns the bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.pages.bytes()
            + (self.costs.capacity() + self.heights.capacity()) * size_of::<f32>()
            + self.taken_in.capacity() * size_of::<([u8; 100], u64)>()
    }
}
