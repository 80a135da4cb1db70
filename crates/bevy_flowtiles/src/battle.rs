//! A world and its army as resources.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{MessageCursor, Messages};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Res, SystemParam};
use bevy_ecs::world::World;
use flowtiles::steer::{Army, GroupId};
use flowtiles::{FlowWorld, LayerId, MAX_TEAMS, Teams};

use crate::FlowOrder;
use crate::obstacle::{Danger, Laid};
use crate::orders::Command;

/// Distinguishes the battles of one app: each has a map and an army of its own. Most apps have
/// one and never name it: it is [`Main`].
pub trait Battle: Send + Sync + 'static {}

/// The battle of an app that has only one.
#[derive(Clone, Copy, Debug)]
pub struct Main;

impl Battle for Main {}

/// The map with its orders. Edits, stamps, gates, layers and questions go through it.
///
/// One that is inserted in place of another is a new map. Groups with orders of the old one stand
/// from the next tick on, and each gets a [`FlowRefused`](crate::FlowRefused).
#[derive(Resource)]
pub struct FlowMap<B: Battle = Main>(
    pub FlowWorld,
    /// Whether a tick has seen it: the army's orders are of this map, and obstacles lie on it.
    pub(crate) bool,
    PhantomData<B>,
);

/// The army: groups, and the units behind the entities. What the plugin has no component for
/// is set here, by [`FlowUnit::id`](crate::FlowUnit::id) and
/// [`InGroup`](crate::InGroup).
#[derive(Resource)]
pub struct FlowArmy<B: Battle = Main>(
    pub Army,
    /// The foes of each team, where they were set.
    pub(crate) Foes,
    PhantomData<B>,
);

/// The foes of each team, where they were set.
pub(crate) type Foes = [Option<Teams>; MAX_TEAMS as usize];

impl FlowMap {
    /// Returns the map of the only battle.
    #[must_use]
    pub fn new(world: FlowWorld) -> Self {
        Self::of(world)
    }
}

impl<B: Battle> FlowMap<B> {
    /// Returns the map of a battle.
    #[must_use]
    pub fn of(world: FlowWorld) -> Self {
        Self(world, false, PhantomData)
    }
}

impl FlowArmy {
    /// Returns the army of the only battle.
    #[must_use]
    pub fn new(army: Army) -> Self {
        Self::of(army)
    }
}

impl<B: Battle> FlowArmy<B> {
    /// Returns the army of a battle.
    #[must_use]
    pub fn of(army: Army) -> Self {
        Self(army, Foes::default(), PhantomData)
    }
}

impl<B: Battle> Deref for FlowMap<B> {
    type Target = FlowWorld;

    fn deref(&self) -> &FlowWorld {
        &self.0
    }
}

impl<B: Battle> DerefMut for FlowMap<B> {
    fn deref_mut(&mut self) -> &mut FlowWorld {
        &mut self.0
    }
}

impl<B: Battle> Deref for FlowArmy<B> {
    type Target = Army;

    fn deref(&self) -> &Army {
        &self.0
    }
}

impl<B: Battle> DerefMut for FlowArmy<B> {
    fn deref_mut(&mut self) -> &mut Army {
        &mut self.0
    }
}

/// Which entity stands for which unit, and for which obstacle.
///
/// Ids are counted in the order in which units are spawned. They never come from entities,
/// whose order is not the same on two machines.
#[derive(Resource)]
pub(crate) struct Registry<B: Battle> {
    pub(crate) entities: BTreeMap<u32, Entity>,
    pub(crate) obstacles: BTreeMap<u32, Entity>,
    pub(crate) books: Books,
    /// Up to where orders were read.
    pub(crate) read: MessageCursor<FlowOrder<B>>,
    /// When the army took over the components of units.
    pub(crate) synced: Tick,
}

/// The entities of a battle's units, for systems that have a unit's id;
/// [`FlowUnit::id`](crate::FlowUnit::id) is the way back.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_flowtiles::FlowUnits;
/// use bevy_flowtiles::prelude::*;
///
/// /// Despawns the units near a place.
/// fn explode(units: FlowUnits, army: Res<FlowArmy>, mut commands: Commands) {
///     for near in army.units_within([20.5, 9.5], 4.0) {
///         if let Some(entity) = units.entity(near.id) {
///             commands.entity(entity).despawn();
///         }
///     }
/// }
/// # bevy_ecs::system::assert_is_system(explode);
/// ```
#[derive(SystemParam)]
pub struct FlowUnits<'w, B: Battle = Main> {
    registry: Res<'w, Registry<B>>,
}

impl<B: Battle> FlowUnits<'_, B> {
    /// Returns the entity of the unit with this id; `None` if there is none.
    #[must_use]
    pub fn entity(&self, id: u32) -> Option<Entity> {
        self.registry.entities.get(&id).copied()
    }

    /// Returns all units by id, those too that were spawned since the last tick.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Entity)> {
        self.registry.entities.iter().map(|(&id, &at)| (id, at))
    }
}

/// Returns the entity of the unit with this id, for code that has the `World`.
#[must_use]
pub fn unit_entity<B: Battle>(world: &World, id: u32) -> Option<Entity> {
    let registry = world.get_resource::<Registry<B>>()?;
    registry.entities.get(&id).copied()
}

/// What goes back with a battle.
#[derive(Clone, Default)]
pub(crate) struct Books {
    pub(crate) next_id: u32,
    /// Ids of units that were spawned since the last tick, in this order.
    pub(crate) arrivals: Vec<u32>,
    /// Ids of those that were despawned since.
    pub(crate) departures: Vec<u32>,
    /// Orders that wait for the next tick.
    pub(crate) orders: Vec<Command>,
    /// The groups of units that were spawned without one, by class.
    pub(crate) idle: BTreeMap<Option<LayerId>, GroupId>,
    /// Groups that orders have made; they go with their last unit.
    pub(crate) made: BTreeSet<GroupId>,
    pub(crate) next_obstacle: u32,
    /// What is in the map of obstacles that were despawned or replaced since the last tick.
    pub(crate) lifted: Vec<(u32, Laid)>,
    /// Dangers on the map, by the number of their obstacle.
    pub(crate) dangers: BTreeMap<u32, Danger>,
}

impl<B: Battle> Default for Registry<B> {
    fn default() -> Self {
        Self {
            entities: BTreeMap::new(),
            obstacles: BTreeMap::new(),
            books: Books::default(),
            read: MessageCursor::default(),
            synced: Tick::new(0),
        }
    }
}

impl<B: Battle> Registry<B> {
    /// Takes in the orders that were written since the last call, before Bevy drops them.
    pub(crate) fn collect(&mut self, messages: &mut Messages<FlowOrder<B>>) {
        let new = self.read.read_mut(messages);
        self.books
            .orders
            .extend(new.map(|order| order.command.take()));
    }

    /// Returns the entities of the units of a group.
    pub(crate) fn members(&self, army: &Army, group: GroupId) -> impl Iterator<Item = Entity> {
        let units = army.members(group);
        units.filter_map(|unit| self.entities.get(&unit.id).copied())
    }
}
