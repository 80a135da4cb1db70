//! Portal slots: the places around a sector at which a portal can be.

use super::PortalId;
use super::id::{BORDER_PORTALS, Border};
use super::window::{BorderWindows, far_slot, near_slot};
use crate::grid::{Extent, SECTOR_SIDE, Sector, Slot};

/// A side of a sector. The numbers follow the order of the portals' ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Side {
    North = 0,
    West = 1,
    East = 2,
    South = 3,
}

impl Side {
    pub(crate) const ALL: [Self; 4] = [Self::North, Self::West, Self::East, Self::South];

    /// Returns the sector that owns the border on this side of `sector`.
    pub(crate) const fn owner(self, sector: Sector) -> Sector {
        match self {
            Self::North => Sector::new(sector.x, sector.y - 1),
            Self::West => Sector::new(sector.x - 1, sector.y),
            Self::East | Self::South => sector,
        }
    }

    pub(crate) const fn beyond(self, sector: Sector) -> Sector {
        if self.is_owned() {
            self.border().beyond(sector)
        } else {
            self.owner(sector)
        }
    }

    pub(crate) const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::West => Self::East,
            Self::East => Self::West,
            Self::South => Self::North,
        }
    }

    pub(crate) const fn border(self) -> Border {
        match self {
            Self::West | Self::East => Border::East,
            Self::North | Self::South => Border::South,
        }
    }

    /// Whether the sector itself owns the border on this side.
    pub(crate) const fn is_owned(self) -> bool {
        matches!(self, Self::East | Self::South)
    }

    /// Returns the side of `sector` on which a portal lies. The portal must be
    /// one of the sector's.
    #[inline]
    fn of(id: PortalId, sector: Sector) -> Self {
        match (id.border(), id.owner() == sector) {
            (Border::East, true) => Self::East,
            (Border::East, false) => Self::West,
            (Border::South, true) => Self::South,
            (Border::South, false) => Self::North,
        }
    }

    /// Returns the slot of the crossing cell inside the sector.
    #[inline]
    pub(super) const fn slot(self, crossing: u8) -> Slot {
        if self.is_owned() {
            near_slot(self.border(), crossing)
        } else {
            far_slot(self.border(), crossing)
        }
    }

    /// Returns a portal's own cell, as a step from the sector's north-west
    /// cell.
    #[inline]
    pub(super) const fn own_cell(self, crossing: u8) -> (i32, i32) {
        match self {
            Self::North => (crossing as i32, -1),
            Self::West => (-1, crossing as i32),
            Self::East => (SECTOR_SIDE - 1, crossing as i32),
            Self::South => (crossing as i32, SECTOR_SIDE - 1),
        }
    }
}

/// Returns a sector and its neighbours on the map: all sectors whose in-sector
/// costs an edit in the sector can change.
pub(crate) fn with_neighbours(extent: Extent, sector: Sector) -> impl Iterator<Item = Sector> {
    let beside = Side::ALL.into_iter().map(move |side| side.beyond(sector));
    std::iter::once(sector)
        .chain(beside)
        .filter(move |&sector| extent.sector_id(sector).is_some())
}

/// A place around a sector at which a portal can be, as a number: first by
/// side, then by the offset along the side. So portal slots are ordered as the
/// portals' ids are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PortalSlot(u8);

pub(crate) const PORTAL_SLOTS: usize = 4 * BORDER_PORTALS;

impl PortalSlot {
    /// Returns the portal slot with a number below [`PORTAL_SLOTS`].
    #[inline]
    pub(crate) const fn of_number(number: u32) -> Self {
        Self(number as u8)
    }

    #[inline]
    pub(crate) const fn new(side: Side, offset: usize) -> Self {
        Self((side as usize * BORDER_PORTALS + offset) as u8)
    }

    /// Returns the portal slot of a portal as one of its two sectors sees it.
    #[inline]
    pub(crate) fn of(id: PortalId, sector: Sector) -> Self {
        Self::new(Side::of(id, sector), id.offset())
    }

    #[inline]
    pub(crate) const fn number(self) -> u32 {
        self.0 as u32
    }

    /// Returns the offset along the side.
    #[inline]
    pub(super) const fn offset(self) -> usize {
        self.0 as usize - self.side() as usize * BORDER_PORTALS
    }

