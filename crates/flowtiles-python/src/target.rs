//! The targets of groups, and how groups are sent.

use flowtiles::steer::{
    Army as EngineArmy, Chase as EngineChase, GroupId, Reading, Sending, Sent, Shape,
    Target as EngineTarget,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arrays::point;
use crate::errors::Fault;
use crate::numbers::{Number, Whole, one_float};
use crate::order::Order;
use crate::world::World;

/// How a chase ends.
///
/// range: the gap between bodies at which it stops, in cells.
/// leash: how far it may lead from where it began.
/// sight: how far foes are seen.
///
/// >>> Chase(sight=6)
/// Chase(range=0.5, leash=24, sight=6)
#[pyclass(frozen, eq, module = "flowtiles")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Chase {
    chase: EngineChase,
}

#[pymethods]
impl Chase {
    #[new]
    #[pyo3(signature = (range = 0.5, leash = 24.0, sight = 10.0))]
    fn new(
        #[pyo3(from_py_with = one_float)] range: f32,
        #[pyo3(from_py_with = one_float)] leash: f32,
        #[pyo3(from_py_with = one_float)] sight: f32,
    ) -> Result<Self, Fault> {
        let chase = EngineChase::default()
            .with_range(range)
            .with_leash(leash)
            .with_sight(sight);
        // What no army would take is refused by one that is thrown away.
        let mut trial = EngineArmy::default();
        let group = trial.add_group(EngineTarget::Stand, Reading::Nearest)?;
        trial.send(group, EngineTarget::Pursue(0, chase))?;
        Ok(Self { chase })
    }

    /// For pickle: what makes the chase again.
    fn __getnewargs__(&self) -> (f32, f32, f32) {
        (self.chase.range, self.chase.leash, self.chase.sight)
    }

    /// The gap at which it stops.
    #[getter]
    fn range(&self) -> f32 {
        self.chase.range
    }

    /// How far it may lead.
    #[getter]
    fn leash(&self) -> f32 {
        self.chase.leash
    }

    /// How far foes are seen.
    #[getter]
    fn sight(&self) -> f32 {
        self.chase.sight
    }

    fn __repr__(&self) -> String {
        let EngineChase {
            range,
            leash,
            sight,
            ..
        } = self.chase;
        format!("Chase(range={range}, leash={leash}, sight={sight})")
    }
}

fn chase_or_usual(chase: Option<&Bound<'_, Chase>>) -> EngineChase {
    chase.map_or_else(EngineChase::default, |chase| chase.get().chase)
}

/// What a group is about. Calls that take a target take an order as well.
///
/// >>> world = World.open(60, 40)
/// >>> army = Army(world)
/// >>> scouts = army.add_group([(5.5, 5.5)])
/// >>> army.send(scouts, Target.point((20.5, 5.5)))
#[pyclass(frozen, module = "flowtiles")]
pub(crate) struct Target {
    target: EngineTarget,
    /// The world of its order, if it has one.
    world: Option<Py<World>>,
    kind: &'static str,
}

impl Target {
    fn plain(kind: &'static str, target: EngineTarget) -> Self {
        Self {
            target,
            world: None,
            kind,
        }
    }
}

#[pymethods]
impl Target {
    /// None: units flock, and keep the velocity that they get.
    #[staticmethod]
    fn flock() -> Self {
        Self::plain("flock", EngineTarget::Flock)
    }

    /// Units stand, make room for others, and stop again.
    #[staticmethod]
    fn stand() -> Self {
        Self::plain("stand", EngineTarget::Stand)
    }

    /// Units stand, make room for others, and come back to their place.
    #[staticmethod]
    fn hold() -> Self {
        Self::plain("hold", EngineTarget::Hold)
    }

    /// Straight to a point, whatever is in between.
    #[staticmethod]
    fn point(at: &Bound<'_, PyAny>) -> Result<Self, Fault> {
        let at = self::point("at", at)?;
        Ok(Self::plain("point", EngineTarget::Point(at)))
    }

    /// Straight toward a unit, and along with it.
    #[staticmethod]
    fn follow(unit: Whole<u32>) -> Self {
        Self::plain("follow", EngineTarget::Follow(unit.0))
    }

    /// After a unit, by an order of the army's own, to within range.
    #[staticmethod]
    #[pyo3(signature = (unit, chase = None))]
    fn pursue(unit: Whole<u32>, chase: Option<&Bound<'_, Chase>>) -> Self {
        let target = EngineTarget::Pursue(unit.0, chase_or_usual(chase));
        Self::plain("pursue", target)
    }

    /// To the goal of an order.
    #[staticmethod]
    fn order(order: &Bound<'_, Order>) -> Result<Self, Fault> {
        let claim = order.get().claim(order.py())?;
        Ok(Self {
            target: EngineTarget::Order(claim),
            world: Some(
                order
                    .getattr("world")?
                    .cast_into::<World>()
                    .map_err(PyErr::from)?
                    .unbind(),
            ),
            kind: "order",
        })
    }

