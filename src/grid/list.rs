//! A list of values by sector, for data of few sectors.

use super::{Extent, Sector, SectorPages};

const NOT_LISTED: u32 = u32::MAX;

/// Values of some sectors, in insertion order, found by sector.
///
/// A look-up takes the same few loads whatever the number of values.
#[derive(Clone, Debug)]
pub(crate) struct SectorList<T> {
    values: Vec<T>,
    indices: SectorPages<u32>,
}

impl<T> SectorList<T> {
    pub(crate) const fn new(extent: Extent) -> Self {
        Self {
            values: Vec::new(),
            indices: SectorPages::new(extent, NOT_LISTED),
        }
    }

    #[inline]
    pub(crate) const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns the value of a sector on the map, if it is in the list.
    #[inline]
    pub(crate) fn get(&self, sector: Sector) -> Option<&T> {
        self.values.get(*self.indices.get(sector) as usize)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, sector: Sector) -> Option<&mut T> {
        self.values.get_mut(*self.indices.get(sector) as usize)
    }

    /// Returns the values of the eight sectors around a sector, in the order of
    /// [`Direction::ALL`](super::Direction::ALL); all must be on the map.
    #[inline]
    pub(crate) fn around(&self, sector: Sector) -> [Option<&T>; 8] {
        self.indices
            .around(sector)
            .map(|index| self.values.get(index as usize))
    }

    /// Adds a sector on the map that is not in the list.
    pub(crate) fn push(&mut self, sector: Sector, value: T) {
        let index = self.indices.get_mut(sector);
        debug_assert_eq!(*index, NOT_LISTED, "{sector} comes twice");
        *index = self.values.len() as u32;
        self.values.push(value);
    }

    /// Removes the last value; `sector` returns the sector it belongs to.
    pub(crate) fn pop(&mut self, sector: impl FnOnce(&T) -> Sector) -> Option<T> {
        let last = self.values.pop()?;
        *self.indices.get_mut(sector(&last)) = NOT_LISTED;
        Some(last)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<T>() + self.indices.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::draws;
    use crate::grid::Direction;

    #[test]
    fn values_are_found_by_sector_and_kept_in_sequence() {
        let mut draw = draws(3);
        let mut list = SectorList::new(Extent::new(400, 700).unwrap());
        let whose = |plain: &[(Sector, u32)], value: u32| {
            let last = plain.last().filter(|&&(_, last)| last == value);
            last.expect("the last comes first").0
        };
        // One plain list, used three times: removed values are gone.
        for _ in 0..3 {
            let mut plain: Vec<(Sector, u32)> = Vec::new();
            for value in 0..600 {
                let sector = Sector::new(1 + draw(38) as i32, 1 + draw(68) as i32);
                match plain.iter_mut().find(|(other, _)| *other == sector) {
                    Some((_, known)) => {
                        *known += value;
                        *list.get_mut(sector).expect("it is listed") += value;
                    }
                    None => {
                        assert!(list.get_mut(sector).is_none());
                        plain.push((sector, value));
                        list.push(sector, value);
                    }
                }
                let find = |sector| {
                    plain
                        .iter()
                        .find(|(other, _)| *other == sector)
                        .map(|(_, v)| v)
                };
                let asked = Sector::new(1 + draw(38) as i32, 1 + draw(68) as i32);
                assert_eq!(list.get(asked), find(asked));
                let beside = Direction::ALL.map(|way| {
                    let (dx, dy) = way.offset();
                    find(Sector::new(asked.x + dx, asked.y + dy))
                });
                assert_eq!(list.around(asked), beside);
            }
            while let Some(value) = list.pop(|value| whose(&plain, *value)) {
                assert_eq!(plain.pop().map(|(_, value)| value), Some(value));
            }
            assert!(list.is_empty());
            assert!(plain.is_empty());
        }
    }
}
