//! The eikonal equation ‖∇φ‖ = C, solved outward from seeds.
//!
//! The potential φ of a cell is what the cheapest way from it to the seeds
//! costs, over all angles and not only along rows and columns. C has four
//! values a cell, one for each side towards which it may be left, so a step
//! with a stream may be cheap where a step against it is dear.
//!
//! A value comes from one neighbour, or from one to the west or east together
//! with one to the north or south. With p and q the values of two such
//! neighbours, and c and d the costs of the ways to them:
//!
//! ```text
//!         q                   the larger root of
//!         │ d                   ((φ − p) / c)² + ((φ − q) / d)² = 1
//!    p ── φ      φ = ?        is  φ = (d²p + c²q + cd·√(c² + d² − (q − p)²)) / (c² + d²)
//!       c
//! ```
//!
//! That holds only while q − p < c and p − q < d: otherwise the wave comes in
//! along one axis. The root then is at least the greater of p and q, and counts
//! as that where rounding puts it below: a cell's value never comes from a
//! neighbour that is dearer than itself. The value of a cell is the least over
//! its four quadrants. The formula is the same for both neighbours, so whoever
//! computes a value comes to the same bits. The root is taken in double
//! precision: then rounding keeps it from falling where a neighbour's value
//! rises, and a value that a neighbour had only for a while leaves no trace. In
//! single precision it now and then left one in the last bit, and the order of
//! cells could be told.
//!
//! Cells wait in buckets by their value, first in, first out, and a cell whose
//! value falls later waits again. That is faster than an exact order (a heap),
//! and ends at the same values: `tests` holds them equal to sweeps repeated
//! until nothing changes. The wave goes on from a batch of cells before it puts
//! those that they lowered into buckets: the batch itself then has no branch
//! that waits for a square root.

use crate::budget::Paused;
use crate::vector::{greater, lesser};

use super::quota::Quota;

/// The sides of a cell, as links and costs are ordered.
pub(super) const EAST: usize = 0;
pub(super) const NORTH: usize = 1;
pub(super) const WEST: usize = 2;
pub(super) const SOUTH: usize = 3;

/// What has no way to a seed.
pub(super) const UNREACHED: f32 = f32::INFINITY;
/// The potential that stands for a wall: below all others, so that no wave
/// enters it and none comes out of it.
pub(super) const WALL: f32 = f32::NEG_INFINITY;

/// The buckets of the ring; a power of two.
const BUCKETS: u64 = 2048;
/// From here on to its double the numbers of single precision are the whole
/// numbers.
const WHOLE: f32 = 8_388_608.0;
/// Cells that the wave goes on from before those that they lowered are put into
/// buckets.
const BATCH: usize = 32;

/// What lies at the sides of a cell: east, north, west, south.
#[derive(Clone, Copy, Default)]
pub(super) struct Sides {
    /// The neighbours; a cell that is a wall where there is none.
    pub(super) links: [u32; 4],
    /// What the way to each of them costs.
    pub(super) costs: [f32; 4],
}

/// The cells that a wave goes on from.
pub(super) struct Front {
    ring: Vec<Vec<u64>>,
    /// Cells for later turns of the ring.
    beyond: Vec<u64>,
    /// The bucket that is being emptied, and how far.
    bucket: u64,
    taken: usize,
    waiting: usize,
    /// Buckets for each unit of potential.
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

/// A cell and its value in one word.
const fn entry_of(cell: u32, value: f32) -> u64 {
    (value.to_bits() as u64) << 32 | cell as u64
}

/// The value of an entry.
const fn value_of(entry: u64) -> f32 {
    f32::from_bits((entry >> 32) as u32)
}

impl Front {
    /// Begins anew; cells whose values differ by less than `width` share a
    /// bucket.
    pub(super) fn restart(&mut self, width: f32) {
        if self.waiting > 0 {
            self.ring.iter_mut().for_each(Vec::clear);
            self.beyond.clear();
        }
        (self.bucket, self.taken, self.waiting) = (0, 0, 0);
        self.fineness = 1.0 / width;
    }

