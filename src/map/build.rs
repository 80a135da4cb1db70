//! Builds a map piece by piece.

use std::sync::Arc;

use super::{Map, OpenLinks};
use crate::clusters::Clusters;
use crate::cost::CostMap;
use crate::grid::Extent;
use crate::islands::Islands;
use crate::portal::PortalGraph;

/// The greatest number of sectors worked on in one piece.
const PIECE: usize = 1 << 16;

/// A map being built: windows, then in-sector costs, then pockets of all
/// sectors, then the cliques of all clusters, and the islands at the end.
pub(crate) struct MapBuild {
    map: Map,
    /// The number of sectors done, counted once in each stage.
    done: usize,
    /// Whether the islands are those of another map with the same walls.
    shares_islands: bool,
}

impl MapBuild {
    const STAGES: usize = 4;

    pub(crate) fn new(costs: CostMap) -> Self {
        let islands = Arc::new(Islands::begin(costs.extent()));
        Self {
            shares_islands: false,
            ..Self::sharing(costs, islands)
        }
    }

    /// Begins to build a map with the islands of another, which has the same walls.
    pub(crate) fn sharing(costs: CostMap, islands: Arc<Islands>) -> Self {
        let extent = costs.extent();
        Self {
            map: Map {
                costs,
                graph: PortalGraph::begin(extent),
                islands,
                clusters: Clusters::begin(extent),
                links: OpenLinks::default(),
            },
            done: 0,
            shares_islands: true,
        }
    }

    pub(crate) const fn done(&self) -> usize {
        self.done
    }

    pub(crate) const fn total(&self) -> usize {
        self.extent().sector_count() * Self::STAGES
    }

    pub(crate) const fn extent(&self) -> Extent {
        self.map.costs.extent()
    }

    /// Works on the next `sectors` sectors.
    pub(crate) fn advance(&mut self, mut sectors: usize) {
        while sectors > 0 && self.done < self.total() {
            sectors -= self.work(sectors);
        }
    }

    /// Works on at most `sectors` sectors of the present stage; returns how
    /// many.
    fn work(&mut self, sectors: usize) -> usize {
        let Map {
            costs,
            graph,
            islands,
            clusters,
            ..
        } = &mut self.map;
        let all = costs.extent().sector_count();
        let (stage, at) = (self.done / all, self.done % all);
        let count = sectors.min(all - at).min(PIECE);
        // Cliques are made in proportion to the sectors worked on.
        let share = |sectors: usize| sectors * clusters.division().count() / all;
        match stage {
            0 => graph.add_windows(costs, count),
            1 => graph.add_walks(costs, at..at + count),
            2 if self.shares_islands => {}
            2 => Arc::make_mut(islands).add_pockets(costs, count),
            _ => clusters.make(graph, share(at)..share(at + count)),
        }
        self.done += count;
        if self.done == all * Self::STAGES && !self.shares_islands {
            Arc::make_mut(islands).label_all(graph);
        }
        count
    }

    /// Does all remaining work.
    pub(crate) fn finish(mut self) -> Map {
        self.advance(usize::MAX);
        self.map
    }
}
