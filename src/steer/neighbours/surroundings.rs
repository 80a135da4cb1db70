//! A unit's neighbours, visited once in each step: the wishes that they cause,
//! and the units with which it may collide.
//!
//! ```text
//!   candidates   all in the spans around the unit: four in a row at once
//!       ├──▶ fellows   of the group, in range: the group's mean
//!       ├──▶ courses   in range, on a collision course: stepping aside
//!       └──▶ near      possible contacts: room, touches
//! ```
//!
//! Lists of ranks stand between the stages, so that each works on four units
//! that matter at a time. The lists keep the order of the candidates, and each
//! sum adds up its units in this order: the bits are those of one loop over all.

use std::ops::Range;

use super::behaviour::{AT_ONE_PLACE, HEAD_ON, separation};
use super::bodies::{Bodies, Body, BodyRows};
use super::bodies::{Contacts, MOST};
use super::four::{Four, Mask, first};
use super::rank_list::{FourRanks, RankList};
use crate::steer::units::{Settings, TOUCH};
use crate::vector::{NONE, Vector, dot, times};

/// The speed above which a unit goes past others, in cells a second.
const MOVING: f32 = 0.1;
/// The ranks that a list holds before it is worked off.
const LIST: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NeighbourFilter {
    All,
    /// Contacts, room and fellows only: the crowd's field already accounts for
    /// what lies ahead.
    Contacts,
    /// Contacts and all touches only: the unit stands.
    Touches,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Surroundings {
    pub(crate) separation: Vector,
    pub(crate) avoidance: Vector,
    sums: [f32; 4],
    fellows: u32,
    /// Whether the unit touches one that has arrived at the same goal.
    pub(crate) touches_settled: bool,
    /// Whether the unit touches one that has arrived elsewhere.
    pub(crate) touches_foreign: bool,
    /// Whether the unit touches one that stands in range of a quarry on the way to the same goal.
    pub(crate) touches_engaged: bool,
    /// Whether the unit touches one that goes past; known of a unit that stands.
    pub(crate) touches_moving: bool,
}

impl Surroundings {
    pub(crate) fn means(&self) -> Option<(Vector, Vector)> {
        (self.fellows > 0).then(|| {
            let share = 1.0 / self.fellows as f32;
            let [x, y, along, across] = self.sums;
            (times([along, across], share), times([x, y], share))
        })
    }
}

#[derive(Clone, Copy)]
pub(crate) struct NeighbourContext<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) settings: &'a Settings,
    /// The planes of each group; empty if all groups are on the same ones.
    pub(crate) planes: &'a [u8],
    /// The distance from contact up to which a collision is still possible.
    pub(crate) margin: f32,
}

pub(crate) struct Look<'a> {
    context: NeighbourContext<'a>,
    at: usize,
    me: Body,
    filter: NeighbourFilter,
    fellows: RankList<LIST>,
    courses: RankList<LIST>,
    near: RankList<LIST>,
    felt: usize,
    /// Whether touches are to be noted: not of a unit on its way among others that
    /// are.
    notes_touches: bool,
    sums: Four,
    wishes: Four,
    around: Surroundings,
}

impl<'a> Look<'a> {
    pub(crate) fn new(context: NeighbourContext<'a>) -> Self {
        Self {
            context,
            at: 0,
            me: Body::default(),
            filter: NeighbourFilter::All,
            fellows: RankList::new(),
            courses: RankList::new(),
            near: RankList::new(),
            felt: 0,
            notes_touches: false,
            sums: Four::all(0.0),
            wishes: Four::all(0.0),
            around: Surroundings::default(),
        }
    }

    /// Visits all other units in the spans around the sorted unit `at`.
    pub(crate) fn around(
        &mut self,
        at: usize,
        spans: impl IntoIterator<Item = Range<usize>>,
        filter: NeighbourFilter,
    ) -> (Surroundings, Contacts) {
        self.at = at;
        self.me = self.context.bodies.get(at);
        self.filter = filter;
        self.notes_touches = filter == NeighbourFilter::Touches;
        self.sums = Four::all(0.0);
        self.wishes = Four::all(0.0);
        self.around = Surroundings::default();
        let sought = self.sought();
        for span in spans {
            self.visit(&sought, span);
        }
        self.finish()
    }

