//! A sector and its portals.

use super::PortalId;
use super::links::Links;
use super::port::{Mark, Port, Side};
use super::window::{BORDER_PORTALS, BorderWindows, Window, far_slot, near_slot};
use crate::cost::CostTile;
use crate::grid::{Sector, Slot};

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

    /// The portals in id order; `tile` holds the sector's costs.
    pub(crate) fn ports(&self, tile: &CostTile) -> impl Iterator<Item = Port> {
        self.windows()
            .map(|(side, place, window)| Port::new(self.sector, side, place, window, tile))
    }

    /// The ids of the portals, in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = PortalId> {
        let sector = self.sector;
        self.places
            .map(move |(side, place)| PortalId::new(side.owner(sector), side.border(), place))
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

    /// The walks through the sector that end at the portal `to`, which is one
    /// of its own.
    pub(super) fn arrivals(&self, to: PortalId, walks: &mut Vec<(PortalId, u32)>) {
        self.links
            .arrivals(Mark::of(to, self.sector), |from, cost| {
                walks.push((from.id(self.sector), cost));
            });
    }

    /// The walks through the sector that begin at the portal `from`.
    pub(super) fn departures(&self, from: PortalId, walks: &mut Vec<(PortalId, u32)>) {
        for to in self.ids().filter(|&to| to != from) {
            self.links
                .arrivals(Mark::of(to, self.sector), |mark, cost| {
                    if mark.id(self.sector) == from {
                        walks.push((to, cost));
                    }
                });
        }
    }
}
