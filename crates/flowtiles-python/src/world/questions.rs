//! Questions without an order.

use flowtiles::{Cell, FlowWorld, LayerId, LayerView};
use pyo3::prelude::*;

use super::{World, check_cells, check_on};
use crate::arrays::{Made, Shaped, area, cell, cells, made};
use crate::errors::Fault;
use crate::goal::layer;
use crate::graph::PortalGraph;
use crate::numbers::{Whole, one_whole};
use crate::stamp::{StampTemplate, turn};

/// Pairs of cells, and the shape of both together.
type Pairs = Shaped<(Cell, Cell)>;

/// Checks that pairs of cells are on the map.
fn check_pairs(view: LayerView<'_>, asked: &Pairs) -> Result<(), Fault> {
    let mut all = asked.values.iter();
    all.try_for_each(|&(from, to)| {
        check_cells(view.costs(), "from_", &[from])?;
        check_cells(view.costs(), "to", &[to])
    })
}

/// Brings cells that are asked about in pairs to one shape: one with many, or each with its own.
fn pairs(from: &Bound<'_, PyAny>, to: &Bound<'_, PyAny>) -> Result<Pairs, Fault> {
    let (from, to) = (cells("from_", from)?, cells("to", to)?);
    let (one, other) = (from.values.len(), to.values.len());
    if from.shape == to.shape {
        let values = from.values.into_iter().zip(to.values).collect();
        let shape = from.shape;
        return Ok(Pairs { values, shape });
    }
    if to.shape.is_empty() {
        let values = from.values.iter().map(|&from| (from, to.values[0]));
        let (values, shape) = (values.collect(), from.shape);
        return Ok(Pairs { values, shape });
    }
    if from.shape.is_empty() {
        let values = to.values.iter().map(|&to| (from.values[0], to));
        let (values, shape) = (values.collect(), to.shape);
        return Ok(Pairs { values, shape });
    }
    Err(Fault::argument(format!(
        "there are {one} cells to go from and {other} to go to: give one, or as many"
    )))
}

fn pair(cell: Cell) -> (i32, i32) {
    (cell.x, cell.y)
}

