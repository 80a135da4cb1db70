//! Neighbour search: a grid of buckets, filled by two counting sorts.
//!
//! Units are sorted by the column of their bucket and then, with a stable sort,
//! by its row. The units of one bucket are then adjacent, and so are those of
//! three buckets side by side in a row:
//!
//! ```text
//!   row 4   │ 3 9 │     │ 1 │            the buckets around one are a few
//!   row 5   │ 7   │ 2 8 │ 5 │    ──▶     spans of the sorted units
//!   row 6   │     │ 4   │ 6 │
//!
//!   sorted:  … 3 9 1 … 7 2 8 5 … 4 6 …
//! ```
//!
//! Where buckets begin does not depend on the units, so the order of some units is that
//! in which they are among all.
//!
//! There is no table of all buckets, so the size of the map does not matter,
//! and all work is linear in the number of units. Units are given in the order
//! of their ids, and the sorts keep this order within a bucket, so sums over
//! neighbours always add up in the same order.
//!
//! The picture is simplified: a bucket is only half as wide as the reach, and
//! five spans of five buckets are visited. These cover 25/4 of a square as wide
//! as the reach; three spans of buckets of the full width would cover 36/4.

use std::ops::Range;

use crate::arrays::array_of;
use crate::threads::for_runs;
use crate::vector::{Vector, floor};

/// How many buckets away a neighbour may be.
const NEAR: usize = 2;
const ROWS: usize = 2 * NEAR + 1;
/// How far the buckets reach to each side of the map's corner.
const SIDES: i32 = 1 << 16;

#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// The first column and row, and the side of the buckets.
    least: [i32; 2],
    side: f32,
    /// The column and the row of the bucket of each unit, as they lie on the map.
    buckets: Vec<[i32; 2]>,
    by_column: Vec<u32>,
    order: Vec<u32>,
    counts: Vec<u32>,
    runs: Runs,
    run_of: Vec<u32>,
    /// The first run of each row, and the number of runs at the end.
    rows: Vec<u32>,
}

/// The units of one bucket each, row by row.
#[derive(Clone, Debug, Default)]
struct Runs {
    columns: Vec<u32>,
    /// The rank of the first unit of each; at the end, the
    /// number of units.
    starts: Vec<u32>,
    /// The spans of the units in the rows around each.
    spans: Vec<[[u32; 2]; ROWS]>,
}

impl Index {
    /// Sorts units by their positions, so that [`around`](Self::around) finds
    /// all units within `reach` cells of one.
    pub(crate) fn build<T: Sync>(
        &mut self,
        units: &[T],
        position: impl Fn(&T) -> Vector + Sync,
        reach: f32,
    ) {
        self.sort(units, position, reach / NEAR as f32);
        self.find_spans();
    }

    /// Sorts units by their positions into buckets of this side, for
    /// [`between`](Self::between) alone.
    pub(crate) fn sort<T: Sync>(
        &mut self,
        units: &[T],
        position: impl Fn(&T) -> Vector + Sync,
        side: f32,
    ) {
        let [columns, rows] = self.find_buckets(units, position, side);
        let (buckets, least) = (&self.buckets, self.least);
        let all = 0..buckets.len() as u32;
        let place = |unit: u32, axis: usize| (buckets[unit as usize][axis] - least[axis]) as u32;
        let column = |unit: u32| place(unit, 0);
        let row = |unit: u32| place(unit, 1);
        sort(all, column, columns, &mut self.counts, &mut self.by_column);
        let by_column = self.by_column.iter().copied();
        sort(by_column, row, rows, &mut self.counts, &mut self.order);
        self.cut_runs(rows);
    }

    /// Stores each unit's column and row, and returns the numbers of columns and rows.
    fn find_buckets<T: Sync>(
        &mut self,
        units: &[T],
        position: impl Fn(&T) -> Vector + Sync,
        side: f32,
    ) -> [usize; 2] {
        self.side = side;
        self.buckets.resize(units.len(), [0; 2]);
        for_runs(&mut self.buckets[..], |first, buckets| {
            for (bucket, unit) in buckets.iter_mut().zip(&units[first..]) {
                let position = position(unit);
                *bucket = array_of(|axis| whole(position[axis], side));
            }
        });
        let (mut least, mut most) = ([SIDES; 2], [-SIDES; 2]);
        for bucket in &self.buckets {
            least = array_of(|axis| least[axis].min(bucket[axis]));
            most = array_of(|axis| most[axis].max(bucket[axis]));
        }
        self.least = least;
        array_of(|axis| (most[axis] - least[axis]).max(0) as usize + 1)
    }

    /// Returns the spans of sorted units that contain all units between two
    /// corners.
    pub(crate) fn between(&self, low: Vector, high: Vector) -> impl Iterator<Item = Range<usize>> {
        let [left, top] = bucket(self.least, self.side, low);
        let [right, bottom] = bucket(self.least, self.side, high);
        let last = self.rows.len().saturating_sub(1);
        let rows = (top as usize).min(last)..(bottom as usize + 1).min(last);
        rows.filter_map(move |row| {
            let [first, end] = [self.rows[row], self.rows[row + 1]];
            let columns = &self.runs.columns[first as usize..end as usize];
            let from = columns.partition_point(|&column| column < left);
            let to = columns.partition_point(|&column| column <= right);
            (from < to).then(|| {
                let [start, end] = [from, to].map(|run| self.runs.starts[first as usize + run]);
                start as usize..end as usize
            })
        })
    }

