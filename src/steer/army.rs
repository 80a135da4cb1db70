//! The army: units in groups, and what a game asks of them.
//!
//! An [`Army`] owns the units, the groups and what a step keeps; each file here is one kind of
//! call. `muster` changes units, `out_of_walls` puts them beside walls that are built on them,
//! `command` and `sending` change groups, `queries` and `stops` ask, `jams` makes jammed ways cost more, `look` shows teams with fog what their units see, `step`
//! moves all of them, and `errand_orders` makes the orders of groups that chase or flee. `save`
//! passes all fields through `packed`, which reads and writes them in one way, a `pass`.

mod command;
mod errand_orders;
mod jams;
mod load_error;
mod look;
mod muster;
mod out_of_walls;
mod packed;
mod packed_crowd;
mod pass;
mod queries;
mod save;
mod sending;
mod step;
mod stops;
#[cfg(test)]
mod tests;
#[cfg(feature = "crowd")]
mod with_crowd;

pub use load_error::ArmyLoadError;
pub use queries::GroupView;
pub use sending::{Sending, Sent};

use crate::steer::groups::Groups;
use crate::steer::motion::{Finder, StepScratch};
use crate::steer::reading::Clock;
use crate::steer::units::{ArmyError, ArmyEvent, Roster, Settings, Unit, UnitState};
use crate::steer::walls::{GroupGrounds, GroupLayer};
use crate::vector::{NONE, cell_of};
use crate::world::{FlowWorld, Sample};

/// Units in groups, moved one step at a time.
///
/// In debug builds have the engine optimised, with these lines in the game's `Cargo.toml`.
/// Without them a step takes some thirty times as long: 500 units take 6 ms of each tick.
///
/// ```toml
/// [profile.dev.package.flowtiles]
/// opt-level = 3
/// ```
///
/// ```
/// use flowtiles::steer::{Army, Reading, Target, Unit, UnitState};
/// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};
///
/// let mut map = CostMap::open(40, 30)?;
/// map.edit(CellRect::new(20, 0, 1, 20), Cost::WALL)?;
/// let mut world = FlowWorld::new(map);
/// let goal = Cell::new(33, 5);
/// let order = world.order(goal, &[Cell::new(5, 5)])?;
///
/// let mut army = Army::default();
/// let group = army.add_group(Target::Order(order), Reading::Ahead)?;
/// for id in 0..12 {
///     army.add(Unit::new(id, group, [4.5 + (id % 4) as f32, 4.5 + (id / 4) as f32]))?;
/// }
/// while army.units().iter().any(|unit| unit.state == UnitState::Marching) {
///     world.tick(Budget::cells(4_000));
///     army.step(&world, 1.0 / 20.0);
///     army.cover_strays(&mut world);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A step is a function of the previous army and the world: neither the order
/// in which units were added nor the number of threads matters. Its time is
/// linear in the number of units. With the feature `rayon` it uses the threads of
/// the pool that the caller is in: `pool.install(|| army.step(&world, seconds))`.
#[derive(Clone)]
pub struct Army {
    settings: Settings,
    roster: Roster,
    groups: Groups,
    clock: Clock,
    events: Vec<ArmyEvent>,
    #[cfg(feature = "crowd")]
    foresight: crate::steer::motion::Foresight,
    finder: Finder,
    grounds: GroupGrounds,
    scratch: StepScratch,
    sightings: queries::Sightings,
    jams: jams::Jams,
    /// Whether units that stand fall asleep; what comes of a step is the same.
    lets_sleep: bool,
}

impl Default for Army {
    /// Returns an army without units, with the default settings.
    fn default() -> Self {
        Self::with(Settings::default())
    }
}

