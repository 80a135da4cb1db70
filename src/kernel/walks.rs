//! Walks: the costs of crossing a tile, from some of its cells to others.
//!
//! The portal graph needs the costs between all crossings of a tile, the search
//! those to one cell. Both look at the tile alone, as if walls surrounded it.
//! An *arrival* is a threshold at which walks end. There are four methods:
//!
//! | tile and arrivals | method |
//! | --- | --- |
//! | a clear tile | a formula of the two positions, times the cost |
//! | few arrivals | the tile settled once for each, by rows ([`sweep`]) |
//! | many arrivals | all at once, a lane each ([`abreast`](super::abreast)) |
//! | 4 to 8 in each of two tiles | both tiles at once, the same way |
//!
//! Where all open cells cost the same, bytes are tried first, as if the cost was 1, and
//! the result is multiplied. Otherwise, and if the walks are too long, words are tried,
//! then 64 bits. The costs are the same by every method.
//!
//! PERF: on 20 % walls, in ns:
//!
//! | arrivals | bytes by rows | abreast | words by rows | abreast |
//! | --: | --: | --: | --: | --: |
//! | 1 | 185 | 800 | 310 | 880 |
//! | 4 | 710 | 1,160 | 1,140 | 1,180 |
//! | 7 | 1,400 | 1,650 | 2,430 | 1,700 |
//! | 16 | 3,680 | 2,140 | 6,240 | 3,810 |
//!
//! In mazes and caves walking abreast wins from six arrivals on in bytes. The
//! limit chosen is seven. A heap for each arrival takes 17 to 20 times as long
//! as the better of the two.

use std::borrow::Cow;

use super::abreast::{CellPrices, HALF, OnePrice, WalkRequest, walk_abreast, walk_in_two};
use super::ground::{Costs, FRAME, Walls};
use super::halo::NO_PATH;
use super::lanes::TooFar;
use super::prices::{Costed, StepPrices, Walled};
use super::row::{Lanes, Single, any_low};
use super::step::octile;
use super::threshold::Threshold;
use super::walkers::Eight;
use super::{sweep, wide};
use crate::arrays::Mapped;
use crate::cost::CostTile;
use crate::grid::{SECTOR_CELLS, Slot};

/// The number of arrivals from which walking abreast is faster, in bytes.
const MANY_BYTES: usize = 7;
/// The number of arrivals in each of two tiles from which walking both at once
/// is faster.
const FEW_IN_TWO: usize = 4;
/// The number of arrivals from which walking abreast is faster, in words.
const MANY_WORDS: usize = 5;

/// Computes the costs of walks inside a tile: `out[to * from.len() + from]` is
/// that of the cheapest walk from one to the other, [`NO_PATH`] if there is
/// none. All thresholds lie at open cells.
pub(crate) fn walks_between(
    tile: &CostTile,
    to: &[Threshold],
    from: &[Threshold],
    out: &mut Vec<u32>,
) {
    let asked = WalkRequest::new(to, from, out);
    if from.is_empty() {
        return;
    }
    let Some(cost) = open_cost(tile) else {
        return walks(tile, asked);
    };
    for (out, to) in asked.out.chunks_exact_mut(from.len()).zip(to) {
        over_open_ground(cost, to, from, out);
    }
}

/// Whether these walks are best found together with those through another tile
/// for which this is true as well: see [`walks_between_in_two`].
pub(crate) fn is_half(tile: &CostTile, to: &[Threshold], from: &[Threshold]) -> bool {
    (FEW_IN_TWO..=HALF).contains(&to.len())
        && !from.is_empty()
        && !tile.is_clear()
        && one_cost(tile, [to, from]).is_some()
}

/// Does the same as [`walks_between`], for two tiles at once.
pub(crate) fn walks_between_in_two(
    tiles: [&CostTile; 2],
    to: [&[Threshold]; 2],
    from: [&[Threshold]; 2],
    out: [&mut Vec<u32>; 2],
) {
    debug_assert!((0..2).all(|tile| is_half(tiles[tile], to[tile], from[tile])));
    let walls = tiles.mapped(|tile| Walls::alone(tile.walls()));
    let costs = tiles.mapped(|tile| tile.unit().map_or(1, |cost| u32::from(cost.value())));
    let [first, second] = out;
    let is_done = if costs == [1, 1] {
        in_two(&walls, to, from, [first, second])
    } else {
        let [to, from] =
            [to, from].map(|ends| [0, 1].map(|tile| over_cost(ends[tile], costs[tile])));
        let (to, from) = ([&*to[0], &to[1]], [&*from[0], &from[1]]);
        let is_done = in_two(&walls, to, from, [first, second]);
        multiply(first, costs[0]);
        multiply(second, costs[1]);
        is_done
    };
    if !is_done {
        walks_between(tiles[0], to[0], from[0], first);
        walks_between(tiles[1], to[1], from[1], second);
    }
}

