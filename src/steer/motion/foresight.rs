//! The crowd of an army, and the directions that its units read from it.

use crate::crowd::{Crowd, CrowdSettings, CrowdUnit};
use crate::steer::groups::Group;
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
}

impl Foresight {
    /// Returns the direction in which the crowd leads a unit of a group; `None`
    /// where the group is to read the flow field.
    pub(super) fn direction(&self, group: &Group, position: Vector) -> Option<Vector> {
        let stream = group.stream?;
        self.crowd.as_ref()?.direction(stream, position)
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
        group: &Group,
        position: Vector,
        way: Vector,
        plain: Vector,
    ) -> Vector {
        let back = dot(way, plain);
        let stream = || self.crowd.as_ref()?.foreign(group.stream?, position);
        if back >= 0.0 || stream().is_none_or(|stream| dot(stream, plain) > -AGAINST) {
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
