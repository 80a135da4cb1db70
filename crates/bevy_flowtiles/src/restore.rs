//! Saves, and going back to an earlier moment.
//!
//! Entities stay with their units: by ids, which are counted alike on all machines.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::Messages;
use bevy_ecs::schedule::{IntoScheduleConfigs, Schedule};
use bevy_ecs::world::{EntityWorldMut, World, WorldId};
use bevy_transform::components::Transform;
use flowtiles::FlowWorld;
use flowtiles::error::LoadError;
use flowtiles::steer::{Army, ArmyLoadError, Unit};

use crate::battle::{Books, Foes, Registry};
use crate::envelope::{self, Contents, Said};
use crate::{
    Battle, FlowArmy, FlowDrive, FlowLayer, FlowMap, FlowMotion, FlowObstacle, FlowOrder,
    FlowPlane, FlowRefused, FlowSight, FlowTeam, FlowUnit, InGroup, Lie, Main, class, orders,
    plugin, steps,
};

/// A moment of a battle, to [go back](rollback) to.
#[derive(Clone)]
pub struct FlowSnapshot(Arc<Moment>);

impl fmt::Debug for FlowSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FlowSnapshot({} units)", self.0.units.len())
    }
}

struct Moment {
    world: WorldId,
    map: FlowWorld,
    /// Whether a tick has seen the map.
    is_known: bool,
    army: Army,
    foes: Foes,
    books: Books,
    /// By id.
    units: BTreeMap<u32, Kept>,
    /// By number.
    obstacles: BTreeMap<u32, (FlowObstacle, Transform)>,
}

/// A unit with an entity.
#[derive(Clone)]
struct Kept {
    entity: Entity,
    unit: FlowUnit<Main>,
    group: InGroup,
    class: (Option<FlowLayer>, Option<FlowTeam>),
    sight: Option<FlowSight>,
    drive: Option<FlowDrive>,
    motion: FlowMotion,
    transform: Option<Transform>,
    /// Whether the army is still to take over what changed.
    is_changed: bool,
}

impl Kept {
    fn of<B: Battle>(world: &World, registry: &Registry<B>, entity: Entity) -> Option<Self> {
        let entity = world.get_entity(entity).ok()?;
        let (unit, group) = (
            entity.get_ref::<FlowUnit<B>>()?,
            entity.get_ref::<InGroup>()?,
        );
        let class = (entity.get_ref(), entity.get_ref());
        let mut changed = steps::changes(&unit, &group, &class);
        let now = world.read_change_tick();
        let is_changed = changed.any(|at| at.is_newer_than(registry.synced, now));
        Some(Self {
            entity: entity.id(),
            unit: unit.in_battle(),
            group: *group,
            class: (entity.get().copied(), entity.get().copied()),
            sight: entity.get().copied(),
            drive: entity.get().copied(),
            motion: *entity.get()?,
            transform: entity.get().copied(),
            is_changed,
        })
    }

    /// Returns the same unit, of which no army knows yet.
    fn anew(self) -> Self {
        Self {
            group: InGroup(None),
            motion: FlowMotion::default(),
            ..self
        }
    }

    /// Returns a unit of an army, without an entity.
    fn loaded(unit: &Unit, said: Said) -> Self {
        let Said {
            class,
            sight,
            is_driven,
        } = said;
        Self {
            entity: Entity::PLACEHOLDER,
            unit: FlowUnit::known(unit, class),
            group: InGroup(Some(unit.group)),
            class: class::parts_of(class),
            sight: sight.map(FlowSight),
            drive: is_driven.then_some(FlowDrive::Velocity),
            motion: FlowMotion::of(unit),
            transform: None,
            is_changed: false,
        }
    }
}

impl Moment {
    /// Returns a copy, whose orders are of the copied map.
    fn fork(&self) -> Result<Self, ArmyLoadError> {
        let (map, army, books) = fork(&self.map, &self.army, &self.books)?;
        let obstacles = self.obstacles.iter();
        let obstacles = obstacles.map(|(&id, (obstacle, at))| (id, (obstacle.in_battle(), *at)));
        Ok(Self {
            world: self.world,
            map,
            is_known: self.is_known,
            army,
            foes: self.foes,
            books,
            units: self.units.clone(),
            obstacles: obstacles.collect(),
        })
    }
}

