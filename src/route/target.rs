//! Targets: the cells for which a path to the goal is wanted.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::step::NextStep;
use crate::cost::CostTile;
use crate::grid::{Cell, Sector, Slot};
use crate::heuristic::{GROUPS, SearchGroup, groups};
use crate::kernel::{NO_PATH, Threshold, walks_between, walks_to};
use crate::map::Map;
use crate::portal::{LocalPortal, PortalSlot, PortalSlots};

/// A goal cell, and the cost added for arriving there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) cell: Cell,
    pub(crate) start_cost: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TargetId(u32);

impl TargetId {
    /// Stands for a sector without a target.
    pub(super) const NONE: Self = Self(u32::MAX);
}

/// The cells of one sector for which a path to the goal is wanted: by units, or since
/// a link ends there.
#[derive(Clone, Debug)]
pub(super) struct SearchTarget {
    pub(super) sector: Sector,
    pub(super) wants: Vec<Want>,
    /// A bit for each slot that is wanted.
    wanted: u128,
    /// The portals around the sector when the wants were met, and the costs of the
    /// walks to them: a row for each want met.
    portal_slots: PortalSlots,
    walks: Vec<u32>,
    met: usize,
    open: bool,
    group: SearchGroup,
}

/// A cell for which a path is wanted, with the best path known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    pub(super) slot: Slot,
    pub(super) cost: u64,
    pub(super) step: NextStep,
    /// Whether a unit wants the path, and not only a link that ends here.
    pub(super) by_unit: bool,
}

impl Want {
    fn offer(&mut self, cost: u64, step: NextStep) {
        (self.cost, self.step) = (cost, step).min((self.cost, self.step));
    }
}

impl SearchTarget {
    /// Returns the cells of the wants, each with the target's group.
    pub(super) fn cells_by_group(&self) -> impl Iterator<Item = (SearchGroup, Cell)> {
        self.wants
            .iter()
            .map(|want| (self.group, self.sector.cell_at(want.slot)))
    }

    /// Returns the same for units alone.
    pub(super) fn units_by_group(&self) -> impl Iterator<Item = (SearchGroup, Cell)> {
        self.wants
            .iter()
            .filter(|want| want.by_unit)
            .map(|want| (self.group, self.sector.cell_at(want.slot)))
    }

    /// Returns the key from which on no portal left can offer the units less.
    fn bound(&self) -> u64 {
        let wants = self.wants.iter().filter(|want| want.by_unit);
        wants.map(|want| want.cost).max().unwrap_or(0)
    }

    /// Returns the cost from which on a portal can offer nothing.
    fn highest(&self) -> u64 {
        self.wants.iter().map(|want| want.cost).max().unwrap_or(0)
    }

    /// Finds the walks from the wants that have none yet.
    fn find_walks(&mut self, map: &Map, tile: &CostTile) {
        let portals: Vec<LocalPortal> = map.graph.around(self.sector).portals(tile).collect();
        let portal_slots = map.graph.sector_walks(self.sector).portal_slots();
        if self.portal_slots != portal_slots {
            self.portal_slots = portal_slots;
            self.met = 0;
            self.walks.clear();
        }
        let exits: Vec<Threshold> = portals.iter().map(|portal| portal.exit).collect();
        let fresh = self.wants[self.met..].iter();
        let from: Vec<Threshold> = fresh.map(|want| Threshold::at(want.slot)).collect();
        let mut by_exit = Vec::new();
        walks_between(tile, &exits, &from, &mut by_exit);
        for want in 0..from.len() {
            let walks = by_exit.iter().skip(want).step_by(from.len());
            self.walks.extend(walks);
        }
        self.met = self.wants.len();
    }

    /// Updates each cell's best path with one that ends at a goal in the same sector.
    fn offer_goal(&mut self, tile: &CostTile, slot: Slot, start_cost: u64) {
        let wants = self.wants.iter();
        let from: Vec<Threshold> = wants.map(|want| Threshold::at(want.slot)).collect();
        let mut walks = Vec::new();
        walks_to(tile, slot, &from, &mut walks);
        for (want, &walk) in self.wants.iter_mut().zip(&walks) {
            if walk != NO_PATH {
                want.offer(start_cost + u64::from(walk), NextStep::GOAL);
            }
        }
    }

    /// Updates each cell's best path with one by a portal from which a goal is `cost` away.
    fn offer(&mut self, slot: PortalSlot, cost: u64) {
        let stride = self.portal_slots.count();
        if !self.portal_slots.has(slot) {
            return;
        }
        let step = NextStep::at(slot.id(self.sector));
        let walks = self.walks.chunks_exact(stride);
        let lane = self.portal_slots.lane(slot);
        for (want, walks) in self.wants.iter_mut().zip(walks) {
            if walks[lane] != NO_PATH {
                want.offer(cost + u64::from(walks[lane]), step);
            }
        }
    }

