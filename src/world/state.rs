use std::fmt;

use super::{FlowWorld, Inspection, Limits};
use crate::bytes::Digest;

/// The parts of a world's [`state_hash`](FlowWorld::state_hash): to tell in
/// which of them two worlds differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct StateParts {
    /// The size of the map and what every cell costs.
    pub costs: u64,
    /// Stamps and blockers, the ground below them, and the limits.
    pub stamps: u64,
    /// What was asked of each order, the field of each that has no work left,
    /// and the work that is owed.
    pub orders: u64,
}

impl fmt::Display for StateParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            costs,
            stamps,
            orders,
        } = self;
        write!(f, "{costs:016x} {stamps:016x} {orders:016x}")
    }
}

/// The state in 64 bits.
impl FlowWorld {
    /// A [`Digest`] of the world's state: the same for worlds that are the
    /// same, on every machine, and almost surely another for others.
    ///
    /// It covers what every cell costs; stamps, blockers and the ground below;
    /// the limits; the number, goal and cells of each order that lives; the
    /// direction bytes of each order that has no work left; and the work that
    /// ticks owe. It does not cover work in hand, nor how a field came about.
    ///
    /// Reads all of the map and all fields: for every few ticks of a lockstep
    /// game, not for every unit.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld};
    /// let world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let mut other = FlowWorld::new(CostMap::open(100, 60)?);
    /// assert_eq!(world.state_hash(), other.state_hash());
    /// other.edit(Cell::new(3, 3), Cost::WALL)?;
    /// assert_ne!(world.state_hash(), other.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let StateParts {
            costs,
            stamps,
            orders,
        } = self.inspect().state_parts();
        let mut digest = Digest::new();
        for part in [costs, stamps, orders] {
            digest.number(part);
        }
        digest.finish()
    }
}

impl Inspection<'_> {
    /// The parts that make the [`state_hash`](FlowWorld::state_hash).
    #[must_use]
    pub fn state_parts(self) -> StateParts {
        let [mut costs, mut stamps, mut orders] = [Digest::new(); 3];
        self.world.map.costs.digest(&mut costs);
        self.world
            .map
            .stamps
            .digest(&self.world.map.costs, &mut stamps);
        let Limits {
            orders: orders_max,
            units,
            stamps: stamps_max,
            blocked,
            cache_bytes,
        } = self.world.limits;
        for limit in [orders_max, units, stamps_max, blocked] {
            stamps.number(u64::from(limit));
        }
        stamps.number(cache_bytes);
        self.world.book.digest(&mut orders);
        orders.number(self.world.owed);
        StateParts {
            costs: costs.finish(),
            stamps: stamps.finish(),
            orders: orders.finish(),
        }
    }
}
