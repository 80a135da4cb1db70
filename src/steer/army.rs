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

/// Who may be in the way of a unit that is put beside a wall, in cells: farther
/// off than such places are.
const NEAR: f32 = 26.0;

/// Units in groups, that move a step at a time.
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
/// A step is a function of the army and the world before it: the order in
/// which units were added does not matter, nor does the number of threads. It
/// takes time linear in the units.
pub struct Army {
    pub(super) settings: Settings,
    /// By id.
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
    /// An army without units.
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

    /// Steps on so many threads. The result is the same, bit for bit.
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
    /// For the 65,536th, and if its target is a point that is not finite.
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
    /// If the army has one of the same id, or the group is not its own; if its
    /// radius is not from 0 to [`MAX_RADIUS`](super::MAX_RADIUS), its speed is
    /// negative, or anything of it is not finite.
    pub fn add(&mut self, mut unit: Unit) {
        assert!(
            unit.group.index() < self.groups.len(),
            "a group of this army"
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

    /// Takes a unit out.
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

    /// Gives a group another target; its units set out again, and its
    /// formation stays.
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
    /// If the group is not this army's, and if the target is a point that is not
    /// finite.
    pub fn send(&mut self, group: GroupId, target: Target) {
        target.check();
        let sent = &mut self.groups[group.index()];
        sent.target = target;
        sent.told = false;
        if let Some(march) = &mut sent.march {
            march.set_out();
        }
        self.find_goals();
        for unit in self.units.iter_mut().filter(|unit| unit.group == group) {
            unit.set_out();
        }
    }

    /// Has a group read its order's field in another way.
    ///
    /// # Panics
    /// If the group is not this army's.
    pub fn set_reading(&mut self, group: GroupId, reading: Reading) {
        self.groups[group.index()].reading = reading;
    }

    /// Has a group march and arrive in formation, its units `spacing` cells
    /// apart. Who takes which place is settled now.
    ///
    /// # Panics
    /// If the group is not this army's.
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

    /// Where a group will go from a place, as far as can be told now.
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
    /// If the group is not this army's.
    pub fn disband(&mut self, group: GroupId) {
        self.groups[group.index()].march = None;
    }

    /// Groups with the same goal count as one where units arrive.
    fn find_goals(&mut self) {
        let mut firsts = BTreeMap::new();
        for (at, group) in (0..).zip(&mut self.groups) {
            group.goal_key = match group.goal() {
                Some(goal) => *firsts.entry([goal.x, goal.y]).or_insert(at),
                None => at,
            };
        }
    }

    /// The units, by id.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// What the last step brought about, by unit.
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

    /// How deep any two units overlapped after the last step, in cells.
    #[must_use]
    pub const fn deepest_overlap(&self) -> f32 {
        self.deepest
    }

    /// Has the orders of units that stand off their routes lead on from there.
    ///
    /// For every tick: to ask for a cell again is a look-up, and those that come
    /// while an order is at work are served together; see
    /// [`cover`](crate::FlowWorld::cover).
    pub fn cover_strays(&self, world: &mut FlowWorld) {
        let mut last = None;
        for stray in self.units.iter().filter(|unit| unit.memory.stray) {
            let cell = crate::vector::cell_of(stray.position);
            if let Target::Order { order, .. } = &self.groups[stray.group.index()].target
                && last != Some((stray.group, cell))
            {
                // A stray stands on the map, or it would be unreachable.
                let _ = world.cover(order, cell);
                last = Some((stray.group, cell));
            }
        }
    }

    /// Puts every unit that overlaps a wall beside it at once, where there is
    /// room, and tells how many there were. For the moment in which a wall goes
    /// up where units stand; without it they walk out at their own speed.
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

    /// Whether nobody is on the way any more.
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
