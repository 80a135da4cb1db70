//! The batch step: all units, from the last state to the next.
//!
//! ```text
//!   crowd ─▶ tally ─▶ anchors ─▶ index ─▶ decide ─▶ push, push, push ─▶ finish
//!   solves    groups    formations sort     each unit   each unit          velocities,
//!                                           alone       and its contacts   patience, events
//! ```
//!
//! Deciding and pushing read only the previous state, and each unit writes only
//! its own place, so both run on any number of threads. The other stages are
//! short and run on one.

use super::decide::{Decision, StepContext, View};
use super::finder::Finder;
use super::foes::Foes;
#[cfg(feature = "crowd")]
use super::foresight::Foresight;
use super::outcome::Outcome;
use super::part::{Distances, Part, Role};
use super::patience::{self, StepPatience};
use super::push::{Movable, Pin, PushRound, REST, open_after};
use super::survey::{GroupGoal, GroupStep, Survey, tops};
use crate::steer::groups::Groups;
use crate::steer::neighbours::{Bodies, Body, BodyMarks, Contacts, Look, NeighbourContext, Traits};
use crate::steer::reading::Clock;
use crate::steer::units::{ArmyEvent, Roster, Settings, Unit};
use crate::steer::walls::GroupLayer;
use crate::threads::{Slots, for_runs};
use crate::world::FlowWorld;

/// An army as one step works on it.
pub(crate) struct Step<'a> {
    pub(crate) world: &'a FlowWorld,
    pub(crate) settings: &'a Settings,
    pub(crate) roster: &'a mut Roster,
    pub(crate) groups: &'a mut Groups,
    pub(crate) layers: &'a [GroupLayer<'a>],
    pub(crate) finder: &'a mut Finder,
    #[cfg(feature = "crowd")]
    pub(crate) foresight: &'a Foresight,
    pub(crate) events: &'a mut Vec<ArmyEvent>,
    pub(crate) seconds: f32,
    pub(crate) patience: StepPatience,
    pub(crate) clock: Clock,
    /// Whether units may fall asleep.
    pub(crate) lets_sleep: bool,
}

