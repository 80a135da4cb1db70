//! Armies: units in groups, moved one step at a time.

use flowtiles::steer::parts::anchor;
use flowtiles::steer::{
    Army, ArmyError, Chase, GroupId, GroupSettings, Pace, Reading, Settings, Target, Unit,
    UnitState,
};
use flowtiles::{FlowWorld, LayerId, Teams};

use crate::convert::{flag, goal, reading, settings, shape, target};
use crate::handles::{ARMIES, ORDERS, WORLDS, change_army, change_both};
use crate::memory::{
    Out, answer_into, array, check_or_null, count_into, fill_or_skip, give_all, one,
};
use crate::status::{Fault, answer, flowtiles_status};
use crate::types::*;
use crate::world::give_bytes;

/// Changes what is set of a group.
pub(crate) fn configure(
    army: &mut Army,
    group: GroupId,
    world: &FlowWorld,
    change: impl FnOnce(&mut GroupSettings),
) -> Result<(), ArmyError> {
    let known = army.settings(group).ok_or(ArmyError::NoGroup { group })?;
    let mut settings = *known;
    change(&mut settings);
    army.configure(group, settings, world)
}

/// Gives a group of an army a target, in one way or another.
///
/// # Safety
/// As the head of the crate says.
unsafe fn give(
    army: flowtiles_army,
    group: flowtiles_group,
    target: *const flowtiles_target,
    how: impl FnOnce(&mut Army, GroupId, Target) -> Result<(), ArmyError>,
) -> Result<(), Fault> {
    // SAFETY: as for this function.
    let given = unsafe { one(target, "target") }?;
    let target = self::target(given, ARMIES.get(army)?.world)?;
    change_army(army, |army| how(army, GroupId::from_number(group), target))
}

/// Fills in the settings of a march: units follow their field, keep a little room, step
/// aside for each other, and push where they touch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_settings_default(
    settings: *mut flowtiles_settings,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    let out = unsafe { Out::new(settings, "settings") };
    answer_into(out, || Ok(Settings::default().into()))
}

/// Fills in a target: to stand, and for chases a range of 0.5 cells, a leash of 24 and a
/// sight of 10.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_target_default(
    target: *mut flowtiles_target,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(target, "target") }, || {
        let chase = Chase::default();
        Ok(flowtiles_target {
            order: 0,
            kind: FLOWTILES_TARGET_STAND,
            unit: 0,
            x: 0.0,
            y: 0.0,
            range: chase.range,
            leash: chase.leash,
            sight: chase.sight,
            safe: chase.sight,
        })
    })
}

/// Makes an army without units for a world. `settings` may be `NULL` for the default. The
/// caller owns it and frees it with `flowtiles_army_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_new(
    world: flowtiles_world,
    settings: *const flowtiles_settings,
    army: *mut flowtiles_army,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(army, "army") }, || {
        WORLDS.get(world)?;
        let settings = if settings.is_null() {
            Settings::default()
        } else {
            // SAFETY: see the head of the crate.
            self::settings(unsafe { one(settings, "settings") }?)?
        };
        ARMIES.enter(Army::new(settings)?, world)
    })
}

/// Frees an army, and its claims on orders. Allowed after the world was freed.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_free(army: flowtiles_army) -> flowtiles_status {
    answer(|| ARMIES.free(army))
}

/// Copies an army for a copy of its world, as `flowtiles_world_fork` made it at the same moment: for rollback. The caller owns
/// the copy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_fork(
    army: flowtiles_army,
    world_copy: flowtiles_world,
    copy: *mut flowtiles_army,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(copy, "copy") }, || {
        let stage = WORLDS.get(world_copy)?;
        let mut forked = ARMIES.get(army)?.read()?.clone();
        forked.bind(&stage.read()?.world)?;
        ARMIES.enter(forked, world_copy)
    })
}

