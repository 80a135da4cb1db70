//! The portal graph: its windows, crossings, edges and ids, as the costs require,
//! seen through its public view and petgraph's own algorithms.

use std::collections::BTreeSet;

use crate::oracle::draw::{Look, Rng, SIZES, draw, for_drawn};
use crate::oracle::follow::world_of;
use crate::oracle::{Map, WALL, islands, sector_of, settle};
use flowtiles::graph::{Portal, PortalEdge, PortalGraph, PortalId};
use flowtiles::{Cell, CellRect, Cost, FlowWorld, SECTOR_SIDE, Sector};
use petgraph::algo::{connected_components, dijkstra};
use petgraph::dot::Dot;
use petgraph::visit::{EdgeRef, IntoEdgeReferences, IntoNodeReferences};

/// Longer runs are cut, unless both sectors are entirely open ground.
const LONGEST_PIECE: u32 = 5;

fn for_drawn_worlds(salt: u64, mut check: impl FnMut(&Map, &FlowWorld, &mut Rng)) {
    for_drawn(salt, &SIZES, 3, |map, rng| check(map, &world_of(map), rng));
}

/// Every portal and every edge, as comparable plain values.
type Listing = (Vec<Portal>, Vec<(PortalId, PortalId, PortalEdge)>);

fn listing(graph: &PortalGraph) -> Listing {
    let portals: Vec<Portal> = graph.portals().collect();
    let mut edges = Vec::new();
    for portal in &portals {
        for (to, edge) in graph.edges(portal.id) {
            edges.push((portal.id, to, edge));
        }
    }
    (portals, edges)
}

/// Returns the pairs of cells that face each other across the border of two
/// sectors and are both open.
fn open_pairs(map: &Map, [a, b]: [Sector; 2]) -> Vec<[Cell; 2]> {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    map.cells_of(a)
        .into_iter()
        .map(|cell| [cell, Cell::new(cell.x + dx, cell.y + dy)])
        .filter(|&[near, far]| sector_of(far) == b && map.step(near, far).is_some())
        .collect()
}

/// Whether two sectors are open ground of one cost.
fn are_clear(map: &Map, sectors: [Sector; 2]) -> bool {
    let cells = sectors.map(|sector| map.cells_of(sector)).concat();
    cells.len() == 2 * (SECTOR_SIDE * SECTOR_SIDE) as usize
        && map.is_open(cells[0])
        && cells
            .iter()
            .all(|&cell| map.cost(cell) == map.cost(cells[0]))
}

/// Returns the maximal runs of consecutive pairs.
fn runs(pairs: &[[Cell; 2]]) -> Vec<Vec<[Cell; 2]>> {
    let mut runs: Vec<Vec<[Cell; 2]>> = Vec::new();
    for &pair in pairs {
        match runs.last_mut() {
            Some(run) if follows(run[run.len() - 1], pair) => run.push(pair),
            _ => runs.push(vec![pair]),
        }
    }
    runs
}

fn follows([before, _]: [Cell; 2], [next, _]: [Cell; 2]) -> bool {
    (next.x - before.x).abs() + (next.y - before.y).abs() == 1
}

fn pairs_of(portal: &Portal) -> Vec<[Cell; 2]> {
    let [near, far] = portal.windows;
    near.cells().zip(far.cells()).map(|(a, b)| [a, b]).collect()
}

/// Returns the pieces of a run, as equal as possible.
fn pieces(run: &[[Cell; 2]], longest: u32) -> Vec<Vec<[Cell; 2]>> {
    let count = run.len().div_ceil(longest as usize);
    let piece = |at: usize| run[run.len() * at / count..run.len() * (at + 1) / count].to_vec();
    (0..count).map(piece).collect()
}

/// Whether a pair costs three times as much as some pair on either side.
fn has_ridge(map: &Map, piece: &[[Cell; 2]]) -> bool {
    let prices: Vec<u32> = piece
        .iter()
        .map(|&[a, b]| u32::from(map.cost(a)) + u32::from(map.cost(b)))
        .collect();
    (1..prices.len().saturating_sub(1)).any(|ridge| {
        let low = |part: &[u32]| part.iter().min().copied().unwrap_or(u32::MAX / 3);
        prices[ridge] >= 3 * low(&prices[..ridge]).max(low(&prices[ridge + 1..]))
    })
}

