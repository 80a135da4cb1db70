//! A sector and its portals: what a search sees when it comes through.

use super::PortalId;
use super::id::Border;
use super::links::{Entry, Links, Table};
use super::window::{BORDER_PORTALS, BorderWindows, Window, far_slot, near_slot};
use crate::grid::{SECTOR_SIDE, Sector, Slot};
use crate::wave::{DIAGONAL, NO_WAY, STRAIGHT, octile};

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

    /// The sector on the far side.
    const fn beyond(self, sector: Sector) -> Sector {
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
    pub(crate) mark: Mark,
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

/// A gate, seen from one of its sectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) here: Slot,
    pub(super) there: Slot,
    /// The sector of `there`.
    pub(super) beyond: Sector,
}

/// Which side of a sector a portal lies on, its place along that border, and
/// where its gate is: what a search wants to know of it, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u16);

impl Mark {
    const PLACE: u32 = 4;
    const SIDE: u32 = 7;

    #[inline]
    const fn new(side: Side, place: usize, gate: u8) -> Self {
        Self((side as u16) << Self::SIDE | (place as u16) << Self::PLACE | gate as u16)
    }

    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    #[inline]
    pub(super) const fn of_bits(bits: u16) -> Self {
        Self(bits)
    }

    #[inline]
    pub(crate) const fn side(self) -> Side {
        Side::ALL[(self.0 >> Self::SIDE & 3) as usize]
    }

    /// The place along the border.
    #[inline]
    const fn place(self) -> usize {
        (self.0 >> Self::PLACE & 7) as usize
    }

    /// The portal's place among its owner's two borders.
    #[inline]
    pub(crate) const fn local(self) -> usize {
        self.side().border() as usize * BORDER_PORTALS + self.place()
    }

    /// The portal's own place, as a step from the sector's north-west cell.
    #[inline]
    pub(crate) const fn step(self) -> (i32, i32) {
        self.side().place((self.0 & 15) as u8)
    }

    /// The portal with this mark around a sector.
    #[inline]
    pub(crate) const fn id(self, sector: Sector) -> PortalId {
        let side = self.side();
        PortalId::new(side.owner(sector), side.border(), self.place())
    }
}

/// A walk through a sector: the portal at which it begins, and its price.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) from: Mark,
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
            mark: Mark::new(side, place, window.gate),
            slot: side.slot(window.gate),
            entry: side.entry(window),
            exit: side.exit(window),
        })
    }

    /// The gates, as ways out of the sector.
    pub(super) fn gates(&self) -> impl Iterator<Item = Gate> {
        self.windows().map(|(side, _, window)| {
            let near = near_slot(side.border(), window.gate);
            let far = far_slot(side.border(), window.gate);
            let (here, there) = if side.is_owned() {
                (near, far)
            } else {
                (far, near)
            };
            Gate {
                here,
                there,
                beyond: side.beyond(self.sector),
            }
        })
    }

    /// Tells `visit` every walk through the sector that ends at the portal
    /// `to`, which is one of its own, by the portal at which it begins.
    #[inline]
    pub(crate) fn arrivals(&self, to: PortalId, visit: impl FnMut(Arrival)) {
        let side = Side::of(to, self.sector);
        let Some(window) = self.windows[side as usize][to.place()].window() else {
            return;
        };
        let number = self.places.before(side, to.place());
        match self.links {
            Links::Clear => self.arrive_over_open_ground(number, End::new(side, window), visit),
            Links::Narrow(table) => arrive(table, number, visit),
            Links::Wide(table) => arrive(table, number, visit),
        }
    }

    /// The walks over open ground to the portal numbered `number`.
    fn arrive_over_open_ground(&self, number: usize, end: End, mut visit: impl FnMut(Arrival)) {
        for (from, (side, place, window)) in self.windows().enumerate() {
            if from != number {
                visit(Arrival {
                    from: Mark::new(side, place, window.gate),
                    cost: end.walk_from(End::new(side, window)),
                });
            }
        }
    }

    /// The walks through the sector that begin at the portal `from`.
    pub(super) fn departures(&self, from: PortalId, walks: &mut Vec<(PortalId, u32)>) {
        for port in self.ports().filter(|port| port.id != from) {
            self.arrivals(port.id, |arrival| {
                if arrival.from.id(self.sector) == from {
                    walks.push((port.id, arrival.cost));
                }
            });
        }
    }

    pub(super) const fn sector(&self) -> Sector {
        self.sector
    }

    /// How many portals lie around the sector.
    pub(super) const fn count(&self) -> usize {
        self.places.count()
    }
}

/// Tells `visit` the walks of a table that end at the portal numbered `to`.
#[inline]
fn arrive<T: Entry>(table: &Table<T>, to: usize, mut visit: impl FnMut(Arrival)) {
    for (from, cost) in table.row(to) {
        if cost != T::NONE {
            let cost = cost.cost();
            visit(Arrival { from, cost });
        }
    }
}

/// An end of a walk through a clear sector: a portal's own place.
///
/// Where that lies outside, the walk crosses the border beside it, straight or
/// to one side, as far as the window allows. Over open ground between two wide
/// windows the walk then costs what the way between the two places costs.
#[derive(Clone, Copy)]
struct End {
    side: Side,
    window: Window,
    /// Whether the walk is that over open ground, whichever way it goes.
    free: bool,
}

impl End {
    #[inline]
    const fn new(side: Side, window: Window) -> Self {
        let Window {
            start,
            length,
            gate,
            near_cost,
            ..
        } = window;
        let wide = start < gate && gate + 1 < start + length;
        let free = side.is_owned() || (wide && near_cost == 1);
        Self { side, window, free }
    }

    /// The price of the cheapest walk that begins at another end and ends
    /// here.
    #[inline]
    fn walk_from(self, from: Self) -> u32 {
        if self.free && from.free {
            return self.over_open_ground(from);
        }
        let ends = self.crossings(1);
        let begins = from.crossings(u32::from(from.window.near_cost));
        let walks = begins.flat_map(|(first, price)| {
            ends.clone()
                .map(move |(last, exit)| price + octile_slots(first, last) + exit)
        });
        walks.min().unwrap_or(NO_WAY)
    }

    fn over_open_ground(self, from: Self) -> u32 {
        let ((x, y), (from_x, from_y)) = (
            self.side.place(self.window.gate),
            from.side.place(from.window.gate),
        );
        octile(x.abs_diff(from_x), y.abs_diff(from_y)) as u32
    }

    /// The steps between the portal's own place and the sector: the slot, and
    /// the price if the cell left costs `cost`.
    fn crossings(self, cost: u32) -> impl Iterator<Item = (Slot, u32)> + Clone {
        let Window {
            start,
            length,
            gate,
            ..
        } = self.window;
        let (side, inside) = (self.side, self.side.is_owned());
        let to_side = move |open: bool, along: u8| {
            (open && !inside).then(|| (side.slot(along), cost * DIAGONAL))
        };
        let straight = if inside { 0 } else { cost * STRAIGHT };
        [
            Some((side.slot(gate), straight)),
            to_side(start < gate, gate.wrapping_sub(1)),
            to_side(gate + 1 < start + length, gate + 1),
        ]
        .into_iter()
        .flatten()
    }
}

/// The price of the way over open ground between two slots.
const fn octile_slots(a: Slot, b: Slot) -> u32 {
    octile(a.x().abs_diff(b.x()), a.y().abs_diff(b.y())) as u32
}
