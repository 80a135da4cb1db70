//! Draws from bytes, under the names by which the tests' drivers draw from seeds.

#[allow(dead_code, reason = "numbers below a limit are made of bytes")]
#[path = "../../tests/draws/mod.rs"]
mod seeded;

pub use seeded::{draws, tries};

/// Numbers made of bytes; when these are spent, of a seed.
#[derive(Clone)]
pub struct Rng {
    bytes: std::vec::IntoIter<u8>,
    seeded: seeded::Rng,
    /// How many numbers were drawn, as the oracle's `shrink` asks.
    pub drawn: usize,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self {
            bytes: Vec::new().into_iter(),
            seeded: seeded::Rng::new(seed),
            drawn: 0,
        }
    }

    pub fn of_words(words: &[u64]) -> Self {
        Self {
            seeded: seeded::Rng::of_words(words),
            ..Self::new(0)
        }
    }

    pub fn of(bytes: &[u8]) -> Self {
        Self {
            bytes: Vec::from(bytes).into_iter(),
            ..Self::new(0)
        }
    }

    pub fn is_spent(&self) -> bool {
        self.bytes.len() == 0
    }

    fn number(&mut self, bytes: usize) -> u64 {
        self.drawn += 1;
        if self.is_spent() {
            return self.seeded.word();
        }
        let drawn = self.bytes.by_ref().take(bytes);
        drawn.fold(0, |number, byte| number << 8 | u64::from(byte))
    }

    pub fn word(&mut self) -> u64 {
        self.number(8)
    }

    /// Draws a number from 0 to `limit`, exclusive; `limit` is more than 0. Takes few bytes,
    /// so that a changed one changes little else.
    pub fn below(&mut self, limit: i32) -> i32 {
        let bytes = match limit {
            ..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        (self.number(bytes) % limit as u64) as i32
    }
}