    /// Whether the search goes on toward it: a unit wants a path, or a link ends here.
    fn is_sought(&self) -> bool {
        self.open || self.wants.iter().any(|want| !want.by_unit)
    }

    /// Returns the portals around the sector, each with the cost of the cheapest
    /// walk to it.
    pub(super) fn exits(&self) -> impl Iterator<Item = (PortalSlot, Option<u32>)> {
        let stride = self.portal_slots.count().max(1);
        self.portal_slots.enumerate().map(move |(lane, slot)| {
            let walks = self.walks.chunks_exact(stride).map(|walks| walks[lane]);
            (slot, walks.min().filter(|&walk| walk != NO_PATH))
        })
    }
}

/// All targets of a search, and which of them are still open.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    all: Vec<SearchTarget>,
    open: usize,
    /// The number of open targets in each group; and whether a group has been
    /// served completely while others are open.
    open_in: [usize; GROUPS],
    group_served: bool,
    /// Targets with wants that have not been met, the newest last.
    fresh: Vec<TargetId>,
    /// The bounds of open targets, lowest first; outdated entries are skipped.
    bounds: BinaryHeap<Reverse<(u64, TargetId)>>,
}

impl Default for Targets {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            open: 0,
            open_in: [0; GROUPS],
            group_served: false,
            fresh: Vec::new(),
            bounds: BinaryHeap::new(),
        }
    }
}

impl Targets {
    pub(super) fn add(&mut self, sector: Sector) -> TargetId {
        self.all.push(SearchTarget {
            sector,
            wants: Vec::new(),
            wanted: 0,
            portal_slots: PortalSlots::EMPTY,
            walks: Vec::new(),
            met: 0,
            open: false,
            group: SearchGroup::default(),
        });
        TargetId(self.all.len() as u32 - 1)
    }

    /// Adds a want, if it is new: of a unit, or for a link that ends there.
    pub(super) fn want(&mut self, id: TargetId, slot: Slot, by_unit: bool) {
        let target = &mut self.all[id.0 as usize];
        let bit = 1 << slot.index();
        let is_known = target.wanted & bit != 0;
        if is_known {
            let mut wants = target.wants.iter_mut();
            match wants.find(|want| want.slot == slot && !want.by_unit) {
                Some(want) if by_unit => want.by_unit = true,
                _ => return,
            }
        } else {
            target.wanted |= bit;
            target.wants.push(Want {
                slot,
                cost: u64::MAX,
                step: NextStep::GOAL,
                by_unit,
            });
        }
        if by_unit && !target.open {
            target.open = true;
            self.open += 1;
            self.open_in[target.group.index()] += 1;
        }
        let is_first = target.met + 1 == target.wants.len();
        if is_first || is_known && target.met == target.wants.len() {
            self.fresh.push(id);
        }
    }

    pub(super) const fn is_served(&self) -> bool {
        self.open == 0
    }

