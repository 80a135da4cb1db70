//! The eikonal equation ‖∇φ‖ = C, solved outward from seeds.
//!
//! The potential φ of a cell is the cost of the cheapest path from it to the
//! seeds, over all angles and not only along rows and columns. C has four
//! values in each cell, one for each side towards which a path may leave it, so
//! a step with a stream of units may be cheap where a step against it is
//! expensive.
//!
//! A value comes from one neighbour, or from a neighbour to the west or east
//! together with one to the north or south. Let p and q be the values of two
//! neighbours of the second kind, and c and d the costs of the steps to them:
//!
//! ```text
//!         q                   the larger root of
//!         │ d                   ((φ − p) / c)² + ((φ − q) / d)² = 1
//!    p ── φ      φ = ?        is  φ = (d²p + c²q + cd·√(c² + d² − (q − p)²)) / (c² + d²)
//!       c
//! ```
//!
//! The formula holds only while q − p < c and p − q < d; otherwise the front
//! arrives along one axis alone. Where it holds, the exact root is at least the
//! greater of p and q. Rounding may put the computed root below, so the code
//! takes the greater of the root, p and q: no value is lower than one that it
//! comes from. The value of a cell is the least over its four quadrants. The
//! formula is symmetric in the two neighbours, bit for bit, so it does not
//! matter from which of them the value is computed.
//!
//! The final values must not depend on the order in which cells are visited.
//! For exact roots they do not: the root never falls when p or q rises, so a
//! neighbour's value that is lowered later can only have given a root that is
//! too high, and the least discards it. Rounded roots need not have this
//! property. The root is therefore computed in double precision and rounded to
//! single precision once, at the end: its errors, in the last bits of a double,
//! change the result only where it lies almost exactly between two singles.
//! This makes dependence on the order unlikely, and does not prove its absence;
//! the tests compare the bits of different orders on drawn costs. Computed in
//! single precision, the last bit did depend on the order in some cells.
//!
//! Cells wait in buckets by their value, first in, first out, and a cell whose
//! value falls later waits again. This is faster than an exact order (a heap)
//! and ends with the same values: the tests compare them with sweeps that
//! repeat until nothing changes. Cells are expanded in batches: all cells of a
//! batch lower their neighbours before any of these neighbours goes into a
//! bucket. So the loop over a batch has no branch that waits for a square root.

use crate::budget::Paused;
use crate::vector::{greater, lesser};

use super::quota::Quota;

/// The sides of a cell, as indices into links and costs.
pub(super) const EAST: usize = 0;
pub(super) const NORTH: usize = 1;
pub(super) const WEST: usize = 2;
pub(super) const SOUTH: usize = 3;

/// The potential of a cell without a path to a seed.
pub(super) const UNREACHED: f32 = f32::INFINITY;
/// The potential that stands for a wall. It is below all others, so the front
/// neither enters a wall nor leaves one.
pub(super) const WALL: f32 = f32::NEG_INFINITY;

/// The number of buckets in the ring; a power of two.
const BUCKETS: u64 = 2048;
/// From this number up to its double, the representable single-precision
/// numbers are exactly the whole numbers.
const WHOLE: f32 = 8_388_608.0;
/// The number of cells expanded before the neighbours that they lowered go into
/// buckets.
const BATCH: usize = 32;

/// The four sides of a cell: east, north, west, south.
#[derive(Clone, Copy, Default)]
pub(super) struct Sides {
    /// The neighbours; a wall cell where there is none.
    pub(super) links: [u32; 4],
    /// The costs of the steps to them.
    pub(super) costs: [f32; 4],
}

/// The cells that wait to be expanded.
#[derive(Clone)]
pub(super) struct Front {
    ring: Vec<Vec<u64>>,
    /// Cells whose buckets lie beyond this turn of the ring.
    beyond: Vec<u64>,
    /// The bucket that is being emptied, and the number of its cells already
    /// taken.
    bucket: u64,
    taken: usize,
    waiting: usize,
    /// The number of buckets for each unit of potential.
    fineness: f32,
}

impl Default for Front {
    fn default() -> Self {
        Self {
            ring: vec![Vec::new(); BUCKETS as usize],
            beyond: Vec::new(),
            bucket: 0,
            taken: 0,
            waiting: 0,
            fineness: 1.0,
        }
    }
}

/// Packs a cell and its value into one word.
const fn entry_of(cell: u32, value: f32) -> u64 {
    (value.to_bits() as u64) << 32 | cell as u64
}

