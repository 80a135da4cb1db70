//! The end of a step: velocities, patience, events.

use std::collections::BTreeMap;

use super::decide::Decision;
use super::errands::News;
use super::outcome::{Outcome, Rest};
use super::part::Role;
use super::patience::{self, StepPatience};
use super::push::Pin;
use super::step::{Step, StepScratch};
use super::survey::{Counts, Survey};
use crate::steer::groups::{Pace, Target};
use crate::steer::units::{ArmyEvent, Unit, UnitState};
use crate::threads::for_runs;
use crate::vector::{NONE, difference, greater, lesser, limited, sum, times};

/// The largest radius with which a unit fits wherever its field leads.
const BODY_RADIUS: f32 = 0.5;

/// The seconds in which a unit that is blocked loses the velocity that it decided on: so it presses
/// on others as hard in short steps as in long ones.
const SETTLING: f32 = 0.05;

pub(super) struct Finished {
    /// The farthest that one came along an axis.
    pub(super) came: f32,
    /// What is known of all units; `None` if it must be found anew.
    pub(super) survey: Option<Survey>,
}

impl Step<'_> {
    /// Stores the decisions in the units, records the progress of each, and emits
    /// the events.
    pub(super) fn finish(
        &mut self,
        scratch: &mut StepScratch,
        survey: Survey,
        news: &BTreeMap<u32, News>,
    ) -> Finished {
        let StepScratch {
            units: decided,
            decisions,
            pins: [pins, _],
            stirred,
            places,
            is_part,
            ranks,
            outcomes,
            part,
            ..
        } = scratch;
        let order = self.finder.index.order();
        ranks.resize(order.len(), 0);
        for (rank, &unit) in (0..).zip(order) {
            ranks[unit as usize] = rank;
        }
        outcomes.resize(order.len(), Outcome::default());
        let patience = self.patience;
        let seconds = self.seconds;
        self.groups.note_step();
        let sleepy = self.sleepy_groups();
        let (units, awake) = self.roster.stepped();
        let finish = |rank: usize, unit: &mut Unit| {
            let before = *unit;
            *unit = decided[rank];
            finish_unit(
                unit,
                &before,
                &decisions[rank],
                &pins[rank],
                seconds,
                patience,
            );
            let sleeps = !stirred[rank] && may_sleep(&before, unit, &sleepy);
            let rest = if sleeps { Rest::Sleeps } else { Rest::IsAwake };
            Outcome::of(&before, unit, patience, rest)
        };
        if *is_part {
            let members = part.members().iter().zip(&*ranks);
            for ((&(place, role), &rank), outcome) in members.zip(&mut *outcomes) {
                *outcome = match role {
                    Role::Seen => Outcome::default(),
                    _ => finish(rank as usize, &mut units[place as usize]),
                };
            }
        } else {
            let slots = (&mut units[..], &mut outcomes[..]);
            for_runs(slots, |first, (units, outcomes)| {
                for (at, (unit, outcome)) in units.iter_mut().zip(outcomes).enumerate() {
                    *outcome = finish(ranks[first + at] as usize, unit);
                }
            });
        }
        let falls = |outcome: &Outcome| outcome.rest == Some(Rest::Sleeps);
        if awake.are_some_asleep() || outcomes.iter().any(falls) {
            let mut update = awake.begin(units.len());
            for (&at, &place) in order.iter().zip(&*places) {
                let (outcome, unit) = (&outcomes[at as usize], &units[place as usize]);
                match outcome.rest {
                    Some(Rest::Sleeps) => update.sleep(place as usize, unit),
                    Some(Rest::IsAwake) => update.wake(place as usize, unit.id, outcome.before),
                    None => {}
                }
            }
            awake.end();
        }
        self.sum_up(outcomes, survey, news)
    }

    /// Returns for each group whether its units sleep once they have arrived, and whether they
    /// sleep as they stand: whether nothing but what is around a unit can change what it
    /// does.
    fn sleepy_groups(&self) -> Vec<[bool; 2]> {
        let sleepy = self.groups.all().iter().map(|group| {
            let is_steady = group.settings.pace == Pace::Own;
            let stands = group.target.stands() && !group.settings.reading.is_crowd();
            let arrives = !group.target.holds() || is_steady;
            [arrives, stands && is_steady].map(|sleeps| sleeps && self.lets_sleep)
        });
        sleepy.collect()
    }

    fn sum_up(
        &mut self,
        outcomes: &[Outcome],
        mut survey: Survey,
        news: &BTreeMap<u32, News>,
    ) -> Finished {
        self.events.clear();
        let (mut came, mut counts_anew) = (0.0, false);
        for outcome in outcomes {
            self.events.extend(outcome.event);
            if let Some(ArmyEvent::Stuck { unit, level: 1 }) = outcome.event
                && self.is_too_wide(unit)
            {
                self.events.push(ArmyEvent::TooWide { unit });
            }
            came = greater(came, outcome.came);
            if outcome.counts_anew {
                counts_anew = true;
                let [before, after] = outcome.states;
                survey.counts[outcome.group as usize].change(before, after);
            }
        }
        // Counted in every step: the group is also complete when the last
        // missing unit is cut off or removed.
        self.announce_groups(&survey.counts, news);
        Finished {
            came,
            survey: (!counts_anew).then_some(survey),
        }
    }

    /// Whether a unit is wider than the bodies for which its order is made.
    fn is_too_wide(&self, id: u32) -> bool {
        let Some(unit) = self.roster.get(id) else {
            return false;
        };
        let at = unit.group.index();
        self.groups.all()[at].order().is_some() && self.layers[at].radius(unit.radius) > BODY_RADIUS
    }

    /// Emits the events of groups that have arrived, from the numbers of their
    /// units that are on their way and that have arrived, and those of their errands;
    /// sends them on.
    fn announce_groups(&mut self, counts: &[Counts], news: &BTreeMap<u32, News>) {
        let mut onward = Vec::new();
        for (index, group) in (0..).zip(self.groups.all_mut()) {
            let Counts { marching, arrived } = counts[index as usize];
            let id = group.id(index);
            let (event, ends) = match news.get(&index) {
                Some(&News::Reached(unit)) => (ArmyEvent::Reached { group: id, unit }, false),
                Some(&News::Lost(unit)) => (ArmyEvent::Lost { group: id, unit }, true),
                Some(News::Escaped) => (ArmyEvent::GroupArrived { group: id }, true),
                None if marching == 0 && arrived > 0 && !group.announced => {
                    group.announced = true;
                    self.events.push(ArmyEvent::GroupArrived { group: id });
                    onward.extend(group.next_leg().map(|next| (id, next)));
                    continue;
                }
                None => continue,
            };
            self.events.push(event);
            if ends {
                let next = group.next_leg().unwrap_or((Target::Stand, None));
                onward.push((id, next));
            }
        }
        for (group, next) in onward {
            self.groups.set_out(group, next, self.roster);
        }
    }
}

