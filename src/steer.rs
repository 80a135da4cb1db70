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
//! - [`Shape`] is a formation of a group.
//! - [`parts`] has the parts of such a step, for a game that writes its own.
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
pub mod parts;
mod reading;
mod units;
mod walls;

pub use army::{Army, ArmyLoadError, GroupView, Sending, Sent};
pub use formation::{Line, Shape};
pub use groups::{Chase, GroupSettings, Pace, Target};
pub use reading::Reading;
pub use units::{ArmyError, ArmyEvent, GroupId, HardGround, Settings, Turning, Unit, UnitState};
pub use walls::MAX_RADIUS;
