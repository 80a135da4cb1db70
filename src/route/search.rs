//! The search: A* from the goal outward over the portals.
//!
//! A portal's cost is the price of the best way from its place to a goal. The
//! search takes the portals in order of cost plus heuristic, as A* does; the
//! heuristic is the price over open ground to the rectangle around all cells
//! that are still looked for, so that one search serves many units. Both
//! costs and heuristic come from walks between cells, so the heuristic is
//! consistent and a portal that was taken is final, for whatever targets come
//! later.
//!
//! A portal that was reached through one of its sectors is carried on through
//! the other only: inside the first, the in-sector costs already are the
//! cheapest, and a way back would gain nothing.
//!
//! A target is a cell that wants to reach the goal. Each portal taken beside
//! its sector offers it a way: the exact walk to the gate, then the portal's
//! cost. The target is served when no portal left in the queue can offer less.

use super::target::{TargetId, Targets};
use crate::cost::CostMap;
use crate::grid::{Cell, SECTOR_CELLS, SECTOR_SIDE, Sector, SectorPages, Slot};
use crate::portal::{Arrival, BORDER_PORTALS, Islands, PortalGraph, PortalId};
use crate::queue::BucketRing;
use crate::wave::{NO_WAY, UNREACHED, octile, walks_to};

/// The map as it stands: the costs and what was derived from them.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) costs: &'a CostMap,
    pub(crate) graph: &'a PortalGraph,
    pub(crate) islands: &'a Islands,
}

/// A goal cell, and the price that arriving there still adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) cell: Cell,
    pub(crate) start_cost: u64,
}

/// Work of taking one portal from the queue, in cells: about as long as
/// settling so many.
const TAKE_WORK: u64 = 20;
/// Work of settling one tile, in cells.
const TILE_WORK: u64 = SECTOR_CELLS as u64;

/// Where a way goes on: at a portal, or at a goal in the same sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Step(u32);

impl Step {
    /// Ordered after all portals.
    pub(super) const GOAL: Self = Self(u32::MAX);

    const fn at(portal: PortalId) -> Self {
        Self(portal.number())
    }

    pub(super) fn portal(self) -> Option<PortalId> {
        (self != Self::GOAL).then_some(PortalId::from_number(self.0))
    }
}

/// What the search knows of a portal.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Price of the best way known to a goal.
    cost: u64,
    /// The next step of that way.
    next: Step,
    /// Which of its two sectors that way goes through.
    side: u8,
    taken: bool,
}

/// What the search knows of a sector: the portals on its two borders, and
/// whether cells in it are looked for.
#[derive(Clone, Copy, Debug)]
struct Block {
    nodes: [Node; 2 * BORDER_PORTALS],
    target: TargetId,
}

const BLANK: Block = Block {
    nodes: [Node {
        cost: u64::MAX,
        next: Step::GOAL,
        side: 0,
        taken: false,
    }; 2 * BORDER_PORTALS],
    target: TargetId::NONE,
};

/// The heuristic: the price over open ground to a rectangle of cells.
#[derive(Clone, Copy, Debug)]
struct Aim {
    low: Cell,
    high: Cell,
    lowest_cost: u64,
}

impl Aim {
    fn price(&self, x: i32, y: i32) -> u64 {
        let off = |v: i32, low: i32, high: i32| (low - v).max(v - high).max(0) as u32;
        let dx = off(x, self.low.x, self.high.x);
        let dy = off(y, self.low.y, self.high.y);
        octile(dx, dy) * self.lowest_cost
    }
}

/// A search that can be added to and gone on with; see the module.
#[derive(Clone)]
pub(crate) struct Search {
    blocks: SectorPages<Block>,
    sources: Vec<Source>,
    /// How many sources have been spread to the portals around them.
    spread: usize,
    targets: Targets,
    /// The queue's entries while the search is not running.
    parked: Vec<(u64, PortalId)>,
    /// What the keys of the parked entries aim at; `None` once a target has
    /// been added.
    aim: Option<Aim>,
}

impl Search {
    /// A search for ways to these goals; nothing is done yet.
    pub(crate) fn new(ground: Ground<'_>, sources: Vec<Source>) -> Self {
        Self {
            blocks: SectorPages::new(ground.costs.extent(), BLANK),
            sources,
            spread: 0,
            targets: Targets::default(),
            parked: Vec::new(),
            aim: None,
        }
    }

    /// Adds a goal. It must not share an island with those before: their ways
    /// are final.
    pub(crate) fn add_source(&mut self, source: Source) {
        self.sources.push(source);
    }

