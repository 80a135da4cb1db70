//! The present map: the ground, and what is derived from it for each movement layer.

mod build;
mod layers;
mod linked_graph;
mod open_links;

pub(crate) use build::MapBuild;
pub(crate) use layers::{LayerAt, Layers, MAX_LAYERS};
pub use linked_graph::{LinkedEdge, LinkedGraph, LinkedNode, LinkedWay};
pub(crate) use open_links::OpenLinks;

use std::sync::Arc;

use crate::clusters::Clusters;
use crate::cost::{CellLink, Cost, CostMap, CostTile, SectorChange, Stamps};
use crate::grid::{Cell, CellRect, Sector, SectorId};
use crate::islands::{IslandRepair, Islands};
use crate::portal::PortalGraph;

/// Costs, portal graph, clusters, islands and links of one layer, kept in step.
#[derive(Clone)]
pub(crate) struct Map {
    /// The cost of each cell; of the ground's layer, stamps and blockers included.
    pub(crate) costs: CostMap,
    pub(crate) graph: PortalGraph,
    /// Layers with the same walls share them.
    pub(crate) islands: Arc<Islands>,
    pub(crate) clusters: Clusters,
    pub(crate) links: OpenLinks,
}

/// New costs for the cells of an area on the map.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Edit<'a> {
    /// One cost for the ground of all cells.
    Fill(CellRect, Cost),
    /// The cost of each cell's ground, row by row; none is 0.
    Rows(CellRect, &'a [u8]),
    /// The cost of each cell, row by row, under stamps and blockers; 0 where it
    /// stays as it is.
    Standing(CellRect, &'a [u8]),
    /// The same where nothing but surcharges has changed: walls stay as they are.
    Prices(CellRect, &'a [u8]),
}

/// A sector with a changed cell or beside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AffectedSector {
    pub(crate) sector: Sector,
    /// Whether a cell of the sector has changed, and not only cells beside it.
    pub(crate) changed: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Change {
    /// Each changed sector once, in id order.
    pub(crate) sectors: Vec<SectorChange>,
    /// The sectors that hold a changed cell or a cell beside one, each once.
    pub(crate) around: Vec<AffectedSector>,
    /// The tiles of the changed sectors as they were, the oldest of each first.
    pub(crate) former: Vec<(SectorId, CostTile)>,
    /// The number of sectors whose in-sector costs were derived again.
    pub(crate) rebuilt: usize,
    /// The sectors with relabelled or cheaper cells, in id order. Joined
    /// islands alone do not count. May contain sectors whose labels have not
    /// changed.
    pub(crate) relabelled: Vec<SectorId>,
    pub(crate) islands: IslandRepair,
    /// Whether the lowest cost on the map has changed, on which the estimates
    /// of all searches depend.
    pub(crate) lowest_moved: bool,
    /// Whether other links are open than before.
    pub(crate) links_moved: bool,
    /// Whether only prices have changed, by surcharges: every direction is as allowed as
    /// before.
    pub(crate) is_surcharge: bool,
}

impl Map {
    /// Replaces the links of the layer.
    pub(crate) fn set_links(&mut self, links: Vec<CellLink>) {
        self.links.replace(links, &self.costs);
    }

    /// Returns the sectors of edits on the map, each once, in id order.
    pub(crate) fn sectors_of(&self, edits: &[Edit<'_>]) -> Vec<SectorId> {
        let mut sectors: Vec<SectorId> = edits
            .iter()
            .map(Edit::area)
            .filter(|area| !area.is_empty())
            .flat_map(|area| self.costs.extent().sectors_of(area))
            .collect();
        sectors.sort_unstable();
        sectors.dedup();
        sectors
    }

    /// Returns the sectors that hold a changed cell or a cell beside one.
    fn around(&self, changes: &[SectorChange]) -> Vec<AffectedSector> {
        let extent = self.costs.extent();
        let mut around: Vec<(SectorId, bool)> = Vec::new();
        for change in changes {
            let beside = change.area.grown(1).intersection(self.costs.area());
            let sectors = extent.sectors_of(beside);
            around.extend(sectors.map(|id| (id, id != change.sector)));
        }
        around.sort_unstable();
        around.dedup_by_key(|(id, _)| *id);
        around
            .into_iter()
            .map(|(id, only_beside)| AffectedSector {
                sector: extent.sector(id),
                changed: !only_beside,
            })
            .collect()
    }

    /// Applies edits one after the other, all of them on the map, and repairs
    /// derived data where they have changed something. `among` are their
    /// [sectors](Self::sectors_of). Edits of the ground go under
    /// `stamps`. `repaired` is the repair of the islands, if they are another map's,
    /// which this one follows.
    pub(crate) fn edit(
        &mut self,
        stamps: &mut Stamps,
        edits: &[Edit<'_>],
        among: &[SectorId],
        repaired: Option<&IslandRepair>,
    ) -> Change {
        let lowest = self.costs.lowest();
        let is_surcharge = edits.iter().all(|edit| matches!(edit, Edit::Prices(..)));
        let before = (repaired.is_none() && !is_surcharge)
            .then(|| self.islands.vicinity(&self.costs, &self.graph, among));
        let mut sectors: Vec<SectorChange> = Vec::new();
        let mut former = Vec::new();
        for edit in edits.iter().filter(|edit| !edit.area().is_empty()) {
            let (area, extent) = (edit.area(), self.costs.extent());
            for sector in extent.sectors_of(area) {
                let under = edit.is_ground() && stamps.any_in(sector);
                let edited =
                    self.costs
                        .edit_sector(sector, area, |cell, now| match edit.cost(cell) {
                            Some(cost) if under => stamps.lay_ground(extent.locate(cell), cost),
                            Some(cost) => cost,
                            None => now,
                        });
                if let Some((change, tile)) = edited {
                    sectors.push(change);
                    former.push((sector, tile));
                }
            }
        }
        if edits.len() > 1 {
            merge(&mut sectors);
        }
        let mut rebuilt = 0;
        let mut islands = repaired.cloned().unwrap_or_default();
        islands.walked = 0;
        if !sectors.is_empty() {
            let changed: Vec<SectorId> = sectors.iter().map(|change| change.sector).collect();
            let stale = self.graph.repair(&self.costs, &changed);
            rebuilt = stale.len();
            let costs = &self.costs;
            let graph = &self.graph;
            let extent = self.costs.extent();
            let stale = stale.into_iter().map(|id| extent.sector(id));
            self.clusters.drop_at(stale);
            // Islands depend on walls alone.
            if let Some(before) = before
                && sectors.iter().any(|change| change.walls)
            {
                islands = Arc::make_mut(&mut self.islands).repair(costs, graph, &changed, before);
            }
        }
        let links_moved = !sectors.is_empty() && self.links.repair(&self.costs);
        let lowered = sectors.iter().filter(|change| change.lowered);
        let mut relabelled = islands.relabelled.clone();
        relabelled.extend(lowered.map(|change| change.sector));
        relabelled.sort_unstable();
        relabelled.dedup();
        Change {
            relabelled,
            around: self.around(&sectors),
            former,
            sectors,
            rebuilt,
            islands,
            lowest_moved: lowest != self.costs.lowest(),
            links_moved,
            is_surcharge,
        }
    }
}

/// Joins the changes of each sector, which may come more than once.
pub(crate) fn merge(sectors: &mut Vec<SectorChange>) {
    sectors.sort_by_key(|change| change.sector);
    sectors.dedup_by(|later, first| {
        let same = later.sector == first.sector;
        if same {
            first.join(later);
        }
        same
    });
}

impl Edit<'_> {
    pub(crate) const fn area(&self) -> CellRect {
        match self {
            Self::Fill(area, _)
            | Self::Rows(area, _)
            | Self::Standing(area, _)
            | Self::Prices(area, _) => *area,
        }
    }

    /// Whether the edit changes the ground, under stamps and blockers.
    const fn is_ground(&self) -> bool {
        !matches!(self, Self::Standing(..) | Self::Prices(..))
    }

    /// Returns the new cost of a cell of the area, if it gets one.
    fn cost(&self, cell: Cell) -> Option<Cost> {
        match self {
            Self::Fill(_, cost) => Some(*cost),
            Self::Rows(area, costs) | Self::Standing(area, costs) | Self::Prices(area, costs) => {
                let (x, y) = ((cell.x - area.x) as usize, (cell.y - area.y) as usize);
                let cost = costs[y * area.width as usize + x];
                (cost != 0).then(|| Cost::stored(cost))
            }
        }
    }
}
