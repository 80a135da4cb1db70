//! Orders: where units go, and what they ask on the way.

use flowtiles::error::{OrderError, RowsError};
use flowtiles::{Cell, CellRect, FlowWorld, Goal, Order, Sample};

use crate::convert::{cells, goal, points_and_links};
use crate::handles::{ORDERS, WORLDS, change_world};
use crate::memory::{Out, answer_into, array, fill, give_all, give_pairs, one};
use crate::status::{Fault, answer, flowtiles_status};
use crate::types::*;
use crate::world::cells_on;

/// Reads an order in its world.
fn read<T>(
    order: flowtiles_order,
    question: impl FnOnce(&FlowWorld, &Order) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let named = ORDERS.get(order)?;
    let claim = named.read()?;
    let stage = WORLDS.get(named.world)?;
    let stage = stage.read()?;
    question(&stage.world, &claim)
}

/// Writes what an order's world answers for each of `count` cells.
///
/// # Safety
/// As the head of the crate says, with room for as many answers as cells.
unsafe fn fill_by_cell<T>(
    order: flowtiles_order,
    (cells, count): (*const flowtiles_cell, usize),
    ask: impl Fn(&FlowWorld, &Order, Cell) -> T,
    out: *mut T,
    what: &str,
) -> Result<(), Fault> {
    // SAFETY: as the caller says.
    let cells = unsafe { array(cells, count, "cells") }?;
    read(order, |world, claim| {
        let found = cells.iter().map(|&cell| ask(world, claim, cell.into()));
        // SAFETY: as the caller says.
        unsafe { fill(out, found, what) }
    })
}

/// Returns a goal and the cells of units.
///
/// # Safety
/// As the head of the crate says.
unsafe fn given(
    goal: *const flowtiles_goal,
    units: *const flowtiles_cell,
    count: usize,
) -> Result<(Goal, Vec<Cell>), Fault> {
    // SAFETY: as for this function.
    unsafe {
        let goal = self::goal(one(goal, "goal")?)?;
        Ok((goal, cells(array(units, count, "units")?)))
    }
}

/// Orders units to a goal. `units` are the cells where they are, `count` of them, maybe
/// none; units may be added later with `flowtiles_order_cover`. The caller owns the
/// claim and frees it with `flowtiles_order_free`; the field lives as long as any claim
/// on it. Directions come with the next ticks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_new(
    world: flowtiles_world,
    goal: *const flowtiles_goal,
    units: *const flowtiles_cell,
    count: usize,
    order: *mut flowtiles_order,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(order, "order") }, || {
        // SAFETY: see the head of the crate.
        let (goal, units) = unsafe { given(goal, units, count) }?;
        let claim = change_world(world, |world| world.order(goal, &units))?;
        ORDERS.enter(claim, world)
    })
}

/// Gives back a claim. The tick after the last claim of an order is gone frees its field.
/// Allowed after the world was freed.
#[unsafe(no_mangle)]
pub extern "C" fn flowtiles_order_free(order: flowtiles_order) -> flowtiles_status {
    answer(|| ORDERS.free(order))
}

/// Gives an order another goal, on the same layer, and other units. Its old directions
/// serve until the new ones are ready. Groups that were sent by this order keep the old
/// goal until they are sent again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_aim(
    order: flowtiles_order,
    goal: *const flowtiles_goal,
    units: *const flowtiles_cell,
    count: usize,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let (goal, units) = unsafe { given(goal, units, count) }?;
        let named = ORDERS.get(order)?;
        let mut claim = named.write()?;
        change_world(named.world, |world| world.aim(&mut claim, goal, &units))
    })
}

