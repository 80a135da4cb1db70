//! The step rule, and the kernel that settles one tile by it.
//!
//! The rule stands in [`step`]: which neighbour a unit may enter, and at what
//! price. The kernel is the same rule for all hundred cells of a tile at
//! once, with the ring of cells around it as its frame.

mod frame;
mod kernel;
mod step;

pub(crate) use frame::{Frame, UNREACHED, Values};
pub(crate) use step::{STRAIGHT, octile, step_price};
