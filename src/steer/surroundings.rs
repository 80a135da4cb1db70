//! A unit's neighbours, visited once in each step: the wishes that they cause,
//! and the units with which it may collide.
//!
//! ```text
//!   candidates   all in the spans around the unit: four at once, by their
//!       │        distances alone
//!       ├──▶ far     in range: the group's mean; those on a collision course
//!       │                 └──▶ courses    stepping aside
//!       └──▶ near    possible contacts: room, touches
//! ```
//!
//! Lists of places stand between the stages, so that each works on four units
//! that matter at a time. The lists keep the order of the candidates, and each
//! sum adds up its units in this order: the bits are those of one loop over all.

use std::ops::Range;

use super::behaviour::{AT_ONE_PLACE, separation};
use super::bodies::{Bodies, Body};
use super::contacts::{Contacts, MOST};
use super::lanes::{Four, FourPlaces, Mask, PlaceList, first};
use super::settings::Settings;
use crate::vector::{NONE, Vector, dot, times};

/// The speed above which a unit goes past others, in cells a second.
const MOVING: f32 = 0.1;
/// The places that a list holds before it is worked off.
const LIST: usize = 64;

/// The neighbours that a unit considers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heed {
    All,
    /// Contacts, room and fellows only: the crowd's field already accounts for
    /// what lies ahead.
    Contacts,
    /// Contacts and touches only: the unit stands.
    Touches,
}

/// The combined effects of a unit's neighbours.
#[derive(Clone, Copy, Default)]
pub(super) struct Surroundings {
    pub(super) separation: Vector,
    pub(super) avoidance: Vector,
    /// The sums of the positions and velocities of the group's neighbours.
    sums: [f32; 4],
    fellows: u32,
    /// Whether the unit touches one that has arrived at the same goal.
    pub(super) touches_settled: bool,
    /// Whether the unit touches one that has arrived elsewhere.
    pub(super) touches_foreign: bool,
    /// Whether the unit touches one that goes past.
    pub(super) touches_moving: bool,
}

impl Surroundings {
    /// Returns the mean velocity and the mean position of the group's
    /// neighbours.
    pub(super) fn means(&self) -> Option<(Vector, Vector)> {
        (self.fellows > 0).then(|| {
            let share = 1.0 / self.fellows as f32;
            let [x, y, along, across] = self.sums;
            (times([along, across], share), times([x, y], share))
        })
    }
}

/// What units look around in one step.
#[derive(Clone, Copy)]
pub(super) struct Lookout<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) settings: &'a Settings,
    /// The distance from contact up to which a collision is still possible.
    pub(super) margin: f32,
}

/// The look around of one unit after the other.
pub(super) struct Look<'a> {
    lookout: Lookout<'a>,
    at: usize,
    me: Body,
    heed: Heed,
    far: PlaceList<LIST>,
    courses: PlaceList<LIST>,
    near: PlaceList<LIST>,
    /// How many near units were worked off.
    felt: usize,
    sums: Four,
    /// Separation, and avoidance.
    wishes: Four,
    around: Surroundings,
}

impl<'a> Look<'a> {
    pub(super) fn new(lookout: Lookout<'a>) -> Self {
        Self {
            lookout,
            at: 0,
            me: Body::default(),
            heed: Heed::All,
            far: PlaceList::new(),
            courses: PlaceList::new(),
            near: PlaceList::new(),
            felt: 0,
            sums: Four::all(0.0),
            wishes: Four::all(0.0),
            around: Surroundings::default(),
        }
    }

    /// Visits all other units in the spans around the sorted unit `at`.
    pub(super) fn around(
        &mut self,
        at: usize,
        spans: impl IntoIterator<Item = Range<usize>>,
        heed: Heed,
    ) -> (Surroundings, Contacts) {
        (self.at, self.me, self.heed) = (at, self.lookout.bodies.get(at), heed);
        (self.sums, self.wishes) = (Four::all(0.0), Four::all(0.0));
        self.around = Surroundings::default();
        for span in spans {
            self.visit(span);
        }
        self.finish()
    }

    /// Finds out which units of a span are near or far.
    #[inline(always)]
    fn visit(&mut self, span: Range<usize>) {
        let Lookout {
            bodies,
            settings,
            margin,
        } = self.lookout;
        let [x, y] = self.me.position.map(Four::all);
        let radius = Four::all(self.me.traits.radius);
        let margin = Four::all(margin);
        let range = match self.heed {
            Heed::Touches => -1.0,
            _ => settings.range * settings.range,
        };
        let range = Four::all(range);
        let mut place = span.start;
        while place < span.end {
            let mut others = first(span.end - place);
            let own = self.at.wrapping_sub(place);
            others &= !(u32::from(own < 4) << (own & 3));
            let across = Four::load(&bodies.x, place) - x;
            let down = Four::load(&bodies.y, place) - y;
            let square = across * across + down * down;
            let contact = radius + Four::load(&bodies.radius, place) + margin;
            let near = square.up_to(contact * contact).bits() & others;
            let far = square.up_to(range).bits() & others;
            self.near.add(place, near);
            self.far.add(place, far);
            if self.near.is_full() {
                self.feel_near();
            }
            if self.far.is_full() {
                self.see_far();
            }
            place += 4;
        }
    }

