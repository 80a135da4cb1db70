//! Groups: their targets, how they are sent, and what is set of them.

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{ArmyError, GroupId, Line, Pace, Target as EngineTarget};
use flowtiles::{Cell, LayerId};
use pyo3::prelude::*;

use super::Army;
use crate::arrays::point;
use crate::errors::Fault;
use crate::goal::{goal, layer};
use crate::numbers::{Whole, one_float};
use crate::order::Order;
use crate::target::{groups, reading, sending, shape, target};
use crate::world::World;

impl Army {
    /// Makes an order from where a group's units are to a goal, and sends the group there.
    fn make_order(
        &self,
        group: Whole<u64>,
        goal: &Bound<'_, PyAny>,
    ) -> Result<flowtiles::Order, Fault> {
        let (group, goal_found) = (GroupId::from_number(group.0), self::goal(goal)?);
        self.change_both(goal.py(), |army, world| {
            let layer = army.settings(group).map(|known| known.layer);
            let layer = layer.ok_or(ArmyError::NoGroup { group })?;
            // What `send` would refuse, before the world has the order.
            if goal_found.layer() == LayerId::GROUND && layer != LayerId::GROUND {
                return Err(ArmyError::GroundOrder { group, layer }.into());
            }
            let movement = world.movement(goal_found.layer());
            let width = movement.map_or(1, |movement| movement.size());
            let map = world.costs().area();
            let cells = army.members(group).map(|unit| anchor(width, unit.position));
            let cells: Vec<Cell> = cells.filter(|&cell| map.contains(cell)).collect();
            let claim = world.order(goal_found, &cells)?;
            army.send(group, claim.clone())?;
            Ok(claim)
        })
    }
}

#[pymethods]
impl Army {
    /// Removes a group with its units.
    fn remove_group(&self, py: Python<'_>, group: Whole<u64>) -> Result<(), Fault> {
        self.change(py, |army| {
            army.remove_group(GroupId::from_number(group.0))?;
            Ok(())
        })
    }

    /// Removes the groups without units, and returns how many there were.
    fn remove_empty_groups(&self, py: Python<'_>) -> Result<usize, Fault> {
        self.change(py, |army| Ok(army.remove_empty_groups()))
    }

    /// Gives a group a target or an order, and forgets those that wait.
    fn send(&self, group: Whole<u64>, target: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let found = self::target(target, &self.world)?;
        let group = GroupId::from_number(group.0);
        self.change(target.py(), |army| Ok(army.send(group, found)?))
    }

    /// Gives a group a target or an order for after those that it has.
    fn queue(&self, group: Whole<u64>, target: &Bound<'_, PyAny>) -> Result<(), Fault> {
        let found = self::target(target, &self.world)?;
        let group = GroupId::from_number(group.0);
        self.change(target.py(), |army| Ok(army.queue(group, found)?))
    }

    /// Sends a group from one target to the next, and after the last again to the first: orders,
    /// points and attacks.
    fn patrol(
        &self,
        py: Python<'_>,
        group: Whole<u64>,
        targets: Vec<Bound<'_, PyAny>>,
    ) -> Result<(), Fault> {
        let found = targets
            .iter()
            .map(|target| self::target(target, &self.world));
        let found = found.collect::<Result<Vec<EngineTarget>, _>>()?;
        let group = GroupId::from_number(group.0);
        self.change(py, |army| Ok(army.patrol(group, found)?))
    }

    /// Orders a group from where it is to a goal, sends it there, and returns the order.
    ///
    /// Give a `Goal` with the group's layer; for a group of a team that is
    /// `layer_for_team(layer, team)`. `send_all` takes each group's own.
    fn order(
        slf: &Bound<'_, Self>,
        group: Whole<u64>,
        goal: &Bound<'_, PyAny>,
    ) -> Result<Order, Fault> {
        let claim = slf.get().make_order(group, goal)?;
        let world: &Bound<'_, World> = slf.get().world.bind(slf.py());
        Ok(Order::of(world, claim))
    }

    /// The same with an order that the army alone keeps, and frees.
    fn march(&self, group: Whole<u64>, goal: &Bound<'_, PyAny>) -> Result<(), Fault> {
        self.make_order(group, goal).map(drop)
    }

