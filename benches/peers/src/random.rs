//! Random numbers from a seed.

/// A generator (SplitMix64) that draws the same numbers on every machine.
pub struct Random {
    state: u64,
}

impl Random {
    /// Returns a generator with the numbers of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Draws any number.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.state)
    }

    /// Draws a number of 0..bound.
    pub const fn below(&mut self, bound: usize) -> usize {
        (((self.next() >> 32) * bound as u64) >> 32) as usize
    }

    /// Shuffles a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

/// Spreads every bit of a number over all of its bits.
pub const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
