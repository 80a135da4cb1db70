//! petgraph's traits for the portal graph.
//!
//! `&PortalGraph` implements petgraph's traits for reading a graph, so its
//! algorithms (`astar`, `dijkstra`, `kosaraju_scc`, `has_path_connecting`, …)
//! and `Dot` run on it without a copy. Its indices are not compact: each place
//! along a border has one, with or without a window. Algorithms that need
//! compact indices take [`to_petgraph`](PortalGraph::to_petgraph).
//!
//! It is not stored as a `petgraph::Graph`: there an edge takes 20 bytes or more, and
//! indices depend on the order of insertion. Here a pair of portals takes 2 bytes, open
//! ground takes none, and equal costs give equal graphs.

use std::collections::HashSet;

use ::petgraph::Directed;
use ::petgraph::Direction as Way;
use ::petgraph::graph::{Graph, NodeIndex};
use ::petgraph::visit::{
    Data, EdgeCount, EdgeRef, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges,
    IntoEdgesDirected, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers,
    IntoNodeReferences, NodeCount, NodeIndexable, NodeRef, Visitable,
};

use super::id::BORDER_PORTALS;
use super::{Portal, PortalEdge, PortalGraph, PortalId};
use crate::grid::Sector;

/// An edge of the portal graph, or of the level above it, with its weight, as petgraph's
/// algorithms pass it to a cost function. The methods of petgraph's [`EdgeRef`] read it:
/// `source`, `target`, `weight`, `id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeBetween<W> {
    from: PortalId,
    to: PortalId,
    weight: W,
}

impl<W> EdgeBetween<W> {
    pub(crate) const fn new(from: PortalId, to: PortalId, weight: W) -> Self {
        Self { from, to, weight }
    }
}

impl<W: Copy> EdgeRef for EdgeBetween<W> {
    type NodeId = PortalId;
    /// The ends and the weight, which names the ground between them: two edges between the
    /// same portals lead through two sectors.
    type EdgeId = (PortalId, PortalId, W);
    type Weight = W;

    fn source(&self) -> PortalId {
        self.from
    }

    fn target(&self) -> PortalId {
        self.to
    }

    fn weight(&self) -> &W {
        &self.weight
    }

    fn id(&self) -> Self::EdgeId {
        (self.from, self.to, self.weight)
    }
}

impl NodeRef for Portal {
    type NodeId = PortalId;
    type Weight = Self;

    fn id(&self) -> PortalId {
        self.id
    }

    fn weight(&self) -> &Self {
        self
    }
}

impl GraphBase for PortalGraph {
    type NodeId = PortalId;
    type EdgeId = (PortalId, PortalId, PortalEdge);
}

impl Data for PortalGraph {
    type NodeWeight = Portal;
    type EdgeWeight = PortalEdge;
}

impl GraphProp for PortalGraph {
    type EdgeType = Directed;
}

impl NodeCount for PortalGraph {
    fn node_count(&self) -> usize {
        self.portal_count()
    }
}

impl EdgeCount for PortalGraph {
    fn edge_count(&self) -> usize {
        Self::edge_count(self)
    }
}

impl NodeIndexable for PortalGraph {
    fn node_bound(&self) -> usize {
        self.extent().sector_count() * 2 * BORDER_PORTALS
    }

    /// Returns the index of a portal's place among all places of all borders on the map.
    fn to_index(&self, id: PortalId) -> usize {
        let (owner, columns) = (id.owner(), self.extent().columns() as usize);
        (owner.y as usize * columns + owner.x as usize) * 2 * BORDER_PORTALS + id.local()
    }

    fn from_index(&self, index: usize) -> PortalId {
        let columns = self.extent().columns() as usize;
        let (sector, local) = (index / (2 * BORDER_PORTALS), index % (2 * BORDER_PORTALS));
        let owner = Sector::new((sector % columns) as i32, (sector / columns) as i32);
        PortalId::owned(owner, local)
    }
}

