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

use super::decide::Actor;
use super::survey::Tally;
use crate::steer::reading::sees;
use crate::vector::{Vector, difference, length, lesser};

impl Actor<'_> {
    /// Whether a unit's march to a goal ends here; `tally` counts the units that go
    /// there. It ends
    ///
    /// - on the goal;
    /// - beside an arrived unit, if it is within the disc that the arrived units
    ///   fill, makes no progress, or has pressed on for long;
    /// - elsewhere in sight of the goal, if it makes no progress within that disc, or
    ///   has made none for long within the larger disc of all expected units. A unit
    ///   that waits behind a wall has not arrived.
    pub(super) fn has_arrived(&self, goal: Vector, tally: &Tally) -> bool {
        let (patience, layer, memory) = (self.step.patience, self.own.layer, &self.unit.memory);
        let radius = layer.full_radius(self.here.radius);
        let away = length(difference(goal, self.here.position));
        if away <= lesser(radius, 0.5) {
            return true;
        }
        let within = || away <= tally.filled() + 0.5 * radius;
        let halted = patience.is_halted(self.unit);
        if self.view.around.touches_settled {
            halted || memory.pressed > patience.whole || within()
        } else {
            let long = memory.idle > patience.whole.saturating_mul(3);
            let near = || away <= tally.disc() + radius;
            (halted && within() || long && near())
                && sees(layer.ground, self.here.position, goal, 0.0)
        }
    }
}
