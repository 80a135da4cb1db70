//! The crowd of an army, and the directions that its units read from it.

use std::collections::BTreeMap;

use crate::crowd::{Crowd, CrowdSettings, CrowdUnit, StreamId};
use crate::steer::units::GroupId;
use crate::vector::{NONE, Vector, difference, dot, times, unit};

/// The speed above which a stream counts as coming against a unit, in cells a
/// second.
const AGAINST: f32 = 1.0;

/// The crowd of an army, created when a group first reads it.
#[derive(Clone, Default)]
pub(crate) struct Foresight {
    pub(crate) settings: CrowdSettings,
    pub(crate) crowd: Option<Box<Crowd>>,
    pub(crate) walkers: Vec<CrowdUnit>,
    /// The streams that groups have joined.
    pub(crate) streams: BTreeMap<GroupId, StreamId>,
}

impl Foresight {
    pub(crate) fn stream(&self, group: GroupId) -> Option<StreamId> {
        self.streams.get(&group).copied()
    }

    /// Returns the direction in which the crowd leads a unit of a stream; `None`
    /// where it is to read the flow field.
    pub(super) fn direction(&self, stream: Option<StreamId>, position: Vector) -> Option<Vector> {
        self.crowd.as_ref()?.direction(stream?, position)
    }

    /// Returns the direction of a unit that the crowd leads along `way` and the
    /// flow field along `plain`. In a stream that comes against the unit, it
    /// goes across the stream, never along with it.
    ///
    /// The potential contains streams only as they are now. A unit that went
    /// along with one to get around it would be carried as far as the stream
    /// goes.
    pub(super) fn across(
        &self,
        stream: Option<StreamId>,
        position: Vector,
        way: Vector,
        plain: Vector,
    ) -> Vector {
        let back = dot(way, plain);
        let foreign = || self.crowd.as_ref()?.foreign(stream?, position);
        if back >= 0.0 || foreign().is_none_or(|foreign| dot(foreign, plain) > -AGAINST) {
            return way;
        }
        match unit(difference(way, times(plain, back))) {
            NONE => plain,
            across => across,
        }
    }

    pub(crate) fn hash_words(&self) -> impl Iterator<Item = u32> {
        self.crowd.iter().flat_map(|crowd| crowd.words())
    }

    /// Returns the crowd, and creates it first if there is none.
    pub(crate) fn begun(&mut self) -> &mut Crowd {
        let settings = self.settings;
        self.crowd.get_or_insert_with(|| {
            let crowd = Crowd::new(settings).expect("settings are checked as they are set");
            Box::new(crowd)
        })
    }
}
