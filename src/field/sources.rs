//! The goals of a region.

use super::loaded::{Loaded, NOT_LOADED};
use crate::grid::{Cell, Slot};

/// Offsets from here on are too far for near tiles: the steps of one more tile
/// still fit into 32 bits, but not those of a whole map.
pub(super) const FAR_LIMIT: u64 = 1 << 30;

/// The goal cells of a region, by tile.
#[derive(Clone, Default)]
pub(super) struct Sources {
    /// Tile index, slot and value, sorted.
    all: Vec<(u32, Slot, u64)>,
    /// The lowest value.
    base: u64,
}

impl Sources {
    /// Returns the goals in loaded sectors.
    pub(super) fn new(loaded: &Loaded, goals: impl Iterator<Item = (Cell, u64)>) -> Self {
        let mut all: Vec<_> = goals
            .map(|(cell, value)| {
                let (id, slot) = loaded.extent.locate(cell);
                (loaded.index(loaded.extent.sector(id)), slot, value)
            })
            .filter(|&(index, ..)| index != NOT_LOADED)
            .collect();
        all.sort_unstable();
        let base = all.iter().map(|&(.., value)| value).min().unwrap_or(0);
        Self { all, base }
    }

    /// The goals in one tile.
    pub(super) fn of(&self, index: u32) -> &[(u32, Slot, u64)] {
        let from = self.all.partition_point(|&(at, ..)| at < index);
        let count = self.all[from..].partition_point(|&(at, ..)| at == index);
        &self.all[from..from + count]
    }

    /// The lowest value of any goal, from which near values are counted.
    pub(super) const fn base(&self) -> u64 {
        self.base
    }

    /// Whether near tiles can hold the goals' values.
    pub(super) fn fit_near(&self) -> bool {
        !self
            .all
            .iter()
            .any(|&(.., value)| value - self.base >= FAR_LIMIT)
    }

    /// Whether near tiles can hold a value.
    pub(super) const fn reach(&self, value: u64) -> bool {
        value - self.base < FAR_LIMIT
    }

    pub(super) fn all(&self) -> &[(u32, Slot, u64)] {
        &self.all
    }

    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<(u32, Slot, u64)>()
    }
}