    /// Adds a cell that wants to reach the goal. It must be able to.
    pub(crate) fn want(&mut self, ground: Ground<'_>, cell: Cell) {
        let (sector, slot) = ground.costs.extent().locate(cell);
        let sector = ground.costs.extent().sector(sector);
        let block = self.blocks.get_mut(sector);
        if block.target == TargetId::NONE {
            block.target = self.targets.add(sector);
        }
        if self.targets.want(block.target, slot) {
            self.aim = None;
        }
    }

    /// Goes on with the search; `work` is counted down by what was done.
    /// Tells whether every want is served; else it is to be called again, with
    /// `ring` at its disposal.
    pub(crate) fn advance(
        &mut self,
        ground: Ground<'_>,
        ring: &mut BucketRing<PortalId>,
        work: &mut u64,
    ) -> bool {
        if self.targets.is_served() {
            return true;
        }
        if !self.prepare(ground, work) {
            return false;
        }
        let aim = self.aim.unwrap_or_else(|| self.aim_anew(ground));
        self.unpark(ring);
        let served = self.take_portals(ground, ring, aim, work);
        self.park(ground, ring, aim);
        served
    }

    /// Spreads the sources and meets the new wants; false if the work was used
    /// up first.
    fn prepare(&mut self, ground: Ground<'_>, work: &mut u64) -> bool {
        while let Some(&source) = self.sources.get(self.spread) {
            if *work == 0 {
                return false;
            }
            self.spread_source(ground, source);
            self.spread += 1;
            *work = work.saturating_sub(TILE_WORK);
        }
        while *work > 0 {
            match self.targets.take_fresh() {
                Some((id, sector)) => self.meet(ground, id, sector, work),
                None => return true,
            }
        }
        false
    }

    /// Gives the portals around a source their costs.
    fn spread_source(&mut self, ground: Ground<'_>, source: Source) {
        let extent = ground.costs.extent();
        let (id, slot) = extent.locate(source.cell);
        let sector = extent.sector(id);
        let around = ground.graph.around(sector);
        let gates: Vec<Slot> = around.ports().map(|port| port.slot).collect();
        let mut walks = Vec::new();
        walks_to(ground.costs.tile(id), slot, &gates, &mut walks);
        for (port, walk) in around.ports().zip(walks) {
            if walk == NO_WAY {
                continue;
            }
            let node = &mut self.blocks.get_mut(port.id.owner()).nodes[port.id.local()];
            let side = u8::from(port.id.owner() != sector);
            let cost = source.start_cost + u64::from(walk) + u64::from(port.entry);
            if node.improve(cost, Step::GOAL, side) {
                self.parked.push((0, port.id));
                self.aim = None;
            }
        }
    }

    /// Compares a target's new wants with its own sector's goals and with the
    /// portals that were taken before.
    fn meet(&mut self, ground: Ground<'_>, id: TargetId, sector: Sector, work: &mut u64) {
        let extent = ground.costs.extent();
        let Some(number) = extent.sector_id(sector) else {
            return;
        };
        let tile = ground.costs.tile(number);
        for source in &self.sources {
            let (place, slot) = extent.locate(source.cell);
            if place == number {
                let looked = self
                    .targets
                    .offer(id, tile, slot, source.start_cost, Step::GOAL);
                *work = work.saturating_sub(if looked { TILE_WORK } else { 0 });
            }
        }
        for port in ground.graph.around(sector).ports() {
            let node = &self.blocks.get(port.id.owner()).nodes[port.id.local()];
            if node.taken {
                let cost = node.cost + u64::from(port.exit);
                let step = Step::at(port.id);
                let looked = self.targets.offer(id, tile, port.slot, cost, step);
                *work = work.saturating_sub(if looked { TILE_WORK } else { 0 });
            }
        }
        self.targets.met(id);
    }

    /// Aims at the open targets and gives the parked entries their new keys.
    fn aim_anew(&mut self, ground: Ground<'_>) -> Aim {
        let (low, high) = self.targets.corners();
        let aim = Aim {
            low,
            high,
            lowest_cost: u64::from(ground.costs.lowest()),
        };
        let mut parked = std::mem::take(&mut self.parked);
        for (key, id) in &mut parked {
            *key = self.key(ground, aim, *id);
        }
        self.parked = parked;
        self.aim = Some(aim);
        aim
    }

    fn key(&self, ground: Ground<'_>, aim: Aim, id: PortalId) -> u64 {
        let Cell { x, y } = ground.graph.place(id).unwrap_or_default();
        self.node(id).cost + aim.price(x, y)
    }

    /// Puts the parked entries into the queue.
    fn unpark(&mut self, ring: &mut BucketRing<PortalId>) {
        ring.restart(self.parked.iter().map(|&(key, _)| key).min().unwrap_or(0));
        for (key, id) in self.parked.drain(..) {
            ring.push(key, id);
        }
    }

