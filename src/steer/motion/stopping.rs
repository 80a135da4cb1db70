//! Gives units places as they come near their goal, and lets pairs on their way swap them.

use std::collections::{BTreeMap, BTreeSet};

use super::arrival::NEAR;
use super::laying::{Layout, Walker};
use super::step::Step;
use super::survey::{GroupGoal, Survey};
use crate::cost::LayerId;
use crate::grid::Cell;
use crate::kernel::STRAIGHT;
use crate::order::Order;
use crate::steer::formation::{Given, Line, are_alike, swap};
use crate::steer::groups::{Group, GroupSettings, Target};
use crate::steer::reading::LOOK;
use crate::steer::units::{Stop, Unit, UnitState};
use crate::steer::walls::{GroupLayer, is_clear_on};
use crate::vector::{Vector, cell_of, difference, dot, greater};

/// Turns between two rounds of swaps.
const SWAPS: u32 = 4;

/// A point around which units stop, and those that are to get places there.
struct Crowd {
    goal: Vector,
    /// None of a point.
    cell: Option<Cell>,
    line: Option<Line>,
    walkers: Vec<Walker>,
}

/// The surroundings of a goal, in which units that come there get places.
struct Near<'a> {
    layer: &'a GroupLayer<'a>,
    point: Vector,
    within: f32,
    /// The order, if it may lead units to different cells: then the way there counts.
    order: Option<&'a Order>,
}

