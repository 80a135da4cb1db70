//! The search: from the goal outward over the portals, block by block.
//!
//! The cost of a portal is that of the cheapest path from the portal's own cell
//! to a goal. Like A*, the search goes on where the cost plus the heuristic is
//! lowest. The heuristic is a lower bound on the cost to the nearest of all cells
//! for which a path is still wanted, so one search serves many units.
//!
//! Unlike A*, it does not take portals one by one. It settles a whole
//! [block](super::blocks) at a time, and settles it again when better costs come
//! to it. A sector and a cluster are settled by the same loop.
//!
//! A target is the cells of one sector for which a path is wanted. The portals
//! around that sector offer it paths: the exact walk to the crossing, then the
//! portal's cost. A target is served when no block left in the queue can lead to
//! a lower offer.
//!
//! The search stays with its order: for a unit that comes later it has one more target,
//! and goes on.

mod estimating;
mod links;
mod opening;
mod paths;

use super::blocks::Blocks;
use super::queue::{BlockId, Queue};
use super::room::SearchRoom;
use super::search_link::{Opening, SearchLink};
use super::target::{SearchTarget, Source, TargetId, Targets};
use crate::budget::{Paused, TILE_WORK, Work};
use crate::cost::CellLink;
use crate::grid::{Cell, CellRect, Sector};
use crate::heuristic::Estimate;
use crate::islands::price_to;
use crate::kernel::{NO_PATH, Threshold, UNREACHED, walks_to};
use crate::map::Map;
use crate::portal::{LocalPortal, PortalId, with_neighbours};

pub(crate) use paths::Reporting;

/// A search that can be extended and continued; see the module.
#[derive(Clone)]
pub(crate) struct Search {
    blocks: Blocks,
    sources: Vec<Source>,
    /// The number of sources whose costs have been passed to the portals around
    /// them.
    spread: usize,
    targets: Targets,
    links: Vec<SearchLink>,
    opening: Opening,
    /// Whether a unit can reach no goal without links.
    needs_links: bool,
    /// Cells added while the search is under way; they are targets of the next
    /// round.
    later: Vec<Cell>,
    is_under_way: bool,
    queue: Option<Queue>,
    /// Work that is done and not counted yet. It is counted in small pieces, so
    /// that no piece exceeds a budget by much.
    debt: u64,
    /// Whether the work counts: not that of a route without an order, since a query
    /// must not change what later work costs.
    is_counted: bool,
    /// The value of [`Self::estimate_and_highest`] when all wants were last served.
    found: Option<(Estimate, u64)>,
}

impl Search {
    /// Makes a search for paths to these goals, through any of these links, without doing
    /// any work.
    pub(crate) fn new(
        map: &Map,
        room: &mut SearchRoom,
        sources: Vec<Source>,
        links: impl Iterator<Item = CellLink>,
    ) -> Self {
        Self {
            blocks: room.take_blocks(map),
            sources,
            spread: 0,
            targets: Targets::default(),
            links: links.map(SearchLink::new).collect(),
            opening: Opening::Begun,
            needs_links: false,
            later: Vec::new(),
            is_under_way: false,
            queue: None,
            debt: 0,
            is_counted: true,
            found: None,
        }
    }

    /// Counts no work: the search belongs to no order.
    pub(super) fn uncounted(self) -> Self {
        Self {
            is_counted: false,
            ..self
        }
    }

    /// Frees its memory for others, and drops its targets. It keeps what
    /// [`may_gain`](Self::may_gain) needs.
    pub(crate) fn forget(&mut self, room: &mut SearchRoom) {
        if !self.is_forgotten() {
            room.give_blocks(std::mem::replace(&mut self.blocks, Blocks::none()));
        }
        self.drop_queue(room);
        self.is_under_way = false;
        self.spread = 0;
        self.targets = Targets::default();
        self.later = Vec::new();
    }

    /// Whether its memory is [freed](Self::forget) and not yet taken again.
    pub(crate) const fn is_forgotten(&self) -> bool {
        self.blocks.is_none()
    }

