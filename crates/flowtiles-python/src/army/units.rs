//! What changes units: they come, go, are put elsewhere, and are driven by wishes.

use std::collections::BTreeSet;

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{Army as EngineArmy, ArmyError, GroupId, Reading, Target, Unit};
use pyo3::prelude::*;

use super::Army;
use crate::arrays::{Made, each, floats_for, made, numbers, points};
use crate::errors::Fault;
use crate::numbers::Whole;
use crate::target::reading;

/// The farthest from 0 that a coordinate may be.
const MOST: f32 = 1e6;
/// How far ahead of a unit with a wish its target is, in cells: farther than it gets in a step.
const AHEAD: f32 = 1000.0;

/// Units to add.
struct Recruits {
    positions: Vec<[f32; 2]>,
    ids: Option<Vec<u32>>,
    radii: Vec<f32>,
    speeds: Vec<f32>,
}

impl Recruits {
    fn of(
        positions: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
        radius: Option<&Bound<'_, PyAny>>,
        speed: Option<&Bound<'_, PyAny>>,
    ) -> Result<Self, Fault> {
        let positions = rows_of_points("positions", positions)?;
        let count = positions.len();
        let or = |what, given: Option<&Bound<'_, PyAny>>, usual| {
            given.map_or(Ok(vec![usual; count]), |given| {
                floats_for(what, given, count)
            })
        };
        let ids = ids.map(|ids| ids_for(ids, count)).transpose()?;
        Ok(Self {
            radii: or("radius", radius, 0.3)?,
            speeds: or("speed", speed, 4.0)?,
            positions,
            ids,
        })
    }

    /// Adds the units to a group that is there or is made now, or does nothing at all, and returns
    /// the group and their ids.
    fn join(
        self,
        army: &mut EngineArmy,
        group: impl FnOnce(&mut EngineArmy) -> Result<GroupId, ArmyError>,
    ) -> Result<(GroupId, Vec<u32>), Fault> {
        let first = army.units().iter().map(|unit| unit.id).max();
        let first = first.map_or(0, |last| u64::from(last) + 1);
        let ids = match self.ids {
            Some(ids) => ids,
            None => {
                let ids = (first..).take(self.positions.len()).map(u32::try_from);
                ids.collect::<Result<_, _>>().map_err(|_| {
                    Fault::state("the ids after the army's last are used up: give `ids`")
                })?
            }
        };
        let units = |group| {
            let shapes = self.radii.iter().zip(&self.speeds);
            let all = ids.iter().zip(&self.positions).zip(shapes);
            all.map(move |((&id, &position), (&radius, &speed))| {
                let unit = Unit::new(id, group, position);
                unit.with_radius(radius).with_speed(speed)
            })
        };
        // Whatever would be refused is refused here, by an army that is thrown away.
        let mut trial = EngineArmy::default();
        let stand = trial.add_group(Target::Stand, Reading::Nearest)?;
        for unit in units(stand) {
            if army.get(unit.id).is_some() {
                return Err(ArmyError::UnitExists { unit: unit.id }.into());
            }
            trial.add(unit)?;
        }
        let group = group(army)?;
        units(group).try_for_each(|unit| army.add(unit))?;
        Ok((group, ids))
    }
}

/// Reads points in one row, as of units: (n, 2).
pub(super) fn rows_of_points(what: &str, given: &Bound<'_, PyAny>) -> Result<Vec<[f32; 2]>, Fault> {
    let found = points(what, given)?;
    if found.shape.len() == 1 {
        return Ok(found.values);
    }
    Err(Fault::argument(format!(
        "`{what}` has {} dimensions: give an array of the shape (n, 2)",
        found.shape.len() + 1
    )))
}

fn ids_for(given: &Bound<'_, PyAny>, count: usize) -> Result<Vec<u32>, Fault> {
    let ids = numbers("ids", given)?;
    if ids.len() == count {
        return Ok(ids);
    }
    let found = ids.len();
    Err(Fault::argument(format!(
        "there are {found} ids and {count} of the rest: give as many"
    )))
}

