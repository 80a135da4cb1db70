//! The end of a march: on the goal, or on the disc around it that earlier units
//! have filled.
//!
//! ```text
//!       o o           o  arrived: all of them, closely packed, fill a disc
//!      o o o x        x  touches one of them inside the disc: arrived, too
//!       o g o         y  touches one, but outside: it presses on, and the disc
//!        o   y           closes up around the goal g; if y stops, or has
//!                        pressed on for a while, it has arrived as well
//! ```

use super::decide::OnLayer;
use super::patience::StepPatience;
use super::survey::Tally;
use crate::steer::neighbours::Surroundings;
use crate::steer::reading::sees;
use crate::steer::units::Unit;
use crate::steer::walls::GroupLayer;
use crate::vector::{Vector, difference, length, lesser};

/// Whether a unit's march to a goal ends here; `tally` counts the units that go
/// there. It ends
///
/// - on the goal;
/// - beside an arrived unit, if it is within the disc that the arrived units
///   fill, makes no progress, or has pressed on for long;
/// - elsewhere in sight of the goal, if it makes no progress within that disc, or
///   has made none for long within the larger disc of all expected units. A unit
///   that waits behind a wall has not arrived.
pub(super) fn has_arrived(
    unit: &Unit,
    here: &OnLayer,
    goal: Vector,
    tally: &Tally,
    around: &Surroundings,
    patience: StepPatience,
    layer: &GroupLayer<'_>,
) -> bool {
    let radius = layer.full_radius(here.radius);
    let away = length(difference(goal, here.position));
    if away <= lesser(radius, 0.5) {
        return true;
    }
    let within = || away <= tally.filled() + 0.5 * radius;
    let halted = patience.is_halted(unit);
    if around.touches_settled {
        let pressed = unit.memory.pressed > patience.whole;
        halted || pressed || within()
    } else {
        let long = unit.memory.idle > patience.whole.saturating_mul(3);
        let near = || away <= tally.disc() + radius;
        (halted && within() || long && near()) && sees(layer.ground, here.position, goal, 0.0)
    }
}
