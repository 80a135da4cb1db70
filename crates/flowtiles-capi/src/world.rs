//! Worlds: a map and the orders on it.

#[cfg(feature = "maps")]
use std::ffi::c_char;
#[cfg(feature = "maps")]
use std::path::Path;

use flowtiles::{
    Budget, Cell, CellRect, Cost, CostMap, EditReport, FlowWorld, LayerView, Link, LinkId,
    Movement, Order,
};

#[cfg(feature = "maps")]
use flowtiles_formats::MapReader;

use crate::convert::{cost_at, layer};
use crate::handles::{Stage, WORLDS, change_world};
#[cfg(feature = "maps")]
use crate::memory::text;
use crate::memory::{Out, answer_into, array, give_all, one};
use crate::status::{
    FLOWTILES_ERROR_OFF_MAP, FLOWTILES_ERROR_UNREACHABLE, Fault, answer, flowtiles_status,
};
use crate::types::*;

fn enter(world: FlowWorld, claims: Vec<Order>) -> Result<flowtiles_world, Fault> {
    WORLDS.enter(Stage { world, claims }, 0)
}

/// Makes a world of open ground, each cell of cost 1, of 1 to 65,535 columns and rows.
/// The caller owns it and frees it with `flowtiles_world_free`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_open(
    width: u32,
    height: u32,
    world: *mut flowtiles_world,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(world, "world") }, || {
        enter(FlowWorld::new(CostMap::open(width, height)?), Vec::new())
    })
}

/// Makes a world from a cost for each cell, row by row from the north-west: 1 to 254, or
/// 255 for a wall. `count` is `width` times `height`. The caller owns the world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_from_costs(
    width: u32,
    height: u32,
    costs: *const u8,
    count: usize,
    world: *mut flowtiles_world,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(world, "world") }, || {
        // SAFETY: see the head of the crate.
        let costs = unsafe { array(costs, count, "costs") }?;
        let map = CostMap::from_rows(width, height, costs)?;
        enter(FlowWorld::new(map), Vec::new())
    })
}

/// Makes a world from the `count` bytes of a map file: of Moving AI, as text, `.flow`, PNG, Tiled or
/// LDtk. `name` is that of the file, a text that ends with a 0: its ending tells the format. Files
/// that a map of Tiled names beside it are not read. The caller owns the world.
#[cfg(feature = "maps")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_read_map(
    bytes: *const u8,
    count: usize,
    name: *const c_char,
    world: *mut flowtiles_world,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(world, "world") }, || {
        // SAFETY: see the head of the crate.
        let (bytes, name) = unsafe { (array(bytes, count, "bytes")?, text(name, "name")?) };
        let read = MapReader::new().read_named(Path::new(name), bytes);
        let map = read.map_err(Fault::argument)?;
        enter(FlowWorld::new(map), Vec::new())
    })
}

/// Frees a world, its layers and its orders' fields. Handles of its orders and armies
/// stay, and are freed by themselves.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_world_free(world: flowtiles_world) -> flowtiles_status {
    answer(|| WORLDS.free(world))
}

/// Copies a world with everything, its orders' work in hand included: for rollback and
/// for looking ahead. With the same calls the copy goes on as the world itself does. The
/// caller owns the copy. It keeps a claim on each order, until
/// `flowtiles_world_drop_claims`: meanwhile `flowtiles_order_by_number` and
/// `flowtiles_army_fork` find them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_fork(
    world: flowtiles_world,
    copy: *mut flowtiles_world,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(copy, "copy") }, || {
        let (world, claims) = WORLDS.get(world)?.read()?.world.fork();
        enter(world, claims)
    })
}

/// Writes what a world holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_stats(
    world: flowtiles_world,
    stats: *mut flowtiles_stats,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(stats, "stats") }, || {
        let named = WORLDS.get(world)?;
        let stage = named.read()?;
        let stats = stage.world.inspect().stats();
        let bytes = stats.cost_bytes + stats.graph_bytes + stats.cluster_bytes + stats.order_bytes;
        Ok(flowtiles_stats {
            width: stage.world.costs().width(),
            height: stage.world.costs().height(),
            sectors: stats.sectors as u32,
            portals: stats.portals as u32,
            orders: stats.orders as u32,
            waiting: stats.waiting as u32,
            tiles: stats.tiles as u32,
            bytes: bytes as u64,
        })
    })
}

