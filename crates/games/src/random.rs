//! Numbers drawn from a seed, or made of bytes.

use std::vec::IntoIter;

use flowtiles_country::random;

/// Bytes of which numbers are made, until they are spent.
#[derive(Clone, Default)]
pub struct Bytes(IntoIter<u8>);

impl Bytes {
    /// These bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Vec::from(bytes).into_iter())
    }

    /// Whether all bytes are spent.
    pub fn is_spent(&self) -> bool {
        self.0.len() == 0
    }

    /// Makes a number of the next bytes, at most of this many; `None` if all are spent.
    pub fn number(&mut self, bytes: usize) -> Option<u64> {
        let drawn = self.0.by_ref().take(bytes);
        drawn.fold(None, |number, byte| {
            Some(number.unwrap_or(0) << 8 | u64::from(byte))
        })
    }

    /// Returns of how many bytes a number below a limit is made: few, so that a changed byte
    /// changes little else.
    pub const fn for_limit(limit: u32) -> usize {
        match limit {
            0..=0x100 => 1,
            0x101..=0x1_0000 => 2,
            _ => 4,
        }
    }
}

/// Numbers made of bytes; when these are spent, of a seed.
#[derive(Clone)]
pub struct Random {
    bytes: Bytes,
    seeded: random::Random,
}

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            bytes: Bytes::default(),
            seeded: random::Random::new(seed),
        }
    }

    /// The numbers that these bytes are.
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            bytes: Bytes::of(bytes),
            ..Self::new(0)
        }
    }

    /// Whether all bytes are spent.
    pub fn is_spent(&self) -> bool {
        self.bytes.is_spent()
    }

    fn number(&mut self, bytes: usize) -> u64 {
        let made = self.bytes.number(bytes);
        made.unwrap_or_else(|| self.seeded.next())
    }

    /// Any number.
    pub fn word(&mut self) -> u64 {
        self.number(8)
    }

    /// A number from 0 to `limit`, exclusive; 0 if that is 0.
    pub fn below(&mut self, limit: u32) -> u32 {
        if limit == 0 {
            return 0;
        }
        (self.number(Bytes::for_limit(limit)) % u64::from(limit)) as u32
    }

    /// A number from `from` to `until`, exclusive.
    pub fn between(&mut self, from: u32, until: u32) -> u32 {
        from + self.below(until - from)
    }

    /// A number between two bounds.
    pub fn float(&mut self, from: f32, until: f32) -> f32 {
        from + (until - from) * (self.below(1 << 16) as f32 / (1 << 16) as f32)
    }

    /// Whether a chance of one in `times` has come up.
    pub fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }
}
