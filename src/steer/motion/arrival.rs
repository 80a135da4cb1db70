//! The end of a march: at a place of its own near the goal; or, where there was none for it,
//! on the goal or on the disc around it that earlier units have filled.
//!
//! ```text
//!       o o           o  arrived: all of them, closely packed, fill a disc
//!      o o o x        x  touches one of them inside the disc: arrived, too
//!       o g o         y  touches one, but outside: it presses on, and the disc
//!        o   y           closes up around the goal g; if y stops, or has
//!                        pressed on for a while, it has arrived as well
//! ```

use super::decide::{Actor, OnLayer, Wish, unit_toward};
use super::survey::Tally;
use super::turning;
use crate::cost::Cost;
use crate::sight::SightGround;
use crate::steer::formation::behind;
use crate::steer::neighbours::arrive;
use crate::steer::reading::{Lookahead, sees, sees_over};
use crate::steer::units::{Stop, UnitState};
use crate::vector::{NONE, Vector, cell_of, difference, distance, greater, length, lesser};

/// The distance from its place at which a unit is there.
const THERE: f32 = 0.08;
/// The distance from its place within which a unit slows down.
const SLOWING: f32 = 0.5;
/// The farthest that a unit goes straight to its place instead of by the field, in cells.
const STRAIGHT: f32 = 32.0;
/// How far from the disc that all expected units fill one is near the goal, in cells.
pub(super) const NEAR: f32 = 4.0;
/// The distance up to which it goes straight over any ground.
const ACROSS: f32 = 1.5;

impl Actor<'_> {
    /// Returns the wish of a unit whose march ends, or that goes straight to its place; `None` if it
    /// marches on. Marks it if it has arrived. `tally` counts the units that go to the goal.
    pub(super) fn stop(&mut self, goal: Vector, tally: Tally, speed: f32) -> Option<Wish> {
        if self.unit.memory.stop != Stop::Own {
            return self.has_arrived(goal, tally).then(|| self.at_place());
        }
        let layer = self.own.layer;
        let position = self.here.position;
        let place = layer.enter(self.unit.memory.place);
        let away = distance(place, position);
        if away < THERE {
            return Some(self.at_place());
        }
        let left = distance(goal, position);
        if self.is_blocked(goal, left, tally) {
            self.unit.memory.place = layer.leave(position);
            return Some(self.at_place());
        }
        let is_near = left <= tally.disc() + NEAR;
        if !self.goes_straight(place, away, [is_near, left < away]) {
            let way = unit_toward(position, self.way_behind_a_line(place)?);
            return Some(Wish::along(self.unit, way, speed));
        }
        // By the time the unit goes by the field again, the old aim lies behind it.
        self.unit.memory.aim = Lookahead::none(position);
        Some(Wish {
            steer: arrive(position, self.unit.velocity, place, speed, SLOWING),
            way: unit_toward(position, place),
            speed,
        })
    }

    /// Returns a point behind a line by which a unit comes to its place there, if it does not see
    /// the place.
    fn way_behind_a_line(&self, place: Vector) -> Option<Vector> {
        let line = self.own.group.line?;
        let OnLayer { position, radius } = self.here;
        let sees = |from, to| sees(self.own.layer.ground, from, to, radius);
        let is_near = |point| distance(point, position) <= greater(line.width(), STRAIGHT);
        let mut points = behind(place, line.facing());
        if sees(position, place) {
            return None;
        }
        points.find(|&point| is_near(point) && sees(position, point) && sees(point, place))
    }

    /// Returns the wish of a unit at its place: it has arrived, on a line once it looks ahead.
    fn at_place(&mut self) -> Wish {
        let line = self.own.group.line;
        let seconds = self.step.seconds;
        if line.is_none_or(|line| turning::faces(self.unit, line.facing(), seconds)) {
            return self.arrived();
        }
        self.unit.velocity = NONE;
        Wish::to_stand(NONE)
    }

    fn arrived(&mut self) -> Wish {
        self.unit.state = UnitState::Arrived;
        Wish::to_stand(NONE)
    }

    /// Whether a unit does not come to its place: it stands beside one that has arrived; or it has
    /// made no progress for long, in sight of the goal and within the disc that all expected units
    /// fill.
    fn is_blocked(&self, goal: Vector, left: f32, tally: Tally) -> bool {
        let (patience, layer) = (self.step.patience, self.own.layer);
        let memory = &self.unit.memory;
        if self.view.around.touches_settled {
            return patience.is_halted(self.unit) || memory.pressed > patience.whole;
        }
        let radius = layer.full_radius(self.here.radius);
        memory.idle > patience.whole
            && left <= tally.disc() + radius
            && sees(layer.ground, self.here.position, goal, 0.0)
    }

    /// Whether a unit goes straight to its place: it sees it, and it is close or past the goal, or the
    /// ground is no harder than at the ends. One that does not look ahead does so near the goal alone.
    fn goes_straight(&self, place: Vector, away: f32, [is_near, is_past]: [bool; 2]) -> bool {
        let radius = self.here.radius;
        if radius + away < self.view.open {
            return true;
        }
        let reading = self.own.group.settings.reading;
        let is_on_line = self.own.group.line.is_some();
        let looks_ahead = is_on_line || reading.looks_ahead() && !reading.is_crowd();
        if away > STRAIGHT || !(looks_ahead || is_near || is_past) {
            return false;
        }
        let (ground, from) = (self.own.layer.ground, self.here.position);
        if away <= ACROSS || is_past {
            return sees(ground, from, place, radius);
        }
        let cost = |at: Vector| ground.cost(cell_of(at)).unwrap_or(Cost::OPEN);
        let highest = cost(from).max(cost(place));
        sees_over(ground, from, place, radius, highest)
    }

    /// Whether the march of a unit without a place of its own ends here. It ends
    ///
    /// - on the goal;
    /// - beside an arrived unit, if it is within the disc that the arrived units
    ///   fill, makes no progress, or has pressed on for long;
    /// - elsewhere in sight of the goal, if it makes no progress within that disc, or
    ///   has made none for long within the larger disc of all expected units. A unit
    ///   that waits behind a wall has not arrived.
    fn has_arrived(&self, goal: Vector, tally: Tally) -> bool {
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