impl Step<'_> {
    /// Moves all units.
    pub(crate) fn run(mut self, scratch: &mut StepScratch) {
        let news = self.run_errands(&mut scratch.foes);
        self.roster.sort();
        self.groups.wake_changed(self.roster);
        let is_touched = self.roster.is_touched() || self.groups.is_touched();
        let known = scratch.survey.take().filter(|_| !is_touched);
        let mut survey = known.unwrap_or_else(|| Survey::of(self.groups.all(), self.roster));
        if self.give_places(&survey) {
            survey = Survey::of(self.groups.all(), self.roster);
        }
        self.swap_places(&survey);
        let mut tops = tops(self.groups.all(), self.roster);
        self.wait_for_the_front(&survey.goals, &mut tops);
        self.move_anchors(&survey.goals, &tops);
        self.lay_trails();
        let far = self.distances(&survey);
        if scratch.slept_by.replace((self.seconds, far)) != Some((self.seconds, far)) {
            self.roster.wake_all();
        }
        let mut rings = 1;
        let most_rings = self.settings.pushes as usize;
        loop {
            let is_part = scratch.part.choose(self.roster, self.groups, far, rings);
            self.decide(scratch, &survey, &tops, far, is_part);
            self.push(scratch, survey.are_weighted);
            if !is_part || rings >= most_rings || !scratch.is_rim_stirred() {
                break;
            }
            rings = most_rings;
        }
        let widest = survey.widest;
        let finished = self.finish(scratch, survey, &news);
        scratch.survey = finished.survey;
        let traits = &scratch.bodies.traits[..scratch.units.len()];
        let sorted = traits.iter().map(|traits| traits.id);
        self.finder.note_step(sorted, widest, finished.came);
        self.enter_links();
    }

    fn distances(&self, survey: &Survey) -> Distances {
        let Survey {
            widest, fastest, ..
        } = *survey;
        Distances {
            sight: self.settings.reach(widest, fastest, self.seconds),
            contact: 2.0 * widest + self.settings.contact_margin(fastest, self.seconds),
        }
    }

    /// Sorts the units of the step among their neighbours, and lets them decide.
    fn decide(
        &mut self,
        scratch: &mut StepScratch,
        survey: &Survey,
        tops: &[f32],
        far: Distances,
        is_part: bool,
    ) {
        let StepScratch {
            bodies,
            units: decided,
            decisions,
            contacts,
            pins: [pins, _],
            opens,
            stirred,
            part,
            roles,
            places,
            is_part: part_only,
            ..
        } = scratch;
        *part_only = is_part;
        let units = self.roster.units();
        let index = &mut self.finder.index;
        roles.clear();
        if is_part {
            let members = part.members();
            index.build(members, |&(at, _)| units[at as usize].position, far.sight);
            let sorted = index.order().iter().map(|&at| members[at as usize]);
            roles.extend(sorted.clone().map(|(_, role)| role));
            places.clear();
            places.extend(sorted.map(|(at, _)| at));
        } else {
            index.build(units, |unit| unit.position, far.sight);
            places.clear();
            places.extend(index.order());
        }
        let index = &self.finder.index;
        let count = places.len();
        decided.resize(count, Unit::default());
        decisions.resize(count, Decision::default());
        contacts.resize(count, Contacts::default());
        pins.resize(count, Pin::default());
        opens.resize(count, 0.0);
        stirred.resize(count, false);
        self.sort_units(&survey.goals, places, bodies, decided);
        let before = StepContext {
            world: self.world,
            settings: self.settings,
            roster: self.roster,
            groups: &self.group_steps(survey, tops),
            ends: &survey.ends,
            index,
            roles,
            #[cfg(feature = "crowd")]
            foresight: self.foresight,
            seconds: self.seconds,
            patience: self.patience,
            clock: self.clock,
        };
        let planes = self.groups.planes();
        let neighbours = NeighbourContext {
            bodies,
            settings: self.settings,
            planes: &planes,
            margin: self.settings.contact_margin(survey.fastest, self.seconds),
        };
        let slots = (
            &mut decided[..],
            &mut decisions[..],
            &mut contacts[..],
            &mut pins[..],
            &mut opens[..],
            &mut stirred[..],
        );
        for_runs(slots, |first, slots| {
            decide_run(&before, neighbours, first, slots)
        });
    }

    /// Returns all groups, with what this step knows of them.
    fn group_steps<'a>(&'a self, survey: &Survey, tops: &[f32]) -> Vec<GroupStep<'a>> {
        let groups = self.groups.all().iter().zip(self.layers).enumerate();
        let steps = groups.map(|(at, (group, layer))| {
            let goal = survey.goals[at];
            let leader = group.target.leader();
            GroupStep {
                group,
                layer,
                goal,
                tally: survey.tally(goal),
                top: tops[at],
                leader: leader.and_then(|id| self.roster.get(id)),
                #[cfg(feature = "crowd")]
                stream: self.foresight.stream(group.id(at as u32)),
            }
        });
        steps.collect()
    }

    /// Copies the units in the order of the index, and as others see them.
    fn sort_units(
        &self,
        goals: &[GroupGoal],
        order: &[u32],
        bodies: &mut Bodies,
        sorted: &mut [Unit],
    ) {
        let units = self.roster.units();
        let slots = (sorted, bodies.slots(order.len()));
        for_runs(slots, |first, (sorted, mut bodies)| {
            for (at, sorted) in sorted.iter_mut().enumerate() {
                *sorted = units[order[first + at] as usize];
                Bodies::put(&mut bodies, at, &self.body(goals, sorted));
            }
        });
    }

    fn body(&self, goals: &[GroupGoal], unit: &Unit) -> Body {
        let level = self.patience.level(unit);
        let goal = goals[unit.group.index()].key;
        Body {
            position: unit.position,
            velocity: unit.velocity,
            traits: Traits {
                radius: unit.radius,
                id: unit.id,
                group: unit.group.index,
                marks: BodyMarks::new(goal, unit.state, patience::firmness(level)),
            },
        }
    }

    /// Pushes overlapping units apart; the final positions are in the first
    /// array.
    fn push(&self, scratch: &mut StepScratch, are_weighted: bool) {
        let StepScratch {
            bodies,
            contacts,
            pins: [here, there],
            moved: [moved, moving],
            opens,
            stirred,
            roles,
            units,
            weights,
            movable,
            ..
        } = scratch;
        weights.clear();
        if are_weighted {
            weights.extend(units.iter().map(|unit| unit.weight));
        }
        there.resize(here.len(), Pin::default());
        moved.clear();
        moved.extend(roles.iter().map(|&role| role != Role::Seen));
        moved.resize(here.len(), true);
        moving.resize(here.len(), true);
        let rest = REST * self.seconds;
        for _ in 0..self.clock.share_of(self.settings.pushes) {
            let round = PushRound {
                traits: &bodies.traits,
                pins: here,
                moved,
                contacts,
                layers: self.layers,
                weights,
                rest,
            };
            if movable.find(moved, contacts, &self.finder.index) {
                movable.push(&round, opens);
                for (at, &(pin, open)) in movable.pushed() {
                    moved[at] = pin[..2] != here[at][..2];
                    stirred[at] |= moved[at];
                    (here[at], opens[at]) = (pin, open);
                }
                if !movable.pushed().any(|(at, _)| moved[at]) {
                    break;
                }
                continue;
            }
            let slots = (
                &mut there[..],
                &mut moving[..],
                &mut opens[..],
                &mut stirred[..],
            );
            for_runs(slots, |first, (there, moving, opens, stirred)| {
                for at in 0..there.len() {
                    there[at] = round.pushed(first + at, &mut opens[at]);
                    moving[at] = there[at][..2] != round.pins[first + at][..2];
                    stirred[at] |= moving[at];
                }
            });
            std::mem::swap(here, there);
            std::mem::swap(moved, moving);
            if !moved.contains(&true) {
                break;
            }
        }
    }
}

