//! Orders: where units go, and what they ask on the way.

use std::sync::RwLock;

use flowtiles::error::{OrderError, RowsError};
use flowtiles::inspect::explain;
use flowtiles::{Cell, CellRect, FlowWorld, LinkId, Order as Claim, Sample, Waypoint};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arrays::{Made, cell, cells, made};
use crate::errors::Fault;
use crate::goal::{Goal, goal};
use crate::picture::Layers;
use crate::world::{World, check_cells, check_on};

/// A claim on the directions to a goal. They are kept as long as it, and freed by the tick after
/// the last claim is gone.
///
/// >>> world = World.open(60, 40)
/// >>> order = world.order((50, 20), [(5, 20)])
/// >>> world.tick().waiting
/// 0
/// >>> STEPS[order.sample((5, 20))].tolist()
/// [1, 0]
#[pyclass(frozen, module = "flowtiles")]
pub(crate) struct Order {
    world: Py<World>,
    claim: RwLock<Claim>,
}

fn broken<T>(_: T) -> Fault {
    Fault::state("an earlier call broke this order: make another")
}

/// A way as arrays: points, and for each the number of the link that leads on from it, or -1.
pub(crate) type Way<'py> = (Made<'py, f32>, Made<'py, i64>);

/// Returns a way as arrays.
pub(crate) fn way(py: Python<'_>, path: Option<Vec<Waypoint>>) -> Result<Option<Way<'_>>, Fault> {
    let Some(path) = path else {
        return Ok(None);
    };
    let points = path.iter().flat_map(|point| point.at).collect();
    let link = |point: &Waypoint| {
        point
            .link
            .map_or(-1, |link| i64::from(LinkId::number(link)))
    };
    let links = path.iter().map(link).collect();
    let points = made(py, points, &[path.len(), 2])?;
    Ok(Some((points, made(py, links, &[path.len()])?)))
}

impl Order {
    pub(crate) fn of(world: &Bound<'_, World>, claim: Claim) -> Self {
        Self {
            world: world.clone().unbind(),
            claim: RwLock::new(claim),
        }
    }

    pub(crate) fn claim(&self, py: Python<'_>) -> Result<Claim, Fault> {
        py.detach(|| Ok(self.claim.read().map_err(broken)?.clone()))
    }

    /// Whether the order is of this world.
    pub(crate) fn is_of(&self, world: &Py<World>) -> bool {
        self.world.is(world)
    }

    fn read<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&FlowWorld, &Claim) -> Result<T, Fault> + Send,
    ) -> Result<T, Fault> {
        let world = self.world.get();
        py.detach(|| {
            let claim = self.claim.read().map_err(broken)?;
            world.read_alone(|world| ask(world, &claim))
        })
    }

    /// Asks about each of several cells.
    fn by_cell<'py, T: numpy::Element>(
        &self,
        given: &Bound<'py, PyAny>,
        ask: impl Fn(&FlowWorld, &Claim, Cell) -> T + Sync,
    ) -> Result<Made<'py, T>, Fault> {
        let asked = cells("cells", given)?;
        let found = self.read(given.py(), |world, claim| {
            check_cells(world.costs(), "cells", &asked.values)?;
            let all = asked.values.iter();
            Ok(all.map(|&cell| ask(world, claim, cell)).collect())
        })?;
        made(given.py(), found, &asked.shape)
    }

    /// Asks about an area, or the whole map.
    fn by_area<'py, T: numpy::Element + Copy + Default, U: numpy::Element>(
        &self,
        py: Python<'py>,
        area: Option<&Bound<'py, PyAny>>,
        ask: impl Fn(&FlowWorld, &Claim, CellRect, &mut [T]) -> Result<(), RowsError> + Sync,
        said: impl Fn(Vec<T>) -> Vec<U> + Sync,
    ) -> Result<Made<'py, U>, Fault> {
        let area = self.world.get().area_or_all(py, area)?;
        let shape = [area.height as usize, area.width as usize];
        let rows = self.read(py, |world, claim| {
            check_on(world.costs(), area)?;
            let mut rows = vec![T::default(); shape[0] * shape[1]];
            ask(world, claim, area, &mut rows)?;
            Ok(said(rows))
        })?;
        made(py, rows, &shape)
    }
}

#[pymethods]
impl Order {
    /// The world.
    #[getter]
    fn world(&self, py: Python<'_>) -> Py<World> {
        self.world.clone_ref(py)
    }

    /// 0 for a world's first order; a save keeps it.
    #[getter]
    fn number(&self, py: Python<'_>) -> Result<u64, Fault> {
        Ok(self.claim(py)?.number())
    }

