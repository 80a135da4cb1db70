//! The systems of a tick.

use std::marker::PhantomData;
use std::time::Duration;

use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, MessageWriter};
use bevy_ecs::query::{QueryItem, With};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_ecs::world::{Mut, Ref};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use flowtiles::steer::{Army, ArmyError, ArmyEvent, GroupId, Unit};
use flowtiles::{Budget, CellRect, FlowWorld};

use crate::battle::{Books, Registry};
use crate::class::{ClassRefs, class_of};
use crate::{
    Battle, FlowArmy, FlowDrive, FlowError, FlowMap, FlowMotion, FlowPlane, FlowRefused, FlowUnit,
    InGroup, Main,
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
    mut map: ResMut<FlowMap<B>>,
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
            && let Err(error) = take_in(unit, &plane, &mut map, &mut army, &mut registry)
        {
            refused.write(FlowRefused::unit(entity, error));
        }
    }
}

type Arriving<B> = (
    &'static mut FlowUnit<B>,
    &'static mut FlowMotion,
    &'static mut InGroup,
    Option<&'static Transform>,
    Class,
);

type Class = ClassRefs<'static>;

fn take_in<B: Battle>(
    (mut unit, mut motion, mut in_group, transform, parts): QueryItem<'_, '_, Arriving<B>>,
    plane: &FlowPlane<B>,
    map: &mut FlowWorld,
    army: &mut FlowArmy<B>,
    registry: &mut Registry<B>,
) -> Result<(), FlowError> {
    let transform = transform.ok_or(FlowError::NoTransform)?;
    let position = plane.to_map(transform.translation);
    let CellRect { width, height, .. } = map.costs().area();
    let size = [width, height];
    if !(0..2).all(|axis| (0.0..size[axis] as f32).contains(&position[axis])) {
        return Err(FlowError::OffMap { position, size });
    }
    let class = class_of(&parts)?;
    let group = registry.books.group_of(class, in_group.0, army, map)?;
    unit.bypass_change_detection().class = class;
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
    mut map: ResMut<FlowMap<B>>,
    mut army: ResMut<FlowArmy<B>>,
    mut registry: ResMut<Registry<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    ticks: SystemChangeTick,
    mut units: Query<Changing<B>>,
) {
    let since = std::mem::replace(&mut registry.synced, ticks.this_run());
    let is_new = |changed: Tick| changed.is_newer_than(since, ticks.this_run());
    let mut changed: Vec<_> = units
        .iter_mut()
        .filter(|(_, unit, group, class)| changes(unit, group, class).any(is_new))
        .collect();
    // Entities do not come in the same order on all machines, nor after a rollback.
    changed.sort_unstable_by_key(|(_, unit, ..)| unit.id);
    for (entity, mut unit, mut in_group, parts) in changed {
        let Some(known) = army.get(unit.id).copied() else {
            continue;
        };
        let wanted = in_group.0.unwrap_or(known.group);
        let books = &mut registry.books;
        let group = classify(
            &mut unit, &known, wanted, &parts, &mut map, &mut army, books,
        );
        let errors = update(
            &mut army,
            &known,
            &unit,
            *group.as_ref().unwrap_or(&known.group),
        );
        refused.write_batch(errors.map(|error| FlowRefused::unit(entity, error)));
        match group {
            Ok(group) if group != wanted => *in_group = InGroup(Some(group)),
            Ok(_) => {}
            Err(error) => _ = refused.write(FlowRefused::unit(entity, error)),
        }
    }
    army.apply_foes(&map);
}

type Changing<B> = (
    Entity,
    &'static mut FlowUnit<B>,
    &'static mut InGroup,
    Class,
);

/// Returns when the parts of a unit changed that the army takes over.
pub(crate) fn changes(
    unit: &impl DetectChanges,
    group: &impl DetectChanges,
    (layer, team): &ClassRefs<'_>,
) -> impl Iterator<Item = Tick> {
    let class = [
        layer.as_ref().map(Ref::last_changed),
        team.as_ref().map(Ref::last_changed),
    ];
    let unit = [unit.last_changed(), group.last_changed()];
    unit.into_iter().chain(class.into_iter().flatten())
}

/// Returns the group in which a unit is to be: the wanted one, unless it has come to another class
/// or its group is of another.
fn classify<B: Battle>(
    unit: &mut Mut<'_, FlowUnit<B>>,
    known: &Unit,
    wanted: GroupId,
    parts: &ClassRefs<'_>,
    map: &mut FlowWorld,
    army: &mut FlowArmy<B>,
    books: &mut Books,
) -> Result<GroupId, ArmyError> {
    let class = class_of(parts)?;
    if class == unit.class && wanted == known.group {
        return Ok(wanted);
    }
    let group = books.group_of(class, Some(wanted), army, map)?;
    unit.bypass_change_detection().class = class;
    Ok(group)
}

/// Sets what is different of a unit; returns what cannot be set.
fn update<B: Battle>(
    army: &mut Army,
    known: &Unit,
    unit: &FlowUnit<B>,
    group: GroupId,
) -> impl Iterator<Item = ArmyError> {
    let id = known.id;
    let mut set = |is_new: bool, set: &dyn Fn(&mut Army) -> Result<(), ArmyError>| {
        is_new.then(|| set(army)).and_then(Result::err)
    };
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

/// Takes over where the game has moved units of which it moves the bodies.
pub(crate) fn follow<B: Battle>(
    plane: Res<FlowPlane<B>>,
    mut army: ResMut<FlowArmy<B>>,
    mut refused: MessageWriter<FlowRefused<B>>,
    units: Query<(Entity, &FlowUnit<B>, &FlowDrive, &Transform)>,
) {
    let driven = units.iter().filter(|(_, _, drive, _)| drives(Some(drive)));
    let mut driven: Vec<_> = driven
        .map(|(entity, unit, _, at)| (unit.id, entity, plane.to_map(at.translation)))
        .collect();
    driven.sort_unstable_by_key(|&(id, ..)| id);
    for (id, entity, position) in driven {
        let is_there = |unit: &Unit| unit.position == position;
        if army.get(id).is_some_and(|unit| !is_there(unit))
            && let Err(error) = army.carry(id, position)
        {
            refused.write(FlowRefused::unit(entity, error));
        }
    }
}

/// Whether the game moves the body of a unit.
pub(crate) fn drives(drive: Option<&FlowDrive>) -> bool {
    drive == Some(&FlowDrive::Velocity)
}

type Placed = (
    &'static FlowMotion,
    &'static mut Transform,
    Option<&'static FlowDrive>,
);

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
    let known = units
        .iter_mut()
        .filter(|&(motion, _, drive)| motion.is_known && !drives(drive));
    for (motion, mut transform, _) in known {
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
