//! Saves, and going back to an earlier moment.
//!
//! Entities stay with their units: by ids, which are counted alike on all machines.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut};
use bevy_ecs::entity::Entity;
use bevy_ecs::message::Messages;
use bevy_ecs::schedule::{IntoScheduleConfigs, Schedule};
use bevy_ecs::world::{World, WorldId};
use bevy_transform::components::Transform;
use flowtiles::FlowWorld;
use flowtiles::error::LoadError;
use flowtiles::steer::{Army, ArmyLoadError, GroupId, Unit};

use crate::battle::{Books, Registry};
use crate::{
    Battle, FlowArmy, FlowMap, FlowMotion, FlowOrder, FlowPlane, FlowRefused, FlowUnit, InGroup,
    Main, orders, steps,
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
    army: Army,
    books: Books,
    /// By id.
    units: BTreeMap<u32, Kept>,
}

/// A unit with an entity.
#[derive(Clone)]
struct Kept {
    entity: Entity,
    unit: FlowUnit<Main>,
    group: InGroup,
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
        let changed = [unit.last_changed(), group.last_changed()];
        let now = world.read_change_tick();
        let is_changed = changed
            .iter()
            .any(|at| at.is_newer_than(registry.synced, now));
        Some(Self {
            entity: entity.id(),
            unit: unit.in_battle(),
            group: *group,
            motion: *entity.get()?,
            transform: entity.get().copied(),
            is_changed,
        })
    }

    /// Returns a unit of an army, without an entity.
    fn loaded(unit: &Unit) -> Self {
        Self {
            entity: Entity::PLACEHOLDER,
            unit: FlowUnit::known(unit),
            group: InGroup(Some(unit.group)),
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
        let (world, units) = (self.world, self.units.clone());
        Ok(Self {
            world,
            map,
            army,
            books,
            units,
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

const HEAD: &[u8] = b"FLOWBEVY";
const VERSION: u64 = 1;
const NO_GROUP: u64 = u64::MAX;

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
    let sync = (steps::exchange::<B>, steps::change::<B>);
    begin.add_systems((sync.chain(), orders::carry_out::<B>).chain());
    begin.run(&mut copy);
    for refused in copy.resource_mut::<Messages<FlowRefused<B>>>().drain() {
        tracing::warn!("not in the save, since it is refused: {}", refused.error);
    }
    let Books {
        next_id,
        idle,
        made,
        ..
    } = &copy.resource::<Registry<B>>().books;
    let map = copy.resource::<FlowMap<B>>().save();
    let idle = idle.map_or(NO_GROUP, GroupId::number);
    let counts = [VERSION, (*next_id).into(), idle, made.len() as u64];
    let numbers = made.iter().map(|group| group.number());
    let numbers = counts.into_iter().chain(numbers).chain([map.len() as u64]);
    let mut bytes = HEAD.to_vec();
    bytes.extend(numbers.flat_map(u64::to_le_bytes));
    bytes.extend(map);
    bytes.extend(copy.resource::<FlowArmy<B>>().save());
    Ok(Some(bytes))
}

/// Returns the books of a save, its map and its army.
fn unpack(bytes: &[u8]) -> Option<(Books, &[u8], &[u8])> {
    let mut rest = bytes.strip_prefix(HEAD)?;
    let mut number = || {
        let (number, behind) = rest.split_first_chunk()?;
        rest = behind;
        Some(u64::from_le_bytes(*number))
    };
    if number()? != VERSION {
        return None;
    }
    let mut books = Books {
        next_id: number()?.try_into().ok()?,
        idle: Some(number()?)
            .filter(|&idle| idle != NO_GROUP)
            .map(GroupId::from_number),
        ..Books::default()
    };
    for _ in 0..number()? {
        books.made.insert(GroupId::from_number(number()?));
    }
    let length = number()?.try_into().ok()?;
    let (map, army) = rest.split_at_checked(length)?;
    Some((books, map, army))
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
    let (books, map, army) = unpack(bytes).ok_or(FlowLoadError::Envelope)?;
    // The orders live on in the army.
    let (map, _orders) = FlowWorld::load(map).map_err(FlowLoadError::Map)?;
    let army = Army::load(army, &map).map_err(FlowLoadError::Army)?;
    let units = army
        .units()
        .iter()
        .map(|unit| (unit.id, Kept::loaded(unit)));
    let moment = Moment {
        world: world.id(),
        units: units.collect(),
        map,
        army,
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
    let (map, army, books) = fork(map, army, &books)?;
    Ok(Some(Moment {
        world: world.id(),
        units: units.collect(),
        map,
        army,
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

fn restore<B: Battle>(world: &mut World, moment: Moment) {
    let Moment { map, army, .. } = moment;
    let plane = world.get_resource::<FlowPlane<B>>().cloned();
    let registry = world.get_resource_or_init::<Registry<B>>();
    let entities = registry.entities.iter();
    let leavers = entities.filter(|(id, _)| !moment.units.contains_key(id));
    for entity in leavers.map(|(_, &entity)| entity).collect::<Vec<_>>() {
        world.despawn(entity);
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
        let is_known = kept.motion.is_known;
        let place = plane.as_ref().filter(|_| here.is_none() && is_known);
        let place = place.map(|plane| plane.to_scene(kept.motion.position, plane.height));
        match kept.transform.or(place.map(Transform::from_translation)) {
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
    map.1 = true;
    world.insert_resource(FlowArmy::<B>::of(army));
    world.insert_resource(map);
}
