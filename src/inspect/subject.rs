//! The subject of a picture.

use super::Point;
use crate::order::Order;
use crate::world::FlowWorld;

/// What to draw: a world, and orders and units in it.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    world: &'a FlowWorld,
    orders: &'a [Order],
    units: &'a [Point],
}

impl<'a> Subject<'a> {
    /// Returns a world without orders and units.
    #[must_use]
    pub const fn of(world: &'a FlowWorld) -> Self {
        Self {
            world,
            orders: &[],
            units: &[],
        }
    }

    /// Returns the subject with these orders of its world. If several have
    /// loaded a cell, the first is shown.
    #[must_use]
    pub const fn with_orders(mut self, orders: &'a [Order]) -> Self {
        self.orders = orders;
        self
    }

    /// Returns the subject with units at these positions, in cells.
    #[must_use]
    pub const fn with_units(mut self, units: &'a [Point]) -> Self {
        self.units = units;
        self
    }

    pub(super) const fn world(&self) -> &'a FlowWorld {
        self.world
    }

    pub(super) const fn orders(&self) -> &'a [Order] {
        self.orders
    }

    pub(super) const fn units(&self) -> &'a [Point] {
        self.units
    }
}
