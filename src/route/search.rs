//! The search: A* from the goal outward over the portals.
//!
//! The cost of a portal is that of the cheapest path from the portal's own cell
//! to a goal. The search takes portals in the order of cost plus heuristic. The
//! heuristic is a lower bound on the cost to the nearest of all cells for which
//! a path is still wanted, so one search serves many units. Costs and heuristic
//! both come from walks between cells. So the heuristic is consistent, and a
//! portal that was taken is final, whatever targets come later.
//!
//! A portal that was reached through one of its sectors is expanded through the
//! other only. Inside the first sector the in-sector costs are the cheapest
//! already, and a path back would gain nothing.
//!
//! A target is the cells of one sector for which a path is wanted. Each portal
//! taken at that sector offers it a path: the exact walk to the gate, then the
//! portal's cost. A target is served when no portal left in the queue can offer
//! less.

mod aiming;
mod queue;
mod room;
mod ways;

use super::nodes::{Entered, NodeNumber, Nodes};
use super::step::NextStep;
use super::target::{SearchTarget, TargetId, TargetOffer, Targets};
use crate::budget::{MEET_WORK, PORTAL_WORK, Paused, TILE_WORK, Work};
use crate::grid::{Cell, Extent, Rect, Sector};
use crate::heuristic::{Estimate, PricesAround};
use crate::islands::price_to;
use crate::kernel::{NO_WAY, Threshold, UNREACHED, walks_to};
use crate::map::Map;
use crate::portal::{ArrivalRow, LocalPortal, PortalGraph, PortalId, TableEntry, with_neighbours};
use crate::queue::BucketRing;

use queue::Queue;
pub(crate) use room::SearchRoom;
pub(crate) use ways::{Lead, Telling};

/// A goal cell, and the cost added for arriving there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) cell: Cell,
    pub(crate) start_cost: u64,
}

/// A search that can be extended and continued; see the module.
pub(crate) struct Search {
    nodes: Nodes,
    sources: Vec<Source>,
    /// The number of sources whose costs have been passed to the portals around
    /// them.
    spread: usize,
    targets: Targets,
    /// Paths to offer to targets before the search continues.
    offers: Vec<TargetOffer>,
    /// Cells added while the search is under way; they are targets of the next
    /// round.
    later: Vec<Cell>,
    /// Present while the search is under way.
    queue: Option<Queue>,
    /// The value of [`Self::aim_and_highest`] when all wants were last served.
    found: Option<(Estimate, u64)>,
}

impl Search {
    /// Makes a search for paths to these goals, without doing any work.
    pub(crate) fn new(room: &mut SearchRoom, sources: Vec<Source>) -> Self {
        Self {
            nodes: room.take_nodes(),
            sources,
            spread: 0,
            targets: Targets::default(),
            offers: Vec::new(),
            later: Vec::new(),
            queue: None,
            found: None,
        }
    }

    /// Frees its memory for others, and drops its targets. It keeps what
    /// [`may_gain`](Self::may_gain) needs.
    pub(crate) fn forget(&mut self, room: &mut SearchRoom) {
        if !self.is_forgotten() {
            room.give_nodes(std::mem::replace(&mut self.nodes, Nodes::none()));
        }
        self.drop_queue(room);
        self.spread = 0;
        self.targets = Targets::default();
        self.offers = Vec::new();
        self.later = Vec::new();
    }

    /// Whether its memory is [freed](Self::forget) and not yet taken again.
    pub(crate) const fn is_forgotten(&self) -> bool {
        self.nodes.is_none()
    }

    /// Takes memory again, to start from scratch.
    pub(crate) fn recall(&mut self, room: &mut SearchRoom) {
        if self.is_forgotten() {
            self.nodes = room.take_nodes();
        }
    }

    /// Ends the search, and frees its memory for others.
    pub(crate) fn retire(self, room: &mut SearchRoom) {
        if !self.is_forgotten() {
            room.give_nodes(self.nodes);
        }
        if let Some(queue) = self.queue {
            room.give_ring(queue.ring);
        }
    }