impl Visitable for PortalGraph {
    type Map = HashSet<PortalId>;

    fn visit_map(&self) -> Self::Map {
        HashSet::new()
    }

    fn reset_map(&self, map: &mut Self::Map) {
        map.clear();
    }
}

/// An iterator of this module. It is boxed because petgraph requires named
/// types; the cost does not matter for inspection.
type Walk<'a, T> = Box<dyn Iterator<Item = T> + 'a>;

impl PortalGraph {
    fn walk(&self, id: PortalId, way: Way) -> Walk<'_, EdgeBetween<PortalEdge>> {
        match way {
            Way::Outgoing => Box::new(
                self.edges(id)
                    .map(move |(to, edge)| EdgeBetween::new(id, to, edge)),
            ),
            Way::Incoming => Box::new(
                self.edges_into(id)
                    .map(move |(from, edge)| EdgeBetween::new(from, id, edge)),
            ),
        }
    }

    /// Copies the graph into an owned `petgraph::Graph`, for algorithms that
    /// need compact indices (`connected_components`, `is_isomorphic`, …) and
    /// for changing it freely. Nodes are in id order, edges in the order of the
    /// nodes they leave. A node's index holds for this copy only; the portal's
    /// stable id is in its weight.
    #[must_use]
    pub fn to_petgraph(&self) -> Graph<Portal, PortalEdge> {
        let mut graph = Graph::with_capacity(self.portal_count(), self.edge_count());
        let mut ids = Vec::with_capacity(self.portal_count());
        for portal in self.portals() {
            ids.push(portal.id);
            graph.add_node(portal);
        }
        for (from, &id) in ids.iter().enumerate() {
            for (to, edge) in self.edges(id) {
                // Every edge ends at a portal, and `ids` is sorted.
                let to = ids.partition_point(|&other| other < to);
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), edge);
            }
        }
        graph
    }
}

impl<'a> IntoNodeIdentifiers for &'a PortalGraph {
    type NodeIdentifiers = Walk<'a, PortalId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        Box::new(self.portals().map(|portal| portal.id))
    }
}

impl<'a> IntoNodeReferences for &'a PortalGraph {
    type NodeRef = Portal;
    type NodeReferences = Walk<'a, Portal>;

    fn node_references(self) -> Self::NodeReferences {
        Box::new(self.portals())
    }
}

impl<'a> IntoNeighbors for &'a PortalGraph {
    type Neighbors = Walk<'a, PortalId>;

    fn neighbors(self, id: PortalId) -> Self::Neighbors {
        self.neighbors_directed(id, Way::Outgoing)
    }
}

impl<'a> IntoNeighborsDirected for &'a PortalGraph {
    type NeighborsDirected = Walk<'a, PortalId>;

    fn neighbors_directed(self, id: PortalId, way: Way) -> Self::NeighborsDirected {
        Box::new(self.walk(id, way).map(move |edge| match way {
            Way::Outgoing => edge.target(),
            Way::Incoming => edge.source(),
        }))
    }
}

impl<'a> IntoEdges for &'a PortalGraph {
    type Edges = Walk<'a, EdgeBetween<PortalEdge>>;

    fn edges(self, id: PortalId) -> Self::Edges {
        self.walk(id, Way::Outgoing)
    }
}

impl<'a> IntoEdgesDirected for &'a PortalGraph {
    type EdgesDirected = Walk<'a, EdgeBetween<PortalEdge>>;

    fn edges_directed(self, id: PortalId, way: Way) -> Self::EdgesDirected {
        self.walk(id, way)
    }
}

impl<'a> IntoEdgeReferences for &'a PortalGraph {
    type EdgeRef = EdgeBetween<PortalEdge>;
    type EdgeReferences = Walk<'a, EdgeBetween<PortalEdge>>;

    fn edge_references(self) -> Self::EdgeReferences {
        Box::new(
            self.portals()
                .flat_map(move |portal| self.walk(portal.id, Way::Outgoing)),
        )
    }
}
