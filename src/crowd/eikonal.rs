//! The eikonal equation ‖∇φ‖ = C, solved outward from seeds.
//!
//! The potential φ of a cell is what the cheapest way from it to the seeds
//! costs, over all angles and not only along rows and columns. C has four
//! values a cell, one for each side towards which it may be left, so a step
//! with a stream may be cheap where a step against it is dear.
//!
//! A value comes from one neighbour, or from one to the west or east together
//! with one to the north or south. With p the lower of the two values, e how
//! much higher the other is, and c, d the costs along their axes:
//!
//! ```text
//!         o                         the larger root of
//!         │ d                         ((φ − p) / c)² + ((φ − p − e) / d)² = 1
//!    p ── φ      φ = ?              is  p + (c²e + cd·√(c² + d² − e²)) / (c² + d²)
//!       c
//! ```
//!
//! That holds only while e < c: otherwise the wave comes in along one axis. The
//! root then is at least p + e, and counts as that where rounding puts it below:
//! a cell's value never comes from a neighbour that is dearer than itself.
//! The value of a cell is the least over its four quadrants, and operands are
//! put in order by value, so whoever computes a value comes to the same bits.
//! The root is taken in double precision: then rounding keeps it from falling
//! where a neighbour's value rises, and a value that a neighbour had only for a
//! while leaves no trace. In single precision it now and then left one in the
//! last bit, and the order of cells could be told.
//!
//! Cells wait in buckets by their value, first in, first out, and a cell whose
//! value falls later waits again. That is faster than an exact order (a heap),
//! and ends at the same values: `tests` holds them equal to sweeps repeated
//! until nothing changes.

use crate::vector::greater;

use super::quota::{Paused, Quota};

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
/// Values too high for a bucket of their own share this one.
const LAST_BUCKET: u64 = 1 << 62;

/// The cells and what it costs to leave them.
#[derive(Clone, Copy)]
pub(super) struct Medium<'a> {
    /// The neighbours of each cell: east, north, west, south; a cell that is a
    /// wall where there is none.
    pub(super) links: &'a [[u32; 4]],
    /// The cost of the way to each of them.
    pub(super) costs: &'a [[f32; 4]],
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
const fn entry(cell: u32, value: f32) -> u64 {
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
            self.put(bucket, entry(cell, value));
        }
    }

    fn bucket_of(&self, value: f32) -> u64 {
        ((value * self.fineness) as u64).clamp(self.bucket, LAST_BUCKET)
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
        medium: Medium<'_>,
        potential: &mut [f32],
        quota: &mut Quota,
    ) -> Result<(), Paused> {
        while self.waiting > 0 {
            let slot = (self.bucket % BUCKETS) as usize;
            let mut now = std::mem::take(&mut self.ring[slot]);
            let done = self.empty(&mut now, medium, potential, quota);
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
        medium: Medium<'_>,
        potential: &mut [f32],
        quota: &mut Quota,
    ) -> Result<(), Paused> {
        while let Some(&entry) = now.get(self.taken) {
            quota.check()?;
            self.taken += 1;
            self.waiting -= 1;
            let (cell, value) = (entry as u32, value_of(entry));
            if potential[cell as usize] != value {
                continue;
            }
            quota.count(1);
            let [east, north, west, south] = medium.links[cell as usize];
            // Each neighbour is left towards this cell, and across.
            self.relax(now, medium, potential, east, value, [WEST, NORTH, SOUTH]);
            self.relax(now, medium, potential, west, value, [EAST, NORTH, SOUTH]);
            self.relax(now, medium, potential, south, value, [NORTH, EAST, WEST]);
            self.relax(now, medium, potential, north, value, [SOUTH, EAST, WEST]);
        }
        Ok(())
    }

    /// Lowers a cell's value if the way over its neighbour on the first of
    /// three sides, whose value is `from`, alone or with one of the other two,
    /// is cheaper.
    #[inline(always)]
    fn relax(
        &mut self,
        now: &mut Vec<u64>,
        medium: Medium<'_>,
        potential: &mut [f32],
        cell: u32,
        from: f32,
        [side, left, right]: [usize; 3],
    ) {
        let at = cell as usize;
        let old = potential[at];
        // Walls and cells that are nearer to the seeds end here.
        if old <= from {
            return;
        }
        let (costs, links) = (&medium.costs[at], &medium.links[at]);
        let along = costs[side];
        let mut value = from + along;
        for across in [left, right] {
            let other = potential[links[across] as usize];
            if let Some(corner) = between(from, along, other, costs[across])
                && corner < value
            {
                value = corner;
            }
        }
        if value < old {
            potential[at] = value;
            let bucket = self.bucket_of(value);
            if bucket == self.bucket {
                self.waiting += 1;
                now.push(entry(cell, value));
            } else {
                self.put(bucket, entry(cell, value));
            }
        }
    }
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
    let first = apart > 0.0 || (apart == 0.0 && cost < other_cost);
    let (low, high, c, d) = if first {
        (one, other, cost, other_cost)
    } else {
        (other, one, other_cost, cost)
    };
    let [p, e] = [f64::from(low), f64::from(high) - f64::from(low)];
    let [c, d] = [f64::from(c), f64::from(d)];
    let (cc, dd) = (c * c, d * d);
    let both = cc + dd;
    let root = p + (cc * e + c * d * (both - e * e).sqrt()) / both;
    Some(greater(root as f32, high))
}

/// Where the cheapest way leads from a cell, of length 1: along the
/// characteristic, (φx / Cx², φy / Cy²) of upwind differences. `None` at seeds,
/// in walls and where no way is known.
pub(super) fn way(medium: Medium<'_>, potential: &[f32], cell: usize) -> Option<[f32; 2]> {
    let here = potential[cell];
    if here == UNREACHED || here == WALL {
        return None;
    }
    let (links, costs) = (&medium.links[cell], &medium.costs[cell]);
    let part = |one: usize, other: usize| {
        let value = |side: usize| match potential[links[side] as usize] {
            WALL => UNREACHED,
            value => value,
        };
        let (first, second) = (value(one), value(other));
        let (low, side, sign) = match (first + costs[one], second + costs[other]) {
            (a, b) if a < b => (first, one, 1.0),
            (a, b) if a > b => (second, other, -1.0),
            // As far either way: along this axis it stays.
            _ => return 0.0,
        };
        if low < here {
            sign * (here - low) / (costs[side] * costs[side])
        } else {
            0.0
        }
    };
    let (x, y) = (part(EAST, WEST), part(SOUTH, NORTH));
    let long = (x * x + y * y).sqrt();
    (long > 0.0).then(|| [x / long, y / long])
}