    /// Sends groups to one goal, each by an order on its own layer.
    ///
    /// groups: a number, several, or pairs of a number and a `Chase` of its own.
    /// queued: after all that they have to reach, instead of at once.
    /// together: at one pace, that of the slowest.
    /// attack: turning on the foes in sight; True or a `Chase`.
    /// formation: in one formation, "line", "wedge", "box" or "column", or a pair of that and the
    ///     cells between its places, 1 if left out.
    #[pyo3(signature = (
        groups, goal, *, queued = false, together = false, attack = None, formation = None
    ))]
    fn send_all(
        &self,
        groups: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        queued: bool,
        together: bool,
        attack: Option<&Bound<'_, PyAny>>,
        formation: Option<&Bound<'_, PyAny>>,
    ) -> Result<(), Fault> {
        let (sent, goal) = (self::groups(groups)?, self::goal(goal)?);
        let how = sending([queued, together], attack, formation)?;
        self.change_both(groups.py(), |army, world| {
            Ok(army.send_all(world, &sent, goal, how)?)
        })
    }

    /// Sends groups from goal to goal, and after the last again to the first. With one goal they go
    /// between it and the middle of where they are now.
    #[pyo3(signature = (groups, goals, *, together = false, attack = None, formation = None))]
    fn patrol_all(
        &self,
        groups: &Bound<'_, PyAny>,
        goals: Vec<Bound<'_, PyAny>>,
        together: bool,
        attack: Option<&Bound<'_, PyAny>>,
        formation: Option<&Bound<'_, PyAny>>,
    ) -> Result<(), Fault> {
        let sent = self::groups(groups)?;
        let goals = goals.iter().map(goal).collect::<Result<Vec<_>, _>>()?;
        let how = sending([false, together], attack, formation)?;
        self.change_both(groups.py(), |army, world| {
            Ok(army.patrol_all(world, &sent, goals, how)?)
        })
    }

    /// Sends groups to a line, as by a drag of the mouse from its left end to its right: their
    /// units stop on it side by side and look ahead; from west to east they face north.
    #[pyo3(signature = (groups, left, right, *, queued = false, together = false, attack = None))]
    fn draw_up(
        &self,
        groups: &Bound<'_, PyAny>,
        left: &Bound<'_, PyAny>,
        right: &Bound<'_, PyAny>,
        queued: bool,
        together: bool,
        attack: Option<&Bound<'_, PyAny>>,
    ) -> Result<(), Fault> {
        let sent = self::groups(groups)?;
        let line = Line::new(point("left", left)?, point("right", right)?);
        let how = sending([queued, together], attack, None)?;
        self.change_both(groups.py(), |army, world| {
            Ok(army.draw_up(world, &sent, line, how)?)
        })
    }

    /// Puts a group into a formation, "line", "wedge", "box" or "column", with this many cells
    /// between its places.
    #[pyo3(signature = (group, shape, spacing = 1.0))]
    fn form(
        &self,
        py: Python<'_>,
        group: Whole<u64>,
        shape: &str,
        #[pyo3(from_py_with = one_float)] spacing: f32,
    ) -> Result<(), Fault> {
        let (group, shape) = (GroupId::from_number(group.0), self::shape(shape)?);
        self.change_both(py, |army, world| {
            Ok(army.form(group, shape, spacing, world)?)
        })
    }

    /// Lets a group's units go without a formation.
    fn disband(&self, py: Python<'_>, group: Whole<u64>) -> Result<(), Fault> {
        let group = GroupId::from_number(group.0);
        self.change(py, |army| Ok(army.disband(group)?))
    }

    /// Makes units groups of their own, one for each group in which some of them are, and returns
    /// the numbers of these.
    fn split(&self, ids: &Bound<'_, PyAny>) -> Result<Vec<u64>, Fault> {
        let found = crate::arrays::numbers("ids", ids)?;
        self.change(ids.py(), |army| {
            let groups = army.split(found)?;
            Ok(groups.into_iter().map(GroupId::number).collect())
        })
    }

    /// Sets how a group goes; what is left out stays.
    ///
    /// team: 0 to 7, for friend and foe alone; `set_team` gives the group the team's gates and fog as well.
    /// foes: the teams that are its foes.
    /// reading: as for `add_group`.
    /// together: whether all go at the speed of the slowest.
    /// planes: those on which its units are, 0 to 7; units push and avoid those of a common plane.
    /// keeps_width: whether its units march abreast, as far apart as they set out.
    #[pyo3(signature = (
        group, *, team = None, foes = None, reading = None, together = None, planes = None,
        keeps_width = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "all but one have names")]
    fn set_manner(
        &self,
        py: Python<'_>,
        group: Whole<u64>,
        team: Option<Whole<u8>>,
        foes: Option<&Bound<'_, PyAny>>,
        reading: Option<&str>,
        together: Option<bool>,
        planes: Option<&Bound<'_, PyAny>>,
        keeps_width: Option<bool>,
    ) -> Result<(), Fault> {
        let reading = reading.map(self::reading).transpose()?;
        // Planes are bits of a byte, as teams are.
        let of = |what: &str, given: Option<&Bound<'_, PyAny>>| {
            let teams = given.map(|given| crate::world::teams(what, given));
            teams.transpose()
        };
        let (foes, planes) = (of("foes", foes)?, of("planes", planes)?);
        self.configure(py, group, |settings| {
            if let Some(team) = team {
                settings.team = team.0;
            }
            if let Some(foes) = foes {
                settings.foes = foes;
            }
            if let Some(reading) = reading {
                settings.reading = reading;
            }
            if let Some(together) = together {
                settings.pace = if together { Pace::Slowest } else { Pace::Own };
            }
            if let Some(planes) = planes {
                settings.planes = planes.bits();
            }
            if let Some(keeps_width) = keeps_width {
                settings.keeps_width = keeps_width;
            }
        })
    }

    /// Makes a group one of a team, 0 to 7: it is friend and foe as the team's, and walks on its
    /// layer as the team sees it, through its gates and in its fog.
    fn set_team(&self, py: Python<'_>, group: Whole<u64>, team: Whole<u8>) -> Result<(), Fault> {
        let group = GroupId::from_number(group.0);
        self.change_both(py, |army, world| Ok(army.set_team(world, group, team.0)?))
    }

    /// Sets the layer on which a group walks, and on which `send_all` sends it: at first the
    /// ground, later that of its last order.
    fn set_layer(&self, py: Python<'_>, group: Whole<u64>, layer: Whole<u32>) -> Result<(), Fault> {
        let on = self::layer(layer)?;
        let group = GroupId::from_number(group.0);
        self.change_both(py, |army, world| {
            let settings = army.settings(group);
            let mut settings = *settings.ok_or(ArmyError::NoGroup { group })?;
            if world.layer(on).is_none() {
                world.derive_layer(on)?;
            }
            settings.layer = on;
            Ok(army.configure(group, settings, world)?)
        })
    }

    /// Sets the rank of a group, 0 at first: its units stop behind those of lower ranks that go to
    /// the same goal, and wait on the march until these are ahead.
    fn set_rank(&self, py: Python<'_>, group: Whole<u64>, rank: Whole<u8>) -> Result<(), Fault> {
        self.configure(py, group, |settings| settings.rank = rank.0)
    }
}
