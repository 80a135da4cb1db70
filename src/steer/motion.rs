//! Motion: one step of all units.
//!
//! A [`Step`] borrows the parts of an army. It brings errands, anchors and trails up to
//! date and sorts the units among their neighbours. Then each unit looks around, `decide`
//! adds the wish of its target and moves it as far as walls allow, `push` parts those that
//! overlap, and `finish` stores what came of it. Deciding and pushing read the state before
//! and write the unit's own place alone, so they run on any number of threads.

mod arrival;
mod decide;
mod errands;
mod finder;
mod finish;
mod foes;
#[cfg(feature = "crowd")]
mod foresight;
mod laying;
mod leading;
mod outcome;
mod part;
mod patience;
mod push;
mod step;
mod stopping;
mod survey;
mod through_links;
mod turning;

#[cfg(test)]
pub(super) use errands::Chaser;
pub(super) use errands::threat;
pub(super) use finder::Finder;
pub(super) use foes::Foes;
#[cfg(feature = "crowd")]
pub(super) use foresight::Foresight;
pub(super) use laying::{Layout, Walker};
pub(super) use patience::{StepPatience, is_pace};
pub(super) use step::{Step, StepScratch};