type DecisionSlots<'a> = (
    &'a mut [Unit],
    &'a mut [Decision],
    &'a mut [Contacts],
    &'a mut [Pin],
    &'a mut [f32],
    &'a mut [bool],
);

fn decide_run(
    before: &StepContext<'_>,
    neighbours: NeighbourContext<'_>,
    mut first: usize,
    mut slots: DecisionSlots<'_>,
) {
    let mut look = Look::new(neighbours);
    let mut views = [View::default(); BLOCK];
    while slots.count() > 0 {
        let count = slots.count().min(BLOCK);
        let ((units, decisions, contacts, pins, opens, stirred), rest) = slots.cut(count);
        for (at, unit) in units.iter().enumerate() {
            (views[at], contacts[at]) = before.look(&mut look, first + at, unit);
        }
        for (at, (unit, view)) in units.iter_mut().zip(&mut views).enumerate() {
            if before.role(first + at) == Role::Decides {
                before.decide(unit, view);
            }
        }
        for (at, unit) in units.iter_mut().enumerate() {
            decisions[at] = if before.role(first + at) == Role::Decides {
                before.act(unit, &views[at])
            } else {
                Decision::of_sleeper(&views[at])
            };
            let Body {
                position, traits, ..
            } = neighbours.bodies.get(first + at);
            let [x, y] = unit.position;
            pins[at] = [x, y, unit.radius, traits.marks.feel()];
            opens[at] = open_after(views[at].open, position, unit.position);
            stirred[at] = unit.position != position;
        }
        first += count;
        slots = rest;
    }
}

/// The units that look around before the first of them decides.
// PERF: three short loops in place of a long one: the roots and quotients of several
// units overlap.
const BLOCK: usize = 64;

/// The working memory of a step, kept from one step to the next: lists of the
/// units in the order of the index. A clone is empty.
#[derive(Default)]
pub(crate) struct StepScratch {
    pub(crate) foes: Foes,
    /// Where in the roster each is.
    pub(super) places: Vec<u32>,
    pub(super) bodies: Bodies,
    pub(super) units: Vec<Unit>,
    pub(super) decisions: Vec<Decision>,
    pub(super) contacts: Vec<Contacts>,
    /// Before and after a round of pushes: where the units are, and whether the
    /// round before moved them.
    pub(super) pins: [Vec<Pin>; 2],
    pub(super) moved: [Vec<bool>; 2],
    /// The distances from the pins within which the ground is known to be open.
    pub(super) opens: Vec<f32>,
    /// None if all are 1.
    pub(super) weights: Vec<f32>,
    pub(super) movable: Movable,
    /// Whether a decision or a push has moved the unit in the step.
    pub(super) stirred: Vec<bool>,
    /// Whether the step looks at a part of the units, and what it does with each of that.
    pub(super) is_part: bool,
    pub(super) roles: Vec<Role>,
    pub(super) part: Part,
    /// By id: the ranks of the units, and what the step has come to
    /// for them.
    pub(super) ranks: Vec<u32>,
    pub(super) outcomes: Vec<Outcome>,
    /// What is known of all units, as long as nothing in it has changed.
    pub(super) survey: Option<Survey>,
    /// The seconds and distances of the last step, by which its sleepers sleep.
    pub(super) slept_by: Option<(f32, Distances)>,
}

impl StepScratch {
    /// Whether a unit was pushed that decides nothing.
    pub(super) fn is_rim_stirred(&self) -> bool {
        let mut all = self.roles.iter().zip(&self.stirred);
        all.any(|(&role, &stirred)| role == Role::Pushed && stirred)
    }
}

impl Clone for StepScratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}
