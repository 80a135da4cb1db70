//! Formations: how the units of one group stay in order on the march, and where they stop.
//!
//! A [`Shape`] gives the slots, and [`assign`] divides the units among them. A `March`
//! moves the slots along a field behind an anchor; a `Trail` instead keeps the width
//! that a group has, each unit in a lane beside the leader's path. A group owns both; they
//! know its units, and nothing of the group. `places` are those around a goal.

mod march;
mod matching;
mod places;
mod rows;
mod shape;
mod trail;

pub(super) use march::{March, NO_SLOT};
pub(super) use matching::{matched, swap};
pub(super) use places::{Given, Site, are_alike, places, relax};
pub use rows::Line;
pub(super) use rows::{Rows, behind};
pub use shape::{Shape, assign};
pub(super) use trail::{Band, MARKS, Trail, WIDEST};
