//! How far apart two places are at least, by how far each is from landmarks.
//!
//! If it is 900 from here to a tower and 200 from there, it is 700 from here to
//! there at least: whatever lies between. With several towers the most that
//! any of them says holds.
//!
//! PERF: eight landmarks are two vectors; some 30 instructions.

/// How many landmarks there are.
pub(crate) const LANDMARKS: usize = 8;

/// The prices of the ways from a place to each landmark. A cache line holds
/// two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct LandmarkCosts(pub(crate) [i32; LANDMARKS]);

/// How far some places are from the landmarks: what is below `low` or above
/// `high` is as far from all of them as it is off. `high` may be the lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) low: LandmarkCosts,
    pub(crate) high: LandmarkCosts,
}

/// The price where there is no way, or none that costs less.
pub(crate) const FAR_OFF: i32 = 1 << 30;

impl LandmarkCosts {
    /// Lowers each to what it is by a way that costs so much to a place with
    /// these prices; tells whether any is lower now.
    #[inline]
    pub(crate) fn lower_to(&mut self, to: &Self, walk: u32) -> bool {
        let mut lowered = false;
        for (price, to) in self.0.iter_mut().zip(to.0) {
            let by_it = to.saturating_add_unsigned(walk);
            lowered |= by_it < *price;
            *price = (*price).min(by_it);
        }
        lowered
    }
}

impl Span {
    /// What is known of nothing.
    pub(crate) const ALL: Self = Self {
        low: LandmarkCosts([-FAR_OFF; LANDMARKS]),
        high: LandmarkCosts([FAR_OFF; LANDMARKS]),
    };

    /// That of a place from which all ways lead by another with these prices,
    /// and cost so much to there: it lies beyond that one, whichever side one
    /// comes from.
    pub(crate) fn beyond(LandmarkCosts(prices): &LandmarkCosts, walk: u32) -> Self {
        Self {
            low: LandmarkCosts(prices.map(|price| price.saturating_add_unsigned(walk))),
            high: LandmarkCosts(prices.map(|price| price.saturating_sub_unsigned(walk))),
        }
    }

    /// The span of the places of both.
    pub(crate) fn join(self, other: Self) -> Self {
        let each = |of: fn(i32, i32) -> i32, a: LandmarkCosts, b: LandmarkCosts| {
            LandmarkCosts(std::array::from_fn(|landmark| {
                of(a.0[landmark], b.0[landmark])
            }))
        };
        Self {
            low: each(i32::min, self.low, other.low),
            high: each(i32::max, self.high, other.high),
        }
    }

    /// The price of the way from a place of the span to another place at
    /// least.
    #[inline(always)]
    pub(crate) fn price(&self, LandmarkCosts(prices): &LandmarkCosts) -> u32 {
        let least = |landmark: usize| {
            let price = prices[landmark];
            let (below, above) = (self.low.0[landmark], self.high.0[landmark]);
            (below - price).max(price - above)
        };
        (0..LANDMARKS).map(least).fold(0, i32::max) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_landmark_that_says_most_counts() {
        let mut span = Span::ALL;
        let mut prices = LandmarkCosts([0; LANDMARKS]);
        assert_eq!(span.price(&prices), 0);
        (span.low.0[3], span.high.0[3]) = (900, 950);
        (span.low.0[5], span.high.0[5]) = (10, 20);
        prices.0[3] = 200;
        assert_eq!(span.price(&prices), 700);
        prices.0[3] = 930;
        assert_eq!(span.price(&prices), 10);
        prices.0[5] = 15;
        assert_eq!(span.price(&prices), 0);
        prices.0[5] = FAR_OFF;
        assert_eq!(span.price(&prices), FAR_OFF as u32 - 20);
    }
}
