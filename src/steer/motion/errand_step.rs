//! Errands before a step: which units see a foe, reach it, or give up.

use std::collections::BTreeMap;

use super::errand_wish::{Chaser, SLACK};
use super::finder::Finder;
use super::foes::Foes;
use super::step::Step;
use crate::steer::groups::{Charge, Chase, Errand, Group, Groups, Target};
use crate::steer::reading::{LOOK, Turn, is_in_view};
use crate::steer::units::{Roster, Unit, UnitState};
use crate::vector::{distance, lesser};

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
                && unit.state == UnitState::Marching
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
            let is_turn = Turn::of(id, self.tick).is_every(LOOK);
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
