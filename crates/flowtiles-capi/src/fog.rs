//! Fog of war: what teams know of a world.

use std::collections::BTreeMap;

use flowtiles::error::FogError;
use flowtiles::steer::{Army, ArmyError, GroupId, Unit};
use flowtiles::{Cell, CellRect, Cost, EditReport, FlowWorld};

use crate::convert::{areas, cells, cost_at};
use crate::handles::{WORLDS, change_both, change_world};
use crate::memory::{Out, answer_into, array, one};
use crate::status::{Fault, answer, flowtiles_status};
use crate::types::*;
use crate::world::{edited, give_costs};

/// Changes what a team knows of areas.
///
/// # Safety
/// As the head of the crate says, for the array.
unsafe fn change_areas(
    world: flowtiles_world,
    (rects, count): (*const flowtiles_rect, usize),
    change: impl FnOnce(&mut FlowWorld, &[CellRect]) -> Result<EditReport, FogError>,
) -> Result<EditReport, Fault> {
    // SAFETY: as for this function.
    let areas = areas(unsafe { array(rects, count, "areas") }?);
    change_world(world, |world| change(world, &areas))
}

/// Lays fog for a team, 1 to 7: from now on its orders know what it has seen, and not what is
/// there. Team 0 sees the world as it is. At first the team knows everything as it is now; what
/// it has not explored, `flowtiles_world_forget`. Its orders are those on its layers:
///
/// ```c
/// flowtiles_world_add_fog(world, 1);
/// flowtiles_goal goal = {.cells = &to, .cells_count = 1, .layer = 1 << 16};
/// flowtiles_army_order(army, group, &goal, NULL);
/// flowtiles_army_look(army, 12, NULL, NULL, 0, NULL); /* then in each tick */
/// ```
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_world_add_fog(world: flowtiles_world, team: u8) -> flowtiles_status {
    answer(|| change_world(world, |world| world.add_fog(team)))
}

/// Takes the fog of a team away: it sees the world as it is. Its orders are planned again where
/// it did not know that. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_remove_fog(
    world: flowtiles_world,
    team: u8,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    edited(report, || {
        change_world(world, |world| world.remove_fog(team))
    })
}

/// Shows a team `count` rectangles as they are, gates as they are open to it: a satellite, a
/// shared map, its own building site. The report tells of cells that were not as the team knew
/// them; to show what is as known costs next to nothing. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_reveal(
    world: flowtiles_world,
    team: u8,
    areas: *const flowtiles_rect,
    count: usize,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    edited(report, || unsafe {
        change_areas(world, (areas, count), |world, areas| {
            world.reveal(team, areas)
        })
    })
}

/// Shows a team what `count` buildings, flares or units of the game's own see: around each cell
/// the disc of as many cells as the entry of `sights` says. Cells may be off the map. For units
/// of an army there is `flowtiles_army_look`. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_reveal_around(
    world: flowtiles_world,
    team: u8,
    cells: *const flowtiles_cell,
    sights: *const u32,
    count: usize,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    edited(report, || {
        // SAFETY: see the head of the crate.
        let (cells, sights) = unsafe {
            (
                array(cells, count, "cells")?,
                array(sights, count, "sights")?,
            )
        };
        let eyes = self::cells(cells).into_iter().zip(sights.iter().copied());
        let eyes: Vec<(Cell, u32)> = eyes.collect();
        change_world(world, |world| world.reveal_around(team, &eyes))
    })
}

/// Sets the `count` kinds of ground that are opaque: nobody sees or shoots through them. They
/// replace those set before. Until some are set, shots and views of foes end at walls, 255, and
/// nothing limits what is revealed around units and cells but the distance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_set_opaque(
    world: flowtiles_world,
    kinds: *const u8,
    count: usize,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let kinds = unsafe { array(kinds, count, "kinds")? };
        let kinds = (0..count).map(|index| cost_at(kinds, index, "kinds"));
        let kinds: Vec<Cost> = kinds.collect::<Result<_, Fault>>()?;
        change_world(world, |world| {
            world.set_opaque(&kinds);
            Ok::<(), FogError>(())
        })
    })
}

/// Makes a team believe that all cells of `count` rectangles have this cost: what it has not
/// explored is mostly taken for open ground, 1. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_forget(
    world: flowtiles_world,
    team: u8,
    areas: *const flowtiles_rect,
    count: usize,
    cost: u8,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    edited(report, || unsafe {
        let cost = crate::convert::cost(cost)?;
        change_areas(world, (areas, count), |world, areas| {
            world.forget(team, areas, cost)
        })
    })
}

/// Writes what a team with fog knows of a rectangle, row by row: a byte a cell, the cost that it
/// saw last, 255 for walls. For a minimap, or for a computer player. `FLOWTILES_ERROR_NOT_FOUND`
/// for a team without fog: it sees what `flowtiles_world_costs` writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_known_rows(
    world: flowtiles_world,
    team: u8,
    area: *const flowtiles_rect,
    costs: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let area = unsafe { *one(area, "area")? };
        let named = WORLDS.get(world)?;
        let stage = named.read()?;
        let known = stage.world.known(team).ok_or(FogError::NoFog { team })?;
        // SAFETY: see the head of the crate.
        unsafe { give_costs(known, area.into(), costs, capacity, count) }
    })
}

/// Returns how far the units of some groups see.
fn sights_of(
    army: &Army,
    groups: &[flowtiles_group],
    sights: &[u32],
) -> Result<BTreeMap<GroupId, u32>, ArmyError> {
    let groups = groups.iter().copied().map(GroupId::from_number);
    let sights = groups.zip(sights.iter().copied());
    let known = sights.map(|(group, sight)| match army.settings(group) {
        Some(_) => Ok((group, sight)),
        None => Err(ArmyError::NoGroup { group }),
    });
    known.collect()
}

/// Shows each team with fog what the army's units see, the ground within `sight` cells of each,
/// and writes the number of orders that are planned again. The units of `count` groups, such as
/// scouts, see as far as the entry of `sights` says instead. A group's team is that of its layer.
/// Call it before the first tick and then in each, or a few times a second;
/// `flowtiles_army_step` itself shows the ground beside the units. `orders` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_army_look(
    army: flowtiles_army,
    sight: u32,
    groups: *const flowtiles_group,
    sights: *const u32,
    count: usize,
    orders: *mut usize,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::maybe(orders, "orders") }, || {
        // SAFETY: see the head of the crate.
        let (groups, sights) = unsafe {
            (
                array(groups, count, "groups")?,
                array(sights, count, "sights")?,
            )
        };
        change_both(army, |army, world| {
            let own = sights_of(army, groups, sights)?;
            let sight = |unit: &Unit| own.get(&unit.group).copied().unwrap_or(sight);
            Ok::<_, ArmyError>(army.look(world, sight))
        })
    })
}