    /// Gives a cell a value to begin with, if it has no lower one.
    pub(super) fn seed(&mut self, potential: &mut [f32], cell: u32, value: f32) {
        let old = &mut potential[cell as usize];
        if value < *old {
            *old = value;
            let bucket = self.bucket_of(value);
            self.put(bucket, entry_of(cell, value));
        }
    }

    fn bucket_of(&self, value: f32) -> u64 {
        // The sum's low bits are the whole number next to the product; of larger
        // products they are less exact, but never fall where those rise.
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

    /// Lets the wave run until no cell waits.
    ///
    /// # Errors
    /// If the quota was used up first; it goes on where it stopped.
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

    /// Goes on at the first bucket that has a cell, over all empty turns of the
    /// ring: after a dear cell there may be millions.
    fn skip(&mut self) {
        let values = self.beyond.iter().map(|&entry| value_of(entry));
        let first = values.map(|value| self.bucket_of(value)).min();
        self.bucket = first.unwrap_or(self.bucket);
        self.deal();
    }

    /// Puts the cells that waited for a later turn into the ring.
    fn deal(&mut self) {
        for entry in std::mem::take(&mut self.beyond) {
            self.waiting -= 1;
            self.put(self.bucket_of(value_of(entry)), entry);
        }
    }

    /// Goes on from all cells of one bucket, those included that are put into
    /// it meanwhile.
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
                let [east, north, west, south] = sides[cell as usize].links;
                // Each neighbour is left towards this cell, and across.
                lower(
                    sides,
                    potential,
                    &mut lowered,
                    &mut count,
                    east,
                    value,
                    [WEST, NORTH, SOUTH],
                );
                lower(
                    sides,
                    potential,
                    &mut lowered,
                    &mut count,
                    west,
                    value,
                    [EAST, NORTH, SOUTH],
                );
                lower(
                    sides,
                    potential,
                    &mut lowered,
                    &mut count,
                    south,
                    value,
                    [NORTH, EAST, WEST],
                );
                lower(
                    sides,
                    potential,
                    &mut lowered,
                    &mut count,
                    north,
                    value,
                    [SOUTH, EAST, WEST],
                );
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

/// Gives a cell its value by the neighbour on the first of three sides, whose
/// value is `from`, if that is lower than its own, and adds it to the lowered.
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
    // Walls and cells that are nearer to the seeds end here.
    if old > from {
        let new = relaxed(&sides[cell as usize], potential, from, toward);
        potential[cell as usize] = lesser(new, old);
        lowered[*count] = entry_of(cell, new);
        *count += usize::from(new < old);
    }
}

/// The value of a cell by the way over its neighbour on the first of three
/// sides, whose value is `from`, alone or with one of the other two.
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

/// The value between two neighbours on different axes; `None` where the wave
/// comes in along one axis alone. See the module.
#[inline(always)]
pub(super) fn between(one: f32, cost: f32, other: f32, other_cost: f32) -> Option<f32> {
    let apart = other - one;
    // Neither an unreached cell, which is infinitely far above, nor a wall,
    // which is infinitely far below, gets past this.
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

/// Where the cheapest way leads from a cell, of length 1: along the
/// characteristic, (φx / Cx², φy / Cy²) of upwind differences. `None` at seeds,
/// in walls and where no way is known.
pub(super) fn way(sides: &[Sides], potential: &[f32], cell: usize) -> Option<[f32; 2]> {
    let here = potential[cell];
    if here == UNREACHED || here == WALL {
        return None;
    }
    let Sides { links, costs } = &sides[cell];
    // How much lower the neighbour is towards which an axis leads, with its
    // sign, and the square of the cost.
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
        // As far either way: along this axis it stays.
        let falls = low < here && a != b;
        let fall = if falls { sign * (here - low) } else { 0.0 };
        (f64::from(fall), f64::from(cost) * f64::from(cost))
    };
    let ((x, xx), (y, yy)) = (along(EAST, WEST), along(SOUTH, NORTH));
    // (x / xx, y / yy), but for the length, which is made 1.
    let (x, y) = (x * yy, y * xx);
    let per_length = 1.0 / (x * x + y * y).sqrt();
    let way = [(x * per_length) as f32, (y * per_length) as f32];
    per_length.is_finite().then_some(way)
}
