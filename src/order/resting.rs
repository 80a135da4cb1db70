//! The finished searches that still hold what they found.

use std::collections::BTreeMap;

/// The most bytes that all finished searches may hold together.
const RESTING_BYTES: usize = 16 << 20;

/// Finished searches that still hold what they found, for units that come
/// later. Ordered by when they finished.
#[derive(Debug, Default)]
pub(super) struct Resting {
    /// The place and the bytes of each search.
    all: BTreeMap<u64, (u32, usize)>,
    bytes: usize,
    next: u64,
}

impl Resting {
    /// Adds a finished search. Returns the key for [`wake`](Self::wake).
    pub(super) fn rest(&mut self, place: u32, bytes: usize) -> u64 {
        let key = self.next;
        self.next += 1;
        self.all.insert(key, (place, bytes));
        self.bytes += bytes;
        key
    }

    /// Removes a search that continues or that is dropped.
    pub(super) fn wake(&mut self, key: Option<u64>) {
        if let Some((_, bytes)) = key.and_then(|key| self.all.remove(&key)) {
            self.bytes -= bytes;
        }
    }

    /// If all together hold too much, removes the search that finished first
    /// and returns its place.
    pub(super) fn take_surplus(&mut self) -> Option<u32> {
        if self.bytes <= RESTING_BYTES {
            return None;
        }
        let (_, (place, bytes)) = self.all.pop_first()?;
        self.bytes -= bytes;
        Some(place)
    }
}
