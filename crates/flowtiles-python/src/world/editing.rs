//! What changes the ground: edits, layers, stamps, gates, links, surcharges.

use flowtiles::{CellRect, Cost, GateId, LayerId, Link, LinkId, Movement, StampId, Teams, Turn};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyEllipsis, PyInt, PySlice, PyTuple};

use super::{World, check_cells};
use crate::arrays::{
    Rows, area, areas, array, bytes_for, cell, cells, fixed, just, narrow, rows, whole,
};
use crate::errors::Fault;
use crate::goal::layer;
use crate::numbers::{Whole, one_whole};
use crate::reports::{EditReport, SurchargeReport};
use crate::stamp::{StampTemplate, turn};

/// What an index such as `[y0:y1, x]` selects: a window of the map, without the axes of single
/// numbers.
struct Window {
    area: CellRect,
    /// Whether the axis of y and that of x were single numbers.
    single: [bool; 2],
}

/// Reads an index of whole windows; `None` if it is another that NumPy knows.
fn window(key: &Bound<'_, PyAny>, shape: [u32; 2]) -> Result<Option<Window>, Fault> {
    let keys: Vec<Bound<'_, PyAny>> = match key.cast::<PyTuple>() {
        Ok(keys) => keys.iter().collect(),
        Err(_) => vec![key.clone()],
    };
    let keys = match keys.as_slice() {
        [all] if all.is_instance_of::<PyEllipsis>() => &[],
        keys if keys.len() <= 2 => keys,
        _ => return Ok(None),
    };
    let mut spans = shape.map(|side| (0, side));
    let mut single = [false; 2];
    for (axis, key) in keys.iter().enumerate() {
        let side = shape[axis];
        if key.is_exact_instance_of::<PyInt>() {
            let asked: i64 = key.extract().unwrap_or(i64::MAX);
            let from = if asked < 0 {
                asked + i64::from(side)
            } else {
                asked
            };
            if !(0..i64::from(side)).contains(&from) {
                let text = format!("index {key} is off the map's axis {axis} of {side} cells");
                return Err(PyIndexError::new_err(text).into());
            }
            spans[axis] = (from as u32, 1);
            single[axis] = true;
        } else if let Ok(slice) = key.cast::<PySlice>() {
            let found = slice.indices(side as isize)?;
            if found.step != 1 {
                return Ok(None);
            }
            spans[axis] = (found.start as u32, found.slicelength as u32);
        } else {
            return Ok(None);
        }
    }
    let [(y, height), (x, width)] = spans;
    let area = CellRect::new(x as i32, y as i32, width, height);
    Ok(Some(Window { area, single }))
}

impl World {
    fn set_rows(&self, py: Python<'_>, area: CellRect, found: Rows) -> Result<EditReport, Fault> {
        let [width, height] = [found.width, found.height];
        if [width, height] != [area.width, area.height] {
            return Err(Fault::argument(format!(
                "`costs` has {height} rows of {width} columns for {area}: give as many as it has"
            )));
        }
        self.change(py, |world| Ok(world.edit_rows(area, &found.rows)?.into()))
    }

    /// Sets a window to a number, or to an array that is broadcast to it.
    fn set_window(&self, window: &Window, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let (py, area) = (value.py(), window.area);
        if let Ok(cost) = value.extract::<Whole<u8>>() {
            if !area.is_empty() {
                let cost = Cost::new(cost.0)?;
                self.change(py, |world| Ok(world.edit(area, cost)?))?;
            }
            return Ok(());
        }
        let sides = [area.height as usize, area.width as usize];
        let kept = sides
            .iter()
            .zip(window.single)
            .filter(|(_, single)| !single);
        let shape: Vec<usize> = kept.map(|(side, _)| *side).collect();
        let numpy = py.import("numpy")?;
        let array = array("costs", value)?;
        let array = numpy.call_method1("broadcast_to", (array, shape));
        let array = array.and_then(|array| array.call_method1("reshape", (sides,)));
        let array = array.map_err(|error| {
            let text = error.value(py).to_string();
            Fault::argument(format!("the costs do not fit the window of {area}: {text}"))
        })?;
        if area.is_empty() {
            return Ok(());
        }
        self.set_rows(py, area, rows("costs", &array, 1)?)?;
        Ok(())
    }

