//! Units: circles with a state, a memory and events.

use super::error::ArmyError;
use super::ids::GroupId;
use crate::cost::LinkId;
use crate::grid::Cell;
use crate::steer::reading::Lookahead;
use crate::steer::walls::is_radius;
use crate::vector::{NONE, Vector, unit as unit_of};

/// The greatest distance of a position from the map's corner along each axis,
/// in cells, and the greatest speed, in cells a second.
pub(crate) const MOST: f32 = 1e6;

/// What a unit is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnitState {
    /// On its way, or waiting for a path.
    #[default]
    Marching,
    /// At its place around its goal, or beside a unit that is. It stands, and gives way to
    /// others.
    Arrived,
    /// In range of the unit that it [pursues](crate::steer::Target::Pursue) or
    /// [attacks](crate::steer::Target::AttackMove). It stands, and goes on once that has moved away.
    Engaged,
    /// Cut off from its goal, in a wall or off the map with no free place near, or without
    /// speed for twice the [patience](crate::steer::Settings::patience). It stands, and
    /// marches on when a path opens or it gets a speed.
    Unreachable,
}

impl UnitState {
    /// Whether the unit goes, or would if its quarry did.
    pub(crate) const fn may_go(self) -> bool {
        matches!(self, Self::Marching | Self::Engaged)
    }
}

/// A circle that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// The number of the unit, unique in an army. It breaks ties.
    pub id: u32,
    /// The group.
    pub group: GroupId,
    /// The position of the middle, in cells: [3.5, 4.5] is the middle of cell
    /// (3, 4).
    pub position: [f32; 2],
    /// The velocity, in cells a second.
    pub velocity: [f32; 2],
    /// The radius in cells, from 0 to [`MAX_RADIUS`](crate::steer::MAX_RADIUS). Below
    /// 0.5 the unit fits wherever its field leads.
    pub radius: f32,
    /// The greatest speed on open ground, in cells a second: 0 or more. With 0 it cannot reach
    /// a goal: it is [stuck](ArmyEvent::Stuck), and then [cut off](UnitState::Unreachable), so
    /// that its group arrives without it.
    pub speed: f32,
    /// How much more than others of its size it pushes aside, and less is pushed, from 0.01
    /// to 100: of a tank with 100, infantry makes way, and the tank hardly does. 1 at first.
    pub weight: f32,
    /// How it turns: at once, at first.
    pub turning: Turning,
    /// What the unit is doing.
    pub state: UnitState,
    pub(crate) memory: Memory,
}

/// How a unit turns.
///
/// ```
/// use flowtiles::steer::{GroupId, Turning, Unit};
///
/// let truck = Turning { rate: 1.5, on_the_spot: false };
/// let unit = Unit::new(0, GroupId::default(), [5.5, 5.5]).with_turning(truck);
/// assert_eq!(unit.heading(), None, "it has not gone anywhere");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    /// How far it turns in a second, in radians: a quarter of a turn is 1.57. From 0 to
    /// 1,000; with 0 it turns at once.
    pub rate: f32,
    /// Whether it can turn where it stands. If not, it goes on at a quarter of its speed at
    /// least while it turns.
    pub on_the_spot: bool,
}

impl Default for Turning {
    /// Returns how a unit turns by default: at once.
    fn default() -> Self {
        Self {
            rate: 0.0,
            on_the_spot: true,
        }
    }
}

/// What a unit on its way to a goal knows of where it is to stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Nothing: no unit is near the goal yet.
    #[default]
    Unknown,
    /// At its own place.
    Own,
    /// Beside others: no place in sight of the goal was left.
    Beside,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Memory {
    pub(crate) aim: Lookahead,
    /// The direction that it last wanted, of length 1, or none.
    pub(crate) wish: Vector,
    /// The part of the wanted movement that it achieved lately: 1 is all.
    pub(crate) pace: f32,
    /// Microseconds without progress; progress reduces them.
    pub(crate) idle: u32,
    /// The post: the position from which the unit must get away; and the
    /// distance that it has wanted to go since it came there.
    pub(crate) post: Vector,
    pub(crate) watch: f32,
    /// Its own place: where it is to [stop](Stop) if that is known, else where it set out.
    pub(crate) place: Vector,
    pub(crate) stop: Stop,
    /// The goal cell to which it goes, if its order has several; known once the
    /// unit is about to arrive.
    pub(crate) end: Option<Cell>,
    /// Microseconds in which it touched a unit that has arrived at the same goal.
    pub(crate) pressed: u32,
    /// The number of its place in its group's formation or trail.
    pub(crate) slot: u32,
    /// The direction to which it is turned, of length 1; none before it has gone, or if it
    /// turns at once.
    pub(crate) heading: Vector,
    /// Whether it stands off the loaded sectors of its order.
    pub(crate) stray: bool,
}