    /// Works off the units in range.
    fn see_far(&mut self) {
        let settings = self.lookout.settings;
        let avoids = settings.avoidance > 0.0 && self.heed == Heed::All;
        self.far.seal(self.at);
        let mut at = 0;
        self.add_fellows();
        while avoids && let Some(four) = self.far.four(at) {
            self.find_courses(&four);
            if self.courses.is_full() {
                self.step_aside();
            }
            at += 4;
        }
        self.far.clear();
    }

    /// Adds up the positions and velocities of the group's units in range.
    #[inline(always)]
    fn add_fellows(&mut self) {
        let (bodies, group) = (self.lookout.bodies, self.me.traits.group);
        let (mut sums, mut fellows) = (self.sums, 0);
        for &other in self.far.as_slice() {
            let traits = &bodies.traits[other as usize];
            let is_fellow = (traits.group == group) & !traits.marks.is_settled();
            let motion = Four::of(bodies.motions[other as usize]);
            sums = sums + motion.at(Mask::all(is_fellow));
            fellows += u32::from(is_fellow);
        }
        self.sums = sums;
        self.around.fellows += fellows;
    }

    /// Finds the units on a collision course among four: those for which
    /// [`avoid`](super::behaviour::avoid) returns a wish.
    #[inline(always)]
    fn find_courses(&mut self, four: &FourPlaces) {
        let bodies = self.lookout.bodies;
        let horizon = Four::all(self.lookout.settings.horizon);
        let Approach {
            square,
            nearing,
            across,
            wide,
            ..
        } = self.approach(four);
        let meets = Four::all(1e-4)
            .up_to(square)
            .and(Four::all(0.0).below(nearing))
            .and(nearing.up_to(horizon * square))
            .and((across * across).below(wide * wide * square))
            .and(four.mask());
        let mut bits = meets.bits();
        while bits != 0 {
            let other = four.as_slice()[bits.trailing_zeros() as usize];
            let marks = bodies.traits[other as usize].marks;
            // A unit that has arrived at the same goal is no obstacle.
            if !(marks.is_settled() && marks.has_goal_of(self.me.traits.marks)) {
                self.courses.push(other);
            }
            bits &= bits - 1;
        }
    }

    /// Returns how this unit and four others approach each other.
    #[inline(always)]
    fn approach(&self, four: &FourPlaces) -> Approach {
        let ([x, y, vx, vy], radius) = self.lookout.bodies.four(four);
        let [own_x, own_y] = self.me.position.map(Four::all);
        let [own_vx, own_vy] = self.me.velocity.map(Four::all);
        let way = [x - own_x, y - own_y];
        let closing = [own_vx - vx, own_vy - vy];
        let room = Four::all(self.me.traits.radius) + radius;
        Approach {
            square: closing[0] * closing[0] + closing[1] * closing[1],
            nearing: way[0] * closing[0] + way[1] * closing[1],
            across: closing[0] * way[1] - closing[1] * way[0],
            wide: room * Four::all(1.2),
            room,
            closing,
        }
    }

    /// Adds the wishes to avoid the units on a collision course, as
    /// [`avoid`](super::behaviour::avoid) returns them.
    fn step_aside(&mut self) {
        let horizon = Four::all(self.lookout.settings.horizon);
        let one = Four::all(1.0);
        self.courses.seal(self.at);
        let mut at = 0;
        while let Some(four) = self.courses.four(at) {
            let Approach {
                square,
                nearing,
                across,
                wide,
                room,
                closing: [along, down],
            } = self.approach(&four);
            let time = nearing / square;
            let pace = square.sqrt();
            let miss = across / pace;
            let passes_right = (room * Four::all(0.5)).below(miss);
            let side = one.negative_at(passes_right);
            let urgency = (one - time / horizon) * (one - miss.abs() / wide);
            let factor = side * urgency / pace;
            let right = [Four::all(0.0) - down, along];
            self.add_wishes(four.mask(), [2, 3], right.map(|part| part * factor));
            at += 4;
        }
        self.courses.clear();
    }

