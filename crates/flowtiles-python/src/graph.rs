//! The portal graph as arrays.

use flowtiles::graph::{Portal, PortalEdge};
use flowtiles::petgraph::graph::Graph;
use flowtiles::petgraph::visit::EdgeRef;
use numpy::PyArrayDyn;
use pyo3::prelude::*;

use crate::arrays::made;
use crate::errors::Fault;

/// The portals of a layer and the costs of walking between them through one sector.
///
/// Portals are numbered from 0, in rows of these arrays.
#[pyclass(frozen, get_all, module = "flowtiles")]
pub(crate) struct PortalGraph {
    /// For each portal the pair of cells at which its costs are measured, one on each side; of the
    /// shape (portals, 2, 2).
    crossings: Py<PyArrayDyn<i32>>,
    /// For each portal its windows on both sides: x, y, width, height; of the shape
    /// (portals, 2, 4).
    windows: Py<PyArrayDyn<i32>>,
    /// For each edge the portals from which and to which it leads; of the shape (edges, 2).
    edges: Py<PyArrayDyn<u32>>,
    /// For each edge what it costs, in fifths of a straight step.
    costs: Py<PyArrayDyn<u32>>,
    /// For each edge the sector through which it leads; of the shape (edges, 2).
    through: Py<PyArrayDyn<i32>>,
}

impl PortalGraph {
    pub(crate) fn of(py: Python<'_>, graph: &Graph<Portal, PortalEdge>) -> Result<Self, Fault> {
        let (portals, edges) = (graph.node_count(), graph.edge_count());
        let crossings = graph.node_weights().flat_map(|portal| portal.crossing);
        let crossings = crossings.flat_map(|cell| [cell.x, cell.y]).collect();
        let windows = graph.node_weights().flat_map(|portal| portal.windows);
        let sides = |window: flowtiles::CellRect| {
            [
                window.x,
                window.y,
                window.width as i32,
                window.height as i32,
            ]
        };
        let windows = windows.flat_map(sides).collect();
        let ends = |edge: flowtiles::petgraph::graph::EdgeReference<'_, PortalEdge>| {
            [edge.source().index() as u32, edge.target().index() as u32]
        };
        let ends = graph.edge_references().flat_map(ends).collect();
        let costs = graph.edge_weights().map(|edge| edge.cost).collect();
        let through = graph.edge_weights().map(|edge| edge.through);
        let through = through.flat_map(|sector| [sector.x, sector.y]).collect();
        Ok(Self {
            crossings: made(py, crossings, &[portals, 2, 2])?.unbind(),
            windows: made(py, windows, &[portals, 2, 4])?.unbind(),
            edges: made(py, ends, &[edges, 2])?.unbind(),
            costs: made(py, costs, &[edges])?.unbind(),
            through: made(py, through, &[edges, 2])?.unbind(),
        })
    }
}

#[pymethods]
impl PortalGraph {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let portals = self.crossings.bind(py).len()?;
        let edges = self.costs.bind(py).len()?;
        Ok(format!("<PortalGraph of {portals} portals, {edges} edges>"))
    }

    /// Returns a directed graph of networkx, which is to be installed: nodes are the numbers of
    /// portals, with their `crossing`; edges have a `cost`.
    fn to_networkx<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Fault> {
        let made = py.import("networkx")?.call_method0("DiGraph")?;
        let crossings = self.crossings.bind(py).call_method0("tolist")?;
        for (portal, crossing) in crossings.try_iter()?.enumerate() {
            let said = pyo3::types::PyDict::new(py);
            said.set_item("crossing", crossing?)?;
            made.call_method("add_node", (portal,), Some(&said))?;
        }
        let edges = self.edges.bind(py).call_method0("tolist")?;
        let costs = self.costs.bind(py).call_method0("tolist")?;
        for (ends, cost) in edges.try_iter()?.zip(costs.try_iter()?) {
            let (from, to): (u32, u32) = {
                let [from, to] = ends?.extract::<[u32; 2]>()?;
                (from, to)
            };
            let cost: u32 = cost?.extract()?;
            let said = pyo3::types::PyDict::new(py);
            // Two portals may be joined through the sectors on both of their sides.
            let known = made.call_method1("get_edge_data", (from, to))?;
            let known = if known.is_none() {
                cost
            } else {
                known.get_item("cost")?.extract()?
            };
            said.set_item("cost", cost.min(known))?;
            made.call_method("add_edge", (from, to), Some(&said))?;
        }
        Ok(made)
    }
}