#[test]
fn windows_cover_each_border_s_open_runs_once() {
    for_drawn_worlds(31, |map, world, _| {
        let graph = world.inspect().portal_graph();
        let mut seen = 0;
        for sector in map.sectors() {
            let east = Sector::new(sector.x + 1, sector.y);
            let south = Sector::new(sector.x, sector.y + 1);
            for sectors in [[sector, east], [sector, south]] {
                let portals: Vec<Portal> =
                    graph.portals().filter(|p| p.sectors == sectors).collect();
                seen += portals.len();
                let covered: Vec<[Cell; 2]> = portals.iter().flat_map(pairs_of).collect();
                assert_eq!(covered, open_pairs(map, sectors), "{sectors:?} of {map}");
                let longest = if are_clear(map, sectors) {
                    SECTOR_SIDE as u32
                } else {
                    LONGEST_PIECE
                };
                let mut at = portals.iter();
                for piece in runs(&covered).iter().flat_map(|run| pieces(run, longest)) {
                    let mut parts: Vec<Vec<[Cell; 2]>> = Vec::new();
                    while parts.iter().map(Vec::len).sum::<usize>() < piece.len() {
                        parts.push(pairs_of(at.next().expect("a portal for each pair")));
                    }
                    assert_eq!(parts.concat(), piece, "{sectors:?} of {map}");
                    let is_cut = piece.len() > 3 && has_ridge(map, &piece);
                    assert_eq!(parts.len() > 1, is_cut, "{piece:?} of {map}");
                    for part in parts.iter().filter(|part| part.len() > 3) {
                        assert!(!has_ridge(map, part), "{part:?} of {map}");
                    }
                }
                for portal in &portals {
                    assert!((1..=longest).contains(&portal.width()), "{portal} of {map}");
                    assert_eq!(
                        runs(&pairs_of(portal)).len(),
                        1,
                        "{portal} is one run of {map}"
                    );
                }
            }
        }
        assert_eq!(
            seen,
            graph.portals().count(),
            "no portal anywhere else, on {map}"
        );
        assert_eq!(world.inspect().stats().portals, seen);
    });
}

#[test]
fn crossings_are_the_cheapest_pair_of_their_window() {
    for_drawn_worlds(32, |map, world, _| {
        for portal in world.inspect().portal_graph().portals() {
            let price = |[a, b]: [Cell; 2]| u32::from(map.cost(a)) + u32::from(map.cost(b));
            let pairs = pairs_of(&portal);
            let at = pairs.iter().position(|pair| *pair == portal.crossing);
            let at =
                at.unwrap_or_else(|| panic!("the crossing of {portal} is in its window, on {map}"));
            let off_middle = |at: usize| (2 * at + 1).abs_diff(pairs.len());
            let best = (0..pairs.len()).min_by_key(|&at| (price(pairs[at]), off_middle(at), at));
            assert_eq!(Some(at), best, "{portal} of {map}");
        }
    });
}

/// An end of a walk through a sector: a portal, which stands on the first of its two
/// crossing cells, or a cell of the sector.
#[derive(Clone, Copy)]
pub(crate) struct End {
    place: Cell,
    /// If the place lies outside the sector, a step joins it to these cells.
    window: CellRect,
}

impl End {
    pub(crate) fn portal(portal: &Portal, through: Sector) -> Self {
        Self {
            place: portal.crossing[0],
            window: portal.windows[usize::from(portal.sectors[1] == through)],
        }
    }

    pub(crate) fn cell(cell: Cell) -> Self {
        Self {
            place: cell,
            window: cell.into(),
        }
    }
}

