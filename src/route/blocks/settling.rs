//! Settling a block: costs that came from outside are relaxed, and better ones
//! passed on.

use super::{BlockArea, BlockLane, Blocks, Marks, SettleRoom};
use crate::arrays::Mapped;
use crate::map::Map;
use crate::portal::{FreshRow, Rows, VECTOR, WalkCost, relax_rows};
use crate::route::queue::{BlockId, Queue};

/// The work of settling a block, in cells, and the number of lanes relaxed that
/// count as one cell.
const SETTLE_WORK: u64 = 20;
const LANES_OF_WORK: u64 = 32;
/// The work of taking over a better cost and passing it on.
const PASS_WORK: u64 = 3;

/// Some lanes whose better costs go to the same block, and the lowest key under which
/// that is to wait.
#[derive(Clone, Copy)]
struct Passing {
    /// The end of the lanes.
    end: usize,
    to: BlockId,
    /// From a lane to the same portal's in the block beyond.
    offset: usize,
    key: u64,
}

impl Passing {
    const NONE: Self = Self {
        end: 0,
        to: BlockId::NONE,
        offset: 0,
        key: u64::MAX,
    };
}

impl Blocks {
    /// Whether a block taken from the queue under a key waits there no more: it has
    /// been settled since.
    #[inline]
    pub(in crate::route) fn is_settled(&self, id: BlockId, key: u64) -> bool {
        self.blocks[id.index()].key > key
    }

    /// Settles a block: relaxes its fresh lanes, and passes better costs on to the
    /// blocks around, which join the queue. Returns the work.
    pub(in crate::route) fn settle(&mut self, map: &Map, id: BlockId, queue: &mut Queue) -> u64 {
        let block = &mut self.blocks[id.index()];
        block.key = u64::MAX;
        let (rows, is_metric, work) = match block.area {
            BlockArea::Sector(sector) => {
                let walks = map.graph.sector_walks(sector);
                (walks.rows(), walks.is_metric(), 0)
            }
            BlockArea::Cluster(cluster) => {
                let (clique, work) = if queue.is_counted {
                    map.clusters.asked(&map.graph, cluster)
                } else {
                    (map.clusters.clique(&map.graph, cluster), 0)
                };
                (clique.rows(), clique.is_metric(), work)
            }
        };
        let inside = if is_metric { Marks::NONE } else { Marks::FRESH };
        let mut room = std::mem::take(&mut self.room);
        let SettleRoom {
            fresh,
            narrow,
            wide,
        } = &mut room;
        let settling = match rows {
            Rows::Narrow(rows) => self.settle_by(map, id, queue, inside, rows, (fresh, narrow)),
            Rows::Wide(rows) => self.settle_by(map, id, queue, inside, rows, (fresh, wide)),
        };
        self.room = room;
        work + settling
    }

    fn settle_by<T: WalkCost>(
        &mut self,
        map: &Map,
        id: BlockId,
        queue: &mut Queue,
        inside: Marks,
        rows: &[T],
        (fresh, lowest): (&mut Vec<FreshRow>, &mut Vec<T>),
    ) -> u64 {
        let mut work = SETTLE_WORK;
        loop {
            let block = self.blocks[id.index()];
            let stride = block.stride();
            self.take_fresh(block.first as usize, stride, fresh);
            let Some(base) = fresh.iter().map(|row| row.cost).min() else {
                return work;
            };
            work += (fresh.len() * stride) as u64 / LANES_OF_WORK;
            let known = fresh.len();
            let most = base + u64::from(T::HIGHEST);
            if fresh.iter().any(|row| row.cost > most) {
                self.leave_far(block.first as usize, stride, most, fresh);
            }
            relax_rows(lowest, rows, stride, fresh, base);
            let is_done = fresh.len() == known && inside == Marks::NONE;
            work += self.take_better(map, id, queue, inside, base, lowest);
            if is_done {
                return work;
            }
        }
    }

