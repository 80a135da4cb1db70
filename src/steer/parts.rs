//! The parts of an army's step, for a game that writes its own.
//!
//! - [`nearest`], [`bilinear`] and [`lowest_of_four`] read a field at a position; [`by_turns`]
//!   divides the units between paths of equal cost; [`Sight`] tests the line of sight.
//! - [`seek`], [`arrive`], [`follow`], [`separation`], [`alignment`], [`cohesion`] and
//!   [`avoid`] are the behaviours, and [`blend`] weighs them.
//! - [`slide`] moves a circle among walls.
//! - [`assign`] gives the units of a formation their slots.

pub use super::formation::assign;
pub use super::neighbours::{
    MovingCircle, alignment, arrive, avoid, blend, cohesion, follow, seek, separation,
};
pub use super::reading::{bilinear, by_turns, lowest_of_four, nearest};
pub use super::walls::{anchor, is_clear, nearest_clear, slide};
pub use crate::sight::{FINE, Sight};