impl Army {
    /// Returns an army without units. That of the default settings is
    /// [`Army::default()`](Self::default).
    ///
    /// ```
    /// use flowtiles::steer::{Army, Settings};
    ///
    /// let mut settings = Settings::default();
    /// settings.room = 0.3;
    /// assert!(Army::new(settings)?.units().is_empty());
    /// settings.room = f32::NAN;
    /// assert!(Army::new(settings).is_err());
    /// # Ok::<(), flowtiles::steer::ArmyError>(())
    /// ```
    ///
    /// # Errors
    /// If a setting is not a number from 0 to 1,000,000.
    pub fn new(settings: Settings) -> Result<Self, ArmyError> {
        settings.check()?;
        Ok(Self::with(settings))
    }

    pub(super) fn with(settings: Settings) -> Self {
        Self {
            settings,
            roster: Roster::default(),
            groups: Groups::default(),
            clock: Clock::default(),
            events: Vec::new(),
            #[cfg(feature = "crowd")]
            foresight: Default::default(),
            finder: Finder::default(),
            grounds: GroupGrounds::default(),
            scratch: StepScratch::default(),
            sightings: Default::default(),
            jams: Default::default(),
            lets_sleep: true,
        }
    }

    /// Returns the units: by id after a [step](Self::step). Until the next
    /// step, added units follow at the end, and the last unit takes the place
    /// of one that was [removed](Self::remove).
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        self.roster.units()
    }

    /// Returns the events of the last step: those of units, by id; then of groups that
    /// have arrived; then of units that have entered links, by id.
    ///
    /// ```
    /// use flowtiles::steer::{Army, ArmyEvent, Reading, Target, Unit};
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (goal, start) = (Cell::new(20, 5), Cell::new(5, 5));
    /// let order = world.order(goal, &[start])?;
    /// world.tick(Budget::UNLIMITED);
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Order(order), Reading::Ahead)?;
    /// army.add(Unit::new(0, group, [5.5, 5.5]))?;
    /// while !army.is_settled() {
    ///     army.step(&world, 0.05);
    /// }
    /// assert!(army.events().contains(&ArmyEvent::GroupArrived { group }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn events(&self) -> &[ArmyEvent] {
        &self.events
    }

    /// Extends orders to the cells of units off their loaded sectors, and to the middles of
    /// formations.
    ///
    /// Before, it shows teams with [fog](FlowWorld::add_fog) the ground beside their units, so that
    /// none walks into a wall that its team does not know.
    ///
    /// It also makes and re-aims the orders of groups that [pursue](crate::steer::Target::Pursue) or
    /// [flee](crate::steer::Target::Flee).
    ///
    /// Call it in every tick: asking for the same cell again is a look-up, and
    /// requests that come while the order is at work are served together; see
    /// [`cover`](crate::FlowWorld::cover).
    pub fn cover_strays(&mut self, world: &mut FlowWorld) {
        self.feel(world);
        self.order_errands(world);
        let mut last = None;
        for stray in self.roster.stirring().filter(|unit| unit.memory.stray) {
            let group = &self.groups.all()[stray.group.index()];
            let cell = GroupLayer::of(world, group.settings.layer).anchor(stray.position);
            if let Some(order) = group.order()
                && last != Some((stray.group, cell))
            {
                // A stray stands on the map; otherwise it would be unreachable.
                let _ = world.cover(order, cell);
                last = Some((stray.group, cell));
            }
        }
        for group in self.groups.all() {
            if let (Some(march), Some(order)) = (&group.march, group.order()) {
                let cell = cell_of(march.anchor);
                if !march.is_home() && world.sample(order, cell) == Sample::OffRoute {
                    let _ = world.cover(order, cell);
                }
            }
        }
    }

    /// Whether no unit is on its way. A unit of a group that [stands](crate::steer::Target::Stand)
    /// is on its way while it makes room for others. An [engaged](UnitState::Engaged) unit is not.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let groups = self.groups.all();
        self.units().iter().all(|unit| {
            let stands = || groups[unit.group.index()].target.stands();
            unit.state != UnitState::Marching || unit.velocity == NONE && stands()
        })
    }
}

impl std::fmt::Debug for Army {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Army")
            .field("units", &self.units().len())
            .field("groups", &self.groups.ids().count())
            .field("clock", &self.clock)
            .finish_non_exhaustive()
    }
}