/// Adds a group that stands, and reads its field in one of the `FLOWTILES_READING_` ways;
/// `FLOWTILES_READING_AHEAD` is right for nearly everything.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_add_group(
    army: flowtiles_army,
    reading: u32,
    group: *mut flowtiles_group,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(group, "group") }, || {
        let reading = self::reading(reading)?;
        let id = change_army(army, |army| army.add_group(Target::Stand, reading))?;
        Ok(id.number())
    })
}

/// Removes a group with its units.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_remove_group(
    army: flowtiles_army,
    group: flowtiles_group,
) -> flowtiles_status {
    let group = GroupId::from_number(group);
    answer(|| change_army(army, |army| army.remove_group(group).map(drop)))
}

/// Adds `count` units. If one is refused, none is added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_add_units(
    army: flowtiles_army,
    units: *const flowtiles_unit,
    count: usize,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let units = unsafe { array(units, count, "units") }?;
        change_army(army, |army| {
            for (at, unit) in units.iter().enumerate() {
                let group = GroupId::from_number(unit.group);
                let added = Unit::new(unit.id, group, [unit.x, unit.y])
                    .with_radius(unit.radius)
                    .with_speed(unit.speed);
                if let Err(error) = army.add(added) {
                    army.remove_all(units[..at].iter().map(|unit| unit.id));
                    return Err(error);
                }
            }
            Ok(())
        })
    })
}

/// Removes those of `count` units that the army has, and writes how many these were.
/// `removed` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_remove_units(
    army: flowtiles_army,
    ids: *const u32,
    count: usize,
    removed: *mut usize,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::maybe(removed, "removed") }, || {
        // SAFETY: see the head of the crate.
        let ids = unsafe { array(ids, count, "ids") }?;
        change_army(army, |army| {
            Ok::<_, Fault>(army.remove_all(ids.iter().copied()))
        })
    })
}

/// Puts a unit at another place, as a teleporter does; it sets out from there.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_set_position(
    army: flowtiles_army,
    unit: u32,
    x: f32,
    y: f32,
) -> flowtiles_status {
    answer(|| change_army(army, |army| army.set_position(unit, [x, y])))
}

/// Gives a unit another group of the army.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_set_group(
    army: flowtiles_army,
    unit: u32,
    group: flowtiles_group,
) -> flowtiles_status {
    let group = GroupId::from_number(group);
    answer(|| change_army(army, |army| army.set_group(unit, group)))
}

/// Gives a group a target, and forgets those that wait. An order for the ground is refused if
/// the group is on another layer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_send(
    army: flowtiles_army,
    group: flowtiles_group,
    target: *const flowtiles_target,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer(|| unsafe { give(army, group, target, Army::send) })
}

/// Gives a group a target for after those that it has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_queue(
    army: flowtiles_army,
    group: flowtiles_group,
    target: *const flowtiles_target,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer(|| unsafe { give(army, group, target, Army::queue) })
}

/// Makes an order from where a group's units are to a goal, and sends the group there. Units
/// off the map do not count. Refused if the goal is on the ground's layer and the group on
/// another. If `order` is not `NULL`, the caller gets a claim of its own; otherwise the order
/// ends when the group gets another target.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_order(
    army: flowtiles_army,
    group: flowtiles_group,
    goal: *const flowtiles_goal,
    order: *mut flowtiles_order,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let (goal, out) = unsafe {
            let goal = self::goal(one(goal, "goal")?)?;
            (goal, Out::maybe(order, "order")?)
        };
        let group = GroupId::from_number(group);
        let world = ARMIES.get(army)?.world;
        let claim = change_both(army, |army, world| {
            let layer = army.settings(group).map(|known| known.layer);
            let layer = layer.ok_or(ArmyError::NoGroup { group })?;
            // What `send` would refuse, before the world has the order.
            if goal.layer() == LayerId::GROUND && layer != LayerId::GROUND {
                return Err(ArmyError::GroundOrder { group, layer });
            }
            let width = world
                .movement(goal.layer())
                .map_or(1, |movement| movement.size());
            let map = world.costs().area();
            let cells = army.members(group).map(|unit| anchor(width, unit.position));
            let cells: Vec<_> = cells.filter(|&cell| map.contains(cell)).collect();
            let claim = world.order(goal, &cells)?;
            army.send(group, claim.clone())?;
            Ok(claim)
        })?;
        if !order.is_null() {
            out.set(ORDERS.enter(claim, world)?);
        }
        Ok(())
    })
}

