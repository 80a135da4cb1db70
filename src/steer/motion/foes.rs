//! Where the foes are, for units that look for them.
//!
//! Before a step in which a group attacks on the move, the units of the teams that
//! it takes for foes are sorted by place, each team by itself. So a look does not
//! visit the looker's own army, and an army without foes does not search. The
//! places are those before the step, also of units that were just added. A game that
//! asks for foes between two steps has them sorted by the places after it.
//!
//! A look takes the largest window up to the sight with few foes in it, and goes
//! outward from there until the nearest foe in view is found.

use crate::cost::{MAX_TEAMS, Teams};
use crate::steer::groups::Group;
use crate::steer::neighbours::Index;
use crate::steer::units::Unit;
use crate::vector::{Vector, difference, dot, greater, lesser};

const SIDE: f32 = 4.0;
/// At most this many foes are tested one by one.
const FEW: usize = 32;
/// Foes are sought in a window that is a little wider than the distance, so that rounding loses
/// none: by this factor, and by this many cells.
const WIDER: f32 = 1.001;
const WIDER_BY: f32 = 0.1;

/// A unit as those see it that take it for a foe.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Foe {
    pub(super) position: Vector,
    pub(super) radius: f32,
    pub(crate) id: u32,
}

/// The units of the teams that are sought, team by team.
#[derive(Debug, Default)]
pub(crate) struct Foes {
    sought: Teams,
    teams: [FoeTeam; MAX_TEAMS as usize],
}

/// The units of one team, in the order of their index.
#[derive(Debug, Default)]
struct FoeTeam {
    index: Index,
    foes: Vec<Foe>,
    /// The corners of a rectangle around all of them.
    low: Vector,
    high: Vector,
    unsorted: Vec<Foe>,
}

impl Foes {
    /// Sorts the units that the groups that look take for foes.
    pub(crate) fn gather(
        &mut self,
        groups: &[Group],
        units: &[Unit],
        looks: impl Fn(&Group) -> bool,
    ) {
        let looking = groups.iter().filter(|group| looks(group));
        let wanted = looking.fold(0, |all, group| all | group.settings.foes.bits());
        let wanted = Teams::from_bits(wanted);
        let with_units = groups.iter().filter(|group| group.members.len() > 0);
        let present = with_units.fold(Teams::NONE, |all, group| all.with(group.settings.team));
        self.sought = present.shared(wanted);
        if self.sought == Teams::NONE {
            return;
        }
        for team in &mut self.teams {
            team.unsorted.clear();
        }
        for unit in units {
            let team = groups[unit.group.index()].settings.team;
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

    pub(super) const fn are_any(&self, teams: Teams) -> bool {
        self.sought.shared(teams).bits() != 0
    }

    /// Returns the nearest unit of these teams within `sight` of a point that `is_seen`. Of
    /// several at one distance it is the one with the lowest id.
    pub(crate) fn nearest(
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
        // What is no farther than this, as a square, was tested.
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
            // What was not tested is at least as far away as the reach.
            if reach >= sight || best.is_some_and(|(far, _)| far < reach) {
                return best.map(|(_, foe)| foe);
            }
            tested = square_reach;
            reach = lesser(reach * 2.0, sight);
        }
    }

    /// Returns how many units of these teams are within reach of a point, or not much farther.
    fn count(&self, teams: Teams, point: Vector, reach: f32) -> usize {
        self.around(teams, point, reach).map(<[Foe]>::len).sum()
    }

    /// Returns all units of these teams within reach of a point, and some around.
    fn around(&self, teams: Teams, point: Vector, reach: f32) -> impl Iterator<Item = &[Foe]> {
        let window = reach * WIDER + WIDER_BY;
        let low = point.map(|at| at - window);
        let high = point.map(|at| at + window);
        let teams = teams.members().map(|team| &self.teams[usize::from(team)]);
        // Most units of an army are far from its foes.
        let near = teams.filter(move |team| {
            let is_near =
                |axis: usize| low[axis] <= team.high[axis] && team.low[axis] <= high[axis];
            is_near(0) && is_near(1)
        });
        near.flat_map(move |team| {
            let low = [0, 1].map(|axis| greater(low[axis], team.low[axis]));
            let high = [0, 1].map(|axis| lesser(high[axis], team.high[axis]));
            let spans = team.index.between(low, high);
            spans.map(|span| &team.foes[span])
        })
    }
}

impl FoeTeam {
    fn sort(&mut self) {
        self.index.sort(&self.unsorted, |foe| foe.position, SIDE);
        let corner = |of: fn(f32, f32) -> f32, none: f32| {
            let all = self.unsorted.iter().map(|foe| foe.position);
            all.fold([none; 2], |known, at| {
                [0, 1].map(|axis| of(known[axis], at[axis]))
            })
        };
        (self.low, self.high) = (corner(lesser, f32::MAX), corner(greater, f32::MIN));
        self.foes.clear();
        let order = self.index.order().iter();
        self.foes
            .extend(order.map(|&place| self.unsorted[place as usize]));
    }
}
