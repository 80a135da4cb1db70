//! Groups: units with a common target, and the counts by which they arrive.

use crate::grid::Cell;
use crate::order::Order;

use super::march::March;
use super::reading::Reading;
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
    /// Straight to a point, whatever is in between; no unit arrives.
    Point([f32; 2]),
    /// The goal of an order. After [`FlowWorld::aim`](crate::FlowWorld::aim),
    /// which redirects one claim only, set the group's target again.
    Order {
        /// The claim on the order.
        order: Order,
        /// The order's goal.
        goal: Cell,
    },
}

impl Target {
    /// Panics if the target is a point that is not finite.
    pub(super) fn check(&self) {
        if let Self::Point(point) = self {
            let is_place = point.iter().all(|at| at.is_finite());
            assert!(
                is_place,
                "a target must be a finite point, and {point:?} is not"
            );
        }
    }
}

/// Units with a common target.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) target: Target,
    pub(super) reading: Reading,
    pub(super) march: Option<March>,
    #[cfg(feature = "crowd")]
    pub(super) course: super::course::Course,
    /// The number of the first group with the same goal.
    pub(super) goal_key: u16,
    pub(super) tally: Tally,
    /// Whether `GroupArrived` was already emitted.
    pub(super) announced: bool,
}

/// The sums over all groups with the same goal, taken before each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// The number of units on their way.
    pub(super) marching: u32,
    /// The sum of the squared radii of the arrived units, and of all units that
    /// have arrived or can.
    pub(super) settled: f32,
    pub(super) expected: f32,
}

impl Tally {
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
    pub(super) fn new(target: Target, reading: Reading, key: u16) -> Self {
        Self {
            target,
            reading,
            march: None,
            #[cfg(feature = "crowd")]
            course: Default::default(),
            goal_key: key,
            tally: Tally::default(),
            announced: false,
        }
    }

    pub(super) const fn goal(&self) -> Option<Cell> {
        match self.target {
            Target::Order { goal, .. } => Some(goal),
            _ => None,
        }
    }

    /// Returns the words of the group, for a state hash.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let (kind, place) = match self.target {
            Target::Nowhere => (0, [0, 0]),
            Target::Point(point) => (1, point.map(f32::to_bits)),
            Target::Order { goal, .. } => (2, [goal.x as u32, goal.y as u32]),
            Target::Stand => (3, [0, 0]),
        };
        let reading = match self.reading {
            Reading::Nearest => 0,
            Reading::Bilinear => 1,
            Reading::LowestOfFour => 2,
            Reading::Ahead => 3,
            #[cfg(feature = "crowd")]
            Reading::Crowd => 4,
        };
        let march = self.march.iter().flat_map(March::words);
        [kind, place[0], place[1], reading, self.announced.into()]
            .into_iter()
            .chain([self.march.is_some().into()])
            .chain(march)
    }

    /// Returns the point to which the group is to come.
    pub(super) fn point(&self) -> Vector {
        match self.target {
            Target::Nowhere | Target::Stand => NONE,
            Target::Point(point) => point,
            Target::Order { goal, .. } => middle_of(goal),
        }
    }
}
