//! Groups that read the crowd: between an army and its
//! [`Crowd`].
//!
//! Before each step every group with [`Reading::Crowd`] and an order asks for
//! its stream, all units are shown to the crowd, and its solves go on. Then its
//! units go where their stream goes, at full speed: the field gives the
//! direction, contacts give the rest.

use crate::crowd::{Conduct, Crowd, CrowdError, CrowdSettings, StreamId, Walker};
use crate::vector::greater;
use crate::world::FlowWorld;

use super::Army;
use super::group::{Group, Target};
use super::reading::Reading;
use super::unit::{GroupId, State, Unit};

/// Whether a group goes with the crowd. Formations keep their places instead.
fn joins(group: &Group) -> bool {
    group.reading == Reading::Crowd && group.march.is_none()
}

/// Crowds: groups that read [`Reading::Crowd`].
impl Army {
    /// What the groups that read the crowd weigh against what; the default is
    /// [`Conduct::default`].
    ///
    /// # Errors
    /// If a parameter is out of its range.
    ///
    /// # Panics
    /// If the group is not this army's.
    pub fn set_conduct(&mut self, group: GroupId, conduct: Conduct) -> Result<(), CrowdError> {
        conduct.check(&self.foresight.settings)?;
        self.groups[group.index()].course.conduct = conduct;
        Ok(())
    }

    /// What all groups that read the crowd share. In the middle of a march it
    /// begins the crowd anew; heights, paint and dangers stay.
    ///
    /// # Errors
    /// If a setting is out of its range, or the conduct of a group does not go
    /// with it.
    pub fn set_crowd_settings(&mut self, settings: CrowdSettings) -> Result<(), CrowdError> {
        settings.check()?;
        for group in &self.groups {
            group.course.conduct.check(&settings)?;
        }
        self.foresight.settings = settings;
        match &mut self.foresight.crowd {
            Some(crowd) => crowd.set_settings(settings),
            None => Ok(()),
        }
    }

    /// The crowd that the army's groups read, for pictures and figures; `None`
    /// before the first step with such a group.
    #[must_use]
    pub fn crowd(&self) -> Option<&Crowd> {
        self.foresight.crowd.as_deref()
    }

    /// The same, to paint discomfort, to move dangers, or to give heights.
    pub fn crowd_mut(&mut self) -> &mut Crowd {
        self.foresight.begun()
    }

    /// The stream that a group goes with; `None` for one that does not read the
    /// crowd, or has no order or nobody on the way.
    ///
    /// # Panics
    /// If the group is not this army's.
    #[must_use]
    pub fn stream(&self, group: GroupId) -> Option<StreamId> {
        self.groups[group.index()].course.stream
    }

    /// Shows the crowd where everybody is, and lets its solves go on.
    pub(super) fn solve_crowd(&mut self, world: &FlowWorld, seconds: f32) {
        for group in &mut self.groups {
            group.course.stream = None;
        }
        if !self.groups.iter().any(joins) {
            if let Some(crowd) = &mut self.foresight.crowd {
                crowd.rest();
            }
            return;
        }
        let mut fastest = vec![0.0; self.groups.len()];
        for unit in self
            .units
            .iter()
            .filter(|unit| unit.state == State::Marching)
        {
            let fastest = &mut fastest[unit.group.index()];
            *fastest = greater(*fastest, unit.speed);
        }
        let crowd = self.foresight.begun();
        for (group, speed) in self.groups.iter_mut().zip(fastest) {
            if let Target::Order { order, .. } = &group.target
                && joins(group)
            {
                // Who has nobody on the way, or nobody who moves, has no stream.
                let stream = crowd.join(world, order, &group.course.conduct, speed);
                group.course.stream = stream.ok();
            }
        }
        let groups = &self.groups;
        let walker = |unit: &Unit| Walker {
            position: unit.position,
            velocity: unit.velocity,
            stream: groups[unit.group.index()].course.stream,
            stands: unit.state != State::Marching,
        };
        let walkers = &mut self.foresight.walkers;
        walkers.clear();
        walkers.extend(self.units.iter().map(walker));
        if let Some(crowd) = &mut self.foresight.crowd {
            crowd.step(world, walkers, seconds, self.threads);
        }
    }
}
