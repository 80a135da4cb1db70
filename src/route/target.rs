//! Targets: the cells for which a path to the goal is wanted.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::step::NextStep;
use crate::cost::CostTile;
use crate::grid::{Cell, Sector, SectorBounds, Slot};
use crate::heuristic::{GROUPS, SearchGroup, groups};
use crate::kernel::{NO_WAY, Threshold, walks_over};

/// The number of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TargetId(u32);

impl TargetId {
    /// Stands for a sector without a target.
    pub(super) const NONE: Self = Self(u32::MAX);
}

/// The cells of one sector for which a path to the goal is wanted.
#[derive(Clone, Debug)]
pub(super) struct SearchTarget {
    pub(super) sector: Sector,
    pub(super) wants: Vec<Want>,
    open: bool,
    group: SearchGroup,
}

/// A cell for which a path is wanted, with the best path known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    pub(super) slot: Slot,
    pub(super) cost: u64,
    pub(super) step: NextStep,
}

impl SearchTarget {
    /// Returns the cells of the wants.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let wants = self.wants.iter();
        wants.map(|want| self.sector.cell_at(want.slot))
    }

    /// Returns the cells of the wants, each with the target's group.
    pub(super) fn cells_by_group(&self) -> impl Iterator<Item = (SearchGroup, Cell)> {
        self.cells().map(|cell| (self.group, cell))
    }

    /// Returns the key from which on no portal left can offer less.
    fn bound(&self) -> u64 {
        self.wants.iter().map(|want| want.cost).max().unwrap_or(0)
    }

    /// Takes an offer for each want that it improves. Returns whether the offer
    /// was examined.
    fn consider(&mut self, walks: &mut Walks, tile: &CostTile, offer: &TargetOffer) -> bool {
        if self.bound() <= offer.cost {
            return false;
        }
        walks.from.clear();
        let wants = self.wants.iter();
        walks
            .from
            .extend(wants.map(|want| Threshold::at(want.slot)));
        walks_over(tile, &offer.over, &walks.from, &mut walks.costs);
        for (want, &walk) in self.wants.iter_mut().zip(&walks.costs) {
            let offered = (offer.cost + u64::from(walk), offer.step);
            if walk != NO_WAY && offered < (want.cost, want.step) {
                (want.cost, want.step) = offered;
            }
        }
        true
    }
}

/// A path offered to a target: over the cells of `over`, then by `step`, with
/// the cost `cost` from there to a goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct TargetOffer {
    pub(super) target: TargetId,
    pub(super) over: Threshold,
    pub(super) cost: u64,
    pub(super) step: NextStep,
}

/// Scratch for the walks from a target's wants.
#[derive(Clone, Debug, Default)]
struct Walks {
    from: Vec<Threshold>,
    costs: Vec<u32>,
}

/// All targets of a search, and which of them are still open.
#[derive(Clone, Debug)]
pub(super) struct Targets {
    all: Vec<SearchTarget>,
    /// A rectangle around the sectors of all targets.
    area: SectorBounds,
    open: usize,
    /// The number of open targets in each group; and whether a group has been
    /// served completely while others are open.
    open_in: [usize; GROUPS],
    group_served: bool,
    /// Targets with wants that have not yet been compared with the portals
    /// taken before they came, the newest last.
    fresh: Vec<TargetId>,
    /// The bounds of open targets, lowest first; outdated entries are skipped.
    bounds: BinaryHeap<Reverse<(u64, TargetId)>>,
    walks: Walks,
}

impl Default for Targets {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            area: SectorBounds::NONE,
            open: 0,
            open_in: [0; GROUPS],
            group_served: false,
            fresh: Vec::new(),
            bounds: BinaryHeap::new(),
            walks: Walks::default(),
        }
    }
}

impl Targets {
    /// Adds a target in this sector.
    pub(super) fn add(&mut self, sector: Sector) -> TargetId {
        self.all.push(SearchTarget {
            sector,
            wants: Vec::new(),
            open: false,
            group: SearchGroup::default(),
        });
        self.area.take_in(sector);
        TargetId(self.all.len() as u32 - 1)
    }

