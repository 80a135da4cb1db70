use super::{Extent, Sector};

/// Sectors of one page along each side.
const PAGE_SIDE: usize = 4;
const PAGE_SECTORS: usize = PAGE_SIDE * PAGE_SIDE;
const NO_PAGE: u32 = u32::MAX;

/// A value for each sector, in memory only where it was written: a table of
/// pages of 4×4 sectors.
///
/// An order touches a thin band of a huge map. Two loads reach any sector's
/// value, and what is never written costs a word for each sixteen sectors.
#[derive(Clone, Debug)]
pub(crate) struct SectorPages<T> {
    pages_in_row: usize,
    /// Where each page begins among the values.
    table: Vec<u32>,
    values: Vec<T>,
    /// What an unwritten sector holds.
    blank: T,
}

impl<T: Copy> SectorPages<T> {
    pub(crate) fn new(extent: Extent, blank: T) -> Self {
        let pages_in_row = (extent.columns() as usize).div_ceil(PAGE_SIDE);
        let rows = (extent.rows() as usize).div_ceil(PAGE_SIDE);
        Self {
            pages_in_row,
            table: vec![NO_PAGE; pages_in_row * rows],
            values: Vec::new(),
            blank,
        }
    }

    /// Pages for no sectors.
    pub(crate) const fn none(blank: T) -> Self {
        Self {
            pages_in_row: 0,
            table: Vec::new(),
            values: Vec::new(),
            blank,
        }
    }

    pub(crate) const fn is_none(&self) -> bool {
        self.pages_in_row == 0
    }

    #[inline]
    fn place(&self, sector: Sector) -> (usize, u32) {
        const SIDE: u32 = PAGE_SIDE as u32;
        let (x, y) = (sector.x as u32, sector.y as u32);
        (
            (y / SIDE) as usize * self.pages_in_row + (x / SIDE) as usize,
            y % SIDE * SIDE + x % SIDE,
        )
    }

    /// The value of a sector on the map.
    #[inline]
    pub(crate) fn get(&self, sector: Sector) -> &T {
        let (page, within) = self.place(sector);
        match self.table[page] {
            NO_PAGE => &self.blank,
            first => &self.values[(first + within) as usize],
        }
    }

    /// The value of a sector on the map, to write to.
    pub(crate) fn get_mut(&mut self, sector: Sector) -> &mut T {
        let (page, within) = self.place(sector);
        let first = match self.table[page] {
            NO_PAGE => self.add(page),
            first => first,
        };
        &mut self.values[(first + within) as usize]
    }

    #[cold]
    fn add(&mut self, page: usize) -> u32 {
        let first = self.values.len() as u32;
        self.values
            .resize(first as usize + PAGE_SECTORS, self.blank);
        self.table[page] = first;
        first
    }

    /// Makes all blank again, and keeps the room.
    pub(crate) fn clear(&mut self) {
        if !self.values.is_empty() {
            self.table.fill(NO_PAGE);
            self.values.clear();
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.table.capacity() * size_of::<u32>() + self.values.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_written_takes_a_page() {
        let extent = Extent::new(1000, 70).unwrap();
        let mut pages = SectorPages::new(extent, 7_u32);
        let empty = pages.bytes();
        assert_eq!(*pages.get(Sector::new(99, 6)), 7);
        assert_eq!(pages.bytes(), empty);
        *pages.get_mut(Sector::new(99, 6)) = 1;
        *pages.get_mut(Sector::new(98, 6)) += 1;
        assert_eq!(*pages.get(Sector::new(99, 6)), 1);
        assert_eq!(*pages.get(Sector::new(98, 6)), 8);
        assert_eq!(*pages.get(Sector::new(97, 6)), 7);
        assert_eq!(pages.values.len(), PAGE_SECTORS);
    }
}