    /// Takes memory again, to start from scratch.
    pub(crate) fn recall(&mut self, map: &Map, room: &mut SearchRoom) {
        if self.is_forgotten() {
            self.blocks = room.take_blocks(map);
        }
    }

    /// Ends the search, and frees its memory for others.
    pub(crate) fn retire(self, room: &mut SearchRoom) {
        if !self.is_forgotten() {
            room.give_blocks(self.blocks);
        }
        if let Some(queue) = self.queue {
            room.give_ring(queue.ring);
        }
    }

    pub(crate) fn add_source(&mut self, source: Source) {
        self.sources.push(source);
    }

    /// Adds a cell for which a path to the goal is wanted. There must be one. A
    /// cell added while a search is under way waits until the present targets
    /// are served; otherwise each new cell would change the estimate.
    pub(crate) fn want(&mut self, map: &Map, cell: Cell) {
        if self.is_under_way {
            self.later.push(cell);
        } else {
            self.add_want(map, cell, true);
        }
    }

    /// Wants a path from a cell: for a unit, or since a link ends there. Returns its
    /// target.
    fn add_want(&mut self, map: &Map, cell: Cell, by_unit: bool) -> TargetId {
        let (sector, slot) = map.costs.extent().locate(cell);
        let sector = map.costs.extent().sector(sector);
        let block = self.blocks.opened(map, sector);
        let mut target = self.blocks.target(block);
        if target == TargetId::NONE {
            target = self.targets.add(sector);
            self.blocks.set_target(block, target);
        }
        self.targets.want(target, slot, by_unit);
        target
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
        if !self.is_under_way {
            for cell in std::mem::take(&mut self.later) {
                self.add_want(map, cell, true);
            }
            if self.targets.is_served() {
                return Ok(());
            }
            self.is_under_way = true;
            if self.spread == 0 {
                self.close_links();
            }
            self.begin_opening(map);
        }
        loop {
            self.serve(map, room, work)?;
            if !self.open_links(map, work)? {
                break;
            }
        }
        self.is_under_way = false;
        self.found = self.estimate_and_highest(map);
        Ok(())
    }

    /// Finds paths for all targets, through the links opened so far.
    fn serve(&mut self, map: &Map, room: &mut SearchRoom, work: &mut Work) -> Result<(), Paused> {
        if self.queue.is_none() {
            self.prepare(map, work)?;
        }
        while !self.targets.is_served() {
            if self.targets.is_group_served() {
                self.drop_queue(room);
            }
            let mut queue = self
                .queue
                .take()
                .unwrap_or_else(|| self.begin_queue(map, room));
            let served = self.serve_group(map, &mut queue, work);
            self.queue = Some(queue);
            served?;
        }
        self.drop_queue(room);
        Ok(())
    }

    /// Spreads the sources, and meets the new wants.
    fn prepare(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        while let Some(&source) = self.sources.get(self.spread) {
            work.check()?;
            self.spread_source(map, source);
            self.spread += 1;
            work.count(TILE_WORK);
        }
        loop {
            work.check()?;
            let Some(target) = self.targets.next_fresh() else {
                return Ok(());
            };
            self.targets.meet_wants(map, target, &self.sources);
            self.offer_links(map, target);
            let around = self.blocks.around(self.targets.sector(target));
            self.targets.offer(target, around);
            self.follow_links(map, target, None);
            work.count(TILE_WORK);
        }
    }

    /// Drops the queue after its estimate has changed; it will be made again.
    pub(crate) fn drop_queue(&mut self, room: &mut SearchRoom) {
        if let Some(queue) = self.queue.take() {
            room.give_ring(queue.ring);
        }
    }

