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

use crate::world::FlowWorld;

use super::Army;
use super::decide::{Decision, PreviousState};
use super::group::Tally;
use super::patience;
use super::push::{depth, pushed};
use super::scratch::StepScratch;
use super::settings::Body;
use super::surroundings::Contacts;
use super::unit::{Event, GroupId, State, Unit};
use crate::threads::fill;
use crate::vector::{difference, distance, greater, limited, times};

impl Army {
    /// Moves all units forward by `seconds`.
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
        let mut scratch = std::mem::take(&mut self.scratch);
        self.tally();
        self.move_anchors(world, seconds);
        self.decide(&mut scratch, world, seconds);
        self.push(&mut scratch, world);
        self.settle(&scratch, seconds);
        self.announce_groups();
        self.scratch = scratch;
        self.tick = self.tick.wrapping_add(1);
    }

    /// Counts the units on their way and the arrived ones, for each goal.
    fn tally(&mut self) {
        let mut tallies = vec![Tally::default(); self.groups.len()];
        for unit in &self.units {
            let key = self.groups[unit.group.index()].goal_key;
            let tally = &mut tallies[usize::from(key)];
            let square = unit.radius * unit.radius;
            match unit.state {
                State::Marching => tally.marching += 1,
                State::Arrived => tally.settled += square,
                State::Unreachable => continue,
            }
            tally.expected += square;
        }
        for group in &mut self.groups {
            group.tally = tallies[usize::from(group.goal_key)];
        }
    }

    /// Moves the anchors of marching formations.
    fn move_anchors(&mut self, world: &FlowWorld, seconds: f32) {
        if self.groups.iter().all(|group| group.march.is_none()) {
            return;
        }
        let mut bands = vec![FormationProgress::default(); self.groups.len()];
        for unit in &self.units {
            if unit.state == State::Marching
                && let Some(march) = &self.groups[unit.group.index()].march
            {
                let place = march.place(world.costs(), unit.memory.slot, unit.radius);
                bands[unit.group.index()].take(unit, distance(place, unit.position));
            }
        }
        for (group, band) in self.groups.iter_mut().zip(bands) {
            let Some(mut march) = group.march.take() else {
                continue;
            };
            if let Some((field, goal)) = Self::fields(group, world)
                && band.count > 0.0
            {
                let lag = band.lag / band.count;
                march.step(&field, goal, lag, band.speed * seconds, self.tick);
            }
            group.march = Some(march);
        }
    }

    fn decide(&self, scratch: &mut StepScratch, world: &FlowWorld, seconds: f32) {
        let (mut widest, mut fastest) = (0.0, 0.0);
        for unit in &self.units {
            widest = greater(widest, unit.radius);
            fastest = greater(fastest, unit.speed);
        }
        let reach = self.settings.reach(widest, fastest, seconds);
        let positions = self.units.iter().map(|unit| unit.position);
        scratch.index.build(positions, reach);
        let order = scratch.index.order();
        scratch.bodies.clear();
        scratch
            .bodies
            .extend(order.iter().map(|&at| self.body(&self.units[at as usize])));
        let before = PreviousState {
            world,
            settings: &self.settings,
            units: &self.units,
            groups: &self.groups,
            index: &scratch.index,
            #[cfg(feature = "crowd")]
            foresight: &self.foresight,
            bodies: &scratch.bodies,
            seconds,
            fastest,
            tick: self.tick,
        };
        let blank = |at: &u32| Decision {
            unit: self.units[*at as usize],
            contacts: Contacts::default(),
            hemmed_in: false,
            speed: 0.0,
        };
        scratch.decisions.clear();
        scratch.decisions.extend(order.iter().map(blank));
        fill(self.threads, &mut scratch.decisions, |at| before.decide(at));
    }

    fn body(&self, unit: &Unit) -> Body {
        let level = patience::level(unit.memory.idle, self.settings.patience);
        Body {
            position: unit.position,
            velocity: unit.velocity,
            radius: unit.radius,
            id: unit.id,
            group: unit.group.0,
            goal: self.groups[unit.group.index()].goal_key,
            settled: unit.state == State::Arrived,
            firmness: patience::firmness(level),
        }
    }

    /// Pushes overlapping units apart; the final positions are in the first
    /// array.
    fn push(&mut self, scratch: &mut StepScratch, world: &FlowWorld) {
        let StepScratch {
            bodies,
            decisions,
            positions,
            moved,
            depths,
            ..
        } = scratch;
        let [here, there] = positions;
        here.clear();
        here.extend(decisions.iter().map(|decision| decision.unit.position));
        there.clear();
        there.extend_from_slice(here);
        moved.clear();
        moved.resize(bodies.len(), true);
        for _ in 0..self.settings.pushes {
            let costs = world.costs();
            fill(self.threads, there, |at| {
                let contacts = &decisions[at].contacts;
                // If neither the unit nor a contact has moved since, the result
                // stays.
                if moved[at] || contacts.iter().any(|other| moved[other]) {
                    pushed(at, bodies, here, contacts, costs)
                } else {
                    here[at]
                }
            });
            let pairs = here.iter().zip(&*there);
            moved.clear();
            moved.extend(pairs.map(|(before, after)| before != after));
            std::mem::swap(here, there);
        }
        depths.clear();
        depths.resize(bodies.len(), 0.0);
        fill(self.threads, depths, |at| {
            depth(at, bodies, here, &decisions[at].contacts)
        });
        self.deepest = depths.iter().copied().fold(0.0, greater);
    }

    /// Stores the decisions in the units, and records the progress of each.
    fn settle(&mut self, scratch: &StepScratch, seconds: f32) {
        let patience = self.settings.patience;
        self.events.clear();
        for (at, &place) in scratch.index.order().iter().enumerate() {
            let decision = &scratch.decisions[at];
            let before = self.units[place as usize];
            let mut unit = decision.unit;
            unit.position = scratch.positions[0][at];
            if unit.state == State::Marching {
                let came = difference(unit.position, before.position);
                let top = greater(decision.speed, unit.speed);
                // A step of no duration moves no unit, and the velocity stays.
                unit.velocity = if seconds > 0.0 {
                    limited(times(came, 1.0 / seconds), top)
                } else {
                    before.velocity
                };
                let far = decision.speed * seconds;
                let before = unit.memory.idle;
                patience::note(&mut unit.memory, unit.position, came, far, patience);
                if decision.hemmed_in {
                    // The unit keeps squeezing until only free units are around
                    // it.
                    unit.memory.idle = unit.memory.idle.max(before);
                }
            }
            self.units[place as usize] = unit;
            self.events.extend(change(&before, &unit, patience));
        }
        self.events.sort_by_key(|event| match *event {
            Event::Arrived { unit } | Event::Stuck { unit, .. } | Event::Unreachable { unit } => {
                unit
            }
            Event::GroupArrived { .. } => u32::MAX,
        });
    }

    fn announce_groups(&mut self) {
        // Counted in every step: the group is also complete when the last
        // missing unit is cut off or removed.
        let mut counts = vec![[0u32; 2]; self.groups.len()];
        for unit in &self.units {
            match unit.state {
                State::Marching => counts[unit.group.index()][0] += 1,
                State::Arrived => counts[unit.group.index()][1] += 1,
                State::Unreachable => {}
            }
        }
        for (at, group) in self.groups.iter_mut().enumerate() {
            let all = counts[at][0] == 0 && counts[at][1] > 0;
            if all && !group.announced {
                group.announced = true;
                let group = GroupId(at as u16);
                self.events.push(Event::GroupArrived { group });
            }
        }
    }
}

/// The marching units of a formation: the sum of their distances from their
/// places, their number, and the speed of the slowest.
#[derive(Clone, Copy, Default)]
struct FormationProgress {
    lag: f32,
    count: f32,
    speed: f32,
}

impl FormationProgress {
    fn take(&mut self, unit: &Unit, lag: f32) {
        if self.count == 0.0 || unit.speed < self.speed {
            self.speed = unit.speed;
        }
        self.lag += lag;
        self.count += 1.0;
    }
}

/// Returns the event of a unit's step, if there is one.
fn change(before: &Unit, after: &Unit, patience: u32) -> Option<Event> {
    let unit = after.id;
    if before.state != after.state {
        return match after.state {
            State::Arrived => Some(Event::Arrived { unit }),
            State::Unreachable => Some(Event::Unreachable { unit }),
            State::Marching => None,
        };
    }
    let level = patience::level(after.memory.idle, patience);
    let rose = level > patience::level(before.memory.idle, patience);
    rose.then_some(Event::Stuck { unit, level })
}
