//! What a step comes to for one unit.

use super::patience;
use crate::steer::units::{ArmyEvent, Unit, UnitState};
use crate::vector::{difference, greater};

#[derive(Clone, Copy, Default)]
pub(super) struct Outcome {
    pub(super) event: Option<ArmyEvent>,
    /// The farther of the ways that it came along the axes.
    pub(super) came: f32,
    pub(super) is_still: bool,
    pub(super) state: UnitState,
    pub(super) group: u32,
}

impl Outcome {
    pub(super) fn of(before: &Unit, after: &Unit, patience: u32) -> Self {
        let [across, down] = difference(after.position, before.position);
        Self {
            event: change(before, after, patience),
            came: greater(greater(across, -across), greater(down, -down)),
            is_still: before == after,
            state: after.state,
            group: after.group.index,
        }
    }
}

fn change(before: &Unit, after: &Unit, patience: u32) -> Option<ArmyEvent> {
    let unit = after.id;
    if before.state != after.state {
        return match after.state {
            UnitState::Arrived => Some(ArmyEvent::Arrived { unit }),
            UnitState::Unreachable => Some(ArmyEvent::Unreachable { unit }),
            UnitState::Marching => None,
        };
    }
    let level = patience::level(after.memory.idle, patience);
    (level > patience::level(before.memory.idle, patience))
        .then_some(ArmyEvent::Stuck { unit, level })
}
