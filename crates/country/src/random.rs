//! Random numbers from a seed, the same on every machine.

/// A generator of numbers (SplitMix64).
#[derive(Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that draws the numbers of `seed`.
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Any number.
    pub const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        hash(self.state)
    }

    /// A number of 0..bound; 0 if the bound is not positive.
    pub const fn below(&mut self, bound: i32) -> i32 {
        if bound <= 0 {
            return 0;
        }
        (((self.next() >> 32) as i64 * bound as i64) >> 32) as i32
    }

    /// A number of from..until.
    pub const fn between(&mut self, from: i32, until: i32) -> i32 {
        from + self.below(until - from)
    }
}

/// Spreads every bit of a number over all of its bits.
pub const fn hash(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_in_their_bounds_and_spread() {
        let mut random = Random::new(1);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[random.between(3, 10) as usize - 3] += 1;
        }
        assert!(
            seen.iter().all(|count| (800..1200).contains(count)),
            "{seen:?}"
        );
        assert_eq!(random.below(0), 0);
    }
}
