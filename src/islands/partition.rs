//! The partition of a map into islands: which cells can reach each other.
//!
//! A diagonal step needs both cells beside it open, so whatever is joined by
//! steps is joined by straight steps. The open cells of a sector fall into
//! *pockets*, joined inside the sector. The windows of its borders join pockets
//! into islands. Two cells can reach each other exactly if their pockets belong
//! to the same island: a look-up, whatever the size of the map.
//!
//! An edit gives the changed sectors new pockets. If the pockets around the
//! change are joined there as before, nothing else is examined. If not, the
//! parts that have come apart are walked outward in turn, until they meet
//! elsewhere or all but one have been walked to their end. Each part walked to its
//! end gets a new label (`repair.rs`). So a cut costs about twice the smaller part. A bridge costs nothing: one of two labels becomes an alias of the
//! other.

use super::island::{Island, PocketId};
use super::joining::{JoinedPockets, joined_pockets};
use super::labels::Labels;
use super::pockets::{PocketTable, pockets};
use crate::cost::CostMap;
use crate::grid::{Cell, Extent, SectorId, Slot};
use crate::portal::PortalGraph;
use crate::threads;

/// The island of every open cell of a map.
#[derive(Clone, Debug)]
pub(crate) struct Islands {
    pub(super) extent: Extent,
    pub(super) sectors: PocketTable,
    pub(super) labels: Labels,
}

impl Islands {
    #[cfg(test)]
    pub(crate) fn new(costs: &CostMap, graph: &PortalGraph) -> Self {
        let mut islands = Self::begin(costs.extent());
        islands.add_pockets(costs, costs.extent().sector_count());
        islands.label_all(graph);
        islands
    }

    /// Returns islands without any pockets.
    pub(crate) fn empty(extent: Extent) -> Self {
        Self {
            extent,
            sectors: PocketTable::default(),
            labels: Labels::default(),
        }
    }

    /// Begins islands, with room for the pockets of all sectors.
    pub(crate) fn begin(extent: Extent) -> Self {
        Self {
            sectors: PocketTable::with_room(extent.sector_count()),
            ..Self::empty(extent)
        }
    }

    /// Finds the pockets of the next `count` sectors.
    pub(crate) fn add_pockets(&mut self, costs: &CostMap, count: usize) {
        let first = self.sectors.len();
        let found = |(): &mut (), sector: usize| {
            let sector = SectorId((first + sector) as u32);
            pockets(&costs.tile(sector))
        };
        for pockets in threads::collect(count, || (), found) {
            self.sectors.push(pockets);
        }
    }

    /// Labels every pocket from scratch: the same label for pockets joined by
    /// windows. Labels are in the order of each island's first pocket.
    pub(crate) fn label_all(&mut self, graph: &PortalGraph) {
        let all: Vec<SectorId> = self.extent.sectors().collect();
        let JoinedPockets { mut joined, .. } =
            joined_pockets(self.extent, &all, &self.sectors, graph);
        let mut pockets: Vec<u32> = Vec::new();
        let mut number = 0;
        for sector in all {
            for pocket in 0..self.sectors.count(sector) {
                // The first pocket of an island gets a new label; the others copy
                // that of an earlier one.
                let first = joined[number];
                let label = if first as usize == number {
                    pockets.push(0);
                    (pockets.len() - 1) as u32
                } else {
                    joined[first as usize]
                };
                joined[number] = label;
                pockets[label as usize] += 1;
                self.sectors.set_label(sector, pocket, Island(label));
                number += 1;
            }
        }
        self.labels = Labels::of(pockets);
    }

    /// Recomputes the pockets of a changed sector; they have no label yet.
    pub(super) fn replace(&mut self, costs: &CostMap, sector: SectorId) {
        for pocket in 0..self.sectors.count(sector) {
            self.labels
                .count_out(self.label(PocketId { sector, pocket }), 1);
        }
        self.sectors.replace(sector, pockets(&costs.tile(sector)));
    }

    pub(super) fn pockets_of(&self, sector: SectorId) -> impl Iterator<Item = PocketId> + use<> {
        (0..self.sectors.count(sector)).map(move |pocket| PocketId { sector, pocket })
    }

    pub(super) fn pocket_at(&self, sector: SectorId, slot: Slot) -> PocketId {
        PocketId {
            sector,
            pocket: self.sectors.pocket(sector, slot),
        }
    }

    /// Returns the present label of a pocket, as a root.
    pub(super) fn label(&self, id: PocketId) -> Island {
        match self.sectors.islands(id.sector)[id.pocket as usize] {
            Island::UNNUMBERED => Island::UNNUMBERED,
            label => self.labels.root(label),
        }
    }

    pub(super) fn set_label(&mut self, id: PocketId, label: Island) {
        self.sectors.set_label(id.sector, id.pocket, label);
    }

    /// Returns the number of islands.
    pub(crate) const fn count(&self) -> usize {
        self.labels.count()
    }

    pub(crate) fn pockets_in(&self, island: Island) -> u32 {
        self.labels.size_of(island)
    }

    /// Returns the island of a cell; `None` for walls and off the map.
    pub(crate) fn of(&self, costs: &CostMap, cell: Cell) -> Option<Island> {
        if !self.extent.contains(cell) {
            return None;
        }
        let (sector, slot) = self.extent.locate(cell);
        if costs.tile(sector).is_wall(slot) {
            return None;
        }
        let pocket = self.pocket_at(sector, slot);
        Some(self.label(pocket))
    }

    /// Whether a sector has a cell whose island is `wanted`.
    pub(crate) fn any_in(&self, sector: SectorId, wanted: impl Fn(Island) -> bool) -> bool {
        self.sectors
            .islands(sector)
            .iter()
            .any(|&label| wanted(self.labels.root(label)))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sectors.bytes() + self.labels.bytes()
    }
}
