//! The repair of islands after an edit; see [`partition`](super::partition).
//!
//! What was joined around the change before it is compared with what is joined
//! there after it. If it is still joined, nothing can have been cut off, and
//! nothing more is examined. If it has come apart, its *parts* are walked
//! outward in turn, a few pockets at a time, until they meet elsewhere or all
//! but one have been walked to their end:
//!
//! ```text
//!   before      after       walked in turn
//!   a───b       a   b       a: 1 2 3 4 …         goes on, keeps the label
//!    \ /         \ /        b: 1 2 3 end         gets a new label
//! ```
//!
//! So a cut costs as much as the smaller side is large. Ground that opens joins
//! labels, without a walk.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::island::{Island, PocketId};
use super::joining::{join, root};
use super::partition::Islands;
use super::vicinity::Vicinity;
use crate::cost::CostMap;
use crate::grid::{SectorId, SectorPages};
use crate::portal::PortalGraph;

/// If the labels made so far exceed twice the islands by this number, all
/// pockets are labelled from scratch.
const SPARE_LABELS: usize = 1 << 16;

/// The number of pockets that a part is walked in one turn.
const TURN: usize = 32;

/// Stands for no group, and for no mark.
const UNMARKED: u32 = u32::MAX;

/// A part of the map around a change: pockets known to be joined.
#[derive(Default)]
struct ConnectedPart {
    /// Pockets whose neighbours have been visited.
    done: Vec<PocketId>,
    /// Pockets reached, but not yet walked from.
    next: VecDeque<PocketId>,
    /// The labels of its pockets before the change.
    labels: Vec<Island>,
    /// The group of pockets joined before the change, named by any one of them.
    /// Groups are joined when parts are.
    group: Option<u32>,
    /// The part that this one has been joined to.
    joined_to: Option<u32>,
    ended: bool,
}

impl ConnectedPart {
    fn walked(&self) -> usize {
        self.done.len() + self.next.len()
    }

    const fn is_open(&self) -> bool {
        self.joined_to.is_none() && !self.ended
    }
}

struct Parts<'a> {
    graph: &'a PortalGraph,
    parts: Vec<ConnectedPart>,
    marks: WalkedBy,
    /// The pockets that were joined before: a forest as in
    /// [`joining`](super::joining). Two groups are joined when a part is found
    /// to hold pockets of both.
    groups: Vec<u32>,
    /// Whether any part holds pockets of several groups.
    joined: bool,
    /// The number of open parts of each group, by its root.
    open: Vec<u32>,
    /// Parts to walk on, the least walked first. Holds all contested parts:
    /// open, with another open part in their group. Other entries are skipped.
    queue: BinaryHeap<Reverse<(usize, u32)>>,
}

/// For each pocket, the part that has reached it.
struct WalkedBy {
    /// By sector: the index in `marks` of its first pocket.
    firsts: SectorPages<u32>,
    marks: Vec<u32>,
}