/// Finds walks through two tiles of cost 1 at once; returns false if they are too long
/// for bytes.
fn in_two(
    walls: &[Walls; 2],
    to: [&[Threshold]; 2],
    from: [&[Threshold]; 2],
    [first, second]: [&mut Vec<u32>; 2],
) -> bool {
    let asked = [
        WalkRequest::new(to[0], from[0], first),
        WalkRequest::new(to[1], from[1], second),
    ];
    bytes_in_two([&walls[0], &walls[1]], asked).is_ok()
}

/// Returns the cost of all cells of a tile without walls, if it is the same.
fn open_cost(tile: &CostTile) -> Option<u32> {
    Some(tile.unit().filter(|_| tile.is_clear())?.value().into())
}

/// Returns the cost of all open cells of a tile, if it is the same and all steps between
/// the thresholds and the tile are as on ground of that cost.
fn one_cost(tile: &CostTile, ends: [&[Threshold]; 2]) -> Option<u32> {
    let cost = tile.unit()?.value().into();
    ends.into_iter()
        .flatten()
        .all(|end| end.is_on(cost))
        .then_some(cost)
}

/// Returns thresholds with prices divided by a cost.
fn over_cost(ends: &[Threshold], cost: u32) -> Cow<'_, [Threshold]> {
    match cost {
        1 => ends.into(),
        cost => ends.iter().map(|end| end.over_cost(cost)).collect(),
    }
}

fn multiply(walks: &mut [u32], cost: u32) {
    if cost > 1 {
        for walk in walks.iter_mut().filter(|walk| **walk != NO_PATH) {
            *walk *= cost;
        }
    }
}

/// Computes the costs to one cell of a tile: `out[i]` is that of the cheapest
/// walk from `from[i]`, [`NO_PATH`] if there is none. There is none to or from a
/// wall.
pub(crate) fn walks_to(tile: &CostTile, to: Slot, from: &[Threshold], out: &mut Vec<u32>) {
    let arrival = [Threshold::at(to)];
    let asked = WalkRequest::new(&arrival, from, out);
    if let Some(cost) = open_cost(tile) {
        over_open_ground(cost, &arrival[0], from, asked.out);
    } else if !tile.is_wall(to) && !from.is_empty() {
        walks(tile, asked);
    }
}

/// The prices of the walks over open ground of cost 1, from slot to slot.
static OPEN_WALKS: [[u8; SECTOR_CELLS]; SECTOR_CELLS] = {
    let mut walks = [[0; SECTOR_CELLS]; SECTOR_CELLS];
    let mut pair = 0;
    while pair < SECTOR_CELLS * SECTOR_CELLS {
        let (to, from) = (pair / SECTOR_CELLS, pair % SECTOR_CELLS);
        let ends = (Slot::of(to), Slot::of(from));
        let dx = ends.0.x().abs_diff(ends.1.x());
        let dy = ends.0.y().abs_diff(ends.1.y());
        walks[to][from] = octile(dx, dy) as u8;
        pair += 1;
    }
    walks
};

fn over_open_ground(cost: u32, to: &Threshold, from: &[Threshold], out: &mut [u32]) {
    for &(to, price) in to.steps() {
        let walks = &OPEN_WALKS[to.index()];
        for (least, from) in out.iter_mut().zip(from) {
            for &(from, more) in from.steps() {
                let walk = cost * u32::from(walks[from.index()]);
                *least = (*least).min(walk + price + more);
            }
        }
    }
}

/// Computes the costs in the narrowest lanes that hold them. The arrivals are
/// open cells.
fn walks(tile: &CostTile, mut asked: WalkRequest<'_>) {
    let walls = &Walls::alone(tile.walls());
    if let Some(cost) = one_cost(tile, [asked.to, asked.from])
        && in_bytes(walls, cost, asked.again()).is_ok()
    {
        return;
    }
    let costs = &Costs::alone(tile.costs());
    if in_words(costs, walls, asked.again()).is_err() {
        let WalkRequest { to, from, out } = asked;
        for (out, to) in out.chunks_exact_mut(from.len()).zip(to) {
            wide::walks_to(tile, to, from, out);
        }
    }
}

