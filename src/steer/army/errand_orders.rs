//! The orders that an army makes by itself, for groups that pursue or flee.

use super::Army;
use crate::grid::{Cell, CellRect};
use crate::order::Goal;
use crate::steer::groups::{Group, Target};
use crate::steer::motion::threat;
use crate::steer::reading::CHECK;
use crate::steer::units::{GroupId, UnitState};
use crate::steer::walls::GroupLayer;
use crate::vector::{Vector, cell_of, sum, times};
use crate::world::FlowWorld;

/// The directions in which a group looks for a refuge, and the parts of the safe distance.
const AROUND: [Vector; 8] = [
    [1.0, 0.0],
    [0.7, 0.7],
    [0.0, 1.0],
    [-0.7, 0.7],
    [-1.0, 0.0],
    [-0.7, -0.7],
    [0.0, -1.0],
    [0.7, -0.7],
];
const OUT: [f32; 2] = [1.0, 0.5];
/// What counts for the travel time of a threat that cannot come at all.
const FAR_OFF: u64 = 1 << 60;
const REFUGE_MAX: f32 = 64.0;

impl Army {
    /// Makes, re-aims and drops the orders of groups that pursue or flee.
    pub(super) fn order_errands(&mut self, world: &mut FlowWorld) {
        let ids: Vec<GroupId> = self.groups.ids().collect();
        for id in ids {
            let Ok(group) = self.groups.get(id) else {
                continue;
            };
            // For a refuge, and for an order that was refused.
            let is_turn = self.clock.turn(id.index).is_every(CHECK);
            let has_order = group.order().is_some();
            let goal = match group.target {
                Target::Pursue(quarry, _) if has_order || is_turn || self.is_new(group) => {
                    self.cell_of_quarry(world, group, quarry)
                }
                Target::Flee { from, safe } if is_turn || self.is_new(group) => {
                    self.refuge(world, group, from, safe)
                }
                _ => None,
            };
            if let Some(goal) = goal {
                self.aim_errand(world, id, goal);
            }
        }
    }

    /// Whether a group has had no step on its errand.
    fn is_new(&self, group: &Group) -> bool {
        let errand = group.errand.as_ref();
        errand.is_some_and(|errand| errand.order.is_none() && errand.home.is_none())
    }

    fn aim_errand(&mut self, world: &mut FlowWorld, id: GroupId, goal: Cell) {
        let Ok(group) = self.groups.get(id) else {
            return;
        };
        let layer = group.settings.layer;
        let pursues = matches!(group.target, Target::Pursue(..));
        let units = self.cells_of(world, group);
        let middle = self.roster.middle_of(&group.members);
        let place = || Goal::at(goal).or_nearest().on(layer);
        let Ok(group) = self.groups.get_mut(id) else {
            return;
        };
        let Some(errand) = group.errand.as_mut() else {
            return;
        };
        errand.home.get_or_insert(middle);
        // What the world refuses is tried again.
        match &mut errand.order {
            Some(order) if pursues => {
                if world.aim_at_moving(order, goal, &units) == Ok(true) {
                    self.retry_unreachable(id);
                }
            }
            Some(order) if order.goal().cell() == goal => {}
            Some(order) => drop(world.aim(order, place(), &units)),
            none => *none = world.order(place(), &units).ok(),
        }
    }

    /// Makes the units of a group that could not reach their quarry set out again.
    fn retry_unreachable(&mut self, id: GroupId) {
        let Ok(group) = self.groups.get(id) else {
            return;
        };
        for unit in group.members.iter() {
            if let Some(unit) = self.roster.get_mut_in(unit, UnitState::Unreachable) {
                unit.set_out(UnitState::Marching);
            }
        }
    }

    /// Returns the anchors of a group's units that are on the map.
    pub(super) fn cells_of(&self, world: &FlowWorld, group: &Group) -> Vec<Cell> {
        let layer = GroupLayer::of(world, group.settings.layer);
        let map = world.costs().area();
        self.roster
            .of(&group.members)
            .map(|unit| layer.anchor(unit.position))
            .filter(|&cell| map.contains(cell))
            .collect()
    }

    fn cell_of_quarry(&self, world: &FlowWorld, group: &Group, quarry: u32) -> Option<Cell> {
        let unit = self.roster.get(quarry)?;
        let layer = GroupLayer::of(world, group.settings.layer);
        Some(nearest_in(
            world.costs().area(),
            layer.anchor(unit.position),
        ))
    }

    /// Returns the cell to which a group flees: one that it reaches before what it flees
    /// from, as far from that as possible.
    fn refuge(
        &self,
        world: &FlowWorld,
        group: &Group,
        from: Option<u32>,
        safe: f32,
    ) -> Option<Cell> {
        let threat = threat(&self.roster, &self.groups, &self.finder, group, from, safe)?;
        let map = world.costs().area();
        let layer = GroupLayer::of(world, group.settings.layer);
        let middle = self.roster.middle_of(&group.members);
        let near = |place: Vector| nearest_in(map, cell_of(layer.enter(place)));
        let home = near(middle);
        let here = self
            .cells_of(world, group)
            .into_iter()
            .min_by_key(|cell| (home.x.abs_diff(cell.x) + home.y.abs_diff(cell.y), *cell))?;
        let Some(view) = world.layer(group.settings.layer) else {
            // The first order derives the layer.
            return Some(here);
        };
        let there = near(threat.position);
        let far = if safe < REFUGE_MAX { safe } else { REFUGE_MAX };
        let places = OUT.iter().flat_map(|&part| {
            AROUND
                .iter()
                .map(move |&way| near(sum(middle, times(way, far * part))))
        });
        // Where the group comes first, the farther from the threat the better; where it does
        // not, the less behind.
        let slowest = self
            .roster
            .of(&group.members)
            .map(|unit| pace(unit.speed))
            .min()?;
        let rank = |cell: Cell| {
            // Both times the speeds of both: the order of the travel times.
            let own = view.travel_cost(here, cell)?;
            let own = own.saturating_mul(pace(threat.speed)).min(FAR_OFF);
            let theirs = view
                .travel_cost(there, cell)
                .map_or(FAR_OFF, |cost| cost.saturating_mul(slowest).min(FAR_OFF));
            let comes_first = own < theirs;
            let good = if comes_first {
                theirs
            } else {
                FAR_OFF - (own - theirs)
            };
            Some((comes_first, good))
        };
        // Of several of the same rank the first.
        places
            .filter_map(|cell| Some((rank(cell)?, cell)))
            .reduce(|best, other| if other.0 > best.0 { other } else { best })
            .map(|(_, cell)| cell)
    }
}

/// Returns a speed in 16ths of a cell a second, at least one.
fn pace(speed: f32) -> u64 {
    // A cast takes what is too large for the largest.
    ((speed * 16.0) as u32).max(1).into()
}

fn nearest_in(area: CellRect, cell: Cell) -> Cell {
    let [right, bottom] = [area.width, area.height].map(|side| side as i32 - 1);
    Cell::new(cell.x.clamp(0, right), cell.y.clamp(0, bottom))
}
