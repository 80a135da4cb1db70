//! Straight lines that no wall blocks.

use crate::cost::Cost;
use crate::sight::{FINE, Sight};
use crate::steer::walls::LayerGround;
use crate::vector::{Vector, cell_of};
use crate::world::FlowWorld;

/// Whether a unit of this radius can go straight from one place to the other,
/// on any ground.
pub(crate) fn sees(ground: LayerGround<'_>, from: Vector, to: Vector, radius: f32) -> bool {
    sees_over(ground, from, to, radius, Cost::HIGHEST)
}

/// As [`sees`], over ground that costs no more than this.
pub(crate) fn sees_over(
    ground: LayerGround<'_>,
    from: Vector,
    to: Vector,
    radius: f32,
    highest: Cost,
) -> bool {
    let clearance = (fine(radius) - 1).max(0);
    Sight { clearance, highest }.over(&ground, from.map(fine), to.map(fine))
}

/// Returns how far a unit of this radius keeps from walls on its way, in the units of a [`Sight`].
pub(crate) fn clearance(radius: f32) -> i32 {
    // Slightly more than the radius, so that corners are not scraped; but less than half a cell,
    // or the field's own steps would be out of sight.
    let wanted = fine(radius) + FINE / 64;
    if radius < 0.5 {
        wanted.min(FINE / 2 - 1)
    } else {
        wanted
    }
}

/// Returns a coordinate in the units of a [`Sight`].
pub(crate) fn fine(at: f32) -> i32 {
    (at * FINE as f32) as i32
}

/// Whether the straight line between two places is free of [opaque](FlowWorld::set_opaque) ground.
/// What is closed to a movement alone does not block a view.
pub(crate) fn is_in_view(world: &FlowWorld, from: Vector, to: Vector) -> bool {
    let views = world.views([from, to].map(cell_of));
    Sight::OF_A_POINT.over(&views, from.map(fine), to.map(fine))
}