    #[inline(always)]
    fn sought(&self) -> Sought<'a> {
        let NeighbourContext {
            bodies,
            settings,
            planes,
            margin,
        } = self.context;
        let group = self.me.traits.group;
        let range = settings.range * settings.range;
        // Nothing is below -1.
        let [range, horizon] = match self.filter {
            NeighbourFilter::Touches => [-1.0, -1.0],
            NeighbourFilter::All if settings.avoidance > 0.0 => [range, settings.horizon],
            NeighbourFilter::All | NeighbourFilter::Contacts => [range, -1.0],
        };
        Sought {
            bodies: bodies.rows(),
            position: self.me.position.map(Four::all),
            velocity: self.me.velocity.map(Four::all),
            radius: Four::all(self.me.traits.radius),
            group,
            own_planes: planes.get(group as usize).copied().unwrap_or(0),
            planes,
            margin: Four::all(margin),
            range: Four::all(range),
            horizon: Four::all(horizon),
        }
    }

    /// Finds out which units of a span matter, and for what.
    #[inline(always)]
    fn visit(&mut self, sought: &Sought<'_>, span: Range<usize>) {
        let mut rank = span.start;
        while rank < span.end {
            let mut others = first(span.end - rank);
            let own = self.at.wrapping_sub(rank);
            others &= !(u32::from(own < 4) << (own & 3));
            let Found {
                near,
                fellows,
                mut courses,
                settled,
            } = sought.among(rank, others);
            if (near | courses) & settled != 0 {
                self.notes_touches |= near & settled != 0;
                courses &= !self.at_own_goal(rank, settled);
            }
            self.fellows.add(rank, fellows);
            // PERF: few are so near or on a collision course.
            if near != 0 {
                self.near.add(rank, near);
            }
            if courses != 0 {
                self.courses.add(rank, courses);
            }
            if self.near.is_full() | self.fellows.is_full() | self.courses.is_full() {
                self.work_off();
            }
            rank += 4;
        }
    }

    /// Returns those of four settled units in a row that have arrived at the unit's
    /// goal: they are no obstacles.
    fn at_own_goal(&self, rank: usize, settled: u32) -> u32 {
        let mine = self.me.traits.marks;
        let four = &self.context.bodies.traits[rank..rank + 4];
        (0..).zip(four).fold(0, |bits, (lane, other)| {
            let is_there = other.marks.is_settled() & other.marks.has_goal_of(mine);
            bits | u32::from(is_there) << lane
        }) & settled
    }

    fn add_fellows(&mut self) {
        let motions = &self.context.bodies.motions;
        let fellows = self.fellows.as_slice();
        self.sums = fellows.iter().fold(self.sums, |sums, &other| {
            sums + Four::of(motions[other as usize])
        });
        self.around.fellows += fellows.len() as u32;
        self.fellows.clear();
    }

    /// Returns how this unit and four others approach each other.
    #[inline(always)]
    fn approach(&self, four: &FourRanks) -> Approach {
        let ([x, y, vx, vy], radius) = self.context.bodies.four(four);
        let [own_x, own_y] = self.me.position.map(Four::all);
        let [own_vx, own_vy] = self.me.velocity.map(Four::all);
        let way = [x - own_x, y - own_y];
        let closing = [own_vx - vx, own_vy - vy];
        Approach::new(way, closing, Four::all(self.me.traits.radius) + radius)
    }

    /// Adds the wishes to avoid the units on a collision course, as
    /// [`avoid`](super::behaviour::avoid) returns them.
    fn step_aside(&mut self) {
        let horizon = Four::all(self.context.settings.horizon);
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
            let passes_right = (room * Four::all(HEAD_ON)).below(miss);
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
        // Equivalent to having seen only these.
        let all = self.near.as_slice();
        if all.len() > MOST {
            let closest = Contacts::closest(self.at, all, self.context.bodies);
            self.near.keep(&closest);
        }
        self.felt = self.near.as_slice().len();
    }

    /// Adds the wishes for room to up to four units, and notes touches.
    #[inline(always)]
    fn keep_room(&mut self, four: &FourRanks) {
        let settings = self.context.settings;
        let ([x, y, ..], radius) = self.context.bodies.four(four);
        let [own_x, own_y] = self.me.position.map(Four::all);
        let way = [own_x - x, own_y - y];
        let square = way[0] * way[0] + way[1] * way[1];
        let both = Four::all(self.me.traits.radius) + radius;
        let others = four.mask();
        let touch = both + Four::all(TOUCH) + Four::all(settings.touch_of_room());
        let touches = square.up_to(touch * touch).and(others).bits();
        if self.notes_touches && touches != 0 {
            self.note_touches(four, touches);
        }
        let room = both + Four::all(settings.room);
        let close = square.below(room * room).and(others);
        if close.bits() == 0 || self.filter == NeighbourFilter::Touches {
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
    fn separations(&self, four: &FourRanks, close: u32) -> [Four; 2] {
        let me = &self.me;
        let mut parts = [[0.0; 4]; 2];
        for (lane, &other) in four.as_slice().iter().enumerate() {
            let other = self.context.bodies.get(other as usize);
            let room = me.traits.radius + other.traits.radius + self.context.settings.room;
            let ids = [me.traits.id, other.traits.id];
            let wish = separation(me.position, ids[0], other.position, ids[1], room);
            let is_close = close >> lane & 1 == 1;
            let wish = if is_close { wish } else { NONE };
            (parts[0][lane], parts[1][lane]) = (wish[0], wish[1]);
        }
        parts.map(Four::of)
    }

    fn note_touches(&mut self, four: &FourRanks, touches: u32) {
        let around = &mut self.around;
        for (lane, &other) in four.as_slice().iter().enumerate() {
            if touches >> lane & 1 == 0 {
                continue;
            }
            let other = self.context.bodies.get(other as usize);
            let marks = other.traits.marks;
            let has_same_goal = marks.has_goal_of(self.me.traits.marks);
            around.touches_settled |= marks.is_settled() & has_same_goal;
            around.touches_foreign |= marks.is_settled() & !has_same_goal;
            around.touches_engaged |= marks.is_engaged() & has_same_goal;
            let square = dot(other.velocity, other.velocity);
            around.touches_moving |= !marks.is_settled() & (square > MOVING * MOVING);
        }
    }

    fn work_off(&mut self) {
        self.add_fellows();
        self.step_aside();
        self.feel_near();
    }

    fn finish(&mut self) -> (Surroundings, Contacts) {
        self.work_off();
        let [x, y, aside_x, aside_y] = self.wishes.array();
        let mut around = self.around;
        around.separation = [x, y];
        around.avoidance = [aside_x, aside_y];
        around.sums = self.sums.array();
        let contacts = Contacts::new(self.at, self.near.as_slice());
        self.near.clear();
        self.felt = 0;
        (around, contacts)
    }
}

struct Sought<'a> {
    bodies: BodyRows<'a>,
    position: [Four; 2],
    velocity: [Four; 2],
    radius: Four,
    group: u32,
    own_planes: u8,
    planes: &'a [u8],
    margin: Four,
    /// The square of the distance of those in range.
    range: Four,
    horizon: Four,
}

