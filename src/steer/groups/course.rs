//! The parameters and the stream with which a group goes through a crowd.

use crate::crowd::{Conduct, StreamId};

/// The conduct and the stream of a group that reads the crowd.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Course {
    pub(crate) conduct: Conduct,
    pub(crate) stream: Option<StreamId>,
}

impl Course {
    pub(crate) fn hash_words(&self) -> impl Iterator<Item = u32> {
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