/// Works on the world's orders, up to `cells` of work; `UINT64_MAX` works until nothing
/// is left. 4,000 is a good beginning: about 40 µs. `progress` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_tick(
    world: flowtiles_world,
    cells: u64,
    progress: *mut flowtiles_progress,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::maybe(progress, "progress") }, || {
        change_world(world, |world| {
            Ok::<_, Fault>(world.tick(Budget::cells(cells)).into())
        })
    })
}

/// Gives all cells of a rectangle a cost: 1 to 254, or 255 for a wall. Orders follow in
/// the next ticks; no direction leads into a new wall from now on. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_edit(
    world: flowtiles_world,
    x: i32,
    y: i32,
    width: u32,
    height: u32,
    cost: u8,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    edited(report, || {
        let cost = crate::convert::cost(cost)?;
        let area = CellRect::new(x, y, width, height);
        change_world(world, |world| world.edit(area, cost))
    })
}

/// Gives each cell of a rectangle its own cost, row by row; `count` is the rectangle's
/// width times its height. `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_edit_rows(
    world: flowtiles_world,
    area: *const flowtiles_rect,
    costs: *const u8,
    count: usize,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    edited(report, || {
        // SAFETY: see the head of the crate.
        let (area, costs) = unsafe { (*one(area, "area")?, array(costs, count, "costs")?) };
        change_world(world, |world| world.edit_rows(area.into(), costs))
    })
}

/// Gives each of `count` cells its own cost, and repairs what depends on them once.
/// `report` may be `NULL`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_edit_cells(
    world: flowtiles_world,
    cells: *const flowtiles_cell,
    costs: *const u8,
    count: usize,
    report: *mut flowtiles_edit_report,
) -> flowtiles_status {
    edited(report, || {
        // SAFETY: see the head of the crate.
        let (cells, costs) =
            unsafe { (array(cells, count, "cells")?, array(costs, count, "costs")?) };
        let edits = cells.iter().enumerate();
        let edits = edits.map(|(at, &cell)| {
            let cost = cost_at(costs, at, "costs")?;
            Ok((Cell::from(cell).into(), cost))
        });
        let edits: Vec<(CellRect, Cost)> = edits.collect::<Result<_, Fault>>()?;
        change_world(world, |world| world.edit_all(&edits))
    })
}

pub(crate) fn edited(
    report: *mut flowtiles_edit_report,
    edit: impl FnOnce() -> Result<EditReport, Fault>,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    let out = unsafe { Out::maybe(report, "report") };
    answer_into(out, || edit().map(Into::into))
}

/// Asks a layer, which is derived first if no order has used it yet.
fn ask<T>(
    world: flowtiles_world,
    on: flowtiles_layer,
    question: impl Fn(LayerView<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let (id, named) = (layer(on)?, WORLDS.get(world)?);
    if let Some(view) = named.read()?.world.layer(id) {
        return question(view);
    }
    let mut stage = named.write()?;
    stage.world.derive_layer(id)?;
    let view = stage.world.layer(id);
    question(view.ok_or_else(|| Fault::not_found(format!("the world has no {id}")))?)
}

/// Writes the present costs of a rectangle on a layer, row by row: a byte a cell, 255 for
/// walls. There are width times height of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_costs(
    world: flowtiles_world,
    layer: flowtiles_layer,
    area: *const flowtiles_rect,
    costs: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let area = CellRect::from(unsafe { *one(area, "area")? });
        ask(world, layer, |view| {
            // SAFETY: see the head of the crate.
            unsafe { give_costs(view.costs(), area, costs, capacity, count) }
        })
    })
}

/// Writes the costs of a rectangle of a map, if they fit.
///
/// # Safety
/// As the head of the crate says.
pub(crate) unsafe fn give_costs(
    map: &CostMap,
    area: CellRect,
    costs: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Fault> {
    let number = cells_on(map, area)?;
    let found = area
        .cells()
        .map(|cell| map.get(cell).map_or(0, Cost::value));
    // SAFETY: as for this function; there are as many cells.
    unsafe { give_all(found, number, costs, capacity, count, "costs") }
}

/// Returns the number of cells of a rectangle, which is to be on the map.
pub(crate) fn cells_on(map: &CostMap, area: CellRect) -> Result<usize, Fault> {
    if area.intersection(map.area()) == area {
        return Ok(area.width as usize * area.height as usize);
    }
    let (width, height) = (map.width(), map.height());
    let text = format!("{area} is not on the map of {width}×{height} cells");
    Err(Fault::new(FLOWTILES_ERROR_OFF_MAP, text))
}

/// Fills in the movement of the ground's own layer: kinds of ground are costs, and bodies
/// are one cell wide.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_movement_default(
    movement: *mut flowtiles_movement,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    let out = unsafe { Out::new(movement, "movement") };
    answer_into(out, || Ok((&Movement::new()).into()))
}

