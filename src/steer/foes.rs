//! Where the foes are, for units that look for them.
//!
//! Before a step in which a group attacks on the move, the units of the teams that
//! it takes for foes are sorted by place, each team by itself. So a look does not
//! visit the looker's own army, and an army without foes does not look at all. The
//! places are those before the step, also of units that were just added.
//!
//! A look takes the largest window up to the sight with few foes in it, and goes
//! outward from there until the nearest foe in view is found.

use super::group::{Group, Target};
use super::index::Index;
use super::unit::Unit;
use crate::cost::{MAX_TEAMS, Teams};
use crate::vector::{Vector, difference, dot, lesser};

/// The side of the buckets, in cells.
const SIDE: f32 = 4.0;
/// At most this many foes are tested one by one.
const FEW: usize = 32;
/// Foes are sought in a window that is a little wider than the distance, so that rounding loses
/// none: by this factor, and by this many cells.
const WIDER: f32 = 1.001;
const WIDER_BY: f32 = 0.1;

/// A unit as those see it that take it for a foe.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Foe {
    pub(super) position: Vector,
    pub(super) radius: f32,
    pub(super) id: u32,
}

/// The units of the teams that are sought, team by team.
#[derive(Debug, Default)]
pub(super) struct Foes {
    sought: Teams,
    teams: [FoeTeam; MAX_TEAMS as usize],
}

/// The units of one team, in the order of their index.
#[derive(Debug, Default)]
struct FoeTeam {
    index: Index,
    foes: Vec<Foe>,
    unsorted: Vec<Foe>,
}

impl Foes {
    /// Sorts the units that any group looks for.
    pub(super) fn gather(&mut self, groups: &[Group], units: &[Unit]) {
        let with_units = || groups.iter().filter(|group| group.members.len() > 0);
        let attackers = with_units().filter(|group| matches!(group.target, Target::AttackMove(..)));
        let wanted = attackers.fold(0, |all, group| all | group.allegiance.foes.bits());
        if wanted == 0 {
            self.sought = Teams::NONE;
            return;
        }
        let present = with_units().fold(Teams::NONE, |all, group| all.with(group.allegiance.team));
        self.sought = present.shared(Teams::from_bits(wanted));
        if self.sought == Teams::NONE {
            return;
        }
        for team in &mut self.teams {
            team.unsorted.clear();
        }
        for unit in units {
            let team = groups[unit.group.index()].allegiance.team;
            if self.sought.has(team) {
                self.teams[usize::from(team)].unsorted.push(Foe {
                    position: unit.position,
                    radius: unit.radius,
                    id: unit.id,
                });
            }
        }
        for team in self.sought.members() {
            self.teams[usize::from(team)].sort();
        }
    }

    /// Whether there is a unit of one of these teams.
    pub(super) const fn are_any(&self, teams: Teams) -> bool {
        self.sought.shared(teams).bits() != 0
    }

    /// Returns the nearest unit of these teams within `sight` of a point that `is_seen`. Of
    /// several at one distance it is the one with the lowest id.
    pub(super) fn nearest(
        &self,
        teams: Teams,
        point: Vector,
        sight: f32,
        is_seen: impl Fn(&Foe) -> bool,
    ) -> Option<Foe> {
        let teams = self.sought.shared(teams);
        let mut reach = sight;
        while reach > SIDE && self.count(teams, point, reach) > FEW {
            reach *= 0.5;
        }
        let mut best: Option<(f32, Foe)> = None;
        // Whoever is no farther than this, as a square, was tested.
        let mut tested = -1.0;
        loop {
            let square_reach = reach * reach;
            for foe in self.around(teams, point, reach).flatten() {
                let way = difference(foe.position, point);
                let square = dot(way, way);
                if square <= tested || square > square_reach {
                    continue;
                }
                // Two squares may have one root.
                let far = square.sqrt();
                let is_nearer = best
                    .is_none_or(|(least, other)| far < least || far == least && foe.id < other.id);
                if is_nearer && is_seen(foe) {
                    best = Some((far, *foe));
                }
            }
            // Whoever was not tested is at least as far away as the reach.
            if reach >= sight || best.is_some_and(|(far, _)| far < reach) {
                return best.map(|(_, foe)| foe);
            }
            tested = square_reach;
            reach = lesser(reach * 2.0, sight);
        }
    }

