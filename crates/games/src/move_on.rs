//! A step, and what it may make of each unit and group.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use flowtiles::steer::{ArmyEvent, Unit, UnitState};
use flowtiles::{Budget, Cell, CostMap, LayerId};
use flowtiles_scenes::walls::{cell_of, is_in_wall};

use crate::call::name;
use crate::model::Mark;
use crate::{Game, Kind};

/// The most that one round of pushes moves a unit.
const PUSH: f32 = 0.25;
/// Positions that are nearer to a border of cells belong to both: rounding decides.
const NEAR: f32 = 1e-3;

/// A unit before a step.
struct Before {
    position: [f32; 2],
    state: UnitState,
    layer: LayerId,
    is_clear: bool,
    /// Whether its layer had a ground of its own.
    is_derived: bool,
}

impl Game {
    /// Moves everything on by a tick and a step, and checks what has become of it.
    ///
    /// # Panics
    /// If something does not hold.
    pub fn step(&mut self, budget: u64, seconds: f32) {
        let before = self.look();
        let begin = Instant::now();
        self.waiting = self.world.tick(Budget::cells(budget)).waiting;
        self.army.step(&self.world, seconds);
        self.army.cover_strays(&mut self.world);
        self.took = begin.elapsed();
        self.steps += 1;
        assert!(self.army.units().is_sorted_by_key(|unit| unit.id));
        self.check_events(&before);
        self.check_ways(&before, seconds);
    }

    /// The ground of a layer; before an order first uses the layer, the plain ground.
    pub(crate) fn ground(&self, layer: LayerId) -> Ground<'_> {
        match (self.world.layer(layer), self.world.movement(layer)) {
            (Some(view), Some(movement)) => Ground {
                costs: view.costs(),
                size: movement.size(),
            },
            _ => Ground {
                costs: self.world.costs(),
                size: 1,
            },
        }
    }

    fn look(&self) -> BTreeMap<u32, Before> {
        let look = |unit: &Unit| {
            let layer = self.layer_of(unit.group);
            let before = Before {
                position: unit.position,
                state: unit.state,
                layer,
                is_clear: !self.ground(layer).is_hit(unit, NEAR),
                is_derived: self.world.layer(layer).is_some(),
            };
            (unit.id, before)
        };
        self.army.units().iter().map(look).collect()
    }

    /// Checks the events of a step: each says what has become of its unit or group, and
    /// comes once.
    fn check_events(&mut self, before: &BTreeMap<u32, Before>) {
        let (events, mut told, mut onward) = (self.army.events().to_vec(), BTreeSet::new(), 0);
        for &event in &events {
            self.note(&name(&event), 1);
            match event {
                ArmyEvent::Arrived { unit } => {
                    let plain = self.model.units.get_mut(&unit).expect("a unit");
                    // On an attack, a unit comes back from a chase.
                    let attacks =
                        matches!(self.model.groups[&plain.group].target, Mark::Attack(..));
                    assert!(!plain.has_arrived || attacks, "{unit} arrives twice");
                    plain.has_arrived = true;
                    told.insert(unit);
                }
                ArmyEvent::GroupArrived { group }
                    if matches!(self.model.group(group).target, Mark::Flee(_)) =>
                {
                    self.model.end_errand(group);
                    onward += 1;
                }
                ArmyEvent::Lost { group, unit } => {
                    assert_eq!(self.model.group(group).target, Mark::Pursue(unit));
                    self.model.end_errand(group);
                    onward += 1;
                }
                ArmyEvent::Reached { group, unit } => {
                    assert_eq!(self.model.group(group).target, Mark::Pursue(unit));
                }
                ArmyEvent::GroupArrived { group } => {
                    let plain = self.model.group(group);
                    assert!(!plain.announced, "{group} arrives twice");
                    plain.announced = true;
                    if let Some(next) = plain.next_target() {
                        self.model.aim(group, next);
                        onward += 1;
                    } else {
                        let is = |wanted| {
                            let mut members = self.army.members(group);
                            members.any(|unit| unit.state == wanted)
                        };
                        assert!(!is(UnitState::Marching) && is(UnitState::Arrived));
                    }
                }
                ArmyEvent::Unreachable { unit } => {
                    assert_ne!(before[&unit].state, UnitState::Unreachable, "{unit}");
                    told.insert(unit);
                }
                ArmyEvent::Stuck { unit, level } => {
                    assert!((1..=3).contains(&level) && before.contains_key(&unit));
                }
                ArmyEvent::TooWide { unit } => {
                    assert!(self.model.units[&unit].radius > 0.5);
                    assert!(events.contains(&ArmyEvent::Stuck { unit, level: 1 }));
                }
                ArmyEvent::Entered { unit, link } => {
                    assert!(self.links.contains(&link));
                    let group = self.model.units[&unit].group;
                    self.model.group(group).is_formed = false;
                }
                _ => panic!("another event: {event:?}"),
            }
        }
        self.note("onward", onward);
        let units = self.army.units().iter();
        for unit in units.filter(|unit| !told.contains(&unit.id)) {
            let was = before[&unit.id].state;
            let goes = matches!(unit.state, UnitState::Marching | UnitState::Engaged);
            let is_told = goes || unit.state == was;
            assert!(is_told || onward > 0, "{unit:?} was {was:?}");
        }
    }

    /// Checks where units have come: no farther than they can, and through no wall.
    fn check_ways(&self, before: &BTreeMap<u32, Before>, seconds: f32) {
        let is_odd = self.rules.kind == Kind::Odd;
        let pushed = PUSH * self.settings.pushes as f32;
        let entered: BTreeSet<u32> = self.army.events().iter().filter_map(entered).collect();
        for unit in self.army.units() {
            let was = &before[&unit.id];
            let ground = self.ground(was.layer);
            let numbers = [unit.position, unit.velocity];
            let mut numbers = numbers.iter().flatten();
            assert!(numbers.all(|at| at.is_finite()), "{unit:?}");
            if entered.contains(&unit.id) {
                assert!(!ground.is_hit(unit, -2.0 * NEAR), "{unit:?}");
                continue;
            }
            let [x, y] = [0, 1].map(|axis| unit.position[axis] - was.position[axis]);
            let most = unit.speed * 1.4 * seconds + pushed + 0.01;
            let from = was.position;
            assert!(is_odd || x.hypot(y) <= most, "{unit:?} was at {from:?}");
            if was.is_clear && was.is_derived == self.world.layer(was.layer).is_some() {
                assert!(
                    !ground.is_hit(unit, -2.0 * NEAR),
                    "a unit is in a wall of {}: {unit:?}, which was at {from:?}",
                    was.layer
                );
                let is_joined = is_odd || ground.joins(from, unit.position);
                assert!(is_joined, "through a wall: {unit:?} was at {from:?}");
            }
        }
    }
}