    #[inline]
    pub(crate) const fn side(self) -> Side {
        const SIDES: [Side; 32] = {
            let mut sides = [Side::South; 32];
            let mut portal_slot = 0;
            while portal_slot < PORTAL_SLOTS {
                sides[portal_slot] = Side::ALL[portal_slot / BORDER_PORTALS];
                portal_slot += 1;
            }
            sides
        };
        SIDES[(self.0 & 31) as usize]
    }

    /// Returns the same place, as the sector on the far side sees it.
    #[inline]
    pub(crate) const fn beyond(self) -> Self {
        const TO_OPPOSITE: [i8; 4] = {
            let along = BORDER_PORTALS as i8;
            [3 * along, along, -along, -3 * along]
        };
        Self(
            self.0
                .wrapping_add_signed(TO_OPPOSITE[self.side() as usize]),
        )
    }

    #[inline]
    pub(crate) const fn id(self, sector: Sector) -> PortalId {
        let side = self.side();
        PortalId::new(side.owner(sector), side.border(), self.offset())
    }
}

/// The portal slots around a sector that hold a portal.
///
/// A portal's rank among them is its *lane*, both in the sector's table of
/// in-sector costs and in what a search keeps of the sector. The number of
/// lanes is rounded up to whole vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PortalSlots(u32);

/// Lanes are padded to a multiple of this.
pub(crate) const VECTOR: usize = 4;

impl PortalSlots {
    pub(crate) const EMPTY: Self = Self(0);

    /// Returns a bit for each portal slot.
    pub(super) const fn bits(self) -> u32 {
        self.0
    }

    pub(crate) const LANES_MAX: usize = PORTAL_SLOTS.next_multiple_of(VECTOR);

    /// Returns the portal slots around a sector, given those on the borders of
    /// its northern neighbour, of its western neighbour and of the sector
    /// itself.
    pub(super) const fn around(north: OwnedSlots, west: OwnedSlots, own: OwnedSlots) -> Self {
        let north = (north.0 >> BORDER_PORTALS) as u32;
        let west = (west.0 & OwnedSlots::EAST) as u32;
        Self(north | west << BORDER_PORTALS | (own.0 as u32) << (2 * BORDER_PORTALS))
    }

    #[inline]
    pub(crate) const fn has(self, portal_slot: PortalSlot) -> bool {
        self.0 & 1 << portal_slot.0 != 0
    }

    #[inline]
    pub(crate) const fn with(self, portal_slot: PortalSlot) -> Self {
        Self(self.0 | 1 << portal_slot.0)
    }

    /// Returns those on one side.
    #[inline]
    pub(crate) const fn on(self, side: Side) -> Self {
        const SIDE: u32 = (1 << BORDER_PORTALS) - 1;
        Self(self.0 & SIDE << (side as usize * BORDER_PORTALS))
    }

    #[inline]
    pub(crate) const fn lane(self, portal_slot: PortalSlot) -> usize {
        (self.0 & ((1 << portal_slot.0) - 1)).count_ones() as usize
    }

    #[inline]
    pub(crate) const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub(crate) const fn lanes(self) -> usize {
        self.count().next_multiple_of(VECTOR)
    }
}

impl Iterator for PortalSlots {
    type Item = PortalSlot;

    #[inline]
    fn next(&mut self) -> Option<PortalSlot> {
        let portal_slot = PortalSlot(self.0.trailing_zeros() as u8);
        self.0 &= self.0.wrapping_sub(1);
        (usize::from(portal_slot.0) < PORTAL_SLOTS).then_some(portal_slot)
    }
}

/// The portal slots with a portal on the two borders that a sector owns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OwnedSlots(u16);

impl OwnedSlots {
    const EAST: u16 = (1 << BORDER_PORTALS) - 1;

    pub(super) const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    pub(super) fn of(windows: &[BorderWindows; 2]) -> Self {
        let mut portal_slots = 0;
        for (border, windows) in windows.iter().enumerate() {
            for (at, packed) in windows.iter().enumerate() {
                let bit = border * windows.len() + at;
                portal_slots |= u16::from(packed.is_window()) << bit;
            }
        }
        Self(portal_slots)
    }
}
