//! A unit's neighbours, visited once in each step: the wishes that they cause,
//! and the units with which it may collide.

use std::ops::Range;

use super::behaviour::{Mover, avoid, separation};
use super::settings::{Body, Settings};
use crate::vector::{Vector, difference, dot, sum, times};

/// The most neighbours with which a unit may collide; circles of one size touch
/// at most six.
const CONTACTS: usize = 14;

/// The speed above which a unit goes past others, in cells a second.
const MOVING: f32 = 0.1;

/// The units with which a unit may collide, as places among the sorted units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Contacts {
    others: [u32; CONTACTS],
    squares: [f32; CONTACTS],
    count: u8,
}

impl Contacts {
    /// Adds a unit at the square of a distance. If the list is full, the unit
    /// replaces the farthest one, if it is closer.
    fn add(&mut self, other: usize, square: f32) {
        let mut place = usize::from(self.count);
        if place == CONTACTS {
            place = 0;
            for at in 1..CONTACTS {
                if self.squares[at] > self.squares[place] {
                    place = at;
                }
            }
            if self.squares[place] <= square {
                return;
            }
        } else {
            self.count += 1;
        }
        self.others[place] = other as u32;
        self.squares[place] = square;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let others = &self.others[..usize::from(self.count)];
        others.iter().map(|&other| other as usize)
    }
}

/// The neighbours that a unit considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heed {
    All,
    /// Contacts, room and fellows only: the crowd's field already accounts for
    /// what lies ahead.
    Contacts,
}

/// The combined effects of a unit's neighbours.
#[derive(Default)]
pub(super) struct Surroundings {
    pub(super) separation: Vector,
    pub(super) avoidance: Vector,
    velocities: Vector,
    positions: Vector,
    fellows: f32,
    /// Whether the unit touches one that has arrived at the same goal.
    pub(super) touches_settled: bool,
    /// Whether the unit touches one that has arrived elsewhere.
    pub(super) touches_foreign: bool,
    /// Whether the unit touches one that goes past.
    pub(super) touches_moving: bool,
    pub(super) contacts: Contacts,
}

impl Surroundings {
    /// Visits all other units in the spans around the sorted unit `at`.
    /// `margin` is the distance from contact up to which a collision is still
    /// possible.
    pub(super) fn of(
        at: usize,
        bodies: &[Body],
        spans: impl IntoIterator<Item = Range<usize>>,
        settings: &Settings,
        margin: f32,
        heed: Heed,
    ) -> Self {
        let mut around = Self::default();
        let me = &bodies[at];
        let range = settings.range * settings.range;
        for span in spans {
            for (off, other) in bodies[span.clone()].iter().enumerate() {
                let place = span.start + off;
                let way = difference(other.position, me.position);
                let square = dot(way, way);
                let contact = me.radius + other.radius + margin;
                if place == at || (square > range && square > contact * contact) {
                    continue;
                }
                if square <= contact * contact {
                    around.contacts.add(place, square);
                    around.note_near(me, other, square, settings);
                }
                if square <= range {
                    around.note_far(me, other, settings, heed);
                }
            }
        }
        around
    }

    fn note_near(&mut self, me: &Body, other: &Body, square: f32, settings: &Settings) {
        // Units that keep room would never quite touch.
        let touch = me.radius + other.radius + 0.02 + settings.room * 0.6;
        if square <= touch * touch {
            if other.is_settled() {
                self.touches_settled |= other.goal() == me.goal();
                self.touches_foreign |= other.goal() != me.goal();
            } else {
                let speed = dot(other.velocity, other.velocity);
                self.touches_moving |= speed > MOVING * MOVING;
            }
        }
        let room = me.radius + other.radius + settings.room;
        if square < room * room {
            let wish = separation(me.position, me.id, other.position, other.id, room);
            self.separation = sum(self.separation, wish);
        }
    }

    fn note_far(&mut self, me: &Body, other: &Body, settings: &Settings, heed: Heed) {
        if other.group == me.group && !other.is_settled() {
            self.velocities = sum(self.velocities, other.velocity);
            self.positions = sum(self.positions, other.position);
            self.fellows += 1.0;
        }
        // A unit that has arrived at the same goal is no obstacle.
        let avoids = settings.avoidance > 0.0 && heed == Heed::All;
        if avoids && !(other.is_settled() && other.goal() == me.goal()) {
            let wish = avoid(&mover(me), &mover(other), settings.horizon);
            self.avoidance = sum(self.avoidance, wish);
        }
    }

    /// Returns the mean velocity and the mean position of the group's
    /// neighbours.
    pub(super) fn means(&self) -> Option<(Vector, Vector)> {
        (self.fellows > 0.0).then(|| {
            let share = 1.0 / self.fellows;
            (times(self.velocities, share), times(self.positions, share))
        })
    }
}

fn mover(body: &Body) -> Mover {
    Mover {
        position: body.position,
        velocity: body.velocity,
        radius: body.radius,
    }
}
