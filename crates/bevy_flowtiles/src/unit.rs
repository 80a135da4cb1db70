//! The components of a unit.

use std::marker::PhantomData;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
#[cfg(feature = "reflect")]
use bevy_reflect::std_traits::ReflectDefault;
use flowtiles::LayerId;
use flowtiles::steer::{GroupId, Turning, Unit, UnitState};

use crate::battle::Registry;
use crate::{Battle, Main};

/// The id of a unit that has none yet.
const NO_ID: u32 = u32::MAX;

/// A unit of the army. With the next tick it is added where its `Transform` is, and it goes with
/// its entity. One without a `Transform`, or off the map, is [refused](crate::FlowRefused).
///
/// Changes of the fields reach the army with the next tick.
#[derive(Component, Debug)]
#[component(on_add = note_arrival::<B>, on_remove = note_departure::<B>)]
#[require(FlowMotion, InGroup)]
pub struct FlowUnit<B: Battle = Main> {
    /// The radius of the body, in cells.
    pub radius: f32,
    /// The greatest speed, in cells a second.
    pub speed: f32,
    /// The weight against being pushed.
    pub weight: f32,
    /// How it turns.
    pub turning: Turning,
    pub(crate) id: u32,
    /// The class that the army knows.
    pub(crate) class: Option<LayerId>,
    battle: PhantomData<B>,
}

impl FlowUnit {
    /// Returns a unit with this radius in cells, and this speed in cells a second.
    #[must_use]
    pub fn new(radius: f32, speed: f32) -> Self {
        Self::of(radius, speed)
    }
}

impl<B: Battle> FlowUnit<B> {
    /// Returns a unit of a battle.
    #[must_use]
    pub fn of(radius: f32, speed: f32) -> Self {
        Self {
            radius,
            speed,
            weight: 1.0,
            turning: Turning::default(),
            id: NO_ID,
            class: None,
            battle: PhantomData,
        }
    }

    /// Returns the unit's id in the army. It has one as soon as it is spawned.
    #[must_use]
    pub const fn id(&self) -> u32 {
        self.id
    }

    /// Returns the component of a unit that the army has.
    pub(crate) fn known(unit: &Unit, class: Option<LayerId>) -> Self {
        Self {
            class,
            weight: unit.weight,
            turning: unit.turning,
            id: unit.id,
            ..Self::of(unit.radius, unit.speed)
        }
    }

    /// Returns the same unit, of another battle.
    pub(crate) fn in_battle<C: Battle>(&self) -> FlowUnit<C> {
        FlowUnit {
            radius: self.radius,
            speed: self.speed,
            weight: self.weight,
            turning: self.turning,
            id: self.id,
            class: self.class,
            battle: PhantomData,
        }
    }
}

impl<B: Battle> Clone for FlowUnit<B> {
    fn clone(&self) -> Self {
        self.in_battle()
    }
}

/// The group in which a unit is. One that is spawned without any stands, and gets a group of
/// its own with its first order.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InGroup(pub Option<GroupId>);

/// Who moves the body of a unit.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
pub enum FlowDrive {
    /// The plugin: it writes the unit's `Transform`. So it is without this component, too.
    #[default]
    Transform,
    /// The game, such as by a rigid body: the plugin never writes the `Transform`, but reads it
    /// before each tick for where the unit is. The game moves it by [`FlowMotion::velocity`],
    /// which [`FlowPlane::way_to_scene`](crate::FlowPlane::way_to_scene) takes into the scene.
    ///
    /// A unit that [enters a link](flowtiles::steer::ArmyEvent::Entered) is at its other end at
    /// once: the game puts its body there, at [`FlowMotion::position`].
    ///
    /// All machines have the same battle as long as the game's own physics are the same on all.
    Velocity,
}

/// How a unit moves: written after each tick.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "reflect", derive(bevy_reflect::Reflect))]
#[cfg_attr(feature = "reflect", reflect(Component, Default))]
pub struct FlowMotion {
    /// The position on the map before the tick, in cells.
    pub before: [f32; 2],
    /// The position on the map, in cells: for a unit that the game [moves](FlowDrive::Velocity)
    /// where it is to be after the tick.
    pub position: [f32; 2],
    /// The velocity on the map, in cells a second.
    pub velocity: [f32; 2],
    /// Where it is turned, on the map, at any length; none as long as it has not moved.
    pub heading: Option<[f32; 2]>,
    /// Whether it is on its way.
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    pub state: UnitState,
    /// Whether the army has it: until its first tick its transform says where it is.
    pub(crate) is_known: bool,
    /// Whether its transform follows: it has moved since it was last drawn.
    pub(crate) is_moving: bool,
}

impl Default for FlowMotion {
    fn default() -> Self {
        Self {
            before: [0.0; 2],
            position: [0.0; 2],
            velocity: [0.0; 2],
            heading: None,
            state: UnitState::Marching,
            is_known: false,
            is_moving: false,
        }
    }
}

impl FlowMotion {
    /// Returns how a unit moves that was not drawn here before.
    pub(crate) fn of(unit: &Unit) -> Self {
        let mut motion = Self::default();
        motion.note(unit);
        motion.before = unit.position;
        motion.is_known = true;
        motion.is_moving = true;
        motion
    }

    /// Takes over how the unit moves after a tick.
    pub(crate) fn note(&mut self, unit: &Unit) {
        // A unit that stands stays turned as it was.
        let goes = (unit.velocity != [0.0; 2]).then_some(unit.velocity);
        let heading = unit.heading().or(goes).or(self.heading);
        self.is_moving = self.position != unit.position || self.heading != heading;
        self.before = self.position;
        self.position = unit.position;
        self.velocity = unit.velocity;
        self.heading = heading;
        self.state = unit.state;
    }
}

/// Gives a unit its id in the order in which units are spawned.
fn note_arrival<B: Battle>(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(registry) = world.get_resource::<Registry<B>>() else {
        return;
    };
    let next = registry.books.next_id;
    let entity: Entity = context.entity;
    let Some(mut unit) = world.get_mut::<FlowUnit<B>>(entity) else {
        return;
    };
    let is_known = unit.id != NO_ID;
    if !is_known {
        unit.id = next;
    }
    let id = unit.id;
    if let Some(mut registry) = world.get_resource_mut::<Registry<B>>() {
        registry.entities.insert(id, entity);
        if !is_known {
            registry.books.next_id += 1;
            registry.books.arrivals.push(id);
        }
    }
}

fn note_departure<B: Battle>(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(unit) = world.get::<FlowUnit<B>>(context.entity) else {
        return;
    };
    let id = unit.id;
    if let Some(mut registry) = world.get_resource_mut::<Registry<B>>()
        && registry.entities.remove(&id).is_some()
    {
        registry.books.departures.push(id);
    }
}
