//! Thresholds: where walks through a tile begin or end.

use super::step::DIAGONAL;
use crate::grid::Slot;

/// The end of a walk through a tile: an open cell of the tile, or a cell just
/// outside it, with up to three open cells of the tile one step away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Threshold {
    steps: [(Slot, u32); 3],
    count: u8,
}

impl Threshold {
    /// The threshold at a cell of the tile itself.
    #[inline]
    pub(crate) const fn at(slot: Slot) -> Self {
        Self::over(slot, 0)
    }

    /// The threshold at a cell outside the tile that is one step away from
    /// `slot`. This step costs `price`.
    #[inline]
    pub(crate) const fn over(slot: Slot, price: u32) -> Self {
        Self {
            steps: [(slot, price); 3],
            count: 1,
        }
    }

    /// Adds another cell of the tile that is one step away from the threshold.
    #[inline]
    pub(crate) const fn or(mut self, slot: Slot, price: u32) -> Self {
        self.steps[self.count as usize] = (slot, price);
        self.count += 1;
        self
    }

    /// Returns the cells of the tile, each with the price of the step between
    /// it and the threshold.
    #[inline]
    pub(crate) fn steps(&self) -> &[(Slot, u32)] {
        &self.steps[..usize::from(self.count)]
    }

    /// Whether each step costs a multiple of `cost`, and no more than on ground of that
    /// cost.
    #[inline]
    pub(super) fn is_on(&self, cost: u32) -> bool {
        let mut steps = self.steps().iter();
        match cost {
            1 => steps.all(|&(_, price)| price <= DIAGONAL),
            cost => steps.all(|&(_, price)| price <= DIAGONAL * cost && price.is_multiple_of(cost)),
        }
    }

    /// Returns the threshold with prices divided by a cost.
    pub(super) fn over_cost(mut self, cost: u32) -> Self {
        for (_, price) in &mut self.steps {
            *price /= cost;
        }
        self
    }
}
