//! Room that the steps of an army use again.

use super::decide::Decision;
use super::index::Index;
use super::settings::Body;
use crate::vector::Vector;

/// What a step works with, kept from one to the next.
#[derive(Default)]
pub(super) struct StepScratch {
    pub(super) index: Index,
    pub(super) bodies: Vec<Body>,
    pub(super) decisions: Vec<Decision>,
    pub(super) positions: [Vec<Vector>; 2],
    pub(super) moved: Vec<bool>,
    pub(super) depths: Vec<f32>,
}
