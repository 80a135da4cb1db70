//! Groups: units with a common target, and the counts by which they arrive.

use std::collections::BTreeMap;

use crate::cost::LayerId;
use crate::grid::Cell;
use crate::order::Order;

use super::error::ArmyError;
use super::ids::IdSet;
use super::march::March;
use super::reading::Reading;
use super::unit::{MOST, State, Unit};
use crate::vector::{NONE, Vector, middle_of};

/// The target of a group.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// No target: the units flock, and keep the velocity that they get. Nothing
    /// brakes them, so units that have pushed each other drift.
    #[default]
    Nowhere,
    /// Every unit's present position: units stand, make room for others, and
    /// stop again. For units without an order.
    Stand,
    /// The place at which each unit got this target, or to which it was
    /// [put](super::Army::set_position): the unit makes room for others that go
    /// past, and comes back. It counts as arrived, without an event.
    Hold,
    /// Straight to a point, whatever is in between; the units settle around it.
    Point([f32; 2]),
    /// The unit with this id: straight toward it, and then along with it. A unit
    /// whose way there is blocked follows the wall at best; for long ways, give
    /// an order that [pursues](crate::FlowWorld::pursue) the unit. If there is
    /// no such unit, the same as [`Stand`](Self::Stand).
    Follow(u32),
    /// The goal of an order: a unit goes to the goal cell to which the order
    /// leads it, and settles around it. After
    /// [`FlowWorld::aim`](crate::FlowWorld::aim), which redirects one claim
    /// only, set the group's target again.
    Order(Order),
}

impl From<Order> for Target {
    fn from(order: Order) -> Self {
        Self::Order(order)
    }
}

impl Target {
    /// Checks that a point is on a map of any size.
    pub(super) fn check(&self) -> Result<(), ArmyError> {
        let Self::Point(point) = self else {
            return Ok(());
        };
        let fault = point.iter().find(|at| !(-MOST..=MOST).contains(*at));
        fault.map_or(Ok(()), |&value| {
            Err(ArmyError::Group {
                field: "target point",
                value,
                wanted: "two numbers from -1,000,000 to 1,000,000",
            })
        })
    }

    /// The state in which units set out for the target.
    pub(super) const fn first_state(&self) -> State {
        match self {
            Self::Hold => State::Arrived,
            _ => State::Marching,
        }
    }

    /// Whether a group can have arrived, so that its next target follows.
    pub(super) const fn ends(&self) -> bool {
        matches!(self, Self::Point(_) | Self::Order(_))
    }

    /// Returns the words of the target, for a state hash.
    fn words(&self) -> [u32; 3] {
        match self {
            Self::Nowhere => [0, 0, 0],
            Self::Point([x, y]) => [1, x.to_bits(), y.to_bits()],
            Self::Order(order) => {
                let goal = order.goal().cell();
                [2, goal.x as u32, goal.y as u32]
            }
            Self::Stand => [3, 0, 0],
            Self::Hold => [4, 0, 0],
            Self::Follow(unit) => [5, *unit, 0],
        }
    }

    /// Returns the movement layer of the target's order.
    pub(super) fn layer(&self) -> Option<LayerId> {
        match self {
            Self::Order(order) => Some(order.goal().layer()),
            _ => None,
        }
    }

    /// Returns a mark that targets have in common if their units settle
    /// together.
    pub(super) fn mark(&self) -> Option<[u64; 3]> {
        match self {
            Self::Order(order) if order.goal().cells().nth(1).is_none() => {
                let cell = order.goal().cell();
                Some([0, cell.x as u64, cell.y as u64])
            }
            Self::Order(order) => Some([1, order.number(), 0]),
            Self::Point([x, y]) => Some([2, x.to_bits().into(), y.to_bits().into()]),
            _ => None,
        }
    }
}

/// How fast the units of a group go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Pace {
    /// Each at its own speed.
    #[default]
    Own,
    /// At the speed of the slowest that is on its way, so that the group stays
    /// together.
    Slowest,
}

/// The unit that a group follows, as it was before the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leader {
    pub(super) id: u32,
    pub(super) position: Vector,
    pub(super) velocity: Vector,
    pub(super) radius: f32,
}

impl Leader {
    pub(super) const fn of(unit: &Unit) -> Self {
        Self {
            id: unit.id,
            position: unit.position,
            velocity: unit.velocity,
            radius: unit.radius,
        }
    }
}