    /// Adds a want; returns `false` if it is known.
    pub(super) fn want(&mut self, id: TargetId, slot: Slot) -> bool {
        let target = &mut self.all[id.0 as usize];
        if target.wants.iter().any(|want| want.slot == slot) {
            return false;
        }
        target.wants.push(Want {
            slot,
            cost: u64::MAX,
            step: NextStep::GOAL,
        });
        if !target.open {
            target.open = true;
            self.open += 1;
            self.open_in[target.group.index()] += 1;
        }
        if self.fresh.last() != Some(&id) {
            self.fresh.push(id);
        }
        true
    }

    pub(super) const fn is_served(&self) -> bool {
        self.open == 0
    }

    pub(super) const fn count(&self) -> usize {
        self.all.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &SearchTarget> {
        self.all.iter()
    }

    /// Returns the target with this number, counted from 0.
    pub(super) fn get(&self, number: usize) -> Option<&SearchTarget> {
        self.all.get(number)
    }

    /// Removes a target from the fresh ones: its newest wants are about to be
    /// compared with the portals taken before they came.
    pub(super) fn take_fresh(&mut self) -> Option<(TargetId, Sector)> {
        let id = self.fresh.pop()?;
        Some((id, self.all[id.0 as usize].sector))
    }

    pub(super) fn sector(&self, id: TargetId) -> Sector {
        self.all[id.0 as usize].sector
    }

    /// Records the bound of a target whose newest wants are being compared.
    pub(super) fn met(&mut self, id: TargetId) {
        self.bounds
            .push(Reverse((self.all[id.0 as usize].bound(), id)));
    }

    /// Makes an offer; returns whether it was examined.
    pub(super) fn offer(&mut self, tile: &CostTile, offer: &TargetOffer) -> bool {
        let target = &mut self.all[offer.target.0 as usize];
        let before = target.bound();
        let looked = target.consider(&mut self.walks, tile, offer);
        let after = target.bound();
        if target.open && after < before {
            self.bounds.push(Reverse((after, offer.target)));
        }
        looked
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

    /// Whether a portal around this sector may belong to a target: whether the
    /// sector lies in the rectangle around all targets, or just beside it.
    #[inline]
    pub(super) const fn may_be_beside(&self, sector: Sector) -> bool {
        self.area.is_near(sector)
    }

    /// Returns the open target, if there is only one.
    pub(super) fn only_open(&self) -> Option<&SearchTarget> {
        if self.open != 1 {
            return None;
        }
        self.all.iter().find(|target| target.open)
    }

    /// Returns the open targets.
    pub(super) fn open(&self) -> impl Iterator<Item = &SearchTarget> {
        self.all.iter().filter(|target| target.open)
    }

    /// Returns the cells for which a path is still wanted, with their groups.
    pub(super) fn open_wants(&self) -> impl Iterator<Item = (SearchGroup, Cell)> {
        self.open().flat_map(SearchTarget::cells_by_group)
    }

    /// Divides the open targets into groups.
    pub(super) fn part(&mut self) {
        self.open_in = [0; GROUPS];
        self.group_served = false;
        let mut open: Vec<&mut SearchTarget> =
            self.all.iter_mut().filter(|target| target.open).collect();
        let sectors: Vec<Sector> = open.iter().map(|target| target.sector).collect();
        for (target, group) in open.iter_mut().zip(groups(&sectors)) {
            target.group = group;
            self.open_in[group.index()] += 1;
        }
    }

    /// Whether all targets of a group are served while others are open.
    pub(super) const fn is_group_served(&self) -> bool {
        self.group_served
    }

    pub(super) fn bytes(&self) -> usize {
        let wants: usize = self.all.iter().map(|target| target.wants.capacity()).sum();
        self.all.capacity() * size_of::<SearchTarget>()
            + wants * size_of::<Want>()
            + self.bounds.capacity() * size_of::<Reverse<(u64, TargetId)>>()
            + self.walks.from.capacity() * size_of::<Slot>()
            + self.walks.costs.capacity() * size_of::<u32>()
    }
}
