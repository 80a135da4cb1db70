//! The scalar kernel: settles one tile, a cell at a time.
//!
//! The values are swept in raster order, alternately forward and backward. In a
//! forward sweep each cell looks at the four neighbours already swept (west,
//! north-west, north, north-east), in a backward sweep at the other four. So a
//! value travels along a whole straight path in one sweep, and only a path that
//! turns back needs another. The sweeps end when one of them changes nothing,
//! so the result is the exact fixpoint, whatever the costs.
//!
//! The legal steps of all cells are found before the first sweep.

use std::cmp::Ordering;

use super::flow::{HERE, NO_DIRECTION};
use super::frame::{CELLS, Frame, INNER, SIDE, UNREACHED};
use super::step::{price_among, weight};
use crate::arrays::{Mapped, array_of};
use crate::cost::Cost;
use crate::grid::{Direction, SECTOR_CELLS, SECTOR_SIDE};

/// The distance in the frame to the neighbour in each direction.
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

/// The directions in which a forward sweep looks; below, those of a backward
/// one.
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

/// Returns the legal steps of each cell that stay in the frame, as bits by
/// direction.
fn legal_steps(costs: &[u8; CELLS]) -> [u8; CELLS] {
    array_of(|cell| {
        let (x, y) = ((cell % SIDE) as i32, (cell / SIDE) as i32);
        let cost = |dx: i32, dy: i32| {
            let (x, y) = (x + dx, y + dy);
            let is_inside = (0..SIDE as i32).contains(&x) && (0..SIDE as i32).contains(&y);
            is_inside.then(|| Cost::new(costs[y as usize * SIDE + x as usize]).ok())?
        };
        Direction::ALL
            .into_iter()
            .filter(|&direction| price_among(direction, cost).is_some())
            .fold(0, |bits, direction| bits | 1 << direction as u8)
    })
}

/// Returns those of these directions whose bits are set.
fn steps(legal: u8, among: &[Direction]) -> impl Iterator<Item = Direction> {
    among
        .iter()
        .copied()
        .filter(move |&direction| legal >> direction as u8 & 1 == 1)
}

/// Returns the best value that a cell gets by its legal steps among
/// `directions`.
fn best_step(frame: &Frame, legal: u8, cell: usize, directions: &[Direction]) -> u64 {
    let values = steps(legal, directions).map(|direction| by_step(frame, cell, direction));
    values.min().unwrap_or(UNREACHED)
}

fn by_step(frame: &Frame, cell: usize, direction: Direction) -> u64 {
    frame.values[cell.wrapping_add_signed(HOP[direction as usize])]
        .saturating_add(u64::from(frame.costs[cell]) * u64::from(weight(direction)))
}

/// The cell-by-cell kernel on a whole frame.
impl Frame {
    /// Settles the tile: every cell's value becomes the cost of the cheapest
    /// path through tile and halo from it to a source.
    pub(crate) fn settle(&mut self) {
        let legal = legal_steps(&self.costs);
        let mut sweep = |cells: &mut dyn Iterator<Item = &usize>, directions: &[Direction]| {
            let mut changed = false;
            for &cell in cells {
                let best = best_step(self, legal[cell], cell, directions);
                if best < self.values[cell] {
                    self.values[cell] = best;
                    changed = true;
                }
            }
            changed
        };
        sweep(&mut INNER.iter(), &FORWARD);
        while sweep(&mut INNER.iter().rev(), &BACKWARD) && sweep(&mut INNER.iter(), &FORWARD) {}
    }

    /// Returns for each cell of the tile the code of the first direction (in the
    /// order of [`Direction::ALL`](crate::grid::Direction::ALL)) that accounts
    /// for its value; [`HERE`] for a source, [`NO_DIRECTION`] for an unreached cell.
    pub(crate) fn flow(&self) -> [u8; SECTOR_CELLS] {
        let legal = legal_steps(&self.costs);
        INNER.mapped(|cell| {
            let value = self.values[cell];
            if value == UNREACHED {
                return NO_DIRECTION;
            }
            let mut steps = steps(legal[cell], &Direction::ALL);
            steps
                .find(|&direction| by_step(self, cell, direction) == value)
                .map_or(HERE, |direction| direction as u8)
        })
    }

    /// Returns for each of the eight neighbours the lowest value to which a
    /// step into this tile improves one of its halo cells; [`UNREACHED`] if it
    /// improves none. The order is that of
    /// [`Direction::ALL`](crate::grid::Direction::ALL).
    ///
    /// Calls `equal` for each halo cell for which the best step is exactly as
    /// good as its value: with its column and row, and the first such
    /// direction.
    pub(crate) fn improvements(&self, mut equal: impl FnMut(i32, i32, Direction)) -> [u64; 8] {
        let mut lowest = [UNREACHED; 8];
        offers(self, |offer| {
            let (x, y) = (offer.x, offer.y);
            if offer.gain == Ordering::Equal {
                equal(x, y, offer.direction);
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

/// The best step into the tile from a cell of the halo.
pub(super) struct HaloOffer {
    /// The cell, as the tile counts.
    pub(super) x: i32,
    pub(super) y: i32,
    /// The value that the cell gets by the step.
    pub(super) value: u64,
    /// The first direction of such a step.
    pub(super) direction: Direction,
    /// Whether the new value is less than the cell's value, or equal.
    pub(super) gain: Ordering,
}

/// Calls `visit` for each cell of the halo for which a step into the tile is at
/// least as good as its value.
pub(super) fn offers(frame: &Frame, mut visit: impl FnMut(HaloOffer)) {
    let legal = legal_steps(&frame.costs);
    let inside = |v: i32| (0..SECTOR_SIDE).contains(&v);
    for (cell, &legal) in legal.iter().enumerate() {
        let (x, y) = ((cell % SIDE) as i32 - 1, (cell / SIDE) as i32 - 1);
        if inside(x) && inside(y) {
            continue;
        }
        let best = steps(legal, &Direction::ALL)
            .filter(|direction| {
                let (dx, dy) = direction.offset();
                inside(x + dx) && inside(y + dy)
            })
            .map(|direction| (by_step(frame, cell, direction), direction))
            .min_by_key(|&(value, _)| value);
        if let Some((value, direction)) = best
            && value != UNREACHED
            && value <= frame.values[cell]
        {
            visit(HaloOffer {
                x,
                y,
                value,
                direction,
                gain: value.cmp(&frame.values[cell]),
            });
        }
    }
}