/// The bits of those of four units that matter, and of those that have arrived.
struct Found {
    near: u32,
    fellows: u32,
    courses: u32,
    settled: u32,
}

impl Sought<'_> {
    /// Finds what is sought among the `others` of four units in a row.
    #[inline(always)]
    fn among(&self, rank: usize, mut others: u32) -> Found {
        let ([x, y], [vx, vy]) = (self.position, self.velocity);
        let four = self.bodies.four(rank);
        if !self.planes.is_empty() {
            others &= four.are_on(self.own_planes, self.planes);
        }
        let ([there_x, there_y], [there_vx, there_vy]) = (four.position, four.velocity);
        let way = [there_x - x, there_y - y];
        let room = self.radius + four.radius;
        let square = way[0] * way[0] + way[1] * way[1];
        let contact = room + self.margin;
        let near = square.up_to(contact * contact);
        let far = square.up_to(self.range);
        let approach = Approach::new(way, [vx - there_vx, vy - there_vy], room);
        let courses = far.and(approach.meets(self.horizon));
        Found {
            near: near.bits() & others,
            fellows: far.and(four.are_of(self.group)).bits() & others,
            courses: courses.bits() & others,
            settled: four.are_settled().bits(),
        }
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

impl Approach {
    /// From the way to the others, the velocity at which it becomes shorter, and the
    /// sums of the radii.
    #[inline(always)]
    fn new(way: [Four; 2], closing: [Four; 2], room: Four) -> Self {
        Self {
            square: closing[0] * closing[0] + closing[1] * closing[1],
            nearing: way[0] * closing[0] + way[1] * closing[1],
            across: closing[0] * way[1] - closing[1] * way[0],
            wide: room * Four::all(1.2),
            room,
            closing,
        }
    }

    /// Finds the units on a collision course: those for which
    /// [`avoid`](super::behaviour::avoid) returns a wish.
    #[inline(always)]
    fn meets(&self, horizon: Four) -> Mask {
        let Self {
            square,
            nearing,
            across,
            wide,
            ..
        } = *self;
        Four::all(1e-4)
            .up_to(square)
            .and(Four::all(0.0).below(nearing))
            .and(nearing.up_to(horizon * square))
            .and((across * across).below(wide * wide * square))
    }
}