    /// Takes out of the queue the entries that still count.
    fn park(&mut self, ground: Ground<'_>, ring: &mut BucketRing<PortalId>, aim: Aim) {
        let mut entries = ring.drain();
        entries.retain(|&(key, id)| !self.node(id).taken && self.key(ground, aim, id) == key);
        self.parked = entries;
    }

    /// Takes portals until every target is served or the work is used up.
    fn take_portals(
        &mut self,
        ground: Ground<'_>,
        ring: &mut BucketRing<PortalId>,
        aim: Aim,
        work: &mut u64,
    ) -> bool {
        while let Some(key) = ring.lowest() {
            if !self.targets.close_served(key) {
                return true;
            }
            if *work == 0 {
                return false;
            }
            let Some((_, id)) = ring.pop() else { break };
            let node = &mut self.blocks.get_mut(id.owner()).nodes[id.local()];
            if node.taken {
                continue;
            }
            node.taken = true;
            let node = *node;
            *work = work.saturating_sub(TAKE_WORK);
            self.serve(ground, id, node.cost, work);
            let onward = id.sectors()[1 - usize::from(node.side)];
            self.carry_on(ground, ring, aim, id, node.cost, onward);
        }
        // The queue is empty: what is served now is all that can be.
        self.targets.close_all();
        true
    }

    /// Offers a portal just taken to the targets on both its sides.
    fn serve(&mut self, ground: Ground<'_>, id: PortalId, cost: u64, work: &mut u64) {
        for sector in id.sectors() {
            let target = self.blocks.get(sector).target;
            if target == TargetId::NONE {
                continue;
            }
            let around = ground.graph.around(sector);
            let port = around.ports().find(|port| port.id == id);
            if let (Some(port), Some(number)) = (port, ground.costs.extent().sector_id(sector)) {
                let cost = cost + u64::from(port.exit);
                let tile = ground.costs.tile(number);
                if self
                    .targets
                    .offer(target, tile, port.slot, cost, Step::at(id))
                {
                    *work = work.saturating_sub(TILE_WORK);
                }
            }
        }
    }

    /// Carries the cost of a portal just taken on to those behind it, through
    /// the sector `onward`.
    fn carry_on(
        &mut self,
        ground: Ground<'_>,
        ring: &mut BucketRing<PortalId>,
        aim: Aim,
        id: PortalId,
        cost: u64,
        onward: Sector,
    ) {
        let (x, y) = (onward.x * SECTOR_SIDE, onward.y * SECTOR_SIDE);
        let mut last_owner = onward;
        let mut seat = self.blocks.seat(onward);
        ground.graph.around(onward).arrivals(id, |walk: Arrival| {
            let owner = walk.side.owner(onward);
            if owner != last_owner {
                last_owner = owner;
                seat = self.blocks.seat(owner);
            }
            let border = walk.side.border();
            let local = border as usize * BORDER_PORTALS + walk.place;
            let node = &mut self.blocks.at_mut(seat).nodes[local];
            let cost = cost + u64::from(walk.cost);
            if node.improve(cost, Step::at(id), u8::from(owner != onward)) {
                let (dx, dy) = walk.step;
                let key = cost + aim.price(x + dx, y + dy);
                ring.push(key, PortalId::new(owner, border, walk.place));
            }
        });
    }

    fn node(&self, id: PortalId) -> &Node {
        &self.blocks.get(id.owner()).nodes[id.local()]
    }

    /// Whether no want is left that has not been looked for.
    pub(crate) const fn is_served(&self) -> bool {
        self.targets.is_served()
    }

    /// The portals of the ways found, each told once to `portal`, and the
    /// sectors they lead through, told to `sector`, some more than once.
    pub(crate) fn ways(&self, mut portal: impl FnMut(PortalId), mut sector: impl FnMut(Sector)) {
        let mut told: SectorPages<u16> = self.blocks.like(0);
        for target in self.targets.iter() {
            for want in target.wants.iter().filter(|want| want.cost != UNREACHED) {
                sector(target.sector);
                let mut step = want.step;
                while let Some(id) = step.portal() {
                    let bits = told.get_mut(id.owner());
                    if *bits >> id.local() & 1 == 1 {
                        break;
                    }
                    *bits |= 1 << id.local();
                    let node = self.node(id);
                    portal(id);
                    sector(id.sectors()[usize::from(node.side)]);
                    step = node.next;
                }
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.blocks.bytes()
            + self.targets.bytes()
            + self.sources.capacity() * size_of::<Source>()
            + self.parked.capacity() * size_of::<(u64, PortalId)>()
    }
}

impl Node {
    /// Notes a way, if it is the best so far.
    const fn improve(&mut self, cost: u64, next: Step, side: u8) -> bool {
        if cost >= self.cost {
            return false;
        }
        self.cost = cost;
        self.next = next;
        self.side = side;
        true
    }
}