impl Default for Unit {
    /// Returns unit 0 of an army's first group, at the map's corner.
    fn default() -> Self {
        Self::new(0, GroupId::default(), [0.0, 0.0])
    }
}

impl Unit {
    /// Returns a unit of radius 0.3 with a speed of 4 cells a second.
    #[must_use]
    pub fn new(id: u32, group: GroupId, position: [f32; 2]) -> Self {
        Self {
            id,
            group,
            position,
            velocity: [0.0, 0.0],
            radius: 0.3,
            speed: 4.0,
            weight: 1.0,
            turning: Turning::default(),
            state: UnitState::Marching,
            memory: Memory::default(),
        }
    }

    /// Returns the unit with another radius.
    #[must_use]
    pub const fn with_radius(mut self, radius: f32) -> Self {
        self.radius = radius;
        self
    }

    /// Returns the unit with another speed.
    #[must_use]
    pub const fn with_speed(mut self, speed: f32) -> Self {
        self.speed = speed;
        self
    }

    /// Returns the unit with another [weight](Self::weight).
    #[must_use]
    pub const fn with_weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }

    /// Returns the unit with another way of [turning](Turning).
    #[must_use]
    pub const fn with_turning(mut self, turning: Turning) -> Self {
        self.turning = turning;
        self
    }

    /// Returns the direction to which a unit is turned, of length 1: of one that does not
    /// [turn](Turning) slowly the one in which it goes, or last wanted to go. `None` before it has gone
    /// anywhere.
    #[must_use]
    pub fn heading(&self) -> Option<[f32; 2]> {
        let Memory { heading, wish, .. } = self.memory;
        let known = [heading, unit_of(self.velocity), wish];
        known.into_iter().find(|&way| way != NONE)
    }

    /// Whether it stands off the loaded sectors of its order: the order should
    /// [`cover`](crate::FlowWorld::cover) its cell.
    #[must_use]
    pub const fn is_stray(&self) -> bool {
        self.memory.stray
    }

    pub(crate) fn check(&self) -> Result<(), ArmyError> {
        self.check_radius()?;
        self.check_speed()?;
        let wanted = "a number from 0.01 to 100";
        let fits = (0.01..=100.0).contains(&self.weight);
        self.check_value("weight", self.weight, fits, wanted)?;
        let wanted = "a number from 0 to 1,000 radians a second";
        let fits = (0.0..=1000.0).contains(&self.turning.rate);
        self.check_value("turning rate", self.turning.rate, fits, wanted)?;
        let fields = [("position", self.position), ("velocity", self.velocity)];
        for (field, along) in fields {
            for value in along {
                let wanted = "two numbers from -1,000,000 to 1,000,000";
                self.check_value(field, value, (-MOST..=MOST).contains(&value), wanted)?;
            }
        }
        Ok(())
    }

    fn check_radius(&self) -> Result<(), ArmyError> {
        let wanted = "a number from 0 to 16 cells";
        self.check_value("radius", self.radius, is_radius(self.radius), wanted)
    }

    fn check_speed(&self) -> Result<(), ArmyError> {
        let wanted = "a number from 0 to 1,000,000 cells a second";
        let fits = (0.0..=MOST).contains(&self.speed);
        self.check_value("speed", self.speed, fits, wanted)
    }

    fn check_value(
        &self,
        field: &'static str,
        value: f32,
        fits: bool,
        wanted: &'static str,
    ) -> Result<(), ArmyError> {
        if fits {
            return Ok(());
        }
        let unit = self.id;
        Err(ArmyError::Unit {
            unit,
            field,
            value,
            wanted,
        })
    }

    /// Makes the unit set out again, in the state that its target begins with.
    pub(crate) fn set_out(&mut self, state: UnitState) {
        self.state = state;
        self.memory = Memory {
            aim: Lookahead::none(self.position),
            pace: 1.0,
            post: self.position,
            place: self.position,
            slot: self.memory.slot,
            heading: self.memory.heading,
            ..Memory::default()
        };
    }

    #[inline]
    pub(crate) fn hash_words(&self) -> [[u32; 8]; 4] {
        let Memory {
            aim,
            wish,
            pace,
            idle,
            post,
            watch,
            place,
            stop,
            end,
            pressed,
            slot,
            heading,
            stray,
        } = self.memory;
        let bits = f32::to_bits;
        let pair = |[x, y]: Vector| [bits(x), bits(y)];
        let ([px, py], [vx, vy]) = (pair(self.position), pair(self.velocity));
        let ([wx, wy], [tx, ty], [hx, hy]) = (pair(wish), pair(post), pair(place));
        let [aim_x, aim_y, from_x, from_y, stuck, step] = aim.hash_words();
        let [end_x, end_y] = end.map_or([0; 2], |cell| [cell.x as u32, cell.y as u32]);
        let state = match self.state {
            UnitState::Marching => 0,
            UnitState::Arrived => 1,
            UnitState::Unreachable => 2,
            UnitState::Engaged => 3,
        };
        let flags =
            (stop as u32) << 4 | u32::from(end.is_some()) << 3 | u32::from(stray) << 2 | state;
        let GroupId { index, generation } = self.group;
        let Turning { rate, on_the_spot } = self.turning;
        let turning = bits(rate).rotate_left(16) ^ u32::from(!on_the_spot);
        let kind = bits(self.weight) ^ bits(1.0) ^ turning;
        let [heading_x, heading_y] = pair(heading);
        [
            [
                px,
                py,
                vx,
                vy,
                bits(self.radius),
                bits(self.speed),
                self.id,
                flags,
            ],
            [wx, wy, tx, ty, hx, hy, bits(pace), bits(watch)],
            [aim_x, aim_y, from_x, from_y, stuck, step, idle, pressed],
            [
                end_x, end_y, slot, index, generation, kind, heading_x, heading_y,
            ],
        ]
    }
}

