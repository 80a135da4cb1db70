//! The portal graph with links, as a graph of petgraph.
//!
//! ```text
//!   portal ──► entry ══ link ══► exit ──► portal       ── inside one sector, exact
//!                 │               ▲
//!                 └──────►────────┘  also on foot, if both lie in one sector
//! ```
//!
//! The engine's search does not read it: it starts entries as goals of their own. Here the
//! same paths are edges of one graph, for tests and tools.

use std::fmt;

use ::petgraph::graph::{Graph, NodeIndex};

use super::Map;
use crate::cost::LinkId;
use crate::grid::{Cell, Extent, Sector, SectorId, Slot};
use crate::kernel::{NO_PATH, Threshold, walks_between};
use crate::portal::{LocalPortal, Portal, PortalId};

/// The portal graph with links, and with cells of one's choice. Made by
/// [`Inspection::linked_graph`](crate::inspect::Inspection::linked_graph).
///
/// Its nodes are the portals, in id order, and then cells, sector by sector and each once:
/// the entries and exits of open links, and the cells asked for. Edges lead from node to
/// node through one sector, or from the entry of a link to its exit.
///
/// ```
/// use flowtiles::petgraph::algo::astar;
/// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Link};
/// let mut map = CostMap::open(60, 20)?;
/// map.edit(CellRect::new(30, 0, 1, 20), Cost::WALL)?; // a river without a bridge
/// let mut world = FlowWorld::new(map);
/// let (landing, beyond) = (Cell::new(29, 15), Cell::new(31, 15));
/// world.add_link(Link::new(landing, beyond).with_price(100))?;
///
/// let (west, east) = (Cell::new(5, 9), Cell::new(55, 9));
/// let linked = world.inspect().linked_graph(&[west, east]);
/// let [from, to] = [west, east].map(|cell| linked.cell(cell).expect("a node"));
/// let way = astar(linked.graph(), from, |node| node == to, |edge| edge.weight().cost, |_| 0);
/// let (cost, _) = way.expect("by the ferry");
/// assert_eq!(world.find_route(west, east)?.expect("the same").cost, cost);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinkedGraph {
    extent: Extent,
    graph: Graph<LinkedNode, LinkedEdge>,
}

/// A node of a [`LinkedGraph`]: a portal, or a cell.
///
/// Displayed as the portal or the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkedNode {
    /// A portal. Costs are measured at the first cell of its crossing, as those of a
    /// [`PortalEdge`](crate::graph::PortalEdge) are.
    Portal(Portal),
    /// The entry or exit of an open link, or a cell that was asked for.
    Cell(Cell),
}

/// An edge of a [`LinkedGraph`].
///
/// Displayed as cost and way: `50 through [1, 0]`, `100 by link 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkedEdge {
    /// The price, in fifths of an open straight step. It has 64 bits, since a link may cost
    /// as much as 32 bits hold.
    pub cost: u64,
    /// How the edge leads from node to node.
    pub by: LinkedWay,
}

/// How an edge of a [`LinkedGraph`] leads from node to node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkedWay {
    /// By the cheapest walk that stays in this sector.
    Through(Sector),
    /// From the entry of this link to its exit.
    Link(LinkId),
}

impl fmt::Display for LinkedNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Portal(portal) => portal.fmt(f),
            Self::Cell(cell) => cell.fmt(f),
        }
    }
}

impl fmt::Display for LinkedEdge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cost = self.cost;
        match self.by {
            LinkedWay::Through(sector) => write!(f, "{cost} through {sector}"),
            LinkedWay::Link(link) => write!(f, "{cost} by {link}"),
        }
    }
}

impl LinkedGraph {
    /// Returns the graph, for petgraph's algorithms. A node's index holds for this graph
    /// only.
    #[must_use]
    pub const fn graph(&self) -> &Graph<LinkedNode, LinkedEdge> {
        &self.graph
    }

    /// Returns the graph, to modify it freely.
    #[must_use]
    pub fn into_graph(self) -> Graph<LinkedNode, LinkedEdge> {
        self.graph
    }

    /// Returns the node of a portal, if it exists.
    #[must_use]
    pub fn portal(&self, id: PortalId) -> Option<NodeIndex> {
        self.find((None, Some(id)))
    }

