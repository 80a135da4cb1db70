use std::fmt;

use crate::grid::Direction;

/// What an order says to a unit at a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sample {
    /// Take this step.
    Go(Direction),
    /// The goal is in sight: the straight way there, to
    /// [`FlowWorld::goal_in_sight`](super::FlowWorld::goal_in_sight), is free.
    /// Who moves from cell to cell takes this step.
    ///
    /// The line between the middles of the two cells touches nothing but open
    /// ground of cost 1 in the order's loaded sectors; where it runs through a
    /// corner, that goes for all four cells there. Told at most some 320 cells
    /// along either axis from the goal, and only by orders that lead to a
    /// single cell. From an edit in a loaded sector until the order has been
    /// planned anew, the answer is [`Go`](Self::Go).
    InSight(Direction),
    /// This is the goal.
    Arrived,
    /// The directions are not there yet, but the way out of this sector is
    /// known: who does not want to wait may take this step. It never leads
    /// into a wall or around a corner, nor away from the goal; the whole way
    /// may turn out a little dearer than by [`Go`](Self::Go).
    Toward(Direction),
    /// The directions are not there yet: tick on.
    Waiting,
    /// The goal can be reached from here, but the order does not lead here, and
    /// no work that is under way will have it do so: ask
    /// [`FlowWorld::cover`](super::FlowWorld::cover).
    OffRoute,
    /// The goal cannot be reached from here.
    Unreachable,
}

impl Sample {
    /// The step to take, if it is [`Go`](Self::Go) or
    /// [`InSight`](Self::InSight) or [`Toward`](Self::Toward).
    #[must_use]
    pub const fn direction(self) -> Option<Direction> {
        match self {
            Self::Go(direction) | Self::InSight(direction) | Self::Toward(direction) => {
                Some(direction)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Go(direction) => write!(f, "go {direction}"),
            Self::InSight(direction) => write!(f, "in sight, go {direction}"),
            Self::Toward(direction) => write!(f, "toward {direction}"),
            Self::Arrived => f.write_str("arrived"),
            Self::Waiting => f.write_str("waiting"),
            Self::OffRoute => f.write_str("off the route"),
            Self::Unreachable => f.write_str("unreachable"),
        }
    }
}
