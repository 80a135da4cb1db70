//! The subject of a picture.

use super::Point;
use crate::cost::{CostMap, LayerId};
use crate::order::Order;
use crate::world::{FlowWorld, Inspection};

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
    /// loaded a cell, the first is shown. Costs, portals and islands are those of the
    /// movement layer of the first order.
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

    /// Returns the world's contents on the layer of the first order.
    pub(super) fn inside(&self) -> Inspection<'a> {
        inside(self.world, self.layer())
    }

    /// Returns the costs of the same layer.
    pub(super) fn costs(&self) -> &'a CostMap {
        costs(self.world, self.layer())
    }

    fn layer(&self) -> LayerId {
        self.orders
            .first()
            .map_or(LayerId::GROUND, |order| order.goal().layer())
    }

    pub(super) const fn orders(&self) -> &'a [Order] {
        self.orders
    }

    pub(super) const fn units(&self) -> &'a [Point] {
        self.units
    }
}

/// The contents of a world on a layer; on the ground's own if the layer is not derived.
pub(super) fn inside(world: &FlowWorld, layer: LayerId) -> Inspection<'_> {
    let ground = world.inspect();
    ground.layer(layer).unwrap_or(ground)
}

/// The costs of the same layer.
pub(super) fn costs(world: &FlowWorld, layer: LayerId) -> &CostMap {
    world
        .layer(layer)
        .map_or(world.costs(), |view| view.costs())
}
