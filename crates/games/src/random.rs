//! Numbers drawn from a seed, or made of bytes.

use std::vec::IntoIter;

use flowtiles_country::random;

/// Numbers made of bytes; when these are spent, of a seed.
#[derive(Clone)]
pub struct Random {
    bytes: IntoIter<u8>,
    seeded: random::Random,
}

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            bytes: Vec::new().into_iter(),
            seeded: random::Random::new(seed),
        }
    }

    /// The numbers that these bytes are.
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            bytes: Vec::from(bytes).into_iter(),
            ..Self::new(0)
        }
    }

    /// Whether all bytes are spent.
    pub fn is_spent(&self) -> bool {
        self.bytes.len() == 0
    }

    fn number(&mut self, bytes: usize) -> u64 {
        if self.is_spent() {
            return self.seeded.next();
        }
        let drawn = self.bytes.by_ref().take(bytes);
        drawn.fold(0, |number, byte| number << 8 | u64::from(byte))
    }

    /// Any number.
    pub fn word(&mut self) -> u64 {
        self.number(8)
    }

    /// A number from 0 to `limit`, exclusive; 0 if that is 0. Takes few bytes, so that a changed
    /// one changes little else.
    pub fn below(&mut self, limit: u32) -> u32 {
        let bytes = match limit {
            0 => return 0,
            1..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        };
        (self.number(bytes) % u64::from(limit)) as u32
    }

    /// A number from `from` to `until`, exclusive.
    pub fn between(&mut self, from: u32, until: u32) -> u32 {
        from + self.below(until - from)
    }

    /// A number between two bounds.
    pub fn float(&mut self, from: f32, until: f32) -> f32 {
        from + (until - from) * (self.below(1 << 16) as f32 / (1 << 16) as f32)
    }

    /// True once in so many times.
    pub fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}
