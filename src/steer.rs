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

mod army;
mod formation;
mod groups;
mod motion;
mod neighbours;
mod reading;
mod units;
mod walls;

pub use crate::sight::{FINE, Sight};
pub use army::{Army, ArmyLoadError, GroupView, Sending};
pub use formation::{Shape, assign};
pub use groups::{Chase, Pace, Target};
pub use neighbours::{Mover, alignment, arrive, avoid, blend, cohesion, follow, seek, separation};
pub use reading::{Reading, bilinear, by_turns, lowest_of_four, nearest};
pub use units::{ArmyError, ArmyEvent, GroupId, HardGround, Settings, Turning, Unit, UnitState};
pub use walls::{MAX_RADIUS, anchor, is_clear, nearest_clear, slide};
