//! A sector and its portals.

use super::PortalId;
use super::links::Links;
use super::port::Port;
use super::spot::{Spot, Spots};
use super::window::{BorderWindows, Window, far_slot, near_slot};
use crate::cost::CostTile;
use crate::grid::{Sector, Slot};

/// A sector and the windows on its four sides.
pub(crate) struct Around<'a> {
    sector: Sector,
    windows: [&'a BorderWindows; 4],
    spots: Spots,
    links: &'a Links,
}

/// A gate, seen from one of its sectors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub(crate) here: Slot,
    pub(crate) there: Slot,
    /// The sector of `there`.
    pub(crate) beyond: Sector,
}

impl<'a> Around<'a> {
    /// A sector with the windows on its northern, western, eastern and southern
    /// side.
    pub(super) const fn new(
        sector: Sector,
        windows: [&'a BorderWindows; 4],
        spots: Spots,
        links: &'a Links,
    ) -> Self {
        Self {
            sector,
            windows,
            spots,
            links,
        }
    }

    /// The windows in id order, with their spots.
    fn windows(&self) -> impl Iterator<Item = (Spot, Window)> {
        self.spots.map(|spot| {
            let packed = self.windows[spot.side() as usize][spot.place()];
            (spot, packed.unpack())
        })
    }

    /// The portals in id order; `tile` holds the sector's costs.
    pub(crate) fn ports(&self, tile: &CostTile) -> impl Iterator<Item = Port> {
        self.windows()
            .map(|(spot, window)| Port::new(self.sector, spot, window, tile))
    }

    /// The ids of the portals, in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = PortalId> {
        let sector = self.sector;
        self.spots.map(move |spot| spot.id(sector))
    }

    /// The gates, as ways out of the sector.
    pub(crate) fn gates(&self) -> impl Iterator<Item = Gate> {
        self.windows().map(|(spot, window)| {
            let side = spot.side();
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
            .arrivals(Spot::of(to, self.sector), |from, cost| {
                walks.push((from.id(self.sector), cost));
            });
    }

    /// The walks through the sector that begin at the portal `from`.
    pub(super) fn departures(&self, from: PortalId, walks: &mut Vec<(PortalId, u32)>) {
        for to in self.ids().filter(|&to| to != from) {
            self.links
                .arrivals(Spot::of(to, self.sector), |spot, cost| {
                    if spot.id(self.sector) == from {
                        walks.push((to, cost));
                    }
                });
        }
    }
}
