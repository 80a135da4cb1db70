//! What teams know of the ground.

use flowtiles::Cost;
use flowtiles::error::FogError;
use pyo3::prelude::*;

use super::World;
use crate::arrays::{Made, areas, cells, fixed, narrow, numbers_for};
use crate::errors::Fault;
use crate::numbers::{Whole, one_whole};
use crate::reports::EditReport;

#[pymethods]
impl World {
    /// Lays fog for a team, 1 to 7: from now on its orders, those on layers of
    /// `layer_for_team`, know what it has seen, and not what is there. At first it knows all as
    /// it is now; what it has not explored, `forget`.
    fn add_fog(&self, py: Python<'_>, team: Whole<u8>) -> Result<(), Fault> {
        self.change(py, |world| Ok(world.add_fog(team.0)?))
    }

    /// Takes the fog of a team away: it sees the world as it is.
    fn remove_fog(&self, py: Python<'_>, team: Whole<u8>) -> Result<EditReport, Fault> {
        self.change(py, |world| Ok(world.remove_fog(team.0)?.into()))
    }

    /// Shows a team areas as they are. The report tells of cells that were not as it knew them.
    fn reveal(
        &self,
        py: Python<'_>,
        team: Whole<u8>,
        areas: &Bound<'_, PyAny>,
    ) -> Result<EditReport, Fault> {
        let areas = self::areas("areas", areas)?;
        self.change(py, |world| Ok(world.reveal(team.0, &areas)?.into()))
    }

    /// Reveals to a team the ground within a number of cells of each given cell, which may be off
    /// the map. For units of an army there is `Army.look`.
    fn reveal_around(
        &self,
        py: Python<'_>,
        team: Whole<u8>,
        cells: &Bound<'_, PyAny>,
        sights: &Bound<'_, PyAny>,
    ) -> Result<EditReport, Fault> {
        let cells = self::cells("cells", cells)?.values;
        let sights = numbers_for("sights", sights, cells.len())?;
        let eyes: Vec<_> = cells.into_iter().zip(sights).collect();
        self.change(py, |world| Ok(world.reveal_around(team.0, &eyes)?.into()))
    }

    /// Makes a team believe that all cells of areas have this cost.
    #[pyo3(signature = (team, areas, cost = 1))]
    fn forget(
        &self,
        py: Python<'_>,
        team: Whole<u8>,
        areas: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = one_whole)] cost: u8,
    ) -> Result<EditReport, Fault> {
        let (areas, kind) = (self::areas("areas", areas)?, Cost::new(cost)?);
        self.change(py, |world| Ok(world.forget(team.0, &areas, kind)?.into()))
    }

    /// Sets the kinds of ground that are opaque, in place of those set before: nobody sees or shoots
    /// through them. Until the first call walls stop shots, and nothing hides anything.
    fn set_opaque(&self, py: Python<'_>, kinds: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let kinds = narrow("kinds", kinds, [1, 255])?.values;
        let kinds = kinds
            .into_iter()
            .map(Cost::new)
            .collect::<Result<Vec<_>, _>>()?;
        self.change(py, |world| {
            world.set_opaque(&kinds);
            Ok(())
        })
    }

    /// Whether a kind of ground is opaque to shots, and to eyes if kinds have been set.
    fn is_opaque(&self, py: Python<'_>, kind: Whole<u8>) -> Result<bool, Fault> {
        let kind = Cost::new(kind.0)?;
        self.read(py, |world| Ok(world.is_opaque(kind)))
    }

    /// Returns what a team knows of an area, or of the whole map: the costs that it saw last, as
    /// an array [y, x], which is as that of `costs`.
    #[pyo3(signature = (team, area = None))]
    fn known<'py>(
        &self,
        py: Python<'py>,
        team: Whole<u8>,
        area: Option<&Bound<'py, PyAny>>,
    ) -> Result<Made<'py, u8>, Fault> {
        let area = self.area_or_all(py, area)?;
        let costs = self.read(py, |world| {
            let known = world.known(team.0);
            super::costs_of(known.ok_or(FogError::NoFog { team: team.0 })?, area)
        })?;
        fixed(py, costs, &[area.height as usize, area.width as usize])
    }
}
