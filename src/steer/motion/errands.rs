//! Errands: which units see a foe, reach it or give up, before a step; and the wishes of units
//! that pursue or flee, in it.

use std::collections::BTreeMap;

use super::decide::{Actor, OnLayer, Wish, unit_toward};
use super::finder::Finder;
use super::foes::Foes;
use super::patience::{LEVEL_LAST, StepPatience};
use super::step::Step;
use crate::order::Order;
use crate::steer::groups::{Charge, Chase, Errand, Group, Groups, Target};
use crate::steer::reading::{CHECK, LOOK, is_in_view, sees};
use crate::steer::units::{Roster, Unit, UnitState};
use crate::steer::walls::GroupLayer;
use crate::vector::{NONE, Vector, cell_of, distance, dot, lesser, right_of, sum, times};
use crate::world::{FlowWorld, Sample};

/// How much farther than the range a quarry must be to have got away.
const OFF: f32 = 1.0;

/// What a step reports of an errand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// A unit of the group is in range of the quarry.
    Reached(u32),
    /// The quarry is gone, or farther away than the leash allows.
    Lost(u32),
    /// The threat is as far away as it has to be.
    Escaped,
}

impl Step<'_> {
    /// Brings the errands of all groups up to date with the places of the units. Returns what
    /// is to be reported, by group.
    pub(super) fn run_errands(&mut self, foes: &mut Foes) -> BTreeMap<u32, News> {
        let mut all_news = BTreeMap::new();
        let groups = self.groups.all();
        let on_errands: Vec<usize> = (0..groups.len())
            .filter(|&at| groups[at].errand.is_some())
            .collect();
        if on_errands.is_empty() {
            return all_news;
        }
        foes.gather(groups, self.roster.units(), |group| {
            matches!(group.target, Target::AttackMove(..)) && group.members.len() > 0
        });
        for at in on_errands {
            let Some(mut errand) = self.groups.all_mut()[at].errand.take() else {
                continue;
            };
            let group = &self.groups.all()[at];
            let news = match group.target {
                Target::Pursue(quarry, chase) => self.follow_up(group, &mut errand, quarry, &chase),
                Target::AttackMove(_, chase) => {
                    self.look_for_foes(at, &mut errand, &chase, foes);
                    None
                }
                Target::Flee { from, safe } => {
                    let has_members = group.members.len() > 0;
                    let is_safe = has_members
                        && threat(self.roster, self.groups, self.finder, group, from, safe)
                            .is_none();
                    is_safe.then_some(News::Escaped)
                }
                _ => None,
            };
            all_news.extend(news.map(|news| (at as u32, news)));
            let charging = self.charging(at, &errand);
            self.groups.all_mut()[at].errand = Some(errand);
            for id in charging {
                if let Some(unit) = self.roster.get_mut_in(id, UnitState::Arrived) {
                    unit.state = UnitState::Marching;
                }
            }
        }
        all_news
    }

    /// Returns the units of a group that have arrived and leave their places for a foe.
    fn charging(&self, at: usize, errand: &Errand) -> Vec<u32> {
        let Target::AttackMove(_, chase) = self.groups.all()[at].target else {
            return Vec::new();
        };
        let charging = errand.charges.iter().filter(|(id, charge)| {
            let unit = self.roster.get(**id);
            let unit = unit.filter(|unit| unit.state == UnitState::Arrived);
            unit.zip(self.roster.get(charge.foe))
                .is_some_and(|(unit, foe)| {
                    let chaser = self.chaser(at, &chase, unit);
                    charge.is_within(chase.leash, foe.position)
                        && chaser.approach(foe.position, foe.radius).is_some()
                })
        });
        charging.map(|(&id, _)| id).collect()
    }

    fn chaser<'b>(&'b self, group: usize, chase: &'b Chase, unit: &'b Unit) -> Chaser<'b> {
        Chaser::of(self.world, &self.layers[group], chase, self.patience, unit)
    }

    fn follow_up(
        &self,
        group: &Group,
        errand: &mut Errand,
        id: u32,
        chase: &Chase,
    ) -> Option<News> {
        if group.members.len() == 0 {
            return None;
        }
        let home = *errand
            .home
            .get_or_insert_with(|| self.roster.middle_of(&group.members));
        let Some(quarry) = self
            .roster
            .get(id)
            .filter(|one| distance(one.position, home) <= chase.leash)
        else {
            return Some(News::Lost(id));
        };
        let slack = if errand.has_reached { OFF } else { SLACK };
        let reached = self.roster.of(&group.members).any(|unit| {
            let gap = distance(unit.position, quarry.position) - unit.radius - quarry.radius;
            unit.id != id
                && unit.state.may_go()
                && gap <= chase.range + slack
                && is_in_view(self.world, unit.position, quarry.position)
        });
        let is_new = reached && !errand.has_reached;
        errand.has_reached = reached;
        is_new.then_some(News::Reached(id))
    }

    /// Lets units that see a foe leave the march, and those that are done take it up again.
    ///
    /// A foe beyond the leash is remembered as long as its unit is near where it left the
    /// march: else the unit would take the same foe again at its next look, and go after it
    /// step by step however short the leash.
    fn look_for_foes(&self, at: usize, errand: &mut Errand, chase: &Chase, foes: &Foes) {
        let group = &self.groups.all()[at];
        errand.charges.retain(|&id, charge| {
            let foe = self.roster.get(charge.foe);
            let unit = self.roster.get(id).filter(|_| group.members.contains(id));
            let (Some(foe), Some(unit)) = (foe, unit) else {
                return false;
            };
            (charge.is_within(chase.leash, foe.position)
                || distance(unit.position, charge.from) <= chase.leash)
                && self.groups.is_foe(group, foe.group)
                && is_in_view(self.world, unit.position, foe.position)
        });
        let enemies = group.settings.foes;
        if !foes.are_any(enemies) {
            return;
        }
        for id in group.members.iter() {
            let is_turn = self.clock.turn(id).is_every(LOOK);
            let known = errand.charges.get(&id);
            let goes_on = |charge: &Charge| {
                let foe = self.roster.get(charge.foe);
                foe.is_some_and(|foe| charge.is_within(chase.leash, foe.position))
            };
            if !is_turn || known.is_some_and(goes_on) {
                continue;
            }
            let given_up = known.map(|charge| charge.foe);
            let Some(unit) = self
                .roster
                .get(id)
                .filter(|unit| unit.state != UnitState::Unreachable)
            else {
                continue;
            };
            let from = unit.position;
            let chaser = self.chaser(at, chase, unit);
            let reach = lesser(chase.sight, chase.leash);
            let seen = foes.nearest(enemies, from, reach, |foe| {
                given_up != Some(foe.id)
                    && is_in_view(self.world, from, foe.position)
                    && chaser.approach(foe.position, foe.radius).is_some()
            });
            if let Some(foe) = seen {
                errand.charges.insert(id, Charge { foe: foe.id, from });
            }
        }
    }
}

