//! The fallback for tiles whose values lie too far apart for narrow lanes.
//!
//! A serpentine through cost 254 is 80,010 long. A pocket may be reached at 5
//! from one side, while another pocket of the tile is reached at 100,000. Such
//! tiles are rare. They use the 64-bit frame: the same rule, a cell at a time,
//! in 3 to 9 µs.

use std::cmp::Ordering;

use super::frame::{Frame, UNREACHED};
use super::ground::{Costs, FRAME};
use super::halo::{NO_PATH, Settling, SideValues, Wake};
use super::scalar;
use super::threshold::Threshold;
use crate::arrays::array_of;
use crate::cost::CostTile;
use crate::grid::{SECTOR_SIDE, Slot};

const SIDE: i32 = SECTOR_SIDE;

/// Settles a tile; see [`settle`](super::settle()).
pub(super) fn settle(costs: &Costs, tile: &mut Settling<'_>) -> Wake {
    let mut frame = Frame::of(costs);
    for (x, y, value) in tile.halo.cells() {
        if value != NO_PATH {
            frame.set(x as i32 - 1, y as i32 - 1, value.into());
        }
    }
    for seed in tile.seeds {
        if !frame.is_wall(seed.slot) {
            frame.seed(seed.slot, u64::from(seed.value));
        }
    }
    frame.settle();
    *tile.flow = frame.flow();
    tile.borders.sides = [
        side(&frame, |i| Slot::at(i, 0)),
        side(&frame, |i| Slot::at(SIDE - 1, i)),
        side(&frame, |i| Slot::at(i, SIDE - 1)),
        side(&frame, |i| Slot::at(0, i)),
    ];
    wake(&frame)
}

/// Computes the costs of the walks inside the tile to one threshold; see
/// [`walks_to`](super::walks_to).
pub(super) fn walks_to(tile: &CostTile, to: &Threshold, from: &[Threshold], out: &mut [u32]) {
    let mut frame = Frame::of(&Costs::alone(tile.costs()));
    for &(slot, price) in to.steps() {
        frame.seed(slot, price.into());
    }
    frame.settle();
    for (cost, from) in out.iter_mut().zip(from) {
        let over = from
            .steps()
            .iter()
            .map(|&(slot, price)| frame.value(slot).saturating_add(price.into()));
        *cost = narrow(over.min().unwrap_or(UNREACHED));
    }
}

fn narrow(value: u64) -> u32 {
    value.min(NO_PATH.into()) as u32
}

fn side(frame: &Frame, slot: impl Fn(i32) -> Slot) -> SideValues {
    SideValues::of(array_of(|i| narrow(frame.value(slot(i as i32)))))
}

fn wake(frame: &Frame) -> Wake {
    const LAST: i32 = FRAME as i32 - 2;
    let (mut better, mut equal) = ([0; 4], [0; 4]);
    scalar::offers(frame, |offer| {
        let (side, along) = match (offer.x, offer.y) {
            (x, -1) => (0, x),
            (x, LAST) => (2, x),
            (-1, y) => (3, y),
            (_, y) => (1, y),
        };
        let lines = match offer.gain {
            Ordering::Equal => &mut equal,
            Ordering::Less | Ordering::Greater => &mut better,
        };
        lines[side] |= 1 << (along + 1);
    });
    Wake { better, equal }
}
