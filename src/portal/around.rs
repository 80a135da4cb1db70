//! A sector and its portals: what a search sees when it comes through.

use super::PortalId;
use super::id::Border;
use super::links::Links;
use super::window::{BORDER_PORTALS, BorderWindows, Window, far_slot, near_slot};
use crate::grid::{SECTOR_SIDE, Sector, Slot};
use crate::wave::{STRAIGHT, octile};

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
    const ALL: [Self; 4] = [Self::North, Self::West, Self::East, Self::South];

    /// The sector that owns the border on this side of `sector`.
    pub(crate) const fn owner(self, sector: Sector) -> Sector {
        match self {
            Self::North => Sector::new(sector.x, sector.y - 1),
            Self::West => Sector::new(sector.x - 1, sector.y),
            Self::East | Self::South => sector,
        }
    }

    pub(crate) const fn border(self) -> Border {
        match self {
            Self::West | Self::East => Border::East,
            Self::North | Self::South => Border::South,
        }
    }

    /// Whether a sector owns the border on this side of it.
    const fn is_owned(self) -> bool {
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

    /// The price of the step from the portal's own place into the sector.
    const fn entry(self, window: Window) -> u32 {
        if self.is_owned() {
            0
        } else {
            window.near_cost as u32 * STRAIGHT
        }
    }

    /// The price of the step from the sector to the portal's own place.
    const fn exit(self, window: Window) -> u32 {
        if self.is_owned() {
            0
        } else {
            window.far_cost as u32 * STRAIGHT
        }
    }
}

/// A portal as one of its two sectors sees it.
///
/// A portal's own place is the gate cell on its owner's side; `entry` and
/// `exit` are the price of the step between that cell and `slot`, where they
/// differ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Port {
    pub(crate) id: PortalId,
    /// The gate's cell in this sector.
    pub(crate) slot: Slot,
    /// From the portal's own place into this sector.
    pub(crate) entry: u32,
    /// From this sector to the portal's own place.
    pub(crate) exit: u32,
}

/// A sector and the windows on its four sides.
pub(crate) struct Around<'a> {
    sector: Sector,
    windows: [BorderWindows; 4],
    links: &'a Links,
}

/// One end of a walk through a sector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    /// The side on which the walk begins.
    pub(crate) side: Side,
    /// Place of the portal along that side's border.
    pub(crate) place: usize,
    /// The portal's own place, as a step from the sector's north-west cell.
    pub(crate) step: (i32, i32),
    /// Price of the walk.
    pub(crate) cost: u32,
}

impl<'a> Around<'a> {
    /// A sector with the windows on its northern, western, eastern and southern
    /// side.
    pub(super) const fn new(sector: Sector, windows: [BorderWindows; 4], links: &'a Links) -> Self {
        Self {
            sector,
            windows,
            links,
        }
    }

    /// The portal at which a walk begins.
    pub(super) const fn id(&self, arrival: Arrival) -> PortalId {
        PortalId::new(
            arrival.side.owner(self.sector),
            arrival.side.border(),
            arrival.place,
        )
    }

    /// The windows in id order, with their sides and places.
    fn windows(&self) -> impl Iterator<Item = (Side, usize, Window)> {
        Side::ALL.into_iter().flat_map(move |side| {
            let windows = self.windows[side as usize];
            (0..BORDER_PORTALS)
                .filter_map(move |place| windows[place].window().map(|w| (side, place, w)))
        })
    }

    /// The portals in id order.
    pub(crate) fn ports(&self) -> impl Iterator<Item = Port> {
        self.windows().map(|(side, place, window)| Port {
            id: PortalId::new(side.owner(self.sector), side.border(), place),
            slot: side.slot(window.gate),
            entry: side.entry(window),
            exit: side.exit(window),
        })
    }

    /// Tells `visit` every walk through the sector that ends at the portal
    /// `to`, which is one of its own, by the portal at which it begins.
    pub(crate) fn arrivals(&self, to: PortalId, mut visit: impl FnMut(Arrival)) {
        let to_side = Side::of(to, self.sector);
        let Some(to_window) = self.windows[to_side as usize][to.place()].window() else {
            return;
        };
        let exit = to_side.exit(to_window);
        let to_slot = to_side.slot(to_window.gate);
        let row = match self.links {
            Links::Clear => None,
            links => Some(links.row(self.number(to_side, to.place()), self.count())),
        };
        for (from, (side, place, window)) in self.windows().enumerate() {
            let inside = match &row {
                None => octile_slots(side.slot(window.gate), to_slot),
                Some(row) => match row.get(from) {
                    Some(cost) => cost,
                    None => continue,
                },
            };
            if side == to_side && place == to.place() {
                continue;
            }
            visit(Arrival {
                side,
                place,
                step: side.place(window.gate),
                cost: side.entry(window) + inside + exit,
            });
        }
    }

    /// The walks through the sector that begin at the portal `from`.
    pub(super) fn departures(&self, from: PortalId, walks: &mut Vec<(PortalId, u32)>) {
        for port in self.ports().filter(|port| port.id != from) {
            self.arrivals(port.id, |arrival| {
                if self.id(arrival) == from {
                    walks.push((port.id, arrival.cost));
                }
            });
        }
    }

    /// How many portals lie around the sector.
    pub(super) fn count(&self) -> usize {
        self.windows
            .iter()
            .flatten()
            .filter(|packed| packed.is_window())
            .count()
    }

    /// The number of a portal among them.
    fn number(&self, side: Side, place: usize) -> usize {
        let before = side as usize * BORDER_PORTALS + place;
        let all = self.windows.iter().flatten();
        all.take(before).filter(|packed| packed.is_window()).count()
    }
}

/// The price of the way over open ground between two slots.
const fn octile_slots(a: Slot, b: Slot) -> u32 {
    octile(a.x().abs_diff(b.x()), a.y().abs_diff(b.y())) as u32
}
