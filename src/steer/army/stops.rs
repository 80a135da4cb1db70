//! What a game asks about the places where units stop.

use std::collections::BTreeSet;

use super::Army;
use crate::grid::Cell;
use crate::steer::formation::{Given, Line};
use crate::steer::groups::Target;
use crate::steer::motion::{Layout, Walker};
use crate::steer::units::{GroupId, Stop};
use crate::steer::walls::GroupLayer;
use crate::vector::cell_of;
use crate::world::FlowWorld;

/// Places where units stop.
impl Army {
    /// Returns where a unit is to stop, as far as that is known now: at the place that it
    /// [holds](Target::Hold), or at its place around the goal once its group comes near that;
    /// before, at the point or the goal of its group's target. It may stop beside it, next to
    /// others. `None` if its target is no place.
    #[must_use]
    pub fn stop_of(&self, id: u32) -> Option<[f32; 2]> {
        let unit = self.roster.get(id)?;
        let group = &self.groups.all()[unit.group.index()];
        match &group.target {
            Target::Hold => Some(unit.memory.place),
            _ if unit.memory.stop == Stop::Own => Some(unit.memory.place),
            Target::Point(point) => Some(*point),
            Target::Order(order) | Target::AttackMove(order, _) => {
                let cell = unit.memory.end.unwrap_or_else(|| order.goal().cell());
                Some(cell.centre())
            }
            _ => None,
        }
    }

    /// Returns where the units of groups would stop if they were sent to a cell now, with the id of
    /// each: for ghosts under the mouse. If they cannot reach it, the nearest that they can reach
    /// counts. With a line, which is taken instead of the cell, where they would [draw
    /// up](Self::draw_up); nowhere on one that this would refuse. A unit that is not among them would
    /// stop beside others, or has its place in a formation.
    ///
    /// By the time they come there, other units may stand there, or fewer, and pairs may have
    /// swapped their places: [`stop_of`](Self::stop_of) knows them then.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Target, Unit};
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    ///
    /// let world = FlowWorld::new(CostMap::open(60, 40)?);
    /// let mut army = Army::default();
    /// let men = army.add_group(Target::Hold, Reading::Ahead)?;
    /// for id in 0..7 {
    ///     army.add(Unit::new(id, men, [5.5 + id as f32, 10.5]))?;
    /// }
    /// let ghosts = army.ghosts(&world, &[men], Cell::new(50, 20), None);
    /// assert_eq!(ghosts.len(), 7);
    /// let away = |place: [f32; 2]| (place[0] - 50.5).hypot(place[1] - 20.5);
    /// assert!(ghosts.iter().all(|&(_, place)| away(place) < 0.7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ghosts(
        &self,
        world: &FlowWorld,
        groups: &[GroupId],
        goal: Cell,
        line: Option<Line>,
    ) -> Vec<(u32, [f32; 2])> {
        if line.is_some_and(|line| line.check().is_err()) {
            return Vec::new();
        }
        let all = self.groups.all();
        let layers: Vec<GroupLayer<'_>> = all
            .iter()
            .map(|group| GroupLayer::of(world, group.settings.layer))
            .collect();
        let layout = Layout {
            groups: all,
            layers: &layers,
            roster: &self.roster,
            finder: &self.finder,
            leaving: groups,
            line,
        };
        let named: BTreeSet<GroupId> = groups.iter().copied().collect();
        let stops = |&group: &GroupId| {
            let found = self.groups.get(group);
            found.is_ok_and(|found| found.has_places() || line.is_some())
        };
        let members = named.into_iter().filter(stops);
        let members = members.flat_map(|group| self.members(group));
        let walkers: Vec<Walker> = members
            .map(|unit| Walker {
                id: unit.id,
                group: unit.group.index(),
                position: unit.position,
                radius: unit.radius,
            })
            .collect();
        let Some(first) = walkers.first() else {
            return Vec::new();
        };
        let layer = &layers[first.group];
        let goal = line.map_or(goal, |line| cell_of(line.middle()));
        let goal = layer.nearest(layer.anchor(first.position), goal);
        let places = layout.places(layer.leave(goal.centre()), walkers, &mut Given::default());
        let places = places.into_iter();
        places
            .filter_map(|(id, place)| Some((id, place?)))
            .collect()
    }
}