    /// The goal.
    #[getter]
    fn goal(&self, py: Python<'_>) -> Result<Goal, Fault> {
        let goal = self.claim(py)?.goal().clone();
        Ok(Goal { goal })
    }

    /// What is worked on: "search", "load", "integrate", "patch", or "done".
    #[getter]
    fn stage(&self, py: Python<'_>) -> Result<&'static str, Fault> {
        self.read(py, |world, claim| {
            Ok(world.inspect().watch(claim).stage().name())
        })
    }

    /// Gives the order another goal on its layer, and other units. Its old directions serve until
    /// the new ones are ready. Groups of an army that were sent by it keep the old goal.
    #[pyo3(signature = (goal, units = None))]
    fn aim(
        &self,
        py: Python<'_>,
        goal: &Bound<'_, PyAny>,
        units: Option<&Bound<'_, PyAny>>,
    ) -> Result<(), Fault> {
        let goal = self::goal(goal)?;
        let units = units.map(|units| cells("units", units)).transpose()?;
        let units = units.map_or(Vec::new(), |units| units.values);
        let world = self.world.get();
        py.detach(|| {
            let mut claim = self.claim.write().map_err(broken)?;
            world.change_alone(|stage| Ok(stage.world.aim(&mut claim, goal, &units)?))
        })
    }

    /// Extends the order to the cells of units off its directions. Asking for a cell again is a
    /// look-up. If a cell is off the map it is extended to none.
    fn cover(&self, py: Python<'_>, cells: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let cells = self::cells("cells", cells)?.values;
        let world = self.world.get();
        py.detach(|| {
            let claim = self.claim.read().map_err(broken)?;
            world.change_alone(|stage| {
                let world = &mut stage.world;
                let off = |cell: &Cell| !world.costs().area().contains(*cell);
                if let Some(index) = cells.iter().position(off) {
                    let (width, height) = (world.costs().width(), world.costs().height());
                    let unit = cells[index];
                    let error = OrderError::UnitOffMap {
                        index,
                        unit,
                        width,
                        height,
                    };
                    return Err(error.into());
                }
                cells
                    .iter()
                    .try_for_each(|&cell| world.cover(&claim, cell))
                    .map_err(Fault::from)
            })
        })
    }

    /// Returns what a unit does at each cell, a `Sample`: below `Sample.LINK` its lowest three bits
    /// are a step, an index of `STEPS`. Reading changes nothing.
    ///
    /// cells: one cell, or any array of pairs; the answer has its shape without the last axis.
    fn sample<'py>(&self, cells: &Bound<'py, PyAny>) -> Result<Made<'py, u8>, Fault> {
        self.by_cell(cells, |world, claim, cell| world.sample(claim, cell).byte())
    }

    /// Returns the costs of the paths from cells to the goal, in fifths of a straight step; inf
    /// where none begins.
    fn costs_to_go<'py>(&self, cells: &Bound<'py, PyAny>) -> Result<Made<'py, f64>, Fault> {
        self.by_cell(cells, |world, claim, cell| {
            let cost = world.cost_to_go(claim, cell);
            cost.map_or(f64::INFINITY, |cost| cost as f64)
        })
    }

    /// Whether a unit may go straight from each cell to the goal, at no higher cost than along the
    /// directions.
    fn see_goal<'py>(&self, cells: &Bound<'py, PyAny>) -> Result<Made<'py, bool>, Fault> {
        self.by_cell(cells, |world, claim, cell| {
            world.sees_goal(claim, cell).is_some()
        })
    }

    /// Returns the samples of an area, or of the whole map, in far less time than cell by cell, as
    /// an array [y, x]; `Sample.WALL` for walls.
    ///
    /// >>> world = World.open(60, 40)
    /// >>> order = world.order(Goal((50, 20), quality="everywhere"))
    /// >>> world.tick().waiting
    /// 0
    /// >>> order.flow((48, 20, 4, 1)).tolist()
    /// [[1, 1, 32, 3]]
    #[pyo3(signature = (area = None))]
    fn flow<'py>(
        &self,
        py: Python<'py>,
        area: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, u8>, Fault> {
        self.by_area(py, area, FlowWorld::sample_rows, |rows| rows)
    }

    /// Returns the costs to the goal of an area, or of the whole map, as an array [y, x]; inf where
    /// no path begins. 2³² - 2 stands for all costs from that one on.
    ///
    /// >>> world = World.open(60, 40)
    /// >>> order = world.order(Goal((50, 20), quality="everywhere"))
    /// >>> world.tick().waiting
    /// 0
    /// >>> order.cost_to_go((48, 20, 4, 1)).tolist()
    /// [[10.0, 5.0, 0.0, 5.0]]
    #[pyo3(signature = (area = None))]
    fn cost_to_go<'py>(
        &self,
        py: Python<'py>,
        area: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, f64>, Fault> {
        let float = |cost| match cost {
            u32::MAX => f64::INFINITY,
            cost => f64::from(cost),
        };
        self.by_area(py, area, FlowWorld::cost_to_go_rows, move |rows| {
            rows.into_iter().map(float).collect()
        })
    }

    /// Returns the path of a unit from a cell, pulled tight: its points, of the shape (n, 2), and
    /// for each the number of the link that leads from it to the next, or -1. None where no path
    /// begins, or while directions are not ready.
    ///
    /// >>> world = World.open(60, 40)
    /// >>> order = world.order((50, 20), [(5, 20)])
    /// >>> world.tick().waiting
    /// 0
    /// >>> points, links = order.path((5, 20))
    /// >>> points.tolist()
    /// [[5.5, 20.5], [50.5, 20.5]]
    fn path<'py>(&self, cell: &Bound<'py, PyAny>) -> Result<Option<Way<'py>>, Fault> {
        let from = self::cell("cell", cell)?;
        let path = self.read(cell.py(), |world, claim| {
            check_cells(world.costs(), "cell", &[from])?;
            Ok(world.path(claim, from))
        })?;
        way(cell.py(), path)
    }

    /// Returns the cell at which a unit comes out that enters the link at this cell.
    fn link_exit(&self, cell: &Bound<'_, PyAny>) -> Result<(i32, i32), Fault> {
        let from = self::cell("cell", cell)?;
        let end = self.read(cell.py(), |world, claim| {
            let link = match world.sample(claim, from) {
                Sample::Link(id) => world.link(id),
                _ => None,
            };
            Ok(link.and_then(|link| link.end_of(from)))
        })?;
        let missing = || Fault::state(format!("the order leads into no link at {from}"));
        let end = end.ok_or_else(missing)?;
        Ok((end.x, end.y))
    }

    /// Returns the cells of the units that the order serves, an array of the shape (n, 2).
    fn units<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArrayDyn<i32>>, Fault> {
        let cells = self.read(py, |world, claim| {
            let cells = world.inspect().units(claim).iter();
            Ok(cells
                .flat_map(|cell| [cell.x, cell.y])
                .collect::<Vec<i32>>())
        })?;
        let count = cells.len() / 2;
        made(py, cells, &[count, 2])
    }

    /// Says why a unit at a cell goes where it goes, or why it does not, in words.
    fn explain(&self, cell: &Bound<'_, PyAny>) -> Result<String, Fault> {
        let at = self::cell("cell", cell)?;
        self.read(cell.py(), |world, claim| {
            Ok(explain(world, claim, at).to_string())
        })
    }

    fn __repr__(&self, py: Python<'_>) -> Result<String, Fault> {
        let claim = self.claim(py)?;
        let (number, goal) = (claim.number(), claim.goal().cell());
        Ok(format!("<Order {number} to {goal}, {}>", self.stage(py)?))
    }

    /// For pickle, by the number and with the world.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<(Bound<'py, PyAny>, (u64,)), Fault> {
        let find = self.world.bind(py).getattr("order_by_number")?;
        Ok((find, (self.number(py)?,)))
    }

    /// The order on its map, for notebooks.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Fault> {
        self.picture(py, None, None)
    }

    /// Returns a picture of the order as the bytes of a PNG.
    ///
    /// area: what is shown; the whole map if left out.
    /// layers: what is drawn, as names of `flowtiles render --layers`: cost, islands, clearance,
    ///     integration (the costs to go), loaded (the sectors with directions), sight, sectors,
    ///     portals, graph, flow, paths, units. The last two are of the cells of `units`, from which
    ///     the order set out: where an army's units are now, `Army.picture` shows.
    #[pyo3(signature = (area = None, layers = None))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        area: Option<&Bound<'py, PyAny>>,
        layers: Option<Layers>,
    ) -> Result<Bound<'py, PyBytes>, Fault> {
        let area = self.world.get().area_or_all(py, area)?;
        let layers = crate::picture::layers(layers, &crate::picture::OF_ORDER)?;
        let png = self.read(py, |world, claim| {
            let orders = std::slice::from_ref(claim);
            crate::picture::png(world, orders, &[], area, &layers)
        })?;
        Ok(PyBytes::new(py, &png))
    }
}
