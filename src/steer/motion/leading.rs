//! What goes ahead of groups: the anchors of formations, and the trails of groups that keep
//! their width.

use std::collections::BTreeMap;

use super::step::Step;
use super::survey::GroupGoal;
use crate::kernel::STRAIGHT;
use crate::steer::formation::{Band, NO_SLOT};
use crate::steer::groups::{Group, GroupSettings};
use crate::steer::reading::Field;
use crate::steer::units::{Unit, UnitState};
use crate::vector::{cell_of, distance, greater, lesser};

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
        // Groups at one pace wait for each other.
        let mut shared: BTreeMap<u32, FormationProgress> = BTreeMap::new();
        let number = |group: &Group| group.settings.pace.number();
        for (group, band) in groups.iter().zip(&bands) {
            if let Some(number) = number(group).filter(|_| band.count > 0.0) {
                shared.entry(number).or_default().join(band);
            }
        }
        let groups = self.groups.all_mut().iter_mut();
        for (at, (group, band)) in groups.zip(bands).enumerate() {
            let all = number(group).and_then(|number| shared.get(&number));
            let band = all.copied().filter(|_| band.count > 0.0).unwrap_or(band);
            let layer = &self.layers[at];
            if let Some(march) = &mut group.march
                && let Some(order) = group.target.order()
                && band.count > 0.0
            {
                let field = Field::on(self.world, order, layer.ground);
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
            let field = Field::on(self.world, order, layer.ground);
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

/// How far behind the last of a rank the first of the next is to be, in cells, and by how much too
/// little it waits.
const BEHIND: f32 = 1.0;
const SLOWED: f32 = 4.0;
/// The least part of its speed at which a group waits.
const LEAST: f32 = 0.15;

/// How far behind the middle of its group one of the front may be before others go on without it, in
/// cells.
const LATE: f32 = 6.0;

/// How far the units of a group on their way still have to go.
#[derive(Clone, Copy)]
struct Remaining {
    cells: f32,
    units: f32,
    least: f32,
    most: f32,
    fastest: f32,
}

impl Remaining {
    const NONE: Self = Self {
        cells: 0.0,
        units: 0.0,
        least: f32::INFINITY,
        most: 0.0,
        fastest: 0.0,
    };

    fn take(&mut self, unit: &Unit, cells: f32) {
        self.cells += cells;
        self.units += 1.0;
        self.least = lesser(self.least, cells);
        self.most = greater(self.most, cells);
        self.fastest = greater(self.fastest, unit.speed);
    }

    /// How far the last has to go, but for those that are late.
    fn last(&self) -> f32 {
        lesser(self.most, self.cells / self.units + LATE)
    }
}

impl Step<'_> {
    /// Slows down groups that are ahead of others of lower rank on the way to the same goal.
    pub(super) fn wait_for_the_front(&self, goals: &[GroupGoal], tops: &mut [f32]) {
        let groups = self.groups.all();
        let rank = |at: usize| groups[at].settings.rank;
        if (0..groups.len()).all(|at| rank(at) == 0) {
            return;
        }
        let mut left = vec![Remaining::NONE; groups.len()];
        let on_way = |unit: &&Unit| unit.state == UnitState::Marching;
        for unit in self.roster.stirring().filter(on_way) {
            let at = unit.group.index();
            let here = self.layers[at].anchor(unit.position);
            let order = groups[at].target.order();
            let cost = order.and_then(|order| self.world.cost_to_go(order, here));
            if let Some(cost) = cost {
                left[at].take(unit, cost as f32 / STRAIGHT as f32);
            }
        }
        for at in (0..groups.len()).filter(|&at| left[at].units > 0.0) {
            let is_in_front = |&other: &usize| {
                goals[other].key == goals[at].key
                    && rank(other) < rank(at)
                    && left[other].units > 0.0
            };
            let in_front = (0..groups.len()).filter(is_in_front);
            let lasts = in_front.map(|other| left[other].last());
            let front = lasts.fold(0.0, greater);
            let lead = front + BEHIND - left[at].least;
            if front > 0.0 && lead > 0.0 {
                let part = greater(1.0 - lead / SLOWED, LEAST);
                tops[at] = lesser(tops[at], left[at].fastest * part);
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
    fn join(&mut self, other: &Self) {
        if self.count == 0.0 || other.speed < self.speed {
            self.speed = other.speed;
        }
        self.lag += other.lag;
        self.count += other.count;
    }

    fn take(&mut self, unit: &Unit, lag: f32) {
        self.join(&Self {
            lag,
            count: 1.0,
            speed: unit.speed,
        });
    }
}