    /// Returns the number of targets with units.
    pub(super) fn count(&self) -> usize {
        let by_unit = |target: &&SearchTarget| target.wants.iter().any(|want| want.by_unit);
        self.all.iter().filter(by_unit).count()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &SearchTarget> {
        self.all.iter()
    }

    /// Returns the target with this number, counted from 0.
    pub(super) fn get(&self, number: usize) -> Option<&SearchTarget> {
        self.all.get(number)
    }

    pub(super) fn want_at(&self, id: TargetId, slot: Slot) -> Option<&Want> {
        let target = self.all.get(id.0 as usize)?;
        target.wants.iter().find(|want| want.slot == slot)
    }

    /// Returns the number of a target and of the want at one of its slots.
    pub(super) fn want_number(&self, id: TargetId, slot: Slot) -> Option<[usize; 2]> {
        let target = self.all.get(id.0 as usize)?;
        let want = target.wants.iter().position(|want| want.slot == slot)?;
        Some([id.0 as usize, want])
    }

    /// Opens the targets again whose units may find paths of at least this cost cheaper
    /// than theirs, or as cheap.
    pub(super) fn reopen(&mut self, least: u64) {
        for (number, target) in self.all.iter_mut().enumerate() {
            let bound = target.bound();
            if !target.open && bound >= least {
                target.open = true;
                self.open += 1;
                self.bounds.push(Reverse((bound, TargetId(number as u32))));
            }
        }
    }

    /// Returns the cost of the dearest path of a unit.
    pub(super) fn highest(&self) -> u64 {
        self.all.iter().map(SearchTarget::bound).max().unwrap_or(0)
    }

    /// Returns a target with cells whose walks have not been computed.
    pub(super) fn next_fresh(&mut self) -> Option<TargetId> {
        self.fresh.pop()
    }

    /// Computes the walks of a target's newly added cells: those to the portals around,
    /// and to the goals in the same sector.
    pub(super) fn meet_wants(&mut self, map: &Map, id: TargetId, sources: &[Source]) {
        let target = &mut self.all[id.0 as usize];
        let extent = map.costs.extent();
        let Some(sector) = extent.sector_id(target.sector) else {
            return;
        };
        let tile = map.costs.tile(sector);
        target.find_walks(map, &tile);
        for source in sources {
            let (source_sector, slot) = extent.locate(source.cell);
            if source_sector == sector {
                target.offer_goal(&tile, slot, source.start_cost);
            }
        }
        self.bounds.push(Reverse((target.bound(), id)));
    }

    pub(super) fn offer_source(&mut self, map: &Map, id: TargetId, source: Source) {
        let target = &mut self.all[id.0 as usize];
        let (sector, slot) = map.costs.extent().locate(source.cell);
        let before = target.bound();
        target.offer_goal(&map.costs.tile(sector), slot, source.start_cost);
        let after = target.bound();
        if target.open && after < before {
            self.bounds.push(Reverse((after, id)));
        }
    }

    /// Offers a target the portals around its sector, each with the cost from
    /// there to a goal.
    pub(super) fn offer(&mut self, id: TargetId, portals: impl Iterator<Item = (PortalSlot, u64)>) {
        let target = &mut self.all[id.0 as usize];
        let (before, highest) = (target.bound(), target.highest());
        portals
            .filter(|&(_, cost)| cost < highest)
            .for_each(|(slot, cost)| target.offer(slot, cost));
        let after = target.bound();
        if target.open && after < before {
            self.bounds.push(Reverse((after, id)));
        }
    }

    pub(super) fn sector(&self, id: TargetId) -> Sector {
        self.all[id.0 as usize].sector
    }

    /// Returns the key below which no target can be served.
    pub(super) fn next_bound(&self) -> u64 {
        self.bounds
            .peek()
            .map_or(u64::MAX, |&Reverse((bound, _))| bound)
    }

    /// Closes every target whose bound is at most `key`; returns whether any
    /// target is left open.
    pub(super) fn close_served(&mut self, key: u64) -> bool {
        while let Some(&Reverse((bound, id))) = self.bounds.peek() {
            if bound > key {
                break;
            }
            self.bounds.pop();
            let target = &mut self.all[id.0 as usize];
            if target.open && target.bound() == bound {
                target.open = false;
                self.open -= 1;
                let left = &mut self.open_in[target.group.index()];
                *left -= 1;
                self.group_served |= *left == 0 && self.open > 0;
            }
        }
        self.open > 0
    }

    /// Closes all targets: no more paths can be found.
    pub(super) fn close_all(&mut self) {
        for target in &mut self.all {
            target.open = false;
        }
        self.open = 0;
        self.open_in = [0; GROUPS];
        self.group_served = false;
        self.bounds.clear();
    }

    pub(super) fn only_open(&self) -> Option<&SearchTarget> {
        if self.open != 1 {
            return None;
        }
        self.all.iter().find(|target| target.open)
    }

    /// Returns the cells for which a path is still wanted, and the exits of opened links,
    /// with their groups: paths lead to units or through links.
    pub(super) fn wanted_cells(&self) -> impl Iterator<Item = (SearchGroup, Cell)> {
        let sought = self.all.iter().filter(|target| target.is_sought());
        sought.flat_map(SearchTarget::cells_by_group)
    }

    /// Divides the open targets into groups.
    pub(super) fn part(&mut self) {
        self.open_in = [0; GROUPS];
        self.group_served = false;
        let mut open: Vec<&mut SearchTarget> = self
            .all
            .iter_mut()
            .filter(|target| target.is_sought())
            .collect();
        let sectors: Vec<Sector> = open.iter().map(|target| target.sector).collect();
        for (target, group) in open.iter_mut().zip(groups(&sectors)) {
            target.group = group;
            self.open_in[group.index()] += usize::from(target.open);
        }
    }

    /// Whether all targets of a group are served while others are open.
    pub(super) const fn is_group_served(&self) -> bool {
        self.group_served
    }

    pub(super) fn bytes(&self) -> usize {
        let wants: usize = self.all.iter().map(|target| target.wants.capacity()).sum();
        let walks: usize = self.all.iter().map(|target| target.walks.capacity()).sum();
        self.all.capacity() * size_of::<SearchTarget>()
            + wants * size_of::<Want>()
            + walks * size_of::<u32>()
            + self.bounds.capacity() * size_of::<Reverse<(u64, TargetId)>>()
    }
}
