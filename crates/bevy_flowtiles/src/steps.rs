//! The systems of a tick.

use std::marker::PhantomData;
use std::time::Duration;

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageWriter};
use bevy_ecs::query::{QueryItem, With};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_ecs::world::Ref;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use flowtiles::steer::{Army, ArmyError, ArmyEvent, GroupId, Unit};
use flowtiles::{Budget, CellRect, FlowWorld};

use crate::battle::Registry;
use crate::{
    Battle, FlowArmy, FlowError, FlowMap, FlowMotion, FlowPlane, FlowRefused, FlowUnit, InGroup,
    Main,
};

/// An event of an army, after a tick.
#[derive(Message, Clone, Copy, Debug)]
pub struct FlowEvent<B: Battle = Main> {
    /// What has happened.
    pub event: ArmyEvent,
    /// The entity of the unit that the event names.
    pub unit: Option<Entity>,
    battle: PhantomData<B>,
}

/// What a tick is.
#[derive(Resource)]
pub(crate) struct Ticking<B: Battle> {
    /// The work of the world.
    pub(crate) budget: Budget,
    pub(crate) length: Length,
    pub(crate) battle: PhantomData<B>,
}

/// How long a tick is.
#[derive(Clone, Copy)]
pub(crate) enum Length {
    /// As long as the timestep of `Time<Fixed>`.
    Timestep,
    /// As long as the frame.
    Frame,
    Set(Duration),
}

/// Takes units out and in.
pub(crate) fn exchange<B: Battle>(
    plane: Res<FlowPlane<B>>,
    map: Res<FlowMap<B>>,
    mut army: ResMut<FlowArmy<B>>,
    mut registry: ResMut<Registry<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    mut arriving: Query<Arriving<B>>,
) {
    for id in std::mem::take(&mut registry.books.departures) {
        army.remove(id);
    }
    for id in std::mem::take(&mut registry.books.arrivals) {
        // One that was despawned before it came is gone from there.
        let Some(&entity) = registry.entities.get(&id) else {
            continue;
        };
        if let Ok(unit) = arriving.get_mut(entity)
            && let Err(error) = take_in(unit, &plane, &map, &mut army, &mut registry)
        {
            refused.write(FlowRefused::unit(entity, error));
        }
    }
}

type Arriving<B> = (
    &'static FlowUnit<B>,
    &'static mut FlowMotion,
    &'static mut InGroup,
    Option<&'static Transform>,
);

fn take_in<B: Battle>(
    (unit, mut motion, mut in_group, transform): QueryItem<'_, '_, Arriving<B>>,
    plane: &FlowPlane<B>,
    map: &FlowWorld,
    army: &mut Army,
    registry: &mut Registry<B>,
) -> Result<(), FlowError> {
    let transform = transform.ok_or(FlowError::NoTransform)?;
    let position = plane.to_map(transform.translation);
    let CellRect { width, height, .. } = map.costs().area();
    let size = [width, height];
    if !(0..2).all(|axis| (0.0..size[axis] as f32).contains(&position[axis])) {
        return Err(FlowError::OffMap { position, size });
    }
    let group = in_group
        .0
        .unwrap_or_else(|| registry.books.idle_group(army));
    in_group.set_if_neq(InGroup(Some(group)));
    (motion.before, motion.position) = (position, position);
    let added = Unit::new(unit.id, group, position)
        .with_radius(unit.radius)
        .with_speed(unit.speed)
        .with_weight(unit.weight)
        .with_turning(unit.turning);
    army.add(added)?;
    motion.is_known = true;
    Ok(())
}

/// Takes over what changed of the components of units.
pub(crate) fn change<B: Battle>(
    mut army: ResMut<FlowArmy<B>>,
    mut registry: ResMut<Registry<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    ticks: SystemChangeTick,
    units: Query<(Entity, Ref<FlowUnit<B>>, Ref<InGroup>)>,
) {
    let since = std::mem::replace(&mut registry.synced, ticks.this_run());
    let is_new = |changed: Tick| changed.is_newer_than(since, ticks.this_run());
    let mut changed: Vec<_> = units
        .iter()
        .filter(|(_, unit, group)| is_new(unit.last_changed()) || is_new(group.last_changed()))
        .collect();
    // Entities do not come in the same order on all machines, nor after a rollback.
    changed.sort_unstable_by_key(|(_, unit, _)| unit.id);
    for (entity, unit, in_group) in changed {
        if let Some(known) = army.get(unit.id).copied() {
            let errors = update(&mut army, &known, &unit, in_group.0);
            refused.write_batch(errors.map(|error| FlowRefused::unit(entity, error)));
        }
    }
}

/// Sets what is different of a unit; returns what cannot be set.
fn update<B: Battle>(
    army: &mut Army,
    known: &Unit,
    unit: &FlowUnit<B>,
    group: Option<GroupId>,
) -> impl Iterator<Item = ArmyError> {
    let id = known.id;
    let mut set = |is_new: bool, set: &dyn Fn(&mut Army) -> Result<(), ArmyError>| {
        is_new.then(|| set(army)).and_then(Result::err)
    };
    let group = group.unwrap_or(known.group);
    let errors = [
        set(unit.radius != known.radius, &|army| {
            army.set_radius(id, unit.radius)
        }),
        set(unit.speed != known.speed, &|army| {
            army.set_speed(id, unit.speed)
        }),
        set(unit.weight != known.weight, &|army| {
            army.set_weight(id, unit.weight)
        }),
        set(unit.turning != known.turning, &|army| {
            army.set_turning(id, unit.turning)
        }),
        set(group != known.group, &|army| army.set_group(id, group)),
    ];
    errors.into_iter().flatten()
}

pub(crate) fn tick<B: Battle>(mut map: ResMut<FlowMap<B>>, tick: Res<Ticking<B>>) {
    map.tick(tick.budget);
}

pub(crate) fn step<B: Battle>(
    mut map: ResMut<FlowMap<B>>,
    mut army: ResMut<FlowArmy<B>>,
    tick: Res<Ticking<B>>,
    time: Option<Res<Time>>,
    fixed: Option<Res<Time<Fixed>>>,
) {
    let timestep = || {
        fixed.map_or(Time::<Fixed>::default().timestep(), |fixed| {
            fixed.timestep()
        })
    };
    // The clock of frames stands if the schedule is run without them.
    let frame = time.filter(|time| !time.elapsed().is_zero());
    let length = match (tick.length, frame) {
        (Length::Set(length), _) => length,
        (Length::Frame, Some(time)) => time.delta(),
        _ => timestep(),
    };
    army.step(&map, length.as_secs_f32());
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

/// Passes on the army's events.
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