fn fork(
    map: &FlowWorld,
    army: &Army,
    books: &Books,
) -> Result<(FlowWorld, Army, Books), ArmyLoadError> {
    let (copy, claims) = map.fork();
    let (mut army, mut books) = (army.clone(), books.clone());
    army.bind(&copy)?;
    books
        .orders
        .iter_mut()
        .for_each(|order| order.bind(map, &copy));
    drop(claims);
    Ok((copy, army, books))
}

/// Why a save cannot be loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum FlowLoadError {
    /// The bytes are no save of a battle.
    Envelope,
    /// The map in it cannot be loaded.
    Map(LoadError),
    /// The army in it cannot be loaded.
    Army(ArmyLoadError),
}

impl fmt::Display for FlowLoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Envelope => f.write_str(
                "these bytes are no save of a battle, or not all of one: give what `save` returned",
            ),
            Self::Map(error) => error.fmt(f),
            Self::Army(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FlowLoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Envelope => None,
            Self::Map(error) => Some(error),
            Self::Army(error) => Some(error),
        }
    }
}

/// Saves a battle; `None` if the app has none. What is [pending](snapshot) is in the save as the
/// next tick would begin it: units that were spawned are in the army, despawned ones are gone,
/// and orders are given. Of these, what would be refused is not, and is written to the log.
///
/// The battle itself goes on unchanged, and takes over what is pending with its next tick. In
/// lockstep all players [load], also the one that saved.
///
/// # Errors
/// If orders of the army belong to another map.
pub fn save<B: Battle>(world: &World) -> Result<Option<Vec<u8>>, ArmyLoadError> {
    let (Some(moment), Some(plane)) = (moment::<B>(world)?, world.get_resource::<FlowPlane<B>>())
    else {
        return Ok(None);
    };
    let mut copy = World::new();
    copy.insert_resource(plane.clone());
    copy.init_resource::<Messages<FlowOrder<B>>>();
    copy.init_resource::<Messages<FlowRefused<B>>>();
    restore::<B>(&mut copy, moment);
    let mut begin = Schedule::default();
    begin.add_systems((plugin::sync::<B>(), orders::carry_out::<B>).chain());
    begin.run(&mut copy);
    for refused in copy.resource_mut::<Messages<FlowRefused<B>>>().drain() {
        tracing::warn!("not in the save, since it is refused: {}", refused.error);
    }
    let map = copy.resource::<FlowMap<B>>().save();
    let army = copy.resource::<FlowArmy<B>>().save();
    Ok(Some(envelope::pack(&contents::<B>(&copy), &map, &army)))
}

/// Returns what a save of a world has beside the map and the army.
fn contents<B: Battle>(world: &World) -> Contents {
    let registry = world.resource::<Registry<B>>();
    let units = registry.entities.iter().filter_map(|(&id, &at)| {
        let said = Said {
            class: world.get::<FlowUnit<B>>(at)?.class,
            sight: world.get::<FlowSight>(at).map(|sight| sight.0),
            is_driven: steps::drives(world.get(at)),
        };
        Some((id, said))
    });
    Contents {
        books: registry.books.clone(),
        foes: world.resource::<FlowArmy<B>>().1,
        units: units.collect(),
        obstacles: obstacles(world, registry),
    }
}

fn obstacles<B: Battle>(
    world: &World,
    registry: &Registry<B>,
) -> BTreeMap<u32, (FlowObstacle, Transform)> {
    let obstacles = registry.obstacles.iter().filter_map(|(&id, &at)| {
        let obstacle = world.get::<FlowObstacle<B>>(at)?;
        Some((id, (obstacle.in_battle(), *world.get(at)?)))
    });
    obstacles.collect()
}

/// Loads a save of a battle. The entities of units that are in it stay, with all their
/// components. Those of other units are despawned, and units without an entity get one with
/// the plugin's components, which a game finds by `Added<FlowUnit>`. Orders that were written
/// before are forgotten.
///
/// In lockstep all players load, also the one that saved: what searches have found so far is not
/// in a save, so later the loaded battle and the one that was saved may find different ways.
/// Load after the app's first update, in which the clock stands and no tick runs: a game that
/// loads before is a tick behind the others.
///
/// # Errors
/// For bytes that are no such save; then nothing has changed.
pub fn load<B: Battle>(world: &mut World, bytes: &[u8]) -> Result<(), FlowLoadError> {
    let (contents, map, army) = envelope::unpack(bytes).ok_or(FlowLoadError::Envelope)?;
    // The orders live on in the army.
    let (map, _orders) = FlowWorld::load(map).map_err(FlowLoadError::Map)?;
    let army = Army::load(army, &map).map_err(FlowLoadError::Army)?;
    let Contents {
        mut books,
        foes,
        units: said,
        mut obstacles,
    } = contents;
    let units = army.units().iter().map(|unit| {
        let said = said.get(&unit.id).copied().unwrap_or_default();
        (unit.id, Kept::loaded(unit, said))
    });
    let plane = world.get_resource::<FlowPlane<B>>().cloned();
    let plane = plane.unwrap_or(FlowPlane::of(Lie::Flat));
    for (&id, (obstacle, at)) in &mut obstacles {
        obstacle.settle(at, &plane);
        let danger = obstacle.lying_danger();
        books.dangers.extend(danger.map(|danger| (id, danger)));
    }
    let moment = Moment {
        world: world.id(),
        units: units.collect(),
        obstacles,
        map,
        is_known: true,
        army,
        foes,
        books,
    };
    restore::<B>(world, moment);
    Ok(())
}

