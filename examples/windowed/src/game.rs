//! The game itself, without a window: a world, an army, and what a player can do to them.

use std::collections::BTreeSet;

use flowtiles::steer::{Army, GroupId, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal};

use crate::Outcome;
use crate::camera::Point;

/// Seconds of the game in a step.
pub const STEP: f32 = 1.0 / 20.0;
/// The size of the map, in cells.
pub const MAP: [u32; 2] = [300, 200];
/// The work of the world in a step, in cells: about 40 µs.
const WORK: u64 = 4_000;

/// The world, the army, and the units that are selected.
pub struct Game {
    pub world: FlowWorld,
    pub army: Army,
    pub selected: BTreeSet<u32>,
    /// Where the units were before the last step, in the army's order.
    before: Vec<Point>,
}

/// Three walls with gaps, a field of rough ground and some rocks.
fn map() -> Outcome<CostMap> {
    let mut map = CostMap::open(MAP[0], MAP[1])?;
    map.edit(CellRect::new(130, 20, 60, 50), Cost::new(4)?)?;
    for wall in [(100, 0, 2, 200), (102, 100, 120, 2), (222, 60, 2, 140)] {
        map.edit(CellRect::new(wall.0, wall.1, wall.2, wall.3), Cost::WALL)?;
    }
    for gap in [
        (100, 40, 2, 8),
        (100, 144, 2, 8),
        (160, 100, 8, 2),
        (222, 120, 2, 6),
    ] {
        map.edit(CellRect::new(gap.0, gap.1, gap.2, gap.3), Cost::OPEN)?;
    }
    for rock in 0..40 {
        let (x, y) = (110 + rock * 71 % 185, 5 + rock * 37 % 190);
        map.edit(CellRect::new(x, y, 3, 2), Cost::WALL)?;
    }
    Ok(map)
}

impl Game {
    /// Three bands of a hundred units in the west of the map.
    pub fn new() -> Outcome<Self> {
        let world = FlowWorld::new(map()?);
        let mut army = Army::default();
        for id in 0..300 {
            let (band, place) = (id / 100, id % 100);
            if place == 0 {
                army.add_group(Target::Hold, Reading::Ahead)?;
            }
            let group = army.groups().last().ok_or("no group")?;
            let corner = [20.5, 62.5 + band as f32 * 30.0];
            let place = [place % 10, place / 10].map(|at| at as f32 * 1.2);
            let place = [corner[0] + place[0], corner[1] + place[1]];
            army.add(Unit::new(id, group, place).with_radius(0.4).with_speed(5.0))?;
        }
        army.put_out_of_walls(&world);
        let selected = BTreeSet::new();
        let before = army.units().iter().map(|unit| unit.position).collect();
        Ok(Self {
            world,
            army,
            selected,
            before,
        })
    }

    /// A step of fixed length: the world's work within its budget, then the army's.
    pub fn step(&mut self) {
        self.before.clear();
        self.before
            .extend(self.army.units().iter().map(|unit| unit.position));
        self.world.tick(Budget::cells(WORK));
        self.army.step(&self.world, STEP);
        self.army.cover_strays(&mut self.world);
    }

    /// The units and where to draw them, `share` of the way from the step before the last to
    /// the last.
    pub fn drawn(&self, share: f32) -> impl Iterator<Item = (&Unit, Point)> {
        self.army
            .units()
            .iter()
            .zip(&self.before)
            .map(move |(unit, from)| {
                (
                    unit,
                    [0, 1].map(|axis| from[axis] + (unit.position[axis] - from[axis]) * share),
                )
            })
    }

    /// Selects the units in a rectangle, and under `and_before` those that were selected too.
    pub fn select(&mut self, corners: [Point; 2], and_before: bool) {
        if !and_before {
            self.selected.clear();
        }
        let units = self.army.units_in(corners[0], corners[1]);
        self.selected.extend(units.iter().map(|unit| unit.id));
    }