/// An event of the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArmyEvent {
    /// A unit has reached its goal.
    Arrived {
        /// The unit's id.
        unit: u32,
    },
    /// All units of a group that can reach its goal have arrived, or the group has
    /// [escaped](crate::steer::Target::Flee). Emitted once for each target.
    GroupArrived {
        /// The group.
        group: GroupId,
    },
    /// A unit of a group that [pursues](crate::steer::Target::Pursue) another has come within
    /// range of it. Emitted again after the quarry was out of range of all.
    Reached {
        /// The group.
        group: GroupId,
        /// The quarry's id.
        unit: u32,
    },
    /// A pursuit has ended: its quarry is gone, or farther away than the leash allows. The
    /// group goes on to its next target, or [stands](crate::steer::Target::Stand).
    Lost {
        /// The group.
        group: GroupId,
        /// The quarry's id.
        unit: u32,
    },
    /// A unit makes no progress.
    Stuck {
        /// The unit's id.
        unit: u32,
        /// 1: it tries to pass on its right. 2: it squeezes past those with other goals. 3: also
        /// past those with its own, and the game may want to intervene.
        level: u8,
    },
    /// A unit makes no progress, and is wider than the bodies for which its order is made:
    /// emitted with the first [`Stuck`](Self::Stuck). The order may lead through gaps in which the
    /// unit does not fit. Give it an order on a layer of [wider
    /// bodies](crate::Movement::with_size).
    TooWide {
        /// The unit's id.
        unit: u32,
    },
    /// A unit has entered a link, and is at its end.
    Entered {
        /// The unit's id.
        unit: u32,
        /// The link.
        link: LinkId,
    },
    /// A unit is cut off from its goal, in a wall or off the map with no free place near, or
    /// has no speed.
    Unreachable {
        /// The unit's id.
        unit: u32,
    },
}