/// Units with a common target.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) target: Target,
    /// The targets that follow, the next one first.
    pub(super) queue: Vec<Target>,
    /// Whether a target that is reached goes to the end of the queue.
    pub(super) patrols: bool,
    /// The movement layer of the last order.
    pub(super) layer: LayerId,
    pub(super) reading: Reading,
    pub(super) pace: Pace,
    /// The greatest speed that the pace allows in this step.
    pub(super) top: f32,
    pub(super) leader: Option<Leader>,
    pub(super) march: Option<March>,
    #[cfg(feature = "crowd")]
    pub(super) course: super::course::Course,
    /// The ids of its units.
    pub(super) members: IdSet,
    /// How many groups were at this place before.
    pub(super) generation: u32,
    pub(super) is_removed: bool,
    /// The number of the first group with the same goal.
    pub(super) goal_key: u32,
    /// The goal cell, if the goal has only one.
    pub(super) only_goal: Option<Cell>,
    /// Whether the order may lead units to different cells.
    pub(super) has_several_ends: bool,
    pub(super) tally: Tally,
    /// Whether `GroupArrived` was already emitted.
    pub(super) announced: bool,
}

impl Default for Group {
    fn default() -> Self {
        Self::new(Target::Nowhere, Reading::default())
    }
}

/// The sums over all groups with the same goal, taken before each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// The sum of the squared radii of the arrived units, and of all units that
    /// have arrived or can.
    pub(super) settled: f32,
    pub(super) expected: f32,
}

/// The tallies of goal cells other than the first of a goal, by the goal's key
/// and the cell's column and row.
pub(super) type EndTallies = BTreeMap<(u32, [i32; 2]), Tally>;

impl Tally {
    pub(super) const NONE: Self = Self {
        settled: 0.0,
        expected: 0.0,
    };

    /// Returns the radius of the disc that the arrived units fill, closely
    /// packed.
    pub(super) fn filled(&self) -> f32 {
        (self.settled / 0.8).sqrt()
    }

    /// Returns the radius of the disc that all units that can arrive will fill,
    /// loosely packed.
    pub(super) fn disc(&self) -> f32 {
        (self.expected / 0.55).sqrt()
    }
}

impl Group {
    pub(super) fn new(target: Target, reading: Reading) -> Self {
        Self {
            announced: target == Target::Hold,
            layer: target.layer().unwrap_or_default(),
            target,
            queue: Vec::new(),
            patrols: false,
            reading,
            pace: Pace::Own,
            top: f32::MAX,
            leader: None,
            march: None,
            #[cfg(feature = "crowd")]
            course: Default::default(),
            members: IdSet::default(),
            generation: 0,
            is_removed: false,
            goal_key: 0,
            only_goal: None,
            has_several_ends: false,
            tally: Tally::default(),
        }
    }

    /// Gives the group another target; its units must set out for it.
    pub(super) fn aim(&mut self, target: Target) {
        self.announced = target == Target::Hold;
        self.layer = target.layer().unwrap_or(self.layer);
        self.target = target;
        if let Some(march) = &mut self.march {
            march.set_out();
        }
    }

    /// Returns the next target of the queue, if the group has reached its
    /// target; puts this one at the end on a patrol.
    pub(super) fn next_target(&mut self) -> Option<Target> {
        if self.queue.is_empty() {
            return None;
        }
        if self.patrols {
            self.queue.push(self.target.clone());
        }
        Some(self.queue.remove(0))
    }

    /// Returns a group in the place of a removed one.
    pub(super) fn removed(generation: u32) -> Self {
        Self {
            generation,
            is_removed: true,
            ..Self::new(Target::Nowhere, Reading::default())
        }
    }

    /// Returns the first cell of the order's goal.
    pub(super) fn goal(&self) -> Option<Cell> {
        match &self.target {
            Target::Order(order) => Some(order.goal().cell()),
            _ => None,
        }
    }

    /// Notes what the steps ask about the order's goal.
    pub(super) fn note_goal(&mut self) {
        (self.only_goal, self.has_several_ends) = (None, false);
        if let Target::Order(order) = &self.target {
            let goal = order.goal();
            self.only_goal = goal.cells().nth(1).is_none().then(|| goal.cell());
            self.has_several_ends = self.only_goal.is_none() || !goal.is_strict();
        }
    }

    /// Returns the words of the group, for a state hash.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let reading = match self.reading {
            Reading::Nearest => 0,
            Reading::Bilinear => 1,
            Reading::LowestOfFour => 2,
            Reading::Ahead => 3,
            #[cfg(feature = "crowd")]
            Reading::Crowd => 4,
        };
        let march = self.march.iter().flat_map(March::words);
        let layer = u32::from(self.layer.number()) << 8 | u32::from(self.layer.team());
        [self.generation, self.is_removed.into(), layer]
            .into_iter()
            .chain(self.target.words())
            .chain([reading, self.announced.into(), self.patrols.into()])
            .chain([(self.pace == Pace::Slowest).into(), self.queue.len() as u32])
            .chain(self.queue.iter().flat_map(Target::words))
            .chain([self.march.is_some().into()])
            .chain(march)
    }

    /// Returns the point to which the group is to come.
    pub(super) fn point(&self) -> Vector {
        match &self.target {
            Target::Nowhere | Target::Stand | Target::Hold | Target::Follow(_) => NONE,
            Target::Point(point) => *point,
            Target::Order(order) => middle_of(order.goal().cell()),
        }
    }
}