/// Whether a unit comes out of the next step the same, if its surroundings stay the same.
fn may_sleep(before: &Unit, after: &Unit, sleepy: &[[bool; 2]]) -> bool {
    let [arrived, standing] = sleepy[after.group.index()];
    let sleeps = match after.state {
        UnitState::Arrived => arrived,
        UnitState::Marching => standing,
        UnitState::Engaged | UnitState::Unreachable => false,
    };
    // To the bit: zeros with other signs are the same number.
    sleeps && before.hash_words() == after.hash_words()
}

/// Puts a unit that has decided where pushes have left it, and records its
/// progress.
fn finish_unit(
    unit: &mut Unit,
    before: &Unit,
    decision: &Decision,
    &[x, y, ..]: &Pin,
    seconds: f32,
    patience: StepPatience,
) {
    unit.position = [x, y];
    let came = difference(unit.position, before.position);
    let top = greater(decision.speed, unit.speed);
    // A unit that stands has no velocity, even if it is pushed.
    let may_go = unit.state.may_go();
    if may_go || unit.velocity != NONE {
        // A step of no duration moves no unit, and the velocity stays.
        unit.velocity = if seconds > 0.0 {
            let achieved = times(came, 1.0 / seconds);
            let share = lesser(seconds / SETTLING, 1.0);
            let kept = times(unit.velocity, 1.0 - share);
            limited(sum(kept, times(achieved, share)), top)
        } else {
            before.velocity
        };
    }
    if !may_go {
        return;
    }
    let far = decision.speed * seconds;
    let idle = unit.memory.idle;
    if unit.speed > 0.0 {
        patience::note(&mut unit.memory, unit.position, came, far, patience);
    } else if unit.memory.wish != NONE {
        patience::lose(&mut unit.memory, patience);
    }
    if decision.hemmed_in {
        // The unit keeps squeezing until only free units are around it.
        unit.memory.idle = unit.memory.idle.max(idle);
    }
}
