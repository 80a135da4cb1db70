//! Pages of values by sector, for data that few sectors have.

use super::{Direction, Extent, MAX_SIDE, SECTOR_SIDE, Sector};
use crate::arrays::Mapped;

/// Sectors along each side of a page.
const PAGE_SIDE: u32 = 4;
const PAGE_SECTORS: u32 = PAGE_SIDE * PAGE_SIDE;
/// Pages along each side of a sheet.
const SHEET_SIDE: u32 = 8;
const SHEET_PAGES: usize = (SHEET_SIDE * SHEET_SIDE) as usize;
/// Sectors along each side of a sheet.
const SHEET_SECTORS: u32 = SHEET_SIDE * PAGE_SIDE;

/// Stands for a page or sheet that does not exist. It is beyond all valid
/// indices, so the bounds check of the table catches it too.
const NO_PAGE: u32 = u32::MAX - PAGE_SECTORS;
const NO_SHEET: u16 = u16::MAX;

const _: () = {
    let side = MAX_SIDE
        .div_ceil(SECTOR_SIDE as u32)
        .div_ceil(SHEET_SECTORS);
    assert!(side * side <= NO_SHEET as u32, "sheets are numbered by u16");
};

/// A value for each sector; takes memory only where values were written.
///
/// Sectors lie in pages of 4×4, pages in sheets of 8×8, and the sheets in rows
/// across the map. Stored are the rows from the first to the last that was
/// written to, at two bytes a sheet, and the sheets and pages that were written
/// to:
///
/// ```text
///   rows            a sheet            a page
///   ▫▫▫▪▪▫▫▫▫  ──►  64 pages   ──►  16 values
///   ▫▫▪▪▫▫▫▫▫        (256 bytes)
/// ```
///
/// So a thin band takes memory in proportion to its length, however large the
/// map around it is, and three loads reach any sector's value.
#[derive(Clone, Debug)]
pub(crate) struct SectorPages<T> {
    sheets_in_row: u32,
    /// The first row of sheets that is stored.
    first_row: u32,
    /// The sheet at each position of the rows.
    rows: Vec<u16>,
    /// By sheet and page: the index in `values` of the page's first value.
    sheets: Vec<[u32; SHEET_PAGES]>,
    values: Vec<T>,
    /// The value of an unwritten sector.
    blank: T,
}

/// The position of a [walk](SectorPages::next_written) through the written
/// pages.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PagesCursor {
    /// The index of the sheet in `rows`, of the page in it, and of the sector
    /// in that.
    sheet: usize,
    page: usize,
    within: u32,
}

/// The position of a sector in sheet and page.
struct PagePosition {
    sheet_x: u32,
    sheet_y: u32,
    page: usize,
    within: u32,
}

impl PagePosition {
    #[inline]
    const fn of(sector: Sector) -> Self {
        let (x, y) = (sector.x as u32, sector.y as u32);
        Self {
            sheet_x: x / SHEET_SECTORS,
            sheet_y: y / SHEET_SECTORS,
            page: (y / PAGE_SIDE % SHEET_SIDE * SHEET_SIDE + x / PAGE_SIDE % SHEET_SIDE) as usize,
            within: y % PAGE_SIDE * PAGE_SIDE + x % PAGE_SIDE,
        }
    }
}

impl<T: Copy> SectorPages<T> {
    pub(crate) const fn new(extent: Extent, blank: T) -> Self {
        Self {
            sheets_in_row: (extent.columns() as u32).div_ceil(SHEET_SECTORS),
            first_row: 0,
            rows: Vec::new(),
            sheets: Vec::new(),
            values: Vec::new(),
            blank,
        }
    }

    /// Makes pages for a map without sectors.
    pub(crate) const fn none(blank: T) -> Self {
        Self {
            sheets_in_row: 0,
            first_row: 0,
            rows: Vec::new(),
            sheets: Vec::new(),
            values: Vec::new(),
            blank,
        }
    }

    pub(crate) const fn is_none(&self) -> bool {
        self.sheets_in_row == 0
    }

