//! The state hash of an army.

use super::Army;
use super::packed::pass_group;
#[cfg(feature = "crowd")]
use super::packed_crowd::pass_conduct;
use crate::bytes::Digest;

impl Army {
    /// Returns a hash of everything in the army on which the next steps depend:
    /// two players of a lockstep game with equal hashes have the same army. It
    /// is a [`Digest`] of every group with its target and formation, of the record of
    /// jams, and of sums over the bits of every unit, by id.
    ///
    /// It takes about a hundredth of a microsecond a unit, so that a game can
    /// send it with every turn.
    ///
    /// The settings, which do not change during a game, are not included; nor
    /// is the world, which has [a hash of its
    /// own](crate::FlowWorld::state_hash).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest::new();
        digest.number(u64::from(self.tick));
        let mut lanes = UnitLanes::new();
        self.roster.by_id().for_each(|unit| {
            unit.hash_words()
                .into_iter()
                .for_each(|words| lanes.take(words));
        });
        take(&mut digest, lanes.0.into_iter());
        digest.number(self.units().len() as u64);
        // A digest refuses nothing.
        for group in self.groups.all() {
            let _ = pass_group(&mut digest, &mut group.clone());
            #[cfg(feature = "crowd")]
            if group.settings.reading.is_crowd() {
                let _ = pass_conduct(&mut digest, &mut group.settings.conduct.clone());
            }
        }
        let _ = self.jams.clone().pass(&mut digest);
        #[cfg(feature = "crowd")]
        take(&mut digest, self.foresight.hash_words());
        digest.finish()
    }
}

/// Adds words, in pairs, and then their number.
fn take(digest: &mut Digest, words: impl Iterator<Item = u32>) {
    let mut count = 0;
    let mut odd = None;
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

/// Sums over the words of units, in eight lanes.
///
/// Each word `w` turns the state `s` of its lane into `(s xor w) · 0x9E3779B1`, and
/// this into `s xor (s >> 15)`. Both are invertible, so two armies that differ in
/// one word never have the same sums.
// PERF: eight short chains of products in place of a long one take a sixth of the time.
struct UnitLanes([u32; 8]);

impl UnitLanes {
    const fn new() -> Self {
        Self([1, 2, 3, 4, 5, 6, 7, 8])
    }

    #[inline(always)]
    fn take(&mut self, words: [u32; 8]) {
        for (state, word) in self.0.iter_mut().zip(words) {
            let mixed = (*state ^ word).wrapping_mul(0x9E37_79B1);
            *state = mixed ^ (mixed >> 15);
        }
    }
}