impl WalkedBy {
    fn of(&mut self, islands: &Islands, id: PocketId) -> &mut u32 {
        let first = self.firsts.get_mut(islands.extent.sector(id.sector));
        if *first == UNMARKED {
            *first = self.marks.len() as u32;
            let count = islands.sectors.count(id.sector) as usize;
            self.marks.resize(self.marks.len() + count, UNMARKED);
        }
        &mut self.marks[(*first + id.pocket) as usize]
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct IslandRepair {
    /// The sectors with pockets that have a new label, except where islands
    /// were joined; may contain duplicates.
    pub(crate) relabelled: Vec<SectorId>,
    /// The number of pockets walked to find what has been cut off.
    pub(crate) walked: usize,
    /// Whether islands may have been joined: whether anything is joined around
    /// the change that was not joined there before.
    pub(crate) joined: bool,
}

impl Islands {
    /// Repairs the islands after the costs of the `changed` sectors have
    /// changed and the graph has been repaired. `before` is the
    /// [vicinity](Self::vicinity) of these sectors, and maybe of others, before
    /// the change.
    pub(crate) fn repair(
        &mut self,
        costs: &CostMap,
        graph: &PortalGraph,
        changed: &[SectorId],
        before: Vicinity,
    ) -> IslandRepair {
        for &sector in changed {
            self.replace(costs, sector);
        }
        if self.labels.given() > SPARE_LABELS + 2 * self.count() {
            self.label_all(graph);
            return IslandRepair {
                relabelled: self.extent.sectors().collect(),
                walked: 0,
                joined: true,
            };
        }
        let after = before.again(self, graph);
        let mut parts = Parts::of(self, graph, &after);
        parts.find_groups(self, costs, before);
        let mut walked = 0;
        while let Some(part) = parts.least_walked() {
            parts.walk_on(self, part, &mut walked);
        }
        let joined = parts.joined || parts.parts.iter().any(|part| part.labels.len() > 1);
        let relabelled = parts.label(self);
        IslandRepair {
            relabelled,
            walked,
            joined,
        }
    }
}

impl<'a> Parts<'a> {
    /// Finds the parts around a change: one for all pockets that are joined
    /// there.
    fn of(islands: &Islands, graph: &'a PortalGraph, after: &Vicinity) -> Self {
        let mut parts = Self {
            graph,
            parts: Vec::new(),
            marks: WalkedBy {
                firsts: SectorPages::new(islands.extent, UNMARKED),
                marks: Vec::new(),
            },
            groups: Vec::new(),
            joined: false,
            open: Vec::new(),
            queue: BinaryHeap::new(),
        };
        // One part for each root; a root comes before the pockets in its tree.
        let mut part_of: Vec<u32> = Vec::new();
        for (pocket, first) in after.pockets(islands) {
            let part = match part_of.get(first as usize) {
                Some(&part) => part,
                None => {
                    parts.parts.push(ConnectedPart::default());
                    (parts.parts.len() - 1) as u32
                }
            };
            part_of.push(part);
            *parts.marks.of(islands, pocket) = part;
            let label = islands.label(pocket);
            let part = &mut parts.parts[part as usize];
            part.next.push_back(pocket);
            if label != Island::UNNUMBERED && !part.labels.contains(&label) {
                part.labels.push(label);
            }
        }
        parts
    }

    /// Finds the group of each part: what its pockets were joined to before.
    fn find_groups(&mut self, islands: &Islands, costs: &CostMap, before: Vicinity) {
        let mut groups = before.roots().to_vec();
        before.for_each_former(islands, costs, |pocket, group| {
            let part = *self.marks.of(islands, pocket) as usize;
            match self.parts[part].group {
                None => self.parts[part].group = Some(group),
                Some(other) => {
                    self.joined |= root(&mut groups, other) != root(&mut groups, group);
                    join(&mut groups, other, group);
                }
            }
        });
        self.open = vec![0; groups.len()];
        for (part, number) in self.parts.iter().zip(0..) {
            if let Some(group) = part.group {
                self.open[root(&mut groups, group) as usize] += 1;
                self.queue.push(Reverse((part.walked(), number)));
            }
        }
        self.groups = groups;
    }

    fn root(&self, mut part: u32) -> u32 {
        while let Some(other) = self.parts[part as usize].joined_to {
            part = other;
        }
        part
    }

    /// Joins two parts; returns `false` if they are joined already.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return false;
        }
        let size = |part: u32| (self.parts[part as usize].walked(), Reverse(part));
        let (into, from) = if size(a) >= size(b) { (a, b) } else { (b, a) };
        let part = std::mem::take(&mut self.parts[from as usize]);
        self.parts[from as usize].joined_to = Some(into);
        let into = &mut self.parts[into as usize];
        into.done.extend(part.done);
        into.next.extend(part.next);
        into.labels.extend(part.labels);
        into.labels.sort_unstable();
        into.labels.dedup();
        match (into.group, part.group) {
            (Some(a), Some(b)) => {
                let [a, b] = [a, b].map(|group| root(&mut self.groups, group));
                join(&mut self.groups, a, b);
                let all = self.open[a as usize] + self.open[b as usize];
                // One less, since two parts are one now.
                let open = if a == b { self.open[a as usize] } else { all } - 1;
                self.open[a.min(b) as usize] = open;
            }
            (group, other) => into.group = group.or(other),
        }
        true
    }

    /// Returns the contested part that has been walked least.
    fn least_walked(&mut self) -> Option<u32> {
        while let Some(Reverse((walked, number))) = self.queue.pop() {
            let part = &self.parts[number as usize];
            if let Some(group) = part.group.filter(|_| part.is_open())
                && part.walked() == walked
                && self.open[root(&mut self.groups, group) as usize] > 1
            {
                return Some(number);
            }
        }
        None
    }

    /// Walks on from a part, until it ends, meets another part, or its turn is
    /// over.
    fn walk_on(&mut self, islands: &Islands, part: u32, walked: &mut usize) {
        let part = self.walk_turn(islands, part, walked);
        let walked = self.parts[part as usize].walked();
        if self.parts[part as usize].is_open() {
            self.queue.push(Reverse((walked, part)));
        } else if let Some(group) = self.parts[part as usize].group {
            self.open[root(&mut self.groups, group) as usize] -= 1;
        }
    }

