//! Lower bounds on the cost of a path, by which the search is led.
//!
//! [`bound`] is geometry: what a path to the nearest of four rectangles costs
//! at least. [`landmarks`] are portals to which the costs from all others are
//! known, and [`span`] is the bound that follows from them.

mod bound;
mod estimate;
mod groups;
mod landmarks;
mod span;

pub(crate) use estimate::Estimate;
pub(crate) use groups::{GROUPS, SearchGroup, groups};
pub(crate) use landmarks::{Landmarks, Mended, PricesAround};
pub(crate) use span::Span;
