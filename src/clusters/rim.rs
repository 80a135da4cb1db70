//! The rim of a cluster: the portals around it.

use super::division::SectorRect;
use crate::grid::Cell;
use crate::portal::{PortalGraph, PortalId, Side};

/// The portals around a rectangle of sectors: first by side (north, west, east,
/// south), then along the side. A portal's rank is its *lane*.
#[derive(Clone, Debug)]
pub(crate) struct Rim {
    /// The first lane of each side, and the number of portals.
    starts: [u16; 5],
    portals: Box<[RimPortal]>,
}

/// A portal on a rim, and its own cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RimPortal {
    pub(crate) portal: PortalId,
    pub(crate) x: u16,
    pub(crate) y: u16,
}

impl Rim {
    pub(crate) fn new(graph: &PortalGraph, sectors: SectorRect) -> Self {
        let all = Side::ALL.into_iter().flat_map(|side| {
            sectors
                .along(side)
                .map(move |sector| graph.sector_walks(sector).lanes_on(side).len())
        });
        // PERF: a list that grows takes a third more instructions.
        let mut portals = Vec::with_capacity(all.sum());
        let starts = Self::put(graph, sectors, &mut portals);
        Self {
            starts,
            portals: portals.into(),
        }
    }

    /// Adds the portals of a rectangle's rim to some others. Returns where each side begins among
    /// them, and their number.
    pub(crate) fn put(
        graph: &PortalGraph,
        sectors: SectorRect,
        portals: &mut Vec<RimPortal>,
    ) -> [u16; 5] {
        let first = portals.len();
        let mut starts = [0; 5];
        for side in Side::ALL {
            for sector in sectors.along(side) {
                let (walks, Cell { x, y }) = (graph.sector_walks(sector), sector.origin());
                let crossings = walks.lanes_on(side).map(|lane| walks.crossing(lane));
                portals.extend(crossings.map(|crossing| {
                    let (dx, dy) = crossing.step();
                    RimPortal {
                        portal: crossing.portal_slot().id(sector),
                        x: (x + dx) as u16,
                        y: (y + dy) as u16,
                    }
                }));
            }
            starts[side as usize + 1] = (portals.len() - first) as u16;
        }
        starts
    }

    /// Returns the first lane of each side, and the number of portals.
    pub(crate) const fn starts(&self) -> [u16; 5] {
        self.starts
    }

    /// In the order of their lanes.
    pub(crate) const fn portals(&self) -> &[RimPortal] {
        &self.portals
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val::<[RimPortal]>(&self.portals)
    }
}
