//! Where an order leads.

use flowtiles::{Goal as EngineGoal, LayerId, MAX_GOAL_CELLS, Quality};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{Made, NUMBER, area, cells, each, made, whole};
use crate::errors::Fault;
use crate::numbers::one_whole;

/// Reads the number of a layer, with the team that sees it.
pub(crate) fn layer(number: impl Into<u32>) -> Result<LayerId, Fault> {
    let number = number.into();
    let team = u8::try_from(number >> 16).ok();
    let id = team.and_then(|team| LayerId::from_number(number as u16).for_team(team));
    id.ok_or_else(|| Fault::argument(format!("layer {number:#x} has no team from 0 to 7")))
}

pub(crate) fn number_of(layer: LayerId) -> u32 {
    u32::from(layer.team()) << 16 | u32::from(layer.number())
}

const QUALITIES: [(&str, Quality); 3] = [
    ("corridor", Quality::Corridor),
    ("exact", Quality::Exact),
    ("everywhere", Quality::Everywhere),
];

fn quality(name: &str) -> Result<Quality, Fault> {
    let known = QUALITIES.iter().find(|quality| quality.0 == name);
    known.map(|quality| quality.1).ok_or_else(|| {
        let text = format!("there is no quality `{name}`: give corridor, exact or everywhere");
        Fault::argument(text)
    })
}

/// What a goal has besides its cells.
fn finished(goal: EngineGoal, on: u32, quality: &str, or_nearest: bool) -> Result<Goal, Fault> {
    let goal = goal.on(layer(on)?).with_quality(self::quality(quality)?);
    let goal = if or_nearest { goal.or_nearest() } else { goal };
    Ok(Goal { goal })
}

fn no_cell() -> Fault {
    Fault::argument("the goal has no cell: give at least one")
}

/// Where an order leads, and how it finds its paths.
///
/// Calls that take a goal take a cell or an array of cells as well: that is a goal with all else
/// as it is by default.
///
/// cells: one cell, (x, y), or an array of them of the shape (n, 2); each unit goes to the one that
///     is cheapest to reach.
/// start_costs: what the way costs more that ends at each of the cells, in fifths of a step.
/// layer: the movement layer, from `World.add_layer`; 0 is the ground. As a team sees it, it has the
///     number from `layer_for_team`. `Army.send_all` replaces it by each group's own.
/// quality: "corridor" is right for nearly everything; with "exact" no way is cheaper; with
///     "everywhere" there are directions wherever the goal can be reached from.
/// or_nearest: whether units that cannot reach the goal go to the nearest cell that they can reach.
///
/// >>> Goal((3, 4), quality="everywhere")
/// Goal([[3, 4]], layer=0)
#[pyclass(frozen, eq, hash, module = "flowtiles")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Goal {
    pub(crate) goal: EngineGoal,
}

/// The arguments of `Goal`: those without a name, and the others.
type NewGoal<'py> = ((Made<'py, i32>,), Bound<'py, PyDict>);

#[pymethods]
impl Goal {
    #[new]
    #[pyo3(signature = (
        cells, *, start_costs = None, layer = 0, quality = "corridor", or_nearest = false
    ))]
    fn new(
        cells: &Bound<'_, PyAny>,
        start_costs: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
        quality: &str,
        or_nearest: bool,
    ) -> Result<Self, Fault> {
        let found = self::cells("cells", cells)?.values;
        let goal = match start_costs {
            None => EngineGoal::any_of(found).ok_or_else(no_cell)?,
            Some(given) => {
                let costs = whole("start_costs", given, [0, i64::MAX])?;
                let costs = each("start_costs", costs, found.len(), NUMBER)?;
                let costs = costs.into_iter().map(|cost| {
                    u64::try_from(cost).map_err(|_| {
                        Fault::argument(format!("`start_costs` has {cost}: give 0 or more"))
                    })
                });
                let costs = costs.collect::<Result<Vec<u64>, _>>()?;
                let mut both = found.into_iter().zip(costs);
                let (first, cost) = both.next().ok_or_else(no_cell)?;
                let goal = EngineGoal::at(first).with_start_cost(cost);
                both.fold(goal, |goal, (cell, cost)| goal.or_at(cell, cost))
            }
        };
        finished(goal, layer, quality, or_nearest)
    }

    /// A goal of all cells of a rectangle, (x, y, width, height): units go to the nearest side.
    #[staticmethod]
    #[pyo3(signature = (area, *, layer = 0, quality = "corridor", or_nearest = false))]
    fn within(
        area: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] layer: u32,
        quality: &str,
        or_nearest: bool,
    ) -> Result<Self, Fault> {
        let area = self::area("area", area)?;
        let goal = EngineGoal::within(area).ok_or_else(|| {
            Fault::argument(format!(
                "a goal cannot be {area}: give an area of 1 to {MAX_GOAL_CELLS} cells"
            ))
        })?;
        finished(goal, layer, quality, or_nearest)
    }

    /// The cells, an array of the shape (n, 2).
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArrayDyn<i32>>, Fault> {
        let cells: Vec<i32> = self
            .goal
            .cells()
            .flat_map(|cell| [cell.x, cell.y])
            .collect();
        let count = cells.len() / 2;
        made(py, cells, &[count, 2])
    }

    /// The movement layer.
    #[getter]
    fn layer(&self) -> u32 {
        number_of(self.goal.layer())
    }

    /// For pickle: what makes the goal again.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> Result<NewGoal<'py>, Fault> {
        let costs: Vec<u64> = self.goal.start_costs().collect();
        let count = costs.len();
        let quality = self.goal.quality();
        let quality = QUALITIES.iter().find(|known| known.1 == quality);
        let how = PyDict::new(py);
        how.set_item("start_costs", made(py, costs, &[count])?)?;
        how.set_item("layer", self.layer())?;
        how.set_item("quality", quality.map(|quality| quality.0))?;
        how.set_item("or_nearest", !self.goal.is_strict())?;
        Ok(((self.cells(py)?,), how))
    }

    fn __repr__(&self) -> String {
        let shown = self.goal.cells().take(4);
        let mut shown: Vec<String> = shown
            .map(|cell| format!("[{}, {}]", cell.x, cell.y))
            .collect();
        if self.goal.cells().count() > shown.len() {
            shown.push("...".to_owned());
        }
        format!("Goal([{}], layer={})", shown.join(", "), self.layer())
    }
}

/// Reads a goal: as such, or as cells.
pub(crate) fn goal(given: &Bound<'_, PyAny>) -> Result<EngineGoal, Fault> {
    if let Ok(goal) = given.cast::<Goal>() {
        return Ok(goal.get().goal.clone());
    }
    EngineGoal::any_of(cells("goal", given)?.values).ok_or_else(no_cell)
}
