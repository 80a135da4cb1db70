//! Numbers for pages: given out, taken back, and given out again.

use std::collections::BTreeSet;

/// Gives out numbers, the lowest that is free first, so that those in use stay
/// close together and arrays by number stay short.
#[derive(Default)]
pub(super) struct Numbering {
    end: u32,
    free: BTreeSet<u32>,
}

impl Numbering {
    /// Gives out a number.
    pub(super) fn take(&mut self) -> u32 {
        self.free.pop_first().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        })
    }

    /// Takes a number back.
    pub(super) fn give_back(&mut self, number: u32) {
        self.free.insert(number);
        while self.end > 0 && self.free.remove(&(self.end - 1)) {
            self.end -= 1;
        }
    }

    /// One more than the highest number in use.
    pub(super) const fn end(&self) -> usize {
        self.end as usize
    }
}

/// Makes a list as long as it is to be, and gives memory back where it needs
/// much less than it did.
pub(super) fn fit<T: Clone>(values: &mut Vec<T>, length: usize, blank: T) {
    values.resize(length, blank);
    if values.capacity() / 4 > length {
        values.shrink_to(2 * length);
    }
}
