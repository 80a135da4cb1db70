//! Units as arrays, all in the same order: by id after a step, and those added since at the end.

use flowtiles::steer::{ArmyEvent, GroupId, Unit, UnitState};
use numpy::Element;
use pyo3::prelude::*;

use super::Army;
use crate::arrays::{Made, give, made};
use crate::errors::Fault;

const fn state(unit: &Unit) -> u8 {
    match unit.state {
        UnitState::Arrived => 1,
        UnitState::Unreachable => 2,
        UnitState::Engaged => 3,
        _ => 0,
    }
}

/// The kind of an event, its group, its unit and its value; what it does not name is 0.
fn fields(event: &ArmyEvent) -> (u8, u64, u32, u32) {
    match *event {
        ArmyEvent::Arrived { unit } => (0, 0, unit, 0),
        ArmyEvent::GroupArrived { group } => (1, group.number(), 0, 0),
        ArmyEvent::Reached { group, unit } => (2, group.number(), unit, 0),
        ArmyEvent::Lost { group, unit } => (3, group.number(), unit, 0),
        ArmyEvent::Stuck { unit, level } => (4, 0, unit, level.into()),
        ArmyEvent::Entered { unit, link } => (5, 0, unit, link.number()),
        ArmyEvent::Unreachable { unit } => (6, 0, unit, 0),
        ArmyEvent::TooWide { unit } => (7, 0, unit, 0),
        _ => (255, 0, 0, 0),
    }
}

/// Returns events, each with the number of its step, as a structured array.
pub(super) fn events<'py>(
    py: Python<'py>,
    events: &[(u32, ArmyEvent)],
) -> Result<Bound<'py, PyAny>, Fault> {
    let count = events.len();
    let found: Vec<_> = events.iter().map(|(_, event)| fields(event)).collect();
    let dtype = [
        ("step", "u4"),
        ("kind", "u1"),
        ("group", "u8"),
        ("unit", "u4"),
        ("value", "u4"),
    ];
    let array = py
        .import("numpy")?
        .call_method1("empty", (count, dtype.to_vec()))?;
    let column = |values: Vec<u32>| made(py, values, &[count]);
    array.set_item(
        "step",
        column(events.iter().map(|(step, _)| *step).collect())?,
    )?;
    let kinds: Vec<u8> = found.iter().map(|event| event.0).collect();
    array.set_item("kind", made(py, kinds, &[count])?)?;
    let groups: Vec<u64> = found.iter().map(|event| event.1).collect();
    array.set_item("group", made(py, groups, &[count])?)?;
    array.set_item("unit", column(found.iter().map(|event| event.2).collect())?)?;
    array.set_item(
        "value",
        column(found.iter().map(|event| event.3).collect())?,
    )?;
    Ok(array)
}

impl Army {
    /// Returns `width` values for each unit, in an array of the caller's or in a new one.
    fn by_unit<'py, T: Element + Copy>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        width: Option<usize>,
        values: impl Fn(&[Unit]) -> Vec<T> + Sync,
    ) -> Result<Made<'py, T>, Fault> {
        let found = self.read(py, |army| Ok(values(army.units())))?;
        match width {
            Some(width) => {
                let count = found.len() / width;
                give(py, found, &[count, width], out)
            }
            None => {
                let count = found.len();
                give(py, found, &[count], out)
            }
        }
    }
}

#[pymethods]
impl Army {
    /// Returns the units' ids, in the order of all these arrays.
    #[pyo3(signature = (out = None))]
    fn ids<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, u32>, Fault> {
        self.by_unit(py, out, None, |units| {
            units.iter().map(|unit| unit.id).collect()
        })
    }

    /// Returns the units' positions, float32 of the shape (units, 2), in `out` if it is given.
    ///
    /// (3.5, 4.5) is the middle of cell (3, 4).
    #[pyo3(signature = (out = None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, f32>, Fault> {
        self.by_unit(py, out, Some(2), |units| {
            units.iter().flat_map(|unit| unit.position).collect()
        })
    }

    /// Returns the units' velocities in cells a second, float32 of the shape (units, 2), in `out`
    /// if it is given.
    #[pyo3(signature = (out = None))]
    fn velocities<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, f32>, Fault> {
        self.by_unit(py, out, Some(2), |units| {
            units.iter().flat_map(|unit| unit.velocity).collect()
        })
    }

    /// Returns the units' states, uint8, each a `State`, in `out` if it is given.
    #[pyo3(signature = (out = None))]
    fn states<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, u8>, Fault> {
        self.by_unit(py, out, None, |units| units.iter().map(state).collect())
    }

    /// Returns the units' groups.
    #[pyo3(signature = (out = None))]
    fn groups_of_units<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, u64>, Fault> {
        self.by_unit(py, out, None, |units| {
            units
                .iter()
                .map(|unit| GroupId::number(unit.group))
                .collect()
        })
    }

    /// Returns the units' radii, float32, in `out` if it is given.
    #[pyo3(signature = (out = None))]
    fn radii<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, f32>, Fault> {
        self.by_unit(py, out, None, |units| {
            units.iter().map(|unit| unit.radius).collect()
        })
    }

    /// Returns the units' greatest speeds in cells a second, float32, in `out` if it is given.
    #[pyo3(signature = (out = None))]
    fn speeds<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, f32>, Fault> {
        self.by_unit(py, out, None, |units| {
            units.iter().map(|unit| unit.speed).collect()
        })
    }
}
