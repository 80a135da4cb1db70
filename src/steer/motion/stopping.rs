//! Gives units places as they come near their goal, and lets pairs on their way swap them.

use std::collections::{BTreeMap, BTreeSet};

use super::arrival::NEAR;
use super::step::Step;
use super::survey::{GroupGoal, Survey};
use crate::cost::LayerId;
use crate::grid::Cell;
use crate::kernel::STRAIGHT;
use crate::steer::formation::{Given, Rows, Site, are_alike, matched, places, relax, swap};
use crate::steer::groups::{Group, GroupSettings, Target};
use crate::steer::reading::{LOOK, sees};
use crate::steer::units::{Stop, Unit, UnitState};
use crate::steer::walls::is_clear_on;
use crate::vector::{NONE, Vector, cell_of, difference, distance, dot, greater, sum, times, unit};

/// Turns between two rounds of swaps.
const SWAPS: u32 = 4;
/// How deep a place may lie in units that stand there, in cells: they do not stand quite on
/// theirs.
const SLACK: f32 = 0.1;

/// A unit that is to get a place, or has one.
struct Walker {
    id: u32,
    group: usize,
    position: Vector,
    radius: f32,
}

/// A point around which units stop, and those that are to get places there.
struct Crowd {
    goal: Vector,
    /// None of a point.
    cell: Option<Cell>,
    walkers: Vec<Walker>,
}