    /// Sets what any other index selects, by NumPy on a copy of the whole map.
    fn set_any(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let py = key.py();
        // Refuses what is no whole number, which NumPy would round.
        whole("costs", value, [1, 255])?;
        // The key is written into a blank array, which tells the cells it names. No other cell may be
        // edited, or buildings and gates over it would become ground.
        let numpy = py.import("numpy")?;
        let [width, height] = self.size(py)?;
        let all = numpy.call_method1("full", ((height, width), NOT_MEANT))?;
        all.set_item(key, value)
            .map_err(|error| by_numpy(py, error))?;
        let meant = all.call_method1("__ne__", (NOT_MEANT,))?;
        let costs = all.get_item(&meant)?;
        let cells = numpy.call_method1("argwhere", (meant,))?;
        let cells = numpy.call_method1("flip", (cells, 1))?;
        self.edit_cells(py, &cells, &costs)?;
        Ok(())
    }
}

/// What NumPy refuses of an index or a value; a wrong index is one for Python, too.
fn by_numpy(py: Python<'_>, error: PyErr) -> Fault {
    if error.is_instance_of::<PyValueError>(py) {
        return Fault::argument(error.value(py));
    }
    Fault::Python(error)
}

/// Reads teams: their numbers.
pub(crate) fn teams(what: &str, given: &Bound<'_, PyAny>) -> Result<Teams, Fault> {
    let found = narrow::<u8>(what, given, [0, 7])?;
    Ok(found.values.into_iter().fold(Teams::NONE, Teams::with))
}

/// `what` is what there is no such one of; `call` adds one and returns its number.
fn missing(what: &str, call: &str, number: u64) -> Fault {
    Fault::state(format!(
        "the world has no {what} {number}: it was removed or never added; give a number that `{call}` \
         has returned"
    ))
}

/// No cost, and no number that a caller gives for one.
const NOT_MEANT: i64 = i64::MIN;

