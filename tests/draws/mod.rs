//! Random numbers for tests, drawn from a seed.

#[allow(dead_code, reason = "not every suite makes what fails shorter")]
pub mod tries;

use std::collections::VecDeque;
use std::env;

/// How many times as much is drawn as in a quick run, by `FLOWTILES_DRAWS`: 1 where it
/// is not set, 3 for a thorough run, 180 for a night.
#[allow(dead_code, reason = "not every suite has more to draw")]
pub fn draws() -> u64 {
    let Some(number) = env::var_os("FLOWTILES_DRAWS") else {
        return 1;
    };
    let number = number.to_str().and_then(|number| number.parse().ok());
    number.expect("FLOWTILES_DRAWS is a whole number")
}

/// SplitMix64: small, good enough, and the same on every machine. Or given words, and then
/// zeros: what was drawn before, made shorter.
#[derive(Clone)]
pub struct Rng {
    seed: u64,
    given: Option<VecDeque<u64>>,
    /// The number of words drawn.
    pub drawn: usize,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            given: None,
            drawn: 0,
        }
    }

    #[allow(dead_code, reason = "not every suite makes its draws shorter")]
    pub fn of_words(words: &[u64]) -> Self {
        Self {
            given: Some(words.iter().copied().collect()),
            ..Self::new(0)
        }
    }

    pub fn word(&mut self) -> u64 {
        self.drawn += 1;
        if let Some(given) = &mut self.given {
            // Zeros alone may lead some games nowhere.
            assert!(self.drawn < 1 << 20, "draws without an end");
            return given.pop_front().unwrap_or(0);
        }
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.seed;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Draws a number from 0 to `limit`, exclusive; `limit` is more than 0.
    pub fn below(&mut self, limit: i32) -> i32 {
        (self.word() % limit as u64) as i32
    }
}
