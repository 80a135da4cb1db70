//! Groups that read the crowd: between an army and its
//! [`Crowd`].
//!
//! Before each step every group with [`Reading::Crowd`] and an order asks for
//! its stream, all units are shown to the crowd, and its solves go on. Then its
//! units go where their stream goes, at full speed: the field gives the
//! direction, contacts give the rest.

use crate::crowd::{Conduct, Crowd, CrowdError, CrowdSettings, StreamId, Walker};
use crate::vector::{NONE, Vector, difference, dot, greater, times, unit};
use crate::world::FlowWorld;

use super::Army;
use super::group::{Group, Target};
use super::reading::Reading;
use super::unit::{GroupId, State, Unit};

/// How fast a stream is that comes against a unit, in cells a second.
const AGAINST: f32 = 1.0;

/// The crowd of an army, once a group has asked for it.
#[derive(Default)]
pub(super) struct Foresight {
    settings: CrowdSettings,
    crowd: Option<Box<Crowd>>,
    walkers: Vec<Walker>,
}

/// How a group goes with the crowd.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Course {
    conduct: Conduct,
    stream: Option<StreamId>,
}

impl Course {
    /// All that it is, in words, for a state hash.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let Conduct {
            length,
            time,
            discomfort,
            sparse,
            dense,
            dearest,
            foresight,
            predicted,
            standing,
            flat,
            steep,
            uphill,
        } = self.conduct;
        [
            length, time, discomfort, sparse, dense, dearest, foresight, predicted, standing, flat,
            steep, uphill,
        ]
        .into_iter()
        .map(f32::to_bits)
    }
}

impl Foresight {
    /// Where the crowd leads a unit of a group; `None` where the group is to
    /// read the plain field.
    pub(super) fn way(&self, group: &Group, position: Vector) -> Option<Vector> {
        let stream = group.course.stream?;
        self.crowd.as_ref()?.way(stream, position)
    }

    /// The way of a unit that the crowd leads `way` and the plain field `plain`:
    /// in a stream that comes against it, it goes across, never along with it.
    ///
    /// The potential knows streams as they are now. Who went along with one to
    /// get round it would be carried as far as it goes.
    pub(super) fn across(
        &self,
        group: &Group,
        position: Vector,
        way: Vector,
        plain: Vector,
    ) -> Vector {
        let back = dot(way, plain);
        let stream = || self.crowd.as_ref()?.foreign(group.course.stream?, position);
        if back >= 0.0 || stream().is_none_or(|stream| dot(stream, plain) > -AGAINST) {
            return way;
        }
        match unit(difference(way, times(plain, back))) {
            NONE => plain,
            across => across,
        }
    }

    /// All that the next steps depend on, in words, for a state hash.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        self.crowd.iter().flat_map(|crowd| crowd.words())
    }

    /// The crowd, begun if there is none.
    fn begun(&mut self) -> &mut Crowd {
        let settings = self.settings;
        self.crowd.get_or_insert_with(|| {
            let crowd = Crowd::new(settings).expect("settings are checked as they are set");
            Box::new(crowd)
        })
    }
}

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
