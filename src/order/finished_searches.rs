//! The finished searches that still hold what they found.

use std::collections::BTreeMap;

/// The most bytes that all finished searches may hold together.
const BYTES_MAX: usize = 16 << 20;

/// Finished searches that still hold what they found, for units that come
/// later. Ordered by when they finished.
#[derive(Clone, Debug, Default)]
pub(super) struct FinishedSearches {
    /// The index and the bytes of each search.
    all: BTreeMap<u64, (u32, usize)>,
    bytes: usize,
    next: u64,
}

impl FinishedSearches {
    /// Adds a finished search. Returns the key for [`remove`](Self::remove).
    pub(super) fn add(&mut self, index: u32, bytes: usize) -> u64 {
        let key = self.next;
        self.next += 1;
        self.all.insert(key, (index, bytes));
        self.bytes += bytes;
        key
    }

    /// Removes the search with this key, if any, since it continues or is dropped.
    pub(super) fn remove(&mut self, key: Option<u64>) {
        if let Some((_, bytes)) = key.and_then(|key| self.all.remove(&key)) {
            self.bytes -= bytes;
        }
    }

    /// If all together hold too much, removes the search that finished first
    /// and returns its index.
    pub(super) fn take_surplus(&mut self) -> Option<u32> {
        if self.bytes <= BYTES_MAX {
            return None;
        }
        let (_, (index, bytes)) = self.all.pop_first()?;
        self.bytes -= bytes;
        Some(index)
    }
}