/// Writes for each of `count` cells what a unit does there: a sample, which is one of the
/// `FLOWTILES_SAMPLE_` numbers, below `FLOWTILES_SAMPLE_LINK` with a step in its lowest
/// three bits. Steps: 0 north, 1 east, 2 south, 3 west, 4 north-east, 5 south-east,
/// 6 south-west, 7 north-west. Reading changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_sample_many(
    order: flowtiles_order,
    cells: *const flowtiles_cell,
    count: usize,
    samples: *mut u8,
) -> flowtiles_status {
    let ask = |world: &FlowWorld, claim: &Order, cell| world.sample(claim, cell).byte();
    // SAFETY: see the head of the crate.
    answer(|| unsafe { fill_by_cell(order, (cells, count), ask, samples, "samples") })
}

/// Writes for each of `count` cells the cost of the path from there to the goal, in fifths
/// of a straight step over ground of cost 1; `UINT64_MAX` where no path begins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_costs_to_go(
    order: flowtiles_order,
    cells: *const flowtiles_cell,
    count: usize,
    costs: *mut u64,
) -> flowtiles_status {
    let ask =
        |world: &FlowWorld, claim: &Order, cell| world.cost_to_go(claim, cell).unwrap_or(u64::MAX);
    // SAFETY: see the head of the crate.
    answer(|| unsafe { fill_by_cell(order, (cells, count), ask, costs, "costs") })
}

/// Writes what an order's world answers for a rectangle, row by row, if there is room for it.
///
/// # Safety
/// As the head of the crate says.
unsafe fn give_rows<T: Copy + Default>(
    order: flowtiles_order,
    area: *const flowtiles_rect,
    ask: impl Fn(&FlowWorld, &Order, CellRect, &mut [T]) -> Result<(), RowsError>,
    (out, what): (*mut T, &str),
    capacity: usize,
    count: *mut usize,
) -> Result<(), Fault> {
    // SAFETY: as for this function.
    let area = CellRect::from(unsafe { *one(area, "area")? });
    read(order, |world, claim| {
        let number = cells_on(world.costs(), area)?;
        let mut rows = Vec::new();
        if number <= capacity {
            rows.resize(number, T::default());
            ask(world, claim, area, &mut rows)?;
        }
        // SAFETY: as for this function; there are as many rows if they fit.
        unsafe { give_all(rows, number, out, capacity, count, what) }
    })
}

/// Writes the sample of each cell of a rectangle, row by row, in far less time than
/// `flowtiles_order_sample_many` takes; or `FLOWTILES_SAMPLE_WALL` for a wall of the order's
/// layer. There are width times height of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_sample_rows(
    order: flowtiles_order,
    area: *const flowtiles_rect,
    samples: *mut u8,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    let out = (samples, "samples");
    // SAFETY: see the head of the crate.
    answer(|| unsafe { give_rows(order, area, FlowWorld::sample_rows, out, capacity, count) })
}

/// Writes the cost of the path to the goal from each cell of a rectangle, row by row, as
/// `flowtiles_order_costs_to_go` does in more time: `UINT32_MAX` where no path begins, and
/// `UINT32_MAX - 1` for all costs from that one on. There are width times height of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_cost_to_go_rows(
    order: flowtiles_order,
    area: *const flowtiles_rect,
    costs: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    let (ask, out) = (FlowWorld::cost_to_go_rows, (costs, "costs"));
    // SAFETY: see the head of the crate.
    answer(|| unsafe { give_rows(order, area, ask, out, capacity, count) })
}

/// Writes for each of `count` cells 1 if a unit may go straight from there to the goal, on
/// free ground and at no higher cost than along the field, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_see_goal(
    order: flowtiles_order,
    cells: *const flowtiles_cell,
    count: usize,
    seen: *mut u8,
) -> flowtiles_status {
    let ask =
        |world: &FlowWorld, claim: &Order, cell| world.sees_goal(claim, cell).is_some().into();
    // SAFETY: see the head of the crate.
    answer(|| unsafe { fill_by_cell(order, (cells, count), ask, seen, "seen") })
}

