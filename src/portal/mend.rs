//! Mending the islands after an edit; see [`islands`](super::islands).

use std::collections::{HashMap, VecDeque};

use ahash::RandomState;

use super::graph::PortalGraph;
use super::islands::{Island, Islands, PocketId};
use crate::cost::CostMap;
use crate::grid::{Direction, Sector, SectorId};

/// With so many more labels given out than there are islands, all pockets are
/// labelled anew.
const SPARE_LABELS: usize = 1 << 16;

/// A part of the map around a change: pockets known to be joined.
struct Part {
    /// Pockets walked to, in order; those from `next` on are still to be walked
    /// from.
    walk: VecDeque<PocketId>,
    walked: Vec<PocketId>,
    /// The labels that its pockets bore before.
    labels: Vec<Island>,
    /// The part that this one has turned out to be joined to.
    joined_to: Option<usize>,
    ended: bool,
}

struct Parts<'a> {
    graph: &'a PortalGraph,
    parts: Vec<Part>,
    /// The part of each pocket walked to. Looked up, never walked.
    part_of: HashMap<PocketId, usize, RandomState>,
    /// Parts that share a former label with another; none of them has ended.
    contested: Vec<usize>,
}

impl Islands {
    /// Derives anew what the costs of `changed` sectors decide; the graph is
    /// mended already.
    pub(crate) fn repair(&mut self, costs: &CostMap, graph: &PortalGraph, changed: &[SectorId]) {
        for &sector in changed {
            self.replace(costs, sector);
        }
        if self.labels.given() > SPARE_LABELS + 2 * self.count() {
            self.label_all(graph);
            return;
        }
        let mut parts = Parts::around(self, graph, changed);
        parts.join_neighbours(self);
        parts.find_contested();
        while let Some(part) = parts.least_walked() {
            if parts.walk_on(self, part) {
                parts.find_contested();
            }
        }
        parts.label(self);
    }
}

impl<'a> Parts<'a> {
    /// A part for each pocket of the changed sectors and those beside them.
    fn around(islands: &Islands, graph: &'a PortalGraph, changed: &[SectorId]) -> Self {
        let mut sectors = changed.to_vec();
        for &id in changed {
            let Sector { x, y } = islands.extent.sector(id);
            for direction in &Direction::ALL[..4] {
                let (dx, dy) = direction.offset();
                sectors.extend(islands.extent.sector_id(Sector::new(x + dx, y + dy)));
            }
        }
        sectors.sort_unstable();
        sectors.dedup();
        let mut parts = Self {
            graph,
            parts: Vec::new(),
            part_of: HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4)),
            contested: Vec::new(),
        };
        for sector in sectors {
            for pocket in islands.pockets_of(sector) {
                let label = islands.label(pocket);
                parts.part_of.insert(pocket, parts.parts.len());
                parts.parts.push(Part {
                    walk: VecDeque::from([pocket]),
                    walked: vec![pocket],
                    labels: Vec::from_iter((label != Island::UNNUMBERED).then_some(label)),
                    joined_to: None,
                    ended: false,
                });
            }
        }
        parts
    }

    fn root(&self, mut part: usize) -> usize {
        while let Some(other) = self.parts[part].joined_to {
            part = other;
        }
        part
    }

    /// Joins the parts that windows join directly.
    fn join_neighbours(&mut self, islands: &Islands) {
        let pockets: Vec<PocketId> = self.parts.iter().map(|part| part.walked[0]).collect();
        for (part, pocket) in pockets.into_iter().enumerate() {
            for beyond in beside(islands, self.graph, pocket) {
                if let Some(&other) = self.part_of.get(&beyond) {
                    self.join(part, other);
                }
            }
        }
    }

    /// Makes two parts one; false if they are already.
    fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return false;
        }
        let (into, from) = (a.min(b), a.max(b));
        self.parts[from].joined_to = Some(into);
        let walk = std::mem::take(&mut self.parts[from].walk);
        let walked = std::mem::take(&mut self.parts[from].walked);
        let labels = std::mem::take(&mut self.parts[from].labels);
        let into = &mut self.parts[into];
        into.walk.extend(walk);
        into.walked.extend(walked);
        into.labels.extend(labels);
        into.labels.sort_unstable();
        into.labels.dedup();
        true
    }

    /// Finds the parts that have neither ended nor been joined to all others
    /// that bore one of their labels.
    fn find_contested(&mut self) {
        let parts = &self.parts;
        let open = |part: usize| parts[part].joined_to.is_none() && !parts[part].ended;
        let mut bearers: Vec<(Island, usize)> = Vec::new();
        for part in (0..parts.len()).filter(|&part| open(part)) {
            bearers.extend(parts[part].labels.iter().map(|&label| (label, part)));
        }
        bearers.sort_unstable();
        let same_label = bearers.chunk_by(|a, b| a.0 == b.0);
        let shared = same_label.filter(|bearers| bearers.len() > 1).flatten();
        let mut contested: Vec<usize> = shared.map(|&(_, part)| part).collect();
        contested.sort_unstable();
        contested.dedup();
        self.contested = contested;
    }

    /// The contested part of which least has been walked.
    fn least_walked(&self) -> Option<usize> {
        let contested = self.contested.iter().copied();
        contested.min_by_key(|&part| (self.parts[part].walked.len(), part))
    }

    /// Walks from a part's next pocket to those beside it; tells whether the
    /// part has ended or met another.
    fn walk_on(&mut self, islands: &Islands, part: usize) -> bool {
        let Some(pocket) = self.parts[part].walk.pop_front() else {
            self.parts[part].ended = true;
            return true;
        };
        let mut met = false;
        for beyond in beside(islands, self.graph, pocket) {
            let part = self.root(part);
            match self.part_of.get(&beyond) {
                Some(&other) => met |= self.join(part, other),
                None => {
                    self.part_of.insert(beyond, part);
                    self.parts[part].walk.push_back(beyond);
                    self.parts[part].walked.push(beyond);
                }
            }
        }
        met
    }

    /// Labels what was walked: parts that ended get a label of their own, the
    /// others keep theirs, made one.
    fn label(self, islands: &mut Islands) {
        for part in self
            .parts
            .into_iter()
            .filter(|part| part.joined_to.is_none())
        {
            if part.ended || part.labels.is_empty() {
                let label = islands.labels.add();
                for &pocket in &part.walked {
                    let before = islands.label(pocket);
                    if before != Island::UNNUMBERED {
                        islands.labels.count_out(before, 1);
                    }
                    islands.labels.count_in(label, 1);
                    islands.set_label(pocket, label);
                }
                continue;
            }
            let joined = part.labels.iter().copied();
            let Some(label) = joined.reduce(|a, b| islands.labels.join(a, b)) else {
                continue;
            };
            for &pocket in &part.walked {
                if islands.label(pocket) == Island::UNNUMBERED {
                    islands.labels.count_in(label, 1);
                    islands.set_label(pocket, label);
                }
            }
        }
    }
}

