//! Landmarks: portals to which the costs from all other portals are known.
//!
//! The cost from A to a landmark, minus the cost from B to it, is a lower bound
//! on the cost from A to B. A search that knows both sees around obstacles,
//! which the cost over open ground does not, and takes only a half to a sixth
//! of the portals.
//!
//! The bound needs one rule: no edge of the graph is shorter than the
//! difference between the costs at its ends. An edit that makes edges longer
//! cannot break the rule, so the costs stay as they are. An edit that makes
//! edges shorter, or adds portals, may break it. Then the cost at the higher
//! end is lowered, and the costs that depend on it, until the rule holds again:
//! mostly those of a few portals around. The costs need not be those of the
//! present paths. So as a map changes, the bounds become weaker, but they stay
//! valid.
//!
//! The length of an edge is the cheaper of its two directions, so the rule
//! holds both ways.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use super::span::{FAR_OFF, LANDMARKS, LandmarkCosts};
use crate::cost::CostMap;
use crate::grid::{Extent, Sector, SectorId};
use crate::islands::{Island, Islands};
use crate::portal::{BORDER_PORTALS, PortalGraph, PortalId, PortalSlot, with_neighbours};
use crate::queue::BucketRing;

/// The number of portals that a sector owns at most.
const OWN: usize = 2 * BORDER_PORTALS;

/// The number of portals after which a repair is given up: a new survey costs
/// little more.
const MOST_MENDED: usize = 4_000;

/// Costs from all portals to the landmarks; see the module.
#[derive(Clone)]
pub(crate) struct Landmarks {
    extent: Extent,
    /// By owner, and by the portal's index in it.
    prices: Vec<[LandmarkCosts; OWN]>,
    /// The position of each portal's gate when its costs were found, counted
    /// from 1; 0 if there was no portal.
    gates: Vec<[u8; OWN]>,
}

/// The effect of an edit on the costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mended {
    /// No portal that existed before has other costs.
    Stayed,
    /// Some portals have other costs.
    Moved,
    /// Too many portals would have other costs.
    GivenUp,
}

impl Landmarks {
    /// Chooses landmarks far from each other, all on the island with the most
    /// portals, and finds the costs to them.
    pub(crate) fn new(costs: &CostMap, graph: &PortalGraph, islands: &Islands) -> Self {
        let extent = costs.extent();
        let mut landmarks = Self {
            extent,
            prices: vec![[LandmarkCosts([FAR_OFF; LANDMARKS]); OWN]; extent.sector_count()],
            gates: extent
                .sectors()
                .map(|sector| gates_of(graph, extent.sector(sector)))
                .collect(),
        };
        let candidates = on_largest_island(costs, graph, islands);
        let mut ring = BucketRing::new();
        for number in 0..LANDMARKS {
            let Some(place) = landmarks.farthest(number, &candidates) else {
                break;
            };
            landmarks.spread(graph, number, place, &mut ring);
        }
        landmarks
    }

    /// Returns the candidate farthest from the landmarks before `number`; the
    /// first candidate if there are none.
    fn farthest(&self, number: usize, candidates: &[PortalId]) -> Option<PortalId> {
        let nearest = |&id: &PortalId| {
            let known = self.at(id).0[..number].iter();
            (known.copied().min().unwrap_or(0), id)
        };
        let far = candidates
            .iter()
            .map(nearest)
            .reduce(|best, other| if other.0 > best.0 { other } else { best });
        far.map(|(_, id)| id)
    }

    /// Finds the costs from all portals to `to`, the landmark `number`.
    fn spread(
        &mut self,
        graph: &PortalGraph,
        number: usize,
        to: PortalId,
        ring: &mut BucketRing<PortalId>,
    ) {
        ring.restart(0);
        self.price(to).0[number] = 0;
        ring.push(0, to);
        while let Some((key, id)) = ring.pop() {
            if key > self.price(id).0[number] as u64 {
                continue;
            }
            graph.for_each_joined(id, |other, walk| {
                let (cost, price) = (key + u64::from(walk), self.price(other));
                if cost < price.0[number] as u64 {
                    price.0[number] = cost as i32;
                    ring.push(cost, other);
                }
            });
        }
    }