    /// Walks from a part's next pockets to their neighbours; returns the part
    /// that it belongs to afterwards.
    fn walk_turn(&mut self, islands: &Islands, mut part: u32, walked: &mut usize) -> u32 {
        for _ in 0..TURN {
            let Some(pocket) = self.parts[part as usize].next.pop_front() else {
                self.parts[part as usize].ended = true;
                return part;
            };
            *walked += 1;
            self.parts[part as usize].done.push(pocket);
            let mut met = false;
            let sector = islands.extent.sector(pocket.sector);
            for crossing in self.graph.around(sector).crossings() {
                let here = islands.sectors.pocket(pocket.sector, crossing.here);
                let beyond = islands.extent.sector_id(crossing.beyond);
                let Some(beyond) = beyond.filter(|_| here == pocket.pocket) else {
                    continue;
                };
                let beyond = islands.pocket_at(beyond, crossing.there);
                let mark = self.marks.of(islands, beyond);
                if *mark == UNMARKED {
                    *mark = part;
                    self.parts[part as usize].next.push_back(beyond);
                } else if *mark != part {
                    let other = *mark;
                    if self.join(part, other) {
                        met = true;
                        part = self.root(part);
                    }
                }
            }
            if met {
                break;
            }
        }
        part
    }

    /// Labels the pockets walked: parts that have ended get a new label, the
    /// others keep theirs, joined. Returns the sectors with changed labels.
    fn label(self, islands: &mut Islands) -> Vec<SectorId> {
        let mut relabelled = Vec::new();
        let alone = self.parts.into_iter();
        for part in alone.filter(|part| part.joined_to.is_none()) {
            let walked = part.done.iter().chain(&part.next).copied();
            if part.ended || part.labels.is_empty() {
                let label = islands.labels.add();
                for pocket in walked {
                    let before = islands.label(pocket);
                    if before != Island::UNNUMBERED {
                        islands.labels.count_out(before, 1);
                    }
                    islands.labels.count_in(label, 1);
                    islands.set_label(pocket, label);
                    relabelled.push(pocket.sector);
                }
                continue;
            }
            let joined = part.labels.iter().copied();
            let Some(label) = joined.reduce(|a, b| islands.labels.join(a, b)) else {
                continue;
            };
            for pocket in walked {
                if islands.label(pocket) == Island::UNNUMBERED {
                    islands.labels.count_in(label, 1);
                    islands.set_label(pocket, label);
                }
            }
        }
        relabelled
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cost::Cost;
    use crate::draws::draws;
    use crate::grid::{Cell, CellRect};

    /// Gives areas a cost and repairs the islands; returns the number of
    /// pockets walked.
    fn edit(
        costs: &mut CostMap,
        graph: &mut PortalGraph,
        islands: &mut Islands,
        areas: &[CellRect],
        cost: Cost,
    ) -> usize {
        let extent = costs.extent();
        let mut sectors: Vec<SectorId> = Vec::new();
        areas
            .iter()
            .for_each(|&area| sectors.extend(extent.sectors_of(area)));
        sectors.sort_unstable();
        sectors.dedup();
        let before = islands.vicinity(costs, graph, &sectors);
        sectors.retain(|&sector| {
            let changes = areas
                .iter()
                .map(|&area| costs.edit_sector(sector, area, |_, _| cost));
            changes.flatten().count() > 0
        });
        graph.repair(costs, &sectors);
        islands.repair(costs, graph, &sectors, before).walked
    }

    /// Returns for each cell the first cell of its island.
    fn partition(islands: &Islands, costs: &CostMap) -> Vec<Option<usize>> {
        let mut first: BTreeMap<Island, usize> = BTreeMap::new();
        let cells = CellRect::new(0, 0, costs.width(), costs.height()).cells();
        let island = |(number, cell)| {
            let island = islands.of(costs, cell)?;
            Some(*first.entry(island).or_insert(number))
        };
        cells.enumerate().map(island).collect()
    }

    #[test]
    fn islands_after_drawn_edits_equal_those_built_anew() {
        let mut draw = draws(7);
        for (width, height) in [(47, 33), (20, 61), (10, 10)] {
            let mut costs = CostMap::open(width, height).unwrap();
            let mut graph = PortalGraph::new(&costs);
            let mut islands = Islands::new(&costs, &graph);
            for turn in 0..600 {
                let (x, y) = (draw(width), draw(height));
                let long = [1, 2, 12, 40][draw(4) as usize];
                let (w, h) = if draw(2) == 0 { (long, 1) } else { (1, long) };
                let area = CellRect::new(x as i32, y as i32, w.min(width - x), h.min(height - y));
                let cost = if draw(5) < 3 { Cost::WALL } else { Cost::OPEN };
                let mut areas = vec![area];
                if draw(4) == 0 {
                    let portal_slots = (0..5).map(|_| (draw(width) as i32, draw(height) as i32));
                    areas.extend(portal_slots.map(|at| CellRect::from(Cell::from(at))));
                }
                let walked = edit(&mut costs, &mut graph, &mut islands, &areas, cost);
                assert!(
                    walked == 0 || cost.is_wall(),
                    "{turn}: {walked} walked for opening ground"
                );
                let fresh = Islands::new(&costs, &PortalGraph::new(&costs));
                assert_eq!(
                    partition(&islands, &costs),
                    partition(&fresh, &costs),
                    "{turn}"
                );
                assert_eq!(islands.count(), fresh.count(), "{turn}");
            }
        }
    }

    /// Examining all parts for each part would take this test most of a minute.
    #[test]
    fn island_cut_into_many_parts_costs_no_more_for_each() {
        let side = 400;
        let mut costs = CostMap::open(side, side).unwrap();
        let mut graph = PortalGraph::new(&costs);
        let mut islands = Islands::new(&costs, &graph);
        let all: Vec<SectorId> = costs.extent().sectors().collect();
        let before = islands.vicinity(&costs, &graph, &all);
        for &sector in &all {
            let area = costs.area();
            costs.edit_sector(sector, area, |cell, _| {
                [Cost::OPEN, Cost::WALL][(cell.x + cell.y) as usize % 2]
            });
        }
        graph.repair(&costs, &all);
        let walked = islands.repair(&costs, &graph, &all, before).walked;
        let parts = (side * side / 2) as usize;
        assert_eq!(walked, parts - 1, "one keeps its label unwalked");
        assert_eq!(islands.count(), parts);
    }
    /// Returns a map with one corridor, a cell wide, back and forth through all
    /// of it.
    fn corridor(side: u32) -> CostMap {
        let mut costs = CostMap::open(side, side).unwrap();
        for y in (1..side as i32).step_by(2) {
            let gap = if y % 4 == 1 { side as i32 - 1 } else { 0 };
            costs
                .edit(CellRect::new(0, y, side, 1), Cost::WALL)
                .unwrap();
            costs.edit(Cell::new(gap, y), Cost::OPEN).unwrap();
        }
        costs
    }

    #[test]
    fn a_cut_walks_as_far_as_the_smaller_side_is_large() {
        let mut costs = corridor(401);
        let mut graph = PortalGraph::new(&costs);
        let mut islands = Islands::new(&costs, &graph);
        assert_eq!(islands.count(), 1);
        for y in [4, 40, 100, 200, 300, 360, 396] {
            let cell = CellRect::from(Cell::new(200, y));
            let cut = edit(&mut costs, &mut graph, &mut islands, &[cell], Cost::WALL);
            assert_eq!(islands.count(), 2);
            // Each row of the corridor has a pocket in each of 41 sectors.
            let smaller = (y.min(400 - y) as usize / 2 + 1) * 41;
            assert!(cut <= 2 * smaller + 2 * TURN, "{cut} for {smaller} at {y}");
            assert!(cut >= smaller / 2, "the smaller side was walked");
            let bridge = edit(&mut costs, &mut graph, &mut islands, &[cell], Cost::OPEN);
            assert_eq!((islands.count(), bridge), (1, 0));
        }
    }

    #[test]
    fn a_cut_with_a_way_round_walks_as_far_as_that_way() {
        let mut costs = CostMap::open(1000, 300).unwrap();
        costs
            .edit(CellRect::new(0, 150, 995, 1), Cost::WALL)
            .unwrap();
        for x in [990, 900, 500] {
            costs.edit(Cell::new(x, 150), Cost::OPEN).unwrap();
            let mut graph = PortalGraph::new(&costs);
            let mut islands = Islands::new(&costs, &graph);
            let gap = CellRect::from(Cell::new(x, 150));
            let walked = edit(&mut costs, &mut graph, &mut islands, &[gap], Cost::WALL);
            assert_eq!(islands.count(), 1);
            // Two half circles, each as wide as the way round is long.
            let around = (995 - x as usize) / 10 + 2;
            assert!(walked <= 4 * around * around + 2 * TURN, "{walked} at {x}");
        }
    }
}
