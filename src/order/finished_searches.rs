//! The finished searches that still hold what they found.

use std::collections::BTreeMap;

/// The most that all finished searches may hold together, in bytes, roughly.
const WEIGHT_MAX: u64 = 16 << 20;

/// Finished searches that still hold what they found, for units that come
/// later. Ordered by when they finished.
#[derive(Clone, Debug, Default)]
pub(super) struct FinishedSearches {
    /// The index and the weight of each search.
    all: BTreeMap<u64, (u32, u64)>,
    weight: u64,
    next: u64,
}

impl FinishedSearches {
    /// Adds a finished search. Returns the key for [`remove`](Self::remove).
    pub(super) fn add(&mut self, index: u32, weight: u64) -> u64 {
        let key = self.next;
        self.next += 1;
        self.all.insert(key, (index, weight));
        self.weight += weight;
        key
    }

    /// Removes the search with this key, if any, since it continues or is dropped.
    pub(super) fn remove(&mut self, key: Option<u64>) {
        if let Some((_, weight)) = key.and_then(|key| self.all.remove(&key)) {
            self.weight -= weight;
        }
    }

    /// If all together hold too much, removes the search that finished first
    /// and returns its index.
    pub(super) fn take_surplus(&mut self) -> Option<u32> {
        if self.weight <= WEIGHT_MAX {
            return None;
        }
        let (_, (index, weight)) = self.all.pop_first()?;
        self.weight -= weight;
        Some(index)
    }
}