    pub(crate) const fn side(&self) -> f32 {
        self.side
    }

    fn cut_runs(&mut self, rows: usize) {
        let Runs {
            columns, starts, ..
        } = &mut self.runs;
        columns.clear();
        starts.clear();
        self.run_of.clear();
        self.rows.clear();
        let mut last = None;
        for (start, &unit) in self.order.iter().enumerate() {
            let bucket = self.buckets[unit as usize];
            if last != Some(bucket) {
                last = Some(bucket);
                let [column, row] = array_of(|axis| (bucket[axis] - self.least[axis]) as u32);
                let row = row as usize;
                self.rows
                    .resize((row + 1).max(self.rows.len()), columns.len() as u32);
                columns.push(column);
                starts.push(start as u32);
            }
            self.run_of.push(columns.len() as u32 - 1);
        }
        self.rows.resize(rows + 1, columns.len() as u32);
        starts.push(self.order.len() as u32);
    }

    fn find_spans(&mut self) {
        let Runs {
            columns,
            starts,
            spans,
        } = &mut self.runs;
        spans.clear();
        spans.resize(columns.len(), [[0; 2]; ROWS]);
        let rows = self.rows.len() - 1;
        let runs_of = |row: usize| self.rows[row] as usize..self.rows[row + 1] as usize;
        for_runs(&mut spans[..], |first, spans| {
            let end = first + spans.len();
            let begun = self.rows.partition_point(|&run| run as usize <= first);
            let with_spans = (begun - 1..rows).take_while(|&row| runs_of(row).start < end);
            for row in with_spans {
                let own = runs_of(row).start.max(first)..runs_of(row).end.min(end);
                for near in row.saturating_sub(NEAR)..rows.min(row + NEAR + 1) {
                    let at = near + NEAR - row;
                    let others = runs_of(near);
                    // The ranks at which the others begin, and the one after the last of them.
                    let (starts, others) = (&starts[others.start..], &columns[others]);
                    let (mut low, mut high) = (0, 0);
                    let spans = &mut spans[own.start - first..own.end - first];
                    for (&column, spans) in columns[own.clone()].iter().zip(spans) {
                        while low < others.len() && others[low] + (NEAR as u32) < column {
                            low += 1;
                        }
                        while high < others.len() && others[high] <= column + NEAR as u32 {
                            high += 1;
                        }
                        spans[at] = [starts[low], starts[high]];
                    }
                }
            }
        });
    }

    /// Returns the sorted units, each as its number in the input. The place of a unit in this
    /// order is its *rank*.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Returns the spans of sorted units that contain all units within reach of
    /// the sorted unit `at`, and this unit itself.
    #[inline]
    pub(crate) fn around(&self, at: usize) -> impl Iterator<Item = Range<usize>> {
        let spans = &self.runs.spans[self.run_of[at] as usize];
        spans
            .iter()
            .map(|&[start, end]| start as usize..end as usize)
    }
}

/// Returns the column and the row of a position, counted from the first. Farther
/// positions have no lower ones.
fn bucket(least: [i32; 2], side: f32, position: Vector) -> [u32; 2] {
    array_of(|axis| (whole(position[axis], side) - least[axis]).max(0) as u32)
}

/// Returns in which column or row a coordinate is.
fn whole(at: f32, side: f32) -> i32 {
    floor(at / side).clamp(-SIDES, SIDES)
}

fn sort(
    items: impl Iterator<Item = u32> + Clone,
    key: impl Fn(u32) -> u32,
    keys: usize,
    counts: &mut Vec<u32>,
    sorted: &mut Vec<u32>,
) {
    counts.clear();
    counts.resize(keys + 1, 0);
    let mut total = 0;
    for item in items.clone() {
        counts[key(item) as usize + 1] += 1;
        total += 1;
    }
    for at in 0..keys {
        counts[at + 1] += counts[at];
    }
    sorted.clear();
    sorted.resize(total, 0);
    for item in items {
        let rank = &mut counts[key(item) as usize];
        sorted[*rank as usize] = item;
        *rank += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_neighbours_are_found_each_once() {
        let mut state = 9u32;
        let mut draw = |scale: f32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 * scale
        };
        let mut index = Index::default();
        for (count, scale, side) in [
            (0, 9.0, 1.0),
            (1, 5.0, 1.0),
            (300, 12.0, 1.5),
            (200, 90.0, 2.0),
        ] {
            let positions: Vec<Vector> = (0..count)
                .map(|_| [draw(scale) - 3.0, draw(scale / 2.0) + 7.0])
                .collect();
            index.build(&positions, |&position| position, side);
            assert_eq!(index.order().len(), count);
            for (at, &unit) in index.order().iter().enumerate() {
                let here = positions[unit as usize];
                let mut found: Vec<u32> = Vec::new();
                for span in index.around(at) {
                    found.extend(&index.order()[span]);
                }
                let wanted = (0..count as u32).filter(|&other| {
                    let there = positions[other as usize];
                    (here[0] - there[0]).abs() <= side && (here[1] - there[1]).abs() <= side
                });
                for other in wanted {
                    let times = found.iter().filter(|&&seen| seen == other).count();
                    assert_eq!(times, 1, "{unit} and {other}");
                }
            }
        }
    }
}