/// Returns the unit from which a group flees, if it is not yet far enough away.
pub(crate) fn threat<'a>(
    roster: &'a Roster,
    groups: &Groups,
    finder: &Finder,
    group: &Group,
    from: Option<u32>,
    safe: f32,
) -> Option<&'a Unit> {
    let middle = roster.middle_of(&group.members);
    if let Some(id) = from {
        return roster
            .get(id)
            .filter(|unit| distance(unit.position, middle) < safe);
    }
    let [low, high] = [-safe, safe].map(|off| middle.map(|at| at + off));
    let mut nearest: Option<(f32, &Unit)> = None;
    finder.visit(roster, low, high, |unit| {
        let far = distance(unit.position, middle);
        let is_nearer =
            nearest.is_none_or(|(least, other)| far < least || far == least && unit.id < other.id);
        if far < safe && is_nearer && groups.is_foe(group, unit.group) {
            nearest = Some((far, unit));
        }
    });
    nearest.map(|(_, unit)| unit)
}

/// How much farther than its range a unit may be: pushes do not quite close a gap.
pub(super) const SLACK: f32 = 0.1;
/// The farthest that a unit goes straight toward its quarry instead of by the field, in
/// cells.
const STRAIGHT: f32 = 32.0;
/// How far the units that stand around the end of a way reach, in radii of a unit, times the
/// root of their number.
const AROUND_END: f32 = 1.7;
/// How much a unit that goes around others presses on toward its quarry.
const INWARD: f32 = 0.3;
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
        self.close_in(chase, foe)
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
    fn close_in(&mut self, chase: &Chase, foe: &Unit) -> Option<Wish> {
        let layer = self.own.layer;
        let chaser = Chaser::of(self.step.world, layer, chase, self.step.patience, self.unit);
        let approach = chaser.approach(foe.position, foe.radius)?;
        let is_crowded = self.view.around.touches_engaged;
        self.unit.memory.pressed = self.pressed(approach, is_crowded);
        Some(match approach {
            Approach::Stand => {
                self.unit.state = UnitState::Engaged;
                self.stand()
            }
            Approach::GoStraight => {
                self.unit.state = UnitState::Marching;
                let speed = self.speed();
                let mut to = layer.enter(foe.position);
                if is_crowded {
                    to = self.around_others(to);
                }
                self.straight_to(to, speed)
            }
        })
    }
}

impl Actor<'_> {
    /// Returns for how long a unit has looked for room in range: after half its patience it stands
    /// beside the others as long as these do.
    fn pressed(&self, approach: Approach, is_crowded: bool) -> u32 {
        let patience = self.step.patience;
        let pressed = self.unit.memory.pressed;
        match approach {
            Approach::Stand if is_crowded && pressed > patience.whole => pressed,
            Approach::GoStraight if is_crowded => {
                pressed.saturating_add(patience.step.saturating_mul(2))
            }
            Approach::GoStraight if pressed <= patience.whole => pressed,
            _ => 0,
        }
    }

    /// Returns a point beside a unit on the arc around its quarry, for one that comes upon others
    /// which stand there in range: to the side on which it has room.
    fn around_others(&self, quarry: Vector) -> Vector {
        let position = self.here.position;
        let toward = unit_toward(position, quarry);
        let right = right_of(toward);
        let room = dot(self.view.around.separation, right);
        let is_right = room > 0.0 || room == 0.0 && self.unit.id.is_multiple_of(2);
        let aside = times(right, if is_right { 1.0 } else { -1.0 });
        sum(position, sum(aside, times(toward, INWARD)))
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
            is_blocked: patience.is_halted(unit) || unit.memory.pressed > patience.whole,
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