/// Adds a layer for units that move in this way. Its map is derived when it is first
/// used, and follows all edits of the ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_add_layer(
    world: flowtiles_world,
    movement: *const flowtiles_movement,
    layer: *mut flowtiles_layer,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(layer, "layer") }, || {
        // SAFETY: see the head of the crate.
        let movement = crate::convert::movement(unsafe { one(movement, "movement") }?)?;
        let id = change_world(world, |world| world.add_layer(movement))?;
        Ok(id.number().into())
    })
}

/// Sets what each of `count` rectangles costs more on a layer than its ground, such as for
/// the range of enemy guns; 0 takes that away. Where they overlap, the last one counts. Walls
/// stay walls, and units keep their directions until their orders have been planned again. The
/// ground's own layer, 0, has none: add one. On a layer for a team above 0 this is for that team
/// alone, beside what is for all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_surcharge(
    world: flowtiles_world,
    layer: flowtiles_layer,
    areas: *const flowtiles_rect,
    amounts: *const u8,
    count: usize,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let (areas, amounts) = unsafe {
            (
                array(areas, count, "areas")?,
                array(amounts, count, "amounts")?,
            )
        };
        let areas = crate::convert::areas(areas).into_iter();
        let areas: Vec<(CellRect, u8)> = areas.zip(amounts.iter().copied()).collect();
        let layer = crate::convert::layer(layer)?;
        change_world(world, |world| world.surcharge(layer, &areas).map(drop))
    })
}

/// Adds a one-way link, as of a teleporter or a ferry: a unit that enters a cell of the rectangle
/// comes out at the same place of an equal one whose north-west cell is (`end_x`,
/// `end_y`). The price is in fifths of a straight step over open ground, at least 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_add_link(
    world: flowtiles_world,
    area: *const flowtiles_rect,
    end_x: i32,
    end_y: i32,
    price: u32,
    link: *mut u32,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(link, "link") }, || {
        // SAFETY: see the head of the crate.
        let area = CellRect::from(unsafe { *one(area, "area")? });
        let added = Link::new(area, Cell::new(end_x, end_y)).with_price(price);
        let id = change_world(world, |world| world.add_link(added))?;
        Ok(id.number())
    })
}

/// Removes a link.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_world_remove_link(
    world: flowtiles_world,
    link: u32,
) -> flowtiles_status {
    answer(|| {
        change_world(world, |world| {
            let removed = world.remove_link(LinkId::from_number(link));
            let missing = || Fault::not_found(format!("the world has no link {link}"));
            removed.map(drop).ok_or_else(missing)
        })
    })
}

/// Writes 1 if a unit of the layer can get from one cell to the other, else 0. This is a
/// look-up.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_reachable(
    world: flowtiles_world,
    layer: flowtiles_layer,
    from_x: i32,
    from_y: i32,
    to_x: i32,
    to_y: i32,
    reachable: *mut u32,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(reachable, "reachable") }, || {
        let (from, to) = (Cell::new(from_x, from_y), Cell::new(to_x, to_y));
        ask(world, layer, |view| Ok(view.reachable(from, to).into()))
    })
}

/// Writes the cost of the way from one cell to another through the portals, in fifths of a
/// straight step over ground of cost 1; a unit's path may be a little shorter.
/// `FLOWTILES_ERROR_UNREACHABLE` if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_travel_cost(
    world: flowtiles_world,
    layer: flowtiles_layer,
    from_x: i32,
    from_y: i32,
    to_x: i32,
    to_y: i32,
    cost: *mut u64,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(cost, "cost") }, || {
        let (from, to) = (Cell::new(from_x, from_y), Cell::new(to_x, to_y));
        ask(world, layer, |view| {
            let found = view.travel_cost(from, to);
            found.ok_or_else(|| no_path(from, to))
        })
    })
}

fn no_path(from: Cell, to: Cell) -> Fault {
    let text = format!("no path leads from {from} to {to}");
    Fault::new(FLOWTILES_ERROR_UNREACHABLE, text)
}