/// Keeps a moment of a battle; `None` if the app has none.
///
/// All is in it that the battle has, and what is pending: units that were spawned, despawned or
/// changed since the last tick, and orders that were written since. Take it where no command of
/// a spawn is waiting: between updates, or in an exclusive system.
///
/// # Errors
/// If orders of the army belong to another map.
pub fn snapshot<B: Battle>(world: &World) -> Result<Option<FlowSnapshot>, ArmyLoadError> {
    Ok(moment::<B>(world)?.map(|moment| FlowSnapshot(moment.into())))
}

fn moment<B: Battle>(world: &World) -> Result<Option<Moment>, ArmyLoadError> {
    let (Some(map), Some(army), Some(registry)) = (
        world.get_resource::<FlowMap<B>>(),
        world.get_resource::<FlowArmy<B>>(),
        world.get_resource::<Registry<B>>(),
    ) else {
        return Ok(None);
    };
    let mut books = registry.books.clone();
    if let Some(messages) = world.get_resource::<Messages<FlowOrder<B>>>() {
        let mut read = registry.read.clone();
        let unread = read.read(messages).map(|order| order.command.clone());
        books.orders.extend(unread);
    }
    let units = registry.entities.iter();
    let units = units.filter_map(|(&id, &at)| Some((id, Kept::of(world, registry, at)?)));
    let (is_known, foes) = (map.1, army.1);
    let (map, army, books) = fork(map, army, &books)?;
    Ok(Some(Moment {
        world: world.id(),
        units: units.collect(),
        obstacles: obstacles(world, registry),
        map,
        is_known,
        army,
        foes,
        books,
    }))
}

/// Takes a battle back to a kept moment, with all that was pending then. What came since is
/// forgotten: orders that were written, also those unread, units that were spawned, which are
/// despawned, and changes of the plugin's components. Units that were despawned since come back
/// in new entities, with the plugin's components and their `Transform`; the others keep theirs.
/// What is the game's own it takes back itself. Ticks that are played again emit their
/// [events](crate::FlowEvent) again.
///
/// # Errors
/// If the army of the snapshot has orders of another map.
pub fn rollback<B: Battle>(world: &mut World, to: &FlowSnapshot) -> Result<(), ArmyLoadError> {
    restore::<B>(world, to.0.fork()?);
    Ok(())
}

/// Begins the next level: another map, with an army and groups of its own, whose settings are the
/// default ones; foes of teams stay as they were set. Obstacles and all other units are despawned,
/// and orders that were written are forgotten. Units to be kept stay with all their components
/// and their ids: with the next tick they come to the new army, in the order of their ids, where
/// their `Transform`s are then. They stand, each in its class.
///
/// Nothing happens in an app without the battle. Call it where no command of a spawn is waiting:
/// between updates, or in an exclusive system.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_flowtiles::prelude::*;
/// use bevy_flowtiles::{Main, next_level};
///
/// #[derive(Component)]
/// struct Hero;
///
/// fn descend(world: &mut World) {
///     let cave = CostMap::open(200, 100).expect("a size that fits");
///     let heroes = world.query_filtered::<Entity, With<Hero>>().iter(world).collect::<Vec<_>>();
///     next_level::<Main>(world, FlowWorld::new(cave), heroes);
///     // Now put the heroes' transforms at the entrance, and spawn what lives there.
/// }
/// # bevy_ecs::system::assert_is_system(descend);
/// ```
pub fn next_level<B: Battle>(
    world: &mut World,
    map: FlowWorld,
    keep: impl IntoIterator<Item = Entity>,
) {
    let (Some(registry), Some(army)) = (
        world.get_resource::<Registry<B>>(),
        world.get_resource::<FlowArmy<B>>(),
    ) else {
        return;
    };
    let kept = keep.into_iter().filter_map(|entity| {
        let kept = Kept::of(world, registry, entity)?;
        Some((kept.unit.id, kept.anew()))
    });
    let units: BTreeMap<u32, Kept> = kept.collect();
    let books = Books {
        next_id: registry.books.next_id,
        next_obstacle: registry.books.next_obstacle,
        arrivals: units.keys().copied().collect(),
        ..Books::default()
    };
    let moment = Moment {
        world: world.id(),
        map,
        is_known: true,
        army: Army::default(),
        foes: army.1,
        books,
        units,
        obstacles: BTreeMap::new(),
    };
    restore::<B>(world, moment);
}

