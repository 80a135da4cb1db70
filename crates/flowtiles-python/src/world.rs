//! Worlds: a map and the orders on it.
//!
//! A world has a lock. Whoever waits for it lets go of the interpreter before, so another thread
//! can go on meanwhile, and the lock may be held for the whole of a build or a tick. Locks are
//! taken in one order: an order's, the world's, the army's.

mod editing;
mod fog;
mod keeping;
mod questions;

pub(crate) use editing::teams;

use std::path::PathBuf;
use std::sync::RwLock;

use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, FlowWorld, LayerId, LayerView, Limits, Order,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Made, area, fixed, rows};
use crate::errors::Fault;
use crate::goal::layer;
use crate::maps::Reading;
use crate::numbers::{Whole, one_whole, set_fields};
use crate::reports::Progress;

/// A world, and claims that keep its orders after loading.
pub(crate) struct Stage {
    pub(crate) world: FlowWorld,
    pub(crate) claims: Vec<Order>,
}

/// A map and the orders on it.
///
/// costs: the map, an array of whole numbers [y, x] of any type: 1 to 254, or 255 for a wall.
///
/// Cells are pairs of x and y, areas are x, y, width and height; arrays of a map are [y, x], as
/// pictures are. Several threads may use a world: each call waits for the others, and lets other
/// threads run meanwhile.
///
/// >>> import numpy as np
/// >>> world = World(np.ones((40, 60), np.uint8))
/// >>> world[10:30, 30] = 255
/// >>> order = world.order((50, 20), [(5, 20)])
/// >>> world.tick().waiting
/// 0
/// >>> float(order.costs_to_go((5, 20)))
/// 265.0
#[pyclass(frozen, weakref, module = "flowtiles")]
pub(crate) struct World {
    stage: RwLock<Stage>,
}

fn broken<T>(_: T) -> Fault {
    Fault::state("an earlier call broke this world: make another")
}

impl World {
    pub(crate) fn of(world: FlowWorld, claims: Vec<Order>) -> Self {
        let stage = RwLock::new(Stage { world, claims });
        Self { stage }
    }

    fn built(py: Python<'_>, costs: CostMap) -> Self {
        py.detach(|| Self::of(FlowWorld::new(costs), Vec::new()))
    }

    /// Reads the world. For a thread that does not hold the interpreter.
    pub(crate) fn read_alone<T>(
        &self,
        ask: impl FnOnce(&FlowWorld) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        ask(&self.stage.read().map_err(broken)?.world)
    }

    /// Changes the world. For a thread that does not hold the interpreter.
    pub(crate) fn change_alone<T>(
        &self,
        change: impl FnOnce(&mut Stage) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        change(&mut *self.stage.write().map_err(broken)?)
    }

    pub(crate) fn read<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&FlowWorld) -> Result<T, Fault> + Send,
    ) -> Result<T, Fault> {
        py.detach(|| self.read_alone(ask))
    }

    pub(crate) fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut FlowWorld) -> Result<T, Fault> + Send,
    ) -> Result<T, Fault> {
        py.detach(|| self.change_alone(|stage| change(&mut stage.world)))
    }

    /// Asks a layer, which is derived first if nothing has used it yet.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        on: LayerId,
        question: impl Fn(&FlowWorld, LayerView<'_>) -> Result<T, Fault> + Sync,
    ) -> Result<T, Fault> {
        py.detach(|| {
            let known = self.read_alone(|world| {
                let view = world.layer(on);
                view.map(|view| question(world, view)).transpose()
            })?;
            if let Some(answer) = known {
                return Ok(answer);
            }
            self.change_alone(|stage| {
                stage.world.derive_layer(on)?;
                let view = stage.world.layer(on);
                let missing = || Fault::state(format!("the world has no {on}"));
                question(&stage.world, view.ok_or_else(missing)?)
            })
        })
    }

    pub(crate) fn size(&self, py: Python<'_>) -> Result<[u32; 2], Fault> {
        self.read(py, |world| {
            Ok([world.costs().width(), world.costs().height()])
        })
    }

    /// Reads an area, or takes the whole map.
    pub(crate) fn area_or_all(
        &self,
        py: Python<'_>,
        given: Option<&Bound<'_, PyAny>>,
    ) -> Result<CellRect, Fault> {
        match given {
            Some(given) => area("area", given),
            None => self.read(py, |world| Ok(world.costs().area())),
        }
    }
}

