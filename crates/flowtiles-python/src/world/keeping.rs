//! Orders, saves and copies.

use flowtiles::FlowWorld;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use super::World;
use crate::arrays::cells;
use crate::errors::Fault;
use crate::goal::goal;
use crate::numbers::Whole;
use crate::order::Order;
use crate::picture::Layers;

#[pymethods]
impl World {
    /// Orders units at these cells to a goal: a cell, several, or a `Goal`.
    ///
    /// Directions come with the next ticks. They are kept as long as the order is.
    ///
    /// >>> world = World.open(60, 40)
    /// >>> order = world.order(Goal([(50, 20), (5, 35)]), [(5, 20), (7, 21)])
    /// >>> world.tick().waiting
    /// 0
    #[pyo3(signature = (goal, units = None))]
    fn order(
        slf: &Bound<'_, Self>,
        goal: &Bound<'_, PyAny>,
        units: Option<&Bound<'_, PyAny>>,
    ) -> Result<Order, Fault> {
        let goal = self::goal(goal)?;
        let units = units.map(|units| cells("units", units)).transpose()?;
        let units = units.map_or(Vec::new(), |units| units.values);
        let claim = slf
            .get()
            .change(slf.py(), |world| Ok(world.order(goal, &units)?))?;
        Ok(Order::of(slf, claim))
    }

    /// Returns another claim on an order of this world, by its number.
    fn order_by_number(slf: &Bound<'_, Self>, number: Whole<u64>) -> Result<Order, Fault> {
        let claim = slf.get().read(slf.py(), |world| {
            let claim = world.order_with_number(number.0);
            claim.ok_or_else(|| {
                let number = number.0;
                Fault::state(format!(
                    "the world has no order {number}: give the `number` of one that an `Order` or an \
                     army still has; `drop_claims` frees all others of a loaded or copied world"
                ))
            })
        })?;
        Ok(Order::of(slf, claim))
    }

    /// Drops the claims that a loaded or copied world keeps on its orders. Take those that you
    /// need by number, and load armies, before.
    fn drop_claims(&self, py: Python<'_>) -> Result<(), Fault> {
        py.detach(|| {
            self.change_alone(|stage| {
                stage.claims.clear();
                Ok(())
            })
        })
    }

    /// Returns the world as bytes. Equal worlds have equal bytes.
    fn save<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Fault> {
        let bytes = self.read(py, |world| Ok(world.save()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Makes a world of a save, if its map has at most `cells_max` cells. It keeps its orders until
    /// `drop_claims`.
    ///
    /// In lockstep all players load, also the one that saved: a save has no finished searches, so
    /// the loaded world may later part from the saved one.
    ///
    /// >>> world = World.open(60, 40)
    /// >>> World.load(world.save()).hash() == world.hash()
    /// True
    #[staticmethod]
    #[pyo3(signature = (save, cells_max = None))]
    fn load(py: Python<'_>, save: &[u8], cells_max: Option<Whole<u64>>) -> Result<Self, Fault> {
        let loaded = py.detach(|| match cells_max {
            Some(cells_max) => FlowWorld::load_within(save, cells_max.0),
            None => FlowWorld::load(save),
        });
        let (world, claims) = loaded?;
        Ok(Self::of(world, claims))
    }

    /// Copies the world with everything, for rollback or a look ahead. The copy keeps its orders as
    /// a loaded one does.
    fn fork(&self, py: Python<'_>) -> Result<Self, Fault> {
        let (world, claims) = self.read(py, |world| Ok(world.fork()))?;
        Ok(Self::of(world, claims))
    }

    /// Returns a hash of everything on which the next ticks depend, the same on every machine.
    fn hash(&self, py: Python<'_>) -> Result<u64, Fault> {
        self.read(py, |world| Ok(world.state_hash()))
    }

    /// For pickle, by a save.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> Result<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,)), Fault> {
        let load = PyType::new::<Self>(py).getattr("load")?;
        Ok((load, (self.save(py)?,)))
    }

    /// The map as a picture, for notebooks.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Fault> {
        self.picture(py, None, None)
    }

    /// Returns a picture of the map as the bytes of a PNG.
    ///
    /// area: what is shown; the whole map if left out.
    /// layers: what is drawn, as names of `flowtiles render --layers`: cost, islands, clearance,
    ///     sectors, portals, graph.
    #[pyo3(signature = (area = None, layers = None))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        area: Option<&Bound<'py, PyAny>>,
        layers: Option<Layers>,
    ) -> Result<Bound<'py, PyBytes>, Fault> {
        let area = self.area_or_all(py, area)?;
        let layers = crate::picture::layers(layers, &crate::picture::OF_MAP)?;
        let png = self.read(py, |world| {
            crate::picture::png(world, &[], &[], area, &layers)
        })?;
        Ok(PyBytes::new(py, &png))
    }
}