/// Puts a group into a formation, one of the `FLOWTILES_SHAPE_` numbers, with this many
/// cells between its places.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_form(
    army: flowtiles_army,
    group: flowtiles_group,
    shape: u32,
    spacing: f32,
) -> flowtiles_status {
    answer(|| {
        let shape = self::shape(shape)?;
        let group = GroupId::from_number(group);
        change_both(army, |army, world| army.form(group, shape, spacing, world))
    })
}

/// Lets a group's units go without a formation.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_disband(
    army: flowtiles_army,
    group: flowtiles_group,
) -> flowtiles_status {
    let group = GroupId::from_number(group);
    answer(|| change_army(army, |army| army.disband(group)))
}

/// Sets how a group goes: its team, 0 to 7, a bit for each team that are its foes, its
/// reading, and with `together` 1 whether all go at the speed of the slowest.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_set_manner(
    army: flowtiles_army,
    group: flowtiles_group,
    team: u8,
    foes: u8,
    reading: u32,
    together: u32,
) -> flowtiles_status {
    answer(|| {
        let reading: Reading = self::reading(reading)?;
        let pace = if flag("together", together)? {
            Pace::Slowest
        } else {
            Pace::Own
        };
        let group = GroupId::from_number(group);
        change_both(army, |army, world| {
            configure(army, group, world, |settings| {
                (settings.team, settings.foes) = (team, Teams::from_bits(foes));
                (settings.reading, settings.pace) = (reading, pace);
            })
        })
    })
}

/// Moves all units on by this many seconds, and then extends the orders of those that
/// stand off their fields. Call it once for each tick of the world, always with the same
/// duration, from 0 to 1,000: 0.05 is a good one.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_step(army: flowtiles_army, seconds: f32) -> flowtiles_status {
    answer(|| {
        if !(0.0..=1_000.0).contains(&seconds) {
            let text = format!("`seconds` cannot be {seconds}: give 0 to 1,000");
            return Err(Fault::argument(text));
        }
        change_both(army, |army, world| {
            army.step(world, seconds);
            army.cover_strays(world);
            Ok::<_, Fault>(())
        })
    })
}

/// Sets what the army's jams cost more on a layer, by level: `costs` are four numbers, the
/// first for where units begin to wait, the last for a full jam. Four times 0 takes all of it
/// away.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_set_jam_costs(
    army: flowtiles_army,
    layer: flowtiles_layer,
    costs: *const u8,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let costs = unsafe { array(costs, 4, "costs") }?;
        let costs = [costs[0], costs[1], costs[2], costs[3]];
        let layer = crate::convert::layer(layer)?;
        change_both(army, |army, world| {
            army.set_jam_costs(world, layer, costs).map(drop)
        })
    })
}

/// Notes where the army is jammed, and makes these places cost more on the layers of
/// `flowtiles_army_set_jam_costs`. Twice a second is often enough.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_army_note_jams(army: flowtiles_army) -> flowtiles_status {
    answer(|| {
        change_both(army, |army, world| {
            army.note_jams(world);
            Ok::<_, Fault>(())
        })
    })
}

/// Moves units out of walls, after an edit or a building that covers them, to the nearest free places.
/// Their number goes to `moved`, which may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_put_out_of_walls(
    army: flowtiles_army,
    moved: *mut usize,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::maybe(moved, "moved") }, || {
        change_both(army, |army, world| {
            Ok::<_, Fault>(army.put_out_of_walls(world))
        })
    })
}