/// Returns the value of an entry.
const fn value_of(entry: u64) -> f32 {
    f32::from_bits((entry >> 32) as u32)
}

impl Front {
    /// Removes all waiting cells. Cells whose values differ by less than
    /// `width` may share a bucket.
    pub(super) fn restart(&mut self, width: f32) {
        if self.waiting > 0 {
            self.ring.iter_mut().for_each(Vec::clear);
            self.beyond.clear();
        }
        (self.bucket, self.taken, self.waiting) = (0, 0, 0);
        self.fineness = 1.0 / width;
    }

    /// Gives a cell its initial value, unless it has a lower one.
    pub(super) fn seed(&mut self, potential: &mut [f32], cell: u32, value: f32) {
        let old = &mut potential[cell as usize];
        if value < *old {
            *old = value;
            let bucket = self.bucket_of(value);
            self.put(bucket, entry_of(cell, value));
        }
    }

    fn bucket_of(&self, value: f32) -> u64 {
        // The low bits of the sum are the whole number nearest to the product.
        // For larger products they are less exact, but they never fall when the
        // product rises.
        let bits = (value * self.fineness + WHOLE).to_bits();
        u64::from(bits - WHOLE.to_bits()).max(self.bucket)
    }

    fn put(&mut self, bucket: u64, entry: u64) {
        self.waiting += 1;
        if bucket < self.bucket + BUCKETS {
            self.ring[(bucket % BUCKETS) as usize].push(entry);
        } else {
            self.beyond.push(entry);
        }
    }

    /// Expands cells until none waits.
    ///
    /// # Errors
    /// If the quota is used up first; the next call continues there.
    pub(super) fn run(
        &mut self,
        sides: &[Sides],
        potential: &mut [f32],
        quota: &mut Quota,
    ) -> Result<(), Paused> {
        while self.waiting > 0 {
            let slot = (self.bucket % BUCKETS) as usize;
            let mut now = std::mem::take(&mut self.ring[slot]);
            let done = self.empty(&mut now, sides, potential, quota);
            self.ring[slot] = now;
            done?;
            self.ring[slot].clear();
            self.taken = 0;
            if self.waiting > 0 && self.waiting == self.beyond.len() {
                self.skip();
            } else {
                self.bucket += 1;
                if self.bucket.is_multiple_of(BUCKETS) {
                    self.deal();
                }
            }
        }
        Ok(())
    }

    /// Moves to the first bucket with a cell, past all empty turns of the ring:
    /// after an expensive cell there may be millions of them.
    fn skip(&mut self) {
        let values = self.beyond.iter().map(|&entry| value_of(entry));
        let first = values.map(|value| self.bucket_of(value)).min();
        self.bucket = first.unwrap_or(self.bucket);
        self.deal();
    }

    /// Moves the cells that waited for a later turn into the ring.
    fn deal(&mut self) {
        for entry in std::mem::take(&mut self.beyond) {
            self.waiting -= 1;
            self.put(self.bucket_of(value_of(entry)), entry);
        }
    }

    /// Expands all cells of one bucket, including cells that are added to it
    /// meanwhile.
    fn empty(
        &mut self,
        now: &mut Vec<u64>,
        sides: &[Sides],
        potential: &mut [f32],
        quota: &mut Quota,
    ) -> Result<(), Paused> {
        let mut lowered = [0; 4 * BATCH];
        while self.taken < now.len() {
            quota.check()?;
            let most = quota.left().min(BATCH as u64) as usize;
            let batch = (now.len() - self.taken).min(most);
            let mut count = 0;
            let mut expanded = 0;
            for &entry in &now[self.taken..self.taken + batch] {
                let (cell, value) = (entry as u32, value_of(entry));
                if potential[cell as usize] != value {
                    continue;
                }
                expanded += 1;
                let lowered = (&mut lowered, &mut count);
                lower_around(sides, potential, lowered, cell, value);
            }
            self.taken += batch;
            self.waiting -= batch;
            quota.count(expanded);
            for &entry in &lowered[..count] {
                let value = value_of(entry);
                let bucket = self.bucket_of(value);
                if bucket == self.bucket {
                    self.waiting += 1;
                    now.push(entry);
                } else {
                    self.put(bucket, entry);
                }
            }
        }
        Ok(())
    }
}