    /// To the goal of an order, turning on the foes in sight.
    #[staticmethod]
    #[pyo3(signature = (order, chase = None))]
    fn attack(order: &Bound<'_, Order>, chase: Option<&Bound<'_, Chase>>) -> Result<Self, Fault> {
        let claim = order.get().claim(order.py())?;
        Ok(Self {
            target: EngineTarget::AttackMove(claim, chase_or_usual(chase)),
            kind: "attack",
            ..Self::order(order)?
        })
    }

    /// Away from a unit, until it is `safe` cells away.
    #[staticmethod]
    #[pyo3(signature = (unit, safe = 10.0))]
    fn flee(unit: Whole<u32>, #[pyo3(from_py_with = one_float)] safe: f32) -> Self {
        let (from, safe) = (Some(unit.0), safe);
        Self::plain("flee", EngineTarget::Flee { from, safe })
    }

    /// Away from all foes, until they are `safe` cells away.
    #[staticmethod]
    #[pyo3(signature = (safe = 10.0))]
    fn flee_foes(#[pyo3(from_py_with = one_float)] safe: f32) -> Self {
        let (from, safe) = (None, safe);
        Self::plain("flee_foes", EngineTarget::Flee { from, safe })
    }

    fn __repr__(&self) -> String {
        format!("<Target {}>", self.kind)
    }
}

/// Reads a target of a group whose army is on this world.
pub(crate) fn target(given: &Bound<'_, PyAny>, world: &Py<World>) -> Result<EngineTarget, Fault> {
    let foreign =
        || Fault::argument("the order belongs to another world than the army: give one of its own");
    if let Ok(order) = given.cast::<Order>() {
        return if order.get().is_of(world) {
            Ok(EngineTarget::Order(order.get().claim(given.py())?))
        } else {
            Err(foreign())
        };
    }
    let Ok(target) = given.cast::<Target>() else {
        let text = format!(
            "a target is a `Target` or an `Order`, and not {}: `Army.order` sends a group to a cell, \
             `Target.point` straight to a point",
            given.repr()?
        );
        return Err(Fault::Python(PyTypeError::new_err(text)));
    };
    let target = target.get();
    match &target.world {
        Some(of) if !of.is(world) => Err(foreign()),
        _ => Ok(target.target.clone()),
    }
}

/// Reads groups that are sent: a number, several, or pairs of a number and a chase of its own.
pub(crate) fn groups(given: &Bound<'_, PyAny>) -> Result<Vec<Sent>, Fault> {
    let one = |given: &Bound<'_, PyAny>| -> Result<Sent, Fault> {
        if let Ok((group, chase)) = given.extract::<(Whole<u64>, Bound<'_, PyAny>)>() {
            let chase = chase.cast::<Chase>().map_err(PyErr::from)?.get().chase;
            return Ok((GroupId::from_number(group.0), chase).into());
        }
        let group: Whole<u64> = given.extract()?;
        Ok(GroupId::from_number(group.0).into())
    };
    if let Ok(group) = given.extract::<Whole<u64>>() {
        return Ok(vec![GroupId::from_number(group.0).into()]);
    }
    let all = given.try_iter()?;
    all.map(|group| one(&group?)).collect()
}

/// How groups are sent, from keywords.
pub(crate) fn sending(
    [queued, together]: [bool; 2],
    attack: Option<&Bound<'_, PyAny>>,
    formation: Option<&Bound<'_, PyAny>>,
) -> Result<Sending, Fault> {
    let mut how = Sending::default();
    (how.queued, how.together) = (queued, together);
    if let Some(attack) = attack {
        how.attack = match attack.cast::<Chase>() {
            Ok(chase) => Some(chase.get().chase),
            Err(_) => {
                let is_on: bool = attack.extract().map_err(|_| {
                    let text = format!("`attack` cannot be {attack}: give True or a `Chase`");
                    PyTypeError::new_err(text)
                })?;
                is_on.then(EngineChase::default)
            }
        };
    }
    if let Some(formation) = formation {
        how.formation = Some(match formation.extract::<String>() {
            Ok(name) => (shape(&name)?, 1.0),
            Err(_) => {
                let (name, spacing): (String, Number) = formation.extract()?;
                (shape(&name)?, spacing.0)
            }
        });
    }
    Ok(how)
}

pub(crate) fn shape(name: &str) -> Result<Shape, Fault> {
    Ok(match name {
        "line" => Shape::Line,
        "wedge" => Shape::Wedge,
        "box" => Shape::Box,
        "column" => Shape::Column,
        other => {
            return Err(Fault::argument(format!(
                "there is no shape `{other}`: give line, wedge, box or column"
            )));
        }
    })
}

pub(crate) fn reading(name: &str) -> Result<Reading, Fault> {
    Ok(match name {
        "nearest" => Reading::Nearest,
        "bilinear" => Reading::Bilinear,
        "lowest-of-four" => Reading::LowestOfFour,
        "ahead" => Reading::Ahead,
        "crowd" => Reading::Crowd,
        other => {
            return Err(Fault::argument(format!(
                "there is no reading `{other}`: give nearest, bilinear, lowest-of-four, ahead or \
                 crowd"
            )));
        }
    })
}