/// Returns the required cost of the cheapest walk from end to end through a sector.
pub(crate) fn walk_cost(map: &Map, from: End, to: End, through: Sector) -> Option<u32> {
    let inside = |cell: Cell| sector_of(cell) == through;
    let joined = |outside: Cell, cell: Cell| {
        [from, to]
            .iter()
            .any(|end| end.place == outside && end.window.contains(cell))
    };
    let field = settle(
        map,
        (to.place, 0),
        |cell| inside(cell) || [from, to].iter().any(|end| end.place == cell),
        |from, to| match (inside(from), inside(to)) {
            (true, true) => map.step(from, to),
            (true, false) if joined(to, from) => map.step(from, to),
            (false, true) if joined(from, to) => map.step(from, to),
            _ => None,
        },
    );
    field[map.id(from.place)].map(|cost| cost as u32)
}

#[test]
fn edges_cost_what_a_search_of_their_sector_finds() {
    for_drawn_worlds(33, |map, world, _| {
        let graph = world.inspect().portal_graph();
        let mut expected = BTreeSet::new();
        for through in map.sectors() {
            let around: Vec<Portal> = graph.portals_of(through).collect();
            for to in &around {
                for from in around.iter().filter(|from| from.id != to.id) {
                    let ends = [from, to].map(|portal| End::portal(portal, through));
                    if let Some(cost) = walk_cost(map, ends[0], ends[1], through) {
                        expected.insert((from.id, to.id, cost, through));
                    }
                }
            }
        }
        let (_, edges) = listing(graph);
        assert_eq!(
            world.inspect().stats().edges,
            edges.len(),
            "edges counted, on {map}"
        );
        let count = edges.len();
        let found: BTreeSet<_> = edges
            .into_iter()
            .map(|(from, to, edge)| (from, to, edge.cost, edge.through))
            .collect();
        assert_eq!(found.len(), count, "no edge twice, on {map}");
        assert!(found == expected, "edges of {map}");
    });
}

#[test]
fn ids_are_in_order_and_find_their_portals() {
    for_drawn_worlds(34, |map, world, _| {
        let graph = world.inspect().portal_graph();
        let ids: Vec<PortalId> = graph.portals().map(|portal| portal.id).collect();
        assert!(
            ids.is_sorted_by(|a, b| a < b),
            "ascending and distinct, on {map}"
        );
        for portal in graph.portals() {
            assert_eq!(graph.portal(portal.id), Some(portal));
        }
    });
}

#[test]
fn components_are_the_islands_that_touch_a_border() {
    for_drawn_worlds(35, |map, world, _| {
        let graph = world.inspect().portal_graph();
        let islands = islands(map);
        let island = |portal: &Portal| islands[map.id(portal.crossing[0])];
        let at_borders: BTreeSet<_> = graph.portals().map(|portal| island(&portal)).collect();
        // Pieces of one run may be connected only to each other, so every
        // portal must be in the component of its island and in no other.
        let owned = graph.to_petgraph();
        assert_eq!(connected_components(&owned), at_borders.len(), "{map}");
        for edge in owned.edge_references() {
            let ends = [edge.source(), edge.target()].map(|node| island(&owned[node]));
            assert_eq!(ends[0], ends[1], "an edge joins two islands of {map}");
        }
        let count = islands.iter().flatten().max().map_or(0, |last| last + 1);
        assert_eq!(world.inspect().stats().islands, count, "{map}");
    });
}

#[test]
fn cells_are_reachable_if_they_share_an_island() {
    for_drawn_worlds(36, |map, world, rng| {
        let islands = islands(map);
        for _ in 0..200 {
            let (from, to) = (rng.cell(map), rng.cell(map));
            let island = islands[map.id(from)];
            let expected = island.is_some() && island == islands[map.id(to)];
            assert_eq!(
                world.reachable(from, to),
                expected,
                "{from} to {to} on {map}"
            );
        }
    });
}

/// Changes a world and a map in the same way, by drawn rectangles of drawn
/// costs.
fn edit_at_random(world: &mut FlowWorld, map: &mut Map, edits: usize, rng: &mut Rng) {
    for _ in 0..edits {
        let side = rng.pick(&[1, 1, 3, 12, 30]);
        let area = rng.area(map, side);
        let drawn = rng.between(2, 254) as u8;
        let cost = rng.pick(&[WALL, WALL, 1, 1, drawn]);
        map.fill(area, cost);
        world.edit(area, Cost::new(cost).unwrap()).unwrap();
    }
}

