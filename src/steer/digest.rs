//! The state of an army in one number.

use super::Army;
use crate::bytes::Digest;

impl Army {
    /// All of the army that the next steps depend on, in one number: two players
    /// of a lockstep game whose numbers agree have the same army. A
    /// [`Digest`] of the bits of every unit, by id, and of every group, its target
    /// and formation.
    ///
    /// What the game gave it for good, its settings, is not in it; nor is the
    /// world, which has [a hash of its own](crate::FlowWorld::state_hash).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest::new();
        digest.number(u64::from(self.tick));
        for unit in &self.units {
            take(&mut digest, unit.words());
        }
        for group in &self.groups {
            take(&mut digest, group.words());
        }
        #[cfg(feature = "crowd")]
        for group in &self.groups {
            if group.reading == super::reading::Reading::Crowd {
                take(&mut digest, group.course.words());
            }
        }
        #[cfg(feature = "crowd")]
        take(&mut digest, self.foresight.words());
        digest.finish()
    }
}

/// Takes in words, two at a time, and how many there were.
fn take(digest: &mut Digest, words: impl Iterator<Item = u32>) {
    let (mut count, mut odd) = (0, None);
    for word in words {
        count += 1;
        match odd.take() {
            Some(first) => digest.number(u64::from(first) | u64::from(word) << 32),
            None => odd = Some(word),
        }
    }
    digest.number(u64::from(odd.unwrap_or(0)));
    digest.number(count);
}
