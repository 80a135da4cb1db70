//! A part of a cluster, with the costs between the portals around it.

use std::borrow::Cow;
use std::ops::Range;

use crate::portal::Side;

/// A part: a rectangle of sectors with the costs between its rim portals. Lanes
/// go by side, and along each side.
pub(super) struct Part<'a, T: Copy> {
    /// The first lane of each side, and the number of lanes.
    pub(super) starts: [usize; 5],
    pub(super) stride: usize,
    /// A row for each portal arrived at. The lanes behind the last portal's may
    /// hold anything.
    pub(super) rows: Cow<'a, [T]>,
}

impl<T: Copy> Part<'_, T> {
    /// Returns a copy, with its rows in this memory.
    pub(super) fn copied(&self, mut rows: Vec<T>) -> Part<'static, T> {
        rows.clear();
        rows.extend_from_slice(&self.rows);
        Part {
            starts: self.starts,
            stride: self.stride,
            rows: Cow::Owned(rows),
        }
    }

    pub(super) const fn side(&self, side: Side) -> Range<usize> {
        self.starts[side as usize]..self.starts[side as usize + 1]
    }

    /// Returns the lanes on a side as a run.
    pub(super) const fn run(&self, side: Side, to: usize) -> LaneRun {
        let Range { start: from, end } = self.side(side);
        let lanes = end - from;
        LaneRun { from, to, lanes }
    }

    /// Returns the row of a portal, and all that follows it.
    pub(super) fn row(&self, portal: usize) -> &[T] {
        &self.rows[portal * self.stride..]
    }
}

/// Consecutive lanes of a part, and their offset among the joint lanes.
#[derive(Clone, Copy, Default)]
pub(super) struct LaneRun {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) lanes: usize,
}