impl Step<'_> {
    /// Gives places to the units that go to goals which the first of them comes near. Returns
    /// whether there are any.
    pub(super) fn give_places(&mut self, survey: &Survey) -> bool {
        let asking = self.asking(survey);
        let asks = |at: usize| asking.contains(&survey.goals[at].key);
        let mut given: BTreeMap<u32, Given> = BTreeMap::new();
        let mut crowds: BTreeMap<(u32, Option<Cell>, LineBits), Crowd> = BTreeMap::new();
        if asking.is_empty() {
            return false;
        }
        let groups = self.groups.all().iter().enumerate();
        for (at, group) in groups.filter(|&(at, group)| asks(at) && has_places(group)) {
            let goal = survey.goals[at];
            let mut ends = BTreeMap::new();
            let members = self.roster.of(&group.members);
            for unit in members.filter(|unit| unit.state != UnitState::Arrived) {
                if unit.memory.stop == Stop::Own {
                    let given = given.entry(goal.key).or_default();
                    given.add(unit.memory.place, unit.radius);
                }
                if unit.memory.stop != Stop::Unknown || unit.state != UnitState::Marching {
                    continue;
                }
                let here = self.layers[at].anchor(unit.position);
                let end = *ends
                    .entry(here)
                    .or_insert_with(|| self.end_of(at, goal, here));
                let Some((goal_point, cell)) = end else {
                    continue;
                };
                let line = group.line;
                let key = (goal.key, cell, line_bits(line));
                let crowd = crowds.entry(key).or_insert_with(|| Crowd {
                    goal: goal_point,
                    cell,
                    line,
                    walkers: Vec::new(),
                });
                crowd.walkers.push(Walker {
                    id: unit.id,
                    group: at,
                    position: unit.position,
                    radius: unit.radius,
                });
            }
        }
        for ((key, ..), crowd) in crowds {
            let given = given.entry(key).or_default();
            self.give_places_to(crowd, given);
        }
        true
    }

    /// Returns the numbers of the goals that a unit without a place comes near.
    fn asking(&self, survey: &Survey) -> BTreeSet<u32> {
        let mut asking = BTreeSet::new();
        let groups = self.groups.all();
        if !groups.iter().any(has_places) {
            return asking;
        }
        let nears: Vec<Option<Near>> = (0..groups.len())
            .map(|at| self.near_goal(survey, at))
            .collect();
        for unit in self.roster.stirring() {
            let at = unit.group.index();
            if unit.state == UnitState::Marching
                && unit.memory.stop == Stop::Unknown
                && !asking.contains(&survey.goals[at].key)
                && let Some(near) = &nears[at]
                && self.is_near(unit, near)
            {
                asking.insert(survey.goals[at].key);
            }
        }
        asking
    }

    /// Returns where units of a group are near their goal, if they get places there.
    fn near_goal(&self, survey: &Survey, at: usize) -> Option<Near<'_>> {
        let (group, goal) = (&self.groups.all()[at], survey.goals[at]);
        let line = group.line.map_or(0.0, |line| line.width());
        let extent = greater(survey.tally(goal).disc(), 0.5 * line);
        has_places(group).then(|| Near {
            layer: &self.layers[at],
            point: group.point(),
            within: extent + NEAR,
            order: group.target.order().filter(|_| goal.has_several_ends),
        })
    }

    fn is_near(&self, unit: &Unit, near: &Near<'_>) -> bool {
        let here = near.layer.enter(unit.position);
        if let Some(order) = near.order {
            let within = near.within as u64 * u64::from(STRAIGHT);
            let left = || self.world.cost_to_go(order, cell_of(here));
            return self.clock.turn(unit.id).is_every(LOOK)
                && left().is_some_and(|left| left <= within);
        }
        let way = difference(near.point, here);
        dot(way, way) <= near.within * near.within
    }

    /// Returns the point at which a way from a cell ends, and the goal cell there; none if that is
    /// not known.
    fn end_of(&self, at: usize, goal: GroupGoal, here: Cell) -> Option<(Vector, Option<Cell>)> {
        let group = &self.groups.all()[at];
        let cell = match &group.target {
            Target::Point(point) => return Some((*point, None)),
            target if goal.has_several_ends => self.world.destination(target.order()?, here)?,
            _ => goal.only?,
        };
        Some((self.layers[at].leave(cell.centre()), Some(cell)))
    }

    fn give_places_to(&mut self, crowd: Crowd, given: &mut Given) {
        let groups = self.groups.all();
        let layout = Layout {
            groups,
            layers: self.layers,
            roster: self.roster,
            finder: self.finder,
            leaving: &[],
            line: crowd.line,
        };
        for (id, place) in layout.places(crowd.goal, crowd.walkers, given) {
            let Some(unit) = self.roster.get_mut(id) else {
                continue;
            };
            (unit.memory.stop, unit.memory.place) = match place {
                Some(place) => (Stop::Own, place),
                None => (Stop::Beside, crowd.goal),
            };
            let first = groups[unit.group.index()].goal();
            unit.memory.end = crowd.cell.filter(|&cell| first != Some(cell));
        }
    }

    /// Lets pairs of units on their way swap places, and takes places back on which a wall was
    /// built.
    pub(super) fn swap_places(&mut self, survey: &Survey) {
        let groups = self.groups.all();
        let is_turn = |goal: &GroupGoal| self.clock.turn(goal.key).is_every(SWAPS);
        if !survey.goals.iter().any(is_turn) {
            return;
        }
        let mut walkers: BTreeMap<(u32, u8, LayerId, LineBits), Vec<&Unit>> = BTreeMap::new();
        for unit in self.roster.stirring() {
            if unit.memory.stop == Stop::Own && unit.state == UnitState::Marching {
                let at = unit.group.index();
                let goal = survey.goals[at];
                if is_turn(&goal) {
                    let GroupSettings { rank, layer, .. } = groups[at].settings;
                    let line = line_bits(groups[at].line);
                    let alike = walkers.entry((goal.key, rank, layer, line)).or_default();
                    alike.push(unit);
                }
            }
        }
        let mut changed: Vec<(u32, Stop, Vector)> = Vec::new();
        for units in walkers.values_mut() {
            units.sort_by(|one, two| two.radius.total_cmp(&one.radius));
            let mut first = 0;
            while let Some(largest) = units.get(first) {
                let alike = units[first..]
                    .iter()
                    .take_while(|unit| are_alike(largest.radius, unit.radius));
                let alike: Vec<&Unit> = alike.copied().collect();
                first += alike.len();
                let at: Vec<Vector> = alike.iter().map(|unit| unit.position).collect();
                let mut to: Vec<Vector> = alike.iter().map(|unit| unit.memory.place).collect();
                swap(&at, &mut to);
                for (unit, place) in alike.into_iter().zip(to) {
                    let layer = &self.layers[unit.group.index()];
                    if !is_clear_on(layer.ground, layer.enter(place), layer.radius(unit.radius)) {
                        changed.push((unit.id, Stop::Unknown, unit.position));
                    } else if place != unit.memory.place {
                        changed.push((unit.id, Stop::Own, place));
                    }
                }
            }
        }
        for (id, stop, place) in changed {
            if let Some(unit) = self.roster.get_mut(id) {
                (unit.memory.stop, unit.memory.place) = (stop, place);
            }
        }
    }
}

/// Whether the units of a group each stop at a place of their own.
fn has_places(group: &Group) -> bool {
    group.target.is_stop() && group.has_places()
}

/// By which lines are told apart and sorted.
type LineBits = Option<[[u32; 2]; 2]>;

fn line_bits(line: Option<Line>) -> LineBits {
    line.map(|line| [line.left, line.right].map(|end| end.map(f32::to_bits)))
}
