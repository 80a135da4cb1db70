//! The cost of the search, compared with a general A*.
//!
//! The search goes from corner to corner of 1000×1000 cells. petgraph and
//! pathfinding search between the first and the last portal of the engine's
//! route, on a copy of the graph in the form that suits each best, with the
//! cost over open ground as heuristic.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use flowtiles::graph::PortalGraph;
use flowtiles::petgraph::algo::astar as petgraph_astar;
use flowtiles::petgraph::graph::{Graph, NodeIndex};
use flowtiles::petgraph::visit::EdgeRef;
use flowtiles::{Cell, FlowWorld};
use pathfinding::prelude::astar as pathfinding_astar;

mod maps;

/// A copy of the portal graph: cells of crossings, connected by costs.
struct Roads {
    graph: Graph<Cell, u32>,
    neighbours: Vec<Vec<(usize, u32)>>,
}

fn octile(from: Cell, to: Cell) -> u32 {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    5 * dx.max(dy) + 2 * dx.min(dy)
}

impl Roads {
    fn new(graph: &PortalGraph) -> Self {
        let graph = graph
            .to_petgraph()
            .map_owned(|_, portal| portal.crossing[0], |_, edge| edge.cost);
        let onward = |node| {
            let edges = graph.edges(node);
            edges
                .map(|edge| (edge.target().index(), *edge.weight()))
                .collect()
        };
        let neighbours = graph.node_indices().map(onward).collect();
        Self { graph, neighbours }
    }

    fn by_petgraph(&self, from: usize, to: usize) -> Option<u32> {
        let goal = NodeIndex::new(to);
        let place = self.graph[goal];
        let found = petgraph_astar(
            &self.graph,
            NodeIndex::new(from),
            |node| node == goal,
            |edge| *edge.weight(),
            |node| octile(self.graph[node], place),
        );
        found.map(|(price, _)| price)
    }

    fn by_pathfinding(&self, from: usize, to: usize) -> Option<u32> {
        let place = |node: usize| self.graph[NodeIndex::new(node)];
        let goal = place(to);
        let found = pathfinding_astar(
            &from,
            |&node| self.neighbours[node].iter().copied(),
            |&node| octile(place(node), goal),
            |&node| node == to,
        );
        found.map(|(_, price)| price)
    }

    fn price(&self, way: &[usize]) -> Option<u32> {
        let leg = |pair: &[usize]| {
            let edges = self.neighbours[pair[0]].iter();
            let there = edges.filter(|&&(to, _)| to == pair[1]);
            there.map(|&(_, price)| price).min()
        };
        way.windows(2).map(leg).sum()
    }
}

fn route(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("route");
    group.sample_size(20);
    for (name, map) in maps::all() {
        let world = FlowWorld::new(map);
        let from = maps::open_near(&world, Cell::new(25, 37));
        let to = maps::open_near(&world, Cell::new(961, 974));
        let found = world.find_route(from, to).expect("on the map");
        let portals = found.expect("the corners are joined").portals;
        let ids: Vec<_> = world
            .inspect()
            .portal_graph()
            .portals()
            .map(|p| p.id)
            .collect();
        let number = |id| ids.binary_search(id).expect("a portal of the graph");
        let way: Vec<usize> = portals.iter().map(number).collect();
        let (first, last) = (way[0], way[way.len() - 1]);
        let roads = Roads::new(world.inspect().portal_graph());
        let price = roads.price(&way);
        assert!(price.is_some(), "checked before it is timed");
        assert_eq!(price, roads.by_petgraph(first, last));
        assert_eq!(price, roads.by_pathfinding(first, last));

        group.bench_function(format!("flowtiles, {name}"), |bencher| {
            bencher.iter(|| world.find_route(black_box(from), black_box(to)));
        });
        group.bench_function(format!("petgraph astar, {name}"), |bencher| {
            bencher.iter(|| roads.by_petgraph(black_box(first), black_box(last)));
        });
        group.bench_function(format!("pathfinding astar, {name}"), |bencher| {
            bencher.iter(|| roads.by_pathfinding(black_box(first), black_box(last)));
        });
    }
    group.finish();
}

criterion_group!(benches, route);
criterion_main!(benches);
