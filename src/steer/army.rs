//! The army: units in groups, and what a game asks of them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use crate::grid::Cell;
use crate::world::FlowWorld;

use super::formation::{Shape, assign};
use super::group::{Group, Target};
use super::march::March;
use super::reading::{Field, Reading, bilinear};
use super::scratch::StepScratch;
use super::settings::Settings;
use super::unit::{Event, GroupId, State, Unit};
use super::walls::{is_clear, nearest_clear, nearest_place};
use crate::vector::{NONE, difference, distance, dot, sum, times, unit};

/// Units within this distance, in cells, may obstruct a unit that is moved
/// beside a wall: more than such a place can be away.
const NEAR: f32 = 26.0;

/// Units in groups, moved one step at a time.
///
/// ```
/// use flowtiles::steer::{Army, Reading, Settings, State, Target, Unit};
/// use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Rect};
///
/// let mut map = CostMap::open(40, 30)?;
/// map.edit(Rect::new(20, 0, 1, 20), Cost::WALL)?;
/// let mut world = FlowWorld::new(map);
/// let goal = Cell::new(33, 5);
/// let order = world.order(goal, &[Cell::new(5, 5)])?;
///
/// let mut army = Army::new(Settings::default());
/// let group = army.add_group(Target::Order { order, goal }, Reading::Ahead);
/// for id in 0..12 {
///     army.add(Unit::new(id, group, [4.5 + (id % 4) as f32, 4.5 + (id / 4) as f32]));
/// }
/// while army.units().iter().any(|unit| unit.state == State::Marching) {
///     world.tick(Budget::cells(4_000));
///     army.step(&world, 1.0 / 20.0);
///     army.cover_strays(&mut world);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A step is a function of the previous army and the world: neither the order
/// in which units were added nor the number of threads matters. Its time is
/// linear in the number of units.
pub struct Army {
    pub(super) settings: Settings,
    /// Sorted by id.
    pub(super) units: Vec<Unit>,
    pub(super) groups: Vec<Group>,
    pub(super) threads: NonZeroUsize,
    pub(super) tick: u32,
    pub(super) events: Vec<Event>,
    pub(super) deepest: f32,
    #[cfg(feature = "crowd")]
    pub(super) foresight: super::foresight::Foresight,
    pub(super) scratch: StepScratch,
}

