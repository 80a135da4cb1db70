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
    /// What [`FlowWorld::sample_rows`](super::FlowWorld::sample_rows) writes for a cell that is
    /// a wall of the order's layer.
    pub const BYTE_IN_WALL: u8 = 0x60;

    /// Returns the byte that stands for it in
    /// [`FlowWorld::sample_rows`](super::FlowWorld::sample_rows), in C and in JavaScript: for a
    /// step its place in [`Direction::ALL`], for all links the same.
    ///
    /// | byte | sample |
    /// | --- | --- |
    /// | 0 to 7 | [`Go`](Self::Go): north, east, south, west, north-east, south-east, south-west, north-west |
    /// | 0x10 | [`Link`](Self::Link) |
    /// | 0x20 | [`Arrived`](Self::Arrived) |
    /// | 0x30 | [`Waiting`](Self::Waiting) |
    /// | 0x40 | [`OffRoute`](Self::OffRoute) |
    /// | 0x50 | [`Unreachable`](Self::Unreachable) |
    /// | 0x60 | none: the cell is a wall, [`BYTE_IN_WALL`](Self::BYTE_IN_WALL) |
    ///
    /// ```
    /// use flowtiles::{Direction, Sample};
    /// assert_eq!(Sample::Go(Direction::South).byte(), 2);
    /// assert_eq!(Direction::ALL.get(2), Some(&Direction::South));
    /// assert_eq!(Direction::ALL.get(usize::from(Sample::Arrived.byte())), None);
    /// ```
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::Go(direction) => direction as u8,
            Self::Link(_) => 0x10,
            Self::Arrived => 0x20,
            Self::Waiting => 0x30,
            Self::OffRoute => 0x40,
            Self::Unreachable => 0x50,
        }
    }

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