#[pymethods]
impl World {
    /// The costs of a part of the map, as an array has it: `world[y0:y1, x0:x1]`, `world[...]`. It is
    /// a copy that cannot be written to: write to the world itself.
    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Fault> {
        let py = key.py();
        let [width, height] = self.size(py)?;
        let Some(Window { area, single }) = window(key, [height, width])? else {
            let all = self.costs(py, None, 0)?;
            let found = all.into_any().get_item(key);
            let found = found.map_err(|error| by_numpy(py, error))?;
            if found.is_instance_of::<PyUntypedArray>() {
                found.getattr("flags")?.setattr("writeable", false)?;
            }
            return Ok(found);
        };
        let costs = self.read(py, |world| super::costs_of(world.costs(), area))?;
        let costs = fixed(py, costs, &[area.height as usize, area.width as usize])?;
        let axes = single.map(|single| {
            if single {
                Ok(0_u8.into_pyobject(py)?.into_any())
            } else {
                Ok(PySlice::full(py).into_any())
            }
        });
        let [y, x]: [PyResult<Bound<'py, PyAny>>; 2] = axes;
        Ok(costs.into_any().get_item((y?, x?))?)
    }

    /// Sets the costs of a part of the map: `world[y0:y1, x0:x1] = 255`, or to an array.
    fn __setitem__(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let [width, height] = self.size(key.py())?;
        match window(key, [height, width])? {
            Some(window) => self.set_window(&window, value),
            None => self.set_any(key, value),
        }
    }

    fn __delitem__(&self, key: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let text = format!("{key} cannot be deleted: set it to 255 for a wall");
        Err(PyTypeError::new_err(text).into())
    }

    /// Gives the cells of an area a cost, or each its own from an array [y, x].
    ///
    /// `world[y0:y1, x0:x1] = costs` does the same without a report.
    ///
    /// >>> World.open(60, 40).edit((10, 5, 3, 2), 255)
    /// EditReport(cells=6, sectors=1, rebuilt=4, orders=0)
    fn edit(
        &self,
        py: Python<'_>,
        area: &Bound<'_, PyAny>,
        costs: &Bound<'_, PyAny>,
    ) -> Result<EditReport, Fault> {
        let area = self::area("area", area)?;
        if let Ok(cost) = costs.extract::<Whole<u8>>() {
            let cost = Cost::new(cost.0)?;
            return self.change(py, |world| Ok(world.edit(area, cost)?.into()));
        }
        self.set_rows(py, area, rows("costs", costs, 1)?)
    }

    /// Gives each of these cells its own cost, or all the same, and repairs what depends on them
    /// once.
    fn edit_cells(
        &self,
        py: Python<'_>,
        cells: &Bound<'_, PyAny>,
        costs: &Bound<'_, PyAny>,
    ) -> Result<EditReport, Fault> {
        let cells = self::cells("cells", cells)?.values;
        let costs = bytes_for("costs", costs, cells.len())?;
        let edits = cells.into_iter().zip(costs);
        let edits = edits.map(|(cell, cost)| Ok((CellRect::from(cell), Cost::new(cost)?)));
        let edits = edits.collect::<Result<Vec<_>, Fault>>()?;
        self.change(py, |world| Ok(world.edit_all(&edits)?.into()))
    }

    /// Adds a layer for units that move in this way, and returns its number.
    ///
    /// costs: by kind of ground, which is its cost on the ground's layer, what it costs this class.
    /// size: the width of bodies in cells, 1 to 8.
    /// wall_costs: what is added to the costs of cells 1, 2, 3 and 4 cells from a wall.
    ///
    /// >>> world = World.open(60, 40)
    /// >>> world[:, 30] = 9
    /// >>> boats = world.add_layer({1: 255, 9: 1})
    /// >>> world.reachable((30, 0), (30, 39), layer=boats)
    /// array(True)
    #[pyo3(signature = (costs = None, *, size = 1, wall_costs = None))]
    fn add_layer(
        &self,
        py: Python<'_>,
        costs: Option<&Bound<'_, PyDict>>,
        #[pyo3(from_py_with = one_whole)] size: u8,
        wall_costs: Option<&Bound<'_, PyAny>>,
    ) -> Result<u32, Fault> {
        let mut movement = Movement::new().with_size(size)?;
        if let Some(costs) = wall_costs {
            movement = movement.with_wall_costs(just("wall_costs", costs, [0, 255])?);
        }
        for (kind, cost) in costs.into_iter().flat_map(|costs| costs.iter()) {
            let [kind, cost] = [kind.extract()?, cost.extract()?].map(|cost: Whole<u8>| cost.0);
            movement = movement.with_cost(Cost::new(kind)?, Cost::new(cost)?);
        }
        self.change(py, |world| Ok(world.add_layer(movement)?.number().into()))
    }

    /// Frees what is derived for a layer on which there are no orders.
    fn free_layer(&self, py: Python<'_>, layer: Whole<u32>) -> Result<(), Fault> {
        let on = self::layer(layer)?;
        self.change(py, |world| Ok(world.free_layer(on)?))
    }

    /// Lays a template over the ground with its north-west corner at a cell, after a number of
    /// quarter turns to the right. Returns the number of the stamp and what changed.
    #[pyo3(signature = (template, at, turn = 0))]
    fn stamp(
        &self,
        py: Python<'_>,
        template: &Bound<'_, StampTemplate>,
        at: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] turn: u8,
    ) -> Result<(u64, EditReport), Fault> {
        let (at, turn): (_, Turn) = (cell("at", at)?, self::turn(turn)?);
        let template = &template.get().template;
        self.change(py, |world| {
            let (id, report) = world.stamp(template, at, turn)?;
            Ok((id.number(), report.into()))
        })
    }

    /// Takes a stamp away: the ground below it is as it is without it.
    fn unstamp(&self, py: Python<'_>, stamp: Whole<u64>) -> Result<EditReport, Fault> {
        self.change(py, |world| {
            let report = world.unstamp(StampId::from_number(stamp.0));
            Ok(report
                .ok_or_else(|| missing("stamp", "stamp", stamp.0))?
                .into())
        })
    }

    /// Makes a cell a wall; blockers are counted, and the last one to go opens it.
    fn block(&self, py: Python<'_>, cell: &Bound<'_, PyAny>) -> Result<EditReport, Fault> {
        let cell = self::cell("cell", cell)?;
        self.change(py, |world| Ok(world.block(cell)?.into()))
    }

    /// Takes a blocker from a cell.
    fn unblock(&self, py: Python<'_>, cell: &Bound<'_, PyAny>) -> Result<EditReport, Fault> {
        let cell = self::cell("cell", cell)?;
        self.change(py, |world| Ok(world.unblock(cell)?.into()))
    }

