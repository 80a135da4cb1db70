//! Steering: from a direction to a moving unit.
//!
//! A field gives the direction in which to leave a cell. A marching army needs
//! more: positions between cells, speeds, bodies that do not overlap, walls
//! that no unit enters, and a place for every unit around the goal. This module
//! is that layer. It only reads a world, so a game may use steering code of its
//! own instead.
//!
//! ```text
//!   FlowWorld::sample ─▶ reading ─▶ wish ─┐
//!   neighbours ─▶ room, avoidance, flock ─┴─▶ velocity ─▶ slide ─▶ push apart ─▶ unit
//!                                                         (walls)    (walls)
//! ```
//!
//! - [`Army`] holds units in groups and moves all of them with
//!   [`step`](Army::step), in time linear in their number.
//! - [`nearest`], [`bilinear`] and [`lowest_of_four`] read a field at a
//!   position; [`by_turns`] divides the units between paths of equal cost;
//!   [`Sight`] tests the line of sight.
//! - [`seek`], [`arrive`], [`follow`], [`separation`], [`alignment`],
//!   [`cohesion`] and [`avoid`] are the behaviours, for a game's own step;
//!   [`slide`] moves a circle among walls.
//! - [`Shape`] and [`assign`] are formations.
//!
//! Positions are in cells; [`MapTransform`](crate::MapTransform) converts between a
//! game's positions and cells.
//!
//! # The same on every machine
//!
//! Positions are `f32`. The code applies only + − × ÷ and √ to them, in a fixed
//! order: operations whose results IEEE 754 defines to the bit. Each step reads
//! the previous state and writes the next, so neither the order of the units
//! nor the number of threads matters. [`Army::state_hash`] makes this
//! checkable.

mod ahead;
mod army;
mod arrival;
mod behaviour;
mod bodies;
mod chase;
mod command;
mod contacts;
#[cfg(feature = "crowd")]
mod course;
mod decide;
mod digest;
mod errand;
mod errand_orders;
mod errand_step;
mod errand_wish;
mod error;
mod finder;
mod foes;
#[cfg(feature = "crowd")]
mod foresight;
mod formation;
mod ground;
mod group;
mod group_id;
mod group_layer;
mod groups;
mod ids;
mod index;
mod jams;
mod lanes;
mod leading;
mod load_error;
mod march;
mod muster;
mod outcome;
mod overlap;
mod packed;
mod packed_crowd;
mod pass;
mod patience;
mod place_list;
mod push;
mod queries;
mod reading;
mod rest;
mod roster;
mod save;
mod scratch;
mod settings;
mod settle;
mod step;
mod surroundings;
mod sweep;
mod through_links;
mod ties;
mod trail;
mod unit;
mod walls;
#[cfg(feature = "crowd")]
mod with_crowd;

pub use crate::sight::{FINE, Sight};
pub use army::Army;
pub use behaviour::{Mover, alignment, arrive, avoid, blend, cohesion, follow, seek, separation};
pub use chase::Chase;
pub use error::ArmyError;
pub use formation::{Shape, assign};
pub use group::{Pace, Target};
pub use group_id::GroupId;
pub use group_layer::anchor;
pub use load_error::ArmyLoadError;
pub use reading::{Reading, bilinear, lowest_of_four, nearest};
pub use settings::{HardGround, Settings};
pub use ties::by_turns;
pub use unit::{ArmyEvent, Unit, UnitState};
pub use walls::{MAX_RADIUS, is_clear, nearest_clear, slide};
