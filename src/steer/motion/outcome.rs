//! The result of a step for one unit.

use super::patience::StepPatience;
use crate::steer::units::{ArmyEvent, Unit, UnitState};
use crate::vector::{Vector, difference, greater};

#[derive(Clone, Copy, Default)]
pub(super) struct Outcome {
    pub(super) event: Option<ArmyEvent>,
    pub(super) before: Vector,
    /// The farther of the ways that it came along the axes.
    pub(super) came: f32,
    /// What it does until the next step; none of a unit that was only seen.
    pub(super) rest: Option<Rest>,
    /// The states before and after.
    pub(super) states: [UnitState; 2],
    /// Whether it counts otherwise than before among those that arrive.
    pub(super) counts_anew: bool,
    pub(super) group: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Sleeps,
    IsAwake,
}

impl Outcome {
    pub(super) fn of(before: &Unit, after: &Unit, patience: StepPatience, rest: Rest) -> Self {
        let [across, down] = difference(after.position, before.position);
        let states = [before.state, after.state];
        Self {
            event: change(before, after, patience),
            before: before.position,
            came: greater(greater(across, -across), greater(down, -down)),
            rest: Some(rest),
            states,
            counts_anew: states[0] != states[1] || before.memory.end != after.memory.end,
            group: after.group.index,
        }
    }
}

fn change(before: &Unit, after: &Unit, patience: StepPatience) -> Option<ArmyEvent> {
    let unit = after.id;
    if before.state != after.state {
        return match after.state {
            UnitState::Arrived => Some(ArmyEvent::Arrived { unit }),
            UnitState::Unreachable => Some(ArmyEvent::Unreachable { unit }),
            UnitState::Marching | UnitState::Engaged => None,
        };
    }
    let level = patience.level(after);
    (level > patience.level(before)).then_some(ArmyEvent::Stuck { unit, level })
}
