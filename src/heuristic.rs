//! Lower bounds on the cost of a path, which guide the search.
//!
//! [`bound`] is geometry: a lower bound on the cost of a path to the nearest of
//! four rectangles. [`landmarks`] are portals to which the costs from all
//! others are known, and [`span`] is the lower bound that follows from these
//! costs.

mod bound;
mod estimate;
mod groups;
mod landmarks;
mod span;

pub(crate) use estimate::Estimate;
pub(crate) use groups::{GROUPS, SearchGroup, groups};
pub(crate) use landmarks::{Landmarks, Mended, PricesAround};
pub(crate) use span::Span;