#[test]
fn a_graph_after_any_edits_equals_one_built_at_once() {
    for_drawn_worlds(38, |map, _, rng| {
        let (mut map, mut world) = (map.clone(), world_of(map));
        for round in 0..6 {
            edit_at_random(&mut world, &mut map, 1 + 3 * round, rng);
            assert_eq!(world.costs().to_rows(), map.costs);
            let built = world_of(&map);
            let (edited, expected) = (
                listing(world.inspect().portal_graph()),
                listing(built.inspect().portal_graph()),
            );
            assert!(edited == expected, "portals and edges of {map}");
            assert!(
                world.inspect().portal_graph() == built.inspect().portal_graph(),
                "{map}"
            );
            let counts = |world: &FlowWorld| {
                let stats = world.inspect().stats();
                (stats.portals, stats.edges, stats.islands)
            };
            assert_eq!(counts(&world), counts(&built), "{map}");
            let islands = islands(&map);
            for _ in 0..50 {
                let (a, b) = (rng.cell(&map), rng.cell(&map));
                let same = islands[map.id(a)].is_some() && islands[map.id(a)] == islands[map.id(b)];
                assert_eq!(world.reachable(a, b), same, "{a} to {b} on {map}");
            }
        }
    });
}

#[test]
fn an_edit_elsewhere_keeps_every_id() {
    let map = draw(Look::Caves, 137, 64, &mut Rng::new(5));
    let mut world = world_of(&map);
    let touched = Sector::new(6, 3);
    let elsewhere = |world: &FlowWorld| -> Vec<Portal> {
        let portals = world.inspect().portal_graph().portals();
        portals
            .filter(|portal| !portal.sectors.contains(&touched))
            .collect()
    };
    let before = elsewhere(&world);
    world
        .edit(CellRect::new(60, 30, 10, 10), Cost::WALL)
        .unwrap();
    assert_eq!(elsewhere(&world), before);
    assert!(before.len() > 100);
    world
        .edit(CellRect::new(60, 30, 10, 10), Cost::OPEN)
        .unwrap();
    assert_eq!(elsewhere(&world), before);
}

#[test]
fn the_view_and_the_copy_are_one_graph_to_petgraph() {
    for seed in 0..10 {
        let map = draw(Look::Rooms, 64, 41, &mut Rng::new(seed));
        let world = world_of(&map);
        let (view, copy) = (
            world.inspect().portal_graph(),
            world.inspect().portal_graph().to_petgraph(),
        );
        let in_view: Vec<Portal> = view.node_references().collect();
        let in_copy: Vec<Portal> = copy.node_weights().copied().collect();
        assert_eq!(in_view, in_copy);
        assert_eq!(view.edge_references().count(), copy.edge_count());
        let first = copy.node_indices().next().unwrap();
        let by_view = dijkstra(view, copy[first].id, None, |edge| {
            u64::from(edge.weight().cost)
        });
        let by_copy = dijkstra(&copy, first, None, |edge| u64::from(edge.weight().cost));
        assert_eq!(by_view.len(), by_copy.len());
        let dot = Dot::new(&copy).to_string();
        assert!(dot.starts_with("digraph {"));
        for (node, cost) in by_copy {
            assert_eq!(by_view.get(&copy[node].id), Some(&cost));
            assert!(dot.contains(&copy[node].to_string()), "{}", copy[node]);
        }
    }
}

#[test]
fn incoming_edges_are_the_outgoing_ones_reversed() {
    use petgraph::Direction::{Incoming, Outgoing};
    use petgraph::visit::IntoEdgesDirected;
    let map = draw(Look::Rough, 45, 31, &mut Rng::new(2));
    let world = world_of(&map);
    let graph = world.inspect().portal_graph();
    let edges = |way| -> BTreeSet<_> {
        let portals = graph.portals();
        portals
            .flat_map(|portal| graph.edges_directed(portal.id, way))
            .map(|edge| (edge.source(), edge.target(), *edge.weight()))
            .collect()
    };
    assert!(!edges(Outgoing).is_empty());
    assert_eq!(edges(Outgoing), edges(Incoming));
}
