//! The portal graph with links: its edges against naive walks, its shortest paths against
//! the engine's routes and a plain Dijkstra that knows the links.

use std::collections::BTreeSet;

use super::links::{draw_link, field_with, jumps};
use super::portals::{End, walk_cost};
use crate::oracle::draw::{Rng, for_drawn};
use crate::oracle::follow::world_of;
use crate::oracle::{Map, sector_of};
use flowtiles::graph::{LinkedGraph, LinkedNode, LinkedWay};
use flowtiles::{Cell, Cost, FlowWorld, Link, Movement, Sector};
use petgraph::algo::{astar, connected_components};
use petgraph::dot::Dot;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

fn for_linked_worlds(salt: u64, mut check: impl FnMut(&Map, &FlowWorld, &mut Rng)) {
    for_drawn(salt, &[(25, 14), (33, 58)], 4, |map, rng| {
        let mut world = world_of(map);
        for _ in 0..rng.below(6) {
            world.add_link(draw_link(map, rng)).ok();
        }
        check(map, &world, rng);
    });
}

/// Returns a node as an end of walks through a sector, if it is one.
fn end_of(node: &LinkedNode, through: Sector) -> Option<End> {
    match node {
        LinkedNode::Portal(portal) => {
            let is_beside = portal.sectors.contains(&through);
            is_beside.then(|| End::portal(portal, through))
        }
        LinkedNode::Cell(cell) => (sector_of(*cell) == through).then(|| End::cell(*cell)),
    }
}

fn price(linked: &LinkedGraph, from: NodeIndex, to: NodeIndex) -> Option<u64> {
    let way = astar(
        linked.graph(),
        from,
        |node| node == to,
        |edge| edge.weight().cost,
        |_| 0,
    );
    way.map(|(cost, _)| cost)
}

#[test]
fn linked_graph_has_the_walks_and_the_open_links() {
    for_linked_worlds(191, |map, world, rng| {
        let asked: Vec<Cell> = (0..4).map(|_| rng.cell(map)).collect();
        let linked = world.inspect().linked_graph(&asked);
        let graph = linked.graph();

        let all = jumps(world);
        let open = all
            .iter()
            .filter(|(from, to, _)| map.is_open(*from) && map.is_open(*to));
        let links: Vec<_> = open.copied().collect();
        let ends = links.iter().flat_map(|&(from, to, _)| [from, to]);
        let chosen = asked.iter().copied().filter(|&cell| map.is_open(cell));
        let expected: BTreeSet<Cell> = ends.chain(chosen).collect();
        let cells: Vec<Cell> = graph
            .node_weights()
            .filter_map(|node| match node {
                LinkedNode::Cell(cell) => Some(*cell),
                LinkedNode::Portal(_) => None,
            })
            .collect();
        assert_eq!(cells.len(), expected.len(), "each cell once, on {map}");
        assert_eq!(cells.iter().copied().collect::<BTreeSet<_>>(), expected);
        for cell in map.cells() {
            let found = linked.cell(cell).map(|node| graph[node]);
            let is_node = expected.contains(&cell).then_some(LinkedNode::Cell(cell));
            assert_eq!(found, is_node, "{cell} of {map}");
        }
        let portals = world.inspect().portal_graph().portals();
        for (at, portal) in portals.enumerate() {
            assert_eq!(linked.portal(portal.id), Some(NodeIndex::new(at)));
            assert_eq!(graph[NodeIndex::new(at)], LinkedNode::Portal(portal));
        }

        let mut walks = BTreeSet::new();
        for through in map.sectors() {
            let here = graph.node_indices();
            let here: Vec<(NodeIndex, End)> = here
                .filter_map(|node| Some((node, end_of(&graph[node], through)?)))
                .collect();
            for &(to, to_end) in &here {
                for &(from, from_end) in here.iter().filter(|(from, _)| *from != to) {
                    if let Some(cost) = walk_cost(map, from_end, to_end, through) {
                        walks.insert((from, to, u64::from(cost), (through.x, through.y)));
                    }
                }
            }
        }
        let (mut found, mut crossed) = (BTreeSet::new(), Vec::new());
        for edge in graph.edge_references() {
            let (from, to, weight) = (edge.source(), edge.target(), edge.weight());
            match weight.by {
                LinkedWay::Through(sector) => {
                    let is_new = found.insert((from, to, weight.cost, (sector.x, sector.y)));
                    assert!(is_new, "an edge twice, on {map}");
                }
                LinkedWay::Link(id) => {
                    let (LinkedNode::Cell(entry), LinkedNode::Cell(exit)) =
                        (graph[from], graph[to])
                    else {
                        panic!("a link leads from cell to cell");
                    };
                    let link = world.link(id).expect("it is there");
                    assert_eq!(link.end_of(entry), Some(exit));
                    crossed.push((entry, exit, weight.cost));
                }
            }
        }
        assert!(found == walks, "walks of {map}");
        assert_eq!(crossed, links, "links of {map}");
    });
}