    /// Adds up to four wishes, one after the other, to two of the sums.
    #[inline(always)]
    fn add_wishes(&mut self, mask: Mask, sums: [usize; 2], parts: [Four; 2]) {
        let mut columns = [Four::all(0.0); 4];
        for (at, part) in sums.into_iter().zip(parts) {
            columns[at] = part.at(mask);
        }
        for wish in Four::turned(columns) {
            self.wishes = self.wishes + wish;
        }
    }

    /// Works off the possible contacts: the wishes for room, and touches.
    fn feel_near(&mut self) {
        self.near.seal(self.at);
        while let Some(four) = self.near.four(self.felt) {
            self.keep_room(&four);
            self.felt += 4;
        }
        // What is left is as if it had come first.
        let all = self.near.as_slice();
        if all.len() > MOST {
            let closest = Contacts::closest(self.at, all, self.lookout.bodies);
            self.near.keep(&closest);
        }
        self.felt = self.near.as_slice().len();
    }

    /// Adds the wishes for room to up to four units, and notes touches.
    #[inline(always)]
    fn keep_room(&mut self, four: &FourPlaces) {
        let settings = self.lookout.settings;
        let ([x, y, ..], radius) = self.lookout.bodies.four(four);
        let [own_x, own_y] = self.me.position.map(Four::all);
        let way = [own_x - x, own_y - y];
        let square = way[0] * way[0] + way[1] * way[1];
        let both = Four::all(self.me.traits.radius) + radius;
        let others = four.mask();
        // Units that keep room would never quite touch.
        let touch = both + Four::all(0.02) + Four::all(settings.room * 0.6);
        let touches = square.up_to(touch * touch).and(others).bits();
        if touches != 0 {
            self.note_touches(four, touches);
        }
        let room = both + Four::all(settings.room);
        let close = square.below(room * room).and(others);
        if close.bits() == 0 || self.heed == Heed::Touches {
            return;
        }
        let long = square.sqrt();
        let part = Four::all(1.0) - long / room;
        let mut wishes = way.map(|way| (way / long * part).at(close));
        if square.up_to(Four::all(AT_ONE_PLACE)).and(close).bits() != 0 {
            wishes = self.separations(four, close.bits());
        }
        self.add_wishes(four.mask(), [0, 1], wishes);
    }

    /// Returns the wishes for room one by one, for units at one position.
    #[cold]
    fn separations(&self, four: &FourPlaces, close: u32) -> [Four; 2] {
        let me = &self.me;
        let mut parts = [[0.0; 4]; 2];
        for (lane, &other) in four.as_slice().iter().enumerate() {
            let other = self.lookout.bodies.get(other as usize);
            let room = me.traits.radius + other.traits.radius + self.lookout.settings.room;
            let ids = [me.traits.id, other.traits.id];
            let wish = separation(me.position, ids[0], other.position, ids[1], room);
            let is_close = close >> lane & 1 == 1;
            let wish = if is_close { wish } else { NONE };
            (parts[0][lane], parts[1][lane]) = (wish[0], wish[1]);
        }
        parts.map(Four::of)
    }

    /// Notes which kinds of units this one touches.
    fn note_touches(&mut self, four: &FourPlaces, touches: u32) {
        let around = &mut self.around;
        for (lane, &other) in four.as_slice().iter().enumerate() {
            if touches >> lane & 1 == 0 {
                continue;
            }
            let other = self.lookout.bodies.get(other as usize);
            let marks = other.traits.marks;
            let has_same_goal = marks.has_goal_of(self.me.traits.marks);
            around.touches_settled |= marks.is_settled() & has_same_goal;
            around.touches_foreign |= marks.is_settled() & !has_same_goal;
            let square = dot(other.velocity, other.velocity);
            around.touches_moving |= !marks.is_settled() & (square > MOVING * MOVING);
        }
    }

    /// Works off what is left in the lists.
    fn finish(&mut self) -> (Surroundings, Contacts) {
        self.see_far();
        self.step_aside();
        self.feel_near();
        let [x, y, aside_x, aside_y] = self.wishes.array();
        let mut around = self.around;
        (around.separation, around.avoidance) = ([x, y], [aside_x, aside_y]);
        around.sums = self.sums.array();
        let contacts = Contacts::new(self.at, self.near.as_slice());
        self.near.clear();
        self.felt = 0;
        (around, contacts)
    }
}

/// How a unit and four others approach each other.
struct Approach {
    /// The square of the speed at which they do, and how far they have come when
    /// they are closest.
    square: Four,
    nearing: Four,
    /// How far to the right of the unit the others will pass.
    across: Four,
    /// The distance at which they would touch, and a little more.
    room: Four,
    wide: Four,
    closing: [Four; 2],
}
