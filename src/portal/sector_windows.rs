//! The windows and crossings around one sector.

use super::PortalId;
use super::local_portal::LocalPortal;
use super::portal_slot::{PortalSlot, PortalSlots};
use super::walks::SectorWalks;
use super::window::{BorderWindows, Window};
use crate::cost::CostTile;
use crate::grid::{Sector, Slot};

/// A sector and the windows on its four sides.
pub(crate) struct SectorWindows<'a> {
    pub(super) sector: Sector,
    /// North, west, east, south.
    pub(super) windows: [&'a BorderWindows; 4],
    pub(super) portal_slots: PortalSlots,
    pub(super) walks: &'a SectorWalks,
}

/// A crossing as one of its sectors sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) here: Slot,
    pub(crate) there: Slot,
    /// The sector of `there`.
    pub(crate) beyond: Sector,
}

impl SectorWindows<'_> {
    /// Returns the windows in id order, with their portal slots.
    fn windows(&self) -> impl Iterator<Item = (PortalSlot, Window)> {
        self.portal_slots.map(|portal_slot| {
            let packed = self.windows[portal_slot.side() as usize][portal_slot.offset()];
            (portal_slot, packed.unpack())
        })
    }

    /// Returns the portals in id order. `tile` holds the sector's costs.
    pub(crate) fn portals(&self, tile: &CostTile) -> impl Iterator<Item = LocalPortal> {
        self.windows()
            .map(|(portal_slot, window)| LocalPortal::new(self.sector, portal_slot, window, tile))
    }

    /// Returns the ids of the portals, in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = PortalId> {
        let sector = self.sector;
        self.portal_slots
            .map(move |portal_slot| portal_slot.id(sector))
    }

    /// Returns the crossings, in id order.
    pub(crate) fn crossings(&self) -> impl Iterator<Item = Crossing> {
        self.windows().map(|(portal_slot, window)| {
            let side = portal_slot.side();
            Crossing {
                here: side.slot(window.crossing),
                there: side.opposite().slot(window.crossing),
                beyond: side.beyond(self.sector),
            }
        })
    }

    /// Adds the walks through the sector that end at its portal `to`: the
    /// portal where each begins, and its cost.
    pub(super) fn arrivals(&self, to: PortalId, walks: &mut Vec<(PortalId, u32)>) {
        self.walks
            .arrivals(PortalSlot::of(to, self.sector), |from, cost| {
                walks.push((from.id(self.sector), cost));
            });
    }

    /// Adds the walks through the sector that begin at its portal `from`: the
    /// portal where each ends, and its cost.
    pub(super) fn departures(&self, from: PortalId, walks: &mut Vec<(PortalId, u32)>) {
        for to in self.ids().filter(|&to| to != from) {
            self.walks
                .arrivals(PortalSlot::of(to, self.sector), |portal_slot, cost| {
                    if portal_slot.id(self.sector) == from {
                        walks.push((to, cost));
                    }
                });
        }
    }
}
