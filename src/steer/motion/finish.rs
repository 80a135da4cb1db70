//! The end of a step: velocities, patience, events.

use super::decide::Decision;
use super::outcome::Outcome;
use super::patience;
use super::push::Pin;
use super::scratch::StepScratch;
use super::step::Step;
use crate::steer::groups::{News, Target};
use crate::steer::units::{ArmyEvent, GroupId, Unit, UnitState};
use crate::threads::for_runs;
use crate::vector::{NONE, difference, greater, limited, times};

pub(super) struct Finished {
    /// The farthest that one came along an axis.
    pub(super) came: f32,
    pub(super) is_still: bool,
}

impl Step<'_> {
    /// Stores the decisions in the units, records the progress of each, and emits
    /// the events.
    pub(super) fn finish(&mut self, scratch: &mut StepScratch) -> Finished {
        let StepScratch {
            units: decided,
            decisions,
            pins: [pins, _],
            ranks,
            outcomes,
            ..
        } = scratch;
        let order = self.finder.index.order();
        ranks.resize(order.len(), 0);
        for (rank, &unit) in (0..).zip(order) {
            ranks[unit as usize] = rank;
        }
        outcomes.resize(order.len(), Outcome::default());
        let patience = self.settings.patience;
        let seconds = self.seconds;
        self.groups.note_step();
        let slots = (&mut self.roster.stepped()[..], &mut outcomes[..]);
        for_runs(slots, |first, (units, outcomes)| {
            for (at, (unit, outcome)) in units.iter_mut().zip(outcomes).enumerate() {
                let rank = ranks[first + at] as usize;
                let mut after = decided[rank];
                finish_unit(
                    &mut after,
                    unit,
                    &decisions[rank],
                    &pins[rank],
                    seconds,
                    patience,
                );
                *outcome = Outcome::of(unit, &after, patience);
                *unit = after;
            }
        });
        self.sum_up(outcomes)
    }

    fn sum_up(&mut self, outcomes: &[Outcome]) -> Finished {
        self.events.clear();
        let mut finished = Finished {
            came: 0.0,
            is_still: true,
        };
        // Counted in every step: the group is also complete when the last
        // missing unit is cut off or removed.
        let mut counts = vec![[0; 2]; self.groups.all().len()];
        for outcome in outcomes {
            self.events.extend(outcome.event);
            finished.came = greater(finished.came, outcome.came);
            finished.is_still &= outcome.is_still;
            let [marching, arrived] = &mut counts[outcome.group as usize];
            match outcome.state {
                UnitState::Marching => *marching += 1,
                UnitState::Arrived => *arrived += 1,
                UnitState::Unreachable => {}
            }
        }
        self.announce_groups(&counts);
        finished
    }

    /// Emits the events of groups that have arrived, from the numbers of their
    /// units that are on their way and that have arrived, and those of their errands;
    /// sends them on.
    fn announce_groups(&mut self, counts: &[[u32; 2]]) {
        let mut onward = Vec::new();
        for (index, group) in (0..).zip(self.groups.all_mut()) {
            let [marching, arrived] = counts[index as usize];
            let generation = group.generation;
            let id = GroupId { index, generation };
            let news = group.errand.as_mut().and_then(|errand| errand.news.take());
            let (event, ends) = match news {
                Some(News::Reached(unit)) => (ArmyEvent::Reached { group: id, unit }, false),
                Some(News::Lost(unit)) => (ArmyEvent::Lost { group: id, unit }, true),
                Some(News::Escaped) => (ArmyEvent::GroupArrived { group: id }, true),
                None if marching == 0 && arrived > 0 && !group.announced => {
                    group.announced = true;
                    self.events.push(ArmyEvent::GroupArrived { group: id });
                    onward.extend(group.next_target().map(|next| (id, next)));
                    continue;
                }
                None => continue,
            };
            self.events.push(event);
            if ends {
                let next = group.next_target().unwrap_or(Target::Stand);
                onward.push((id, next));
            }
        }
        for (group, next) in onward {
            self.groups.set_out(group, next, self.roster);
        }
    }
}

/// Puts a unit that has decided where pushes have left it, and records its
/// progress.
fn finish_unit(
    unit: &mut Unit,
    before: &Unit,
    decision: &Decision,
    &[x, y, ..]: &Pin,
    seconds: f32,
    patience: u32,
) {
    unit.position = [x, y];
    let came = difference(unit.position, before.position);
    let top = greater(decision.speed, unit.speed);
    // A unit that stands has no velocity, even if it is pushed.
    if unit.state == UnitState::Marching || unit.velocity != NONE {
        // A step of no duration moves no unit, and the velocity stays.
        unit.velocity = if seconds > 0.0 {
            limited(times(came, 1.0 / seconds), top)
        } else {
            before.velocity
        };
    }
    if unit.state != UnitState::Marching {
        return;
    }
    let far = decision.speed * seconds;
    let idle = unit.memory.idle;
    patience::note(&mut unit.memory, unit.position, came, far, patience);
    if decision.hemmed_in {
        // The unit keeps squeezing until only free units are around it.
        unit.memory.idle = unit.memory.idle.max(idle);
    }
}
