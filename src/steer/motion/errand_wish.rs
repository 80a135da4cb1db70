//! Steering for units that pursue or flee.

use super::decide::{Actor, OnLayer, Wish};
use super::patience::{LEVEL_LAST, StepPatience};
use crate::order::Order;
use crate::steer::groups::Chase;
use crate::steer::reading::{CHECK, is_in_view, sees};
use crate::steer::units::{Unit, UnitState};
use crate::steer::walls::GroupLayer;
use crate::vector::{NONE, Vector, cell_of, distance};
use crate::world::{FlowWorld, Sample};

/// How much farther than its range a unit may be: pushes do not quite close a gap.
pub(super) const SLACK: f32 = 0.1;
/// The farthest that a unit goes straight toward its quarry instead of by the field, in
/// cells.
const STRAIGHT: f32 = 32.0;
/// How far the units that stand around the end of a way reach, in radii of a unit, times the
/// root of their number.
const AROUND_END: f32 = 1.7;
/// How much farther than its range a unit stops that comes no nearer, in cells.
const CROWD: f32 = 3.0;

impl<'a> Actor<'a> {
    /// Returns the wish of a unit whose group pursues another unit: straight toward it
    /// where the line is free, else along the field. Where it comes no nearer to a quarry
    /// that it cannot reach, it stands until the army re-aims the order.
    pub(crate) fn pursue(&mut self, chase: &Chase, order: &'a Order) -> Wish {
        let Some(quarry) = self.own.leader.filter(|quarry| quarry.id != self.unit.id) else {
            return self.stand();
        };
        let was_cut_off = self.unit.state == UnitState::Unreachable;
        self.unit.state = UnitState::Marching;
        let straight = self.close_in(chase, quarry);
        if let Some(wish) = straight {
            return wish;
        }
        let here = cell_of(self.here.position);
        let comes_no_nearer = || was_cut_off || self.is_at_end(order);
        let can_reach = || {
            let view = self.step.world.layer(self.own.group.settings.layer);
            let there = self.own.layer.anchor(quarry.position);
            view.is_none_or(|view| view.reachable(here, there))
        };
        // Links make the question dear, and ways open seldom.
        let asks = !was_cut_off || self.turn().is_every(CHECK);
        if comes_no_nearer() && !(asks && can_reach()) {
            self.unit.state = UnitState::Unreachable;
            return Wish::to_stand(NONE);
        }
        self.follow_order(order)
    }

    /// Whether a unit is where its order ends, or can come no nearer for the units of its
    /// group that stand there.
    fn is_at_end(&self, order: &Order) -> bool {
        let OnLayer { position, radius } = self.here;
        let here = cell_of(position);
        if self.step.world.sample(order, here) == Sample::Arrived {
            return true;
        }
        if self.step.patience.level(self.unit) < LEVEL_LAST {
            return false;
        }
        // As large as a half disc that they fill loosely.
        let room = AROUND_END * radius * (self.own.group.members.len() as f32).sqrt();
        let end = self.step.world.destination(order, here);
        end.is_none_or(|end| distance(end.centre(), position) <= 1.0 + room)
    }

    pub(crate) fn charge(&mut self, chase: &Chase) -> Option<Wish> {
        let charge = self.own.group.errand.as_ref()?.charges.get(&self.unit.id)?;
        let foe = self.step.roster.get(charge.foe)?;
        if !charge.is_within(chase.leash, foe.position) {
            return None;
        }
        let wish = self.close_in(chase, foe)?;
        self.unit.state = UnitState::Marching;
        Some(wish)
    }

    /// Returns the wish of a unit on an order at whose goal it does not stay.
    pub(super) fn follow_order(&mut self, order: &'a Order) -> Wish {
        let field = self.field(order);
        self.unit.state = UnitState::Marching;
        match field.sample(cell_of(self.here.position)) {
            Sample::Unreachable => {
                self.unit.state = UnitState::Unreachable;
                Wish::to_stand(NONE)
            }
            Sample::Arrived => self.stand(),
            sample => self.march(&field, sample),
        }
    }

    /// Returns the wish to go straight to a body, and to stop within range; none if the
    /// straight line is not free.
    fn close_in(&self, chase: &Chase, foe: &Unit) -> Option<Wish> {
        let layer = self.own.layer;
        let chaser = Chaser::of(self.step.world, layer, chase, self.step.patience, self.unit);
        Some(match chaser.approach(foe.position, foe.radius)? {
            Approach::Stand => self.stand(),
            Approach::GoStraight => {
                let speed = self.speed();
                self.straight_to(layer.enter(foe.position), speed)
            }
        })
    }
}

/// What a unit does about a body that it chases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Approach {
    /// It is in range.
    Stand,
    GoStraight,
}

/// A unit that may chase.
pub(crate) struct Chaser<'a> {
    world: &'a FlowWorld,
    layer: &'a GroupLayer<'a>,
    chase: &'a Chase,
    is_blocked: bool,
    unit: &'a Unit,
}

impl<'a> Chaser<'a> {
    pub(crate) fn of(
        world: &'a FlowWorld,
        layer: &'a GroupLayer<'a>,
        chase: &'a Chase,
        patience: StepPatience,
        unit: &'a Unit,
    ) -> Self {
        Self {
            world,
            layer,
            chase,
            is_blocked: patience.is_halted(unit),
            unit,
        }
    }

    /// What it does about a body; `None` if it cannot go straight there.
    pub(crate) fn approach(&self, position: Vector, radius: f32) -> Option<Approach> {
        let here = self.unit.position;
        let gap = distance(here, position) - self.unit.radius - radius;
        // Behind others that are in range, a unit does not press on for ever.
        let near = if self.is_blocked { CROWD } else { SLACK };
        if gap <= self.chase.range + near && is_in_view(self.world, here, position) {
            return Some(Approach::Stand);
        }
        let [from, to] = [here, position].map(|place| self.layer.enter(place));
        let slim = self.layer.radius(self.unit.radius);
        let is_straight = gap <= STRAIGHT && sees(self.layer.ground, from, to, slim);
        is_straight.then_some(Approach::GoStraight)
    }
}
