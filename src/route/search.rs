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

use super::BucketRing;
use crate::cost::CostMap;
use crate::grid::{Cell, Sector, SectorPages, Slot};
use crate::portal::{BORDER_PORTALS, Islands, PortalGraph, PortalId};
use crate::wave::{Frame, UNREACHED, octile};

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
const TILE_WORK: u64 = 100;

const NO_TARGET: u32 = u32::MAX;

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

/// Where a way goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Portal(PortalId),
    Goal,
}

/// What the search knows of a sector: its own portals, and whether cells in it
/// are looked for.
#[derive(Clone, Copy, Debug)]
struct Block {
    nodes: [Node; 2 * BORDER_PORTALS],
    target: u32,
}

const BLANK: Block = Block {
    nodes: [Node {
        cost: u64::MAX,
        next: Step::Goal,
        side: 0,
        taken: false,
    }; 2 * BORDER_PORTALS],
    target: NO_TARGET,
};

/// The cells of one sector that want to reach the goal.
#[derive(Clone, Debug)]
struct Target {
    sector: Sector,
    wants: Vec<Want>,
    /// How many of the wants have been compared with what was taken before
    /// they came.
    met: usize,
}

/// One cell that wants to reach the goal, and the best way known.
#[derive(Clone, Copy, Debug)]
struct Want {
    slot: Slot,
    cost: u64,
    step: Step,
}

/// A search that can be added to and gone on with; see the module.
#[derive(Clone)]
pub(crate) struct Search {
    blocks: SectorPages<Block>,
    sources: Vec<Source>,
    /// How many sources have been spread to the portals around them.
    spread: usize,
    targets: Vec<Target>,
    /// Targets not yet served.
    open: Vec<u32>,
    /// The queue's entries while the search is not running.
    parked: Vec<(u64, PortalId)>,
    /// Where the queue's keys aim; `None` after targets were added.
    aim: Option<Aim>,
}

/// The heuristic: the price over open ground to a rectangle of cells.
#[derive(Clone, Copy, Debug)]
struct Aim {
    low: Cell,
    high: Cell,
    lowest_cost: u64,
}

impl Aim {
    const fn price(&self, from: Cell) -> u64 {
        const fn off(v: i32, low: i32, high: i32) -> u32 {
            if v < low {
                v.abs_diff(low)
            } else if v > high {
                v.abs_diff(high)
            } else {
                0
            }
        }
        let dx = off(from.x, self.low.x, self.high.x);
        let dy = off(from.y, self.low.y, self.high.y);
        octile(dx, dy) * self.lowest_cost
    }
}

