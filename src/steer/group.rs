use crate::grid::Cell;
use crate::order::Order;

use super::march::March;
use super::reading::Reading;
use crate::vector::{NONE, Vector, middle_of};

/// Where a group is to go.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// Nowhere in particular: its units flock, and keep the velocity that they come
    /// to. Nothing brakes them, so where they have jostled each other they drift.
    #[default]
    Nowhere,
    /// Where each unit is: they stand, make room for others and come to rest again.
    /// For units without an order.
    Stand,
    /// Straight to a point, whatever is in between; nobody arrives.
    Point([f32; 2]),
    /// Where an order leads. After [`FlowWorld::aim`](crate::FlowWorld::aim), which
    /// aims one claim only, set the group's target again.
    Order {
        /// The claim.
        order: Order,
        /// The order's goal.
        goal: Cell,
    },
}

impl Target {
    /// Refuses a point that is nowhere.
    pub(super) fn check(&self) {
        if let Self::Point(point) = self {
            let is_place = point.iter().all(|at| at.is_finite());
            assert!(is_place, "a target must be a place, and {point:?} is none");
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
    /// The first group with the same goal.
    pub(super) goal_key: u16,
    pub(super) tally: Tally,
    /// All who can have been told of.
    pub(super) told: bool,
}

/// What is known of all groups with the same goal, counted before each step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// Units on their way.
    pub(super) marching: u32,
    /// Sum of the squares of the radii of those who have arrived, and of all
    /// who have or will.
    pub(super) settled: f32,
    pub(super) expected: f32,
}

impl Tally {
    /// The radius of the disc that those who have arrived fill, closely packed.
    pub(super) fn filled(&self) -> f32 {
        (self.settled / 0.8).sqrt()
    }

    /// The radius of the disc that all who can will fill, loosely packed.
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
            told: false,
        }
    }

    pub(super) const fn goal(&self) -> Option<Cell> {
        match self.target {
            Target::Order { goal, .. } => Some(goal),
            _ => None,
        }
    }

    /// All that it is, in words, for a state hash.
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
        [kind, place[0], place[1], reading, self.told.into()]
            .into_iter()
            .chain([self.march.is_some().into()])
            .chain(march)
    }

    /// The point that it is to come to.
    pub(super) fn point(&self) -> Vector {
        match self.target {
            Target::Nowhere | Target::Stand => NONE,
            Target::Point(point) => point,
            Target::Order { goal, .. } => middle_of(goal),
        }
    }
}
