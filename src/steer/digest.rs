//! The state of an army in one number.

use super::Army;

/// FNV-1a over 64 bits, a byte at a time.
struct Digest(u64);

impl Digest {
    const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn take(&mut self, word: u32) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

impl Army {
    /// All of the army that the next steps depend on, in one number: two players
    /// of a lockstep game whose numbers agree have the same army. FNV-1a over the
    /// bits of every unit, by id, and of every group, its target and formation.
    ///
    /// What the game gave it for good, its settings, is not in it; nor is the
    /// world, which has [a hash of its own](crate::FlowWorld::state_hash).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest::new();
        digest.take(self.tick);
        for word in self.units.iter().flat_map(|unit| unit.words()) {
            digest.take(word);
        }
        for word in self.groups.iter().flat_map(|group| group.words()) {
            digest.take(word);
        }
        #[cfg(feature = "crowd")]
        for group in &self.groups {
            if group.reading == super::reading::Reading::Crowd {
                group.course.words().for_each(|word| digest.take(word));
            }
        }
        #[cfg(feature = "crowd")]
        self.foresight.words().for_each(|word| digest.take(word));
        digest.0
    }
}
