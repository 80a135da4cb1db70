//! What a search knows, block by block.
//!
//! A block is a cluster, or a sector of a cluster that is *opened* since a path
//! begins or ends in it. It has a lane for each portal around it.
//!
//! ```text
//!   ┌───────────┬─────┬─────┐
//!   │           ○     │     │     left: a cluster as one block
//!   │           │  ┌──○──┐  │     right: an opened cluster, four blocks
//!   │           ├──○──┼──○──┤
//!   │           ○     ○     │     ○  a portal: a lane in each of the two
//!   └───────────┴─────┴─────┘        blocks that it joins
//! ```
//!
//! A lane has the lowest known cost of a path from its portal to a goal. The
//! path leads through the block, or it *leads out*, into the block on the other
//! side. A cost that comes from outside is *fresh* until the block is settled:
//! then all its fresh lanes are relaxed at once, by the in-sector costs or by the
//! clique. Costs that improve go on to the blocks around, where they are fresh.
//!
//! A lane that is not fresh has been relaxed at its present cost. So a search may stop
//! after any block, and go on later. Paths are not stored: they are read back from the
//! costs. A cluster is never opened because its clique is missing, so what was done
//! before changes only the time that a search takes, never its paths.

use super::queue::{BlockId, Queue};
use super::target::TargetId;
use super::unpacking::UnpackingRoom;
use crate::clusters::{Cluster, Division, Rim, RimPortal, SectorRect};
use crate::grid::{Extent, Sector, SectorBounds, SectorPages};
use crate::map::Map;
use crate::portal::{FreshRow, PortalId, PortalSlot, Side, VECTOR};

mod onward;
mod settling;

/// The cost of an unknown path.
pub(super) const UNKNOWN: u64 = 1 << 62;

/// What a block stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockArea {
    Sector(Sector),
    Cluster(Cluster),
}

impl BlockArea {
    pub(super) fn sectors(self, division: Division) -> SectorRect {
        match self {
            Self::Sector(sector) => SectorRect::one(sector),
            Self::Cluster(cluster) => division.sectors(cluster),
        }
    }
}

/// A lane of a block: its index among the lanes of all blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockLane {
    pub(super) block: BlockId,
    lane: u32,
}

impl BlockLane {
    const NONE: Self = Self {
        block: BlockId::NONE,
        lane: u32::MAX,
    };
}

#[derive(Clone, Copy, Debug)]
struct Block {
    area: BlockArea,
    /// The index of its first lane.
    first: u32,
    /// The first lane of each side, counted from `first`, and the number of lanes.
    starts: [u16; 5],
    /// By side: the lane of the side's first portal in the block beyond, once that is
    /// found; [`BlockLane::NONE`] also if several blocks lie there. The portals that
    /// follow have the lanes that follow.
    beyond: [BlockLane; 4],
    target: TargetId,
    /// The key under which it waits in the queue; [`u64::MAX`] if it does not.
    key: u64,
}

impl Block {
    #[inline]
    const fn count(&self) -> usize {
        self.starts[4] as usize
    }

    /// The number of lanes with their padding.
    #[inline]
    const fn stride(&self) -> usize {
        self.count().next_multiple_of(VECTOR)
    }

    #[inline]
    const fn lanes(&self) -> std::ops::Range<usize> {
        let first = self.first as usize;
        first..first + self.count()
    }

    /// Returns the side of a lane, counted from the first.
    #[inline]
    fn side_of(&self, number: u32) -> Side {
        let before = |side: usize| usize::from(u32::from(self.starts[side]) <= number);
        Side::ALL[before(1) + before(2) + before(3)]
    }

    #[inline]
    const fn side(&self, side: Side) -> std::ops::Range<usize> {
        let (first, side) = (self.first as usize, side as usize);
        first + self.starts[side] as usize..first + self.starts[side + 1] as usize
    }
}

