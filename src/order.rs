//! Orders: claims on a field, and the work that makes it.
//!
//! An [`Order`] is a claim: while a clone of it lives, the world keeps the
//! order's field. Behind it stands a [`Plan`]: the goal and the units asked
//! for, the search, the region being integrated, and the field that units read
//! meanwhile.

#[expect(
    clippy::disallowed_types,
    reason = "orders are looked up by goal, never iterated"
)]
mod book;
mod claim;
mod finished_searches;
mod goal;
mod order_queue;
mod packed;
mod plan;
mod reach;
mod scratch;
#[expect(
    clippy::disallowed_types,
    reason = "a set asked for members, never iterated"
)]
mod units;

pub(crate) use book::Book;
pub use claim::Order;
pub use goal::{Goal, MAX_GOAL_CELLS, MAX_START_COST, OrderError, Quality};
pub(crate) use packed::pack_layers;
pub(crate) use plan::{Plan, Stage};
pub(crate) use reach::Reach;
