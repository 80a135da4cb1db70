//! The game itself, without a window: a world, an army, and what a player can do to them.

use std::collections::BTreeSet;

use flowtiles::steer::{Army, Chase, GroupId, GroupSettings, Reading, Target, Unit, UnitState};
use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal, Teams};

use crate::Outcome;
use crate::camera::Point;

/// Seconds of the game in a step.
pub const STEP: f32 = 1.0 / 20.0;
/// The size of the map, in cells.
pub const MAP: [u32; 2] = [300, 200];
/// The work of the world in a step, in cells: about 40 µs.
const WORK: u64 = 4_000;
/// Units of a team, at first: of team 0, the player's, then of team 1.
const TEAM: u32 = 200;
/// From how near a foe strikes, in each step, and how many strikes fell a unit.
const REACH: f32 = 1.5;
const STRIKES: u32 = 120;

/// The world, the army, and the units that are selected.
pub struct Game {
    pub world: FlowWorld,
    pub army: Army,
    pub selected: BTreeSet<u32>,
    /// The steps since the start.
    steps: u32,
    /// How often each unit was struck, by id.
    struck: Vec<u32>,
    /// Where the units were before the last step, in the army's order.
    before: Vec<Point>,
}

/// Two walls with two gaps each, and between them a field of rough ground and some rocks.
fn map() -> Outcome<CostMap> {
    let mut map = CostMap::open(MAP[0], MAP[1])?;
    map.edit(CellRect::new(120, 20, 60, 50), Cost::new(4)?)?;
    for x in [100, 198] {
        map.edit(CellRect::new(x, 0, 2, MAP[1]), Cost::WALL)?;
        for y in [64, 124] {
            map.edit(CellRect::new(x, y, 2, 12), Cost::OPEN)?;
        }
    }
    for rock in 0..40 {
        let (x, y) = (106 + rock * 71 % 86, 5 + rock * 37 % 190);
        map.edit(CellRect::new(x, y, 3, 2), Cost::WALL)?;
    }
    Ok(map)
}

impl Game {
    /// Two bands of a hundred units in the west of the map, and two of the other team in the
    /// east, which are on their way to the middle.
    pub fn new() -> Outcome<Self> {
        let mut game = Self {
            world: FlowWorld::new(map()?),
            army: Army::default(),
            selected: BTreeSet::new(),
            steps: 0,
            struck: vec![0; 2 * TEAM as usize],
            before: Vec::new(),
        };
        let groups = [game.add_group(0)?, game.add_group(1)?];
        for id in 0..2 * TEAM {
            let (team, band, place) = (id / TEAM, id / 100 % 2, id % 100);
            let corner = [40.5 + team as f32 * 208.0, 78.5 + band as f32 * 32.0];
            let place = [place % 10, place / 10].map(|at| at as f32 * 1.2);
            let place = [corner[0] + place[0], corner[1] + place[1]];
            let unit = Unit::new(id, groups[team as usize], place);
            game.army.add(unit.with_radius(0.4).with_speed(6.0))?;
        }
        game.selected = (TEAM..2 * TEAM).collect();
        game.send(MAP.map(|cells| cells as f32 / 2.0), false)?;
        game.selected.clear();
        let units = game.army.units().iter();
        game.before = units.map(|unit| unit.position).collect();
        Ok(game)
    }

    /// Adds a group of a team, to which all others are foes.
    fn add_group(&mut self, team: u8) -> Outcome<GroupId> {
        let group = self.army.add_group(Target::Hold, Reading::Ahead)?;
        let mut settings = GroupSettings::default();
        (settings.team, settings.foes) = (team, Teams::ALL);
        self.army.configure(group, settings, &self.world)?;
        Ok(group)
    }

    /// A step of fixed length: the fight, the world's work within its budget, then the army's.
    pub fn step(&mut self) {
        self.steps += 1;
        self.fight();
        self.before.clear();
        self.before
            .extend(self.army.units().iter().map(|unit| unit.position));
        self.world.tick(Budget::cells(WORK));
        self.army.step(&self.world, STEP);
        self.army.cover_strays(&mut self.world);
    }

    /// Every foe in reach strikes once. A unit that was struck too often is removed.
    fn fight(&mut self) {
        for unit in self.army.units() {
            let near = self.army.units_within(unit.position, REACH);
            let is_foe = |other: &&&Unit| team_of(other) != team_of(unit);
            self.struck[unit.id as usize] += near.iter().filter(is_foe).count() as u32;
        }
        self.army
            .retain(|unit| self.struck[unit.id as usize] < STRIKES);
        self.selected.retain(|&id| self.army.get(id).is_some());
    }

    /// The units and where to draw them, `share` of the way from the step before the last to
    /// the last.
    pub fn drawn(&self, share: f32) -> impl Iterator<Item = (&Unit, Point)> {
        let steps = self.army.units().iter().zip(&self.before);
        steps.map(move |(unit, from)| {
            let to = unit.position;
            let place = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * share);
            (unit, place)
        })
    }

    /// Selects the player's units in a rectangle, and under `and_before` those that were
    /// selected too.
    pub fn select(&mut self, corners: [Point; 2], and_before: bool) {
        if !and_before {
            self.selected.clear();
        }
        let units = self.army.units_in(corners[0], corners[1]).into_iter();
        let own = units.filter(|unit| team_of(unit) == 0);
        self.selected.extend(own.map(|unit| unit.id));
    }

    /// Orders the selected units to a point, or to the nearest cell that they can reach; under
    /// `then`, once they are where they go now. They turn to foes that they see on their way.
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
        let attack = Target::AttackMove(order, Chase::default());
        if then {
            self.army.queue(group, attack)?;
        } else {
            self.army.send(group, attack)?;
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
        let group = self.add_group(0)?;
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
        let groups = self.army.group(group).into_iter();
        let targets = groups.flat_map(|group| [group.target()].into_iter().chain(group.queue()));
        targets.filter_map(|target| match target {
            Target::AttackMove(order, _) => Some(order.goal().cell()),
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

    /// The counter in the window.
    pub fn summary(&self) -> String {
        let count = |is: &dyn Fn(&&Unit) -> bool| self.army.units().iter().filter(is).count();
        let [yellow, blue] = [0, 1].map(|team| count(&|unit| team_of(unit) == team));
        let stats = self.world.inspect().stats();
        format!(
            "yellow {yellow}, blue {blue}, selected {}, marching {}, cut off {} | step {} | \
             sectors computed: {} of {} ({} %)",
            self.selected.len(),
            count(&|unit| unit.state == UnitState::Marching),
            count(&|unit| unit.state == UnitState::Unreachable),
            self.steps,
            stats.sectors_loaded,
            stats.sectors,
            100 * stats.sectors_loaded / stats.sectors,
        )
    }
}

/// The team of a unit.
pub fn team_of(unit: &Unit) -> usize {
    (unit.id / TEAM) as usize
}

/// The cell of the map that is nearest to a point.
fn cell_at(point: Point) -> Cell {
    let [x, y] = [0, 1].map(|axis| (point[axis].floor() as i32).clamp(0, MAP[axis] as i32 - 1));
    Cell::new(x, y)
}
