//! Groups: units with one target, and what the group remembers of it.
//!
//! [`Groups`] finds a group by its id; ids of removed groups find none. A
//! group has [`GroupSettings`], a [`Target`] and a queue of them, its formation, and if it chases or flees
//! an `Errand`. The counts by which its units arrive are kept here too, but taken by
//! the step.

mod book;
mod chase;
mod errand;
mod group;
mod settings;
mod target;

pub(super) use book::Groups;
pub use chase::Chase;
pub(super) use errand::{Charge, Errand, News};
pub(super) use group::{EndTallies, Group, Leader, Tally};
pub use settings::{GroupSettings, Pace};
pub use target::Target;