#[pymethods]
impl World {
    /// Whether units of a layer can get from cells to others: from one to many, from many to one,
    /// or from each to its own.
    #[pyo3(signature = (from_, to, layer = 0))]
    fn reachable<'py>(
        &self,
        py: Python<'py>,
        from_: &Bound<'py, PyAny>,
        to: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<Made<'py, bool>, Fault> {
        let (asked, on) = (pairs(from_, to)?, self::layer(layer)?);
        let found = self.ask(py, on, |_, view| {
            check_pairs(view, &asked)?;
            let all = asked.values.iter();
            Ok(all.map(|&(from, to)| view.reachable(from, to)).collect())
        })?;
        made(py, found, &asked.shape)
    }

    /// Returns the costs of the ways through the portals, in fifths of a straight step: from one
    /// cell to many, from many to one, or from each to its own. Where there is no way it is inf. A
    /// unit's path may be a little shorter.
    ///
    /// >>> float(World.open(60, 40).travel_cost((5, 20), (8, 20)))
    /// 15.0
    #[pyo3(signature = (from_, to, layer = 0))]
    fn travel_cost<'py>(
        &self,
        py: Python<'py>,
        from_: &Bound<'py, PyAny>,
        to: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<Made<'py, f64>, Fault> {
        let (asked, on) = (pairs(from_, to)?, self::layer(layer)?);
        let found = self.ask(py, on, |_, view| {
            check_pairs(view, &asked)?;
            let costs = asked.values.iter().map(|&(from, to)| {
                let cost = view.travel_cost(from, to);
                cost.map_or(f64::INFINITY, |cost| cost as f64)
            });
            Ok(costs.collect())
        })?;
        made(py, found, &asked.shape)
    }

    /// Returns the cell nearest to a goal that a unit can reach; None if it stands in a wall.
    #[pyo3(signature = (from_, goal, layer = 0))]
    fn nearest_reachable(
        &self,
        py: Python<'_>,
        from_: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<Option<(i32, i32)>, Fault> {
        let (from, goal) = (cell("from_", from_)?, cell("goal", goal)?);
        self.ask(py, self::layer(layer)?, |_, view| {
            check_cells(view.costs(), "from_", &[from])?;
            check_cells(view.costs(), "goal", &[goal])?;
            Ok(view.nearest_reachable(from, goal).map(pair))
        })
    }

    /// Returns that of several cells that is cheapest to reach from another; None if none can be.
    #[pyo3(signature = (goals, from_, layer = 0))]
    fn nearest_of(
        &self,
        py: Python<'_>,
        goals: &Bound<'_, PyAny>,
        from_: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<Option<(i32, i32)>, Fault> {
        let (goals, from) = (cells("goals", goals)?.values, cell("from_", from_)?);
        self.ask(py, self::layer(layer)?, |_, view| {
            check_cells(view.costs(), "goals", &goals)?;
            check_cells(view.costs(), "from_", &[from])?;
            Ok(view.nearest_of(goals.iter().copied(), from).map(pair))
        })
    }

    /// Whether an area is on the map and without walls to units of a layer.
    #[pyo3(signature = (area, layer = 0))]
    fn is_free(
        &self,
        py: Python<'_>,
        area: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<bool, Fault> {
        let (area, on) = (self::area("area", area)?, self::layer(layer)?);
        self.read(py, |world| Ok(world.is_free_for(on, area)?))
    }

    /// Whether there is room for a stamp.
    #[pyo3(signature = (template, at, turn = 0, layer = 0))]
    fn is_free_for_stamp(
        &self,
        py: Python<'_>,
        template: &Bound<'_, StampTemplate>,
        at: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] turn: u8,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<bool, Fault> {
        let (at, turn, on) = (cell("at", at)?, self::turn(turn)?, self::layer(layer)?);
        let template = &template.get().template;
        self.read(py, |world| {
            Ok(world.is_free_for_stamp(on, template, at, turn)?)
        })
    }

    /// Returns the north-west cell of the nearest square of `size` cells a side that is free; None
    /// if there is none.
    #[pyo3(signature = (from_, size, layer = 0))]
    fn nearest_free(
        &self,
        py: Python<'_>,
        from_: &Bound<'_, PyAny>,
        size: Whole<u32>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<Option<(i32, i32)>, Fault> {
        let (from, on) = (cell("from_", from_)?, self::layer(layer)?);
        self.read(py, |world| {
            Ok(world.nearest_free_for(on, from, size.0)?.map(pair))
        })
    }

    /// Returns for each cell of an area, or of the whole map, the number of its island, which are
    /// the cells that can reach each other; -1 for walls. An array [y, x].
    ///
    /// >>> world = World.open(60, 40)
    /// >>> world[:, 30] = 255
    /// >>> islands = world.islands()
    /// >>> bool(islands[0, 0] == islands[39, 29]), bool(islands[0, 0] == islands[0, 31])
    /// (True, False)
    #[pyo3(signature = (area = None, layer = 0))]
    fn islands<'py>(
        &self,
        py: Python<'py>,
        area: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<Made<'py, i32>, Fault> {
        let (area, on) = (self.area_or_all(py, area)?, self::layer(layer)?);
        let found = self.ask(py, on, |world, view| {
            check_on(view.costs(), area)?;
            let inspected = inspect(world, on)?;
            let number = |cell| inspected.island(cell).map_or(-1, |island| island as i32);
            Ok(area.cells().map(number).collect())
        })?;
        made(py, found, &[area.height as usize, area.width as usize])
    }

    /// Returns the portals of a layer and the costs between them, as arrays.
    ///
    /// >>> graph = World.open(20, 10).portal_graph()
    /// >>> graph.crossings.tolist()
    /// [[[9, 4], [10, 4]]]
    #[pyo3(signature = (layer = 0))]
    fn portal_graph(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<PortalGraph, Fault> {
        let on = self::layer(layer)?;
        let graph = self.ask(py, on, |world, _: LayerView<'_>| {
            Ok(inspect(world, on)?.portal_graph().to_petgraph())
        })?;
        PortalGraph::of(py, &graph)
    }
}

fn inspect(world: &FlowWorld, on: LayerId) -> Result<flowtiles::inspect::Inspection<'_>, Fault> {
    let found = world.inspect().layer(on);
    found.ok_or_else(|| Fault::state(format!("the world has no {on}")))
}
