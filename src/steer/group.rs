use crate::grid::Cell;
use crate::order::Order;

use super::march::March;
use super::reading::Reading;
use super::vector::{NONE, Vector};
use super::walls::middle_of;

/// Where a group is to go.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Target {
    /// Nowhere in particular: its units flock.
    #[default]
    Nowhere,
    /// Straight to a point, whatever is in between; nobody arrives.
    Point([f32; 2]),
    /// Where an order leads.
    Order {
        /// The claim.
        order: Order,
        /// The order's goal.
        goal: Cell,
    },
}

/// Units with a common target.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) target: Target,
    pub(super) reading: Reading,
    pub(super) march: Option<March>,
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

    /// The point that it is to come to.
    pub(super) fn point(&self) -> Vector {
        match self.target {
            Target::Nowhere => NONE,
            Target::Point(point) => point,
            Target::Order { goal, .. } => middle_of(goal),
        }
    }
}
