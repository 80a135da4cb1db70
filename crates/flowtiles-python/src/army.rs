//! Armies: units in groups, moved one step at a time.

mod crowds;
mod groups;
mod questions;
mod reading;
mod units;

use std::sync::RwLock;

use flowtiles::steer::{
    Army as EngineArmy, ArmyError, ArmyEvent, GroupId, GroupSettings, HardGround, Settings,
};
use flowtiles::{Budget, FlowWorld};
use numpy::PyArrayDyn;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};

use crate::errors::Fault;
use crate::numbers::{Number, Whole, one_float, one_whole, set_fields};
use crate::picture::Layers;
use crate::world::World;

/// How many steps are made before the interpreter is asked whether to stop.
const STEPS_AT_ONCE: u32 = 64;

/// Units in groups, moved one step at a time.
///
/// world: the world on which the units walk.
/// settings: how they move; what is left out has its default. In cells and seconds: `force` 30 is
///     how fast a velocity may change; `follow` 1, `separation` 0.5, `alignment` 0.1, `cohesion` 0
///     and `avoidance` 1.2 are weights; `room` 0.15 is the room that units keep if they can,
///     `range` 1.5 how far neighbours count, `horizon` 0.8 how far ahead contacts are avoided, `catch_up`
///     1.4 the factor by which a unit behind its formation exceeds its speed, `patience` 2 when a
///     unit without progress tries harder, `pushes` 5 how often a step pushes units apart,
///     `hard_ground_slows` whether hard ground slows units down: True.
///
/// >>> world = World.open(60, 40)
/// >>> army = Army(world)
/// >>> band = army.add_group([(5.5, 20.5), (6.5, 20.5)])
/// >>> army.send_all(band, (50, 20))
/// >>> while not army.is_settled():
/// ...     army.step()
/// >>> bool((abs(army.positions() - (50.5, 20.5)) < 2).all())
/// True
#[pyclass(frozen, weakref, module = "flowtiles")]
pub(crate) struct Army {
    world: Py<World>,
    state: RwLock<State>,
}

/// An army, and what the last call of `step` made happen.
struct State {
    army: EngineArmy,
    /// Each with the number of its step in the call.
    events: Vec<(u32, ArmyEvent)>,
}

/// How pickle makes an army: the call, the world and the save.
type Reduced<'py> = (Bound<'py, PyAny>, (Py<World>, Bound<'py, PyBytes>));

fn broken<T>(_: T) -> Fault {
    Fault::state("an earlier call broke this army: make another")
}

impl Army {
    fn of(world: Py<World>, army: EngineArmy) -> Self {
        let events = Vec::new();
        let state = RwLock::new(State { army, events });
        Self { world, state }
    }

    fn read<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&EngineArmy) -> Result<T, Fault> + Send,
    ) -> Result<T, Fault> {
        py.detach(|| ask(&self.state.read().map_err(broken)?.army))
    }

    fn change<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut EngineArmy) -> Result<T, Fault> + Send,
    ) -> Result<T, Fault> {
        py.detach(|| change(&mut self.state.write().map_err(broken)?.army))
    }

    /// Asks the army about the ground.
    fn read_both<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce(&EngineArmy, &FlowWorld) -> Result<T, Fault> + Send,
    ) -> Result<T, Fault> {
        let world = self.world.get();
        py.detach(|| world.read_alone(|world| ask(&self.state.read().map_err(broken)?.army, world)))
    }

    /// Changes the army, and the world with it.
    fn change_both<T: Send>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut EngineArmy, &mut FlowWorld) -> Result<T, Fault> + Send,
    ) -> Result<T, Fault> {
        let world = self.world.get();
        py.detach(|| {
            world.change_alone(|stage| {
                let mut state = self.state.write().map_err(broken)?;
                change(&mut state.army, &mut stage.world)
            })
        })
    }

    /// Changes what is set of a group.
    fn configure(
        &self,
        py: Python<'_>,
        group: Whole<u64>,
        change: impl FnOnce(&mut GroupSettings) + Send,
    ) -> Result<(), Fault> {
        let group = GroupId::from_number(group.0);
        self.change_both(py, |army, world| {
            let known = army.settings(group).ok_or(ArmyError::NoGroup { group })?;
            let mut settings = *known;
            change(&mut settings);
            Ok(army.configure(group, settings, world)?)
        })
    }
}

