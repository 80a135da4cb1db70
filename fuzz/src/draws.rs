//! Draws from bytes, under the names by which the tests' drivers draw from seeds.

#[allow(dead_code, reason = "numbers below a limit are made of bytes")]
#[path = "../../tests/draws/mod.rs"]
mod seeded;

use flowtiles_games::Bytes;
pub use seeded::{draws, tries};

/// Numbers made of bytes; when these are spent, of a seed.
#[derive(Clone)]
pub struct Rng {
    bytes: Bytes,
    seeded: seeded::Rng,
    /// How many numbers were drawn, as the oracle's `shrink` asks.
    pub drawn: usize,
}

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self {
            bytes: Bytes::default(),
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
            bytes: Bytes::of(bytes),
            ..Self::new(0)
        }
    }

    pub fn is_spent(&self) -> bool {
        self.bytes.is_spent()
    }

    fn number(&mut self, bytes: usize) -> u64 {
        self.drawn += 1;
        let made = self.bytes.number(bytes);
        made.unwrap_or_else(|| self.seeded.word())
    }

    pub fn word(&mut self) -> u64 {
        self.number(8)
    }

    /// Draws a number from 0 to `limit`, exclusive; `limit` is more than 0.
    pub fn below(&mut self, limit: i32) -> i32 {
        (self.number(Bytes::for_limit(limit as u32)) % limit as u64) as i32
    }
}
