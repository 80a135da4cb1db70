//! Tours: orders to several goals, one after the other.

use std::fmt;
use std::sync::Arc;

use super::claim::Order;
use super::goal::OrderError;

/// Several goals, one after the other: a claim on an order for each leg.
///
/// The game keeps the number of each unit's leg. [`FlowWorld::sample_tour`]
/// increases it when the unit arrives. So the first unit of an army may be two
/// goals ahead of the last.
///
/// [`FlowWorld::sample_tour`]: crate::FlowWorld::sample_tour
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tour {
    legs: Arc<[Order]>,
}

impl Tour {
    pub(crate) fn new(legs: Vec<Order>) -> Self {
        Self { legs: legs.into() }
    }

    /// Returns the orders, in the order of the goals: for inspection, and for
    /// [`cover`](crate::FlowWorld::cover) when a unit has strayed.
    #[must_use]
    pub fn legs(&self) -> &[Order] {
        &self.legs
    }

    /// Returns the orders' numbers. With them a loaded world [returns the
    /// tour](crate::FlowWorld::tour_with_numbers).
    #[must_use]
    pub fn numbers(&self) -> Vec<u64> {
        self.legs.iter().map(Order::number).collect()
    }
}

/// Why a tour was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TourError {
    /// There is no goal.
    NoGoal,
    /// One of the legs was refused.
    Leg {
        /// The index of the leg's goal: 0 for the first.
        index: usize,
        /// Why the leg was refused.
        error: OrderError,
    },
}

impl fmt::Display for TourError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGoal => f.write_str("a tour has no goal: give at least one"),
            Self::Leg { index, error } => write!(f, "goal {index} of the tour: {error}"),
        }
    }
}

impl std::error::Error for TourError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::NoGoal => None,
            Self::Leg { error, .. } => Some(error),
        }
    }
}
