//! Units that enter links: after a step, those at the entry of one go on at its end.
//!
//! A unit keeps its place in the cell, its velocity and its target. It is never put into a
//! wall: at the edge of an entry it walks on toward the middle, until it fits at the end.
//! If another unit stands there, it waits, and others queue behind it; one that has waited
//! for long goes anyway, and makes itself room.

use super::step::Step;
use crate::cost::LinkId;
use crate::steer::reading::Lookahead;
use crate::steer::units::{ArmyEvent, Unit, UnitState};
use crate::steer::walls::is_clear_on;
use crate::world::Sample;

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
        let radius = layer.radius(unit.radius);
        let is_pressed = unit.memory.idle > self.settings.patience;
        let is_free = is_clear_on(layer.ground, layer.enter(position), radius)
            && (is_pressed
                || self
                    .finder
                    .is_alone(self.roster, position, unit.radius, |other| {
                        other.id != id && self.groups.meet(other.group, unit.group)
                    }));
        is_free.then(|| {
            let mut unit = *unit;
            unit.position = position;
            unit.memory.aim = Lookahead::none(layer.enter(position));
            unit.memory.idle = 0;
            (unit, link)
        })
    }
}
