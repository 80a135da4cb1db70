//! The estimate of a search, and the queue that follows from it.
//!
//! When the targets change, so does the estimate, and with it the key of every block
//! with fresh lanes. So the queue is filled again, block by block.
//!
//! The estimate keeps targets that lie far apart in groups (`groups.rs`). Once a
//! whole group is served, only the other groups are estimated; otherwise
//! it would continue in regions where no path is wanted any more.

use super::{Search, SearchRoom};
use crate::budget::{LOOK_WORK, Paused, Work};
use crate::grid::Cell;
use crate::heuristic::Estimate;
use crate::map::Map;
use crate::route::queue::{BlockId, Queue};

impl Search {
    /// Estimates the costs to the open targets; returns a queue that is yet to be filled.
    pub(super) fn begin_queue(&mut self, map: &Map, room: &mut SearchRoom) -> Queue {
        self.targets.part();
        let estimate = self
            .estimate_through(map)
            .unwrap_or_else(|| Estimate::at(self.targets.wanted_cells(), map.costs.lowest()));
        // No path costs less than over open ground.
        let least = self.sources_with_links().into_iter().map(|source| {
            let Cell { x, y } = source.cell;
            source.start_cost + estimate.price(x, y)
        });
        let mut ring = room.take_ring();
        ring.restart(least.min().unwrap_or(0));
        Queue {
            ring,
            estimate,
            is_counted: self.is_counted,
            filled: 0,
            to_fill: self.blocks.count(),
        }
    }

    /// Fills the queue with the blocks that have fresh lanes.
    pub(super) fn fill(&mut self, queue: &mut Queue, work: &mut Work) -> Result<(), Paused> {
        while queue.filled < queue.to_fill {
            work.check()?;
            let fresh = self.blocks.line_up(BlockId::of_number(queue.filled), queue);
            work.count(LOOK_WORK + fresh);
            queue.filled += 1;
        }
        Ok(())
    }

    /// Returns an estimate to the portals around the sector of the only open target,
    /// if there is just one, and no link is opened.
    fn estimate_through(&self, map: &Map) -> Option<Estimate> {
        let target = self
            .targets
            .only_open()
            .filter(|_| !self.is_any_link_opened())?;
        let portals = target.exits().map(|(slot, walk)| {
            let own = map
                .graph
                .own_cell(slot.id(target.sector))
                .unwrap_or_default();
            (slot.side() as usize, own, walk)
        });
        Estimate::through(portals, map.costs.lowest())
    }
}
