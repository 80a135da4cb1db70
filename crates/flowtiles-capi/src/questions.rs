//! Questions about an army, for many units at once.

use flowtiles::steer::GroupId;

use crate::handles::{ARMIES, WORLDS};
use crate::memory::{array, fill};
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
