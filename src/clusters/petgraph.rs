//! petgraph's traits for the level above the portals.

use std::collections::HashSet;
use std::fmt;

use ::petgraph::Directed;
use ::petgraph::visit::{
    Data, EdgeRef, GraphBase, GraphProp, GraphRef, IntoEdgeReferences, IntoEdges, IntoNeighbors,
    IntoNodeIdentifiers, NodeIndexable, Visitable,
};

use super::division::Cluster;
use super::level::Clusters;
use crate::grid::{CellRect, SECTOR_SIDE, Sector};
use crate::portal::{EdgeBetween, PortalGraph, PortalId, VECTOR};

/// The level above the portals as a graph of petgraph: the portals between
/// clusters, and the costs of crossing clusters. Made by
/// [`Inspection::cluster_graph`](crate::inspect::Inspection::cluster_graph).
///
/// A cluster is a square of sectors that a search crosses in one step. The edges
/// cost exactly what the portal graph's edges on the way add up to.
///
/// ```
/// use flowtiles::{CostMap, FlowWorld};
/// use petgraph::algo::dijkstra;
/// use petgraph::visit::{EdgeRef, IntoNodeIdentifiers};
///
/// let world = FlowWorld::new(CostMap::open(400, 400)?);
/// let (portals, clusters) = (world.inspect().portal_graph(), world.inspect().cluster_graph());
/// let first = clusters.node_identifiers().next().ok_or("no cluster")?;
/// let costs = dijkstra(clusters, first, None, |edge| edge.weight().cost);
/// let all = dijkstra(portals, first, None, |edge| edge.weight().cost);
/// assert!(costs.len() < all.len() / 2, "the level above has fewer portals");
/// assert!(costs.iter().all(|(portal, cost)| all[portal] == *cost));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct ClusterGraph<'w> {
    graph: &'w PortalGraph,
    clusters: &'w Clusters,
}

/// An edge of the level above the portals: a walk through one cluster.
///
/// Displayed as cost and cells: `250 through 40×40 cells at (80, 0)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClusterEdge {
    /// The price of the cheapest walk through the cluster, measured as that of a
    /// [`PortalEdge`](crate::graph::PortalEdge).
    pub cost: u32,
    /// The cells of the cluster; the last cluster of a row or column may reach
    /// beyond the map.
    pub through: CellRect,
}

impl fmt::Display for ClusterEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CellRect {
            x,
            y,
            width,
            height,
        } = self.through;
        let cost = self.cost;
        write!(f, "{cost} through {width}×{height} cells at ({x}, {y})")
    }
}

impl<'w> ClusterGraph<'w> {
    pub(crate) const fn new(graph: &'w PortalGraph, clusters: &'w Clusters) -> Self {
        Self { graph, clusters }
    }

    /// Returns the cells of the cluster that holds a sector.
    #[must_use]
    pub fn cluster_of(self, sector: Sector) -> CellRect {
        self.area(self.clusters.division().cluster_of(sector))
    }

    fn area(self, cluster: Cluster) -> CellRect {
        let sectors = self.clusters.division().sectors(cluster);
        let (origin, side) = (sectors.first.origin(), SECTOR_SIDE as u32);
        let (width, height) = (sectors.columns as u32 * side, sectors.rows as u32 * side);
        CellRect::new(origin.x, origin.y, width, height)
    }

    /// Returns the edges that leave a portal: those through the cluster in the
    /// west or north first. A portal inside a cluster has none.
    fn edges_from(self, from: PortalId) -> Vec<EdgeBetween<ClusterEdge>> {
        let division = self.clusters.division();
        let [one, other] = from.sectors().map(|sector| division.cluster_of(sector));
        let mut edges = Vec::new();
        for cluster in [one, other].into_iter().filter(|_| one != other) {
            let through = self.area(cluster);
            let portals = self.clusters.rim(self.graph, cluster).portals();
            let ids = || portals.iter().map(|rim| rim.portal);
            let Some(lane) = ids().position(|id| id == from) else {
                continue;
            };
            let rows = self.clusters.clique(self.graph, cluster).rows();
            for (at, to) in ids().enumerate().filter(|&(at, _)| at != lane) {
                if let Some(cost) = rows.walk(portals.len().next_multiple_of(VECTOR), lane, at) {
                    let weight = ClusterEdge { cost, through };
                    edges.push(EdgeBetween::new(from, to, weight));
                }
            }
        }
        edges
    }
}

impl GraphBase for ClusterGraph<'_> {
    type NodeId = PortalId;
    type EdgeId = (PortalId, PortalId, ClusterEdge);
}

impl GraphRef for ClusterGraph<'_> {}

impl Data for ClusterGraph<'_> {
    type NodeWeight = PortalId;
    type EdgeWeight = ClusterEdge;
}

impl GraphProp for ClusterGraph<'_> {
    type EdgeType = Directed;
}

impl Visitable for ClusterGraph<'_> {
    type Map = HashSet<PortalId>;

    fn visit_map(&self) -> Self::Map {
        HashSet::new()
    }

    fn reset_map(&self, map: &mut Self::Map) {
        map.clear();
    }
}

impl NodeIndexable for ClusterGraph<'_> {
    fn node_bound(&self) -> usize {
        self.graph.node_bound()
    }

    fn to_index(&self, id: PortalId) -> usize {
        self.graph.to_index(id)
    }

    fn from_index(&self, index: usize) -> PortalId {
        self.graph.from_index(index)
    }
}

impl<'w> IntoNodeIdentifiers for ClusterGraph<'w> {
    type NodeIdentifiers = Box<dyn Iterator<Item = PortalId> + 'w>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        let division = self.clusters.division();
        let ids = self.graph.portals().map(|portal| portal.id);
        Box::new(ids.filter(move |id| {
            let [one, other] = id.sectors().map(|sector| division.cluster_of(sector));
            one != other
        }))
    }
}

impl IntoNeighbors for ClusterGraph<'_> {
    type Neighbors = std::vec::IntoIter<PortalId>;

    fn neighbors(self, id: PortalId) -> Self::Neighbors {
        let edges = self.edges_from(id).into_iter();
        edges
            .map(|edge| edge.target())
            .collect::<Vec<_>>()
            .into_iter()
    }
}

impl<'w> IntoEdgeReferences for ClusterGraph<'w> {
    type EdgeRef = EdgeBetween<ClusterEdge>;
    type EdgeReferences = Box<dyn Iterator<Item = EdgeBetween<ClusterEdge>> + 'w>;

    fn edge_references(self) -> Self::EdgeReferences {
        let ids = self.node_identifiers();
        Box::new(ids.flat_map(move |id| self.edges_from(id)))
    }
}

impl IntoEdges for ClusterGraph<'_> {
    type Edges = std::vec::IntoIter<EdgeBetween<ClusterEdge>>;

    fn edges(self, id: PortalId) -> Self::Edges {
        self.edges_from(id).into_iter()
    }
}