    /// Adds a gate: an area that is a wall to all teams but these. Returns its number and what
    /// changed.
    ///
    /// A gate only closes: the ground below it must be open, since a wall stays one to all teams.
    #[pyo3(signature = (area, open_to))]
    fn add_gate(
        &self,
        py: Python<'_>,
        area: &Bound<'_, PyAny>,
        open_to: &Bound<'_, PyAny>,
    ) -> Result<(u64, EditReport), Fault> {
        let (area, open_to) = (self::area("area", area)?, teams("open_to", open_to)?);
        self.change(py, |world| {
            let (id, report) = world.add_gate(area, open_to)?;
            Ok((id.number(), report.into()))
        })
    }

    /// Opens a gate to these teams, and closes it to the others.
    fn set_gate(
        &self,
        py: Python<'_>,
        gate: Whole<u64>,
        open_to: &Bound<'_, PyAny>,
    ) -> Result<EditReport, Fault> {
        let open_to = teams("open_to", open_to)?;
        self.change(py, |world| {
            let report = world.set_gate(GateId::from_number(gate.0), open_to);
            Ok(report
                .ok_or_else(|| missing("gate", "add_gate", gate.0))?
                .into())
        })
    }

    /// Removes a gate: its area is as the ground is.
    fn remove_gate(&self, py: Python<'_>, gate: Whole<u64>) -> Result<EditReport, Fault> {
        self.change(py, |world| {
            let report = world.remove_gate(GateId::from_number(gate.0));
            Ok(report
                .ok_or_else(|| missing("gate", "add_gate", gate.0))?
                .into())
        })
    }

    /// Adds a one-way link from each cell of an area to the same place of an equal one whose
    /// north-west cell is `end`, and returns its number.
    ///
    /// price: what it costs to go through, in fifths of a straight step.
    /// layers: those whose units may use it; all if left out.
    #[pyo3(signature = (area, end, price = 5, *, layers = None))]
    fn add_link(
        &self,
        py: Python<'_>,
        area: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] price: u32,
        layers: Option<Vec<Whole<u32>>>,
    ) -> Result<u32, Fault> {
        let mut link = Link::new(self::area("area", area)?, cell("end", end)?).with_price(price);
        if let Some(layers) = layers {
            let layers = layers.into_iter().map(layer);
            link = link.only_on(layers.collect::<Result<Vec<LayerId>, _>>()?);
        }
        self.change(py, |world| Ok(world.add_link(link)?.number()))
    }

    /// Removes a link.
    fn remove_link(&self, py: Python<'_>, link: Whole<u32>) -> Result<(), Fault> {
        self.change(py, |world| {
            let removed = world.remove_link(LinkId::from_number(link.0));
            removed
                .map(drop)
                .ok_or_else(|| missing("link", "add_link", link.0.into()))
        })
    }

    /// Sets what areas cost more on an added layer than their ground, one amount each or one for
    /// all; 0 takes that away.
    ///
    /// >>> world = World.open(60, 40)
    /// >>> wary = world.add_layer()
    /// >>> world.surcharge(wary, (10, 5, 3, 2), 20).changed
    /// 1
    fn surcharge(
        &self,
        py: Python<'_>,
        layer: Whole<u32>,
        areas: &Bound<'_, PyAny>,
        amounts: &Bound<'_, PyAny>,
    ) -> Result<SurchargeReport, Fault> {
        let (on, areas) = (self::layer(layer)?, self::areas("areas", areas)?);
        let amounts = bytes_for("amounts", amounts, areas.len())?;
        let both: Vec<(CellRect, u8)> = areas.into_iter().zip(amounts).collect();
        self.change(py, |world| Ok(world.surcharge(on, &both)?.into()))
    }

    /// Returns what a cell of a layer costs more than its ground.
    #[pyo3(signature = (cell, layer = 0))]
    fn surcharge_of(
        &self,
        py: Python<'_>,
        cell: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
    ) -> Result<u8, Fault> {
        let (cell, on) = (self::cell("cell", cell)?, self::layer(layer)?);
        self.read(py, |world| {
            check_cells(world.costs(), "cell", &[cell])?;
            Ok(world.surcharge_of(on, cell))
        })
    }
}