    /// Orders the selected units to a point, or to the nearest cell that they can reach; under
    /// `then`, once they are where they go now.
    pub fn send(&mut self, point: Point, then: bool) -> Outcome<()> {
        let Some(group) = self.group_of_selected()? else {
            return Ok(());
        };
        let goal = Goal::at(cell_at(point)).or_nearest();
        // A further leg begins where the one before ends.
        let mut from: Vec<Cell> = self.goals(group).last().into_iter().collect();
        if from.is_empty() || !then {
            from = self
                .army
                .members(group)
                .map(|unit| cell_at(unit.position))
                .collect();
        }
        let order = self.world.order(goal, &from)?;
        if then {
            self.army.queue(group, order)?;
        } else {
            self.army.send(group, order)?;
        }
        Ok(())
    }

    /// The group with exactly the selected units: one that there is, or a new one. Groups
    /// without units are removed.
    fn group_of_selected(&mut self) -> Outcome<Option<GroupId>> {
        let first = self.selected.first().and_then(|&id| self.army.get(id));
        let Some(group) = first.map(|unit| unit.group) else {
            return Ok(None);
        };
        let members = self.army.members(group).map(|unit| unit.id);
        if members.eq(self.selected.iter().copied()) {
            return Ok(Some(group));
        }
        let group = self.army.add_group(Target::Hold, Reading::Ahead)?;
        for &id in &self.selected {
            self.army.set_group(id, group)?;
        }
        let groups: Vec<GroupId> = self.army.groups().collect();
        for group in groups {
            if self.army.members(group).next().is_none() {
                self.army.remove_group(group)?;
            }
        }
        Ok(Some(group))
    }

    /// Where a group goes: the goal of its order, and those of the orders after it.
    pub fn goals(&self, group: GroupId) -> impl Iterator<Item = Cell> {
        let targets = self
            .army
            .target(group)
            .into_iter()
            .chain(self.army.queued(group));
        targets.filter_map(|target| match target {
            Target::Order(order) => Some(order.goal().cell()),
            _ => None,
        })
    }

    /// The groups of the selected units.
    pub fn selected_groups(&self) -> BTreeSet<GroupId> {
        let units = self.selected.iter().filter_map(|&id| self.army.get(id));
        units.map(|unit| unit.group).collect()
    }

    /// Draws a line of 3×3 cells of one cost, as far as it lies on the map. Orders on whose way
    /// it lies find another; units in a new wall are moved beside it.
    pub fn paint(&mut self, from: Point, to: Point, cost: Cost) -> Outcome<()> {
        let (from, to) = (cell_at(from), cell_at(to));
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let steps = dx.abs().max(dy.abs()).max(1);
        let map = CellRect::new(0, 0, MAP[0], MAP[1]);
        let edits = (0..=steps).map(|at| {
            let (x, y) = (from.x + dx * at / steps, from.y + dy * at / steps);
            (CellRect::new(x - 1, y - 1, 3, 3).intersection(map), cost)
        });
        let edits: Vec<_> = edits.filter(|(area, _)| !area.is_empty()).collect();
        self.world.edit_all(&edits)?;
        if cost.is_wall() {
            self.army.put_out_of_walls(&self.world);
        }
        Ok(())
    }

    /// The line in the title of the window.
    pub fn summary(&self) -> String {
        let count = |state| {
            self.army
                .units()
                .iter()
                .filter(|unit| unit.state == state)
                .count()
        };
        format!(
            "flowtiles: {} units, {} selected, {} marching, {} cut off  |  \
             drag: select, right click: send, W or E and drag: walls",
            self.army.units().len(),
            self.selected.len(),
            count(UnitState::Marching),
            count(UnitState::Unreachable),
        )
    }
}

/// The cell of the map that is nearest to a point.
fn cell_at(point: Point) -> Cell {
    let [x, y] = [0, 1].map(|axis| (point[axis].floor() as i32).clamp(0, MAP[axis] as i32 - 1));
    Cell::new(x, y)
}
