//! Portals as a sector sees them: on which side, and how a walk comes through.

use super::PortalId;
use super::id::Border;
use super::window::{BORDER_PORTALS, Window, far_slot, near_slot};
use crate::cost::CostTile;
use crate::grid::{SECTOR_SIDE, Sector, Slot};
use crate::wave::{DIAGONAL, STRAIGHT, Threshold};

/// A side of a sector, as the portals on it are numbered: in id order.
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

    /// The sector that owns the border on this side of `sector`.
    pub(crate) const fn owner(self, sector: Sector) -> Sector {
        match self {
            Self::North => Sector::new(sector.x, sector.y - 1),
            Self::West => Sector::new(sector.x - 1, sector.y),
            Self::East | Self::South => sector,
        }
    }

    /// The sector on the far side.
    pub(crate) const fn beyond(self, sector: Sector) -> Sector {
        if self.is_owned() {
            self.border().beyond(sector)
        } else {
            self.owner(sector)
        }
    }

    pub(crate) const fn border(self) -> Border {
        match self {
            Self::West | Self::East => Border::East,
            Self::North | Self::South => Border::South,
        }
    }

    /// Whether a sector owns the border on this side of it.
    pub(crate) const fn is_owned(self) -> bool {
        matches!(self, Self::East | Self::South)
    }

    /// The side of `sector` on which a portal lies; it must be one of the two.
    fn of(id: PortalId, sector: Sector) -> Self {
        match (id.border(), id.owner() == sector) {
            (Border::East, true) => Self::East,
            (Border::East, false) => Self::West,
            (Border::South, true) => Self::South,
            (Border::South, false) => Self::North,
        }
    }

    /// The slot of the gate cell inside the sector.
    const fn slot(self, gate: u8) -> Slot {
        if self.is_owned() {
            near_slot(self.border(), gate)
        } else {
            far_slot(self.border(), gate)
        }
    }

    /// A portal's own place, as a step from the sector's north-west cell.
    const fn place(self, gate: u8) -> (i32, i32) {
        match self {
            Self::North => (gate as i32, -1),
            Self::West => (-1, gate as i32),
            Self::East => (SECTOR_SIDE - 1, gate as i32),
            Self::South => (gate as i32, SECTOR_SIDE - 1),
        }
    }
}

/// A portal as one of its two sectors sees it.
///
/// A portal's own place is the gate cell on its owner's side. From the other
/// side it lies just outside: a walk crosses the border between it and any
/// cell of the window that the step rule allows, straight or to one side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Port {
    pub(crate) id: PortalId,
    pub(crate) mark: Mark,
    /// From the portal's own place into the sector.
    pub(crate) entry: Threshold,
    /// From the sector to the portal's own place.
    pub(crate) exit: Threshold,
}

impl Port {
    pub(super) fn new(
        sector: Sector,
        side: Side,
        place: usize,
        window: Window,
        tile: &CostTile,
    ) -> Self {
        let near_cost = u32::from(window.near_cost);
        let exit_cost = |slot: Slot| u32::from(tile.costs()[slot.index()]);
        Self {
            id: PortalId::new(side.owner(sector), side.border(), place),
            mark: Mark::new(side, place, window.gate),
            entry: threshold(side, window, |_| near_cost),
            exit: threshold(side, window, exit_cost),
        }
    }

    /// Whether walks over open ground come through in all directions, at open
    /// ground's price.
    pub(super) fn is_free(&self) -> bool {
        let all_ways = Side::ALL[self.mark.side()].is_owned() || self.entry.steps().len() == 3;
        all_ways && self.entry.steps()[0].1 <= STRAIGHT
    }
}

/// The ways between a portal's own place and a sector; `cost` tells that of the
/// cell left, by the slot on the sector's side.
fn threshold(side: Side, window: Window, cost: impl Fn(Slot) -> u32) -> Threshold {
    let gate = side.slot(window.gate);
    if side.is_owned() {
        return Threshold::at(gate);
    }
    let mut threshold = Threshold::over(gate, cost(gate) * STRAIGHT);
    let beside = [
        (window.gate > window.start).then(|| window.gate - 1),
        (window.gate + 1 < window.start + window.length).then_some(window.gate + 1),
    ];
    for along in beside.into_iter().flatten() {
        let slot = side.slot(along);
        threshold = threshold.or(slot, cost(slot) * DIAGONAL);
    }
    threshold
}

/// What a search wants to know of a portal around a sector, in one word: on
/// which side it lies, its place there, and where its gate is.
///
/// ```text
///   bits  13 12    11 … 8            7 … 4   3 … 0
///         side     place among its   own place, as a step from the sector's
///                  owner's portals   north-west cell: y + 1, x + 1
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u16);

impl Mark {
    const Y: u32 = 4;
    const LOCAL: u32 = 8;
    const SIDE: u32 = 12;

    pub(super) const fn new(side: Side, place: usize, gate: u8) -> Self {
        let (x, y) = side.place(gate);
        let local = side.border() as usize * BORDER_PORTALS + place;
        Self(
            (side as u16) << Self::SIDE
                | (local as u16) << Self::LOCAL
                | ((y + 1) as u16) << Self::Y
                | (x + 1) as u16,
        )
    }

    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    #[inline]
    pub(super) const fn of_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// The mark of a portal of a sector, but for where its gate is.
    #[inline]
    pub(crate) fn of(id: PortalId, sector: Sector) -> Self {
        Self::new(Side::of(id, sector), id.place(), 0)
    }

    /// The number of its place among those around the sector: the sides in
    /// their order, five places each.
    #[inline]
    pub(super) const fn number(self) -> usize {
        let along = self.local() - Side::ALL[self.side()].border() as usize * BORDER_PORTALS;
        self.side() * BORDER_PORTALS + along
    }

    /// The number of its side.
    #[inline]
    pub(crate) const fn side(self) -> usize {
        (self.0 >> Self::SIDE & 3) as usize
    }

    /// The portal's place among its owner's two borders.
    #[inline]
    pub(crate) const fn local(self) -> usize {
        (self.0 >> Self::LOCAL & 15) as usize
    }

    /// The portal's own place, as a step from the sector's north-west cell.
    #[inline]
    pub(crate) const fn step(self) -> (i32, i32) {
        let (x, y) = (self.0 & 15, self.0 >> Self::Y & 15);
        (x as i32 - 1, y as i32 - 1)
    }

    /// The portal with this mark around a sector.
    pub(crate) const fn id(self, sector: Sector) -> PortalId {
        PortalId::owned(Side::ALL[self.side()].owner(sector), self.local())
    }
}
