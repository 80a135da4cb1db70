//! Straight lines that no wall blocks; and turns: what is dear is not done in every tick, and not
//! by all in the same.

use crate::cost::Cost;
use crate::sight::{FINE, Sight};
use crate::steer::walls::LayerGround;
use crate::vector::Vector;
use crate::world::FlowWorld;

/// Whether a unit of this radius can go straight from one place to the other,
/// on any ground.
pub(crate) fn sees(ground: LayerGround<'_>, from: Vector, to: Vector, radius: f32) -> bool {
    let clearance = (fine(radius) - 1).max(0);
    let highest = HARDEST;
    Sight { clearance, highest }.over(&ground, from.map(fine), to.map(fine))
}

/// Returns a coordinate in the units of a [`Sight`].
pub(crate) fn fine(at: f32) -> i32 {
    (at * FINE as f32) as i32
}

const HARDEST: Cost = match Cost::new(254) {
    Ok(cost) => cost,
    Err(_) => Cost::OPEN,
};

/// Whether the straight line between two places is free of walls of the ground itself. What
/// is closed to a movement alone does not block a view.
pub(crate) fn is_in_view(world: &FlowWorld, from: Vector, to: Vector) -> bool {
    sees(LayerGround::plain(world.costs()), from, to, 0.0)
}

/// Ticks between two looks around, and between two checks of what was found.
pub(crate) const LOOK: u32 = 8;
pub(crate) const CHECK: u32 = 16;

/// A number that differs between units, or groups, and grows by one each tick.
#[derive(Clone, Copy)]
pub(crate) struct Turn(u32);

impl Turn {
    pub(crate) const fn of(id: u32, tick: u32) -> Self {
        Self(tick.wrapping_add(id))
    }

    /// Whether it is the turn for what is done every so many ticks.
    pub(crate) const fn is_every(self, ticks: u32) -> bool {
        self.0.is_multiple_of(ticks)
    }
}
