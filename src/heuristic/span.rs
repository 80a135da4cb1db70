//! A lower bound on the cost between two cells, from their costs to landmarks.
//!
//! If the cost to a tower is 900 from A and 200 from B, the cost from A to B is
//! at least 700, whatever lies between. With several towers the highest of
//! these bounds counts.
//!
//! PERF: eight landmarks are two vectors; about 30 instructions.

/// The number of landmarks.
pub(crate) const LANDMARKS: usize = 8;

/// The costs of the paths from one cell to each landmark. A cache line holds
/// two of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct LandmarkCosts(pub(crate) [i32; LANDMARKS]);

/// The range of the costs to each landmark from a set of cells. A cell whose
/// cost to a landmark lies below `low` or above `high` by some amount is at
/// least that far from all cells of the set. `high` may be below `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) low: LandmarkCosts,
    pub(crate) high: LandmarkCosts,
}

/// The cost where there is no path, or none that is cheaper.
pub(crate) const FAR_OFF: i32 = 1 << 30;

impl LandmarkCosts {
    /// Lowers each cost to that of a path whose first part costs `walk` and
    /// leads to a cell with the costs `to`. Returns whether any cost is lower
    /// now.
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
    /// The span of which nothing is known.
    pub(crate) const ALL: Self = Self {
        low: LandmarkCosts([-FAR_OFF; LANDMARKS]),
        high: LandmarkCosts([FAR_OFF; LANDMARKS]),
    };

    /// Returns the span of a cell whose paths all lead through a cell with
    /// these costs, `walk` away: all bounds from it are higher by `walk`.
    pub(crate) fn beyond(LandmarkCosts(prices): &LandmarkCosts, walk: u32) -> Self {
        Self {
            low: LandmarkCosts(prices.map(|price| price.saturating_add_unsigned(walk))),
            high: LandmarkCosts(prices.map(|price| price.saturating_sub_unsigned(walk))),
        }
    }

    /// Returns the span of the cells of both.
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

    /// Returns a lower bound on the cost from a cell of the span to a cell with
    /// these costs.
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