    /// Returns the node of a cell; `None` if the cell is no node.
    #[must_use]
    pub fn cell(&self, cell: Cell) -> Option<NodeIndex> {
        let is_on_map = self.extent.contains(cell);
        self.find((is_on_map.then(|| self.extent.locate(cell)), None))
    }

    /// Nodes are in the order of these keys: the portals, then the cells by their places.
    fn find(&self, key: (Option<(SectorId, Slot)>, Option<PortalId>)) -> Option<NodeIndex> {
        let nodes = self.graph.raw_nodes();
        let at = nodes.binary_search_by_key(&key, |node| match node.weight {
            LinkedNode::Portal(portal) => (None, Some(portal.id)),
            LinkedNode::Cell(cell) => (Some(self.extent.locate(cell)), None),
        });
        Some(NodeIndex::new(at.ok()?))
    }

    fn connect(&mut self, from: NodeIndex, to: NodeIndex, cost: u32, by: LinkedWay) {
        let cost = cost.into();
        self.graph.add_edge(from, to, LinkedEdge { cost, by });
    }
}

impl Map {
    /// Returns the portal graph with the open links and these cells. Cells that are walls
    /// or off the map are left out.
    pub(crate) fn linked_graph(&self, asked: &[Cell]) -> LinkedGraph {
        let extent = self.costs.extent();
        let links = self.links.open();
        let ends = links.iter().flat_map(|link| [link.entry, link.exit]);
        let open = asked
            .iter()
            .copied()
            .filter(|&cell| self.costs.is_open(cell));
        let mut positions: Vec<(SectorId, Slot)> =
            ends.chain(open).map(|cell| extent.locate(cell)).collect();
        positions.sort_unstable();
        positions.dedup();
        let portals = self.graph.to_petgraph();
        let mut linked = LinkedGraph {
            extent,
            graph: portals.map(
                |_, portal| LinkedNode::Portal(*portal),
                |_, edge| LinkedEdge {
                    cost: edge.cost.into(),
                    by: LinkedWay::Through(edge.through),
                },
            ),
        };
        for &(sector, slot) in &positions {
            let cell = LinkedNode::Cell(extent.cell_at(sector, slot));
            linked.graph.add_node(cell);
        }
        let mut first = portals.node_count();
        for together in positions.chunk_by(|(one, _), (other, _)| one == other) {
            self.join_cells(&mut linked, first, together);
            first += together.len();
        }
        for link in links {
            if let (Some(entry), Some(exit)) = (linked.cell(link.entry), linked.cell(link.exit)) {
                linked.connect(entry, exit, link.price, LinkedWay::Link(link.id));
            }
        }
        linked
    }

    /// Joins cells of one sector with each other and with the portals around it. The cells'
    /// nodes begin at `first`.
    fn join_cells(&self, linked: &mut LinkedGraph, first: usize, cells: &[(SectorId, Slot)]) {
        let id = cells[0].0;
        let (sector, tile) = (self.costs.extent().sector(id), self.costs.tile(id));
        let portals: Vec<LocalPortal> = self.graph.around(sector).portals(&tile).collect();
        let at: Vec<Threshold> = cells.iter().map(|&(_, slot)| Threshold::at(slot)).collect();
        let entries: Vec<Threshold> = portals.iter().map(|portal| portal.entry).collect();
        let exits: Vec<Threshold> = portals.iter().map(|portal| portal.exit).collect();
        let of_portals: Vec<NodeIndex> = portals
            .iter()
            .filter_map(|portal| linked.portal(portal.id))
            .collect();
        let of_cells: Vec<NodeIndex> = (first..first + cells.len()).map(NodeIndex::new).collect();
        let mut walks = Vec::new();
        let mut join = |to: &[Threshold], from: &[Threshold], ends: [&[NodeIndex]; 2]| {
            walks_between(&tile, to, from, &mut walks);
            let rows = walks.chunks(from.len().max(1));
            for (&end, row) in ends[0].iter().zip(rows) {
                for (&begin, &cost) in ends[1].iter().zip(row) {
                    if cost != NO_PATH && begin != end {
                        linked.connect(begin, end, cost, LinkedWay::Through(sector));
                    }
                }
            }
        };
        join(&exits, &at, [&of_portals, &of_cells]);
        join(&at, &entries, [&of_cells, &of_portals]);
        join(&at, &at, [&of_cells, &of_cells]);
    }
}
