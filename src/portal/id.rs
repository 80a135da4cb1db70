//! Portal ids: numbers that stay the same through edits.

use std::fmt;

use crate::grid::{SECTOR_SIDE, Sector};

/// The most portals that one border can have. Two windows never start at
/// neighbouring cells, so half the start is a different number for each.
pub(crate) const BORDER_PORTALS: usize = SECTOR_SIDE as usize / 2;

/// One of the two borders that a sector owns: with its eastern and with its
/// southern neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum Border {
    East = 0,
    South = 1,
}

impl Border {
    /// Returns the sector on the far side of this border of `sector`.
    pub(crate) const fn beyond(self, sector: Sector) -> Sector {
        match self {
            Self::East => Sector::new(sector.x + 1, sector.y),
            Self::South => Sector::new(sector.x, sector.y + 1),
        }
    }
}

/// The id of a portal: its border, and its offset along that border.
///
/// The offset is half the column or row at which the window begins, so the id depends
/// on nothing else. An edit changes it only if the edit lies in one of the
/// portal's two sectors and moves the start of the window. An id names a place
/// and not a shape: after an edit a window may be longer, or begin one cell
/// later, and keep its id.
///
/// Ids are ordered by sector (row by row), border (east before south) and
/// offset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortalId(u32);

// Twice 13 bits for the sector, one for the border, three for the offset.
const OFFSET_BITS: u32 = 3;
const X_SHIFT: u32 = OFFSET_BITS + 1;
const AXIS_BITS: u32 = 13;
const Y_SHIFT: u32 = X_SHIFT + AXIS_BITS;
const _: () = assert!(crate::grid::MAX_SIDE.div_ceil(10) <= 1 << AXIS_BITS);
const _: () = assert!(BORDER_PORTALS <= 1 << OFFSET_BITS);
const _: () = assert!(Y_SHIFT + AXIS_BITS <= 31, "one bit is left to spare");

impl PortalId {
    pub(crate) const fn new(sector: Sector, border: Border, offset: usize) -> Self {
        Self(
            (sector.y as u32) << Y_SHIFT
                | (sector.x as u32) << X_SHIFT
                | (border as u32) << OFFSET_BITS
                | offset as u32,
        )
    }

    /// Returns the portal at an offset among the two borders of its owner: the
    /// inverse of [`local`](Self::local).
    pub(crate) const fn owned(sector: Sector, local: usize) -> Self {
        let south = local >= BORDER_PORTALS;
        let border = if south { Border::South } else { Border::East };
        let offset = if south { local - BORDER_PORTALS } else { local };
        Self::new(sector, border, offset)
    }

    /// Returns the number, which is as stable as the id and ordered in the same
    /// way.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Returns the id with this number. Every number makes an id;
    /// [`PortalGraph::portal`](super::PortalGraph::portal) returns whether that
    /// portal exists.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// Returns the sector that owns the border: the western or northern one of
    /// the two.
    pub(crate) const fn owner(self) -> Sector {
        Sector::new(
            (self.0 >> X_SHIFT & ((1 << AXIS_BITS) - 1)) as i32,
            (self.0 >> Y_SHIFT) as i32,
        )
    }

    /// Returns the two sectors that the portal joins: the owner and the one
    /// beyond the border.
    pub(crate) const fn sectors(self) -> [Sector; 2] {
        let owner = self.owner();
        [owner, self.border().beyond(owner)]
    }

    pub(crate) const fn border(self) -> Border {
        if self.0 >> OFFSET_BITS & 1 == 0 {
            Border::East
        } else {
            Border::South
        }
    }

    /// Returns the offset along the border. It is below [`BORDER_PORTALS`] for
    /// portals that exist.
    pub(crate) const fn offset(self) -> usize {
        (self.0 & ((1 << OFFSET_BITS) - 1)) as usize
    }

    /// Returns the portal's offset among the two borders of its owner.
    pub(crate) const fn local(self) -> usize {
        self.border() as usize * BORDER_PORTALS + self.offset()
    }
}

impl fmt::Display for PortalId {
    /// Writes the owner's column and row, the border and the offset: `12.7e0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sector { x, y } = self.owner();
        let border = match self.border() {
            Border::East => 'e',
            Border::South => 's',
        };
        write!(f, "{x}.{y}{border}{}", self.offset())
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
    fn an_id_holds_its_offset_on_the_largest_map() {
        let corner = Sector::new(6553, 6553);
        let id = PortalId::new(corner, Border::South, 4);
        assert_eq!(
            (id.owner(), id.border(), id.offset(), id.local()),
            (corner, Border::South, 4, 9)
        );
        assert!(PortalId::new(corner, Border::East, 4) < id);
        assert_eq!(id.to_string(), "6553.6553s4");
    }
}