impl Search {
    /// A search for ways to these goals; nothing is done yet.
    pub(crate) fn new(ground: Ground<'_>, sources: Vec<Source>) -> Self {
        Self {
            blocks: SectorPages::new(ground.costs.extent(), BLANK),
            sources,
            spread: 0,
            targets: Vec::new(),
            open: Vec::new(),
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
        if block.target == NO_TARGET {
            block.target = self.targets.len() as u32;
            self.targets.push(Target {
                sector,
                wants: Vec::new(),
                met: 0,
            });
        }
        let number = block.target;
        let target = &mut self.targets[number as usize];
        if target.wants.iter().any(|want| want.slot == slot) {
            return;
        }
        target.wants.push(Want {
            slot,
            cost: u64::MAX,
            step: Step::Goal,
        });
        if !self.open.contains(&number) {
            self.open.push(number);
        }
        self.aim = None;
    }

    /// Goes on with the search; `work` is counted down by what was done.
    /// Tells whether every want is served; else it is to be called again, with
    /// `ring` at its disposal.
    pub(crate) fn advance(
        &mut self,
        ground: Ground<'_>,
        ring: &mut BucketRing,
        work: &mut u64,
    ) -> bool {
        if self.open.is_empty() {
            return true;
        }
        if !self.prepare(ground, work) {
            return false;
        }
        self.unpark(ground, ring);
        let served = self.take_portals(ground, ring, work);
        self.park(ground, ring);
        served
    }

    /// Spreads the sources and meets the new wants.
    fn prepare(&mut self, ground: Ground<'_>, work: &mut u64) -> bool {
        while self.spread < self.sources.len() {
            if *work == 0 {
                return false;
            }
            self.spread_source(ground, self.sources[self.spread]);
            self.spread += 1;
            *work = work.saturating_sub(TILE_WORK);
        }
        for i in 0..self.open.len() {
            let number = self.open[i] as usize;
            while self.targets[number].met < self.targets[number].wants.len() {
                if *work == 0 {
                    return false;
                }
                self.meet(ground, number, work);
            }
        }
        true
    }

    /// Gives the portals around a source their costs.
    fn spread_source(&mut self, ground: Ground<'_>, source: Source) {
        let extent = ground.costs.extent();
        let (id, slot) = extent.locate(source.cell);
        let sector = extent.sector(id);
        let mut frame = Frame::alone(ground.costs.tile(id));
        frame.seed(slot, source.start_cost);
        frame.settle();
        for port in ground.graph.ports(sector).iter() {
            let inside = frame.value(port.slot);
            if inside != UNREACHED {
                let cost = inside + u64::from(port.entry);
                if self.improve(port.id, cost, Step::Goal, sector) {
                    self.parked.push((0, port.id));
                }
            }
        }
    }

    /// Compares a target's new wants with its own sector's goals and with the
    /// portals that were taken before.
    fn meet(&mut self, ground: Ground<'_>, number: usize, work: &mut u64) {
        let extent = ground.costs.extent();
        let sector = self.targets[number].sector;
        for i in 0..self.sources.len() {
            let source = self.sources[i];
            let (id, slot) = extent.locate(source.cell);
            if extent.sector(id) == sector {
                self.offer(ground, number, slot, source.start_cost, Step::Goal);
                *work = work.saturating_sub(TILE_WORK);
            }
        }
        for port in ground.graph.ports(sector).iter() {
            let node = self.node(port.id);
            if node.taken {
                let cost = node.cost + u64::from(port.exit);
                self.offer(ground, number, port.slot, cost, Step::Portal(port.id));
                *work = work.saturating_sub(TILE_WORK);
            }
        }
        let target = &mut self.targets[number];
        target.met = target.wants.len();
    }

    /// Offers the wants of a target the way by `step`, which costs `cost` from
    /// the slot `gate` of its sector.
    fn offer(&mut self, ground: Ground<'_>, number: usize, gate: Slot, cost: u64, step: Step) {
        let target = &mut self.targets[number];
        let Some(id) = ground.costs.extent().sector_id(target.sector) else {
            return;
        };
        let mut frame = Frame::alone(ground.costs.tile(id));
        frame.seed(gate, cost);
        frame.settle();
        for want in &mut target.wants {
            let offered = (frame.value(want.slot), step);
            if offered < (want.cost, want.step) {
                (want.cost, want.step) = offered;
            }
        }
    }

    fn node(&self, id: PortalId) -> &Node {
        &self.blocks.get(id.owner()).nodes[id.local()]
    }

    fn node_mut(&mut self, id: PortalId) -> &mut Node {
        &mut self.blocks.get_mut(id.owner()).nodes[id.local()]
    }

    /// Notes a way from a portal, through `sector`, if it is the best so far.
    fn improve(&mut self, id: PortalId, cost: u64, next: Step, sector: Sector) -> bool {
        let node = self.node_mut(id);
        if cost >= node.cost {
            return false;
        }
        *node = Node {
            cost,
            next,
            side: u8::from(sector != id.owner()),
            taken: false,
        };
        true
    }

    /// Puts the parked entries into the queue, aimed at the open targets.
    fn unpark(&mut self, ground: Ground<'_>, ring: &mut BucketRing) {
        let aim = match self.aim {
            Some(aim) => aim,
            None => {
                let aim = self.aim_at_open(ground);
                let mut parked = std::mem::take(&mut self.parked);
                for (key, id) in &mut parked {
                    *key = self.key(ground, aim, *id);
                }
                self.parked = parked;
                self.aim = Some(aim);
                aim
            }
        };
        debug_assert_eq!(self.aim.map(|a| a.low), Some(aim.low));
        ring.restart(self.parked.iter().map(|&(key, _)| key).min().unwrap_or(0));
        for (key, id) in self.parked.drain(..) {
            ring.push(key, id);
        }
    }

    fn aim_at_open(&self, ground: Ground<'_>) -> Aim {
        let mut low = Cell::new(i32::MAX, i32::MAX);
        let mut high = Cell::new(i32::MIN, i32::MIN);
        for &number in &self.open {
            let target = &self.targets[number as usize];
            for want in &target.wants {
                let x = target.sector.x * crate::grid::SECTOR_SIDE + want.slot.x();
                let y = target.sector.y * crate::grid::SECTOR_SIDE + want.slot.y();
                low = Cell::new(low.x.min(x), low.y.min(y));
                high = Cell::new(high.x.max(x), high.y.max(y));
            }
        }
        Aim {
            low,
            high,
            lowest_cost: u64::from(ground.costs.lowest()),
        }
    }

    fn key(&self, ground: Ground<'_>, aim: Aim, id: PortalId) -> u64 {
        let place = ground.graph.place(id).unwrap_or_default();
        self.node(id).cost + aim.price(place)
    }

    /// Takes the entries that still count out of the queue.
    fn park(&mut self, ground: Ground<'_>, ring: &mut BucketRing) {
        let Some(aim) = self.aim else { return };
        let mut entries = ring.drain();
        entries.retain(|&(key, id)| !self.node(id).taken && self.key(ground, aim, id) == key);
        self.parked = entries;
    }

    /// Takes portals until every target is served or the work is used up.
    fn take_portals(&mut self, ground: Ground<'_>, ring: &mut BucketRing, work: &mut u64) -> bool {
        let Some(aim) = self.aim else { return false };
        let mut bound = self.lowest_bound();
        while let Some(key) = ring.lowest() {
            if key >= bound {
                self.close_served(key);
                if self.open.is_empty() {
                    return true;
                }
                bound = self.lowest_bound();
            }
            if *work == 0 {
                return false;
            }
            let Some((_, id)) = ring.pop() else { break };
            if self.node(id).taken {
                continue;
            }
            *work = work.saturating_sub(TAKE_WORK);
            self.node_mut(id).taken = true;
            self.serve(ground, id, work);
            bound = bound.min(self.lowest_bound_beside(id));
            self.carry_on(ground, ring, aim, id);
        }
        // The queue is empty: what is served now is all that can be.
        self.open.clear();
        true
    }

    /// Offers a portal just taken to the targets on both its sides.
    fn serve(&mut self, ground: Ground<'_>, id: PortalId, work: &mut u64) {
        for sector in id.sectors() {
            let number = self.blocks.get(sector).target;
            if number == NO_TARGET {
                continue;
            }
            let port = ground.graph.ports(sector).iter().find(|port| port.id == id);
            if let Some(port) = port {
                let cost = self.node(id).cost + u64::from(port.exit);
                self.offer(ground, number as usize, port.slot, cost, Step::Portal(id));
                *work = work.saturating_sub(TILE_WORK);
            }
        }
    }

    /// Carries the cost of a portal just taken on to those behind it.
    fn carry_on(&mut self, ground: Ground<'_>, ring: &mut BucketRing, aim: Aim, id: PortalId) {
        let Node { cost, side, .. } = *self.node(id);
        let onward = id.sectors()[1 - usize::from(side)];
        for walk in ground.graph.arrivals(onward, id) {
            let cost = cost + u64::from(walk.cost);
            if self.improve(walk.from, cost, Step::Portal(id), onward) {
                ring.push(self.key(ground, aim, walk.from), walk.from);
            }
        }
    }

    /// The key from which on a target is served.
    fn bound(&self, number: u32) -> u64 {
        let wants = &self.targets[number as usize].wants;
        wants.iter().map(|want| want.cost).max().unwrap_or(0)
    }

    fn lowest_bound(&self) -> u64 {
        let bounds = self.open.iter().map(|&number| self.bound(number));
        bounds.min().unwrap_or(0)
    }

    fn lowest_bound_beside(&self, id: PortalId) -> u64 {
        let targets = id.sectors().map(|sector| self.blocks.get(sector).target);
        let open = targets
            .into_iter()
            .filter(|number| self.open.contains(number));
        open.map(|number| self.bound(number))
            .min()
            .unwrap_or(u64::MAX)
    }

    fn close_served(&mut self, key: u64) {
        let open = std::mem::take(&mut self.open);
        self.open = open
            .into_iter()
            .filter(|&number| key < self.bound(number))
            .collect();
    }

    /// Whether a want has been added since the search last ended.
    pub(crate) const fn is_served(&self) -> bool {
        self.open.is_empty()
    }

    /// The portals of the ways found, and the sectors they lead through, told
    /// to `portal` and `sector`; each may be told more than once.
    pub(crate) fn ways(&self, mut portal: impl FnMut(PortalId), mut sector: impl FnMut(Sector)) {
        let mut told: SectorPages<u16> = self.blocks.like(0);
        for target in &self.targets {
            for want in &target.wants {
                if want.cost == UNREACHED {
                    continue;
                }
                sector(target.sector);
                let mut step = want.step;
                while let Step::Portal(id) = step {
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
        let wants: usize = self
            .targets
            .iter()
            .map(|target| size_of::<Target>() + target.wants.capacity() * size_of::<Want>())
            .sum();
        self.blocks.bytes()
            + wants
            + self.sources.capacity() * size_of::<Source>()
            + self.parked.capacity() * size_of::<(u64, PortalId)>()
    }
}
