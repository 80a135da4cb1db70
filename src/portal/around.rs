//! A sector and its portals: what a search sees when it comes through.

use super::PortalId;
use super::id::Border;
use super::links::Links;
use super::window::{BORDER_PORTALS, BorderWindows, Window, far_slot, near_slot};
use crate::grid::{SECTOR_SIDE, Sector, Slot};
use crate::wave::{NO_WAY, STRAIGHT, octile};

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

/// Which of the places around a sector hold a portal: a bit each, five for
/// every side, in id order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places(u32);

impl Places {
    /// The places around a sector, from those that it and its northern and
    /// western neighbours own.
    pub(super) const fn around(north: OwnPlaces, west: OwnPlaces, own: OwnPlaces) -> Self {
        let north = (north.0 >> BORDER_PORTALS) as u32;
        let west = (west.0 & OwnPlaces::EAST) as u32;
        Self(north | west << BORDER_PORTALS | (own.0 as u32) << (2 * BORDER_PORTALS))
    }

    const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// How many portals there are before a place.
    const fn before(self, side: Side, place: usize) -> usize {
        let bit = 1 << (side as usize * BORDER_PORTALS + place);
        (self.0 & (bit - 1)).count_ones() as usize
    }
}

impl Iterator for Places {
    type Item = (Side, usize);

    fn next(&mut self) -> Option<(Side, usize)> {
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        let side = *Side::ALL.get(bit / BORDER_PORTALS)?;
        Some((side, bit % BORDER_PORTALS))
    }
}

/// The places with a portal on the two borders that a sector owns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OwnPlaces(u16);

impl OwnPlaces {
    const EAST: u16 = (1 << BORDER_PORTALS) - 1;

    pub(super) fn of(windows: &[BorderWindows; 2]) -> Self {
        let bits = windows.iter().flatten().enumerate();
        Self(bits.fold(0, |places, (bit, packed)| {
            places | u16::from(packed.is_window()) << bit
        }))
    }
}

/// A sector and the windows on its four sides.
pub(crate) struct Around<'a> {
    sector: Sector,
    windows: [&'a BorderWindows; 4],
    places: Places,
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
    pub(super) const fn new(
        sector: Sector,
        windows: [&'a BorderWindows; 4],
        places: Places,
        links: &'a Links,
    ) -> Self {
        Self {
            sector,
            windows,
            places,
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
        self.places.map(|(side, place)| {
            let packed = self.windows[side as usize][place];
            (side, place, packed.unpack())
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
    pub(crate) fn arrivals(&self, to: PortalId, visit: impl FnMut(Arrival)) {
        let side = Side::of(to, self.sector);
        let Some(window) = self.windows[side as usize][to.place()].window() else {
            return;
        };
        let number = self.places.before(side, to.place());
        match self.links {
            Links::Clear => {
                let row = &OPEN_GROUND[gate_place(side, window)];
                let inside = |_, side, window| Some(u32::from(row[gate_place(side, window)]));
                self.arrive(number, side.exit(window), inside, visit);
            }
            Links::Narrow(table) => {
                let row = &table[number * self.count()..][..self.count()];
                let inside = |from: usize, _, _| match row[from] {
                    u16::MAX => None,
                    cost => Some(u32::from(cost)),
                };
                self.arrive(number, side.exit(window), inside, visit);
            }
            Links::Wide(table) => {
                let row = &table[number * self.count()..][..self.count()];
                let inside = |from: usize, _, _| Some(row[from]).filter(|&cost| cost != NO_WAY);
                self.arrive(number, side.exit(window), inside, visit);
            }
        }
    }

    /// The walks to the portal numbered `to`; `inside` knows what each costs
    /// between the gates.
    fn arrive(
        &self,
        to: usize,
        exit: u32,
        inside: impl Fn(usize, Side, Window) -> Option<u32>,
        mut visit: impl FnMut(Arrival),
    ) {
        for (from, (side, place, window)) in self.windows().enumerate() {
            if from == to {
                continue;
            }
            if let Some(inside) = inside(from, side, window) {
                visit(Arrival {
                    side,
                    place,
                    step: side.place(window.gate),
                    cost: side.entry(window) + inside + exit,
                });
            }
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
    pub(super) const fn count(&self) -> usize {
        self.places.count()
    }
}

/// The place of a window's gate around its sector: ten for every side.
const fn gate_place(side: Side, window: Window) -> usize {
    side as usize * SECTOR_SIDE as usize + window.gate as usize
}

const GATE_PLACES: usize = 4 * SECTOR_SIDE as usize;

/// What the way over open ground costs between any two gates of a sector.
static OPEN_GROUND: [[u8; GATE_PLACES]; GATE_PLACES] = {
    let mut table = [[0; GATE_PLACES]; GATE_PLACES];
    let mut from = 0;
    while from < GATE_PLACES {
        let mut to = 0;
        while to < GATE_PLACES {
            table[from][to] = octile_slots(gate_slot(from), gate_slot(to)) as u8;
            to += 1;
        }
        from += 1;
    }
    table
};

const fn gate_slot(place: usize) -> Slot {
    let side = Side::ALL[place / SECTOR_SIDE as usize];
    side.slot((place % SECTOR_SIDE as usize) as u8)
}

/// The price of the way over open ground between two slots.
const fn octile_slots(a: Slot, b: Slot) -> u32 {
    octile(a.x().abs_diff(b.x()), a.y().abs_diff(b.y())) as u32
}