/// Writes the cell nearest to a goal that a unit of the layer can reach;
/// `FLOWTILES_ERROR_UNREACHABLE` if it stands in a wall, or if a cell is off the map.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_nearest_reachable(
    world: flowtiles_world,
    layer: flowtiles_layer,
    from_x: i32,
    from_y: i32,
    goal_x: i32,
    goal_y: i32,
    nearest: *mut flowtiles_cell,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(nearest, "nearest") }, || {
        let (from, goal) = (Cell::new(from_x, from_y), Cell::new(goal_x, goal_y));
        ask(world, layer, |view| {
            let found = view.nearest_reachable(from, goal).map(Into::into);
            found.ok_or_else(|| no_path(from, goal))
        })
    })
}

/// Writes 1 if every cell of a rectangle is on the map and no wall to units of the layer, else 0:
/// whether there is room for a building on land, with the layer of those that walk, or for a
/// harbour, with that of ships. The width of bodies does not matter, and the layer is not derived
/// for it. Units that stand there are not counted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_is_free(
    world: flowtiles_world,
    layer: flowtiles_layer,
    area: *const flowtiles_rect,
    is_free: *mut u32,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(is_free, "is_free") }, || {
        // SAFETY: see the head of the crate.
        let area = CellRect::from(unsafe { *one(area, "area")? });
        let (layer, named) = (crate::convert::layer(layer)?, WORLDS.get(world)?);
        let stage = named.read()?;
        Ok(stage.world.is_free_for(layer, area)?.into())
    })
}

/// Writes the north-west cell of the nearest square of `size` cells a side that is free as
/// `flowtiles_world_is_free` says: the one to which the walk from the cell (`x`, `y`) over open
/// ground would cost least. `FLOWTILES_ERROR_UNREACHABLE` if there is none, or if the cell is
/// off the map.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_nearest_free(
    world: flowtiles_world,
    layer: flowtiles_layer,
    x: i32,
    y: i32,
    size: u32,
    nearest: *mut flowtiles_cell,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(nearest, "nearest") }, || {
        let from = Cell::new(x, y);
        let (layer, named) = (crate::convert::layer(layer)?, WORLDS.get(world)?);
        let stage = named.read()?;
        let found = stage.world.nearest_free_for(layer, from, size)?;
        let missing = || {
            let text = format!("no square of {size} cells a side is free, looked at from {from}");
            Fault::new(FLOWTILES_ERROR_UNREACHABLE, text)
        };
        Ok(found.ok_or_else(missing)?.into())
    })
}

/// Writes a world as bytes into the caller's buffer: equal worlds have equal bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_save(
    world: flowtiles_world,
    bytes: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        let save = WORLDS.get(world)?.read()?.world.save();
        // SAFETY: see the head of the crate.
        unsafe { give_bytes(save, bytes, capacity, count) }
    })
}

/// Writes the bytes of a save, if they fit.
///
/// # Safety
/// As the head of the crate says.
pub(crate) unsafe fn give_bytes(
    save: Vec<u8>,
    bytes: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Fault> {
    let found = save.len();
    // SAFETY: as for this function.
    unsafe { give_all(save, found, bytes, capacity, count, "bytes") }
}

/// Makes a world from the bytes of a save, if its map has at most `cells_max` cells. The
/// caller owns it. It keeps a claim on each order of the save, until
/// `flowtiles_world_drop_claims`: meanwhile `flowtiles_order_by_number` and
/// `flowtiles_army_load` find them. In lockstep all players load, also the one that saved:
/// a save has no finished searches, so the loaded world may later part from the saved one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_load(
    bytes: *const u8,
    count: usize,
    cells_max: u64,
    world: *mut flowtiles_world,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(world, "world") }, || {
        // SAFETY: see the head of the crate.
        let bytes = unsafe { array(bytes, count, "bytes") }?;
        let (world, claims) = FlowWorld::load_within(bytes, cells_max)?;
        enter(world, claims)
    })
}

/// Drops the claims that a loaded or copied world keeps on its orders: those without
/// another claim end with the next tick.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_world_drop_claims(world: flowtiles_world) -> flowtiles_status {
    answer(|| {
        WORLDS.get(world)?.write()?.claims.clear();
        Ok(())
    })
}

/// Writes a hash of everything on which a world's next ticks depend: players of a
/// lockstep game whose hashes are equal have the same world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_world_hash(
    world: flowtiles_world,
    hash: *mut u64,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(hash, "hash") }, || {
        Ok(WORLDS.get(world)?.read()?.world.state_hash())
    })
}
