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

use super::aim::Aim;
use super::target::{Offer, Target, TargetId, Targets};
use crate::budget::{PORTAL_WORK, TILE_WORK, Work};
use crate::chart::Chart;
use crate::grid::{Cell, Rect, SECTOR_SIDE, Sector, SectorPages, Slot};
use crate::portal::{Arrival, BORDER_PORTALS, Mark, Port, PortalId, Side};
use crate::queue::BucketRing;
use crate::wave::{NO_WAY, Threshold, UNREACHED, octile, walks_to};

/// A goal cell, and the price that arriving there still adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) cell: Cell,
    pub(crate) start_cost: u64,
}

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

/// A search that can be added to and gone on with; see the module.
#[derive(Clone)]
pub(crate) struct Search {
    blocks: SectorPages<Block>,
    sources: Vec<Source>,
    /// How many sources have been spread to the portals around them.
    spread: usize,
    targets: Targets,
    /// Ways to be offered to targets before the search goes on.
    offers: Vec<Offer>,
    /// The queue's entries while the search is not running.
    parked: Vec<(u64, PortalId)>,
    /// What the keys of the parked entries aim at; `None` once a target has
    /// been added.
    aim: Option<Aim>,
    /// What [`Self::aim_and_dearest`] was when all wants were last served.
    found: Option<(Aim, u64)>,
}

impl Search {
    /// A search for ways to these goals; nothing is done yet.
    pub(crate) fn new(chart: &Chart, sources: Vec<Source>) -> Self {
        Self {
            blocks: SectorPages::new(chart.costs.extent(), BLANK),
            sources,
            spread: 0,
            targets: Targets::default(),
            offers: Vec::new(),
            parked: Vec::new(),
            aim: None,
            found: None,
        }
    }

    /// Adds a goal. It must not share an island with those before: their ways
    /// are final.
    pub(crate) fn add_source(&mut self, source: Source) {
        self.sources.push(source);
    }

    /// Adds a cell that wants to reach the goal. It must be able to.
    pub(crate) fn want(&mut self, chart: &Chart, cell: Cell) {
        let (sector, slot) = chart.costs.extent().locate(cell);
        let sector = chart.costs.extent().sector(sector);
        let block = self.blocks.get_mut(sector);
        if block.target == TargetId::NONE {
            block.target = self.targets.add(sector);
        }
        if self.targets.want(block.target, slot) {
            self.aim = None;
        }
    }

    /// Goes on with the search; `work` counts what is done.
    /// Tells whether every want is served; else it is to be called again, with
    /// `ring` at its disposal.
    pub(crate) fn advance(
        &mut self,
        chart: &Chart,
        ring: &mut BucketRing<PortalId>,
        work: &mut Work,
    ) -> bool {
        if self.targets.is_served() {
            return true;
        }
        if !self.prepare(chart, work) {
            return false;
        }
        let aim = self.aim.unwrap_or_else(|| self.aim_anew(chart));
        self.unpark(ring);
        let served = self.take_portals(chart, ring, aim, work);
        self.park(chart, ring, aim);
        if served {
            self.found = self.aim_and_dearest(chart);
        }
        served
    }

    /// Spreads the sources and meets the new wants; false if the work was used
    /// up first.
    fn prepare(&mut self, chart: &Chart, work: &mut Work) -> bool {
        while let Some(&source) = self.sources.get(self.spread) {
            if work.is_over() {
                return false;
            }
            self.spread_source(chart, source);
            self.spread += 1;
            work.count(TILE_WORK);
        }
        while let Some((target, sector)) = self.targets.take_fresh() {
            self.meet(chart, target, sector);
        }
        true
    }

    /// Gives the portals around a source their costs.
    fn spread_source(&mut self, chart: &Chart, source: Source) {
        let extent = chart.costs.extent();
        let (id, slot) = extent.locate(source.cell);
        let (sector, tile) = (extent.sector(id), chart.costs.tile(id));
        let ports: Vec<Port> = chart.graph.around(sector).ports(tile).collect();
        let entries = ports.iter().flat_map(|port| port.entry.steps());
        let from: Vec<Slot> = entries.map(|&(slot, _)| slot).collect();
        let mut walks = Vec::new();
        walks_to(tile, slot, &from, &mut walks);
        let mut walks = walks.into_iter();
        for port in &ports {
            let over = walks.by_ref().take(port.entry.steps().len());
            let over = over.zip(port.entry.steps());
            let over = over.filter(|&(walk, _)| walk != NO_WAY);
            let Some(walk) = over.map(|(walk, (_, price))| walk + price).min() else {
                continue;
            };
            let node = &mut self.blocks.get_mut(port.id.owner()).nodes[port.id.local()];
            let side = u8::from(port.id.owner() != sector);
            let cost = source.start_cost + u64::from(walk);
            if node.improve(cost, Step::GOAL, side) {
                self.parked.push((0, port.id));
                self.aim = None;
            }
        }
    }

