//! Memory that the steps of an army reuse.

use super::decide::Decision;
use super::foes::Foes;
use super::outcome::Outcome;
use super::push::Pin;
use crate::steer::neighbours::{Bodies, Contacts};
use crate::steer::units::Unit;
use crate::vector::Vector;

/// The working memory of a step, kept from one step to the next: lists of the
/// units in the order of the index. A clone is empty.
#[derive(Default)]
pub(crate) struct StepScratch {
    pub(crate) foes: Foes,
    /// By id, not by the index: where the units are.
    pub(super) positions: Vec<Vector>,
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
    /// By id: the ranks of the units, and what the step has come to
    /// for them.
    pub(super) ranks: Vec<u32>,
    pub(super) outcomes: Vec<Outcome>,
}

impl Clone for StepScratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}
