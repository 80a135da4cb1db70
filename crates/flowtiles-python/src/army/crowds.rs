//! Jams, crowds and what teams see.

use std::collections::BTreeMap;

use flowtiles::crowd::{CrowdSettings, Danger, Heights};
use flowtiles::steer::{ArmyError, GroupId, Unit};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Army;
use crate::arrays::{Made, area, floats, floats_for, just, made, points};
use crate::errors::Fault;
use crate::goal::layer;
use crate::numbers::{Number, Whole, set_fields};
use crate::reports::SurchargeReport;

#[pymethods]
impl Army {
    /// Sets what the army's jams cost more on a layer, by level: the last of the 4 in a full jam.
    fn set_jam_costs(
        &self,
        py: Python<'_>,
        layer: Whole<u32>,
        costs: &Bound<'_, PyAny>,
    ) -> Result<SurchargeReport, Fault> {
        let (on, costs) = (self::layer(layer)?, just("costs", costs, [0, 255])?);
        self.change_both(py, |army, world| {
            Ok(army.set_jam_costs(world, on, costs)?.into())
        })
    }

    /// Notes where the army is jammed, for the layers of `set_jam_costs`. Twice a second.
    fn note_jams(&self, py: Python<'_>) -> Result<SurchargeReport, Fault> {
        self.change_both(py, |army, world| Ok(army.note_jams(world).into()))
    }