    /// Has a target with new wants offered its own sector's goals, and the
    /// portals that were taken before the wants came.
    fn meet(&mut self, chart: &Chart, target: TargetId, sector: Sector) {
        let extent = chart.costs.extent();
        for source in &self.sources {
            let (place, slot) = extent.locate(source.cell);
            if extent.sector(place) == sector {
                self.offers.push(Offer {
                    target,
                    over: Threshold::at(slot),
                    cost: source.start_cost,
                    step: Step::GOAL,
                });
            }
        }
        let Some(id) = extent.sector_id(sector) else {
            return;
        };
        for port in chart.graph.around(sector).ports(chart.costs.tile(id)) {
            let node = &self.blocks.get(port.id.owner()).nodes[port.id.local()];
            if node.taken {
                self.offers.push(Offer {
                    target,
                    over: port.exit,
                    cost: node.cost,
                    step: Step::at(port.id),
                });
            }
        }
        self.targets.met(target);
    }

    /// Makes the offers that are due; false if the work was used up first.
    fn make_offers(&mut self, chart: &Chart, work: &mut Work) -> bool {
        while let Some(offer) = self.offers.pop() {
            if work.is_over() {
                self.offers.push(offer);
                return false;
            }
            let sector = self.targets.sector(offer.target);
            if let Some(id) = chart.costs.extent().sector_id(sector) {
                let tile = chart.costs.tile(id);
                if self.targets.offer(tile, &offer) {
                    work.count(TILE_WORK);
                }
            }
        }
        true
    }

    /// Aims at the open targets and gives the parked entries their new keys.
    fn aim_anew(&mut self, chart: &Chart) -> Aim {
        let aim = self
            .aim_through(chart)
            .unwrap_or_else(|| Aim::at(self.targets.open_wants(), chart.costs.lowest()));
        let mut parked = std::mem::take(&mut self.parked);
        for (key, id) in &mut parked {
            *key = self.key(chart, aim, *id);
        }
        self.parked = parked;
        self.aim = Some(aim);
        aim
    }

    /// Where a single target is left: an aim at the portals around its sector.
    fn aim_through(&self, chart: &Chart) -> Option<Aim> {
        let target = self.targets.only_open()?;
        let lowest = chart.costs.lowest();
        let tile = chart
            .costs
            .tile(chart.costs.extent().sector_id(target.sector)?);
        let ports: Vec<Port> = chart.graph.around(target.sector).ports(tile).collect();
        let exits = ports.iter().flat_map(|port| port.exit.steps());
        let slots: Vec<Slot> = exits.map(|&(slot, _)| slot).collect();
        let mut least = vec![u64::MAX; slots.len()];
        let mut walks = Vec::new();
        for want in &target.wants {
            if tile.highest() <= 1 {
                // Where all costs are 1 a way costs the same there and back.
                walks_to(tile, want.slot, &slots, &mut walks);
            } else {
                walks_over_open_ground(want.slot, &slots, &mut walks, lowest);
            }
            for (least, &walk) in least.iter_mut().zip(&walks) {
                if walk != NO_WAY {
                    *least = (*least).min(u64::from(walk));
                }
            }
        }
        let mut least = least.into_iter();
        let portals = ports.iter().map(|port| {
            let steps = port.exit.steps();
            let over = least.by_ref().take(steps.len()).zip(steps);
            let over = over.map(|(walk, &(_, price))| walk.saturating_add(u64::from(price)));
            let place = chart.graph.place(port.id).unwrap_or_default();
            let beyond = over.min().unwrap_or(u64::MAX);
            (port.mark.side(), place, beyond)
        });
        Aim::through(portals, lowest)
    }

