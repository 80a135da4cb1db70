//! Memory that the steps of an army reuse.

use super::decide::Decision;
use super::settings::Body;
use crate::vector::Vector;

/// The working memory of a step, kept from one step to the next. A clone is
/// empty.
#[derive(Default)]
pub(super) struct StepScratch {
    pub(super) bodies: Vec<Body>,
    pub(super) decisions: Vec<Decision>,
    pub(super) positions: [Vec<Vector>; 2],
    pub(super) moved: Vec<bool>,
    pub(super) depths: Vec<f32>,
}

impl Clone for StepScratch {
    fn clone(&self) -> Self {
        Self::default()
    }
}
