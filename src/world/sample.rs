//! Samples: what a unit learns from its order at a cell.

use std::fmt;

use crate::cost::LinkId;
use crate::grid::Direction;

/// What an order returns for a unit at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sample {
    /// The unit takes this step.
    Go(Direction),
    /// The goal is in sight: the straight line to
    /// [`FlowWorld::goal_in_sight`](super::FlowWorld::goal_in_sight) is free. A
    /// unit that moves from cell to cell takes this step.
    ///
    /// The line between the centres of the two cells touches only ground of the
    /// goal's cost in the order's loaded sectors; where it passes through a
    /// corner, this is true of all four cells there. No path by steps, over
    /// cheaper ground, costs less than the straight way. Returned up to about 320
    /// cells from the goal along either axis, and only by orders to a single
    /// cell. After an edit in a loaded sector, [`Go`](Self::Go) is returned
    /// instead until the order is planned again.
    InSight(Direction),
    /// The unit enters this link: it goes to the [`end_of`](crate::Link::end_of) its cell,
    /// where the directions go on.
    Link(LinkId),
    /// The unit is at the goal.
    Arrived,
    /// The directions are not ready: more ticks are needed. A unit that does not want to
    /// wait may take the step of
    /// [`FlowWorld::provisional`](super::FlowWorld::provisional).
    Waiting,
    /// The goal can be reached from here, but the order has no directions here,
    /// and no work in progress will make them. Call
    /// [`FlowWorld::cover`](super::FlowWorld::cover).
    OffRoute,
    /// The goal cannot be reached from here.
    Unreachable,
}

impl Sample {
    /// Returns the step of [`Go`](Self::Go) or [`InSight`](Self::InSight).
    #[must_use]
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::Go(direction) | Self::InSight(direction) => Some(direction),
            _ => None,
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Go(direction) => write!(f, "go {direction}"),
            Self::InSight(direction) => write!(f, "in sight, go {direction}"),
            Self::Link(link) => write!(f, "enter {link}"),
            Self::Arrived => f.write_str("arrived"),
            Self::Waiting => f.write_str("waiting"),
            Self::OffRoute => f.write_str("off the route"),
            Self::Unreachable => f.write_str("unreachable"),
        }
    }
}