    /// Takes the fresh lanes of a block: their rows, each with its lane's cost.
    #[inline(always)]
    fn take_fresh(&mut self, first: usize, stride: usize, rows: &mut Vec<FreshRow>) {
        rows.clear();
        let costs = self.costs[first..first + stride].as_chunks::<VECTOR>().0;
        let marks = self.marks[first..first + stride]
            .as_chunks_mut::<VECTOR>()
            .0;
        for (part, (marks, costs)) in marks.iter_mut().zip(costs).enumerate() {
            // A byte a lane, 1 if it is fresh.
            let mut fresh = u32::from_le_bytes(marks.mapped(|mark| mark.0 & Marks::FRESH.0));
            while fresh != 0 {
                let lane = fresh.trailing_zeros() as usize / 8;
                fresh &= fresh - 1;
                marks[lane] = marks[lane].without(Marks::FRESH);
                rows.push(FreshRow {
                    first: (VECTOR * part + lane) * stride,
                    cost: costs[lane],
                });
            }
        }
    }

    /// Leaves the lanes that cost more than `most` fresh: they wait for the next turn.
    fn leave_far(&mut self, first: usize, stride: usize, most: u64, rows: &mut Vec<FreshRow>) {
        rows.retain(|row| {
            let is_far = row.cost > most;
            if is_far {
                let mark = &mut self.marks[first + row.first / stride];
                *mark = mark.and(Marks::FRESH);
            }
            !is_far
        });
    }

    /// Takes over the costs that are better than those known, and passes them on.
    #[inline(always)]
    fn take_better<T: WalkCost>(
        &mut self,
        map: &Map,
        id: BlockId,
        queue: &mut Queue,
        inside: Marks,
        base: u64,
        lowest: &[T],
    ) -> u64 {
        let first = self.blocks[id.index()].first as usize;
        let mut passing = Passing::NONE;
        let mut work = 0;
        for (part, walks) in lowest.chunks(32).enumerate() {
            let part = first + 32 * part;
            let mut better = T::better(&self.costs[part..part + walks.len()], walks, base);
            while better != 0 {
                let at = better.trailing_zeros() as usize;
                better &= better - 1;
                if walks[at] == T::NO_WALK {
                    continue;
                }
                let (lane, cost) = (part + at, base + u64::from(walks[at].cost()));
                work += PASS_WORK;
                self.costs[lane] = cost;
                self.marks[lane] = inside;
                if lane >= passing.end {
                    passing = self.pass_on(map, id, lane, passing, queue);
                }
                let beyond = lane.wrapping_add(passing.offset);
                if passing.to != BlockId::NONE && self.arrive(beyond, cost) {
                    passing.key = passing.key.min(cost + queue.price(&self.lanes[lane]));
                }
            }
        }
        self.pass(passing, queue);
        work
    }

    /// Returns where better costs go from a lane on, after those before it.
    #[inline(never)]
    fn pass_on(
        &mut self,
        map: &Map,
        id: BlockId,
        lane: usize,
        before: Passing,
        queue: &mut Queue,
    ) -> Passing {
        let beyond = self.beyond(map, id, lane);
        let to = beyond.map_or(BlockId::NONE, |beyond| beyond.block);
        let mut key = before.key;
        if to != before.to {
            self.pass(before, queue);
            key = u64::MAX;
        }
        let block = &self.blocks[id.index()];
        let side = block.side_of(lane as u32 - block.first);
        // Where several blocks lie beyond a side, each lane is looked up.
        let is_one = block.beyond[side as usize] != BlockLane::NONE;
        let end = if is_one {
            block.side(side).end
        } else {
            lane + 1
        };
        let offset = beyond.map_or(0, |beyond| (beyond.lane as usize).wrapping_sub(lane));
        Passing {
            end,
            to,
            offset,
            key,
        }
    }

    /// Puts a block that better costs have come to into the queue.
    #[inline]
    fn pass(&mut self, Passing { to, key, .. }: Passing, queue: &mut Queue) {
        if let Some(block) = self.blocks.get_mut(to.index())
            && key < block.key
        {
            block.key = key;
            queue.ring.push(key, to);
        }
    }
}