    /// Returns the cells of the units that march and do not get on, of the shape (n, 2), and what
    /// each counts for: the hundredths of a cell that its body fills, by the part that it lost.
    fn jammed<'py>(&self, py: Python<'py>) -> Result<(Made<'py, i32>, Made<'py, u16>), Fault> {
        let jams: Vec<_> = self.read(py, |army| Ok(army.jammed().collect()))?;
        let count = jams.len();
        let cells = jams.iter().flat_map(|(cell, _)| [cell.x, cell.y]).collect();
        let loads = jams.iter().map(|(_, load)| *load).collect();
        Ok((made(py, cells, &[count, 2])?, made(py, loads, &[count])?))
    }

    /// Sets how the crowd is solved for all groups that read it; what is left out has its default:
    /// `resolution`, `exponent`, `interval`, `predictions`, `margin`, `crowd`, `cells_per_step`,
    /// `sectors`, `exact`.
    #[pyo3(signature = (**settings))]
    fn set_crowd_settings(
        &self,
        py: Python<'_>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> Result<(), Fault> {
        let mut made = CrowdSettings::default();
        if let Some(settings) = settings {
            set_fields!(made, settings, {
                resolution: Whole<u32>, exponent: Whole<u32>, interval: Number,
                predictions: Whole<u32>, margin: Whole<u32>, crowd: Whole<u32>,
                cells_per_step: Whole<u64>, sectors: Whole<u32>, exact: Number,
            });
        }
        self.change(py, |army| Ok(army.set_crowd_settings(made)?))
    }

    /// Sets how a group goes through the crowd; what is left out stays: `length`, `time`,
    /// `discomfort`, `sparse`, `dense`, `dearest`, `foresight`, `predicted`, `standing`, `flat`,
    /// `steep`, `uphill`.
    #[pyo3(signature = (group, **conduct))]
    fn set_conduct(
        &self,
        py: Python<'_>,
        group: Whole<u64>,
        conduct: Option<&Bound<'_, PyDict>>,
    ) -> Result<(), Fault> {
        let id = GroupId::from_number(group.0);
        let mut made = self.read(py, |army| {
            let known = army.settings(id).ok_or(ArmyError::NoGroup { group: id })?;
            Ok(known.conduct)
        })?;
        if let Some(conduct) = conduct {
            set_fields!(made, conduct, {
                length: Number, time: Number, discomfort: Number, sparse: Number, dense: Number,
                dearest: Number, foresight: Number, predicted: Number, standing: Number,
                flat: Number, steep: Number, uphill: Number,
            });
        }
        self.configure(py, group, |settings| settings.conduct = made)
    }

    /// Makes an area uncomfortable to groups that read the crowd; 0 takes that away.
    fn paint(&self, area: &Bound<'_, PyAny>, strength: Number) -> Result<(), Fault> {
        let painted = self::area("area", area)?;
        self.change_both(area.py(), |army, world| {
            Ok(army.crowd_mut().paint(world, painted, strength.0)?)
        })
    }

    /// Sets the discs that groups that read the crowd avoid: points, and for each, or for all, a
    /// radius and a strength.
    fn set_dangers(
        &self,
        positions: &Bound<'_, PyAny>,
        radius: &Bound<'_, PyAny>,
        strength: &Bound<'_, PyAny>,
    ) -> Result<(), Fault> {
        let places = points("positions", positions)?.values;
        let radii = floats_for("radius", radius, places.len())?;
        let strengths = floats_for("strength", strength, places.len())?;
        let both = radii.into_iter().zip(strengths);
        let dangers: Vec<Danger> = places
            .into_iter()
            .zip(both)
            .map(|(position, (radius, strength))| Danger {
                position,
                radius,
                strength,
            })
            .collect();
        self.change(positions.py(), |army| {
            Ok(army.crowd_mut().set_dangers(&dangers)?)
        })
    }

    /// Gives the map heights, an array [y, x] in cells, so that steps uphill become slower to
    /// groups that read the crowd; None takes them away.
    fn set_heights(&self, py: Python<'_>, heights: Option<&Bound<'_, PyAny>>) -> Result<(), Fault> {
        let Some(given) = heights else {
            return self.change(py, |army| {
                army.crowd_mut().remove_heights();
                Ok(())
            });
        };
        let found = floats("heights", given)?;
        let [width, height] = self.world.get().size(py)?;
        if found.shape != [height as usize, width as usize] {
            return Err(Fault::argument(format!(
                "`heights` has the shape {:?}: give one of the map's, [{height}, {width}], a height for \
                 each cell",
                found.shape
            )));
        }
        let made = Heights::from_floats(width, height, found.values);
        let made = made.ok_or_else(|| {
            Fault::argument("`heights` cannot be used: give an array [y, x] of finite numbers")
        })?;
        self.change_both(py, |army, world| {
            Ok(army.crowd_mut().set_heights(world, made)?)
        })
    }

    /// Returns how much of the ground units fill at positions, as the crowd knows it; NaN where it
    /// does not.
    fn crowd_density<'py>(&self, positions: &Bound<'py, PyAny>) -> Result<Made<'py, f32>, Fault> {
        let asked = points("positions", positions)?;
        let found = self.read(positions.py(), |army| {
            let crowd = army.crowd();
            let density = |&at: &[f32; 2]| {
                crowd
                    .and_then(|crowd| crowd.density(at))
                    .unwrap_or(f32::NAN)
            };
            Ok(asked.values.iter().map(density).collect())
        })?;
        made(positions.py(), found, &asked.shape)
    }

    /// Shows each team with fog what the army's units see, the ground within `sight` cells of each,
    /// and returns the number of orders that are planned again. A group's team is that of its
    /// layer.
    ///
    /// sights: how far the units of some groups see, by group.
    #[pyo3(signature = (sight, sights = None))]
    fn look(
        &self,
        py: Python<'_>,
        sight: Whole<u32>,
        sights: Option<&Bound<'_, PyDict>>,
    ) -> Result<usize, Fault> {
        let pairs = sights.into_iter().flat_map(|sights| sights.iter());
        let own = pairs.map(|(group, sight)| {
            let (group, sight): (Whole<u64>, Whole<u32>) = (group.extract()?, sight.extract()?);
            Ok((GroupId::from_number(group.0), sight.0))
        });
        let own = own.collect::<Result<BTreeMap<GroupId, u32>, Fault>>()?;
        self.change_both(py, |army, world| {
            if let Some(&group) = own.keys().find(|group| army.settings(**group).is_none()) {
                return Err(ArmyError::NoGroup { group }.into());
            }
            let sight = |unit: &Unit| own.get(&unit.group).copied().unwrap_or(sight.0);
            Ok(army.look(world, sight))
        })
    }
}
