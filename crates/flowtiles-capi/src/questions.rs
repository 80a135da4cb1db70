//! Questions about an army, for many units at once.

use std::collections::BTreeSet;

use flowtiles::Cell;
use flowtiles::steer::parts::anchor;
use flowtiles::steer::{ArmyError, GroupId, Line};

use crate::convert::points_and_links;
use crate::handles::{ARMIES, WORLDS};
use crate::memory::{array, fill, give_pairs, one};
use crate::status::{Fault, answer, flowtiles_status};
use crate::types::*;

/// Writes for each of `count` units that may be added 1 if there is room for it, on its
/// group's layer and beside the army's units, else 0. They are not checked against each other;
/// ids and speeds are not read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_has_room(
    army: flowtiles_army,
    units: *const flowtiles_unit,
    count: usize,
    rooms: *mut u8,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let units = unsafe { array(units, count, "units") }?;
        let named = ARMIES.get(army)?;
        let stage = WORLDS.get(named.world)?;
        let world = &stage.read()?.world;
        let army = named.read()?;
        let found = units.iter().map(|unit| {
            let group = GroupId::from_number(unit.group);
            let has_room = army.has_room(world, group, [unit.x, unit.y], unit.radius)?;
            Ok(has_room.into())
        });
        let found = found.collect::<Result<Vec<u8>, Fault>>()?;
        // SAFETY: see the head of the crate; `rooms` has as many entries as `units`.
        unsafe { fill(rooms, found, "rooms") }
    })
}

/// Writes for each of `count` units the id of the foe that is nearest to it, at most `within`
/// cells away, through walls; or its own id if there is none, or no such unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_nearest_foes(
    army: flowtiles_army,
    ids: *const u32,
    count: usize,
    within: f32,
    foes: *mut u32,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let ids = unsafe { array(ids, count, "ids") }?;
        let named = ARMIES.get(army)?;
        let army = named.read()?;
        let nearest = |&id| army.nearest_foe(id, within).map_or(id, |foe| foe.id);
        // SAFETY: see the head of the crate; `foes` has as many entries as `ids`.
        unsafe { fill(foes, ids.iter().map(nearest), "foes") }
    })
}

/// Writes where the units of `groups_count` groups would stop if they were sent to the cell
/// (`x`, `y`) now, for ghosts under the mouse; or, if `line` is not `NULL`, if they drew up on
/// it, and the cell is not read. In each array is an entry for each unit that has a place, in the
/// same order: its id, and the place as a pair of x and y. Others would stop beside these. An
/// array that is `NULL` is left out; `capacity` is in units, for both.
///
/// By the time units come there, others may stand there, or fewer, and pairs may have swapped
/// their places: `flowtiles_army_stops_of` knows them then. A line without a length is as its
/// cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_ghosts(
    army: flowtiles_army,
    groups: *const flowtiles_group,
    groups_count: usize,
    x: i32,
    y: i32,
    line: *const flowtiles_line,
    ids: *mut u32,
    places: *mut [f32; 2],
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let groups = unsafe { array(groups, groups_count, "groups") }?;
        let groups: Vec<GroupId> = groups.iter().copied().map(GroupId::from_number).collect();
        let line: Option<Line> = if line.is_null() {
            None
        } else {
            // SAFETY: see the head of the crate.
            Some((*unsafe { one(line, "line") }?).into())
        };
        let goal = line.map_or(Cell::new(x, y), |line| anchor(1, line.middle()));
        let named = ARMIES.get(army)?;
        let stage = WORLDS.get(named.world)?;
        let world = &stage.read()?.world;
        let army = named.read()?;
        let mut named = BTreeSet::new();
        for &group in &groups {
            army.group(group).ok_or(ArmyError::NoGroup { group })?;
            if !named.insert(group) {
                return Err(ArmyError::GroupTwice { group }.into());
            }
        }
        let found = army.ghosts(world, &groups, goal, line);
        // SAFETY: see the head of the crate.
        unsafe { give_pairs(&found, (ids, "ids"), (places, "places"), capacity, count) }
    })
}

/// Writes for each of `count` units where it is to stop, as a pair of x and y: the place that it
/// holds, or its own place around its group's goal once it comes near that; before, the goal.
/// It may stop beside it, next to others. Two times NaN if its target is no place, or there is no
/// such unit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_stops_of(
    army: flowtiles_army,
    ids: *const u32,
    count: usize,
    stops: *mut [f32; 2],
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let ids = unsafe { array(ids, count, "ids") }?;
        let named = ARMIES.get(army)?;
        let army = named.read()?;
        let stop = |&id| army.stop_of(id).unwrap_or([f32::NAN; 2]);
        // SAFETY: see the head of the crate; `stops` has as many entries as `ids`.
        unsafe { fill(stops, ids.iter().map(stop), "stops") }
    })
}

/// Writes the way on which a unit is now, pulled tight, as `flowtiles_order_path` writes that of an
/// order: from where it stands along its order to where it is to stop, as far from walls as its body
/// needs; straight there if it goes along no order. It has no points if the unit has no place to
/// stop, if its order has no directions there, or if there is no such unit. What others do to it on
/// the way is not foreseen.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_path(
    army: flowtiles_army,
    unit: u32,
    points: *mut [f32; 2],
    links: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        let named = ARMIES.get(army)?;
        let stage = WORLDS.get(named.world)?;
        let world = &stage.read()?.world;
        let path = points_and_links(named.read()?.path(world, unit));
        // SAFETY: see the head of the crate.
        unsafe { give_pairs(&path, (points, "points"), (links, "links"), capacity, count) }
    })
}
