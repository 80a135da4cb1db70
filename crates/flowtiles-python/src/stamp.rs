//! Templates of buildings, and turns.

use flowtiles::{Cost, StampTemplate as EngineTemplate, Turn};
use pyo3::prelude::*;

use crate::arrays::{Made, just, made, narrow, rows};
use crate::errors::Fault;
use crate::numbers::one_whole;

/// Reads by how many quarters a stamp is turned.
pub(crate) fn turn(quarters: u8) -> Result<Turn, Fault> {
    let turn = Turn::ALL.get(usize::from(quarters)).copied();
    turn.ok_or_else(|| {
        Fault::argument(format!(
            "a stamp is not turned by {quarters} quarters: give 0 to 3"
        ))
    })
}

/// A building as it lies on the ground: the costs of its cells.
///
/// costs: an array [y, x]: 1 to 254, 255 for a wall, and 0 where the ground stays as it is.
///
/// >>> house = StampTemplate([[255, 255, 255], [255, 0, 255]])
/// >>> world = World.open(60, 40)
/// >>> number, report = world.stamp(house, (10, 5), turn=1)
/// >>> report.cells
/// 5
#[pyclass(frozen, eq, module = "flowtiles")]
#[derive(PartialEq, Eq)]
pub(crate) struct StampTemplate {
    pub(crate) template: EngineTemplate,
}

#[pymethods]
impl StampTemplate {
    #[new]
    fn new(costs: &Bound<'_, PyAny>) -> Result<Self, Fault> {
        let found = rows("costs", costs, 0)?;
        let costs: Vec<Option<Cost>> = found
            .rows
            .iter()
            .map(|&cost| Cost::new(cost).ok())
            .collect();
        let template = EngineTemplate::new(found.width, found.height, &costs)?;
        Ok(Self { template })
    }

    /// Makes a template of rows of text: `#` is a wall, `.` open ground, a digit of 1 to 9 its
    /// cost, and a space leaves the ground as it is.
    #[staticmethod]
    fn rows(rows: Vec<String>) -> Result<Self, Fault> {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let template = EngineTemplate::rows(&rows)?;
        Ok(Self { template })
    }

    /// Makes a template of a polygon, a building at any angle: the cells that it covers a part of
    /// have one cost, and with `rim=(width, cost)` those around it another. Returns the cell at
    /// which to stamp it, not turned, and the template.
    ///
    /// corners: whole numbers, as the width of the rim in sixteenths of a cell, from the map's
    ///     corner; an array of the shape (n, 2).
    ///
    /// >>> at, hall = StampTemplate.polygon([(160, 115), (205, 160), (160, 205), (115, 160)])
    /// >>> at
    /// (7, 7)
    #[staticmethod]
    #[pyo3(signature = (corners, cost = 255, rim = None))]
    fn polygon(
        corners: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] cost: u8,
        rim: Option<&Bound<'_, PyAny>>,
    ) -> Result<((i32, i32), Self), Fault> {
        let found = narrow::<i32>("corners", corners, [i32::MIN.into(), i32::MAX.into()])?;
        if !matches!(found.shape[..], [_, 2]) {
            return Err(Fault::argument(format!(
                "`corners` has the shape {:?}: give an array of the shape (n, 2)",
                found.shape
            )));
        }
        let corners = found.values.chunks_exact(2);
        let corners: Vec<[i32; 2]> = corners.map(|corner| [corner[0], corner[1]]).collect();
        let rim = match rim {
            Some(rim) => {
                let [width, cost] = just("rim", rim, [0, u32::MAX.into()])?;
                let cost = u8::try_from(cost).map_err(|_| {
                    Fault::argument(format!("`rim` has a cost of {cost}: give 1 to 255"))
                })?;
                Some((width, Cost::new(cost)?))
            }
            None => None,
        };
        let (at, template) = EngineTemplate::polygon(&corners, Cost::new(cost)?, rim)?;
        Ok(((at.x, at.y), Self { template }))
    }

    /// For pickle: what makes the template again.
    fn __getnewargs__<'py>(&self, py: Python<'py>) -> Result<(Made<'py, u8>,), Fault> {
        let (height, width) = self.shape();
        let cost = |x, y| self.template.get(x, y).map_or(0, Cost::value);
        let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let costs = rows.map(|(x, y)| cost(x, y)).collect();
        Ok((made(py, costs, &[height as usize, width as usize])?,))
    }

    /// The rows and columns.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.template.height(), self.template.width())
    }

    fn __repr__(&self) -> String {
        let (width, height) = (self.template.width(), self.template.height());
        format!("<StampTemplate of {width}×{height} cells>")
    }
}
