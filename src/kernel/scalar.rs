//! The kernel: settles one tile.
//!
//! The values are swept in raster order, forward and backward in turn. A
//! forward sweep lets each cell look at the four neighbours already swept
//! (west, north-west, north, north-east), a backward sweep at the other four;
//! a value then runs along a whole straight way in one sweep, and only a way
//! that turns back costs another. The sweeps end when one of them changes
//! nothing, which makes the result the exact fixpoint, whatever the costs.
//!
//! Which neighbours a cell may look at is found for a whole row at once, from
//! one bit a cell, before the first sweep.

use std::cmp::Ordering;

use super::frame::{CELLS, Frame, SIDE, UNREACHED, inner_cells};
use super::step::weight;
use crate::cost::Cost;
use crate::grid::{Direction, SECTOR_SIDE, Slot};

const INNER: [usize; 100] = inner_cells();

/// Distance in the frame to the neighbour in each direction.
const HOP: [isize; 8] = {
    let mut hops = [0; 8];
    let mut i = 0;
    while i < 8 {
        let (dx, dy) = Direction::ALL[i].offset();
        hops[i] = dy as isize * SIDE as isize + dx as isize;
        i += 1;
    }
    hops
};

/// The directions that a forward sweep looks in, and those of a backward one.
const FORWARD: [Direction; 4] = [
    Direction::West,
    Direction::NorthWest,
    Direction::North,
    Direction::NorthEast,
];
const BACKWARD: [Direction; 4] = [
    Direction::East,
    Direction::SouthEast,
    Direction::South,
    Direction::SouthWest,
];

/// For each cell of the frame, the directions in which the step rule lets it
/// look inside the frame, as bits by direction.
fn ways(costs: &[u8; CELLS]) -> [u8; CELLS] {
    let mut open = [0_u16; SIDE];
    for (row, costs) in open.iter_mut().zip(costs.chunks_exact(SIDE)) {
        for (x, &cost) in costs.iter().enumerate() {
            *row |= u16::from(cost != Cost::WALL.value()) << x;
        }
    }
    let mut ways = [0; CELLS];
    for y in 0..SIDE {
        let row = |dy: i32| {
            let y = y as i32 + dy;
            if (0..SIDE as i32).contains(&y) {
                open[y as usize]
            } else {
                0
            }
        };
        for direction in Direction::ALL {
            let (dx, dy) = direction.offset();
            let shift = |row: u16| {
                if dx > 0 {
                    row >> 1
                } else if dx < 0 {
                    row << 1
                } else {
                    row
                }
            };
            let target = shift(row(dy));
            let beside = if direction.is_diagonal() {
                shift(row(0)) & row(dy)
            } else {
                u16::MAX
            };
            let free = row(0) & target & beside;
            for (x, ways) in ways[y * SIDE..(y + 1) * SIDE].iter_mut().enumerate() {
                *ways |= ((free >> x & 1) as u8) << direction as u8;
            }
        }
    }
    ways
}

/// The best value that a cell would have by its open ways among `directions`.
fn best_way(frame: &Frame, ways: u8, cell: usize, directions: &[Direction]) -> u64 {
    let mut best = UNREACHED;
    for &direction in directions {
        if ways >> direction as u8 & 1 == 1 {
            best = best.min(by_way(frame, cell, direction));
        }
    }
    best
}

/// The value that a cell would have by the step in one direction.
fn by_way(frame: &Frame, cell: usize, direction: Direction) -> u64 {
    let beyond = frame.values[cell.wrapping_add_signed(HOP[direction as usize])];
    beyond.saturating_add(u64::from(frame.costs[cell]) * u64::from(weight(direction)))
}

/// The whole of a frame at once.
impl Frame {
    /// Settles the tile: every cell's value becomes the price of the cheapest
    /// way through tile and ring from it to a source.
    pub(crate) fn settle(&mut self) {
        settle(self);
    }

