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

use crate::cost::CostMap;

use super::group::Group;
use super::march::sees;
use super::settings::Settings;
use super::surroundings::Surroundings;
use super::unit::Unit;
use crate::vector::{cell_of, difference, length, lesser, middle_of};

/// Whether a unit's march ends here:
///
/// - on the goal;
/// - beside an arrived unit, if it is within the disc that the arrived units
///   fill, makes no progress, or has pressed on for long;
/// - elsewhere in sight of the goal, if it makes no progress within that disc, or
///   has made none for long within the larger disc of all expected units. A unit
///   that waits behind a wall has not arrived.
pub(super) fn has_arrived(
    unit: &Unit,
    group: &Group,
    around: &Surroundings,
    on_goal: bool,
    settings: &Settings,
    costs: &CostMap,
) -> bool {
    let goal = if on_goal {
        middle_of(cell_of(unit.position))
    } else {
        group.point()
    };
    let away = length(difference(goal, unit.position));
    let idle = unit.memory.idle;
    if away <= lesser(unit.radius, 0.5) {
        return true;
    }
    let within = away <= group.tally.filled() + 0.5 * unit.radius;
    let pressed = unit.memory.pressed > settings.patience;
    let halted = idle > settings.patience / 4;
    if around.touches_settled {
        within || pressed || halted
    } else {
        let long = idle > settings.patience.saturating_mul(3);
        let near = away <= group.tally.disc() + unit.radius;
        (within && halted || near && long) && sees(costs, unit.position, goal, 0.0)
    }
}
