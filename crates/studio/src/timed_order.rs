//! An order that has been given.

use flowtiles::inspect::OrderStage;
use flowtiles::steer::Line;
use flowtiles::{Cell, FlowWorld, Order};

/// An order, its goal, and the ticks at which it was given and ready.
pub struct TimedOrder {
    pub order: Order,
    pub goal: Cell,
    /// The line on which its units draw up.
    pub line: Option<Line>,
    /// The tick at which it was given.
    pub given: u32,
    /// The tick at which all its directions were ready.
    pub ready: Option<u32>,
}

impl TimedOrder {
    /// Returns an order that was given at a tick.
    pub const fn new(order: Order, goal: Cell, given: u32) -> Self {
        Self {
            order,
            goal,
            line: None,
            given,
            ready: None,
        }
    }

    /// Records the tick, if all directions are ready.
    pub fn note_ready(&mut self, world: &FlowWorld, tick: u32) {
        if self.ready.is_none() && is_ready(world, &self.order) {
            self.ready = Some(tick);
        }
    }
}

/// Whether all directions of an order are ready.
pub fn is_ready(world: &FlowWorld, order: &Order) -> bool {
    world.inspect().watch(order).stage() == OrderStage::Done
}
