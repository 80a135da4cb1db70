use std::fmt;

use crate::grid::Direction;

/// What an order says to a unit at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sample {
    /// Take this step.
    Go(Direction),
    /// This is the goal.
    Arrived,
    /// The directions are not there yet, but the way out of this sector is
    /// known: who does not want to wait may take this step. It never leads
    /// into a wall or around a corner, nor away from the goal; the whole way
    /// may turn out a little dearer than by [`Go`](Self::Go).
    Toward(Direction),
    /// The directions are not there yet: tick on.
    Waiting,
    /// The goal can be reached from here, but the order does not lead here:
    /// ask [`FlowWorld::cover`](super::FlowWorld::cover).
    OffRoute,
    /// The goal cannot be reached from here.
    Unreachable,
}

impl Sample {
    /// The step to take, if it is [`Go`](Self::Go) or
    /// [`Toward`](Self::Toward).
    #[must_use]
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::Go(direction) | Self::Toward(direction) => Some(direction),
            _ => None,
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Go(direction) => write!(f, "go {direction}"),
            Self::Toward(direction) => write!(f, "toward {direction}"),
            Self::Arrived => f.write_str("arrived"),
            Self::Waiting => f.write_str("waiting"),
            Self::OffRoute => f.write_str("off the route"),
            Self::Unreachable => f.write_str("unreachable"),
        }
    }
}
