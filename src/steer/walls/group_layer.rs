//! What the units of a group walk on: the movement layer of their order.
//!
//! A layer of bodies that are several cells wide is a map of anchors: its walls are the
//! places where such a body does not fit. So a wide unit is steered as a slim one on the
//! map of anchors:
//!
//! ```text
//!   radius 1.4, width 3         the same unit among anchors: radius 0.4
//!     # # # # # # #               # # # # # # #
//!     . . ╭───╮ . .               # # # # # # #     The circle is clear of all walls if
//!     . . │ • │ . .      ──►      . . . ◦ . . .     the small one is clear of the closed
//!     . . ╰───╯ . .               # # # # # # #     anchors.
//!     # # # # # # #               # # # # # # #
//! ```

use super::ground::{GroundBits, LayerGround};
use crate::cost::{Cost, LayerId, Movement};
use crate::grid::Cell;
use crate::sight::SightGround;
use crate::vector::{Vector, cell_of};
use crate::world::FlowWorld;

/// Returns the anchor of a body of this width whose middle is at a position: the cell that
/// stands for the body on its movement layer, in orders and samples.
///
/// ```
/// use flowtiles::Cell;
/// use flowtiles::steer::parts::anchor;
/// assert_eq!(anchor(1, [4.9, 7.2]), Cell::new(4, 7));
/// assert_eq!(anchor(2, [5.0, 7.0]), Cell::new(4, 6), "north-west of the middle");
/// assert_eq!(anchor(3, [4.9, 7.2]), Cell::new(4, 7));
/// ```
#[must_use]
pub fn anchor(width: u8, [x, y]: [f32; 2]) -> Cell {
    let shift = shift(width);
    cell_of([x - shift, y - shift])
}

/// How far the middle of a body is from that of its anchor, in cells along either axis.
const fn shift(width: u8) -> f32 {
    if width.is_multiple_of(2) { 0.5 } else { 0.0 }
}

/// A movement layer, and how positions and radii of units become those on the layer.
#[derive(Clone, Copy)]
pub(crate) struct GroupLayer<'w> {
    pub(crate) ground: LayerGround<'w>,
    world: &'w FlowWorld,
    layer: LayerId,
    shift: f32,
    inset: f32,
}

impl<'w> GroupLayer<'w> {
    /// Returns a layer of the world; the ground's own if the layer is not derived.
    pub(crate) fn of(world: &'w FlowWorld, layer: LayerId) -> Self {
        let view = world.layer(layer);
        let layer = view.map_or(LayerId::GROUND, |_| layer);
        let size = world.movement(layer).map_or(1, Movement::size);
        Self {
            ground: LayerGround::plain(view.map_or(world.costs(), |view| view.costs())),
            world,
            layer,
            shift: shift(size),
            inset: f32::from(size - 1) / 2.0,
        }
    }

    /// The cost of a cell, as far as it slows units down: without surcharges. Off the map
    /// it is 1.
    pub(crate) fn hardness(&self, cell: Cell) -> u8 {
        let cost = self.ground.cost(cell);
        let plain = cost.map(|cost| self.world.plain_cost(self.layer, cell, cost));
        plain.map_or(1, Cost::value)
    }

    /// Whether a unit can go from one cell of the layer to another.
    pub(crate) fn joins(&self, from: Cell, to: Cell) -> bool {
        let view = self.world.layer(self.layer);
        view.is_some_and(|view| view.reachable(from, to))
    }

    /// Returns the goal if a unit can reach it, else the nearest cell that it can reach. Without
    /// such a cell it returns the goal.
    pub(crate) fn nearest(&self, from: Cell, goal: Cell) -> Cell {
        let view = self.world.layer(self.layer);
        let is_far = view.filter(|view| !view.reachable(from, goal));
        let nearest = is_far.and_then(|view| view.nearest_reachable(from, goal));
        nearest.unwrap_or(goal)
    }

    /// Where on the layer a body with this middle is.
    pub(crate) fn enter(&self, [x, y]: Vector) -> Vector {
        [x - self.shift, y - self.shift]
    }

    /// The middle of a body that is here on the layer.
    pub(crate) fn leave(&self, [x, y]: Vector) -> Vector {
        [x + self.shift, y + self.shift]
    }

    /// The radius that remains of a unit's on the layer.
    pub(crate) fn radius(&self, radius: f32) -> f32 {
        let left = radius - self.inset;
        if left > 0.0 { left } else { 0.0 }
    }

    /// The radius of a unit with this one on the layer; a unit that is slimmer than the
    /// layer's bodies counts as one that fits.
    pub(crate) fn full_radius(&self, radius: f32) -> f32 {
        radius + self.inset
    }

    pub(crate) fn anchor(&self, middle: Vector) -> Cell {
        cell_of(self.enter(middle))
    }
}

/// What an army keeps of the ground of its groups' layers.
/// A clone is empty.
#[derive(Default)]
pub(crate) struct GroupGrounds {
    bits: Vec<GroundBits>,
    bits_of: Vec<usize>,
}

impl Clone for GroupGrounds {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl GroupGrounds {
    /// Whether the ground of each group's layer is as it was when these were last
    /// asked for.
    pub(crate) fn are_of(
        &self,
        world: &FlowWorld,
        layers: impl ExactSizeIterator<Item = LayerId>,
    ) -> bool {
        layers.len() == self.bits_of.len()
            && layers.zip(&self.bits_of).all(|(layer, &own)| {
                self.bits[own].are_of(GroupLayer::of(world, layer).ground.costs)
            })
    }

    /// Drops what is no longer true or used, and returns the layer of each group.
    pub(crate) fn layers<'w>(
        &'w mut self,
        world: &'w FlowWorld,
        layers: impl Iterator<Item = LayerId>,
    ) -> Vec<GroupLayer<'w>> {
        let mut layers: Vec<GroupLayer<'w>> =
            layers.map(|layer| GroupLayer::of(world, layer)).collect();
        self.bits
            .retain(|bits| layers.iter().any(|layer| bits.are_of(layer.ground.costs)));
        self.bits_of.clear();
        for layer in &layers {
            let costs = layer.ground.costs;
            let known = self.bits.iter().position(|bits| bits.are_of(costs));
            self.bits_of.push(known.unwrap_or(self.bits.len()));
            if known.is_none() {
                self.bits.push(GroundBits::new(costs));
            }
        }
        for (layer, &own) in layers.iter_mut().zip(&self.bits_of) {
            let costs = layer.ground.costs;
            layer.ground = LayerGround::with_bits(costs, &self.bits[own]);
        }
        layers
    }
}
