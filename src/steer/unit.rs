use super::ahead::Lookahead;
use super::walls::is_radius;
use crate::vector::Vector;

/// A group of an army, as [`Army::add_group`](super::Army::add_group) gave it
/// out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId(pub(super) u16);

impl GroupId {
    /// The group's number: 0 for the first of an army.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a unit is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// On its way, or waiting for one.
    #[default]
    Marching,
    /// At its goal, or beside one who is. It stands, and gives way to others.
    Arrived,
    /// Cut off: it stands, and goes on when a way opens.
    Unreachable,
}

/// A circle that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Its number, no two alike in an army. Ties are broken by it.
    pub id: u32,
    /// Its group.
    pub group: GroupId,
    /// Where its middle is, in cells: [3.5, 4.5] is the middle of cell (3, 4).
    pub position: [f32; 2],
    /// Cells a second.
    pub velocity: [f32; 2],
    /// In cells, from 0 to [`MAX_RADIUS`](super::MAX_RADIUS); below 0.5 it fits
    /// wherever its field leads.
    pub radius: f32,
    /// The most cells a second on open ground: 0 or more.
    pub speed: f32,
    /// What it is doing.
    pub state: State,
    pub(super) memory: Memory,
}

/// What a unit carries from one step to the next besides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Memory {
    pub(super) aim: Lookahead,
    /// Where it last wanted to go: of length 1, or none.
    pub(super) wish: Vector,
    /// How much of the way that it wanted it got, lately: 1 is all.
    pub(super) pace: f32,
    /// Ticks without progress, less those with.
    pub(super) idle: u32,
    /// Where it was watched from for getting away, and how far it wanted to
    /// go since.
    pub(super) post: Vector,
    pub(super) watch: f32,
    /// Ticks in which it touched one who has arrived where it goes.
    pub(super) pressed: u32,
    /// Its place in its group's formation.
    pub(super) slot: u32,
    /// It stands where its order does not lead.
    pub(super) stray: bool,
}

impl Unit {
    /// A unit of radius 0.3 with a speed of 4 cells a second.
    #[must_use]
    pub fn new(id: u32, group: GroupId, position: [f32; 2]) -> Self {
        Self {
            id,
            group,
            position,
            velocity: [0.0, 0.0],
            radius: 0.3,
            speed: 4.0,
            state: State::Marching,
            memory: Memory::default(),
        }
    }

    /// The same with another radius.
    #[must_use]
    pub const fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// The same with another speed.
    #[must_use]
    pub const fn with_speed(mut self, speed: f32) -> Self {
        self.speed = speed;
        self
    }

    /// Whether it stands where its order does not lead: the order must be
    /// asked to [`cover`](crate::FlowWorld::cover) its cell.
    #[must_use]
    pub const fn is_stray(&self) -> bool {
        self.memory.stray
    }

    /// What of it no unit can have, and what to do about it.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let is_number = |[x, y]: Vector| x.is_finite() && y.is_finite();
        if !is_radius(self.radius) {
            Some("its radius must be from 0 to 16 cells")
        } else if !(self.speed.is_finite() && self.speed >= 0.0) {
            Some("its speed must be a number, 0 or more")
        } else if !(is_number(self.position) && is_number(self.velocity)) {
            Some("its position and velocity must be numbers")
        } else {
            None
        }
    }

    /// Sets out anew.
    pub(super) fn set_out(&mut self) {
        self.state = State::Marching;
        self.memory = Memory {
            aim: Lookahead::none(self.position),
            pace: 1.0,
            post: self.position,
            slot: self.memory.slot,
            ..Memory::default()
        };
    }

    /// All that it is, in words, for a state hash.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let Memory {
            aim,
            wish,
            pace,
            idle,
            post,
            watch,
            pressed,
            slot,
            stray,
        } = self.memory;
        let state = match self.state {
            State::Marching => 0,
            State::Arrived => 1,
            State::Unreachable => 2,
        };
        let floats = [
            self.position[0],
            self.position[1],
            self.velocity[0],
            self.velocity[1],
            self.radius,
            self.speed,
            wish[0],
            wish[1],
            pace,
            post[0],
            post[1],
            watch,
        ];
        [
            self.id,
            u32::from(self.group.0),
            state,
            idle,
            pressed,
            slot,
            stray.into(),
        ]
        .into_iter()
        .chain(floats.map(f32::to_bits))
        .chain(aim.words())
    }
}

/// Something worth telling, of the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event {
    /// A unit has come to its goal.
    Arrived {
        /// Its id.
        unit: u32,
    },
    /// All units of a group that can reach its goal have arrived; told once for
    /// each target.
    GroupArrived {
        /// The group.
        group: GroupId,
    },
    /// A unit makes no progress.
    Stuck {
        /// Its id.
        unit: u32,
        /// 1: it tries to pass on its right. 2: it squeezes past others.
        /// 3: it squeezes harder, and a game may want to look after it.
        level: u8,
    },
    /// A unit is cut off from its goal.
    Unreachable {
        /// Its id.
        unit: u32,
    },
}
