//! How a group goes with the crowd.

use crate::crowd::{Conduct, StreamId};

/// How a group goes with the crowd.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Course {
    pub(super) conduct: Conduct,
    pub(super) stream: Option<StreamId>,
}

impl Course {
    /// All that it is, in words, for a state hash.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> {
        let Conduct {
            length,
            time,
            discomfort,
            sparse,
            dense,
            dearest,
            foresight,
            predicted,
            standing,
            flat,
            steep,
            uphill,
        } = self.conduct;
        [
            length, time, discomfort, sparse, dense, dearest, foresight, predicted, standing, flat,
            steep, uphill,
        ]
        .into_iter()
        .map(f32::to_bits)
    }
}
