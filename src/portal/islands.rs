//! Islands: which cells can reach each other.
//!
//! A diagonal step needs both cells beside it open, so whatever is joined by
//! steps is joined by straight steps. The open cells of a sector fall into
//! *pockets*, joined inside the sector; pockets are joined by the windows of
//! its borders into islands. Two cells can reach each other just if their
//! pockets are of one island: a look-up, whatever the size of the map.
//!
//! An edit gives the changed sectors new pockets. Where the pockets around the
//! change are still joined through it, nothing else is looked at. Where they
//! are not, the parts are walked outward step by step in turn, until they meet
//! elsewhere or all but one have been walked to their end; those get a label
//! of their own. So a cut costs as much as the smaller part is large, and a
//! bridge costs nothing: two labels become one.

use petgraph::unionfind::UnionFind;

use super::graph::PortalGraph;
use super::labels::Labels;
use super::pockets::{Pockets, pockets};
use crate::cost::CostMap;
use crate::grid::{Cell, Extent, SectorId, Slot};
use crate::threads;

/// The label of an island. It says "same or not", no more: it changes with
/// edits anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Island(pub(super) u32);

impl Island {
    pub(super) const UNNUMBERED: Self = Self(u32::MAX);
}

/// A pocket, by its sector and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PocketId {
    pub(super) sector: SectorId,
    pub(super) pocket: u32,
}

/// The island of every open cell of a map.
#[derive(Clone, Debug)]
pub(crate) struct Islands {
    pub(super) extent: Extent,
    sectors: Vec<Pockets>,
    pub(super) labels: Labels,
}

impl Islands {
    pub(crate) fn new(costs: &CostMap, graph: &PortalGraph) -> Self {
        let extent = costs.extent();
        let found = |(): &mut (), sector: usize| pockets(&costs.tile(SectorId(sector as u32)));
        let sectors = threads::collect(extent.sector_count(), || (), found);
        let mut islands = Self {
            extent,
            sectors,
            labels: Labels::default(),
        };
        islands.label_all(graph);
        islands
    }

    /// Labels every pocket anew: pockets joined by windows alike.
    pub(super) fn label_all(&mut self, graph: &PortalGraph) {
        let mut first = Vec::with_capacity(self.sectors.len());
        let mut total = 0_u32;
        for pockets in &self.sectors {
            first.push(total);
            total += pockets.count();
        }
        let mut joined = UnionFind::<u32>::new(total as usize);
        graph.for_each_gate(|gates| {
            let [a, b] = gates.map(|(sector, slot)| {
                first[sector.index()] + self.sectors[sector.index()].pocket(slot)
            });
            joined.union(a, b);
        });
        self.labels = Labels::default();
        let mut known = vec![Island::UNNUMBERED; total as usize];
        for (pockets, &first) in self.sectors.iter_mut().zip(&first) {
            for pocket in 0..pockets.count() {
                let label = &mut known[joined.find_mut(first + pocket) as usize];
                if *label == Island::UNNUMBERED {
                    *label = self.labels.add();
                }
                self.labels.count_in(*label, 1);
                pockets.set_island(pocket, *label);
            }
        }
    }

    /// Puts in the pockets of a changed sector; they have no label yet.
    pub(super) fn replace(&mut self, costs: &CostMap, sector: SectorId) {
        for pocket in 0..self.sectors[sector.index()].count() {
            self.labels
                .count_out(self.label(PocketId { sector, pocket }), 1);
        }
        self.sectors[sector.index()] = pockets(&costs.tile(sector));
    }

    /// The pockets of a sector.
    pub(super) fn pockets_of(&self, sector: SectorId) -> impl Iterator<Item = PocketId> + use<> {
        (0..self.sectors[sector.index()].count()).map(move |pocket| PocketId { sector, pocket })
    }

    pub(super) fn pocket_at(&self, sector: SectorId, slot: Slot) -> PocketId {
        PocketId {
            sector,
            pocket: self.sectors[sector.index()].pocket(slot),
        }
    }

    /// The label that a pocket's label now stands for.
    pub(super) fn label(&self, id: PocketId) -> Island {
        let label = self.sectors[id.sector.index()].label(id.pocket);
        match label {
            Island::UNNUMBERED => label,
            label => self.labels.root(label),
        }
    }

    pub(super) fn set_label(&mut self, id: PocketId, label: Island) {
        self.sectors[id.sector.index()].set_island(id.pocket, label);
    }

    /// How many islands there are.
    pub(crate) const fn count(&self) -> usize {
        self.labels.count()
    }

    /// The island of a cell; `None` for walls and off the map.
    pub(crate) fn of(&self, costs: &CostMap, cell: Cell) -> Option<Island> {
        if !self.extent.contains(cell) {
            return None;
        }
        let (sector, slot) = self.extent.locate(cell);
        if costs.tile(sector).is_wall(slot) {
            return None;
        }
        let label = self.sectors[sector.index()].island(slot)?;
        Some(self.labels.root(label))
    }

    /// Whether a sector has a cell whose island is `wanted`.
    pub(crate) fn any_in(&self, sector: SectorId, wanted: impl Fn(Island) -> bool) -> bool {
        self.sectors[sector.index()].any(|label| wanted(self.labels.root(label)))
    }

    pub(crate) fn bytes(&self) -> usize {
        let several: usize = self.sectors.iter().map(Pockets::bytes).sum();
        self.sectors.capacity() * size_of::<Pockets>() + several + self.labels.bytes()
    }
}