const fn entered(event: &ArmyEvent) -> Option<u32> {
    match *event {
        ArmyEvent::Entered { unit, .. } => Some(unit),
        _ => None,
    }
}

/// The ground of a layer, looked up cell by cell.
pub struct Ground<'w> {
    pub costs: &'w CostMap,
    size: u8,
}

impl Ground<'_> {
    fn is_open(&self, cell: Cell) -> bool {
        self.costs.get(cell).is_some_and(|cost| !cost.is_wall())
    }

    /// Where on the layer a position is.
    fn enter(&self, position: [f32; 2]) -> [f32; 2] {
        let is_even = self.size.is_multiple_of(2);
        position.map(|at| at - if is_even { 0.5 } else { 0.0 })
    }

    /// Whether a unit overlaps a wall of its layer, or would if it were wider by some slack.
    pub fn is_hit(&self, unit: &Unit, slack: f32) -> bool {
        let middle = self.enter(unit.position);
        let radius = (unit.radius - 0.5 * f32::from(self.size - 1)).max(0.0);
        let is_closed = |cell: &Cell| !self.is_open(*cell);
        cells_at(middle).iter().all(is_closed) || is_in_wall(self.costs, middle, radius + slack)
    }

    /// Whether two places are joined by open cells side by side, not far around.
    fn joins(&self, from: [f32; 2], to: [f32; 2]) -> bool {
        let [starts, ends] = [from, to].map(|at| cells_at(self.enter(at)));
        let (from, to) = (starts[0], ends[0]);
        let mut next = starts.to_vec();
        next.retain(|&cell| self.is_open(cell));
        let mut seen = BTreeSet::from_iter(next.iter().copied());
        let is_near = |cell: Cell| {
            let axes = [[from.x, to.x, cell.x], [from.y, to.y, cell.y]];
            let near =
                |[one, two, at]: [i32; 3]| (one.min(two) - 1..=one.max(two) + 2).contains(&at);
            axes.into_iter().all(near)
        };
        while let Some(Cell { x, y }) = next.pop() {
            for [x, y] in [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]] {
                let cell = Cell::new(x, y);
                if is_near(cell) && self.is_open(cell) && seen.insert(cell) {
                    next.push(cell);
                }
            }
        }
        ends.iter().any(|end| seen.contains(end))
    }
}

/// The cells of a place: several on a border.
fn cells_at([x, y]: [f32; 2]) -> [Cell; 4] {
    let near = [[-NEAR, -NEAR], [NEAR, -NEAR], [-NEAR, NEAR], [NEAR, NEAR]];
    near.map(|[dx, dy]| cell_of([x + dx, y + dy]))
}

#[cfg(test)]
mod tests {
    use flowtiles::Cost;
    use flowtiles::steer::GroupId;

    use super::*;

    #[test]
    fn walls_hit_units_and_part_places() {
        let mut costs = CostMap::open(20, 12).expect("a map");
        let wall = flowtiles::CellRect::new(5, 0, 1, 12);
        costs.edit(wall, Cost::WALL).expect("a wall");
        let ground = Ground {
            costs: &costs,
            size: 1,
        };
        let is_hit = |place| ground.is_hit(&Unit::new(0, GroupId::default(), place), NEAR);
        assert!(!is_hit([4.5, 5.5]));
        let hit = [[5.5, 5.5], [4.8, 5.5], [-0.5, 5.5], [4.5, 12.5]];
        assert!(hit.into_iter().all(is_hit));
        assert!(ground.joins([4.5, 5.5], [3.5, 6.5]));
        assert!(!ground.joins([4.5, 5.5], [6.5, 5.5]));
    }
}