    fn key(&self, chart: &Chart, aim: Aim, id: PortalId) -> u64 {
        let Cell { x, y } = chart.graph.place(id).unwrap_or_default();
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
    fn park(&mut self, chart: &Chart, ring: &mut BucketRing<PortalId>, aim: Aim) {
        let mut entries = ring.drain();
        entries.retain(|&(key, id)| !self.node(id).taken && self.key(chart, aim, id) == key);
        self.parked = entries;
    }

    /// Takes portals until every target is served or the work is used up.
    fn take_portals(
        &mut self,
        chart: &Chart,
        ring: &mut BucketRing<PortalId>,
        aim: Aim,
        work: &mut Work,
    ) -> bool {
        loop {
            if !self.make_offers(chart, work) {
                return false;
            }
            let Some(key) = ring.lowest() else { break };
            if !self.targets.close_served(key) {
                return true;
            }
            if work.is_over() {
                return false;
            }
            let Some((_, id)) = ring.pop() else { break };
            let node = &mut self.blocks.get_mut(id.owner()).nodes[id.local()];
            if node.taken {
                continue;
            }
            node.taken = true;
            let node = *node;
            work.count(PORTAL_WORK);
            self.serve(chart, id, node.cost);
            let onward = id.sectors()[1 - usize::from(node.side)];
            self.carry_on(chart, ring, aim, id, node.cost, onward);
        }
        // The queue is empty: what is served now is all that can be.
        self.targets.close_all();
        true
    }

    /// Has a portal just taken offered to the targets on both its sides.
    fn serve(&mut self, chart: &Chart, id: PortalId, cost: u64) {
        for sector in id.sectors() {
            let target = self.blocks.get(sector).target;
            if target == TargetId::NONE {
                continue;
            }
            let Some(place) = chart.costs.extent().sector_id(sector) else {
                continue;
            };
            let around = chart.graph.around(sector);
            let mut ports = around.ports(chart.costs.tile(place));
            if let Some(port) = ports.find(|port| port.id == id) {
                self.offers.push(Offer {
                    target,
                    over: port.exit,
                    cost,
                    step: Step::at(id),
                });
            }
        }
    }

    /// Carries the cost of a portal just taken on to those behind it, through
    /// the sector `onward`.
    fn carry_on(
        &mut self,
        chart: &Chart,
        ring: &mut BucketRing<PortalId>,
        aim: Aim,
        id: PortalId,
        cost: u64,
        onward: Sector,
    ) {
        let (x, y) = (onward.x * SECTOR_SIDE, onward.y * SECTOR_SIDE);
        let own = self.blocks.seat(onward);
        let mut owners = [(onward, own); 4];
        for side in [Side::North, Side::West] {
            let owner = side.owner(onward);
            if owner.x >= 0 && owner.y >= 0 {
                owners[side as usize] = (owner, self.blocks.seat(owner));
            }
        }
        let next = Step::at(id);
        let links = chart.graph.links(onward);
        links.arrivals(Mark::of(id, onward), |walk: Arrival| {
            let (side, local) = (walk.from.side(), walk.from.local());
            let (owner, seat) = owners[side];
            let node = &mut self.blocks.at_mut(seat).nodes[local];
            let cost = cost + u64::from(walk.cost);
            if node.improve(cost, next, u8::from(side < Side::East as usize)) {
                let (dx, dy) = walk.from.step();
                let key = cost + aim.price(x + dx, y + dy);
                ring.push(key, PortalId::owned(owner, local));
            }
        });
    }

    fn node(&self, id: PortalId) -> &Node {
        &self.blocks.get(id.owner()).nodes[id.local()]
    }

    /// Whether anything has been done.
    pub(crate) const fn is_begun(&self) -> bool {
        self.spread > 0
    }

    /// Whether the search may have looked at a sector: whether any portal that
    /// its neighbourhood keeps has a cost.
    pub(crate) fn has_seen(&self, sector: Sector) -> bool {
        let north = Sector::new(sector.x, (sector.y - 1).max(0));
        let west = Sector::new((sector.x - 1).max(0), sector.y);
        let known = |sector| {
            let mut nodes = self.blocks.get(sector).nodes.iter();
            nodes.any(|node| node.cost != u64::MAX)
        };
        known(sector) || known(north) || known(west)
    }

    /// Whether a way through an area could cost less than the dearest of the
    /// ways found: if what lies there has become cheaper.
    pub(crate) fn may_gain(&self, chart: &Chart, area: Rect) -> bool {
        let Some((aim, dearest)) = self.found else {
            return false;
        };
        let mut sources = self.sources.iter();
        let on = aim.price_from_area(area);
        sources.any(|source| {
            let to = Aim::at([source.cell].into_iter(), chart.costs.lowest());
            source.start_cost + to.price_from_area(area) + on < dearest
        })
    }

    /// Whether no want is left that has not been looked for.
    pub(crate) const fn is_served(&self) -> bool {
        self.targets.is_served()
    }

    /// Where all wants are, and the price of the dearest of the ways found;
    /// `None` if none was.
    pub(crate) fn aim_and_dearest(&self, chart: &Chart) -> Option<(Aim, u64)> {
        let wants = self.targets.iter().flat_map(Target::cells);
        let aim = Aim::at(wants, chart.costs.lowest());
        let costs = self.targets.iter().flat_map(|target| &target.wants);
        let found = costs
            .map(|want| want.cost)
            .filter(|&cost| cost != UNREACHED);
        Some((aim, found.max()?))
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
            + self.offers.capacity() * size_of::<Offer>()
            + self.parked.capacity() * size_of::<(u64, PortalId)>()
    }
}

/// What walks inside a sector cost at least.
fn walks_over_open_ground(to: Slot, from: &[Slot], walks: &mut Vec<u32>, lowest: u8) {
    walks.clear();
    walks.extend(from.iter().map(|from| {
        let price = octile(to.x().abs_diff(from.x()), to.y().abs_diff(from.y()));
        price as u32 * u32::from(lowest)
    }));
}

impl Node {
    /// Notes a way, if it is the best so far.
    const fn improve(&mut self, cost: u64, next: Step, side: u8) -> bool {
        if cost >= self.cost || self.taken {
            return false;
        }
        self.cost = cost;
        self.next = next;
        self.side = side;
        true
    }
}
