use super::Map;
use crate::cost::{CostMap, Stamps};
use crate::grid::Extent;
use crate::islands::Islands;
use crate::portal::PortalGraph;

/// Sectors that are worked at in one piece where nobody asks for smaller ones.
const PIECE: usize = 1 << 16;

/// A map in the making: windows, then walks, then pockets of all sectors, and
/// the islands in the end.
pub(crate) struct MapBuild {
    map: Map,
    /// Sectors worked at, those of each stage counted.
    done: usize,
}

impl MapBuild {
    const STAGES: usize = 3;

    pub(crate) fn new(costs: CostMap, stamps: Stamps) -> Self {
        let extent = costs.extent();
        Self {
            map: Map {
                costs,
                stamps,
                graph: PortalGraph::begin(extent),
                islands: Islands::begin(extent),
                landmarks: None,
            },
            done: 0,
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

    /// Works at so many sectors more.
    pub(crate) fn advance(&mut self, mut sectors: usize) {
        while sectors > 0 && self.done < self.total() {
            sectors -= self.work(sectors);
        }
    }

    /// Works at sectors of the stage at hand, at most so many; tells how many.
    fn work(&mut self, sectors: usize) -> usize {
        let Map {
            costs,
            graph,
            islands,
            ..
        } = &mut self.map;
        let all = costs.extent().sector_count();
        let (stage, at) = (self.done / all, self.done % all);
        let count = sectors.min(all - at).min(PIECE);
        match stage {
            0 => graph.add_windows(costs, count),
            1 => graph.add_links(costs, at..at + count),
            _ => islands.add_pockets(costs, count),
        }
        self.done += count;
        if self.done == all * Self::STAGES {
            islands.label_all(graph);
        }
        count
    }

    /// Does what is left.
    pub(crate) fn finish(mut self) -> Map {
        self.advance(usize::MAX);
        self.map
    }
}
