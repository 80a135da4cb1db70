//! Neighbours: which units are near one, and what it wants because of them.
//!
//! The [`Index`] sorts units by their positions; the number of a unit in this order is
//! its rank. [`Bodies`] has the units by rank, in rows of which [`Four`] are loaded at
//! once. A [`Look`] visits those around one unit and returns its [`Surroundings`], the
//! sum of `behaviour`s, and its [`Contacts`], with which it may collide. Lists of ranks
//! stand in between.

mod behaviour;
mod bodies;
mod four;
mod index;
mod rank_list;
mod surroundings;

pub(super) use behaviour::{AT_ONE_PLACE, apart};
pub use behaviour::{
    MovingCircle, alignment, arrive, avoid, blend, cohesion, follow, seek, separation,
};
pub(super) use bodies::{Bodies, Body, BodyMarks, Contacts, Traits};
pub(super) use four::{Four, Mask};
pub(super) use index::Index;
pub(super) use surroundings::{Look, NeighbourContext, NeighbourFilter, Surroundings};