    /// Resets all values to blank, and keeps the memory for reuse.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.sheets.clear();
        self.values.clear();
    }

    /// Returns the value of a sector on the map.
    #[inline]
    pub(crate) fn get(&self, sector: Sector) -> &T {
        self.find(sector).unwrap_or(&self.blank)
    }

    #[inline]
    fn find(&self, sector: Sector) -> Option<&T> {
        let position = PagePosition::of(sector);
        self.value(self.find_sheet(&position)?, &position)
    }

    #[inline]
    fn find_sheet(&self, position: &PagePosition) -> Option<&[u32; SHEET_PAGES]> {
        let row = position.sheet_y.checked_sub(self.first_row)?;
        let at = row * self.sheets_in_row + position.sheet_x;
        self.sheets.get(usize::from(*self.rows.get(at as usize)?))
    }

    #[inline]
    fn value(&self, sheet: &[u32; SHEET_PAGES], position: &PagePosition) -> Option<&T> {
        self.values
            .get((sheet[position.page] + position.within) as usize)
    }

    /// Returns the values of the eight sectors around a sector, in the order of
    /// [`Direction::ALL`]; all must be on the map.
    #[inline]
    pub(crate) fn around(&self, sector: Sector) -> [T; 8] {
        let inner = |at: i32| (at as u32 % SHEET_SECTORS).wrapping_sub(1) < SHEET_SECTORS - 2;
        if !inner(sector.x) || !inner(sector.y) {
            return Direction::ALL.mapped(|direction| {
                let (dx, dy) = direction.offset();
                *self.get(Sector::new(sector.x + dx, sector.y + dy))
            });
        }
        // All nine lie in one sheet, in three of its rows and columns.
        let Some(sheet) = self.find_sheet(&PagePosition::of(sector)) else {
            return [self.blank; 8];
        };
        let three = |middle: i32| {
            let all = [middle - 1, middle, middle + 1].mapped(|at| at as u32);
            all.mapped(|at| (at / PAGE_SIDE % SHEET_SIDE, at % PAGE_SIDE))
        };
        let (columns, rows) = (three(sector.x), three(sector.y));
        let at = |column: usize, row: usize| {
            let ((page_x, x), (page_y, y)) = (columns[column], rows[row]);
            let first = sheet[(page_y * SHEET_SIDE + page_x) as usize];
            let value = self.values.get((first + y * PAGE_SIDE + x) as usize);
            *value.unwrap_or(&self.blank)
        };
        [
            at(1, 0),
            at(2, 1),
            at(1, 2),
            at(0, 1),
            at(2, 0),
            at(2, 2),
            at(0, 2),
            at(0, 0),
        ]
    }

    /// Returns the value of a sector on the map for writing.
    #[inline]
    pub(crate) fn get_mut(&mut self, sector: Sector) -> &mut T {
        let position = PagePosition::of(sector);
        let first = match self.find_sheet(&position).map(|sheet| sheet[position.page]) {
            None | Some(NO_PAGE) => self.add_page(&position),
            Some(first) => first,
        };
        &mut self.values[(first + position.within) as usize]
    }

    /// Returns the sheet at a position; adds it if there is none.
    fn sheet(&mut self, position: &PagePosition) -> usize {
        self.keep_row(position.sheet_y);
        let at = (position.sheet_y - self.first_row) * self.sheets_in_row + position.sheet_x;
        let number = &mut self.rows[at as usize];
        if *number == NO_SHEET {
            *number = self.sheets.len() as u16;
            self.sheets.push([NO_PAGE; SHEET_PAGES]);
        }
        usize::from(*number)
    }

    /// Makes sure that a row of sheets is stored.
    fn keep_row(&mut self, row: u32) {
        let in_row = self.sheets_in_row as usize;
        if self.rows.is_empty() {
            self.first_row = row;
        } else if row < self.first_row {
            let more = (self.first_row - row) as usize * in_row;
            self.rows.splice(..0, std::iter::repeat_n(NO_SHEET, more));
            self.first_row = row;
        }
        let needed = (row - self.first_row + 1) as usize * in_row;
        if self.rows.len() < needed {
            self.rows.resize(needed, NO_SHEET);
        }
    }

    #[cold]
    fn add_page(&mut self, position: &PagePosition) -> u32 {
        let sheet = self.sheet(position);
        let first = self.values.len() as u32;
        self.values
            .resize((first + PAGE_SECTORS) as usize, self.blank);
        self.sheets[sheet][position.page] = first;
        first
    }

    /// Returns the next sector of the written pages, page by page, and its
    /// value; `None` after the last.
    pub(crate) fn next_written(&self, at: &mut PagesCursor) -> Option<(Sector, T)> {
        loop {
            let sheet = self.sheets.get(usize::from(*self.rows.get(at.sheet)?));
            let first = sheet.map_or(NO_PAGE, |sheet| sheet[at.page]);
            if first == NO_PAGE || at.within == PAGE_SECTORS {
                at.within = 0;
                at.page = (at.page + 1) % SHEET_PAGES;
                if at.page == 0 || sheet.is_none() {
                    at.page = 0;
                    at.sheet += 1;
                }
                continue;
            }
            let value = *self.values.get((first + at.within) as usize)?;
            let sector = self.sector_at(at);
            at.within += 1;
            return Some((sector, value));
        }
    }

    const fn sector_at(&self, at: &PagesCursor) -> Sector {
        let (sheet, page) = (at.sheet as u32, at.page as u32);
        let x = sheet % self.sheets_in_row * SHEET_SIDE + page % SHEET_SIDE;
        let y = (self.first_row + sheet / self.sheets_in_row) * SHEET_SIDE + page / SHEET_SIDE;
        let (x, y) = (x * PAGE_SIDE, y * PAGE_SIDE);
        let (column, row) = (at.within % PAGE_SIDE, at.within / PAGE_SIDE);
        Sector::new((x + column) as i32, (y + row) as i32)
    }

    /// Frees unused memory, when no writes are expected soon.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.rows.shrink_to_fit();
        self.sheets.shrink_to_fit();
        self.values.shrink_to_fit();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * size_of::<u16>()
            + self.sheets.capacity() * size_of::<[u32; SHEET_PAGES]>()
            + self.values.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn unwritten_sectors_take_no_page() {
        let extent = Extent::new(1000, 70).unwrap();
        let mut pages = SectorPages::new(extent, 7_u32);
        assert_eq!(pages.bytes(), 0);
        assert_eq!(*pages.get(Sector::new(99, 6)), 7);
        *pages.get_mut(Sector::new(99, 6)) = 8;
        *pages.get_mut(Sector::new(98, 5)) = 9;
        assert_eq!(*pages.get(Sector::new(99, 6)), 8);
        assert_eq!(*pages.get(Sector::new(98, 5)), 9);
        assert_eq!(*pages.get(Sector::new(97, 5)), 7);
        assert_eq!(*pages.get(Sector::new(0, 0)), 7);
        assert_eq!(pages.values.len(), 16, "both lie in one page");
        let bytes = pages.bytes();
        pages.clear();
        assert_eq!(*pages.get(Sector::new(99, 6)), 7);
        *pages.get_mut(Sector::new(98, 6)) = 1;
        assert_eq!(*pages.get(Sector::new(99, 6)), 7);
        assert_eq!(pages.bytes(), bytes, "the room is used again");
    }

    #[test]
    fn written_sectors_are_read_back_anywhere() {
        // From the south-east to the north-west and back, so that rows are
        // added at both ends.
        for side in [10, 330, 4000, MAX_SIDE] {
            let extent = Extent::new(side, side).unwrap();
            let mut pages = SectorPages::new(extent, 0_i32);
            let mut plain = BTreeMap::new();
            let mut state = u64::from(side);
            for turn in 1..2000 {
                let mut draw = |below: i32| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
                    ((state >> 33) % below as u64) as i32
                };
                let middle = [6, 1, 9][turn as usize % 3];
                let near =
                    |below: i32, shift: i32| (below * middle / 10 + shift).clamp(0, below - 1);
                let sector = Sector::new(
                    near(extent.columns(), draw(40)),
                    near(extent.rows(), draw(40)),
                );
                let beside = Sector::new(draw(extent.columns()), draw(extent.rows()));
                *pages.get_mut(sector) = turn;
                plain.insert(sector, turn);
                for asked in [sector, beside] {
                    assert_eq!(*pages.get(asked), plain.get(&asked).copied().unwrap_or(0));
                }
            }
            let mut at = PagesCursor::default();
            let written = std::iter::from_fn(|| pages.next_written(&mut at));
            let mut written: Vec<(Sector, i32)> =
                written.filter(|&(_, value)| value != 0).collect();
            written.sort_unstable();
            assert!(written.into_iter().eq(plain.iter().map(|(&s, &v)| (s, v))));
            let inside = |sector: &Sector| {
                let within = |at: i32, end: i32| at > 0 && at + 1 < end;
                within(sector.x, extent.columns()) && within(sector.y, extent.rows())
            };
            for (&sector, &value) in &plain {
                assert_eq!(*pages.get(sector), value, "{sector}");
                if inside(&sector) {
                    let beside = Direction::ALL.map(|direction| {
                        let (dx, dy) = direction.offset();
                        *pages.get(Sector::new(sector.x + dx, sector.y + dy))
                    });
                    assert_eq!(pages.around(sector), beside, "{sector}");
                }
            }
        }
    }

    #[test]
    fn a_short_band_takes_as_little_on_the_largest_map() {
        let bytes_on = |side: u32| {
            let mut pages = SectorPages::new(Extent::new(side, side).unwrap(), 0_u32);
            for x in 0..60 {
                *pages.get_mut(Sector::new(x + 30, 70)) = 1;
            }
            pages.bytes()
        };
        let (small, largest) = (bytes_on(1000), bytes_on(MAX_SIDE));
        assert!(small < 4000, "{small}");
        assert!(largest < small + 500, "{largest} on the largest map");
    }
}
