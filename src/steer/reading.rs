//! Reading: from the field of an order to the direction of one unit.
//!
//! A [`Field`] is an order on its layer; it gives a direction at a position in one of
//! three ways. `ahead` looks along the field for the farthest cell in sight, `ties`
//! divides units between paths of equal cost, and `sight` tests a straight line. A [`Turn`] says
//! when. A reader is a position and a number: units are further up.

mod ahead;
mod field;
mod sight;
mod ties;
mod turn;

pub(super) use ahead::{LEAN_PARTS, Lookahead, Viewer};
pub(super) use field::Field;
pub use field::{Reading, bilinear, lowest_of_four, nearest};
pub(super) use sight::{clearance, fine, is_in_view, sees, sees_over};
pub use ties::by_turns;
pub(super) use ties::own_way;
pub(super) use turn::{CHECK, Clock, LOOK, Turn, micros};