fn read_settings(given: Option<&Bound<'_, PyDict>>) -> Result<Settings, Fault> {
    /// The settings of a march, and a switch in place of a choice.
    struct Given {
        settings: Settings,
        hard_ground_slows: bool,
    }
    /// As `Number` and `Whole` are.
    struct Switch(bool);
    impl<'py> FromPyObject<'_, 'py> for Switch {
        type Error = PyErr;

        fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
            given.extract().map(Self)
        }
    }
    let mut made = Given {
        settings: Settings::default(),
        hard_ground_slows: true,
    };
    if let Some(given) = given {
        let rest = given.copy()?;
        if let Some(value) = rest.get_item("hard_ground_slows")? {
            made.hard_ground_slows = value.extract::<Switch>()?.0;
            rest.del_item("hard_ground_slows")?;
        }
        set_fields!(made.settings, rest, {
            force: Number, follow: Number, separation: Number, alignment: Number, cohesion: Number,
            avoidance: Number, room: Number, range: Number, horizon: Number, catch_up: Number,
            patience: Number, pushes: Whole<u32>,
        });
    }
    made.settings.terrain = if made.hard_ground_slows {
        HardGround::Slows
    } else {
        HardGround::Ignored
    };
    Ok(made.settings)
}

#[pymethods]
impl Army {
    #[new]
    #[pyo3(signature = (world, **settings))]
    fn new(world: Py<World>, settings: Option<&Bound<'_, PyDict>>) -> Result<Self, Fault> {
        let army = EngineArmy::new(read_settings(settings)?)?;
        Ok(Self::of(world, army))
    }

    /// The world.
    #[getter]
    fn world(&self, py: Python<'_>) -> Py<World> {
        self.world.clone_ref(py)
    }