/// Fills lanes without a portal.
const PADDING: RimPortal = RimPortal {
    portal: PortalId::from_number(0),
    x: 0,
    y: 0,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Marks(u8);

impl Marks {
    const NONE: Self = Self(0);
    /// The cost has come from outside and is to be relaxed.
    const FRESH: Self = Self(1);
    /// The path leads into the block beyond.
    const LEADS_OUT: Self = Self(2);
    /// The path ends in this block, at a goal.
    const ENDS: Self = Self(4);
    /// The portal has been reported.
    const REPORTED: Self = Self(8);

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline]
    const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

#[derive(Clone, Copy, Debug)]
struct ClusterBlocks {
    /// The block of the cluster as a whole. Once the cluster is opened, it only
    /// keeps the paths found before.
    whole: BlockId,
    is_opened: bool,
}

impl ClusterBlocks {
    const UNKNOWN: Self = Self {
        whole: BlockId::NONE,
        is_opened: false,
    };
}

/// How a path goes on at a portal: which block it leads through, and where it
/// leaves that.
pub(super) struct Onward {
    pub(super) area: BlockArea,
    pub(super) portal: PortalId,
    pub(super) cost: u64,
    pub(super) exit: BlockExit,
}

/// Where a path leaves a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockExit {
    /// It ends in the block, at a goal.
    Goal,
    /// By a portal, after a walk of some cost.
    By(PortalId, u32),
    /// Since an edit there is no path any more.
    Lost,
}

/// Memory for settling a block.
#[derive(Clone, Debug, Default)]
struct SettleRoom {
    fresh: Vec<FreshRow>,
    narrow: Vec<i16>,
    wide: Vec<i32>,
}

/// The blocks of one search: only where it has been.
///
/// Made for reuse: clearing takes time in proportion to what was touched.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    sectors: SectorPages<BlockId>,
    clusters: SectorPages<ClusterBlocks>,
    blocks: Vec<Block>,
    /// By lane: the costs, 0 in padding, so that no path improves it.
    costs: Vec<u64>,
    marks: Vec<Marks>,
    lanes: Vec<RimPortal>,
    /// A rectangle around the sectors of all blocks.
    bounds: SectorBounds,
    room: SettleRoom,
    unpacking_room: UnpackingRoom,
}

impl Blocks {
    pub(super) fn new(extent: Extent) -> Self {
        Self {
            sectors: SectorPages::new(extent, BlockId::NONE),
            clusters: SectorPages::new(extent, ClusterBlocks::UNKNOWN),
            ..Self::none()
        }
    }

    /// Makes empty blocks, without memory for any.
    pub(super) fn none() -> Self {
        Self {
            sectors: SectorPages::none(BlockId::NONE),
            clusters: SectorPages::none(ClusterBlocks::UNKNOWN),
            blocks: Vec::new(),
            costs: Vec::new(),
            marks: Vec::new(),
            lanes: Vec::new(),
            bounds: SectorBounds::EMPTY,
            room: SettleRoom::default(),
            unpacking_room: UnpackingRoom::default(),
        }
    }

    pub(super) const fn is_none(&self) -> bool {
        self.sectors.is_none()
    }

