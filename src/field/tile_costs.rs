//! The costs-to-go of all cells of one tile.
//!
//! A field keeps them at the border of a tile. From an inner cell the directions lead to one
//! that is known. The cells are gone through row by row, down and up again, and each that leads
//! to a known one is known then. One time is enough for most tiles:
//!
//! ```text
//!   · · · 35      Down: a, b and c are not known yet where they are asked.
//!   a b c 40      Up, from the east: c has 45 by 40, which is kept; so b has 50, and a has 55.
//!   · · · 45
//! ```
//!
//! PERF: no cell is a branch, so it does not matter what the tile looks like. All of 300×300
//! cells, in ns a cell, on a virtual machine with an AMD EPYC 9005:
//!
//! | | open | 10 % walls | 20 % | 30 % | costs of 1 to 20 |
//! | --- | --: | --: | --: | --: | --: |
//! | as it is | 2.8 | 3.3 | 3.6 | 3.7 | 3.8 |
//! | a walk from each cell, with the costs noted on the way back | 3.7 | 6.8 | 8.7 | 9.8 | 6.3 |
//! | in each round, all cells twice as far along the directions | 7.3 | 10.6 | 13.3 | 15.8 | 8.6 |

use super::flow::{Flow, FlowField, FlowTile};
use crate::grid::{Direction, SECTOR_CELLS, SECTOR_SIDE, Sector, Slot};
use crate::kernel::{Borders, DIAGONAL, NO_PATH, STRAIGHT};

/// The cost of a cell from which no path begins.
const NO_COST: u32 = u32::MAX;
/// Stands for all costs from this one on.
const COST_MOST: u32 = NO_COST - 1;

const SIDE: usize = SECTOR_SIDE as usize;
/// Room for each number of seven bits, so that no look-up is checked.
const ROOM: usize = 128;

/// What the step from a cell adds to the index of its slot, by the flow's byte; nothing if that
/// is no direction.
const STEPS: [u8; 16] = {
    let mut steps = [0; 16];
    let mut at = 0;
    while at < Direction::ALL.len() {
        let (dx, dy) = Direction::ALL[at].offset();
        steps[at] = (dy * SECTOR_SIDE + dx) as u8;
        at += 1;
    }
    steps
};

/// Returns the costs-to-go of a tile that was made for the present costs, as [`in_u32`] gives
/// them; `None` if the sector is not loaded. `ground` are its costs; `look_up` is
/// [`FlowField::cost_to_go`], and is asked at goals and links.
pub(crate) fn tile_costs(
    field: &FlowField,
    sector: Sector,
    ground: &[u8; SECTOR_CELLS],
    look_up: impl Fn(Slot) -> Option<u64>,
) -> Option<[u32; SECTOR_CELLS]> {
    let (index, flows) = field.indexed_tile(sector)?;
    let mut costs = [NO_COST; SECTOR_CELLS];
    let Some(borders) = field.borders(index) else {
        for slot in Slot::all() {
            let flow = Flow::of(flows[slot.index()]);
            let kept = || field.kept_at(index, slot);
            costs[slot.index()] = in_u32(match flow.direction() {
                Some(_) => kept().or_else(|| look_up(slot)),
                None if flow.leads_on() => look_up(slot),
                None => None,
            });
        }
        return Some(costs);
    };
    let look_up = |slot| {
        let offset = look_up(slot).map(|cost| cost.saturating_sub(field.base()));
        in_u32(offset).min(NO_PATH)
    };
    let offsets = offsets(flows, borders, ground, look_up);
    let base = in_u32(Some(field.base()));
    for (cost, (&offset, &flow)) in costs.iter_mut().zip(offsets.iter().zip(flows)) {
        let sum = base + offset.min(COST_MOST - base);
        let is_none = (offset >= NO_PATH) | (flow == Flow::NO_DIRECTION.byte());
        *cost = if is_none { NO_COST } else { sum };
    }
    Some(costs)
}

/// Returns how far above the field's base the costs of all cells are, [`NO_PATH`] or more for
/// none.
fn offsets(
    flows: &FlowTile,
    borders: &Borders,
    ground: &[u8; SECTOR_CELLS],
    look_up: impl Fn(Slot) -> u32,
) -> [u32; ROOM] {
    let mut costs = [NO_PATH; ROOM];
    let [north, east, south, west] = &borders.sides;
    costs[..SIDE].copy_from_slice(&north.values);
    costs[SECTOR_CELLS - SIDE..SECTOR_CELLS].copy_from_slice(&south.values);
    for y in 0..SIDE {
        costs[y * SIDE] = west.values[y];
        costs[y * SIDE + SIDE - 1] = east.values[y];
    }
    let is_end = |&flow: &u8| (flow >= Flow::HERE.byte()) & (flow != Flow::NO_DIRECTION.byte());
    if flows.iter().fold(false, |any, flow| any | is_end(flow)) {
        for slot in Slot::all().filter(|slot| is_end(&flows[slot.index()])) {
            costs[slot.index()] = look_up(slot);
        }
    }

    let mut beyond = [0; ROOM];
    let mut prices = [0; ROOM];
    for (price, (&flow, &cost)) in prices.iter_mut().zip(flows.iter().zip(ground)) {
        let is_diagonal = flow >= Direction::NorthEast as u8;
        let weight = if is_diagonal { DIAGONAL } else { STRAIGHT };
        let leads_on = flow < Flow::HERE.byte();
        *price = if leads_on {
            u32::from(cost) * weight
        } else {
            0
        };
    }
    for y in 1..SIDE - 1 {
        for at in y * SIDE + 1..(y + 1) * SIDE - 1 {
            beyond[at] = (at as u8).wrapping_add(STEPS[usize::from(flows[at]) % STEPS.len()]);
        }
    }
    let go = |costs: &mut [u32; ROOM], at: usize| {
        costs[at] = costs[usize::from(beyond[at]) % ROOM] + prices[at];
    };
    let (mut before, mut asked) = (0, false);
    loop {
        for y in 1..SIDE - 1 {
            for x in 1..SIDE - 1 {
                go(&mut costs, y * SIDE + x);
            }
        }
        for y in (1..SIDE - 1).rev() {
            for x in (1..SIDE - 1).rev() {
                go(&mut costs, y * SIDE + x);
            }
        }
        let is_unknown = |at: usize, cost: u32| (flows[at] < Flow::HERE.byte()) & (cost >= NO_PATH);
        let cells = costs[..SECTOR_CELLS].iter().enumerate();
        let left = cells.fold(0, |count, (at, &cost)| {
            count + u32::from(is_unknown(at, cost))
        });
        if left == 0 || left == before && asked {
            return costs;
        }
        if left == before {
            // A patch may have given a border cell a direction for which nothing is kept.
            for (slot, _) in borders.cells() {
                if is_unknown(slot.index(), costs[slot.index()]) {
                    costs[slot.index()] = look_up(slot);
                }
            }
            asked = true;
        }
        before = left;
    }
}

/// Returns a cost-to-go in fewer bits: [`NO_COST`] for none, and one less for those that do not
/// fit.
pub(crate) fn in_u32(cost: Option<u64>) -> u32 {
    cost.map_or(NO_COST, |cost| cost.min(u64::from(COST_MOST)) as u32)
}