    /// Makes steps: each ticks the world, moves all units, and extends orders to those off their
    /// routes.
    ///
    /// count: how many.
    /// seconds: how long each is.
    /// cells: the work on orders in each, in cells; None for all of it.
    ///
    /// >>> army = Army(World.open(60, 40))
    /// >>> army.step(100)
    #[pyo3(signature = (count = 1, *, seconds = 0.05, cells = Some(Whole(4000))),
        text_signature = "($self, /, count=1, *, seconds=0.05, cells=4000)"
    )]
    fn step(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = one_whole)] count: u32,
        #[pyo3(from_py_with = one_float)] seconds: f32,
        cells: Option<Whole<u64>>,
    ) -> Result<(), Fault> {
        if !(0.0..=1000.0).contains(&seconds) {
            let text = format!("`seconds` cannot be {seconds}: give 0 to 1,000");
            return Err(Fault::argument(text));
        }
        let budget = cells.map_or(Budget::UNLIMITED, |cells| Budget::cells(cells.0));
        let world = self.world.get();
        for first in (0..count.max(1)).step_by(STEPS_AT_ONCE as usize) {
            let steps = first..count.min(first + STEPS_AT_ONCE);
            py.detach(|| {
                world.change_alone(|stage| {
                    let mut state = self.state.write().map_err(broken)?;
                    let State { army, events } = &mut *state;
                    if first == 0 {
                        events.clear();
                    }
                    for step in steps {
                        army.tick(&mut stage.world, budget, seconds);
                        events.extend(army.events().iter().map(|event| (step, *event)));
                    }
                    Ok::<(), Fault>(())
                })
            })?;
            // A handler of a signal may ask this army: nothing is locked here.
            py.check_signals()?;
        }
        Ok(())
    }

    /// Returns what has happened in the last call of `step`, as a structured array: `step` in that
    /// call, `kind` (an `EventKind`), `group`, `unit`, and `value`, which is a stuck unit's level
    /// or the number of a link.
    fn events<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyAny>, Fault> {
        let events = py.detach(|| {
            let state = self.state.read().map_err(broken)?;
            Ok::<_, Fault>(state.events.clone())
        })?;
        reading::events(py, &events)
    }

    /// Whether no unit is on its way.
    fn is_settled(&self, py: Python<'_>) -> Result<bool, Fault> {
        self.read(py, |army| Ok(army.is_settled()))
    }

    fn __len__(&self, py: Python<'_>) -> Result<usize, Fault> {
        self.read(py, |army| Ok(army.units().len()))
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self, py: Python<'_>) -> Result<String, Fault> {
        self.read(py, |army| {
            let (units, groups) = (army.units().len(), army.groups().count());
            Ok(format!("<Army of {units} units in {groups} groups>"))
        })
    }

    /// Returns the army as bytes. The world is saved by itself, at the same moment.
    fn save<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Fault> {
        let bytes = self.read(py, |army| Ok(army.save()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Makes an army of a save, on the world that was saved with it and loaded, before its claims
    /// are dropped.
    #[staticmethod]
    fn load(world: Bound<'_, World>, save: &[u8]) -> Result<Self, Fault> {
        let army = world
            .get()
            .read(world.py(), |world| Ok(EngineArmy::load(save, world)?))?;
        Ok(Self::of(world.unbind(), army))
    }

    /// Copies the army for a copy of its world that was made at the same moment.
    ///
    /// >>> army = Army(World.open(60, 40))
    /// >>> copy = army.fork(army.world.fork())
    /// >>> copy.hash() == army.hash()
    /// True
    fn fork(&self, world: Bound<'_, World>) -> Result<Self, Fault> {
        let py = world.py();
        let mut copy = self.read(py, |army| Ok(army.clone()))?;
        let bound = world.get().read(py, |world| {
            copy.bind(world)?;
            Ok(copy)
        })?;
        Ok(Self::of(world.unbind(), bound))
    }

    /// Returns a hash of everything on which the next steps depend.
    fn hash(&self, py: Python<'_>) -> Result<u64, Fault> {
        self.read(py, |army| Ok(army.state_hash()))
    }

    /// For pickle, by a save and with the world.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Result<Reduced<'py>, Fault> {
        let load = PyType::new::<Self>(py).getattr("load")?;
        Ok((load, (self.world(py), self.save(py)?)))
    }

    /// The units on the map, for notebooks.
    fn _repr_png_<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, Fault> {
        self.picture(py, None, None)
    }

    /// Returns a picture of the units on the map as the bytes of a PNG.
    ///
    /// area: what is shown; the whole map if left out.
    /// layers: what is drawn, as names of `flowtiles render --layers`: cost, islands, clearance,
    ///     density, sectors, portals, graph, units.
    #[pyo3(signature = (area = None, layers = None))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        area: Option<&Bound<'py, PyAny>>,
        layers: Option<Layers>,
    ) -> Result<Bound<'py, PyBytes>, Fault> {
        use flowtiles::inspect::Overlay;
        let area = self.world.get().area_or_all(py, area)?;
        let usual = [Overlay::Cost, Overlay::Sectors, Overlay::Units];
        let layers = crate::picture::layers(layers, &usual)?;
        let png = self.read_both(py, |army, world| {
            let units: Vec<[f32; 2]> = army.units().iter().map(|unit| unit.position).collect();
            crate::picture::png(world, &[], &units, area, &layers)
        })?;
        Ok(PyBytes::new(py, &png))
    }

    /// The groups, by number.
    fn groups<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyArrayDyn<u64>>, Fault> {
        let groups: Vec<u64> =
            self.read(py, |army| Ok(army.groups().map(GroupId::number).collect()))?;
        let count = groups.len();
        crate::arrays::made(py, groups, &[count])
    }
}