    /// For each cell of the tile the first direction (in the order of
    /// [`Direction::ALL`](crate::grid::Direction::ALL)) that accounts for its
    /// value, as told to `visit` with the cell's slot; `None` for a source and
    /// for a cell that was not reached.
    pub(crate) fn flow(&self, visit: impl FnMut(Slot, Option<u8>)) {
        flow(self, visit);
    }

    /// The lowest value that each of the eight neighbours' ring cells would
    /// improve to by a step into this tile; [`UNREACHED`] where none would.
    /// The order is that of [`Direction::ALL`](crate::grid::Direction::ALL).
    ///
    /// Tells `equal` of the ring cells that would come to what they have: their
    /// column and row, and the first direction by which they would.
    pub(crate) fn improvements(&self, mut equal: impl FnMut(i32, i32, Direction)) -> [u64; 8] {
        let mut lowest = [UNREACHED; 8];
        offers(self, |offer| {
            let (x, y) = (offer.x, offer.y);
            if offer.gain == Ordering::Equal {
                equal(x, y, offer.way);
                return;
            }
            let side = Direction::toward(x.div_euclid(SECTOR_SIDE), y.div_euclid(SECTOR_SIDE));
            if let Some(neighbour) = side {
                let lowest = &mut lowest[neighbour as usize];
                *lowest = offer.value.min(*lowest);
            }
        });
        lowest
    }
}

pub(super) fn settle(frame: &mut Frame) {
    let ways = ways(&frame.costs);
    let mut sweep = |cells: &mut dyn Iterator<Item = &usize>, directions: &[Direction]| {
        let mut changed = false;
        for &cell in cells {
            let best = best_way(frame, ways[cell], cell, directions);
            if best < frame.values[cell] {
                frame.values[cell] = best;
                changed = true;
            }
        }
        changed
    };
    sweep(&mut INNER.iter(), &FORWARD);
    loop {
        if !sweep(&mut INNER.iter().rev(), &BACKWARD) {
            break;
        }
        if !sweep(&mut INNER.iter(), &FORWARD) {
            break;
        }
    }
}

pub(super) fn flow(frame: &Frame, mut visit: impl FnMut(Slot, Option<u8>)) {
    let ways = ways(&frame.costs);
    for slot in Slot::all() {
        let cell = INNER[slot.index()];
        let value = frame.values[cell];
        let way = Direction::ALL.into_iter().find(|&direction| {
            value != UNREACHED
                && ways[cell] >> direction as u8 & 1 == 1
                && by_way(frame, cell, direction) == value
        });
        visit(slot, way.map(|direction| direction as u8));
    }
}

/// What the best step into the tile would be to a cell of the ring.
pub(super) struct RingOffer {
    /// The cell, as the tile counts.
    pub(super) x: i32,
    pub(super) y: i32,
    /// What it would come to.
    pub(super) value: u64,
    /// The first direction by which it would.
    pub(super) way: Direction,
    /// Whether that is less than what it has, or the same.
    pub(super) gain: Ordering,
}

/// Tells of each cell of the ring that a step into the tile would serve better
/// than what it has, or as well.
pub(super) fn offers(frame: &Frame, mut visit: impl FnMut(RingOffer)) {
    let ways = ways(&frame.costs);
    let inside = |v: i32| (0..SECTOR_SIDE).contains(&v);
    for (cell, &ways) in ways.iter().enumerate() {
        let (x, y) = ((cell % SIDE) as i32 - 1, (cell / SIDE) as i32 - 1);
        if inside(x) && inside(y) {
            continue;
        }
        let free = |direction: &Direction| {
            let (dx, dy) = direction.offset();
            ways >> *direction as u8 & 1 == 1 && inside(x + dx) && inside(y + dy)
        };
        let steps = Direction::ALL.into_iter().filter(free);
        let best = steps
            .map(|way| (by_way(frame, cell, way), way))
            .min_by_key(|&(value, _)| value);
        if let Some((value, way)) = best
            && value != UNREACHED
            && value <= frame.values[cell]
        {
            visit(RingOffer {
                x,
                y,
                value,
                way,
                gain: value.cmp(&frame.values[cell]),
            });
        }
    }
}
