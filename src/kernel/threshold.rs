//! Where walks through a tile end or begin.

use super::step::DIAGONAL;
use crate::grid::Slot;

/// Where walks end or begin: at an open cell of the tile, or just outside, up
/// to three of whose open cells a step leads over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold {
    steps: [(Slot, u32); 3],
    count: u8,
}

impl Threshold {
    /// A cell of the tile itself.
    pub(crate) const fn at(slot: Slot) -> Self {
        Self::over(slot, 0)
    }

    /// A place outside, by way of this cell; the step between them costs
    /// `price`.
    pub(crate) const fn over(slot: Slot, price: u32) -> Self {
        Self {
            steps: [(slot, price); 3],
            count: 1,
        }
    }

    /// Another way between the place and the tile.
    pub(crate) const fn or(mut self, slot: Slot, price: u32) -> Self {
        self.steps[self.count as usize] = (slot, price);
        self.count += 1;
        self
    }

    /// The cells, and for each the price of the step between it and the place.
    #[inline]
    pub(crate) fn steps(&self) -> &[(Slot, u32)] {
        &self.steps[..usize::from(self.count)]
    }

    /// Whether the steps over it cost what they do on open ground.
    pub(super) fn is_near(&self) -> bool {
        self.steps().iter().all(|&(_, price)| price <= DIAGONAL)
    }
}