    /// Gives the portals around a source their costs. Returns the blocks that got better
    /// ones, some of them several times.
    fn spread_source(&mut self, map: &Map, source: Source) -> Vec<BlockId> {
        let extent = map.costs.extent();
        let (id, slot) = extent.locate(source.cell);
        let (sector, tile) = (extent.sector(id), map.costs.tile(id));
        let portals: Vec<LocalPortal> = map.graph.around(sector).portals(&tile).collect();
        let from: Vec<Threshold> = portals.iter().map(|portal| portal.entry).collect();
        let mut walks = Vec::new();
        walks_to(&tile, slot, &from, &mut walks);
        let block = self.blocks.opened(map, sector);
        let mut reached = Vec::new();
        for (portal, walk) in portals.iter().zip(walks) {
            if walk != NO_PATH {
                let cost = source.start_cost + u64::from(walk);
                let slot = portal.crossing.portal_slot();
                reached.extend(self.blocks.end_at(map, block, slot, cost));
            }
        }
        if !reached.is_empty() {
            reached.push(block);
        }
        reached
    }

    /// Fills the queue, and settles blocks until all targets of a group, or of all
    /// groups, are served.
    fn serve_group(&mut self, map: &Map, queue: &mut Queue, work: &mut Work) -> Result<(), Paused> {
        self.fill(queue, work)?;
        loop {
            self.pay(work)?;
            let Some(key) = queue.ring.lowest() else {
                break;
            };
            if !self.targets.close_served(key) || self.targets.is_group_served() {
                return Ok(());
            }
            work.check()?;
            self.settle_some(map, queue, work);
        }
        // The queue is empty, so no further target can be served.
        self.targets.close_all();
        Ok(())
    }

    /// Settles blocks until a target may be served, or there is work to be counted.
    fn settle_some(&mut self, map: &Map, queue: &mut Queue, work: &mut Work) {
        let bound = self.targets.next_bound();
        while let Some((key, block)) = queue.ring.pop_below(bound) {
            if self.blocks.is_settled(block, key) {
                continue;
            }
            let settling = self.blocks.settle(map, block, queue);
            let target = self.blocks.target(block);
            if target != TargetId::NONE {
                let around = self.blocks.around(self.targets.sector(target));
                self.targets.offer(target, around);
                self.follow_links(map, target, Some(queue));
            }
            if settling > PIECE {
                self.debt += settling;
                return;
            }
            work.count(settling);
            if target != TargetId::NONE || work.check().is_err() {
                return;
            }
        }
    }

    /// Counts the work that is not counted yet.
    fn pay(&mut self, work: &mut Work) -> Result<(), Paused> {
        while self.debt > 0 {
            work.check()?;
            let piece = self.debt.min(PIECE);
            work.count(piece);
            self.debt -= piece;
        }
        Ok(())
    }

    /// Returns the number of sectors with cells for which a path is wanted.
    pub(crate) fn target_count(&self) -> usize {
        self.targets.count()
    }

    /// Returns the portals whose costs are known, by id: those that are settled
    /// (`false`), or those that wait to be (`true`).
    pub(crate) fn known(&self, waiting: bool) -> Vec<(PortalId, u64)> {
        let blocks = (0..self.blocks.count()).map(BlockId::of_number);
        let mut all: Vec<(PortalId, u64, bool)> =
            blocks.flat_map(|block| self.blocks.known(block)).collect();
        // A portal waits if it does in one of its two blocks.
        all.sort_unstable_by_key(|&(id, cost, is_fresh)| (id, cost, !is_fresh));
        all.dedup_by_key(|&mut (id, ..)| id);
        all.into_iter()
            .filter(|&(.., is_fresh)| is_fresh == waiting)
            .map(|(id, cost, _)| (id, cost))
            .collect()
    }

    /// Whether the search may have read a sector, or walks that an edit in it
    /// would change.
    pub(crate) fn has_seen(&self, map: &Map, sector: Sector) -> bool {
        if self.is_forgotten() || !self.blocks.may_be_beside(sector) {
            return false;
        }
        let division = map.clusters.division();
        with_neighbours(map.costs.extent(), sector)
            .any(|sector| self.blocks.has_seen(division, sector))
    }

