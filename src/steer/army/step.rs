//! The batch step: all units, from the last state to the next.
//!
//! ```text
//!   crowd ─▶ tally ─▶ anchors ─▶ index ─▶ decide ─▶ push, push, push ─▶ settle
//!   solves    groups    formations sort     each unit   each unit          velocities,
//!                                           alone       and its contacts   patience, events
//! ```
//!
//! Deciding and pushing read only the previous state, and each unit writes only
//! its own place, so both run on any number of threads. The other stages are
//! short and run on one.

use super::Army;
use crate::steer::groups::{EndTallies, Leader, Pace, Tally, Target};
use crate::steer::motion::patience;
use crate::steer::motion::{
    Bodies, Body, BodyMarks, Contacts, Decision, Index, Look, Lookout, Pin, PreviousState,
    PushRound, StepScratch, Traits, View, open_after,
};
use crate::steer::units::{Unit, UnitState, contact_margin};
use crate::steer::walls::GroupLayer;
use crate::threads::for_runs;
use crate::vector::{Vector, greater, lesser};
use crate::world::FlowWorld;

impl Army {
    /// Moves all units forward by `seconds`: from a millionth to 1,000. Less, or
    /// what is not a number, counts as 0, which moves no unit.
    ///
    /// The world is only read: tick it before, and let orders [cover
    /// strays](Self::cover_strays) afterwards.
    ///
    /// # Panics
    /// If a group's order belongs to another world.
    pub fn step(&mut self, world: &FlowWorld, seconds: f32) {
        self.foresee(world, seconds);
        self.advance(world, seconds);
    }

    /// Runs the first half of a [`step`](Self::step): continues the solves of
    /// the crowd, if a group reads it. For games that time or schedule the two
    /// halves separately: both, in this order, are one step.
    ///
    /// # Panics
    /// If a group's order belongs to another world.
    pub fn foresee(&mut self, world: &FlowWorld, seconds: f32) {
        #[cfg(feature = "crowd")]
        self.solve_crowd(world, seconds);
        #[cfg(not(feature = "crowd"))]
        let _ = (world, seconds);
    }

    /// Runs the second half of a [`step`](Self::step): moves all units.
    ///
    /// # Panics
    /// If a group's order belongs to another world.
    pub fn advance(&mut self, world: &FlowWorld, seconds: f32) {
        let seconds = usable(seconds);
        if self.is_at_rest(world, seconds) {
            self.events.clear();
            self.tick = self.tick.wrapping_add(1);
            return;
        }
        let mut grounds = std::mem::take(&mut self.grounds);
        let layers = grounds.layers(world, self.groups.layers());
        self.run_errands(world);
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut finder = std::mem::take(&mut self.finder);
        self.roster.sort();
        self.groups.find_goals();
        let survey = self.survey(&mut scratch.positions);
        self.set_paces();
        self.move_anchors(world, &layers, seconds);
        self.lay_trails(world, &layers);
        self.decide(
            &mut scratch,
            &mut finder.index,
            world,
            &layers,
            &survey,
            seconds,
        );
        self.push(&mut scratch, &layers);
        let settled = self.settle(&mut scratch, finder.index.order(), seconds);
        let sorted = scratch.bodies.traits.iter().take(scratch.units.len());
        let sorted = sorted.map(|traits| traits.id);
        finder.note_step(sorted, survey.widest, settled.came);
        (self.scratch, self.finder) = (scratch, finder);
        self.enter_links(world, &layers, seconds);
        self.grounds = grounds;
        self.note_rest(settled.is_still, seconds);
        self.tick = self.tick.wrapping_add(1);
    }

    /// Looks at all units once: notes their positions, and sums up the sizes of
    /// those that arrive, for each goal, and for each end of an order with several.
    fn survey(&mut self, positions: &mut Vec<Vector>) -> Survey {
        let (mut widest, mut fastest) = (0.0, 0.0);
        positions.clear();
        let groups = self.groups.all();
        let mut tallies = vec![Tally::default(); groups.len()];
        let mut ends = EndTallies::new();
        for unit in self.roster.units() {
            positions.push(unit.position);
            widest = greater(widest, unit.radius);
            fastest = greater(fastest, unit.speed);
            let group = &groups[unit.group.index()];
            let key = group.goal_key;
            let end = unit.memory.end.filter(|&end| group.goal() != Some(end));
            let tally = match end {
                Some(end) => ends.entry((key, [end.x, end.y])).or_default(),
                None => &mut tallies[key as usize],
            };
            let square = unit.radius * unit.radius;
            match unit.state {
                UnitState::Marching => {}
                UnitState::Arrived => tally.settled += square,
                UnitState::Unreachable => continue,
            }
            tally.expected += square;
        }
        for group in self.groups.all_mut() {
            group.tally = tallies[group.goal_key as usize];
            group.leader = match group.target {
                Target::Follow(id) | Target::Pursue(id, _) => self.roster.get(id).map(Leader::of),
                _ => None,
            };
        }
        Survey {
            ends,
            widest,
            fastest,
        }
    }

    /// Finds the speeds of groups that go at the pace of their slowest unit.
    fn set_paces(&mut self) {
        let groups = self.groups.all_mut();
        if groups.iter().all(|group| group.pace == Pace::Own) {
            return;
        }
        for group in &mut *groups {
            group.top = f32::MAX;
        }
        for unit in self.roster.units() {
            let group = &mut groups[unit.group.index()];
            if group.pace == Pace::Slowest && unit.state == UnitState::Marching {
                group.top = lesser(group.top, unit.speed);
            }
        }
    }