fn in_bytes(walls: &Walls, cost: u32, asked: WalkRequest<'_>) -> Result<(), TooFar> {
    let [to, from] = [asked.to, asked.from].map(|ends| over_cost(ends, cost));
    let mut in_units = WalkRequest {
        to: &to,
        from: &from,
        out: asked.out,
    };
    let [many, few] = divided(in_units.again(), <Single>::COUNT, MANY_BYTES);
    many.map_or(Ok(()), |many| bytes_abreast(walls, many))?;
    few.map_or(Ok(()), |few| bytes_by_rows(walls, few))?;
    multiply(in_units.out, cost);
    Ok(())
}

fn in_words(costs: &Costs, walls: &Walls, asked: WalkRequest<'_>) -> Result<(), TooFar> {
    let [many, few] = divided(asked, Eight::COUNT, MANY_WORDS);
    many.map_or(Ok(()), |many| words_abreast(costs, walls, many))?;
    few.map_or(Ok(()), |few| words_by_rows(costs, few))
}

/// Returns the arrivals that are walked abreast, all full vectors and the rest if
/// it is large enough, and the others; `None` for no arrivals.
fn divided(asked: WalkRequest<'_>, lanes: usize, many: usize) -> [Option<WalkRequest<'_>>; 2] {
    let WalkRequest { to, from, out } = asked;
    let rest = to.len() % lanes;
    let few = if rest < many { rest } else { 0 };
    let (to, to_few) = to.split_at(to.len() - few);
    let (out, out_few) = out.split_at_mut(to.len() * from.len());
    [(to, out), (to_few, out_few)]
        .map(|(to, out)| (!to.is_empty()).then_some(WalkRequest { to, from, out }))
}

#[inline(never)]
pub(super) fn bytes_by_rows(walls: &Walls, asked: WalkRequest<'_>) -> Result<(), TooFar> {
    by_rows(&Walled::new(walls), asked)
}

#[inline(never)]
pub(super) fn words_by_rows(costs: &Costs, asked: WalkRequest<'_>) -> Result<(), TooFar> {
    by_rows(&Costed::new(costs), asked)
}

#[inline(never)]
pub(super) fn bytes_abreast(walls: &Walls, asked: WalkRequest<'_>) -> Result<(), TooFar> {
    walk_abreast::<Single, _>(&OnePrice::in_one(), walls, asked)
}

#[inline(never)]
pub(super) fn bytes_in_two(walls: [&Walls; 2], asked: [WalkRequest<'_>; 2]) -> Result<(), TooFar> {
    walk_in_two::<Single, _>(&OnePrice::in_two(), walls, asked)
}

#[inline(never)]
pub(super) fn words_abreast(
    costs: &Costs,
    walls: &Walls,
    asked: WalkRequest<'_>,
) -> Result<(), TooFar> {
    walk_abreast::<Eight, _>(&CellPrices::new(costs), walls, asked)
}

/// Settles the tile once for each arrival.
#[inline(always)]
fn by_rows<P: StepPrices>(prices: &P, asked: WalkRequest<'_>) -> Result<(), TooFar> {
    let WalkRequest { to, from, out } = asked;
    let column_and_row = |slot: Slot| (slot.x() as usize + 1, slot.y() as usize + 1);
    let top = P::Row::TOP;
    for (out, to) in out.chunks_exact_mut(from.len()).zip(to) {
        let mut rows = [P::Row::all(0); FRAME];
        for &(slot, price) in to.steps() {
            let (x, y) = column_and_row(slot);
            rows[y] = rows[y].put(x, (top - price) as i16);
        }
        sweep::settle(&mut rows, prices);
        let mut unreached = false;
        for (cost, from) in out.iter_mut().zip(from) {
            let over = from.steps().iter().map(|&(slot, price)| {
                let (x, y) = column_and_row(slot);
                i32::from(rows[y].at(x)) - price as i32
            });
            let best = over.fold(0, i32::max);
            *cost = match best {
                0 => NO_PATH,
                closeness => top - closeness as u32,
            };
            unreached |= best == 0;
        }
        if unreached && any_low(&rows) {
            return Err(TooFar);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::Cost;

    #[test]
    fn a_threshold_may_be_dearer_than_the_tile() {
        let mut costs = [1; SECTOR_CELLS];
        costs[55] = Cost::WALL.value();
        let tile = CostTile::new(costs);
        let from = [Slot::at(0, 0), Slot::at(9, 9)].map(Threshold::at);
        for price in [5, 7, 8, 255, 1778] {
            let to = Threshold::over(Slot::at(0, 3), price);
            for count in [1, 40] {
                let mut walks = Vec::new();
                walks_between(&tile, &vec![to; count], &from, &mut walks);
                for pair in walks.chunks(2) {
                    assert_eq!(pair, [price + 15, price + 6 * 7 + 3 * 5]);
                }
            }
        }
    }
}