#[test]
fn linked_graph_shortest_paths_cost_what_routes_cost() {
    for_linked_worlds(192, |map, world, rng| {
        let all = jumps(world);
        for _ in 0..12 {
            let ends = [rng.cell(map), rng.cell(map)];
            let linked = world.inspect().linked_graph(&ends);
            let [from, to] = ends.map(|cell| linked.cell(cell));
            let found = from.zip(to).and_then(|(from, to)| price(&linked, from, to));
            let route = world.find_route(ends[0], ends[1]).expect("on the map");
            assert_eq!(
                found,
                route.map(|route| route.cost),
                "{ends:?} on {map}, {all:?}"
            );
            // A path of portals leads through crossings: never cheaper than the best, and
            // there whenever the best is.
            let best = field_with(map, &all, ends[1], 0, None)[map.id(ends[0])];
            assert_eq!(found.is_some(), best.is_some(), "{ends:?} on {map}");
            assert!(found >= best, "{ends:?} on {map}");
        }
    });
}

#[test]
fn the_plain_graph_does_not_know_links() {
    let mut map = Map::open(60, 20);
    map.fill(flowtiles::CellRect::new(30, 0, 1, 20), 255);
    let mut world = world_of(&map);
    let plain = world.inspect().portal_graph().clone();
    let two = world.inspect().linked_graph(&[]);
    assert_eq!(connected_components(two.graph()), 2);
    let layer = world.add_layer(Movement::new()).expect("room for it");
    let id = world
        .add_link(Link::new(Cell::new(28, 5), Cell::new(33, 5)).with_price(77))
        .expect("a good link");
    let only = Link::new(Cell::new(28, 8), Cell::new(33, 8)).only_on([layer]);
    world.add_link(only).expect("a good link");

    let linked = world.inspect().linked_graph(&[]);
    assert_eq!(*world.inspect().portal_graph(), plain);
    assert_eq!(connected_components(linked.graph()), 1);
    assert_eq!(linked.graph().node_count(), plain.portal_count() + 2);
    let dot = Dot::new(linked.graph()).to_string();
    assert!(dot.contains(r#"label = "(28, 5)""#), "{dot}");
    assert!(dot.contains(&format!("label = \"77 by {id}\"")), "{dot}");

    // The other layer has one link more.
    world
        .order(
            flowtiles::Goal::at(Cell::new(5, 5)).on(layer),
            &[Cell::new(9, 5)],
        )
        .expect("open ground");
    let on_layer = world.inspect().layer(layer).expect("it is derived");
    let nodes = on_layer.linked_graph(&[]).graph().node_count();
    assert_eq!(nodes, plain.portal_count() + 4);

    // A link with an end in a wall is no edge.
    world
        .edit(Cell::new(33, 5), Cost::WALL)
        .expect("on the map");
    let shut = world.inspect().linked_graph(&[]);
    assert_eq!(shut.cell(Cell::new(28, 5)), None);
    assert_eq!(connected_components(shut.graph()), 2);
}
