//! What lies over the ground for a while: buildings and gates.

use flowtiles::{Cell, CellRect, Cost, FlowWorld, GateId, StampId, StampTemplate, Teams, Turn};

use crate::convert::cost_at;
use crate::handles::change_world;
use crate::memory::{Out, answer_into, array, one};
use crate::status::{Fault, flowtiles_status};
use crate::types::*;
use crate::world::edited;

fn turn(quarters: u8) -> Result<Turn, Fault> {
    let all = [Turn::None, Turn::Quarter, Turn::Half, Turn::ThreeQuarters];
    let found = all.get(usize::from(quarters)).copied();
    found.ok_or_else(|| Fault::argument(format!("`turn` is {quarters}: give 0 to 3 quarters")))
}

fn put(
    world: &mut FlowWorld,
    template: &StampTemplate,
    at: Cell,
    turn: Turn,
) -> Result<u64, Fault> {
    let (id, _) = world.stamp(template, at, turn)?;
    Ok(id.number())
}

/// Lays a building over the ground, with its north-west cell at (`x`, `y`): a cost for each of its
/// `width` times `height` cells, row by row, 255 for walls and 0 for holes that leave the ground as
/// it is. `turn` is in quarters, to the right. Its number, which no other gets, goes to `stamp`.
/// Units under it walk out; `flowtiles_army_put_out_of_walls` moves them out at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_stamp(
    world: flowtiles_world,
    width: u32,
    height: u32,
    costs: *const u8,
    count: usize,
    x: i32,
    y: i32,
    turn: u8,
    stamp: *mut u64,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(stamp, "stamp") }, || {
        // SAFETY: see the head of the crate.
        let costs = unsafe { array(costs, count, "costs") }?;
        let costs: Vec<Option<Cost>> = costs.iter().map(|&cost| Cost::new(cost).ok()).collect();
        let template = StampTemplate::new(width, height, &costs)?;
        let turn = self::turn(turn)?;
        change_world(world, |world| put(world, &template, Cell::new(x, y), turn))
    })
}

/// Lays a building of any shape over the ground, at any angle: a polygon of `count` corners, whose
/// x and y are in sixteenths of a cell from the map's corner, in the order in which they go around
/// it. All cells of which it covers a part get the cost. Within `rim` sixteenths around it cells get
/// `rim_cost`, so that paths keep off it; 0 is no rim, and its cost is not read then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_stamp_polygon(
    world: flowtiles_world,
    corners: *const flowtiles_cell,
    count: usize,
    cost: u8,
    rim: u32,
    rim_cost: u8,
    stamp: *mut u64,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(stamp, "stamp") }, || {
        // SAFETY: see the head of the crate.
        let corners = unsafe { array(corners, count, "corners") }?;
        let corners: Vec<[i32; 2]> = corners.iter().map(|corner| [corner.x, corner.y]).collect();
        let cost = crate::convert::cost(cost)?;
        let rim = match rim {
            0 => None,
            width => Some((width, cost_at(&[rim_cost], 0, "rim_cost")?)),
        };
        let (at, template) = StampTemplate::polygon(&corners, cost, rim)?;
        change_world(world, |world| put(world, &template, at, Turn::None))
    })
}

/// Takes a building away: the ground under it is as it was. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_unstamp(
    world: flowtiles_world,
    stamp: u64,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    edited(report, || {
        change_world(world, |world| {
            let id = StampId::from_number(stamp);
            let gone = || Fault::not_found(format!("the world has no stamp {stamp}"));
            world.unstamp(id).ok_or_else(gone)
        })
    })
}

/// Adds a gate: a rectangle that is open to the teams whose bits are set in `teams`, bit 0 for team 0,
/// and a wall to all others. To those it leaves the ground as it is, so a gate in a wall begins with an
/// edit that opens the wall. Its number goes to `gate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_add_gate(
    world: flowtiles_world,
    area: *const flowtiles_rect,
    teams: u8,
    gate: *mut u64,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(gate, "gate") }, || {
        // SAFETY: see the head of the crate.
        let area = CellRect::from(unsafe { *one(area, "area")? });
        change_world(world, |world| {
            let (id, _) = world.add_gate(area, Teams::from_bits(teams))?;
            Ok::<u64, Fault>(id.number())
        })
    })
}

/// Opens a gate to these teams alone, and shuts it to all others. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_set_gate(
    world: flowtiles_world,
    gate: u64,
    teams: u8,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    edited(report, || {
        change_world(world, |world| {
            let set = world.set_gate(GateId::from_number(gate), Teams::from_bits(teams));
            set.ok_or_else(|| no_gate(gate))
        })
    })
}

/// Removes a gate: its cells are as the ground under it. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_remove_gate(
    world: flowtiles_world,
    gate: u64,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    edited(report, || {
        change_world(world, |world| {
            let removed = world.remove_gate(GateId::from_number(gate));
            removed.ok_or_else(|| no_gate(gate))
        })
    })
}

fn no_gate(gate: u64) -> Fault {
    Fault::not_found(format!("the world has no gate {gate}"))
}
