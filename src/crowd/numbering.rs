//! Page numbers: taken, given back, and taken again.

use std::collections::BTreeSet;

/// Hands out numbers, the lowest free one first, so that the numbers in use
/// stay dense and arrays indexed by them stay short.
#[derive(Clone, Default)]
pub(super) struct Numbering {
    end: u32,
    free: BTreeSet<u32>,
}

impl Numbering {
    /// Returns the lowest free number and marks it as used.
    pub(super) fn take(&mut self) -> u32 {
        self.free.pop_first().unwrap_or_else(|| {
            self.end += 1;
            self.end - 1
        })
    }

    /// Marks a number as free.
    pub(super) fn give_back(&mut self, number: u32) {
        self.free.insert(number);
        while self.end > 0 && self.free.remove(&(self.end - 1)) {
            self.end -= 1;
        }
    }

    /// Returns one more than the highest number in use.
    pub(super) const fn end(&self) -> usize {
        self.end as usize
    }
}

/// Resizes a list, and frees memory if it needs much less than it holds.
pub(super) fn fit<T: Clone>(values: &mut Vec<T>, length: usize, blank: T) {
    values.resize(length, blank);
    if values.capacity() / 4 > length {
        values.shrink_to(2 * length);
    }
}