    /// Adds a goal. It must not share an island with earlier goals, whose paths
    /// are final.
    pub(crate) fn add_source(&mut self, source: Source) {
        self.sources.push(source);
    }

    /// Adds a cell for which a path to the goal is wanted. There must be one. A
    /// cell added while a search is under way waits until the present targets
    /// are served; otherwise each new cell would change the aim.
    pub(crate) fn want(&mut self, map: &Map, cell: Cell) {
        if self.queue.is_some() {
            self.later.push(cell);
        } else {
            self.look_for(map, cell);
        }
    }

    fn look_for(&mut self, map: &Map, cell: Cell) {
        let (sector, slot) = map.costs.extent().locate(cell);
        let sector = map.costs.extent().sector(sector);
        let mut target = self.nodes.target(sector);
        if target == TargetId::NONE {
            target = self.targets.add(sector);
            self.nodes.set_target(&map.graph, sector, target);
        }
        self.targets.want(target, slot);
    }

    /// Continues the search until paths for all present targets are found. Cells
    /// added meanwhile are targets of the next call; see
    /// [`is_served`](Self::is_served).
    pub(crate) fn advance(
        &mut self,
        map: &Map,
        room: &mut SearchRoom,
        work: &mut Work,
    ) -> Result<(), Paused> {
        if self.queue.is_none() {
            for cell in std::mem::take(&mut self.later) {
                self.look_for(map, cell);
            }
            if self.targets.is_served() {
                return Ok(());
            }
            self.prepare(map, work)?;
        }
        while !self.targets.is_served() {
            if self.targets.is_group_served() {
                self.drop_queue(room);
            }
            let queue = self.queue.take();
            let mut queue = queue.unwrap_or_else(|| self.begin_queue(map, room, work));
            let served = self.serve_group(map, &mut queue, work);
            self.queue = Some(queue);
            served?;
        }
        self.drop_queue(room);
        self.found = self.aim_and_highest(map);
        Ok(())
    }

    /// Spreads the sources, and compares the new wants with what is known.
    fn prepare(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        while let Some(&source) = self.sources.get(self.spread) {
            work.check()?;
            self.spread_source(map, source);
            self.spread += 1;
            work.count(TILE_WORK);
        }
        loop {
            work.check()?;
            let Some((target, sector)) = self.targets.take_fresh() else {
                return Ok(());
            };
            self.meet(map, target, sector);
            work.count(MEET_WORK);
        }
    }

    /// Drops the queue after its aim has changed; it will be made again.
    pub(crate) fn drop_queue(&mut self, room: &mut SearchRoom) {
        if let Some(queue) = self.queue.take() {
            room.give_ring(queue.ring);
        }
    }

    /// Gives the portals around a source their costs.
    fn spread_source(&mut self, map: &Map, source: Source) {
        let extent = map.costs.extent();
        let (id, slot) = extent.locate(source.cell);
        let (sector, tile) = (extent.sector(id), map.costs.tile(id));
        let portals: Vec<LocalPortal> = map.graph.around(sector).portals(&tile).collect();
        let from: Vec<Threshold> = portals.iter().map(|portal| portal.entry).collect();
        let mut walks = Vec::new();
        walks_to(&tile, slot, &from, &mut walks);
        let seat = self.nodes.seat(&map.graph, sector);
        for (portal, walk) in portals.iter().zip(walks) {
            if walk != NO_WAY {
                let cost = source.start_cost + u64::from(walk);
                self.nodes.end_at(seat, portal.gate.portal_slot(), cost);
            }
        }
    }

    /// Offers a target with new wants the goals of its own sector, and the
    /// portals that were taken before the wants came.
    fn meet(&mut self, map: &Map, target: TargetId, sector: Sector) {
        let extent = map.costs.extent();
        for source in &self.sources {
            let (place, slot) = extent.locate(source.cell);
            if extent.sector(place) == sector {
                self.offers.push(TargetOffer {
                    target,
                    over: Threshold::at(slot),
                    cost: source.start_cost,
                    step: NextStep::GOAL,
                });
            }
        }
        let Some(id) = extent.sector_id(sector) else {
            return;
        };
        let tile = map.costs.tile(id);
        for portal in map.graph.around(sector).portals(&tile) {
            if let Some(cost) = self.nodes.cost(portal.id) {
                self.offers.push(TargetOffer {
                    target,
                    over: portal.exit,
                    cost,
                    step: NextStep::at(portal.id),
                });
            }
        }
        self.targets.met(target);
    }

