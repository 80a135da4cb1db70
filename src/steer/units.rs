//! Units: the circles of an army, and how they are found by their ids.
//!
//! A [`Unit`] is what a game sees, with the `Memory` that a step needs. The [`Roster`]
//! keeps all of them sorted by id and knows which are `awake`; [`IdSet`] is a set of ids, and
//! [`Buckets`] are ids by place. [`GroupId`] is the number of the group to which one belongs.
//! [`Settings`] and [`ArmyError`] are the army's.

mod awake;
mod error;
mod ids;
mod roster;
mod settings;
mod unit;

pub(super) use awake::Buckets;
pub use error::ArmyError;
pub use ids::GroupId;
pub(super) use ids::IdSet;
pub(super) use roster::Roster;
pub(super) use settings::TOUCH;
pub use settings::{HardGround, Settings};
pub use unit::{ArmyEvent, Turning, Unit, UnitState};
pub(super) use unit::{MOST, Memory, Stop};
