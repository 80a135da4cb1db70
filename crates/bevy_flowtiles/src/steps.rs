//! The systems of a tick.

use std::marker::PhantomData;

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageWriter};
use bevy_ecs::query::{Changed, Or, With};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Local, Query, Res, ResMut};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use flowtiles::Budget;
use flowtiles::steer::{Army, ArmyError, ArmyEvent, GroupId, Unit};

use crate::battle::Registry;
use crate::{
    Battle, FlowArmy, FlowMap, FlowMotion, FlowPlane, FlowRefused, FlowUnit, InGroup, Main,
};

/// What an army tells after a tick.
#[derive(Message, Clone, Copy, Debug)]
pub struct FlowEvent<B: Battle = Main> {
    /// What has happened.
    pub event: ArmyEvent,
    /// The entity of the unit that the event names.
    pub unit: Option<Entity>,
    battle: PhantomData<B>,
}

/// The work of the world in a tick.
#[derive(Resource)]
pub(crate) struct Work<B: Battle> {
    pub(crate) budget: Budget,
    pub(crate) battle: PhantomData<B>,
}

/// Says once that nothing moves, if there are units and no map.
pub(crate) fn warn_without_map<B: Battle>(registry: Res<Registry<B>>, mut warned: Local<bool>) {
    if !*warned && !registry.arrivals.is_empty() {
        *warned = true;
        tracing::warn!(
            "units were spawned, but nothing moves them without a map: insert a `FlowMap` as a \
             resource"
        );
    }
}

/// Takes units out and in.
pub(crate) fn exchange<B: Battle>(
    plane: Res<FlowPlane<B>>,
    mut army: ResMut<FlowArmy<B>>,
    mut registry: ResMut<Registry<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    mut arriving: Query<(&FlowUnit<B>, &mut FlowMotion, &mut InGroup, &Transform)>,
) {
    for id in std::mem::take(&mut registry.departures) {
        army.remove(id);
    }
    for entity in std::mem::take(&mut registry.arrivals) {
        let Ok((unit, mut motion, mut in_group, transform)) = arriving.get_mut(entity) else {
            continue;
        };
        let position = plane.to_map(transform.translation);
        let group = in_group.0.unwrap_or_else(|| registry.idle_group(&mut army));
        in_group.set_if_neq(InGroup(Some(group)));
        (motion.before, motion.position) = (position, position);
        let added = Unit::new(unit.id, group, position)
            .with_radius(unit.radius)
            .with_speed(unit.speed)
            .with_weight(unit.weight)
            .with_turning(unit.turning);
        match army.add(added) {
            Ok(()) => motion.is_known = true,
            Err(error) => drop(refused.write(FlowRefused::unit(entity, error))),
        }
    }
}

type IsChanged<B> = Or<(Changed<FlowUnit<B>>, Changed<InGroup>)>;

/// Takes over what changed of the components of units.
pub(crate) fn change<B: Battle>(
    mut army: ResMut<FlowArmy<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    changed: Query<(Entity, &FlowUnit<B>, &InGroup), IsChanged<B>>,
) {
    for (entity, unit, in_group) in &changed {
        if let Some(known) = army.get(unit.id).copied()
            && let Err(error) = update(&mut army, &known, unit, in_group.0)
        {
            refused.write(FlowRefused::unit(entity, error));
        }
    }
}

fn update<B: Battle>(
    army: &mut Army,
    known: &Unit,
    unit: &FlowUnit<B>,
    group: Option<GroupId>,
) -> Result<(), ArmyError> {
    let id = known.id;
    if unit.radius != known.radius {
        army.set_radius(id, unit.radius)?;
    }
    if unit.speed != known.speed {
        army.set_speed(id, unit.speed)?;
    }
    if unit.weight != known.weight {
        army.set_weight(id, unit.weight)?;
    }
    if unit.turning != known.turning {
        army.set_turning(id, unit.turning)?;
    }
    match group {
        Some(group) if group != known.group => army.set_group(id, group),
        _ => Ok(()),
    }
}

pub(crate) fn tick<B: Battle>(mut map: ResMut<FlowMap<B>>, work: Res<Work<B>>) {
    map.tick(work.budget);
}

pub(crate) fn step<B: Battle>(
    mut map: ResMut<FlowMap<B>>,
    mut army: ResMut<FlowArmy<B>>,
    time: Res<Time>,
) {
    army.step(&map, time.delta_secs());
    army.cover_strays(&mut map);
}

/// Writes where units are.
pub(crate) fn write<B: Battle>(
    army: Res<FlowArmy<B>>,
    mut units: Query<(&FlowUnit<B>, &mut FlowMotion)>,
) {
    for (unit, mut motion) in &mut units {
        let Some(now) = army.get(unit.id) else {
            continue;
        };
        let mut new = *motion;
        new.note(now);
        motion.set_if_neq(new);
    }
}

/// Passes on what the army tells.
pub(crate) fn report<B: Battle>(
    army: Res<FlowArmy<B>>,
    registry: Res<Registry<B>>,
    mut events: MessageWriter<FlowEvent<B>>,
    mut motions: Query<&mut FlowMotion>,
) {
    for &event in army.events() {
        let unit = match event {
            ArmyEvent::Arrived { unit }
            | ArmyEvent::Unreachable { unit }
            | ArmyEvent::Stuck { unit, .. }
            | ArmyEvent::TooWide { unit }
            | ArmyEvent::Entered { unit, .. }
            | ArmyEvent::Reached { unit, .. }
            | ArmyEvent::Lost { unit, .. } => Some(unit),
            _ => None,
        };
        let unit = unit.and_then(|unit| registry.entities.get(&unit)).copied();
        // A unit that has entered a link is at its other end at once.
        if let (ArmyEvent::Entered { .. }, Some(Ok(mut motion))) =
            (event, unit.map(|unit| motions.get_mut(unit)))
        {
            motion.before = motion.position;
        }
        events.write(FlowEvent {
            event,
            unit,
            battle: PhantomData,
        });
    }
}

type Placed = (&'static FlowMotion, &'static mut Transform);

/// Places the transforms of units between their last two positions.
pub(crate) fn place<B: Battle>(
    plane: Res<FlowPlane<B>>,
    time: Option<Res<Time<Fixed>>>,
    mut units: Query<Placed, With<FlowUnit<B>>>,
) {
    let part = time.map_or(1.0, |time| time.overstep_fraction());
    place_at(&plane, part, &mut units);
}

/// Places the transforms of units where they are.
pub(crate) fn place_now<B: Battle>(
    plane: Res<FlowPlane<B>>,
    mut units: Query<Placed, With<FlowUnit<B>>>,
) {
    place_at(&plane, 1.0, &mut units);
}

fn place_at<B: Battle>(
    plane: &FlowPlane<B>,
    part: f32,
    units: &mut Query<Placed, With<FlowUnit<B>>>,
) {
    let known = units.iter_mut().filter(|(motion, _)| motion.is_known);
    for (motion, mut transform) in known {
        let position = [0, 1].map(|axis| {
            let (before, now) = (motion.before[axis], motion.position[axis]);
            before + (now - before) * part
        });
        let height = plane.height_of(transform.translation);
        let place = plane.to_scene(position, height);
        if transform.translation != place {
            transform.translation = place;
        }
        if let Some(heading) = motion.heading.filter(|_| plane.turns && motion.is_moving) {
            let rotation = plane.rotation(heading);
            if transform.rotation != rotation {
                transform.rotation = rotation;
            }
        }
    }
}