    /// Removes all blocks, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.sectors.clear();
        self.clusters.clear();
        self.blocks.clear();
        self.costs.clear();
        self.marks.clear();
        self.lanes.clear();
        self.bounds = SectorBounds::EMPTY;
    }

    pub(super) const fn unpacking_room(&mut self) -> &mut UnpackingRoom {
        &mut self.unpacking_room
    }

    pub(super) fn free_unpacking_room(&mut self) {
        self.unpacking_room = UnpackingRoom::default();
    }

    #[inline]
    fn portal(&self, lane: usize) -> PortalId {
        self.lanes[lane].portal
    }

    pub(super) const fn count(&self) -> usize {
        self.blocks.len()
    }

    /// Returns the block of a sector for a path that begins or ends there; opens
    /// the sector's cluster.
    pub(super) fn opened(&mut self, map: &Map, sector: Sector) -> BlockId {
        let cluster = map.clusters.division().cluster_of(sector);
        let known = *self.clusters.get(cluster.page());
        if !known.is_opened {
            self.clusters.get_mut(cluster.page()).is_opened = true;
            if known.whole != BlockId::NONE {
                self.move_into_sectors(map, known.whole);
            }
        }
        self.sector_block(map, sector)
    }

    /// Moves what came to a cluster from outside to the blocks of its sectors.
    fn move_into_sectors(&mut self, map: &Map, whole: BlockId) {
        let block = &mut self.blocks[whole.index()];
        block.key = u64::MAX;
        let (area, lanes) = (block.area, block.lanes());
        let sectors = area.sectors(map.clusters.division());
        self.forget_beyond(map.clusters.division(), whole);
        for lane in lanes {
            let portal = self.portal(lane);
            self.marks[lane] = self.marks[lane].without(Marks::FRESH);
            if !self.marks[lane].has(Marks::LEADS_OUT) {
                continue;
            }
            let inner = portal.sectors().into_iter();
            for sector in inner.filter(|&sector| sectors.contains(sector)) {
                let block = self.sector_block(map, sector);
                if let Some(to) = self.lane_of(block, portal, sector) {
                    self.costs[to.lane as usize] = self.costs[lane];
                    self.marks[to.lane as usize] = Marks::FRESH.and(Marks::LEADS_OUT);
                }
            }
        }
    }

    /// Lets the blocks around a block, and the block itself, find each other anew.
    fn forget_beyond(&mut self, division: Division, id: BlockId) {
        let block = &mut self.blocks[id.index()];
        block.beyond = [BlockLane::NONE; 4];
        let (sectors, lanes) = (block.area.sectors(division), block.lanes());
        for lane in lanes {
            let mut beyond = self.portal(lane).sectors().into_iter();
            let Some(sector) = beyond.find(|&sector| !sectors.contains(sector)) else {
                continue;
            };
            let side = PortalSlot::of(self.portal(lane), sector).side();
            let whole = self.clusters.get(division.cluster_of(sector).page()).whole;
            for near in [*self.sectors.get(sector), whole] {
                if let Some(block) = self.blocks.get_mut(near.index()) {
                    block.beyond[side as usize] = BlockLane::NONE;
                }
            }
        }
    }

    /// Returns the block that a path enters at a sector.
    fn block_at(&mut self, map: &Map, sector: Sector) -> BlockId {
        let cluster = map.clusters.division().cluster_of(sector);
        let known = *self.clusters.get(cluster.page());
        if known.is_opened {
            self.sector_block(map, sector)
        } else if known.whole == BlockId::NONE {
            let whole = self.add(map, BlockArea::Cluster(cluster));
            self.clusters.get_mut(cluster.page()).whole = whole;
            whole
        } else {
            known.whole
        }
    }

    fn sector_block(&mut self, map: &Map, sector: Sector) -> BlockId {
        match *self.sectors.get(sector) {
            BlockId::NONE => {
                let block = self.add(map, BlockArea::Sector(sector));
                *self.sectors.get_mut(sector) = block;
                block
            }
            block => block,
        }
    }

    #[inline(never)]
    fn add(&mut self, map: &Map, area: BlockArea) -> BlockId {
        let sectors = area.sectors(map.clusters.division());
        self.bounds.take_in(sectors.first);
        self.bounds.take_in(sectors.last());
        let first = self.lanes.len();
        let starts = match area {
            BlockArea::Cluster(cluster) => {
                let rim = map.clusters.rim(&map.graph, cluster);
                self.lanes.extend_from_slice(rim.portals());
                rim.starts()
            }
            BlockArea::Sector(_) => Rim::put(&map.graph, sectors, &mut self.lanes),
        };
        self.lay_out(first);
        self.blocks.push(Block {
            area,
            first: first as u32,
            starts,
            beyond: [BlockLane::NONE; 4],
            target: TargetId::NONE,
            key: u64::MAX,
        });
        BlockId::of_number(self.blocks.len() - 1)
    }

    /// Adds what belongs to the lanes from `first` on, and fills up the last vector.
    fn lay_out(&mut self, first: usize) {
        self.costs.resize(self.lanes.len(), UNKNOWN);
        let end = first + (self.lanes.len() - first).next_multiple_of(VECTOR);
        self.costs.resize(end, 0);
        self.marks.resize(end, Marks::NONE);
        self.lanes.resize(end, PADDING);
    }

    /// Returns the lane of a portal of a sector in a block that has the sector.
    fn lane_of(&self, id: BlockId, portal: PortalId, sector: Sector) -> Option<BlockLane> {
        let block = &self.blocks[id.index()];
        let side = block.side(PortalSlot::of(portal, sector).side());
        let found = self.lanes[side.clone()].binary_search_by_key(&portal, |at| at.portal);
        let lane = (side.start + found.ok()?) as u32;
        Some(BlockLane { block: id, lane })
    }

    /// Returns the lane of the same portal in the block beyond.
    #[inline]
    fn beyond(&mut self, map: &Map, id: BlockId, lane: usize) -> Option<BlockLane> {
        let block = &self.blocks[id.index()];
        let number = lane as u32 - block.first;
        let side = block.side_of(number);
        let BlockLane {
            block: beyond,
            lane,
        } = block.beyond[side as usize];
        if beyond == BlockId::NONE {
            return self.find_beyond(map, id, side, number);
        }
        let lane = lane + number - u32::from(block.starts[side as usize]);
        Some(BlockLane {
            block: beyond,
            lane,
        })
    }

    #[inline(never)]
    fn find_beyond(
        &mut self,
        map: &Map,
        id: BlockId,
        side: Side,
        number: u32,
    ) -> Option<BlockLane> {
        let here = self.blocks[id.index()];
        let portal = self.portal((here.first + number) as usize);
        let sectors = here.area.sectors(map.clusters.division());
        let sector = portal
            .sectors()
            .into_iter()
            .find(|&sector| !sectors.contains(sector))?;
        let block = self.block_at(map, sector);
        let there = self.blocks[block.index()];
        let opposite = side.opposite();
        match (here.area, there.area) {
            (BlockArea::Cluster(_), BlockArea::Sector(_)) => self.lane_of(block, portal, sector),
            (BlockArea::Sector(_), BlockArea::Cluster(_)) => {
                let BlockLane { lane, .. } = self.lane_of(block, portal, sector)?;
                let first = lane - (number - u32::from(here.starts[side as usize]));
                self.note_beyond(id, side, block, first);
                Some(BlockLane { block, lane })
            }
            _ => {
                // The whole side of both, in the same order.
                let first = there.side(opposite).start as u32;
                self.note_beyond(id, side, block, first);
                self.note_beyond(block, opposite, id, here.side(side).start as u32);
                let lane = first + number - u32::from(here.starts[side as usize]);
                Some(BlockLane { block, lane })
            }
        }
    }

    /// Notes which block lies beyond a side, and its lane of the side's first portal.
    fn note_beyond(&mut self, id: BlockId, side: Side, block: BlockId, lane: u32) {
        self.blocks[id.index()].beyond[side as usize] = BlockLane { block, lane };
    }

    /// Adapts to the portals around some sectors after an edit: keeps what is known
    /// of those that still exist.
    pub(super) fn refit(&mut self, map: &Map, sectors: impl Iterator<Item = Sector>) {
        let division = map.clusters.division();
        let mut stale: Vec<BlockId> = sectors
            .flat_map(|sector| {
                let whole = self.clusters.get(division.cluster_of(sector).page()).whole;
                [*self.sectors.get(sector), whole]
            })
            .filter(|&id| id != BlockId::NONE)
            .collect();
        stale.sort_unstable();
        stale.dedup();
        for id in stale {
            let sectors = self.blocks[id.index()].area.sectors(division);
            let rim = Rim::new(&map.graph, sectors);
            if self.lanes[self.blocks[id.index()].lanes()] != *rim.portals() {
                self.forget_beyond(division, id);
                self.refit_block(id, &rim);
            }
        }
    }

    fn refit_block(&mut self, id: BlockId, rim: &Rim) {
        let before = self.blocks[id.index()];
        let first = self.lanes.len();
        self.lanes.extend_from_slice(rim.portals());
        self.lay_out(first);
        let now = &mut self.blocks[id.index()];
        now.first = first as u32;
        now.starts = rim.starts();
        for side in Side::ALL {
            for old in before.side(side) {
                let portal = self.portal(old);
                let now = self.blocks[id.index()].side(side);
                let lanes = &self.lanes[now.clone()];
                if let Ok(new) = lanes.binary_search_by_key(&portal, |at| at.portal) {
                    self.costs[now.start + new] = self.costs[old];
                    self.marks[now.start + new] = self.marks[old];
                }
            }
        }
    }

    /// Whether a sector lies in the rectangle around all sectors read, or just
    /// beside it.
    pub(super) const fn may_be_beside(&self, sector: Sector) -> bool {
        self.bounds.is_near(sector)
    }

    /// Whether a sector was read, alone or in its cluster.
    pub(super) fn has_seen(&self, division: Division, sector: Sector) -> bool {
        let whole = self.clusters.get(division.cluster_of(sector).page()).whole;
        whole != BlockId::NONE || *self.sectors.get(sector) != BlockId::NONE
    }

    /// Records the cost of a path from a portal of an opened sector to a goal
    /// there, if it is the best so far; then returns the block beyond if the path is the
    /// best from there too, or else this block.
    pub(super) fn end_at(
        &mut self,
        map: &Map,
        id: BlockId,
        slot: PortalSlot,
        cost: u64,
    ) -> Option<BlockId> {
        let BlockArea::Sector(sector) = self.blocks[id.index()].area else {
            return None;
        };
        let BlockLane { lane, .. } = self.lane_of(id, slot.id(sector), sector)?;
        let lane = lane as usize;
        if cost >= self.costs[lane] {
            return None;
        }
        self.costs[lane] = cost;
        self.marks[lane] = Marks::ENDS.and(self.fresh_inside(map, sector));
        match self.beyond(map, id, lane) {
            Some(beyond) if self.arrive(beyond.lane as usize, cost) => Some(beyond.block),
            _ => Some(id),
        }
    }

    /// The mark of a cost of a path through a sector. It is fresh inside the sector
    /// too if a detour over the portal may gain there.
    fn fresh_inside(&self, map: &Map, sector: Sector) -> Marks {
        if map.graph.sector_walks(sector).is_metric() {
            Marks::NONE
        } else {
            Marks::FRESH
        }
    }

    /// Notes a cost that comes to a block from outside; returns whether it is the
    /// best so far.
    #[inline]
    fn arrive(&mut self, lane: usize, cost: u64) -> bool {
        let known = &mut self.costs[lane];
        let is_better = cost < *known;
        if is_better {
            *known = cost;
            self.marks[lane] = Marks::FRESH.and(Marks::LEADS_OUT);
        }
        is_better
    }

    /// Puts a block into the queue if it has fresh lanes; returns how many.
    pub(super) fn line_up(&mut self, id: BlockId, queue: &mut Queue) -> u64 {
        let fresh = self.blocks[id.index()]
            .lanes()
            .filter(|&lane| self.marks[lane].has(Marks::FRESH));
        let (mut count, mut key) = (0, u64::MAX);
        for lane in fresh {
            count += 1;
            key = key.min(self.costs[lane] + queue.price(&self.lanes[lane]));
        }
        self.blocks[id.index()].key = key;
        if count > 0 {
            queue.ring.push(key, id);
        }
        count
    }

    #[inline]
    pub(super) fn target(&self, id: BlockId) -> TargetId {
        self.blocks[id.index()].target
    }

    pub(super) fn set_target(&mut self, id: BlockId, target: TargetId) {
        self.blocks[id.index()].target = target;
    }

    pub(super) fn target_in(&self, sector: Sector) -> TargetId {
        let block = self.blocks.get(self.sectors.get(sector).index());
        block.map_or(TargetId::NONE, |block| block.target)
    }

    /// Returns the portals around a sector with a block of its own, with the lowest
    /// known costs.
    pub(super) fn around(&self, sector: Sector) -> impl Iterator<Item = (PortalSlot, u64)> {
        self.blocks
            .get(self.sectors.get(sector).index())
            .map_or(0..0, Block::lanes)
            .filter(|&lane| self.costs[lane] < UNKNOWN)
            .map(move |lane| (PortalSlot::of(self.portal(lane), sector), self.costs[lane]))
    }

    /// Returns the portals of a block with their costs, and whether they are fresh.
    pub(super) fn known(&self, id: BlockId) -> impl Iterator<Item = (PortalId, u64, bool)> {
        let lanes = self.blocks[id.index()].lanes();
        let known = lanes.filter(|&lane| self.costs[lane] < UNKNOWN);
        known.map(|lane| {
            let is_fresh = self.marks[lane].has(Marks::FRESH);
            (self.portal(lane), self.costs[lane], is_fresh)
        })
    }

    /// Reserved memory that was never written to is not counted: the system has
    /// not provided it yet.
    /// What there is to keep, in bytes, roughly. Unlike [`bytes`](Self::bytes) it may decide
    /// something: it is the same on every machine, in a fork and in memory used before.
    pub(super) const fn weight(&self) -> u64 {
        const BLOCK: u64 = 100;
        const LANE: u64 = 20;
        BLOCK * self.blocks.len() as u64 + LANE * self.costs.len() as u64
    }

    pub(super) fn bytes(&self) -> usize {
        self.sectors.bytes()
            + self.clusters.bytes()
            + size_of_val::<[Block]>(&self.blocks)
            + size_of_val::<[u64]>(&self.costs)
            + size_of_val::<[Marks]>(&self.marks)
            + size_of_val::<[RimPortal]>(&self.lanes)
            + self.unpacking_room.bytes()
    }
}
