//! Paths read back from the costs: where they lead on at a portal.

use super::{BlockArea, BlockExit, BlockLane, Blocks, Marks, Onward, UNKNOWN};
use crate::clusters::Division;
use crate::map::Map;
use crate::portal::PortalId;
use crate::route::queue::BlockId;

/// The number of lanes whose marks are cleared at once.
const AT_ONCE: usize = 1024;

impl Blocks {
    /// Removes the report marks of some lanes, from this one on; returns the next.
    /// See [`report`](Self::report).
    pub(in crate::route) fn clear_reported(&mut self, first: usize) -> Option<usize> {
        let end = self.marks.len().min(first + AT_ONCE);
        for marks in &mut self.marks[first..end] {
            *marks = marks.without(Marks::REPORTED);
        }
        (end < self.marks.len()).then_some(end)
    }

    /// Returns how the path goes on at a portal, when it is first asked for; `None`
    /// later, and if there is none.
    pub(in crate::route) fn report(&mut self, map: &Map, portal: PortalId) -> Option<Onward> {
        let at = self.through(map.clusters.division(), portal)?;
        let marks = &mut self.marks[at.lane as usize];
        if marks.has(Marks::REPORTED) {
            return None;
        }
        *marks = marks.and(Marks::REPORTED);
        Some(Onward {
            area: self.blocks[at.block.index()].area,
            portal,
            cost: self.costs[at.lane as usize],
            exit: self.exit(map, at),
        })
    }

    /// Returns the lane of a portal in the block that its path leads through.
    fn through(&self, division: Division, portal: PortalId) -> Option<BlockLane> {
        portal
            .sectors()
            .into_iter()
            .flat_map(|sector| {
                let whole = self.clusters.get(division.cluster_of(sector).page()).whole;
                let blocks = [*self.sectors.get(sector), whole].into_iter();
                blocks
                    .filter(|&block| block != BlockId::NONE)
                    .filter_map(move |block| self.lane_of(block, portal, sector))
            })
            .filter(|at| {
                let lane = at.lane as usize;
                self.costs[lane] < UNKNOWN && !self.marks[lane].has(Marks::LEADS_OUT)
            })
            .min_by_key(|at| self.costs[at.lane as usize])
    }

    /// Returns where a path leaves the block that it leads through.
    fn exit(&self, map: &Map, at: BlockLane) -> BlockExit {
        let (block, lane) = (&self.blocks[at.block.index()], at.lane as usize);
        if self.marks[lane].has(Marks::ENDS) {
            return BlockExit::Goal;
        }
        let rows = match block.area {
            BlockArea::Sector(sector) => map.graph.sector_walks(sector).rows(),
            BlockArea::Cluster(cluster) => map.clusters.clique(&map.graph, cluster).rows(),
        };
        let (first, cost) = (block.first as usize, self.costs[lane]);
        let lanes = block.lanes();
        let exits = self.costs[lanes.clone()]
            .iter()
            .zip(&self.marks[lanes])
            .enumerate()
            .filter(|&(_, (&on, _))| on <= cost)
            .filter_map(|(exit, (&on, marks))| {
                let walk = rows.walk(block.stride(), lane - first, exit)?;
                // Two portals whose own cells are the same corner cell may have equal
                // costs. They never come twice in a row, so a path has an end.
                let leads_on = on < cost || walk == 0;
                let stays = !marks.has(Marks::LEADS_OUT);
                leads_on.then_some((on + u64::from(walk), stays, first + exit, walk))
            });
        // The walk that led to the cost; after an edit, the best remaining one.
        exits.min().map_or(BlockExit::Lost, |(_, _, exit, walk)| {
            BlockExit::By(self.portal(exit), walk)
        })
    }
}
