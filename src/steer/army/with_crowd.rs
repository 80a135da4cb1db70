//! The connection between an army and its [`Crowd`].
//!
//! Before each step every group with [`Reading::Crowd`] and an order joins its
//! stream, the crowd receives all units, and its solves continue. Then the
//! group's units follow their stream at full speed: the field gives the
//! direction, and contacts between units do the rest.

use super::Army;
use crate::cost::LayerId;
use crate::crowd::{Crowd, CrowdError, CrowdSettings, CrowdUnit, StreamId};
use crate::steer::groups::Group;
use crate::steer::reading::Reading;
use crate::steer::units::{GroupId, UnitState};
use crate::vector::greater;
use crate::world::FlowWorld;

/// Whether a group follows the crowd. Groups in formation keep their places
/// instead, and groups on other layers than the ground's follow their orders alone.
fn joins(group: &Group) -> bool {
    group.settings.reading == Reading::Crowd
        && group.march.is_none()
        && group.settings.layer.number() == LayerId::GROUND.number()
}

/// Crowds, for groups that read [`Reading::Crowd`].
impl Army {
    /// Sets the settings shared by all groups that read the crowd. If units are
    /// marching, all streams restart; heights, paint and dangers stay.
    ///
    /// # Errors
    /// If a setting is out of its range, or the conduct of a group does not fit
    /// the settings.
    pub fn set_crowd_settings(&mut self, settings: CrowdSettings) -> Result<(), CrowdError> {
        settings.check()?;
        for group in self.groups.all() {
            group.settings.conduct.check(&settings)?;
        }
        self.foresight.settings = settings;
        match &mut self.foresight.crowd {
            Some(crowd) => crowd.set_settings(settings),
            None => Ok(()),
        }
    }

    /// Returns the crowd that the army's groups read, for pictures and
    /// statistics; `None` before the first step with such a group.
    #[must_use]
    pub fn crowd(&self) -> Option<&Crowd> {
        self.foresight.crowd.as_deref()
    }

    /// Returns the crowd, to paint discomfort, move dangers or set heights.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        self.foresight.begun()
    }

    /// Returns the stream that a group follows; `None` if the group does not
    /// read the crowd, has no order, or has no unit on its way.
    #[must_use]
    pub fn stream(&self, group: GroupId) -> Option<StreamId> {
        self.groups.get(group).ok()?;
        self.foresight.stream(group)
    }

    pub(super) fn solve_crowd(&mut self, world: &FlowWorld, seconds: f32) {
        // The crowd adds up its units in this order.
        self.roster.sort();
        self.foresight.streams.clear();
        if !self.groups.all().iter().any(joins) {
            if let Some(crowd) = &mut self.foresight.crowd {
                crowd.rest();
            }
            return;
        }
        let mut fastest = vec![0.0; self.groups.all().len()];
        let units = self.roster.units();
        for unit in units {
            if unit.state == UnitState::Marching {
                let fastest = &mut fastest[unit.group.index()];
                *fastest = greater(*fastest, unit.speed);
            }
        }
        let mut streams = vec![None; fastest.len()];
        let crowd = self.foresight.begun();
        for (at, group) in self.groups.all().iter().enumerate() {
            if let Some(order) = group.target.order()
                && joins(group)
            {
                // Without a moving unit the speed is 0, so `join` fails and the
                // group has no stream.
                let stream = crowd.join(world, order, &group.settings.conduct, fastest[at]);
                streams[at] = stream.ok();
            }
        }
        let known = (0..).zip(self.groups.all()).zip(&streams);
        let known = known.filter_map(|((at, group), stream)| Some((group.id(at), (*stream)?)));
        self.foresight.streams.extend(known);
        let walkers = &mut self.foresight.walkers;
        walkers.clear();
        walkers.extend(self.roster.units().iter().map(|unit| CrowdUnit {
            position: unit.position,
            velocity: unit.velocity,
            stream: streams[unit.group.index()],
            stands: unit.state != UnitState::Marching,
        }));
        if let Some(crowd) = &mut self.foresight.crowd {
            crowd.step(world, walkers, seconds);
        }
    }
}