/// Points for units: a row each, or one for a single unit.
fn points_for(what: &str, given: &Bound<'_, PyAny>, count: usize) -> Result<Vec<[f32; 2]>, Fault> {
    each(what, points(what, given)?, count, ("pair of x and y", &[2]))
}

/// Reads units, and where each is from now on.
fn moved(
    ids: &Bound<'_, PyAny>,
    positions: &Bound<'_, PyAny>,
) -> Result<(Vec<u32>, Vec<[f32; 2]>), Fault> {
    let found = numbers("ids", ids)?;
    let places = points_for("positions", positions, found.len())?;
    Ok((found, places))
}

impl Army {
    /// Checks that units are put on the map.
    fn check_places(&self, py: Python<'_>, places: &[[f32; 2]]) -> Result<(), Fault> {
        self.world.get().read(py, |world| {
            let map = world.costs();
            let is_off = |place: &[f32; 2]| !map.area().contains(anchor(1, *place));
            let Some(number) = places.iter().position(is_off) else {
                return Ok(());
            };
            let ([x, y], width, height) = (places[number], map.width(), map.height());
            Err(Fault::argument(format!(
                "position {number} of `positions`, ({x}, {y}), is off the map of {width}×{height} \
                 cells: give x of 0 to less than {width}, and y of 0 to less than {height}"
            )))
        })
    }

    /// Changes each of several units, or none: what the engine would refuse is tried first.
    fn each_unit<T: Copy + Sync + Send>(
        &self,
        py: Python<'_>,
        ids: &[u32],
        values: &[T],
        fits: impl Fn(T) -> bool + Sync,
        set: impl Fn(&mut EngineArmy, u32, T) -> Result<(), ArmyError> + Sync,
    ) -> Result<(), Fault> {
        self.change(py, |army| {
            let both = || ids.iter().copied().zip(values.iter().copied());
            let is_doubtful = |&(id, value): &(u32, T)| !fits(value) || army.get(id).is_none();
            if let Some((id, value)) = both().find(is_doubtful) {
                set(army, id, value)?;
            }
            for (id, value) in both() {
                set(army, id, value)?;
            }
            Ok(())
        })
    }

