//! An army at rest: a step that would change nothing is not made.
//!
//! A step is a function of the army, the costs around its units and, for units
//! that an order leads, the order's field. So if a step left every unit as it was,
//! and since then nothing was changed, the next one leaves them as they are, too:
//!
//! ```text
//!   all have arrived, stand or hold ─▶ a step changes no unit ─▶ rest ─▶ rest …
//!                 ▲                                                │
//!                 └── a unit or group is changed, a wall is built ─┘
//! ```

use super::Army;
use crate::steer::motion::LOOK_EVERY;
use crate::steer::units::UnitState;
use crate::world::FlowWorld;

impl Army {
    /// Whether a unit sleeps: the last step left it as it was, and the next one does not look
    /// at it unless something near it moves. Nothing else depends on it.
    #[must_use]
    pub fn is_asleep(&self, id: u32) -> bool {
        self.roster.is_asleep(id)
    }

    /// Lets a step look at every unit, whether it sleeps or not, for tests that compare
    /// the two.
    #[doc(hidden)]
    pub fn keep_awake(&mut self) {
        self.lets_sleep = false;
        self.roster.wake_all();
    }

    /// Wakes all units if the ground has changed since it was last looked at, by whichever call.
    pub(super) fn wake_on_new_ground(&mut self, world: &FlowWorld) {
        if !self.grounds.are_of(world, self.groups.layers()) {
            self.rested = None;
            self.roster.wake_all();
        }
    }

    /// Whether a step of this duration would change nothing but the tick.
    pub(super) fn is_at_rest(&self, seconds: f32) -> bool {
        self.rested == Some(seconds) && !self.is_touched()
    }

    const fn is_touched(&self) -> bool {
        self.roster.is_touched() || self.groups.is_touched()
    }

    /// Notes whether a step of this duration, which has just ended, left every
    /// unit as it was, and whether the next one would do the same.
    pub(super) fn note_rest(&mut self, is_still: bool, seconds: f32) {
        self.still = if is_still {
            self.still.saturating_add(1)
        } else {
            0
        };
        let rests = is_still && !self.is_touched() && self.is_independent() && self.has_looked();
        self.rested = rests.then_some(seconds);
    }

    /// Whether every unit on an attack has looked for foes since all are still.
    fn has_looked(&self) -> bool {
        let groups = self.groups.all();
        self.still > LOOK_EVERY || groups.iter().all(|group| group.errand.is_none())
    }

    /// Whether no unit and no formation goes by an order's field, which may change
    /// at any time.
    fn is_independent(&self) -> bool {
        let groups = self.groups.all();
        let are_home = groups
            .iter()
            .filter_map(|group| group.march.as_ref())
            .all(|march| march.is_home());
        are_home
            && self.units().iter().all(|unit| {
                unit.state == UnitState::Arrived || groups[unit.group.index()].order().is_none()
            })
    }
}