impl Step<'_> {
    /// Gives places to the units that go to goals which the first of them comes near. Returns
    /// whether there are any.
    pub(super) fn give_places(&mut self, survey: &Survey) -> bool {
        let asking = self.asking(survey);
        let asks = |at: usize| asking.contains(&survey.goals[at].key);
        let mut given: BTreeMap<u32, Given> = BTreeMap::new();
        let mut crowds: BTreeMap<(u32, Option<Cell>), Crowd> = BTreeMap::new();
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
                let crowd = crowds.entry((goal.key, cell)).or_insert_with(|| Crowd {
                    goal: goal_point,
                    cell,
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
        for ((key, _), crowd) in crowds {
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
        for unit in self.roster.stirring() {
            let at = unit.group.index();
            let goal = survey.goals[at];
            if unit.state == UnitState::Marching
                && unit.memory.stop == Stop::Unknown
                && has_places(&groups[at])
                && !asking.contains(&goal.key)
                && self.is_near(unit, at, goal, survey.tally(goal).disc() + NEAR)
            {
                asking.insert(goal.key);
            }
        }
        asking
    }

    fn is_near(&self, unit: &Unit, at: usize, goal: GroupGoal, within: f32) -> bool {
        let group = &self.groups.all()[at];
        let here = self.layers[at].enter(unit.position);
        match group.target.order() {
            Some(order) if goal.has_several_ends => {
                let within = within as u64 * u64::from(STRAIGHT);
                let left = || self.world.cost_to_go(order, cell_of(here));
                self.clock.turn(unit.id).is_every(LOOK) && left().is_some_and(|left| left <= within)
            }
            _ => {
                let way = difference(group.point(), here);
                dot(way, way) <= within * within
            }
        }
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

    /// Gives places around a goal to units on one layer after those on another, the widest first.
    fn give_places_to(&mut self, mut crowd: Crowd, given: &mut Given) {
        let groups = self.groups.all();
        let rank = |walker: &Walker| groups[walker.group].settings.rank;
        let kind = |walker: &Walker| {
            let settings = &groups[walker.group].settings;
            (settings.rank, settings.layer, settings.planes)
        };
        let mut rows = self.rows(&crowd);
        let mut kinds: BTreeMap<_, Vec<Walker>> = BTreeMap::new();
        for walker in crowd.walkers.drain(..) {
            kinds.entry(kind(&walker)).or_default().push(walker);
        }
        let widest = |walkers: &[Walker]| walkers.iter().map(|one| one.radius).fold(0.0, greater);
        let mut kinds: Vec<Vec<Walker>> = kinds.into_values().collect();
        kinds.sort_by(|one, two| {
            let is_wider = widest(two).total_cmp(&widest(one));
            rank(&one[0]).cmp(&rank(&two[0])).then(is_wider)
        });
        let mut stops: Vec<(u32, Stop, Vector)> = Vec::new();
        for mut walkers in kinds {
            let largest = widest(&walkers);
            let squares = walkers.iter().map(|one| one.radius * one.radius);
            // On a grid for units of the mean size, as many have room as are here.
            let mean = (squares.sum::<f32>() / walkers.len() as f32).sqrt();
            let radius = if rows.is_some() { largest } else { mean };
            let site = UnitSite {
                step: self,
                given,
                group: walkers[0].group,
                radius,
            };
            let mut found = match &mut rows {
                Some(rows) => rows.places(radius, walkers.len(), &site),
                None => places(crowd.goal, radius, walkers.len(), &site),
            };
            if found.len() < walkers.len() {
                let away = |walker: &Walker| distance(walker.position, crowd.goal);
                walkers.sort_by(|one, two| away(one).total_cmp(&away(two)));
            }
            let beside = walkers.split_off(found.len());
            let at: Vec<Vector> = walkers.iter().map(|walker| walker.position).collect();
            found = matched(&at, &found)
                .into_iter()
                .map(|place| found[place])
                .collect();
            let are_mixed = walkers.iter().any(|one| !are_alike(largest, one.radius));
            if rows.is_none() && are_mixed {
                let radii: Vec<f32> = walkers.iter().map(|walker| walker.radius).collect();
                relax(&mut found, &radii, |at, place| {
                    let radius = radii[at];
                    UnitSite { radius, ..site }.is_clear(place)
                });
            }
            for (walker, place) in walkers.iter().zip(found) {
                given.add(place, walker.radius);
                stops.push((walker.id, Stop::Own, place));
            }
            let beside = beside.iter();
            stops.extend(beside.map(|walker| (walker.id, Stop::Beside, crowd.goal)));
        }
        for (id, stop, place) in stops {
            if let Some(unit) = self.roster.get_mut(id) {
                (unit.memory.stop, unit.memory.place) = (stop, place);
                let first = groups[unit.group.index()].goal();
                unit.memory.end = crowd.cell.filter(|&cell| first != Some(cell));
            }
        }
    }

    /// Returns the rows in which units of several ranks stop: none if all have the same.
    fn rows(&self, crowd: &Crowd) -> Option<Rows> {
        let groups = self.groups.all();
        let ranks = crowd
            .walkers
            .iter()
            .map(|one| groups[one.group].settings.rank);
        let (least, most) = (ranks.clone().min()?, ranks.max()?);
        if least == most {
            return None;
        }
        let share = 1.0 / crowd.walkers.len() as f32;
        let stand = crowd
            .walkers
            .iter()
            .map(|walker| times(walker.position, share));
        let way = unit(difference(crowd.goal, stand.fold(NONE, sum)));
        let heading = if way == NONE { [1.0, 0.0] } else { way };
        let radii = crowd.walkers.iter().map(|walker| walker.radius);
        Some(Rows::around(crowd.goal, heading, radii))
    }

    /// Lets pairs of units on their way swap places, and takes places back on which a wall was
    /// built.
    pub(super) fn swap_places(&mut self, survey: &Survey) {
        let groups = self.groups.all();
        let is_turn = |goal: &GroupGoal| self.clock.turn(goal.key).is_every(SWAPS);
        if !survey.goals.iter().any(is_turn) {
            return;
        }
        let mut walkers: BTreeMap<(u32, u8, LayerId), Vec<&Unit>> = BTreeMap::new();
        for unit in self.roster.stirring() {
            if unit.memory.stop == Stop::Own && unit.state == UnitState::Marching {
                let at = unit.group.index();
                let goal = survey.goals[at];
                if is_turn(&goal) {
                    let GroupSettings { rank, layer, .. } = groups[at].settings;
                    let alike = walkers.entry((goal.key, rank, layer)).or_default();
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
    group.target.is_stop() && group.march.is_none() && group.settings.planes > 0
}

/// The ground for the units of a group that are of one radius.
#[derive(Clone, Copy)]
struct UnitSite<'s, 'a> {
    step: &'s Step<'a>,
    given: &'s Given,
    group: usize,
    radius: f32,
}

impl Site for UnitSite<'_, '_> {
    fn is_clear(&self, place: Vector) -> bool {
        let layer = &self.step.layers[self.group];
        is_clear_on(layer.ground, layer.enter(place), layer.radius(self.radius))
    }

    fn sees(&self, from: Vector, to: Vector) -> bool {
        let layer = &self.step.layers[self.group];
        let [from, to] = [from, to].map(|place| layer.enter(place));
        sees(layer.ground, from, to, layer.radius(self.radius))
    }

    fn is_free(&self, place: Vector) -> bool {
        let groups = self.step.groups.all();
        let planes = groups[self.group].settings.planes;
        let stands = |unit: &Unit| {
            let group = &groups[unit.group.index()];
            let stands = unit.state == UnitState::Arrived || group.target.stands();
            stands && group.settings.planes & planes > 0
        };
        let (finder, roster) = (&self.step.finder, &self.step.roster);
        self.given.leave_room(place, self.radius)
            && finder.is_alone(roster, place, self.radius - SLACK, stands)
    }
}
