//! What is asked of a plan.

use crate::grid::{Cell, Extent};
use crate::map::Map;
use crate::order::goal::Goal;
use crate::order::reach::Reach;
use crate::order::units::Units;

/// A goal, the units to lead there, and which of them can reach it.
#[derive(Clone)]
pub(super) struct Request {
    pub(super) goal: Goal,
    pub(super) units: Units,
    pub(super) reach: Reach,
}

impl Request {
    pub(super) fn new(extent: Extent, goal: Goal, reach: Reach, units: &[Cell]) -> Self {
        let units = Units::new(extent, units);
        Self { goal, units, reach }
    }

    /// Adds a unit to a request that waits. What it can reach is looked up later.
    pub(super) fn take_in(&mut self, unit: Cell) {
        self.units.take_in(unit);
        self.reach.expire();
    }

    /// Looks the reach up again, if a new look might find other goals.
    pub(super) fn renew_reach(&mut self, map: &Map) {
        if self.reach.is_stale() {
            self.reach = Reach::new(map, &self.goal, self.units.cells());
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.units.bytes() + self.reach.bytes()
    }
}
