//! Groups: units with one target, and what the group remembers of it.
//!
//! [`Groups`] finds a group by its id; ids of removed groups find none. A
//! group has a [`Target`] and a queue of them, its formation, and if it chases or flees
//! an `Errand`. The counts by which its units arrive are kept here too, but taken by
//! the step.

mod book;
mod chase;
#[cfg(feature = "crowd")]
mod course;
mod errand;
mod group;
mod target;

pub(super) use book::Groups;
pub(super) use chase::Allegiance;
pub use chase::Chase;
pub(super) use errand::{Charge, Errand, News};
pub use group::Pace;
pub(super) use group::{EndTallies, Group, Leader, Tally};
pub use target::Target;