    /// Returns how many units of these teams are within reach of a point, or not much farther.
    fn count(&self, teams: Teams, point: Vector, reach: f32) -> usize {
        let around = self.around(teams, point, reach);
        around.map(<[Foe]>::len).sum()
    }

    /// Returns all units of these teams within reach of a point, and some around.
    fn around(&self, teams: Teams, point: Vector, reach: f32) -> impl Iterator<Item = &[Foe]> {
        let window = reach * WIDER + WIDER_BY;
        let low = point.map(|at| at - window);
        let high = point.map(|at| at + window);
        teams.members().flat_map(move |team| {
            let FoeTeam { index, foes, .. } = &self.teams[usize::from(team)];
            index.between(low, high).map(|span| &foes[span])
        })
    }
}

impl FoeTeam {
    fn sort(&mut self) {
        let positions = self.unsorted.iter().map(|foe| foe.position);
        self.index.sort(positions, SIDE);
        let order = self.index.order().iter();
        self.foes.clear();
        self.foes
            .extend(order.map(|&place| self.unsorted[place as usize]));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::army::Army;
    use super::super::chase::Chase;
    use super::super::errand::Charge;
    use super::super::errand_step::{LOOK_EVERY, is_in_view};
    use super::super::group_id::GroupId;
    use super::super::reading::Reading;

    use super::super::unit::UnitState;
    use super::*;
    use crate::budget::Budget;
    use crate::cost::{Cost, CostMap};
    use crate::draws::draws;
    use crate::grid::{Cell, CellRect};
    use crate::vector::distance;
    use crate::world::FlowWorld;

    /// Returns the charges of a group after its looks, each of which asks for all units in
    /// sight.
    fn charges_by_lists(army: &Army, group: &Group, world: &FlowWorld) -> BTreeMap<u32, Charge> {
        let Target::AttackMove(_, chase) = group.target else {
            return BTreeMap::new();
        };
        let groups = army.groups.all();
        let is_seen = |unit: &Unit, foe: &Unit| {
            let team = groups[unit.group.index()].allegiance.foes;
            team.has(groups[foe.group.index()].allegiance.team)
                && is_in_view(world, unit.position, foe.position)
        };
        let mut charges = group.errand.as_ref().unwrap().charges.clone();
        charges.retain(|&id, charge| {
            let unit = army.get(id).filter(|_| group.members.contains(id));
            let (Some(foe), Some(unit)) = (army.get(charge.foe), unit) else {
                return false;
            };
            (charge.place, charge.radius) = (foe.position, foe.radius);
            distance(foe.position, charge.from) <= chase.leash && is_seen(unit, foe)
        });
        for unit in army.members_of(group) {
            let is_turn = army.tick.wrapping_add(unit.id).is_multiple_of(LOOK_EVERY);
            if !is_turn || unit.state == UnitState::Unreachable || charges.contains_key(&unit.id) {
                continue;
            }
            let far = |foe: &Unit| distance(foe.position, unit.position);
            let near = army.units_within(unit.position, chase.sight).into_iter();
            let seen = near.filter(|foe| is_seen(unit, foe));
            if let Some(foe) = seen.min_by(|one, two| far(one).total_cmp(&far(two))) {
                let charge = Charge {
                    foe: foe.id,
                    from: unit.position,
                    place: foe.position,
                    radius: foe.radius,
                };
                charges.insert(unit.id, charge);
            }
        }
        charges
    }

    /// Returns the unit from which a group flees from all foes, by a look at all units.
    fn threat_by_lists(army: &Army, group: &Group, safe: f32) -> Option<u32> {
        let middle = army.middle(group);
        let far = |unit: &&Unit| distance(unit.position, middle);
        let foes = army.roster.by_id().filter(|unit| {
            let other = &army.groups.all()[unit.group.index()];
            far(unit) < safe && group.allegiance.foes.has(other.allegiance.team)
        });
        foes.min_by(|one, two| far(one).total_cmp(&far(two)))
            .map(|unit| unit.id)
    }

    /// Units are added at whole places, many at one, so that many are equally far away.
    #[test]
    fn a_look_finds_whom_a_list_of_all_units_in_sight_would_find() {
        let (mut charged, mut ended) = (0, 0);
        for seed in 0..6 {
            let mut below = draws(seed);
            let mut map = CostMap::open(90, 50).unwrap();
            for _ in 0..seed * 8 {
                let [x, y] = [below(85), below(45)].map(|at| at as i32);
                map.edit(CellRect::new(x, y, 1 + below(4), 1 + below(4)), Cost::WALL)
                    .unwrap();
            }
            map.edit(CellRect::new(0, 20, 90, 4), Cost::OPEN).unwrap();
            let mut world = FlowWorld::new(map);
            let mut army = Army::default();
            let groups: Vec<GroupId> = (0..5)
                .map(|_| army.add_group(Target::Stand, Reading::Ahead).unwrap())
                .collect();
            let mut next = 0;
            for tick in 0..160 {
                let group = groups[below(5) as usize];
                match below(12) {
                    // Once many at a time, more than are tested one by one.
                    0..4 => {
                        let many = if tick == 40 { 400 } else { below(9) };
                        for _ in 0..many {
                            let place = [below(90), below(50)].map(|at| at as f32 + 0.5);
                            let id = next * 7_919 % 10_007;
                            let radius = 0.3 + below(3) as f32 * 0.1;
                            army.add(Unit::new(id, group, place).with_radius(radius))
                                .unwrap();
                            next += 1;
                        }
                    }
                    4..6 => {
                        let foes = Teams::from_bits(below(256) as u8);
                        army.set_team(group, below(4) as u8, foes).unwrap();
                    }
                    6..9 => {
                        let goal = Cell::new(below(90) as i32, 20 + below(4) as i32);
                        let order = world.order(goal, &[Cell::new(5, 22)]).unwrap();
                        let sight = [0.0, 3.0, 10.0, 25.0, 1e6][below(5) as usize];
                        let leash = [4.0, 24.0, 200.0][below(3) as usize];
                        let chase = Chase::default().with_sight(sight).with_leash(leash);
                        army.send(group, Target::AttackMove(order, chase)).unwrap();
                    }
                    9 => {
                        let safe = below(30) as f32;
                        army.send(group, Target::Flee { from: None, safe }).unwrap();
                    }
                    10 => {
                        let ids: Vec<u32> = army.units().iter().map(|unit| unit.id).collect();
                        for id in ids {
                            let place = [below(90), below(50)].map(|at| at as f32 + 0.5);
                            match below(12) {
                                0 => drop(army.remove(id)),
                                1 => army.set_position(id, place).unwrap(),
                                2 => army.set_group(id, group).unwrap(),
                                _ => {}
                            }
                        }
                    }
                    _ => {}
                }
                world.tick(Budget::UNLIMITED);
                let mut after = army.clone();
                after.run_errands(&world);
                for (before, after) in army.groups.all().iter().zip(after.groups.all()) {
                    let wanted = charges_by_lists(&army, before, &world);
                    let found = after.errand.as_ref().map(|errand| &errand.charges);
                    assert_eq!(*found.unwrap_or(&BTreeMap::new()), wanted);
                    charged += wanted.len();
                    let had = before
                        .errand
                        .iter()
                        .flat_map(|errand| errand.charges.keys());
                    ended += had.filter(|id| !wanted.contains_key(id)).count();
                    if let Target::Flee { from, safe } = before.target {
                        let threat = army.threat(before, from, safe).map(|unit| unit.id);
                        assert_eq!(threat, threat_by_lists(&army, before, safe));
                    }
                }
                army.step(&world, 0.1);
                army.cover_strays(&mut world);
            }
        }
        assert!(charged > 5_000 && ended > 200, "{charged} and {ended}");
    }
}
