//! Errands before a step: who sees whom, who is reached, and who gives up.

use super::Army;
use crate::steer::groups::{Charge, Chase, Errand, Group, News, Target};
use crate::steer::motion::{Foe, Foes, SLACK};
use crate::steer::reading::is_in_view;
use crate::steer::units::{Unit, UnitState};
use crate::vector::{Vector, distance, sum, times};
use crate::world::FlowWorld;

/// How much farther than the range a quarry must be to have got away.
const OFF: f32 = 1.0;
/// Ticks between two looks of a unit for foes.
pub(super) const LOOK_EVERY: u32 = 8;

impl Army {
    /// Brings the errands of all groups up to date with the places of the units.
    pub(super) fn run_errands(&mut self, world: &FlowWorld) {
        let groups = self.groups.all();
        let on_errands = (0..groups.len()).filter(|&at| groups[at].errand.is_some());
        let on_errands: Vec<usize> = on_errands.collect();
        if on_errands.is_empty() {
            return;
        }
        let mut foes = std::mem::take(&mut self.scratch.foes);
        foes.gather(self.groups.all(), self.roster.units());
        for at in on_errands {
            let Some(mut errand) = self.groups.all_mut()[at].errand.take() else {
                continue;
            };
            let group = &self.groups.all()[at];
            match group.target {
                Target::Pursue(quarry, chase) => {
                    self.follow_up(group, &mut errand, quarry, &chase, world);
                }
                Target::AttackMove(_, chase) => {
                    self.look_for_foes(group, &mut errand, &chase, &foes, world);
                }
                Target::Flee { from, safe } => {
                    let has_members = group.members.len() > 0;
                    let is_safe = has_members && self.threat(group, from, safe).is_none();
                    errand.news = is_safe.then_some(News::Escaped);
                }
                _ => {}
            }
            let charging: Vec<u32> = errand.charges.keys().copied().collect();
            self.groups.all_mut()[at].errand = Some(errand);
            for id in charging {
                if self
                    .roster
                    .get(id)
                    .is_some_and(|unit| unit.state == UnitState::Arrived)
                    && let Some(unit) = self.roster.get_mut(id)
                {
                    unit.state = UnitState::Marching;
                }
            }
        }
        self.scratch.foes = foes;
    }

    /// Notes whether a pursuit has reached its quarry, or has lost it.
    fn follow_up(
        &self,
        group: &Group,
        errand: &mut Errand,
        id: u32,
        chase: &Chase,
        world: &FlowWorld,
    ) {
        if group.members.len() == 0 {
            return;
        }
        let home = *errand.home.get_or_insert_with(|| self.middle(group));
        let quarry = self.roster.get(id);
        let Some(quarry) = quarry.filter(|one| distance(one.position, home) <= chase.leash) else {
            errand.news = Some(News::Lost(id));
            return;
        };
        let slack = if errand.has_reached { OFF } else { SLACK };
        let is_there = |unit: &Unit| {
            unit.id != id
                && unit.state == UnitState::Marching
                && gap(unit, quarry.position, quarry.radius) <= chase.range + slack
                && is_in_view(world, unit.position, quarry.position)
        };
        let reached = self.members_of(group).any(is_there);
        let is_new = reached && !errand.has_reached;
        errand.news = is_new.then_some(News::Reached(id));
        errand.has_reached = reached;
    }

    /// Lets units that see a foe leave the march, and those that are done take it up again.
    fn look_for_foes(
        &self,
        group: &Group,
        errand: &mut Errand,
        chase: &Chase,
        foes: &Foes,
        world: &FlowWorld,
    ) {
        let is_seen = |unit: &Unit, foe: &Unit| {
            self.is_foe(group, foe) && is_in_view(world, unit.position, foe.position)
        };
        errand.charges.retain(|&id, charge| {
            let foe = self.roster.get(charge.foe);
            let unit = self.roster.get(id).filter(|_| group.members.contains(id));
            let (Some(foe), Some(unit)) = (foe, unit) else {
                return false;
            };
            (charge.place, charge.radius) = (foe.position, foe.radius);
            distance(foe.position, charge.from) <= chase.leash && is_seen(unit, foe)
        });
        let enemies = group.allegiance.foes;
        if !foes.are_any(enemies) {
            return;
        }
        let is_turn = |id: &u32| self.tick.wrapping_add(*id).is_multiple_of(LOOK_EVERY);
        for id in group.members.iter().filter(is_turn) {
            if errand.charges.contains_key(&id) {
                continue;
            }
            let unit = self.roster.get(id);
            let Some(unit) = unit.filter(|unit| unit.state != UnitState::Unreachable) else {
                continue;
            };
            let from = unit.position;
            let is_seen = |foe: &Foe| is_in_view(world, from, foe.position);
            if let Some(foe) = foes.nearest(enemies, from, chase.sight, is_seen) {
                let charge = Charge {
                    foe: foe.id,
                    from,
                    place: foe.position,
                    radius: foe.radius,
                };
                errand.charges.insert(id, charge);
            }
        }
    }

    /// Returns the unit from which a group flees, if it is not yet far enough away.
    pub(super) fn threat(&self, group: &Group, from: Option<u32>, safe: f32) -> Option<&Unit> {
        let middle = self.middle(group);
        let is_near = |unit: &&Unit| distance(unit.position, middle) < safe;
        match from {
            Some(id) => self.roster.get(id).filter(is_near),
            None => {
                let [low, high] = [-safe, safe].map(|off| middle.map(|at| at + off));
                let mut nearest: Option<(f32, &Unit)> = None;
                self.finder.visit(&self.roster, low, high, |unit| {
                    let far = distance(unit.position, middle);
                    let is_nearer = nearest.is_none_or(|(least, other)| {
                        far < least || far == least && unit.id < other.id
                    });
                    if far < safe && is_nearer && self.is_foe(group, unit) {
                        nearest = Some((far, unit));
                    }
                });
                nearest.map(|(_, unit)| unit)
            }
        }
    }

    fn is_foe(&self, group: &Group, unit: &Unit) -> bool {
        let other = &self.groups.all()[unit.group.index()];
        group.allegiance.foes.has(other.allegiance.team)
    }

    pub(super) fn members_of<'a>(&'a self, group: &'a Group) -> impl Iterator<Item = &'a Unit> {
        group.members.iter().filter_map(|id| self.roster.get(id))
    }

    /// Returns the mean of the units' positions.
    pub(crate) fn middle(&self, group: &Group) -> Vector {
        let part = 1.0 / group.members.len() as f32;
        let add = |middle, unit: &Unit| sum(middle, times(unit.position, part));
        self.members_of(group).fold([0.0; 2], add)
    }
}

/// The gap between two bodies.
pub(super) fn gap(unit: &Unit, place: Vector, radius: f32) -> f32 {
    distance(unit.position, place) - unit.radius - radius
}
