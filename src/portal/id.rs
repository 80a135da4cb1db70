use std::fmt;

use crate::grid::{SECTOR_SIDE, Sector};

/// The most portals that one border can have. Two windows never start at
/// neighbouring cells, so that start / 2 numbers them.
pub(crate) const BORDER_PORTALS: usize = SECTOR_SIDE as usize / 2;

/// A side of a sector that it owns as a border: with its eastern or its
/// southern neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Border {
    East = 0,
    South = 1,
}

impl Border {
    /// The sector on the far side of this border of `sector`.
    pub(crate) const fn beyond(self, sector: Sector) -> Sector {
        match self {
            Self::East => Sector::new(sector.x + 1, sector.y),
            Self::South => Sector::new(sector.x, sector.y + 1),
        }
    }
}

/// A portal's number: the border it lies on and its place along it.
///
/// The number is a function of the place alone: of the border, and of half the
/// position at which the window begins. An edit in other sectors than the two
/// that the portal joins never changes it, nor does one that leaves the start
/// of the window where it was. An id names a place and not a shape: after an
/// edit a window may be longer, or begin one cell later, and keep its id.
///
/// Numbers are ordered by sector (row by row), border (east before south) and
/// place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortalId(u32);

// Twice 13 bits for the sector, one for the border, three for the place.
const PLACE_BITS: u32 = 3;
const X_SHIFT: u32 = PLACE_BITS + 1;
const AXIS_BITS: u32 = 13;
const Y_SHIFT: u32 = X_SHIFT + AXIS_BITS;
const _: () = assert!(crate::grid::MAX_SIDE.div_ceil(10) <= 1 << AXIS_BITS);
const _: () = assert!(BORDER_PORTALS <= 1 << PLACE_BITS);
const _: () = assert!(Y_SHIFT + AXIS_BITS <= 31, "one bit is left to spare");

impl PortalId {
    pub(crate) const fn new(sector: Sector, border: Border, place: usize) -> Self {
        Self(
            (sector.y as u32) << Y_SHIFT
                | (sector.x as u32) << X_SHIFT
                | (border as u32) << PLACE_BITS
                | place as u32,
        )
    }

    /// The portal at a place among its owner's two borders: the inverse of
    /// [`local`](Self::local).
    pub(crate) const fn owned(sector: Sector, local: usize) -> Self {
        let south = local >= BORDER_PORTALS;
        let border = if south { Border::South } else { Border::East };
        let place = if south { local - BORDER_PORTALS } else { local };
        Self::new(sector, border, place)
    }

    /// The number itself: stable, ordered as the ids are.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// The id with this number. Any number is taken; whether there is such a
    /// portal is asked of the graph.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The sector that owns the border: the western or northern of the two.
    pub(crate) const fn owner(self) -> Sector {
        Sector::new(
            (self.0 >> X_SHIFT & ((1 << AXIS_BITS) - 1)) as i32,
            (self.0 >> Y_SHIFT) as i32,
        )
    }

    /// The two sectors it joins: the owner and the one beyond the border.
    pub(crate) const fn sectors(self) -> [Sector; 2] {
        let owner = self.owner();
        [owner, self.border().beyond(owner)]
    }

    pub(crate) const fn border(self) -> Border {
        if self.0 >> PLACE_BITS & 1 == 0 {
            Border::East
        } else {
            Border::South
        }
    }

    /// The place along the border, below [`BORDER_PORTALS`] for a real portal.
    pub(crate) const fn place(self) -> usize {
        (self.0 & ((1 << PLACE_BITS) - 1)) as usize
    }

    /// The portal's place among its owner's two borders.
    pub(crate) const fn local(self) -> usize {
        self.border() as usize * BORDER_PORTALS + self.place()
    }
}

impl fmt::Display for PortalId {
    /// Owner's column and row, border, place: `12.7e0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sector { x, y } = self.owner();
        let border = match self.border() {
            Border::East => 'e',
            Border::South => 's',
        };
        write!(f, "{x}.{y}{border}{}", self.place())
    }
}

impl fmt::Debug for PortalId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PortalId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_holds_its_place_on_the_largest_map() {
        let corner = Sector::new(6553, 6553);
        let id = PortalId::new(corner, Border::South, 4);
        assert_eq!(
            (id.owner(), id.border(), id.place(), id.local()),
            (corner, Border::South, 4, 9)
        );
        assert!(PortalId::new(corner, Border::East, 4) < id);
        assert_eq!(id.to_string(), "6553.6553s4");
    }
}
