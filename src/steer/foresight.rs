//! What an army knows of its crowd: where it leads.

use crate::crowd::{Crowd, CrowdSettings, Walker};
use crate::vector::{NONE, Vector, difference, dot, times, unit};

use super::group::Group;

/// How fast a stream is that comes against a unit, in cells a second.
const AGAINST: f32 = 1.0;

/// The crowd of an army, once a group has asked for it.
#[derive(Default)]
pub(super) struct Foresight {
    pub(super) settings: CrowdSettings,
    pub(super) crowd: Option<Box<Crowd>>,
    pub(super) walkers: Vec<Walker>,
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
    pub(super) fn begun(&mut self) -> &mut Crowd {
        let settings = self.settings;
        self.crowd.get_or_insert_with(|| {
            let crowd = Crowd::new(settings).expect("settings are checked as they are set");
            Box::new(crowd)
        })
    }
}
