//! Editions: when a field is out of date.

/// Counts what makes a field out of date. A plan has the present edition; its field, and the
/// work under way, have the one at which they began:
///
/// ```text
///   field == plan                the field is current
///   field != plan                it is stale: made for another goal, or on other ground
///   work != plan                 the work is outdated: it is finished, and then done again
///   work == field                the work only adds units to the field
///   field.is_ground_of(plan)     nothing but prices has changed: its sectors stay loaded
/// ```
///
/// One word, so that reading an order compares once. The upper half moves with the goal and
/// with each change of the map that concerns the order, the lower one when surcharges change
/// prices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Edition(u64);

impl Edition {
    pub(super) const fn next_ground(&mut self) {
        self.0 = self.0.wrapping_add(1 << 32);
    }

    pub(super) const fn next_prices(&mut self) {
        let prices = (self.0 as u32).wrapping_add(1);
        self.0 = self.0 >> 32 << 32 | prices as u64;
    }

    /// Whether nothing but prices has changed between the two.
    pub(super) const fn is_ground_of(self, other: Self) -> bool {
        (self.0 ^ other.0) >> 32 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_and_ground_differ_even_after_wrapping() {
        for start in [0, u64::from(u32::MAX), u64::MAX] {
            let (first, mut next) = (Edition(start), Edition(start));
            next.next_prices();
            assert!(next != first && next.is_ground_of(first));
            next.next_ground();
            assert!(!next.is_ground_of(first));
        }
    }
}
