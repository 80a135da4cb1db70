//! What goes ahead of groups: the anchors of formations, and the trails of groups that keep
//! their width.

use super::step::Step;
use super::survey::GroupGoal;
use crate::steer::formation::{Band, NO_SLOT};
use crate::steer::groups::{Group, GroupSettings};
use crate::steer::reading::Field;
use crate::steer::units::{Unit, UnitState};
use crate::vector::{cell_of, distance, lesser};

impl Step<'_> {
    /// Gives slots to the units that have joined formations, by id.
    fn place_joiners(&mut self) {
        let mut joiners: Vec<(u32, u32)> = self
            .roster
            .stirring()
            .filter(|unit| unit.memory.slot == NO_SLOT)
            .map(|unit| (unit.group.index, unit.id))
            .collect();
        joiners.sort_unstable();
        for joiners in joiners.chunk_by(|one, two| one.0 == two.0) {
            let group = &mut self.groups.all_mut()[joiners[0].0 as usize];
            let Some(march) = &mut group.march else {
                continue;
            };
            let roster = &mut *self.roster;
            let members = group.members.iter().filter_map(|id| roster.get(id));
            let mut free = march.free_slots(members.map(|unit| unit.memory.slot));
            for &(_, id) in joiners {
                if let Some(unit) = roster.get_mut(id) {
                    unit.memory.slot = free.take();
                }
            }
        }
    }

    pub(super) fn move_anchors(&mut self, goals: &[GroupGoal], tops: &[f32]) {
        let groups = self.groups.all();
        if groups.iter().all(|group| group.march.is_none()) {
            return;
        }
        self.place_joiners();
        let groups = self.groups.all();
        let mut bands = vec![FormationProgress::default(); groups.len()];
        for unit in self.roster.stirring() {
            if unit.state == UnitState::Marching
                && let Some(march) = &groups[unit.group.index()].march
            {
                let layer = &self.layers[unit.group.index()];
                let radius = layer.radius(unit.radius);
                let position = march.position_of(layer.ground, unit.memory.slot, radius);
                let here = layer.enter(unit.position);
                bands[unit.group.index()].take(unit, distance(position, here));
            }
        }
        let groups = self.groups.all_mut().iter_mut();
        for (at, (group, band)) in groups.zip(bands).enumerate() {
            let layer = &self.layers[at];
            if let Some(march) = &mut group.march
                && let Some(order) = group.target.order()
                && band.count > 0.0
            {
                let field = Field {
                    world: self.world,
                    order,
                    ground: layer.ground,
                };
                let lag = band.lag / band.count;
                let far = lesser(band.speed, tops[at]) * self.seconds;
                let goal = if goals[at].has_several_ends {
                    self.world.destination(order, cell_of(march.anchor))
                } else {
                    goals[at].only
                };
                march.step(&field, goal, lag, far, (self.seconds, self.clock));
            }
        }
    }

    pub(super) fn lay_trails(&mut self) {
        for (group, layer) in self.groups.all_mut().iter_mut().zip(self.layers) {
            let order = group.order().cloned();
            let Group {
                settings:
                    GroupSettings {
                        keeps_width: true, ..
                    },
                trail,
                march: None,
                members,
                ..
            } = group
            else {
                continue;
            };
            let Some(order) = &order else {
                continue;
            };
            let ground = layer.ground;
            let field = Field {
                world: self.world,
                order,
                ground,
            };
            let band = Band {
                field,
                layer,
                roster: self.roster,
                members,
            };
            for (id, slot) in trail.step(&band, self.clock) {
                if let Some(unit) = self.roster.get_mut(id) {
                    unit.memory.slot = slot;
                }
            }
        }
    }
}

/// The marching units of a formation: the sum of their distances from their
/// places, their number, and the speed of the slowest.
#[derive(Clone, Copy, Default)]
struct FormationProgress {
    lag: f32,
    count: f32,
    speed: f32,
}

impl FormationProgress {
    fn take(&mut self, unit: &Unit, lag: f32) {
        if self.count == 0.0 || unit.speed < self.speed {
            self.speed = unit.speed;
        }
        self.lag += lag;
        self.count += 1.0;
    }
}