    /// Adapts to the portals around some sectors after an edit there. Costs stay as
    /// they were, so that a search under way comes to an end; it is then to be
    /// run again.
    pub(crate) fn refit(&mut self, map: &Map, changed: impl Iterator<Item = Sector>) {
        if self.is_forgotten() {
            return;
        }
        let extent = map.costs.extent();
        let mut near = Vec::new();
        for sector in changed.filter(|&sector| self.blocks.may_be_beside(sector)) {
            near.extend(with_neighbours(extent, sector));
        }
        self.blocks.refit(map, near.into_iter());
    }

    /// Whether a path through an area could cost less than the most expensive
    /// of the paths found, if the area has become cheaper.
    pub(crate) fn may_gain(&self, map: &Map, area: CellRect) -> bool {
        let Some((estimate, highest)) = self.found else {
            return false;
        };
        // A link still closed can give no gain: its bound is that of ground of the lowest cost.
        let mut sources = self.sources_with_links().into_iter();
        let on = estimate.price_from_area(area);
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

    /// Returns for each sector with units that a path leads on the unit with the dearest
    /// path, and its cost.
    pub(crate) fn dearest_by_target(&self) -> impl Iterator<Item = (Cell, u64)> {
        self.targets.iter().filter_map(|target| {
            let wants = target.wants.iter().filter(|want| want.by_unit);
            let dearest = wants
                .filter(|want| want.cost != UNREACHED)
                .max_by_key(|want| (want.cost, want.slot))?;
            Some((target.sector.cell_at(dearest.slot), dearest.cost))
        })
    }

    /// Whether paths for all wants have been searched.
    pub(crate) const fn is_served(&self) -> bool {
        !self.is_under_way && self.targets.is_served() && self.later.is_empty()
    }

    /// Returns an estimate to all wants, and the highest cost of the paths
    /// found; `None` if no path was found.
    fn estimate_and_highest(&self, map: &Map) -> Option<(Estimate, u64)> {
        let wants = self.targets.iter().flat_map(SearchTarget::cells_by_group);
        let estimate = Estimate::at(wants, map.costs.lowest());
        let wants = self.targets.iter().flat_map(|target| &target.wants);
        let found = wants
            .filter(|want| want.by_unit)
            .map(|want| want.cost)
            .filter(|&cost| cost != UNREACHED);
        Some((estimate, found.max()?))
    }

    /// Returns about how many sectors the paths found may lead through.
    pub(crate) const fn sectors_expected(&self, map: &Map) -> usize {
        self.blocks.count() * map.clusters.division().side() as usize
    }

    /// Returns the cost of the path found from a cell, and the portal by which it
    /// leaves its sector.
    #[cfg(test)]
    fn found_from(&self, map: &Map, cell: Cell) -> Option<(u64, Option<PortalId>)> {
        let (sector, slot) = map.costs.extent().locate(cell);
        let sector = map.costs.extent().sector(sector);
        let target = self.targets.iter().find(|target| target.sector == sector)?;
        let want = target.wants.iter().find(|want| want.slot == slot)?;
        (want.cost != UNREACHED).then_some((want.cost, want.step.portal()))
    }

    #[cfg(test)]
    pub(super) fn cost_from(&self, map: &Map, cell: Cell) -> Option<u64> {
        Some(self.found_from(map, cell)?.0)
    }

    #[cfg(test)]
    pub(super) fn first_portal(&self, map: &Map, cell: Cell) -> Option<PortalId> {
        self.found_from(map, cell)?.1
    }

    /// What it has found, in [bytes](Blocks::weight), roughly.
    pub(crate) const fn weight(&self) -> u64 {
        self.blocks.weight()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.blocks.bytes()
            + self.targets.bytes()
            + self.sources.capacity() * size_of::<Source>()
            + self.later.capacity() * size_of::<Cell>()
            + self.links.capacity() * size_of::<SearchLink>()
            + self.queue.as_ref().map_or(0, |queue| queue.ring.bytes())
    }
}

/// The most work that is counted at once.
const PIECE: u64 = TILE_WORK;
