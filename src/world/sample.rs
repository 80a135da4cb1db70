//! Samples: what a unit learns from its order at a cell.

use std::fmt;

use crate::cost::LinkId;
use crate::grid::Direction;

/// What an order returns for a unit at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sample {
    /// The unit takes this step; or it goes straight to the goal, where
    /// [`FlowWorld::sees_goal`](super::FlowWorld::sees_goal) says that the line is free.
    Go(Direction),
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
    /// Returns the step of [`Go`](Self::Go).
    #[must_use]
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::Go(direction) => Some(direction),
            _ => None,
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Go(direction) => write!(f, "go {direction}"),
            Self::Link(link) => write!(f, "enter {link}"),
            Self::Arrived => f.write_str("arrived"),
            Self::Waiting => f.write_str("waiting"),
            Self::OffRoute => f.write_str("off the route"),
            Self::Unreachable => f.write_str("unreachable"),
        }
    }
}
