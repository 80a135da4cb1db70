//! The hash of a world's state, for comparing worlds.

use std::fmt;

use super::{FlowWorld, Inspection, Limits};
use crate::bytes::Digest;

/// The parts of a world's [`state_hash`](FlowWorld::state_hash). They show in
/// which part two worlds differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct StateParts {
    /// The size of the map and the cost of each cell.
    pub costs: u64,
    /// Stamps and blockers, the ground below them, and the limits; layers, gates, links and
    /// surcharges, where there are any.
    pub stamps: u64,
    /// The number, goal and cells of each order, the field of each order
    /// without work left, and the owed work.
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

/// The hash of the state, in 64 bits.
impl FlowWorld {
    /// Returns a [`Digest`] of the world's state. Equal worlds have equal
    /// digests on every machine; different worlds almost certainly have
    /// different ones.
    ///
    /// It covers the cost of each cell; stamps, blockers and the ground below
    /// them; layers, gates, links, surcharges and fog; the limits; the number, goal and cells of
    /// each living order; the direction bytes of each order without work left; and the work that ticks
    /// owe. It does not cover work in progress, nor the steps by which a field
    /// was made.
    ///
    /// It reads the whole map and all fields: call it every few ticks of a
    /// lockstep game, not for each unit.
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
    /// Returns the parts of the [`state_hash`](FlowWorld::state_hash).
    #[must_use]
    pub fn state_parts(self) -> StateParts {
        let [mut costs, mut stamps, mut orders] = [Digest::new(); 3];
        let layers = &self.world.layers;
        layers.ground().costs.digest(&mut costs);
        layers.digest(&mut stamps);
        let Limits {
            orders: orders_max,
            units,
            stamps: stamps_max,
            blocked,
        } = self.world.limits;
        for limit in [orders_max, units, stamps_max, blocked] {
            stamps.number(u64::from(limit));
        }
        self.world.book.digest(&mut orders);
        orders.number(self.world.owed);
        StateParts {
            costs: costs.finish(),
            stamps: stamps.finish(),
            orders: orders.finish(),
        }
    }
}