    /// Restores the rule after an edit in some sectors.
    pub(crate) fn mend(&mut self, graph: &PortalGraph, changed: &[SectorId]) -> Mended {
        let extent = self.extent;
        let changed = changed.iter().map(|&id| extent.sector(id));
        let around = changed.flat_map(|sector| with_neighbours(extent, sector));
        let mut stale: Vec<Sector> = around.collect();
        stale.sort_unstable_by_key(|sector| (sector.y, sector.x));
        stale.dedup();
        let mut fresh: Vec<PortalId> = Vec::new();
        for &sector in &stale {
            self.meet_gates(graph, sector, &mut fresh);
        }
        fresh.sort_unstable();
        let around = stale.iter().flat_map(|&sector| {
            let portal_slots = graph.links(sector).portal_slots();
            portal_slots.map(move |portal_slot| portal_slot.id(sector))
        });
        let mut queue: VecDeque<PortalId> = around.collect();
        queue.make_contiguous().sort_unstable();
        let (mut moved, mut mended) = (false, 0);
        while let Some(id) = queue.pop_front() {
            let from = *self.price(id);
            graph.for_each_joined(id, |other, walk| {
                if self.price(other).lower_to(&from, walk) {
                    moved |= fresh.binary_search(&other).is_err();
                    queue.push_back(other);
                    mended += 1;
                }
            });
            if mended > MOST_MENDED {
                return Mended::GivenUp;
            }
        }
        if moved { Mended::Moved } else { Mended::Stayed }
    }

    /// Resets the costs of a sector's own portals whose gates have moved. Adds
    /// to `fresh` those that exist now.
    fn meet_gates(&mut self, graph: &PortalGraph, sector: Sector, fresh: &mut Vec<PortalId>) {
        let now = gates_of(graph, sector);
        let (place, _) = self.place(PortalId::owned(sector, 0));
        for (local, &gate) in now.iter().enumerate() {
            if gate != self.gates[place][local] {
                self.gates[place][local] = gate;
                self.prices[place][local] = LandmarkCosts([FAR_OFF; LANDMARKS]);
                if gate > 0 {
                    fresh.push(PortalId::owned(sector, local));
                }
            }
        }
    }

    const fn place(&self, id: PortalId) -> (usize, usize) {
        let owner = id.owner();
        let sector = owner.y as usize * self.extent.columns() as usize + owner.x as usize;
        (sector, id.local())
    }

    fn price(&mut self, id: PortalId) -> &mut LandmarkCosts {
        let (sector, local) = self.place(id);
        &mut self.prices[sector][local]
    }

    /// Returns the costs of one portal.
    pub(crate) fn at(&self, id: PortalId) -> &LandmarkCosts {
        let (sector, local) = self.place(id);
        &self.prices[sector][local]
    }

    /// Returns the costs of the portals around a sector.
    #[inline]
    pub(crate) fn around(&self, sector: Sector) -> PricesAround<'_> {
        let columns = self.extent.columns() as usize;
        let own = sector.y as usize * columns + sector.x as usize;
        PricesAround {
            prices: &self.prices,
            sides: [own.wrapping_sub(columns), own.wrapping_sub(1), own, own],
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.prices.capacity() * size_of::<[LandmarkCosts; OWN]>()
            + self.gates.capacity() * size_of::<[u8; OWN]>()
    }
}

/// Returns the portals on the island that has the most of them.
fn on_largest_island(costs: &CostMap, graph: &PortalGraph, islands: &Islands) -> Vec<PortalId> {
    let portals: Vec<(Option<Island>, PortalId)> = graph
        .portals()
        .map(|portal| (islands.of(costs, portal.gates[0]), portal.id))
        .collect();
    let mut counts: BTreeMap<Option<Island>, (usize, Reverse<PortalId>)> = BTreeMap::new();
    for &(island, id) in &portals {
        counts.entry(island).or_insert((0, Reverse(id))).0 += 1;
    }
    // Labels depend on earlier edits, so among equals the first portal decides.
    let largest = counts.into_iter().max_by_key(|&(_, count)| count);
    let on_it = |&(island, _): &(Option<Island>, PortalId)| {
        largest.is_some_and(|(largest, _)| largest == island)
    };
    portals
        .into_iter()
        .filter(on_it)
        .map(|(_, id)| id)
        .collect()
}

/// Returns the positions of the gates of a sector's own portals, counted from
/// 1.
fn gates_of(graph: &PortalGraph, sector: Sector) -> [u8; OWN] {
    std::array::from_fn(|local| {
        let window = graph.window(PortalId::owned(sector, local));
        window.map_or(0, |window| window.gate + 1)
    })
}

/// The costs of the portals around one sector.
#[derive(Clone, Copy)]
pub(crate) struct PricesAround<'a> {
    prices: &'a [[LandmarkCosts; OWN]],
    /// The sectors that own the borders, by side.
    sides: [usize; 4],
}