fn restore<B: Battle>(world: &mut World, moment: Moment) {
    let Moment {
        map, army, foes, ..
    } = moment;
    let plane = world.get_resource::<FlowPlane<B>>().cloned();
    let registry = world.get_resource_or_init::<Registry<B>>();
    let entities = registry.entities.iter();
    let leavers = entities.filter(|(id, _)| !moment.units.contains_key(id));
    let obstacles = registry.obstacles.iter();
    let lifted = obstacles.filter(|(id, _)| !moment.obstacles.contains_key(id));
    let gone = leavers.chain(lifted).map(|(_, &entity)| entity);
    for entity in gone.collect::<Vec<_>>() {
        world.despawn(entity);
    }
    for (id, (obstacle, at)) in moment.obstacles {
        let registry = world.resource::<Registry<B>>();
        let mut entity = match registry.obstacles.get(&id).copied() {
            Some(entity) => world.entity_mut(entity),
            None => world.spawn_empty(),
        };
        entity.insert((obstacle.in_battle::<B>(), at));
    }
    let mut names = BTreeMap::new();
    let mut changed = Vec::new();
    for (id, kept) in moment.units {
        let registry = world.get_resource_or_init::<Registry<B>>();
        let here = registry.entities.get(&id).copied();
        let mut entity = match here {
            Some(entity) => world.entity_mut(entity),
            None => world.spawn_empty(),
        };
        entity.insert((kept.unit.in_battle::<B>(), kept.motion, kept.group));
        put(&mut entity, kept.class.0);
        put(&mut entity, kept.class.1);
        put(&mut entity, kept.sight);
        put(&mut entity, kept.drive);
        let is_known = kept.motion.is_known;
        // The transform of a unit whose body the game moves is a part of the battle.
        let is_placed = here.is_none() || steps::drives(kept.drive.as_ref());
        let old = entity.get::<Transform>().copied();
        let place = plane.as_ref().filter(|_| is_placed && is_known);
        let place = place.map(|plane| plane.placed(kept.motion.position, old));
        match kept.transform.or(place) {
            Some(transform) => _ = entity.insert(transform),
            None if is_known => {}
            None => _ = entity.remove::<Transform>(),
        }
        names.insert(kept.entity, entity.id());
        changed.extend(kept.is_changed.then_some(entity.id()));
    }
    let mut books = moment.books;
    let others = |entity| match world.id() == moment.world {
        true => entity,
        false => Entity::PLACEHOLDER,
    };
    let name = |entity| {
        names
            .get(&entity)
            .copied()
            .unwrap_or_else(|| others(entity))
    };
    books.orders.iter_mut().for_each(|order| order.rename(name));
    let synced = world.increment_change_tick();
    for entity in changed {
        // One of its components: then all are looked at.
        let group = world.get_mut::<InGroup>(entity);
        group.into_iter().for_each(|mut group| group.set_changed());
    }
    let messages = world.get_resource::<Messages<FlowOrder<B>>>();
    let read = messages.map(Messages::get_cursor_current);
    let mut registry = world.get_resource_or_init::<Registry<B>>();
    registry.books = books;
    registry.read = read.unwrap_or_default();
    registry.synced = synced;
    let mut map = FlowMap::<B>::of(map);
    map.1 = moment.is_known;
    let mut army = FlowArmy::<B>::of(army);
    army.1 = foes;
    world.insert_resource(army);
    world.insert_resource(map);
}

/// Gives an entity a component, or takes it away.
fn put<C: Component>(entity: &mut EntityWorldMut<'_>, component: Option<C>) {
    match component {
        Some(component) => _ = entity.insert(component),
        None => _ = entity.remove::<C>(),
    }
}
