//! Random numbers for tests, drawn from a seed.

/// SplitMix64: small, good enough, and the same on every machine.
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Draws a number from 0 to `limit`, exclusive; `limit` is more than 0.
    pub fn below(&mut self, limit: i32) -> i32 {
        (self.word() % limit as u64) as i32
    }
}