    /// Makes the offers that are due.
    fn make_offers(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        while let Some(&offer) = self.offers.last() {
            work.check()?;
            self.offers.pop();
            let sector = self.targets.sector(offer.target);
            if let Some(id) = map.costs.extent().sector_id(sector) {
                let tile = map.costs.tile(id);
                if self.targets.offer(&tile, &offer) {
                    work.count(TILE_WORK);
                }
            }
        }
        Ok(())
    }

    /// Fills the queue, and takes portals from it until all targets of a group,
    /// or of all groups, are served.
    fn serve_group(&mut self, map: &Map, queue: &mut Queue, work: &mut Work) -> Result<(), Paused> {
        self.fill(map, queue, work)?;
        let Queue { ring, aim, .. } = queue;
        loop {
            self.make_offers(map, work)?;
            let Some(key) = ring.lowest() else { break };
            if !self.targets.close_served(key) {
                return Ok(());
            }
            work.check()?;
            if self.targets.is_group_served() {
                return Ok(());
            }
            self.take_some(map, ring, aim, work);
        }
        // The queue is empty, so no further target can be served.
        self.targets.close_all();
        Ok(())
    }

    /// Takes portals until there is an offer to be made, a target may be
    /// served, or the work is used up.
    fn take_some(
        &mut self,
        map: &Map,
        ring: &mut BucketRing<NodeNumber>,
        aim: &Estimate,
        work: &mut Work,
    ) {
        let bound = self.targets.next_bound();
        while let Some(id) = ring.pop_below(bound) {
            let Some(cost) = self.nodes.take(id) else {
                continue;
            };
            work.count(PORTAL_WORK);
            self.carry_on(map, ring, aim, id, cost);
            let sector = self.nodes.sector(id.seat());
            if self.targets.may_be_beside(sector) {
                self.serve(map, id.portal_slot().id(sector), cost);
            }
            if !self.offers.is_empty() || work.check().is_err() {
                break;
            }
        }
    }

    /// Offers a portal just taken to the targets on both its sides.
    fn serve(&mut self, map: &Map, id: PortalId, cost: u64) {
        for sector in id.sectors() {
            let target = self.nodes.target(sector);
            if target == TargetId::NONE {
                continue;
            }
            let Some(place) = map.costs.extent().sector_id(sector) else {
                continue;
            };
            let (around, tile) = (map.graph.around(sector), map.costs.tile(place));
            let mut portals = around.portals(&tile);
            if let Some(portal) = portals.find(|portal| portal.id == id) {
                self.offers.push(TargetOffer {
                    target,
                    over: portal.exit,
                    cost,
                    step: NextStep::at(id),
                });
            }
        }
    }

    /// Passes the cost of a portal just taken on to the portals behind it.
    #[inline]
    fn carry_on(
        &mut self,
        map: &Map,
        ring: &mut BucketRing<NodeNumber>,
        aim: &Estimate,
        id: NodeNumber,
        cost: u64,
    ) {
        let entered = self.nodes.enter(&map.graph, id, cost);
        let links = map.graph.links(entered.sector);
        let known = map.landmarks.as_ref();
        let known = known.map(|landmarks| landmarks.around(entered.sector));
        match links.row(entered.lanes, entered.lane) {
            ArrivalRow::Narrow(gates, walks) => {
                self.improve(ring, aim, entered, known, cost, [gates, walks]);
            }
            ArrivalRow::Wide(gates, walks) => {
                self.improve(ring, aim, entered, known, cost, [gates, walks]);
            }
        }
    }