    fn decide(
        &self,
        scratch: &mut StepScratch,
        index: &mut Index,
        world: &FlowWorld,
        layers: &[GroupLayer<'_>],
        survey: &Survey,
        seconds: f32,
    ) {
        let StepScratch {
            positions,
            bodies,
            units: decided,
            decisions,
            contacts,
            pins: [pins, _],
            opens,
            ..
        } = scratch;
        let Survey {
            ends,
            widest,
            fastest,
        } = survey;
        let reach = self.settings.reach(*widest, *fastest, seconds);
        index.build(positions.iter().copied(), reach);
        let count = positions.len();
        decided.resize(count, Unit::default());
        decisions.resize(count, Decision::default());
        contacts.resize(count, Contacts::default());
        pins.resize(count, Pin::default());
        opens.resize(count, 0.0);
        self.sort_units(index.order(), bodies, decided);
        let before = PreviousState {
            world,
            settings: &self.settings,
            groups: self.groups.all(),
            layers,
            ends,
            index,
            #[cfg(feature = "crowd")]
            foresight: &self.foresight,
            seconds,
            tick: self.tick,
        };
        let planes = self.groups.planes();
        let lookout = Lookout {
            bodies,
            settings: &self.settings,
            planes: &planes,
            margin: contact_margin(*fastest, seconds),
        };
        let slots = (
            &mut decided[..],
            (
                (&mut decisions[..], &mut contacts[..]),
                (&mut pins[..], &mut opens[..]),
            ),
        );
        for_runs(slots, |first, slots| {
            decide_run(&before, lookout, first, slots)
        });
    }

    /// Copies the units in the order of the index, and as others see them.
    fn sort_units(&self, order: &[u32], bodies: &mut Bodies, sorted: &mut [Unit]) {
        let units = self.roster.units();
        let slots = (sorted, bodies.slots(order.len()));
        for_runs(slots, |first, (sorted, mut bodies)| {
            for (at, sorted) in sorted.iter_mut().enumerate() {
                *sorted = units[order[first + at] as usize];
                Bodies::put(&mut bodies, at, &self.body(sorted));
            }
        });
    }

    fn body(&self, unit: &Unit) -> Body {
        let level = patience::level(unit.memory.idle, self.settings.patience);
        let goal = self.groups.all()[unit.group.index()].goal_key;
        let settled = unit.state == UnitState::Arrived;
        Body {
            position: unit.position,
            velocity: unit.velocity,
            traits: Traits {
                radius: unit.radius,
                id: unit.id,
                group: unit.group.index,
                marks: BodyMarks::new(goal, settled, patience::firmness(level)),
            },
        }
    }

    /// Pushes overlapping units apart; the final positions are in the first
    /// array.
    fn push(&mut self, scratch: &mut StepScratch, layers: &[GroupLayer<'_>]) {
        let StepScratch {
            bodies,
            contacts,
            pins: [here, there],
            moved: [moved, moving],
            opens,
            ..
        } = scratch;
        there.clone_from(here);
        moved.clear();
        moved.resize(here.len(), true);
        moving.resize(here.len(), true);
        for _ in 0..self.settings.pushes {
            let round = PushRound {
                traits: &bodies.traits,
                pins: here,
                moved,
                contacts,
                layers,
            };
            let slots = (&mut there[..], (&mut moving[..], &mut opens[..]));
            for_runs(slots, |first, (there, (moving, opens))| {
                let slots = there.iter_mut().zip(moving).zip(opens).enumerate();
                for (at, ((there, moving), open)) in slots {
                    *there = round.pushed(first + at, open);
                    *moving = there[..2] != round.pins[first + at][..2];
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

/// What a run of sorted units decides.
type DecisionSlots<'a> = (
    &'a mut [Unit],
    (
        (&'a mut [Decision], &'a mut [Contacts]),
        (&'a mut [Pin], &'a mut [f32]),
    ),
);

/// Makes a run of sorted units, from `first` on, decide and move.
fn decide_run(
    before: &PreviousState<'_>,
    lookout: Lookout<'_>,
    mut first: usize,
    (units, ((decisions, contacts), (pins, opens))): DecisionSlots<'_>,
) {
    let mut look = Look::new(lookout);
    let mut views = [View::default(); BLOCK];
    let units = units.chunks_mut(BLOCK).zip(decisions.chunks_mut(BLOCK));
    let contacts = contacts.chunks_mut(BLOCK);
    let pins = pins.chunks_mut(BLOCK).zip(opens.chunks_mut(BLOCK));
    for (((units, decisions), contacts), (pins, opens)) in units.zip(contacts).zip(pins) {
        for (at, unit) in units.iter().enumerate() {
            (views[at], contacts[at]) = before.look(&mut look, first + at, unit);
        }
        for (unit, view) in units.iter_mut().zip(&mut views) {
            before.decide(unit, view);
        }
        for (at, unit) in units.iter_mut().enumerate() {
            decisions[at] = before.act(unit, &views[at]);
            let Body {
                position, traits, ..
            } = lookout.bodies.get(first + at);
            let [x, y] = unit.position;
            pins[at] = [x, y, unit.radius, traits.marks.feel()];
            opens[at] = open_after(views[at].open, position, unit.position);
        }
        first += units.len();
    }
}

/// What a step asks of all units before they decide.
struct Survey {
    ends: EndTallies,
    /// The largest radius and the greatest speed.
    widest: f32,
    fastest: f32,
}

/// The units that look around before the first of them decides.
// PERF: three short loops in place of a long one: the roots and quotients of several
// units overlap.
const BLOCK: usize = 64;

/// The shortest and the longest step, in seconds.
const SHORTEST: f32 = 1e-6;
const LONGEST: f32 = 1e3;

/// Returns the seconds by which a step moves units, so that no position becomes
/// infinite.
fn usable(seconds: f32) -> f32 {
    if seconds >= SHORTEST {
        lesser(seconds, LONGEST)
    } else {
        0.0
    }
}
