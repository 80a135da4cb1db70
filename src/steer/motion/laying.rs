//! Where the units of several groups would stop around one goal.

use std::collections::{BTreeMap, BTreeSet};

use super::finder::Finder;
use crate::steer::formation::{Given, Line, Rows, Site, are_alike, matched, places, relax};
use crate::steer::groups::Group;
use crate::steer::reading::sees;
use crate::steer::units::{GroupId, Roster, Unit, UnitState};
use crate::steer::walls::{GroupLayer, is_clear_on};
use crate::vector::{NONE, Vector, difference, distance, greater, mean, unit};

/// How deep a place may lie in units that stand there, in cells: they do not stand quite on
/// theirs.
const SLACK: f32 = 0.1;

/// The least part of its radius that a unit of several sizes has for itself at its place.
const ROOM: f32 = 0.75;

/// A unit that is to get a place.
pub(crate) struct Walker {
    pub(crate) id: u32,
    pub(crate) group: usize,
    pub(crate) position: Vector,
    pub(crate) radius: f32,
}

/// What places depend on, beside the goal.
#[derive(Clone, Copy)]
pub(crate) struct Layout<'a> {
    pub(crate) groups: &'a [Group],
    /// Of each group.
    pub(crate) layers: &'a [GroupLayer<'a>],
    pub(crate) roster: &'a Roster,
    pub(crate) finder: &'a Finder,
    /// Groups whose units will have left the places where they are.
    pub(crate) leaving: &'a [GroupId],
    /// The line on which they are to draw up.
    pub(crate) line: Option<Line>,
}

impl Layout<'_> {
    /// Returns a place around a goal for each unit, those of one rank after those of another, the
    /// widest first; none for one that stops beside others. Adds the places to those that were
    /// given.
    pub(crate) fn places(
        &self,
        goal: Vector,
        walkers: Vec<Walker>,
        given: &mut Given,
    ) -> Vec<(u32, Option<Vector>)> {
        let settings = |walker: &Walker| self.groups[walker.group].settings;
        let mut rows = self.rows(goal, &walkers);
        let among: BTreeSet<usize> = walkers.iter().map(|walker| walker.group).collect();
        let all = among.iter().map(|&at| self.groups[at].members.len());
        let are_all = all.sum::<usize>() == walkers.len();
        let mut kinds: BTreeMap<_, Vec<Walker>> = BTreeMap::new();
        for walker in walkers {
            let settings = settings(&walker);
            let kind = (settings.rank, settings.layer, settings.planes);
            kinds.entry(kind).or_default().push(walker);
        }
        let widest = |walkers: &[Walker]| walkers.iter().map(|one| one.radius).fold(0.0, greater);
        let mut kinds: Vec<Vec<Walker>> = kinds.into_values().collect();
        kinds.sort_by(|one, two| {
            let is_wider = widest(two).total_cmp(&widest(one));
            let rank = |walkers: &[Walker]| settings(&walkers[0]).rank;
            rank(one).cmp(&rank(two)).then(is_wider)
        });
        let mut stops = Vec::new();
        for mut walkers in kinds {
            let largest = widest(&walkers);
            let are_mixed = walkers.iter().any(|one| !are_alike(largest, one.radius));
            let squares = walkers.iter().map(|one| one.radius * one.radius);
            // On a grid for units of the mean size, as many have room as are here.
            let mean = (squares.sum::<f32>() / walkers.len() as f32).sqrt();
            let radius = if rows.is_some() { largest } else { mean };
            let site = UnitSite {
                layout: self,
                given,
                group: walkers[0].group,
                radius,
                widest: largest,
            };
            let mut found = match &mut rows {
                Some(rows) => rows.places(radius, walkers.len(), are_all, &site),
                None => places(goal, radius, walkers.len(), &site),
            };
            if found.len() < walkers.len() {
                let away = |walker: &Walker| distance(walker.position, goal);
                walkers.sort_by(|one, two| away(one).total_cmp(&away(two)));
            }
            let beside = walkers.split_off(found.len());
            let at: Vec<Vector> = walkers.iter().map(|walker| walker.position).collect();
            found = matched(&at, &found)
                .into_iter()
                .map(|place| found[place])
                .collect();
            if rows.is_none() && are_mixed {
                let radii: Vec<f32> = walkers.iter().map(|walker| walker.radius).collect();
                relax(&mut found, &radii, |at, place| {
                    let radius = radii[at];
                    UnitSite { radius, ..site }.is_clear(place) && given.leave_room(place, radius)
                });
            }
            let mut taken: Vec<(&Walker, Vector, bool)> = Vec::new();
            for (walker, place) in walkers.iter().zip(found) {
                let radius = walker.radius;
                let is_clear = !are_mixed || UnitSite { radius, ..site }.is_clear(place);
                taken.push((walker, place, is_clear));
            }
            taken.sort_by(|(one, ..), (two, ..)| two.radius.total_cmp(&one.radius));
            for (walker, place, is_clear) in taken {
                // In a narrow place not all could be moved apart.
                let has_room =
                    is_clear && (!are_mixed || given.leave_room(place, walker.radius * ROOM));
                if has_room {
                    given.add(place, walker.radius);
                }
                stops.push((walker.id, has_room.then_some(place)));
            }
            stops.extend(beside.iter().map(|walker| (walker.id, None)));
        }
        stops
    }

    /// Returns the rows in which units stop: on a line, or because they are of several ranks.
    fn rows(&self, goal: Vector, walkers: &[Walker]) -> Option<Rows> {
        let radii = walkers.iter().map(|walker| walker.radius);
        if let Some(line) = self.line {
            return Some(Rows::behind(goal, &line, radii));
        }
        let groups = walkers.iter().map(|one| &self.groups[one.group]);
        let ranks = groups.map(|group| group.settings.rank);
        let (least, most) = (ranks.clone().min()?, ranks.max()?);
        if least == most {
            return None;
        }
        let middle = mean(walkers.iter().map(|walker| walker.position))?;
        let way = unit(difference(goal, middle));
        let heading = if way == NONE { [1.0, 0.0] } else { way };
        Some(Rows::around(goal, heading, radii))
    }
}

/// The ground for the units of a group that are of one radius.
#[derive(Clone, Copy)]
struct UnitSite<'a> {
    layout: &'a Layout<'a>,
    given: &'a Given,
    group: usize,
    radius: f32,
    /// The radius of the widest, which any of the places may get.
    widest: f32,
}

impl Site for UnitSite<'_> {
    fn is_clear(&self, place: Vector) -> bool {
        let layer = &self.layout.layers[self.group];
        is_clear_on(layer.ground, layer.enter(place), layer.radius(self.radius))
    }

    fn sees(&self, from: Vector, to: Vector) -> bool {
        let layer = &self.layout.layers[self.group];
        let [from, to] = [from, to].map(|place| layer.enter(place));
        sees(layer.ground, from, to, layer.radius(self.radius))
    }

    fn is_free(&self, place: Vector) -> bool {
        let Layout {
            groups,
            roster,
            finder,
            leaving,
            ..
        } = *self.layout;
        let planes = groups[self.group].settings.planes;
        let stands = |unit: &Unit| {
            let group = &groups[unit.group.index()];
            let stands = unit.state == UnitState::Arrived || group.target.stands();
            stands && group.settings.planes & planes > 0 && !leaving.contains(&unit.group)
        };
        self.given.leave_room(place, self.widest)
            && finder.is_alone(roster, place, self.widest - SLACK, stands)
    }
}