    fn each_number(
        &self,
        ids: &Bound<'_, PyAny>,
        (what, given): (&str, &Bound<'_, PyAny>),
        range: std::ops::RangeInclusive<f32>,
        set: impl Fn(&mut EngineArmy, u32, f32) -> Result<(), ArmyError> + Sync,
    ) -> Result<(), Fault> {
        let ids_found = numbers("ids", ids)?;
        let values = floats_for(what, given, ids_found.len())?;
        let fits = |value: f32| range.contains(&value);
        self.each_unit(ids.py(), &ids_found, &values, fits, set)
    }

    fn each_point(
        &self,
        py: Python<'_>,
        (found, values): &(Vec<u32>, Vec<[f32; 2]>),
        set: impl Fn(&mut EngineArmy, u32, [f32; 2]) -> Result<(), ArmyError> + Sync,
    ) -> Result<(), Fault> {
        let fits = |point: [f32; 2]| point.iter().all(|at| (-MOST..=MOST).contains(at));
        self.each_unit(py, found, values, fits, set)
    }
}

#[pymethods]
impl Army {
    /// Adds a group that stands, with units if positions are given, and returns its number.
    ///
    /// positions, ids, radius, speed: as for `add_units`.
    /// reading: how its units read their direction: "ahead" is right for nearly everything, "crowd"
    ///     is the same and around crowds; others are "nearest", "bilinear" and "lowest-of-four".
    #[pyo3(signature = (
        positions = None, *, ids = None, radius = None, speed = None, reading = "ahead"
    ))]
    fn add_group(
        &self,
        py: Python<'_>,
        positions: Option<&Bound<'_, PyAny>>,
        ids: Option<&Bound<'_, PyAny>>,
        radius: Option<&Bound<'_, PyAny>>,
        speed: Option<&Bound<'_, PyAny>>,
        reading: &str,
    ) -> Result<u64, Fault> {
        let reading: Reading = self::reading(reading)?;
        let recruits = match positions {
            Some(positions) => Some(Recruits::of(positions, ids, radius, speed)?),
            None => None,
        };
        if let Some(recruits) = &recruits {
            self.check_places(py, &recruits.positions)?;
        }
        self.change(py, |army| {
            let stand = |army: &mut EngineArmy| army.add_group(Target::Stand, reading);
            let group = match recruits {
                Some(recruits) => recruits.join(army, stand)?.0,
                None => stand(army)?,
            };
            Ok(group.number())
        })
    }

    /// Adds units to a group, and returns their ids; if one is refused, none is added.
    ///
    /// positions: on the map, an array of the shape (n, 2); (3.5, 4.5) is the middle of cell (3, 4).
    /// ids: unique in the army, and the same on every machine; without them, those after the
    ///     army's last.
    /// radius, speed: one number, or one each; 0.3 cells and 4 cells a second if left out.
    #[pyo3(signature = (group, positions, *, ids = None, radius = None, speed = None))]
    fn add_units<'py>(
        &self,
        py: Python<'py>,
        group: Whole<u64>,
        positions: &Bound<'py, PyAny>,
        ids: Option<&Bound<'py, PyAny>>,
        radius: Option<&Bound<'py, PyAny>>,
        speed: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, u32>, Fault> {
        let recruits = Recruits::of(positions, ids, radius, speed)?;
        self.check_places(py, &recruits.positions)?;
        let group = GroupId::from_number(group.0);
        let ids = self.change(py, |army| {
            army.group(group).ok_or(ArmyError::NoGroup { group })?;
            Ok(recruits.join(army, |_| Ok(group))?.1)
        })?;
        let count = ids.len();
        made(py, ids, &[count])
    }

    /// Removes those of these units that the army has, and returns how many these were.
    fn remove_units(&self, ids: &Bound<'_, PyAny>) -> Result<usize, Fault> {
        let found = numbers("ids", ids)?;
        self.change(ids.py(), |army| Ok(army.remove_all(found)))
    }

    /// Puts units at other places on the map, as a teleporter does; they set out from there.
    fn set_position(
        &self,
        ids: &Bound<'_, PyAny>,
        positions: &Bound<'_, PyAny>,
    ) -> Result<(), Fault> {
        let both = moved(ids, positions)?;
        self.check_places(ids.py(), &both.1)?;
        self.each_point(ids.py(), &both, EngineArmy::set_position)
    }

    /// Notes where units are whose bodies the game moves itself, by the units' velocities: they go
    /// on from there as they were. Before a step; over a cell away it is as `set_position`. A body may
    /// have left the map.
    fn carry(&self, ids: &Bound<'_, PyAny>, positions: &Bound<'_, PyAny>) -> Result<(), Fault> {
        self.each_point(ids.py(), &moved(ids, positions)?, EngineArmy::carry)
    }

    /// Puts units that overlap walls beside them, as after building on them, and returns how many
    /// there were.
    fn put_out_of_walls(&self, py: Python<'_>) -> Result<usize, Fault> {
        self.change_both(py, |army, world| Ok(army.put_out_of_walls(world)))
    }

    /// Gives units another group.
    fn set_group(&self, ids: &Bound<'_, PyAny>, group: Whole<u64>) -> Result<(), Fault> {
        let (found, group) = (numbers("ids", ids)?, GroupId::from_number(group.0));
        let groups = vec![group; found.len()];
        self.change(ids.py(), |army| {
            army.group(group).ok_or(ArmyError::NoGroup { group })?;
            Ok(())
        })?;
        self.each_unit(ids.py(), &found, &groups, |_| true, EngineArmy::set_group)
    }

    /// Sets the greatest speeds of units, in cells a second: one number, or one each.
    fn set_speed(&self, ids: &Bound<'_, PyAny>, speed: &Bound<'_, PyAny>) -> Result<(), Fault> {
        self.each_number(ids, ("speed", speed), 0.0..=MOST, EngineArmy::set_speed)
    }

    /// Sets the radii of units, 0 to 16 cells: one number, or one each.
    fn set_radius(&self, ids: &Bound<'_, PyAny>, radius: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let range = 0.0..=flowtiles::steer::MAX_RADIUS;
        self.each_number(ids, ("radius", radius), range, EngineArmy::set_radius)
    }

    /// Sets the weights of units, 0.01 to 100: the heavier pushes the lighter aside.
    fn set_weight(&self, ids: &Bound<'_, PyAny>, weight: &Bound<'_, PyAny>) -> Result<(), Fault> {
        self.each_number(
            ids,
            ("weight", weight),
            0.01..=100.0,
            EngineArmy::set_weight,
        )
    }

    /// Sets the velocities that units wish for, in cells a second, from the next step on: for
    /// units that a policy drives.
    ///
    /// Each of these units gets a group of its own, with everything that was set of the former
    /// one. It goes straight on in the direction of its wish, at most as fast as the wish is long.
    /// On the way it keeps room, steps aside, is pushed and slides along walls as the others do.
    /// With a wish of (0, 0) it stands. `set_group` brings it back to a group.
    ///
    /// >>> army = Army(World.open(60, 40))
    /// >>> band = army.add_group([(5.5, 5.5), (5.5, 9.5)])
    /// >>> army.wish([0], [(2, 0)])
    /// >>> army.step(20)
    /// >>> army.positions().round(1).tolist()
    /// [[7.5, 5.5], [5.5, 9.5]]
    fn wish(&self, ids: &Bound<'_, PyAny>, velocities: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let found = numbers("ids", ids)?;
        let wishes = points_for("velocities", velocities, found.len())?;
        let mut named = BTreeSet::new();
        if let Some(unit) = found.iter().find(|&&unit| !named.insert(unit)) {
            let text = format!("`ids` has unit {unit} twice: name each unit once");
            return Err(Fault::argument(text));
        }
        self.change(ids.py(), |army| {
            for (&unit, wish) in found.iter().zip(&wishes) {
                let known = army.get(unit).ok_or(ArmyError::NoUnit { unit })?;
                let speed = length(*wish);
                if !(0.0..=MOST).contains(&speed) {
                    return Err(Fault::argument(format!(
                        "unit {unit} cannot wish for a velocity of {wish:?}: give numbers of a \
                         length of 0 to 1,000,000"
                    )));
                }
                let [x, y] = known.position;
                if !(-MOST + AHEAD..=MOST - AHEAD).contains(&x.abs().max(y.abs())) {
                    return Err(Fault::state(format!(
                        "unit {unit} is too far off the map for a wish: set its position"
                    )));
                }
            }
            for (&unit, &[x, y]) in found.iter().zip(&wishes) {
                let groups = army.split([unit])?;
                let (Some(&group), Some(known)) = (groups.first(), army.get(unit)) else {
                    continue;
                };
                let (at, speed) = (known.position, length([x, y]));
                army.disband(group)?;
                if speed == 0.0 {
                    army.send(group, Target::Stand)?;
                    continue;
                }
                army.set_speed(unit, speed)?;
                let ahead = [at[0] + x / speed * AHEAD, at[1] + y / speed * AHEAD];
                army.send(group, Target::Point(ahead))?;
            }
            Ok(())
        })
    }
}

fn length([x, y]: [f32; 2]) -> f32 {
    (x * x + y * y).sqrt()
}