/// Returns the costs of an area, row by row.
fn costs_of(map: &CostMap, area: CellRect) -> Result<Vec<u8>, Fault> {
    check_on(map, area)?;
    let byte = |cell: Cell| map.get(cell).map_or(0, Cost::value);
    Ok(area.cells().map(byte).collect())
}

/// Checks that an area is on the map before memory is taken for it.
pub(crate) fn check_on(map: &CostMap, area: CellRect) -> Result<(), Fault> {
    if area.intersection(map.area()) == area {
        return Ok(());
    }
    let (width, height) = (map.width(), map.height());
    Err(Fault::argument(format!(
        "{area} is not on the map of {width}×{height} cells: cut the area to the map"
    )))
}

/// Checks that cells are on the map.
pub(crate) fn check_cells(map: &CostMap, what: &str, cells: &[Cell]) -> Result<(), Fault> {
    let on = map.area();
    let Some(cell) = cells.iter().find(|&&cell| !on.contains(cell)) else {
        return Ok(());
    };
    let (width, height) = (map.width(), map.height());
    Err(Fault::argument(format!(
        "`{what}` has {cell}, which is off the map of {width}×{height} cells: cells are x and y, from \
         (0, 0) to ({}, {})",
        width - 1,
        height - 1
    )))
}

#[pymethods]
impl World {
    #[new]
    fn new(py: Python<'_>, costs: &Bound<'_, PyAny>) -> Result<Self, Fault> {
        let found = rows("costs", costs, 1).map_err(Fault::of_map)?;
        let map = py.detach(|| CostMap::from_rows(found.width, found.height, &found.rows))?;
        Ok(Self::built(py, map))
    }

    /// Makes a world of open ground, of 1 to 65,535 columns and rows.
    ///
    /// >>> World.open(60, 40).shape
    /// (40, 60)
    #[staticmethod]
    fn open(py: Python<'_>, width: Whole<u32>, height: Whole<u32>) -> Result<Self, Fault> {
        Ok(Self::built(py, CostMap::open(width.0, height.0)?))
    }

