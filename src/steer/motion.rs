//! Motion: what one step computes for each unit.
//!
//! Units are sorted into an `index`, and `bodies` has them as their neighbours see
//! them. Each unit looks at its `surroundings`, `decide` adds the wish of its target
//! and moves it as far as walls allow, `push` parts those that overlap, and `outcome`
//! says what came of it. Each reads the state before the step and writes its own place
//! alone, so all units can be worked on at once.

mod arrival;
mod behaviour;
mod bodies;
mod contacts;
mod decide;
mod errand_wish;
mod finder;
mod foes;
#[cfg(feature = "crowd")]
mod foresight;
mod index;
mod lanes;
mod outcome;
pub(super) mod patience;
mod place_list;
mod push;
mod scratch;
mod surroundings;

pub use behaviour::{Mover, alignment, arrive, avoid, blend, cohesion, follow, seek, separation};
pub(super) use bodies::{Bodies, Body, BodyMarks, Traits};
pub(super) use contacts::Contacts;
pub(super) use decide::{Decision, PreviousState, View};
pub(super) use errand_wish::SLACK;
pub(super) use finder::Finder;
pub(super) use foes::{Foe, Foes};
#[cfg(feature = "crowd")]
pub(super) use foresight::Foresight;
pub(super) use index::Index;
pub(super) use outcome::Outcome;
pub(super) use push::{Pin, PushRound, open_after};
pub(super) use scratch::StepScratch;
pub(super) use surroundings::{Look, Lookout};
