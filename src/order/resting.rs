use std::collections::BTreeMap;

/// How much all searches that are done may hold.
const RESTING_BYTES: usize = 16 << 20;

/// Searches that are done and still hold what they know, for units that come
/// later, the longest done first.
#[derive(Debug, Default)]
pub(super) struct Resting {
    /// Places, and the bytes held.
    all: BTreeMap<u64, (u32, usize)>,
    bytes: usize,
    next: u64,
}

impl Resting {
    /// A search is done; the answer is the key to [`wake`](Self::wake) it by.
    pub(super) fn rest(&mut self, place: u32, bytes: usize) -> u64 {
        let key = self.next;
        self.next += 1;
        self.all.insert(key, (place, bytes));
        self.bytes += bytes;
        key
    }

    /// A search goes on, or is gone.
    pub(super) fn wake(&mut self, key: u64) {
        if let Some((_, bytes)) = self.all.remove(&key) {
            self.bytes -= bytes;
        }
    }

    /// While all hold too much: takes out the one that is done longest, and
    /// tells its place.
    pub(super) fn take_surplus(&mut self) -> Option<u32> {
        if self.bytes <= RESTING_BYTES {
            return None;
        }
        let (_, (place, bytes)) = self.all.pop_first()?;
        self.bytes -= bytes;
        Some(place)
    }
}
