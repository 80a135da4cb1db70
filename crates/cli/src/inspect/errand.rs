//! An order that is under way.

use flowtiles::{Cell, FlowWorld, Order, OrderStage};

/// An order, where it leads, and when it was given and ready.
pub struct Errand {
    pub order: Order,
    pub goal: Cell,
    /// The tick at which it was given.
    pub given: u32,
    /// The tick at which all its directions were there.
    pub ready: Option<u32>,
}

impl Errand {
    /// One that was given at a tick.
    pub const fn new(order: Order, goal: Cell, given: u32) -> Self {
        Self {
            order,
            goal,
            given,
            ready: None,
        }
    }

    /// Notes the tick if all directions are there.
    pub fn note_ready(&mut self, world: &FlowWorld, tick: u32) {
        if self.ready.is_none() && is_ready(world, &self.order) {
            self.ready = Some(tick);
        }
    }
}

/// Whether all directions of an order are there.
pub fn is_ready(world: &FlowWorld, order: &Order) -> bool {
    world.inspect().watch(order).stage() == OrderStage::Done
}
