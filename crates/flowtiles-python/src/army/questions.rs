//! What a game asks an army.

use std::collections::BTreeSet;

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{ArmyError, GroupId, Line};
use pyo3::prelude::*;

use super::Army;
use crate::arrays::{Made, cell, floats_for, made, numbers, point, points};
use crate::errors::Fault;
use crate::numbers::{Number, Whole, one_float};
use crate::order::{Way, way};
use crate::target::groups;

/// Ids and places, in the same order.
type Places<'py> = (Made<'py, u32>, Made<'py, f32>);

fn distance(what: &str, Number(given): Number) -> Result<f32, Fault> {
    if given >= 0.0 {
        return Ok(given);
    }
    let text = format!("`{what}` cannot be {given}: give 0 cells or more");
    Err(Fault::argument(text))
}

#[pymethods]
impl Army {
    /// Returns for each unit the id of the foe that is nearest to it, at most `within` cells away.
    /// Walls do not count. A unit without such a foe has its own id.
    fn nearest_foes<'py>(
        &self,
        ids: &Bound<'py, PyAny>,
        within: Number,
    ) -> Result<Made<'py, u32>, Fault> {
        let (asked, within) = (numbers("ids", ids)?, distance("within", within)?);
        let found = self.read(ids.py(), |army| {
            let nearest = |&id| army.nearest_foe(id, within).map_or(id, |foe| foe.id);
            Ok(asked.iter().map(nearest).collect())
        })?;
        made(ids.py(), found, &[asked.len()])
    }

    /// Returns the ids of the units within a distance of a point.
    fn units_within<'py>(
        &self,
        at: &Bound<'py, PyAny>,
        distance: Number,
    ) -> Result<Made<'py, u32>, Fault> {
        let (place, distance) = (point("at", at)?, self::distance("distance", distance)?);
        let found: Vec<u32> = self.read(at.py(), |army| {
            let units = army.units_within(place, distance);
            Ok(units.into_iter().map(|unit| unit.id).collect())
        })?;
        let count = found.len();
        made(at.py(), found, &[count])
    }

    /// Returns by how much the two units overlap that do so most, in cells.
    fn deepest_overlap(&self, py: Python<'_>) -> Result<f32, Fault> {
        self.read(py, |army| Ok(army.deepest_overlap()))
    }

    /// Returns where units are to stop, of the shape (n, 2); NaN where there is no such place.
    fn stops_of<'py>(&self, ids: &Bound<'py, PyAny>) -> Result<Made<'py, f32>, Fault> {
        let asked = numbers("ids", ids)?;
        let found = self.read(ids.py(), |army| {
            let stops = asked.iter().map(|&id| army.stop_of(id));
            Ok(stops
                .flat_map(|stop| stop.unwrap_or([f32::NAN; 2]))
                .collect())
        })?;
        made(ids.py(), found, &[asked.len(), 2])
    }

    /// Returns the way on which a unit is now, pulled tight, as `Order.path` does; None if it has
    /// none.
    fn path<'py>(&self, py: Python<'py>, unit: Whole<u32>) -> Result<Option<Way<'py>>, Fault> {
        let path = self.read_both(py, |army, world| Ok(army.path(world, unit.0)))?;
        way(py, path)
    }

    /// Returns where the units of groups would stop if they were sent to a cell now, or drew up on
    /// a line, which is a pair of points: their ids, and places of the shape (n, 2).
    fn ghosts<'py>(
        &self,
        groups: &Bound<'py, PyAny>,
        to: &Bound<'py, PyAny>,
    ) -> Result<Places<'py>, Fault> {
        let asked: Vec<GroupId> = self::groups(groups)?
            .iter()
            .map(|sent| sent.group)
            .collect();
        let found = points("to", to)?;
        let line = match (&found.shape[..], &found.values[..]) {
            ([2], &[left, right]) => Some(Line::new(left, right)),
            _ => None,
        };
        let goal = match line {
            Some(line) => anchor(1, line.middle()),
            None => cell("to", to)?,
        };
        let ghosts = self.read_both(groups.py(), |army, world| {
            let mut named = BTreeSet::new();
            for &group in &asked {
                army.group(group).ok_or(ArmyError::NoGroup { group })?;
                if !named.insert(group) {
                    return Err(ArmyError::GroupTwice { group }.into());
                }
            }
            Ok(army.ghosts(world, &asked, goal, line))
        })?;
        let (py, count) = (groups.py(), ghosts.len());
        let places = ghosts.iter().flat_map(|(_, place)| *place).collect();
        let ids = ghosts.iter().map(|(id, _)| *id).collect();
        Ok((made(py, ids, &[count])?, made(py, places, &[count, 2])?))
    }

    /// Whether there is room for units of a group at positions, on its layer and beside the army's
    /// units; they are not checked against each other.
    #[pyo3(signature = (group, positions, radius = None))]
    fn has_room<'py>(
        &self,
        group: Whole<u64>,
        positions: &Bound<'py, PyAny>,
        radius: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, bool>, Fault> {
        let asked = points("positions", positions)?;
        let count = asked.values.len();
        let radii = match radius {
            Some(radius) => floats_for("radius", radius, count)?,
            None => vec![0.3; count],
        };
        let group = GroupId::from_number(group.0);
        let found = self.read_both(positions.py(), |army, world| {
            let each = asked.values.iter().zip(radii);
            let rooms = each.map(|(&at, radius)| army.has_room(world, group, at, radius));
            Ok(rooms.collect::<Result<Vec<bool>, _>>()?)
        })?;
        made(positions.py(), found, &asked.shape)
    }

    /// Returns up to `count` places around a point that are free for units of a group, which do not
    /// touch each other; of the shape (n, 2).
    #[pyo3(signature = (group, around, count, radius = 0.3))]
    fn free_places<'py>(
        &self,
        group: Whole<u64>,
        around: &Bound<'py, PyAny>,
        count: Whole<u32>,
        #[pyo3(from_py_with = one_float)] radius: f32,
    ) -> Result<Made<'py, f32>, Fault> {
        let (middle, group) = (point("around", around)?, GroupId::from_number(group.0));
        let places = self.read_both(around.py(), |army, world| {
            let count = count.0 as usize;
            Ok(army.free_places(world, group, middle, radius, count)?)
        })?;
        let count = places.len();
        let flat = places.into_iter().flatten().collect();
        made(around.py(), flat, &[count, 2])
    }
}
