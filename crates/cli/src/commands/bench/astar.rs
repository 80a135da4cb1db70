//! Two general A* on the portal graph: petgraph's and pathfinding's.
//!
//! Each gets the graph in the form that suits it best, made beforehand and not
//! timed: petgraph its own `Graph`, pathfinding plain lists of neighbours. The
//! heuristic is the price over open ground from crossing to crossing. No path is cheaper,
//! since no cell costs less than 1.

use flowtiles::petgraph::algo::astar as petgraph_astar;
use flowtiles::petgraph::graph::{Graph, NodeIndex};
use flowtiles::petgraph::visit::EdgeRef;
use flowtiles::{Cell, PortalGraph, PortalId};
use pathfinding::prelude::astar as pathfinding_astar;

/// A portal graph, copied out.
pub struct Roads {
    ids: Vec<PortalId>,
    places: Vec<Cell>,
    graph: Graph<Cell, u32>,
    /// For each portal the start of its neighbours in `onward`.
    starts: Vec<u32>,
    onward: Vec<(u32, u32)>,
}

/// Returns the price of a path over open ground, in fifths of a straight step.
fn octile(from: Cell, to: Cell) -> u32 {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    5 * dx.max(dy) + 2 * dx.min(dy)
}

impl Roads {
    pub fn new(graph: &PortalGraph) -> Self {
        let ids: Vec<PortalId> = graph.portals().map(|portal| portal.id).collect();
        let graph = graph
            .to_petgraph()
            .map_owned(|_, portal| portal.crossing[0], |_, edge| edge.cost);
        let places = graph.node_weights().copied().collect();
        let mut starts = vec![0];
        let mut onward = Vec::with_capacity(graph.edge_count());
        for node in graph.node_indices() {
            let edges = graph.edges(node);
            onward.extend(edges.map(|edge| (edge.target().index() as u32, *edge.weight())));
            starts.push(onward.len() as u32);
        }
        Self {
            ids,
            places,
            graph,
            starts,
            onward,
        }
    }

    /// Returns the number of a portal in this copy.
    pub fn number(&self, id: PortalId) -> Option<u32> {
        self.ids.binary_search(&id).ok().map(|at| at as u32)
    }

    fn neighbours(&self, from: u32) -> &[(u32, u32)] {
        let [from, to] = [from, from + 1].map(|at| self.starts[at as usize] as usize);
        &self.onward[from..to]
    }

    /// Returns the price of a path given portal by portal; `None` if it has a gap.
    pub fn price(&self, way: &[u32]) -> Option<u32> {
        let leg = |pair: &[u32]| {
            let edges = self.neighbours(pair[0]).iter();
            let there = edges.filter(|&&(to, _)| to == pair[1]);
            there.map(|&(_, cost)| cost).min()
        };
        way.windows(2).map(leg).sum()
    }

    /// petgraph's answer: the price, and the number of portals on the path.
    pub fn by_petgraph(&self, from: u32, to: u32) -> Option<(u32, usize)> {
        let goal = NodeIndex::new(to as usize);
        let place = self.places[to as usize];
        let found = petgraph_astar(
            &self.graph,
            NodeIndex::new(from as usize),
            |node| node == goal,
            |edge| *edge.weight(),
            |node| octile(self.places[node.index()], place),
        );
        found.map(|(price, way)| (price, way.len()))
    }

    /// pathfinding's answer: the price, and the number of portals on the path.
    pub fn by_pathfinding(&self, from: u32, to: u32) -> Option<(u32, usize)> {
        let place = self.places[to as usize];
        let found = pathfinding_astar(
            &from,
            |&node| self.neighbours(node).iter().copied(),
            |&node| octile(self.places[node as usize], place),
            |&node| node == to,
        );
        found.map(|(way, price)| (price, way.len()))
    }
}
