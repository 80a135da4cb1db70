//! Memory that the steps of an army reuse.

use super::decide::Decision;
use super::foes::Foes;
use super::outcome::Outcome;
use super::part::{Distances, Part, Role};
use super::push::Pin;
use super::survey::Survey;
use crate::steer::neighbours::{Bodies, Contacts};
use crate::steer::units::Unit;

/// The working memory of a step, kept from one step to the next: lists of the
/// units in the order of the index. A clone is empty.
#[derive(Default)]
pub(crate) struct StepScratch {
    pub(crate) foes: Foes,
    /// Where in the roster each is.
    pub(super) places: Vec<u32>,
    pub(super) bodies: Bodies,
    pub(super) units: Vec<Unit>,
    pub(super) decisions: Vec<Decision>,
    pub(super) contacts: Vec<Contacts>,
    /// Before and after a round of pushes: where the units are, and whether the
    /// round before moved them.
    pub(super) pins: [Vec<Pin>; 2],
    pub(super) moved: [Vec<bool>; 2],
    /// The distances from the pins within which the ground is known to be open.
    pub(super) opens: Vec<f32>,
    /// None if all are 1.
    pub(super) weights: Vec<f32>,
    /// Whether a decision or a push has moved the unit in the step.
    pub(super) stirred: Vec<bool>,
    /// Whether the step looks at a part of the units, and what it does with each of that.
    pub(super) is_part: bool,
    pub(super) roles: Vec<Role>,
    pub(super) part: Part,
    /// By id: the ranks of the units, and what the step has come to
    /// for them.
    pub(super) ranks: Vec<u32>,
    pub(super) outcomes: Vec<Outcome>,
    /// What is known of all units, as long as nothing in it has changed.
    pub(super) survey: Option<Survey>,
    /// The seconds and distances of the last step, by which its sleepers sleep.
    pub(super) slept_by: Option<(f32, Distances)>,
}

impl StepScratch {
    /// Whether a unit was pushed that decides nothing.
    pub(super) fn is_rim_stirred(&self) -> bool {
        let mut all = self.roles.iter().zip(&self.stirred);
        all.any(|(&role, &stirred)| role == Role::Pushed && stirred)
    }
}

impl Clone for StepScratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}
