//! Lower bounds on the cost of a path, which guide the search.
//!
//! [`bound`] is geometry: a lower bound on the cost of a path to the nearest of
//! four rectangles. An [`estimate`] is made of the rectangles around the cells
//! for which a path is wanted.

mod bound;
mod estimate;
mod groups;

pub(crate) use estimate::Estimate;
pub(crate) use groups::{GROUPS, SearchGroup, groups};