    /// Improves the costs of the portals at which the walks of a row begin.
    #[inline(always)]
    fn improve<T: TableEntry>(
        &mut self,
        ring: &mut BucketRing<NodeNumber>,
        aim: &Estimate,
        entered: Entered,
        known: Option<PricesAround<'_>>,
        cost: u64,
        row: [&[T]; 2],
    ) {
        let Cell { x, y } = entered.sector.origin();
        self.nodes.improve(entered.seat, cost, row, |gate, cost| {
            let (dx, dy) = gate.step();
            let ahead = match known {
                None => aim.price(x + dx, y + dy),
                Some(known) => aim.price_with(x + dx, y + dy, known.at(gate.portal_slot())),
            };
            let key = cost + ahead;
            ring.push(key, NodeNumber::new(entered.seat, gate.portal_slot()));
        });
    }

    /// Returns the number of sectors with cells for which a path is wanted.
    pub(crate) const fn target_count(&self) -> usize {
        self.targets.count()
    }

    /// Returns the portals taken, each with the cost from it to a goal, by id.
    pub(crate) fn taken(&self) -> Vec<(PortalId, u64)> {
        let mut taken: Vec<_> = self.nodes.taken().collect();
        taken.sort_unstable();
        taken
    }

    /// Returns the portals that are known and not taken, each with the lowest
    /// known cost from it, by id.
    pub(crate) fn frontier(&self) -> Vec<(PortalId, u64)> {
        let seats = 0..self.nodes.seats();
        let known = seats.flat_map(|seat| self.nodes.frontier_at(seat));
        let mut known: Vec<_> = known.map(|(_, id, cost)| (id, cost)).collect();
        known.sort_unstable();
        // Either of a portal's two sectors may know it.
        known.dedup_by_key(|&mut (id, _)| id);
        known
    }

    /// Whether any work has been done.
    pub(crate) const fn is_begun(&self) -> bool {
        self.spread > 0
    }

    /// Whether the search may have read a sector, or walks that an edit in it
    /// would change.
    pub(crate) fn has_seen(&self, extent: Extent, sector: Sector) -> bool {
        if self.is_forgotten() || !self.nodes.may_be_beside(sector) {
            return false;
        }
        let mut around = with_neighbours(extent, sector);
        around.any(|sector| self.nodes.has_seen(sector))
    }

    /// Adapts to the portals around a sector after an edit there. Costs stay as
    /// they were, so that a search under way comes to an end; it is then to be
    /// run again.
    pub(crate) fn refit(&mut self, graph: &PortalGraph, sector: Sector) {
        if self.is_forgotten() {
            return;
        }
        for sector in with_neighbours(graph.extent(), sector) {
            self.nodes.refit(graph, sector);
        }
    }

    /// Whether a path through an area could cost less than the most expensive
    /// of the paths found, if the area has become cheaper.
    pub(crate) fn may_gain(&self, map: &Map, area: Rect) -> bool {
        let Some((aim, highest)) = self.found else {
            return false;
        };
        let mut sources = self.sources.iter();
        let on = aim.price_from_area(area);
        sources.any(|source| {
            let to = price_to(area, source.cell) * u64::from(map.costs.lowest());
            source.start_cost + to + on < highest
        })
    }

    /// Returns an estimate to all wants and the highest cost of their paths, as
    /// of the time all wants were last served; `None` if no path was found.
    pub(crate) const fn found(&self) -> Option<(Estimate, u64)> {
        self.found
    }

    /// Whether paths for all wants have been searched.
    pub(crate) const fn is_served(&self) -> bool {
        self.targets.is_served() && self.later.is_empty()
    }

    /// Returns an estimate to all wants, and the highest cost of the paths
    /// found; `None` if no path was found.
    fn aim_and_highest(&self, map: &Map) -> Option<(Estimate, u64)> {
        let wants = self.targets.iter().flat_map(SearchTarget::cells_by_group);
        let aim = Estimate::at(wants, map.costs.lowest());
        let costs = self.targets.iter().flat_map(|target| &target.wants);
        let found = costs
            .map(|want| want.cost)
            .filter(|&cost| cost != UNREACHED);
        Some((aim, found.max()?))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.targets.bytes()
            + self.sources.capacity() * size_of::<Source>()
            + self.offers.capacity() * size_of::<TargetOffer>()
            + self.later.capacity() * size_of::<Cell>()
            + self.queue.as_ref().map_or(0, |queue| queue.ring.bytes())
    }
}
