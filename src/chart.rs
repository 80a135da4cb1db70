//! The map as it stands: the costs, and what is derived from them.

use crate::cost::{Cost, CostMap};
use crate::grid::{Rect, SectorId};
use crate::portal::{Islands, PortalGraph};

/// Costs, portal graph and islands, kept in step.
pub(crate) struct Chart {
    pub(crate) costs: CostMap,
    pub(crate) graph: PortalGraph,
    pub(crate) islands: Islands,
}

/// What an edit changed.
#[derive(Debug, Default)]
pub(crate) struct Change {
    /// Cells whose cost is another now.
    pub(crate) cells: u64,
    /// The sectors they lie in, each once, in id order.
    pub(crate) sectors: Vec<SectorId>,
    /// Sectors whose in-sector costs were derived anew.
    pub(crate) rebuilt: usize,
}

impl Chart {
    /// Derives everything from the costs.
    pub(crate) fn new(costs: CostMap) -> Self {
        let graph = PortalGraph::new(&costs);
        let islands = Islands::new(&costs, &graph);
        Self {
            costs,
            graph,
            islands,
        }
    }

    /// Gives every cell of an area on the map the same cost, and mends what
    /// is derived where that changed something.
    pub(crate) fn edit(&mut self, area: Rect, cost: Cost) -> Change {
        let mut change = Change::default();
        if area.is_empty() {
            return change;
        }
        for sector in self.costs.extent().sectors_of(area) {
            let cells = self.costs.fill_sector(sector, area, cost);
            if cells > 0 {
                change.cells += u64::from(cells);
                change.sectors.push(sector);
            }
        }
        if !change.sectors.is_empty() {
            change.rebuilt = self.graph.repair(&self.costs, &change.sectors);
            self.islands
                .repair(&self.costs, &self.graph, &change.sectors);
        }
        change
    }
}
