//! Saves, and going back to an earlier moment.
//!
//! Entities stay with their units: by ids, which are counted alike on all machines.

use std::fmt;
use std::sync::Arc;

use bevy_ecs::world::World;
use bevy_transform::components::Transform;
use flowtiles::FlowWorld;
use flowtiles::error::LoadError;
use flowtiles::steer::{Army, ArmyLoadError};

use crate::battle::Registry;
use crate::{Battle, FlowArmy, FlowMap, FlowMotion, FlowPlane, FlowUnit, InGroup};

/// A moment of a battle, to [go back](rollback) to.
#[derive(Clone)]
pub struct FlowSnapshot {
    battle: Arc<(FlowWorld, Army)>,
    next_id: u32,
}

impl fmt::Debug for FlowSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = self.battle.1.units().len();
        write!(f, "FlowSnapshot({units} units)")
    }
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

/// Saves the map and the army of a battle; `None` if the app has none. Orders that were
/// written since the last tick are not in it, nor units that were spawned since.
#[must_use]
pub fn save<B: Battle>(world: &World) -> Option<Vec<u8>> {
    let map = world.get_resource::<FlowMap<B>>()?.save();
    let army = world.get_resource::<FlowArmy<B>>()?.save();
    let next_id = world.get_resource::<Registry<B>>()?.next_id;
    let mut bytes = next_id.to_le_bytes().to_vec();
    bytes.extend((map.len() as u64).to_le_bytes());
    bytes.extend(map);
    bytes.extend(army);
    Some(bytes)
}

/// Loads a save of a battle. The entities of units that are in it stay, with all their
/// components. Those of other units are despawned, and units without an entity get one with
/// the plugin's components, which a game finds by `Added<FlowUnit>`.
///
/// # Errors
/// For bytes that are no such save; then nothing has changed.
pub fn load<B: Battle>(world: &mut World, bytes: &[u8]) -> Result<(), FlowLoadError> {
    let (next_id, rest) = bytes.split_first_chunk().ok_or(FlowLoadError::Envelope)?;
    let (length, rest) = rest.split_first_chunk().ok_or(FlowLoadError::Envelope)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok();
    let parts = length.and_then(|length| rest.split_at_checked(length));
    let (map, army) = parts.ok_or(FlowLoadError::Envelope)?;
    // The orders live on in the army.
    let (map, _orders) = FlowWorld::load(map).map_err(FlowLoadError::Map)?;
    let army = Army::load(army, &map).map_err(FlowLoadError::Army)?;
    restore::<B>(world, map, army, u32::from_le_bytes(*next_id));
    Ok(())
}

/// Keeps a moment of a battle; `None` if the app has none.
///
/// # Errors
/// If orders of the army belong to another map.
pub fn snapshot<B: Battle>(world: &World) -> Result<Option<FlowSnapshot>, ArmyLoadError> {
    let (Some(map), Some(army), Some(registry)) = (
        world.get_resource::<FlowMap<B>>(),
        world.get_resource::<FlowArmy<B>>(),
        world.get_resource::<Registry<B>>(),
    ) else {
        return Ok(None);
    };
    Ok(Some(FlowSnapshot {
        battle: army.fork(map)?.into(),
        next_id: registry.next_id,
    }))
}

/// Takes a battle back to a kept moment. Entities are dealt with as by [`load`].
///
/// # Errors
/// If the army of the snapshot has orders of another map.
pub fn rollback<B: Battle>(world: &mut World, to: &FlowSnapshot) -> Result<(), ArmyLoadError> {
    let (map, army) = to.battle.1.fork(&to.battle.0)?;
    restore::<B>(world, map, army, to.next_id);
    Ok(())
}

fn restore<B: Battle>(world: &mut World, map: FlowWorld, army: Army, next_id: u32) {
    let registry = world.get_resource_or_init::<Registry<B>>();
    let leavers: Vec<_> = registry
        .entities
        .iter()
        .filter(|(id, _)| army.get(**id).is_none())
        .map(|(_, &entity)| entity)
        .collect();
    for entity in leavers {
        world.despawn(entity);
    }
    for unit in army.units() {
        let motion = FlowMotion::of(unit);
        let mut component = FlowUnit::<B>::of(unit.radius, unit.speed);
        (component.weight, component.turning, component.id) = (unit.weight, unit.turning, unit.id);
        let registry = world.get_resource_or_init::<Registry<B>>();
        let parts = (component, motion, InGroup(Some(unit.group)));
        match registry.entities.get(&unit.id).copied() {
            Some(entity) => _ = world.entity_mut(entity).insert(parts),
            None => {
                let plane = world.get_resource::<FlowPlane<B>>();
                let place = plane.map(|plane| plane.to_scene(unit.position, plane.height));
                let place = Transform::from_translation(place.unwrap_or_default());
                world.spawn((parts, place));
            }
        }
    }
    let mut registry = world.get_resource_or_init::<Registry<B>>();
    registry.next_id = next_id;
    registry.arrivals.clear();
    registry.departures.clear();
    world.insert_resource(FlowArmy::<B>::of(army));
    world.insert_resource(FlowMap::<B>::of(map));
}