/// Writes the army's groups, the oldest first: after a load those of the save.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_groups(
    army: flowtiles_army,
    groups: *mut flowtiles_group,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        let named = ARMIES.get(army)?;
        let army = named.read()?;
        let found: Vec<flowtiles_group> = army.groups().map(GroupId::number).collect();
        let many = found.len();
        // SAFETY: see the head of the crate.
        unsafe { give_all(found, many, groups, capacity, count, "groups") }
    })
}

/// Writes the army's units: in each array an entry for each, in the same order, which is
/// by id after a step. Positions and velocities are pairs of x and y. States are the
/// `FLOWTILES_STATE_` numbers. An array that is `NULL` is left out; `capacity` is in units,
/// for all arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_read(
    army: flowtiles_army,
    ids: *mut u32,
    positions: *mut [f32; 2],
    velocities: *mut [f32; 2],
    states: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        let named = ARMIES.get(army)?;
        let army = named.read()?;
        let units = army.units();
        let nothing =
            ids.is_null() && positions.is_null() && velocities.is_null() && states.is_null();
        let room = if nothing { units.len() } else { capacity };
        // Every array is right before any is written.
        if (1..=room).contains(&units.len()) {
            check_or_null(ids, "ids")?;
            check_or_null(positions, "positions")?;
            check_or_null(velocities, "velocities")?;
        }
        // SAFETY: see the head of the crate; there is room for all of them.
        unsafe {
            count_into(units.len(), room, count)?;
            fill_or_skip(ids, units.iter().map(|unit| unit.id));
            fill_or_skip(positions, units.iter().map(|unit| unit.position));
            fill_or_skip(velocities, units.iter().map(|unit| unit.velocity));
            fill_or_skip(states, units.iter().map(state));
        }
        Ok(())
    })
}

const fn state(unit: &Unit) -> u8 {
    match unit.state {
        UnitState::Arrived => FLOWTILES_STATE_ARRIVED,
        UnitState::Unreachable => FLOWTILES_STATE_UNREACHABLE,
        UnitState::Engaged => FLOWTILES_STATE_ENGAGED,
        _ => FLOWTILES_STATE_MARCHING,
    }
}

/// Writes the events of the last step: of units, by id; then of groups that have arrived;
/// then of units that have entered links.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_events(
    army: flowtiles_army,
    events: *mut flowtiles_event,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        let named = ARMIES.get(army)?;
        let army = named.read()?;
        let found = army.events();
        let each = found.iter().map(flowtiles_event::from);
        // SAFETY: see the head of the crate.
        unsafe { give_all(each, found.len(), events, capacity, count, "events") }
    })
}

/// Writes 1 if no unit is on its way, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_is_settled(
    army: flowtiles_army,
    settled: *mut u32,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(settled, "settled") }, || {
        Ok(ARMIES.get(army)?.read()?.is_settled().into())
    })
}

/// Writes an army as bytes into the caller's buffer. The world is saved by itself, at the
/// same moment.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_save(
    army: flowtiles_army,
    bytes: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        let save = ARMIES.get(army)?.read()?.save();
        // SAFETY: see the head of the crate.
        unsafe { give_bytes(save, bytes, capacity, count) }
    })
}

/// Makes an army from the bytes of a save, for the world that was saved with it and loaded
/// by `flowtiles_world_load`, before its claims are dropped. The caller owns it. In lockstep
/// all players load, also the one that saved: the loaded world, and the army with it, may
/// later part from the saved one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_load(
    world: flowtiles_world,
    bytes: *const u8,
    count: usize,
    army: *mut flowtiles_army,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(army, "army") }, || {
        // SAFETY: see the head of the crate.
        let bytes = unsafe { array(bytes, count, "bytes") }?;
        let loaded = Army::load(bytes, &WORLDS.get(world)?.read()?.world)?;
        ARMIES.enter(loaded, world)
    })
}

/// Writes a hash of everything in an army on which its next steps depend.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_hash(
    army: flowtiles_army,
    hash: *mut u64,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(hash, "hash") }, || {
        Ok(ARMIES.get(army)?.read()?.state_hash())
    })
}