impl Army {
    /// Returns an army without units.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.room = 0.3;
    /// assert!(Army::new(settings).units().is_empty());
    /// ```
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            units: Vec::new(),
            groups: Vec::new(),
            threads: NonZeroUsize::MIN,
            tick: 0,
            events: Vec::new(),
            deepest: 0.0,
            #[cfg(feature = "crowd")]
            foresight: Default::default(),
            scratch: StepScratch::default(),
        }
    }

    /// Sets the number of threads for steps. The result is the same, bit for
    /// bit.
    #[must_use]
    pub const fn with_threads(mut self, threads: NonZeroUsize) -> Self {
        self.threads = threads;
        self
    }

    /// Adds a group.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Settings, Target, Unit};
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let goal = Cell::new(90, 50);
    /// let order = world.order(goal, &[Cell::new(5, 5)])?;
    /// let mut army = Army::new(Settings::default());
    /// let group = army.add_group(Target::Order { order, goal }, Reading::Ahead);
    /// army.add(Unit::new(0, group, [5.5, 5.5]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the army has 65,535 groups already, or if the target is a point that
    /// is not finite.
    pub fn add_group(&mut self, target: Target, reading: Reading) -> GroupId {
        let id = u16::try_from(self.groups.len()).expect("at most 65,535 groups");
        target.check();
        let mut group = Group::new(target, reading, id);
        let goal = group.goal();
        let same = self
            .groups
            .iter()
            .find(|other| goal.is_some() && other.goal() == goal);
        group.goal_key = same.map_or(id, |other| other.goal_key);
        self.groups.push(group);
        GroupId(id)
    }

    /// Adds a unit, which sets out.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Settings, Target, Unit};
    ///
    /// let mut army = Army::new(Settings::default());
    /// let group = army.add_group(Target::Stand, Reading::Ahead);
    /// let mut unit = Unit::new(7, group, [5.5, 5.5]);
    /// unit.speed = 2.0;
    /// army.add(unit);
    /// assert_eq!(army.units()[0].id, 7);
    /// ```
    ///
    /// # Panics
    /// If the army has a unit with the same id, or the group does not belong to
    /// this army; if the radius is not from 0 to
    /// [`MAX_RADIUS`](super::MAX_RADIUS), the speed is negative, or a value is
    /// not finite.
    pub fn add(&mut self, mut unit: Unit) {
        assert!(
            unit.group.index() < self.groups.len(),
            "the group of a new unit must belong to this army"
        );
        if let Some(fault) = unit.fault() {
            panic!("unit {} cannot be added: {fault}; it is {unit:?}", unit.id);
        }
        unit.set_out();
        match self.units.binary_search_by_key(&unit.id, |other| other.id) {
            Ok(_) => panic!("the army has a unit {} already", unit.id),
            Err(place) => self.units.insert(place, unit),
        }
    }

    /// Removes a unit and returns it.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Settings, Target, Unit};
    ///
    /// let mut army = Army::new(Settings::default());
    /// let group = army.add_group(Target::Stand, Reading::Ahead);
    /// army.add(Unit::new(7, group, [5.5, 5.5]));
    /// assert_eq!(army.remove(7).map(|unit| unit.id), Some(7));
    /// assert!(army.remove(7).is_none());
    /// ```
    pub fn remove(&mut self, id: u32) -> Option<Unit> {
        let place = self.units.binary_search_by_key(&id, |unit| unit.id);
        Some(self.units.remove(place.ok()?))
    }

    /// Gives a group another target. Its units set out again, and its formation
    /// stays.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Reading, Settings, Target, Unit};
    /// use flowtiles::{CostMap, FlowWorld};
    ///
    /// let world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let mut army = Army::new(Settings::default());
    /// let group = army.add_group(Target::Stand, Reading::Ahead);
    /// army.add(Unit::new(0, group, [5.5, 5.5]));
    /// army.send(group, Target::Point([50.0, 5.5]));
    /// army.step(&world, 1.0);
    /// assert!(army.units()[0].position[0] > 5.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the group does not belong to this army, or if the target is a point
    /// that is not finite.
    pub fn send(&mut self, group: GroupId, target: Target) {
        target.check();
        let sent = &mut self.groups[group.index()];
        sent.target = target;
        sent.announced = false;
        if let Some(march) = &mut sent.march {
            march.set_out();
        }
        self.find_goals();
        for unit in self.units.iter_mut().filter(|unit| unit.group == group) {
            unit.set_out();
        }
    }

    /// Sets how a group reads its order's field.
    ///
    /// # Panics
    /// If the group does not belong to this army.
    pub fn set_reading(&mut self, group: GroupId, reading: Reading) {
        self.groups[group.index()].reading = reading;
    }

    /// Makes a group march and arrive in formation, its units `spacing` cells
    /// apart. The units' places in it are assigned now.
    ///
    /// # Panics
    /// If the group does not belong to this army.
    pub fn form(&mut self, group: GroupId, shape: Shape, spacing: f32, world: &FlowWorld) {
        let members = || self.units.iter().filter(|unit| unit.group == group);
        let count = members().count();
        if count == 0 {
            return;
        }
        let middle = members().fold(NONE, |middle, unit| sum(middle, unit.position));
        let middle = times(middle, 1.0 / count as f32);
        let anchor = nearest_clear(world.costs(), middle, 0.3).unwrap_or(middle);
        let heading = self.heading(group, anchor, world);
        let slots = shape.slots(count, spacing);
        let stand: Vec<[f32; 2]> = members()
            .map(|unit| March::frame(anchor, heading, unit.position))
            .collect();
        let taken = assign(&stand, &slots);
        let members = self.units.iter_mut().filter(|unit| unit.group == group);
        for (unit, slot) in members.zip(taken) {
            unit.memory.slot = slot as u32;
        }
        let march = March::new(slots, spacing, anchor, heading);
        self.groups[group.index()].march = Some(march);
    }

    /// Returns the direction in which a group will leave a place, as far as it
    /// is known now.
    fn heading(&self, group: GroupId, from: [f32; 2], world: &FlowWorld) -> [f32; 2] {
        let group = &self.groups[group.index()];
        let read = match &group.target {
            Target::Order { order, .. } => bilinear(world, order, from),
            _ => None,
        };
        let way = read.unwrap_or_else(|| unit(difference(group.point(), from)));
        if dot(way, way) == 0.0 {
            [1.0, 0.0]
        } else {
            way
        }
    }

    /// Dissolves a group's formation.
    ///
    /// # Panics
    /// If the group does not belong to this army.
    pub fn disband(&mut self, group: GroupId) {
        self.groups[group.index()].march = None;
    }

    /// Gives groups with the same goal a common key; arrivals count them as
    /// one.
    fn find_goals(&mut self) {
        let mut firsts = BTreeMap::new();
        for (at, group) in (0..).zip(&mut self.groups) {
            group.goal_key = match group.goal() {
                Some(goal) => *firsts.entry([goal.x, goal.y]).or_insert(at),
                None => at,
            };
        }
    }

    /// Returns the units, by id.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Returns the events of the last step, by unit.
    ///
    /// ```
    /// use flowtiles::steer::{Army, Event, Reading, Settings, Target, Unit};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (goal, start) = (Cell::new(20, 5), Cell::new(5, 5));
    /// let order = world.order(goal, &[start])?;
    /// world.tick(Budget::UNLIMITED);
    /// let mut army = Army::new(Settings::default());
    /// let group = army.add_group(Target::Order { order, goal }, Reading::Ahead);
    /// army.add(Unit::new(0, group, [5.5, 5.5]));
    /// while !army.is_settled() {
    ///     army.step(&world, 0.05);
    /// }
    /// assert!(army.events().contains(&Event::GroupArrived { group }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Returns the deepest overlap of two units after the last step, in cells.
    #[must_use]
    pub const fn deepest_overlap(&self) -> f32 {
        self.deepest
    }

    /// Extends orders to the cells of units off their loaded sectors.
    ///
    /// Call it in every tick: asking for the same cell again is a look-up, and
    /// requests that come while the order is at work are served together; see
    /// [`cover`](crate::FlowWorld::cover).
    pub fn cover_strays(&self, world: &mut FlowWorld) {
        let mut last = None;
        for stray in self.units.iter().filter(|unit| unit.memory.stray) {
            let cell = crate::vector::cell_of(stray.position);
            if let Target::Order { order, .. } = &self.groups[stray.group.index()].target
                && last != Some((stray.group, cell))
            {
                // A stray stands on the map; otherwise it would be unreachable.
                let _ = world.cover(order, cell);
                last = Some((stray.group, cell));
            }
        }
    }

    /// Moves every unit that overlaps a wall to a free place beside it at once,
    /// and returns the number of moved units. For the moment when a wall is
    /// built on units; without this call they walk out at their own speed.
    pub fn put_out_of_walls(&mut self, world: &FlowWorld) -> usize {
        let mut moved = 0;
        for at in 0..self.units.len() {
            let Unit {
                position, radius, ..
            } = self.units[at];
            if is_clear(world.costs(), position, radius) {
                continue;
            }
            let others: Vec<([f32; 2], f32)> = self
                .units
                .iter()
                .enumerate()
                .filter(|&(other, unit)| other != at && distance(unit.position, position) < NEAR)
                .map(|(_, other)| (other.position, other.radius + radius))
                .collect();
            let has_room = |place| {
                others
                    .iter()
                    .all(|&(other, room)| distance(other, place) >= room)
            };
            let place = nearest_place(world.costs(), position, radius, has_room);
            let place = place.or_else(|| nearest_clear(world.costs(), position, radius));
            if let Some(place) = place {
                self.units[at].position = place;
                self.units[at].velocity = NONE;
                moved += 1;
            }
        }
        moved
    }

    /// Whether no unit is on its way.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.units.iter().all(|unit| unit.state != State::Marching)
    }

    pub(super) fn fields<'w>(group: &'w Group, world: &'w FlowWorld) -> Option<(Field<'w>, Cell)> {
        match &group.target {
            Target::Order { order, goal } => Some((Field { world, order }, *goal)),
            _ => None,
        }
    }
}

impl std::fmt::Debug for Army {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Army")
            .field("units", &self.units.len())
            .field("groups", &self.groups.len())
            .field("tick", &self.tick)
            .finish_non_exhaustive()
    }
}