/// The pockets that windows join to this one.
fn beside(islands: &Islands, graph: &PortalGraph, pocket: PocketId) -> Vec<PocketId> {
    let sector = islands.extent.sector(pocket.sector);
    let mut found = Vec::new();
    for gate in graph.around(sector).gates() {
        let here = islands.pocket_at(pocket.sector, gate.here);
        if let Some(beyond) = islands.extent.sector_id(gate.beyond)
            && here == pocket
        {
            found.push(islands.pocket_at(beyond, gate.there));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::grid::{Cell, Rect};

    /// Which cells are alike, by the first cell of their island.
    fn partition(islands: &Islands, costs: &CostMap) -> Vec<Option<usize>> {
        let mut first: HashMap<Island, usize> = HashMap::new();
        let cells = Rect::new(0, 0, costs.width(), costs.height()).cells();
        let island = |(number, cell)| {
            let island = islands.of(costs, cell)?;
            Some(*first.entry(island).or_insert(number))
        };
        cells.enumerate().map(island).collect()
    }

    #[test]
    fn islands_after_drawn_edits_are_those_of_the_map_built_at_once() {
        let mut state = 7_u64;
        let mut draw = move |below: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % u64::from(below)) as u32
        };
        for (width, height) in [(47, 33), (20, 61), (10, 10)] {
            let mut costs = CostMap::open(width, height).unwrap();
            let mut graph = PortalGraph::new(&costs);
            let mut islands = Islands::new(&costs, &graph);
            for turn in 0..600 {
                let (x, y) = (draw(width), draw(height));
                let long = [1, 2, 12, 40][draw(4) as usize];
                let (w, h) = if draw(2) == 0 { (long, 1) } else { (1, long) };
                let area = Rect::new(x as i32, y as i32, w.min(width - x), h.min(height - y));
                let cost = if draw(5) < 3 { Cost::WALL } else { Cost::OPEN };
                let mut changed: Vec<SectorId> = Vec::new();
                for sector in costs.extent().sectors_of(area) {
                    if costs.rewrite(sector, area, |_, _| cost).is_some() {
                        changed.push(sector);
                    }
                }
                graph.repair(&costs, &changed);
                islands.repair(&costs, &graph, &changed);
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

    #[test]
    fn a_cut_and_a_bridge_far_from_each_other() {
        let mut costs = CostMap::open(200, 50).unwrap();
        costs.fill(Rect::new(100, 0, 1, 50), Cost::WALL).unwrap();
        let mut graph = PortalGraph::new(&costs);
        let mut islands = Islands::new(&costs, &graph);
        assert_eq!(islands.count(), 2);
        for (cell, cost, count) in [
            (Cell::new(100, 5), Cost::OPEN, 1),
            (Cell::new(100, 45), Cost::OPEN, 1),
            (Cell::new(100, 5), Cost::WALL, 1),
            (Cell::new(100, 45), Cost::WALL, 2),
        ] {
            let (sector, _) = costs.extent().locate(cell);
            costs.rewrite(sector, cell.into(), |_, _| cost);
            graph.repair(&costs, &[sector]);
            islands.repair(&costs, &graph, &[sector]);
            assert_eq!(islands.count(), count, "{cell} {cost:?}");
        }
    }
}