/// Lowers the values around a cell where they are reached from it: each neighbour is
/// left towards this cell, alone or together with a side across.
#[inline(always)]
fn lower_around(
    sides: &[Sides],
    potential: &mut [f32],
    (lowered, count): (&mut [u64; 4 * BATCH], &mut usize),
    cell: u32,
    value: f32,
) {
    let [east, north, west, south] = sides[cell as usize].links;
    let mut lower_to = |cell, toward| lower(sides, potential, lowered, count, cell, value, toward);
    lower_to(east, [WEST, NORTH, SOUTH]);
    lower_to(west, [EAST, NORTH, SOUTH]);
    lower_to(south, [NORTH, EAST, WEST]);
    lower_to(north, [SOUTH, EAST, WEST]);
}

/// Lowers the value of a cell, if the neighbour on the first of three sides,
/// whose value is `from`, gives a lower one, and then appends the cell to
/// `lowered`.
#[inline(always)]
fn lower(
    sides: &[Sides],
    potential: &mut [f32],
    lowered: &mut [u64; 4 * BATCH],
    count: &mut usize,
    cell: u32,
    from: f32,
    toward: [usize; 3],
) {
    let old = potential[cell as usize];
    // Walls, and cells that are closer to the seeds, end here.
    if old > from {
        let new = relaxed(&sides[cell as usize], potential, from, toward);
        potential[cell as usize] = lesser(new, old);
        lowered[*count] = entry_of(cell, new);
        *count += usize::from(new < old);
    }
}

/// Returns the value of a cell by its neighbour on the first of three sides,
/// whose value is `from`, alone or with the neighbour on one of the other two
/// sides.
#[inline(always)]
fn relaxed(sides: &Sides, potential: &[f32], from: f32, [side, left, right]: [usize; 3]) -> f32 {
    let Sides { links, costs } = sides;
    let along = costs[side];
    let mut value = from + along;
    for across in [left, right] {
        let other = potential[links[across] as usize];
        if let Some(corner) = between(from, along, other, costs[across]) {
            value = lesser(value, corner);
        }
    }
    value
}

/// Returns the value between two neighbours on different axes; `None` where the
/// front arrives along one axis alone. See the module's documentation.
#[inline(always)]
pub(super) fn between(one: f32, cost: f32, other: f32, other_cost: f32) -> Option<f32> {
    let apart = other - one;
    // An unreached cell is infinitely far above and a wall infinitely far
    // below: neither passes this test.
    if !(apart < cost && -apart < other_cost) {
        return None;
    }
    let [p, q] = [f64::from(one), f64::from(other)];
    let [c, d] = [f64::from(cost), f64::from(other_cost)];
    let (cc, dd) = (c * c, d * d);
    let (both, apart) = (cc + dd, q - p);
    let root = ((p * dd + q * cc) + c * d * (both - apart * apart).sqrt()) / both;
    Some(greater(root as f32, greater(one, other)))
}

/// Returns the direction of the cheapest path from a cell, of length 1: along
/// the characteristic, (φx / Cx², φy / Cy²) of upwind differences. `None` at
/// seeds, in walls, and where no path is known.
pub(super) fn direction(sides: &[Sides], potential: &[f32], cell: usize) -> Option<[f32; 2]> {
    let here = potential[cell];
    if here == UNREACHED || here == WALL {
        return None;
    }
    let Sides { links, costs } = &sides[cell];
    // Returns how much lower the better neighbour on an axis is, with the sign
    // of its side, and the square of the cost.
    let along = |one: usize, other: usize| {
        let value = |side: usize| match potential[links[side] as usize] {
            WALL => UNREACHED,
            value => value,
        };
        let (first, second) = (value(one), value(other));
        let (a, b) = (first + costs[one], second + costs[other]);
        let (low, cost, sign) = if a < b {
            (first, costs[one], 1.0)
        } else {
            (second, costs[other], -1.0)
        };
        // Where both sides are equally good, the direction has no part along
        // this axis.
        let falls = low < here && a != b;
        let fall = if falls { sign * (here - low) } else { 0.0 };
        (f64::from(fall), f64::from(cost) * f64::from(cost))
    };
    let ((x, xx), (y, yy)) = (along(EAST, WEST), along(SOUTH, NORTH));
    // This is (x / xx, y / yy) up to a factor, which the normalisation removes.
    let (x, y) = (x * yy, y * xx);
    let per_length = 1.0 / (x * x + y * y).sqrt();
    let way = [(x * per_length) as f32, (y * per_length) as f32];
    per_length.is_finite().then_some(way)
}
