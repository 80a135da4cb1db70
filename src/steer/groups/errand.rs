//! What a group remembers while it chases or flees.

use std::collections::BTreeMap;

use crate::order::Order;
use crate::vector::{Vector, distance};

/// The state of a group with a target that needs more than its units' own memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Errand {
    /// The order along which a group pursues or flees; the army makes and re-aims it.
    pub(crate) order: Option<Order>,
    pub(crate) home: Option<Vector>,
    /// Whether the event that the quarry was reached was emitted, and not yet the one that
    /// it got away.
    pub(crate) has_reached: bool,
    /// The units that have left the march to chase a foe, by id; also those that have
    /// given up and are not far from there.
    pub(crate) charges: BTreeMap<u32, Charge>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Charge {
    pub(crate) foe: u32,
    /// Where the unit left the march.
    pub(crate) from: Vector,
}

impl Charge {
    /// Whether the foe is no farther than the leash from where the unit left the march.
    /// Beyond, the unit marches, until the foe comes back.
    pub(crate) fn is_within(&self, leash: f32, foe: Vector) -> bool {
        distance(foe, self.from) <= leash
    }
}
