//! Steering: from a direction to a moving unit.
//!
//! A field says in which direction to leave a cell. An army on the march needs
//! more: positions between cells, speeds, bodies that do not overlap, walls
//! that are never entered, and an end where all find a place. This module is
//! that layer. It only reads a world, and a game may as well bring its own.
//!
//! ```text
//!   FlowWorld::sample ─▶ reading ─▶ wish ─┐
//!   neighbours ─▶ room, avoidance, flock ─┴─▶ velocity ─▶ slide ─▶ push apart ─▶ unit
//!                                                         (walls)    (walls)
//! ```
//!
//! - [`Army`] holds units in groups and moves them all with
//!   [`step`](Army::step), in time linear in their number.
//! - [`nearest`], [`bilinear`] and [`lowest_of_four`] read a field at a
//!   position; [`by_turns`] splits ties among units; [`Sight`] is the
//!   line-of-sight test.
//! - [`seek`], [`arrive`], [`follow`], [`separation`], [`alignment`],
//!   [`cohesion`] and [`avoid`] are the behaviours, for a step of one's own;
//!   [`slide`] moves a circle among walls.
//! - [`Shape`] and [`assign`] are formations.
//!
//! Positions are in cells; [`Transform`](crate::Transform) turns those of a
//! game into them.
//!
//! # The same on every machine
//!
//! Positions are `f32`, and nothing is done with them but + − × ÷ and √, in a
//! fixed order: operations that IEEE 754 fixes to the bit. Each step reads the
//! state before it and writes the next, so neither the order of units nor the
//! number of threads matters. [`Army::state_hash`] says so.

mod ahead;
mod army;
mod arrival;
mod behaviour;
#[cfg(feature = "crowd")]
mod course;
mod decide;
mod digest;
#[cfg(feature = "crowd")]
mod foresight;
mod formation;
mod group;
mod index;
mod march;
mod patience;
mod push;
mod reading;
mod scratch;
mod settings;
mod step;
mod surroundings;
mod sweep;
mod ties;
mod unit;
mod walls;
#[cfg(feature = "crowd")]
mod with_crowd;

pub use crate::sight::{FINE, Sight};
pub use army::Army;
pub use behaviour::{Mover, alignment, arrive, avoid, blend, cohesion, follow, seek, separation};
pub use formation::{Shape, assign};
pub use group::Target;
pub use reading::{Reading, bilinear, lowest_of_four, nearest};
pub use settings::{HardGround, Settings};
pub use ties::by_turns;
pub use unit::{Event, GroupId, State, Unit};
pub use walls::{MAX_RADIUS, is_clear, nearest_clear, slide};