/// Writes the path on which an order leads a unit from this cell, pulled tight: straight from each
/// point to the next, from the middle of the cell to that of the goal. Points are pairs of x and y;
/// beside each is the number of the link that leads from it to the next, or `UINT32_MAX` if the
/// path runs straight there. It has no points where no path begins, or while directions are not
/// ready. An array that is `NULL` is left out; `capacity` is in points, for both.
///
/// A path of 500 cells takes a millisecond or two: ask when the order or the map has changed, not
/// in each tick.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_path(
    order: flowtiles_order,
    x: i32,
    y: i32,
    points: *mut [f32; 2],
    links: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> flowtiles_status {
    answer(|| {
        let cell = Cell::new(x, y);
        let path = read(order, |world, claim| Ok(world.path(claim, cell)))?;
        let path = points_and_links(path);
        // SAFETY: see the head of the crate.
        unsafe { give_pairs(&path, (points, "points"), (links, "links"), capacity, count) }
    })
}

/// Writes where a unit comes out that is sampled `FLOWTILES_SAMPLE_LINK` at this cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_link_exit(
    order: flowtiles_order,
    x: i32,
    y: i32,
    exit: *mut flowtiles_cell,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(exit, "exit") }, || {
        let cell = Cell::new(x, y);
        let end = read(order, |world, claim| {
            let link = match world.sample(claim, cell) {
                Sample::Link(id) => world.link(id),
                _ => None,
            };
            Ok(link.and_then(|link| link.end_of(cell)))
        })?;
        let missing = || Fault::not_found(format!("the order leads into no link at {cell}"));
        Ok(end.ok_or_else(missing)?.into())
    })
}

/// Extends an order to the cells of units off its field. Asking for a cell again is a
/// look-up. It is extended to all of them, or to none: if a cell is off the map, or if the
/// order would have to serve more cells than an order may.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_cover(
    order: flowtiles_order,
    cells: *const flowtiles_cell,
    count: usize,
) -> flowtiles_status {
    answer(|| {
        // SAFETY: see the head of the crate.
        let cells = self::cells(unsafe { array(cells, count, "cells") }?);
        let named = ORDERS.get(order)?;
        let claim = named.read()?;
        change_world(named.world, |world| {
            check_on_map(world, &cells)?;
            let known = world.inspect().units(&claim).len();
            if known + cells.len() > world.limits().units as usize {
                // Which of them count is known once they are covered: so in a copy first.
                let (mut copy, _claims) = world.fork();
                if let Some(claim) = copy.order_with_number(claim.number()) {
                    cover(&mut copy, &claim, &cells)?;
                }
            }
            cover(world, &claim, &cells)
        })
    })
}

fn cover(world: &mut FlowWorld, claim: &Order, cells: &[Cell]) -> Result<(), OrderError> {
    cells.iter().try_for_each(|&cell| world.cover(claim, cell))
}

fn check_on_map(world: &FlowWorld, cells: &[Cell]) -> Result<(), OrderError> {
    let map = world.costs();
    let off = |&(_, cell): &(usize, &Cell)| !map.area().contains(*cell);
    let Some((index, &unit)) = cells.iter().enumerate().find(off) else {
        return Ok(());
    };
    Err(OrderError::UnitOffMap {
        index,
        unit,
        width: map.width(),
        height: map.height(),
    })
}

/// Writes an order's number: 0 for a world's first order. A save keeps it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_number(
    order: flowtiles_order,
    number: *mut u64,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(number, "number") }, || {
        Ok(ORDERS.get(order)?.read()?.number())
    })
}

/// Makes a claim on the order with this number, which must be claimed already. The caller
/// owns it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn flowtiles_order_by_number(
    world: flowtiles_world,
    number: u64,
    order: *mut flowtiles_order,
) -> flowtiles_status {
    // SAFETY: see the head of the crate.
    answer_into(unsafe { Out::new(order, "order") }, || {
        let claim = WORLDS.get(world)?.read()?.world.order_with_number(number);
        let missing =
            || Fault::not_found(format!("the world has no order {number} that is claimed"));
        ORDERS.enter(claim.ok_or_else(missing)?, world)
    })
}
