use std::fmt;
use std::sync::Arc;

use super::claim::Order;
use super::goal::OrderError;

/// Goals one after the other: a claim on an order for each leg of the way.
///
/// Which leg a unit is on is the unit's own affair: the game keeps a number for
/// each, and [`FlowWorld::sample_tour`] counts it on as the unit arrives. So
/// the first of an army may be two goals ahead of the last.
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

    /// The orders, in the order of the goals: to
    /// [`cover`](crate::FlowWorld::cover) who strayed, and to look at.
    #[must_use]
    pub fn legs(&self) -> &[Order] {
        &self.legs
    }

    /// The orders' numbers, by which a loaded world
    /// [gives the tour back](crate::FlowWorld::tour_with_numbers).
    #[must_use]
    pub fn numbers(&self) -> Vec<u64> {
        self.legs.iter().map(Order::number).collect()
    }
}

/// Why a tour was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TourError {
    /// There is no goal.
    NoGoal,
    /// One of the legs was not taken.
    Leg {
        /// Which goal it leads to: 0 is the first.
        index: usize,
        /// Why.
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
