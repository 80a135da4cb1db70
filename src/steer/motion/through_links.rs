//! Units that enter links: after a step, those at the entry of one go on at its end.
//!
//! A unit keeps its place in the cell, its velocity and its target. It is never put into a
//! wall: at the edge of an entry it walks on toward the middle, until it fits at the end.
//! If another unit stands there, it waits, and others queue behind it; one that has waited
//! for long comes out at a free place beside the end. Where none is free either, it goes
//! anyway after still longer, and makes itself room.

use super::patience::{LEVEL_LAST, LEVEL_RIGHT};
use super::step::Step;
use crate::cost::LinkId;
use crate::steer::reading::{Lookahead, sees};
use crate::steer::units::{ArmyEvent, Unit, UnitState};
use crate::steer::walls::is_clear_on;
use crate::vector::{Vector, sum, times};
use crate::world::Sample;

/// Where a unit looks for a free place around the end of a link: in these directions, on
/// `RINGS` rings. From ring to ring it is `APART` times the unit's radius.
const AROUND: [Vector; 8] = [
    [1.0, 0.0],
    [0.0, 1.0],
    [-1.0, 0.0],
    [0.0, -1.0],
    [0.7, 0.7],
    [-0.7, 0.7],
    [-0.7, -0.7],
    [0.7, -0.7],
];
const RINGS: u8 = 4;
const APART: f32 = 2.1;

impl Step<'_> {
    /// Moves the units at entries of links to the ends.
    pub(super) fn enter_links(&mut self) {
        if self.seconds <= 0.0 || self.world.inspect().links().next().is_none() {
            return;
        }
        let units = self.roster.stirring();
        let ids: Vec<u32> = units
            .filter(|unit| unit.state == UnitState::Marching)
            .map(|unit| unit.id)
            .collect();
        for id in ids {
            let Some((unit, link)) = self.beyond_link(id) else {
                continue;
            };
            // A formation does not go through together: each of its units goes by itself.
            let group = self.groups.get(unit.group);
            if group.is_ok_and(|group| group.march.is_some())
                && let Ok(group) = self.groups.get_mut(unit.group)
            {
                group.march = None;
            }
            if let Some(known) = self.roster.get_mut(id) {
                *known = unit;
                self.finder.loosen(&unit);
                self.events.push(ArmyEvent::Entered { unit: id, link });
            }
        }
    }

    /// Returns a unit as it comes out of the link that it enters, if it does.
    fn beyond_link(&self, id: u32) -> Option<(Unit, LinkId)> {
        let unit = self.roster.get(id)?;
        let group = self.groups.get(unit.group).ok()?;
        let order = group.order()?;
        let layer = &self.layers[unit.group.index()];
        let entry = layer.anchor(unit.position);
        let Sample::Link(link) = self.world.sample(order, entry) else {
            return None;
        };
        let end = self.world.link(link)?.end_of(entry)?;
        let way = [end.x - entry.x, end.y - entry.y].map(|cells| cells as f32);
        let position = [unit.position[0] + way[0], unit.position[1] + way[1]];
        if !is_clear_on(
            layer.ground,
            layer.enter(position),
            layer.radius(unit.radius),
        ) {
            return None;
        }
        let mut unit = *unit;
        unit.position = self.place_beyond(&unit, position)?;
        unit.memory.aim = Lookahead::none(layer.enter(unit.position));
        unit.memory.idle = 0;
        Some((unit, link))
    }

    /// Returns where a unit comes out of a link that leads it to `end`, if it does now.
    fn place_beyond(&self, unit: &Unit, end: Vector) -> Option<Vector> {
        let layer = &self.layers[unit.group.index()];
        let radius = layer.radius(unit.radius);
        let is_alone = |place: Vector| {
            let meets =
                |other: &Unit| other.id != unit.id && self.groups.meet(other.group, unit.group);
            self.finder.is_alone(self.roster, place, unit.radius, meets)
        };
        let level = self.patience.level(unit);
        if is_alone(end) || level == LEVEL_LAST {
            return Some(end);
        }
        if level < LEVEL_RIGHT {
            return None;
        }
        let rings = (1..=RINGS).map(|ring| f32::from(ring) * APART * unit.radius);
        let mut places = rings.flat_map(|far| AROUND.map(|way| sum(end, times(way, far))));
        places.find(|&place| {
            let [from, to] = [end, place].map(|place| layer.enter(place));
            is_clear_on(layer.ground, to, radius)
                && sees(layer.ground, from, to, radius)
                && is_alone(place)
        })
    }
}