    /// Makes a world of a map file: Moving AI .map, text .txt, .flow, .png, Tiled .tmx and .tmj,
    /// LDtk .ldtk. In a grey picture the lightest ground is the cheapest: a cell costs 256 less the
    /// grey of its pixel, 1 for white, and black is a wall.
    ///
    /// format: the extension of the format, where neither the name nor the bytes tell it.
    /// letters: for .map, what letters cost that have no cost, or another: {"C": 5}.
    /// names: for .ldtk, the same for names of ground.
    /// colours: for .png, the costs of its colours, as {(red, green, blue): cost}; without them,
    ///     pictures are grey.
    /// level, layer: for .ldtk, the level or world and the int-grid layer with these names.
    #[staticmethod]
    #[pyo3(signature = (
        path, *, format = None, letters = None, names = None, colours = None, level = None,
        layer = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but one have names")]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        letters: Option<&Bound<'_, PyDict>>,
        names: Option<&Bound<'_, PyDict>>,
        colours: Option<&Bound<'_, PyDict>>,
        level: Option<String>,
        layer: Option<String>,
    ) -> Result<Self, Fault> {
        let reading = Reading::of(format, [letters, names, colours], [level, layer])?;
        let map = py.detach(|| reading.file(&path))?;
        Ok(Self::built(py, map))
    }

    /// Makes a world of the bytes of a map file, as `from_file` does.
    ///
    /// >>> World.from_bytes(b"type octile\nheight 1\nwidth 3\nmap\n.T.\n")[...].tolist()
    /// [[1, 255, 1]]
    #[staticmethod]
    #[pyo3(signature = (
        bytes, *, format = None, letters = None, names = None, colours = None, level = None,
        layer = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but one have names")]
    fn from_bytes(
        py: Python<'_>,
        bytes: &[u8],
        format: Option<&str>,
        letters: Option<&Bound<'_, PyDict>>,
        names: Option<&Bound<'_, PyDict>>,
        colours: Option<&Bound<'_, PyDict>>,
        level: Option<String>,
        layer: Option<String>,
    ) -> Result<Self, Fault> {
        let reading = Reading::of(format, [letters, names, colours], [level, layer])?;
        let map = py.detach(|| reading.bytes(bytes))?;
        Ok(Self::built(py, map))
    }

    /// The rows and columns of the map.
    #[getter]
    fn shape(&self, py: Python<'_>) -> Result<(u32, u32), Fault> {
        let [width, height] = self.size(py)?;
        Ok((height, width))
    }

    /// The columns of the map.
    #[getter]
    fn width(&self, py: Python<'_>) -> Result<u32, Fault> {
        Ok(self.size(py)?[0])
    }

    /// The rows of the map.
    #[getter]
    fn height(&self, py: Python<'_>) -> Result<u32, Fault> {
        Ok(self.size(py)?[1])
    }

    /// Returns the costs of an area on a layer, or of the whole map, as an array [y, x]: a copy that
    /// cannot be written to.
    ///
    /// >>> World.open(60, 40).costs((0, 0, 3, 2)).tolist()
    /// [[1, 1, 1], [1, 1, 1]]
    #[pyo3(signature = (area = None, layer = 0))]
    fn costs<'py>(
        &self,
        py: Python<'py>,
        area: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<Made<'py, u8>, Fault> {
        let (area, on) = (self.area_or_all(py, area)?, self::layer(layer)?);
        let costs = self.ask(py, on, |_, view| costs_of(view.costs(), area))?;
        fixed(py, costs, &[area.height as usize, area.width as usize])
    }

    /// The costs of the whole map, for NumPy: `numpy.asarray(world)`. It is a copy that cannot be
    /// written to, and `numpy.array(world)` one that can.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> Result<Bound<'py, PyAny>, Fault> {
        if copy == Some(false) {
            let text = "the costs of a world are always copied: leave out copy=False";
            return Err(Fault::argument(text));
        }
        let costs = self.costs(py, None, 0)?.into_any();
        if dtype.is_none() && copy.is_none() {
            return Ok(costs);
        }
        let own = numpy::dtype::<u8>(py).into_any();
        let made = costs.call_method1("astype", (dtype.unwrap_or(&own),))?;
        if copy.is_none() {
            made.call_method1("setflags", (false,))?;
        }
        Ok(made)
    }

    /// Works on orders, up to this many cells of work; without a limit, until all are done.
    ///
    /// For a game that ticks 20 times a second 4,000 is a good limit.
    #[pyo3(signature = (cells = None))]
    fn tick(&self, py: Python<'_>, cells: Option<Whole<u64>>) -> Result<Progress, Fault> {
        let budget = cells.map_or(Budget::UNLIMITED, |cells| Budget::cells(cells.0));
        self.change(py, |world| Ok(world.tick(budget).into()))
    }

    /// Sets how many of these there may be: `orders`, `units` of an order, `stamps`, `blocked`
    /// cells.
    #[pyo3(signature = (**limits))]
    fn set_limits(&self, py: Python<'_>, limits: Option<&Bound<'_, PyDict>>) -> Result<(), Fault> {
        let mut set = self.read(py, |world| Ok(world.limits()))?;
        change_limits(&mut set, limits)?;
        self.change(py, |world| {
            world.set_limits(set);
            Ok(())
        })
    }

    /// Returns what the world holds, by name: sectors, portals, islands, orders, bytes and more.
    fn stats<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyDict>, Fault> {
        let stats = self.read(py, |world| Ok(world.inspect().stats()))?;
        let bytes = stats.cost_bytes + stats.graph_bytes + stats.cluster_bytes + stats.order_bytes;
        let said = PyDict::new(py);
        for (name, value) in [
            ("sectors", stats.sectors),
            ("portals", stats.portals),
            ("edges", stats.edges),
            ("islands", stats.islands),
            ("layers", stats.layers),
            ("orders", stats.orders),
            ("waiting", stats.waiting),
            ("tiles", stats.tiles),
            ("bytes", bytes),
        ] {
            said.set_item(name, value)?;
        }
        Ok(said)
    }

    fn __repr__(&self, py: Python<'_>) -> Result<String, Fault> {
        self.read(py, |world| {
            let (map, stats) = (world.costs(), world.inspect().stats());
            let (width, height, orders) = (map.width(), map.height(), stats.orders);
            Ok(format!(
                "<World of {width}×{height} cells, {orders} orders>"
            ))
        })
    }
}

fn change_limits(set: &mut Limits, limits: Option<&Bound<'_, PyDict>>) -> Result<(), Fault> {
    if let Some(limits) = limits {
        set_fields!(set, limits, {
            orders: Whole<u32>, units: Whole<u32>, stamps: Whole<u32>, blocked: Whole<u32>,
        });
    }
    Ok(())
}
