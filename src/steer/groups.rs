//! Groups: units with one target, and what the group remembers of it.
//!
//! [`Groups`] finds a group by its id; ids of removed groups find none. A group has
//! [`GroupSettings`], a [`Target`] and a queue of them, its formation, and if it chases or flees an
//! `Errand`.

mod book;
mod errand;
mod group;
mod settings;
mod target;

pub(super) use book::Groups;
pub(super) use errand::{Charge, Errand};
pub(super) use group::{Group, Leg};
pub use settings::{GroupSettings, Pace};
pub use target::{Chase, Target};
