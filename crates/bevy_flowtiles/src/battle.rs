//! A world and its army as resources.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use flowtiles::FlowWorld;
use flowtiles::steer::{Army, GroupId, Reading, Target};

/// Tells the battles of one app apart: each has a map and an army of its own. Most apps have
/// one and never name it: it is [`Main`].
pub trait Battle: Send + Sync + 'static {}

/// The battle of an app that has only one.
#[derive(Clone, Copy, Debug)]
pub struct Main;

impl Battle for Main {}

/// The map with its orders. Edits, stamps, gates, layers and questions go through it.
#[derive(Resource)]
pub struct FlowMap<B: Battle = Main>(pub FlowWorld, PhantomData<B>);

/// The army: groups, and the units behind the entities. What the plugin has no component for
/// is set here, by [`FlowUnit::id`](crate::FlowUnit::id) and
/// [`InGroup`](crate::InGroup).
#[derive(Resource)]
pub struct FlowArmy<B: Battle = Main>(pub Army, PhantomData<B>);

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
        Self(world, PhantomData)
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
        Self(army, PhantomData)
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

/// Which entity stands for which unit.
///
/// Ids are counted in the order in which units are spawned. They never come from entities,
/// whose order is not the same on two machines.
#[derive(Resource)]
pub(crate) struct Registry<B: Battle> {
    pub(crate) next_id: u32,
    pub(crate) entities: BTreeMap<u32, Entity>,
    /// Spawned since the last tick, in this order.
    pub(crate) arrivals: Vec<Entity>,
    /// Ids of those that were despawned since.
    pub(crate) departures: Vec<u32>,
    /// The group of units that were spawned without one.
    pub(crate) idle: Option<GroupId>,
    /// Groups that orders have made; they go with their last unit.
    pub(crate) made: BTreeSet<GroupId>,
    pub(crate) battle: PhantomData<B>,
}

impl<B: Battle> Default for Registry<B> {
    fn default() -> Self {
        Self {
            next_id: 0,
            entities: BTreeMap::new(),
            arrivals: Vec::new(),
            departures: Vec::new(),
            idle: None,
            made: BTreeSet::new(),
            battle: PhantomData,
        }
    }
}

impl<B: Battle> Registry<B> {
    /// Returns the group for units without one.
    pub(crate) fn idle_group(&mut self, army: &mut Army) -> GroupId {
        let known = self.idle.filter(|&group| army.group(group).is_some());
        let group = known.or_else(|| army.add_group(Target::Stand, Reading::Ahead).ok());
        self.idle = group;
        group.unwrap_or_default()
    }
}