impl<'a> PricesAround<'a> {
    #[inline]
    pub(crate) fn at(&self, portal_slot: PortalSlot) -> &'a LandmarkCosts {
        &self.prices[self.sides[portal_slot.side() as usize]][portal_slot.local()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;
    use crate::draws::draws;
    use crate::grid::Rect;

    /// Asserts that no edge is shorter than the difference between its ends.
    fn hold_rule(landmarks: &Landmarks, graph: &PortalGraph, turn: u32) {
        for portal in graph.portals() {
            for (to, edge) in graph.edges(portal.id) {
                let ends = landmarks
                    .at(portal.id)
                    .0
                    .into_iter()
                    .zip(landmarks.at(to).0);
                for (from, to) in ends {
                    assert!(
                        from.abs_diff(to) <= edge.cost,
                        "{turn}: {portal} for {edge}"
                    );
                }
            }
        }
    }

    #[test]
    fn no_edge_is_ever_shorter_than_the_difference_of_its_ends() {
        let mut draw = draws(11);
        for (width, height) in [(47, 63), (120, 60), (10, 10)] {
            let mut costs = CostMap::open(width, height).unwrap();
            let mut graph = PortalGraph::new(&costs);
            let islands = Islands::new(&costs, &graph);
            let mut landmarks = Landmarks::new(&costs, &graph, &islands);
            for turn in 0..300 {
                let (x, y) = (draw(width), draw(height));
                let (w, h) = ([1, 2, 8, 40][draw(4) as usize], [1, 3, 8][draw(3) as usize]);
                let area = Rect::new(x as i32, y as i32, w.min(width - x), h.min(height - y));
                let cost = [
                    Cost::WALL,
                    Cost::WALL,
                    Cost::OPEN,
                    Cost::OPEN,
                    Cost::new(7).unwrap(),
                ];
                let cost = cost[draw(5) as usize];
                let mut changed: Vec<SectorId> = Vec::new();
                for sector in costs.extent().sectors_of(area) {
                    if costs.rewrite(sector, area, |_, _| cost).is_some() {
                        changed.push(sector);
                    }
                }
                graph.repair(&costs, &changed);
                assert_ne!(landmarks.mend(&graph, &changed), Mended::GivenUp);
                hold_rule(&landmarks, &graph, turn);
            }
            let gates = costs
                .extent()
                .sectors()
                .map(|id| gates_of(&graph, costs.extent().sector(id)));
            assert!(landmarks.gates.iter().copied().eq(gates));
        }
    }

    #[test]
    fn of_two_islands_alike_it_is_the_same_whatever_was_edited() {
        let wall = Rect::new(30, 0, 10, 40);
        let mut costs = CostMap::open(70, 40).unwrap();
        let mut graph = PortalGraph::new(&costs);
        let mut islands = Islands::new(&costs, &graph);
        // A side that is walled up and opened again gets a new label.
        let cut =
            |costs: &mut CostMap, graph: &mut PortalGraph, islands: &mut Islands, area, cost| {
                let touched: Vec<SectorId> = costs.extent().sectors_of(area).collect();
                let before = islands.vicinity(costs, graph, &touched);
                for &sector in &touched {
                    costs.rewrite(sector, area, |_, _| cost);
                }
                graph.repair(costs, &touched);
                islands.repair(costs, graph, &touched, before);
            };
        cut(&mut costs, &mut graph, &mut islands, wall, Cost::WALL);
        let fresh = PortalGraph::new(&costs);
        let fresh = on_largest_island(&costs, &fresh, &Islands::new(&costs, &fresh));
        for x in [0, 40, 0] {
            let side = Rect::new(x, 0, 30, 40);
            cut(&mut costs, &mut graph, &mut islands, side, Cost::WALL);
            cut(&mut costs, &mut graph, &mut islands, side, Cost::OPEN);
            assert_eq!(on_largest_island(&costs, &graph, &islands), fresh);
        }
    }

    #[test]
    fn a_fresh_survey_knows_what_the_ways_cost() {
        let mut costs = CostMap::open(60, 40).unwrap();
        costs.edit(Rect::new(30, 0, 1, 35), Cost::WALL).unwrap();
        let graph = PortalGraph::new(&costs);
        let islands = Islands::new(&costs, &graph);
        let landmarks = Landmarks::new(&costs, &graph, &islands);
        for number in 0..LANDMARKS {
            let at = |id| landmarks.at(id).0[number] as u32;
            let landmark = graph.portals().find(|portal| at(portal.id) == 0).unwrap();
            let found = ::petgraph::algo::dijkstra(&graph, landmark.id, None, |edge| {
                ::petgraph::visit::EdgeRef::weight(&edge).cost
            });
            assert_eq!(found.len(), graph.portal_count());
            assert!(found.into_iter().all(|(id, price)| price == at(id)));
        }
    }
}
