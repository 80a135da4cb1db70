//! The state hash of an army.

use super::Army;
use crate::bytes::Digest;

impl Army {
    /// Returns a hash of everything in the army on which the next steps depend:
    /// two players of a lockstep game with equal hashes have the same army. It
    /// is a [`Digest`] of the bits of every unit, by id, and of every group
    /// with its target and formation.
    ///
    /// The settings, which do not change during a game, are not included; nor
    /// is the world, which has [a hash of its
    /// own](crate::FlowWorld::state_hash).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest::new();
        digest.number(u64::from(self.tick));
        for unit in self.roster.by_id() {
            take(&mut digest, unit.words());
        }
        for group in self.groups.all() {
            take(&mut digest, group.words());
        }
        #[cfg(feature = "crowd")]
        for group in self.groups.all() {
            if group.reading == super::reading::Reading::Crowd {
                take(&mut digest, group.course.words());
            }
        }
        #[cfg(feature = "crowd")]
        take(&mut digest, self.foresight.words());
        digest.finish()
    }
}

/// Adds words, in pairs, and then their number.
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
