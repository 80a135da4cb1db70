//! Smooth noise from whole numbers: heights, moisture, woods.

use std::cell;

use flowtiles::Cell;

use super::land::{HEIGHT, WIDTH};
use crate::random::hash;

/// Smooth drawn fields over the whole plane, each value 0..65536.
///
/// Value noise: numbers drawn at the corners of a grid and blended between
/// them, then several such grids, each twice as fine and half as strong,
/// added up.
pub struct Noise {
    seed: u64,
    height: Vec<Octave>,
    wood: Vec<Octave>,
    moisture: Vec<Octave>,
    roughness: Vec<Octave>,
    bends: [Bend; 2],
}

/// One grid of a field.
struct Octave {
    /// What its corners are drawn from.
    drawn: u64,
    side: i32,
    weight: i64,
    /// For each place along an axis, from `-AROUND` on, its square and how much of the farther
    /// corner it takes: a division for each cell takes long.
    places: Vec<(i32, i64)>,
    /// The square of the grid that was asked last, and its corners: the next cell often
    /// lies in the same.
    last: cell::Cell<([i32; 2], [i64; 4])>,
}

/// A slow noise that moves cells, which bends the straight creases that a grid leaves.
struct Bend {
    axes: [Vec<Octave>; 2],
    reach: i64,
}

/// How far around a country places are known: bent cells lie outside.
const AROUND: i32 = 200;
/// The places that are known.
const PLACES: i32 = if WIDTH > HEIGHT { WIDTH } else { HEIGHT } + 2 * AROUND;
/// One as a fixed-point number of 16 bits.
const ONE: i64 = 1 << 16;

impl Noise {
    pub fn new(seed: u64) -> Self {
        let field = |number, side, layers| octaves(seed, number, side, layers);
        let bend = |side, reach| Bend {
            axes: [5, 6].map(|number| field(number, side, 3)),
            reach,
        };
        Self {
            seed,
            height: field(1, 260, 6),
            wood: field(2, 120, 5),
            moisture: field(3, 70, 4),
            roughness: field(7, 14, 3),
            bends: [bend(90, 60), bend(40, 30)],
        }
    }

    /// The height of the land.
    pub fn height(&self, cell: Cell) -> i32 {
        layered(&self.height, self.bends[0].moved(cell))
    }

    /// The density of woods.
    pub fn wood(&self, cell: Cell) -> i32 {
        layered(&self.wood, self.bends[1].moved(cell))
    }

    /// The moisture.
    pub fn moisture(&self, cell: Cell) -> i32 {
        layered(&self.moisture, cell)
    }

    /// The difficulty of building, for squares of some cells.
    pub fn roughness(&self, square: Cell) -> i32 {
        layered(&self.roughness, square)
    }

    /// A random number of a cell.
    pub const fn grain(&self, cell: Cell) -> i32 {
        corner(hash(self.seed ^ 4), cell.x, cell.y) as i32
    }
}

impl Bend {
    fn moved(&self, cell: Cell) -> Cell {
        let shift = |axis: &[Octave]| {
            let part = i64::from(layered(axis, cell)) - ONE / 2;
            (part * self.reach * 2 / ONE) as i32
        };
        Cell::new(cell.x + shift(&self.axes[0]), cell.y + shift(&self.axes[1]))
    }
}

/// The grids of a field, each twice as fine and half as strong.
fn octaves(seed: u64, field: u64, side: i32, layers: u32) -> Vec<Octave> {
    let octave = |layer: u32| {
        let side = (side >> layer).max(2);
        Octave {
            drawn: hash(seed ^ (field << 8 | u64::from(layer))),
            side,
            weight: 1 << (layers - layer),
            last: cell::Cell::new(([i32::MIN; 2], [0; 4])),
            places: (0..PLACES).map(|at| place(at - AROUND, side)).collect(),
        }
    };
    (0..layers).map(octave).collect()
}

fn layered(octaves: &[Octave], cell: Cell) -> i32 {
    let (mut sum, mut weights) = (0, 0);
    for octave in octaves {
        sum += octave.blended(cell) * octave.weight;
        weights += octave.weight;
    }
    (sum / weights) as i32
}

/// The square of a place along an axis, and how much of the farther corner it takes.
const fn place(at: i32, side: i32) -> (i32, i64) {
    let along = at.rem_euclid(side) as i64;
    (at.div_euclid(side), eased(along * ONE / side as i64))
}

impl Octave {
    fn place(&self, at: i32) -> (i32, i64) {
        let known = self.places.get(at.wrapping_add(AROUND) as usize);
        known.copied().unwrap_or_else(|| place(at, self.side))
    }

    fn blended(&self, cell: Cell) -> i64 {
        let ((column, right), (row, down)) = (self.place(cell.x), self.place(cell.y));
        let (mut at, mut corners) = self.last.get();
        if at != [column, row] {
            at = [column, row];
            corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
                .map(|(dx, dy)| corner(self.drawn, column + dx, row + dy));
            self.last.set((at, corners));
        }
        let [a, b, c, d] = corners;
        mix(mix(a, b, right), mix(c, d, right), down)
    }
}

/// The number drawn at a corner of a grid.
const fn corner(drawn: u64, column: i32, row: i32) -> i64 {
    let place = (column as u32 as u64) << 32 | row as u32 as u64;
    (hash(drawn ^ place) >> 48) as i64
}

/// Slow at both ends: t²(3 − 2t).
const fn eased(t: i64) -> i64 {
    let square = t * t / ONE;
    square * (3 * ONE - 2 * t) / ONE
}

const fn mix(from: i64, to: i64, part: i64) -> i64 {
    from + (to - from) * part / ONE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A field remembers corners; what was asked before must not show.
    #[test]
    fn noise_of_a_cell_does_not_depend_on_earlier_calls() {
        let asked = Noise::new(5);
        for x in (-700..700).step_by(37) {
            for y in (-270..70).step_by(9) {
                let (cell, fresh) = (Cell::new(x, y), Noise::new(5));
                let of =
                    |noise: &Noise| [noise.height(cell), noise.wood(cell), noise.moisture(cell)];
                assert_eq!(of(&asked), of(&fresh), "{cell}");
            }
        }
    }
}
