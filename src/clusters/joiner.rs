//! Joins in-sector costs to the clique of a cluster.
//!
//! Two parts side by side become one, and their parts before them: sectors become
//! pairs, pairs squares, and so on. The portals between two parts are *shared*:
//!
//! ```text
//!    ┌──○──┬──○──┐      ┌──○─────○──┐
//!    ○     ·     ○      ○           ○     ○  on the joint rim
//!    │     ·     │  ──► │           │     ·  shared
//!    └──○──┴──○──┘      └──○─────○──┘
//! ```
//!
//! A walk of the joint part stays in one of the two, or passes some shared portal
//! last. So there are two steps:
//!
//! 1. Each shared portal gets a row of the costs from all portals of both parts,
//!    by way of any shared portals.
//! 2. A row of the joint part is the row in its own part, relaxed with the rows of
//!    all shared portals. It is written once.

use std::borrow::Cow;
use std::ops::Range;

use super::division::SectorRect;
use crate::grid::Sector;
use crate::portal::{PortalGraph, Rows, Side, VECTOR, WalkCost};

/// A part: a rectangle of sectors with the costs between its rim portals. Lanes
/// go by side, and along each side.
struct Part<'a, T: Copy> {
    /// The first lane of each side, and the number of lanes.
    starts: [usize; 5],
    stride: usize,
    /// A row for each portal arrived at. The lanes behind the last portal's may
    /// hold anything.
    rows: Cow<'a, [T]>,
}

impl<T: Copy> Part<'_, T> {
    const fn side(&self, side: Side) -> Range<usize> {
        self.starts[side as usize]..self.starts[side as usize + 1]
    }

    /// Returns the row of a portal, and all that follows it.
    fn row(&self, portal: usize) -> &[T] {
        &self.rows[portal * self.stride..]
    }
}

/// The number of lanes worked on at once.
const WIDE: usize = 2 * VECTOR;

/// Joins parts, in memory that is reused.
pub(super) struct Joiner<'a, T, L> {
    graph: &'a PortalGraph,
    /// Returns a sector's costs in the type of this joiner; `None` if they do not
    /// fit.
    load: L,
    /// The rows of the shared portals.
    shared: Vec<T>,
    /// A row of a shared portal in the second part.
    other: Vec<T>,
    spare: Vec<Vec<T>>,
}

impl<'a, T, L> Joiner<'a, T, L>
where
    T: WalkCost + 'a,
    L: Fn(Rows<'a>) -> Option<Cow<'a, [T]>>,
{
    pub(super) const fn new(graph: &'a PortalGraph, load: L) -> Self {
        Self {
            graph,
            load,
            shared: Vec::new(),
            other: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Returns the costs between the rim portals of a rectangle of sectors; `None`
    /// if one of them, or one inside a sector, does not fit.
    pub(super) fn join(&mut self, sectors: SectorRect) -> Option<Box<[T]>> {
        let part = self.part(sectors)?;
        let portals = part.starts[4];
        let lanes = portals.next_multiple_of(VECTOR);
        let mut rows = Vec::with_capacity(portals * lanes);
        for portal in 0..portals {
            rows.extend_from_slice(&part.row(portal)[..portals]);
            rows.resize((portal + 1) * lanes, T::NONE);
            rows[portal * lanes + portal] = T::NONE;
        }
        // Without an early end, the loop compares whole vectors.
        let is_high = rows
            .iter()
            .fold(false, |found, &cost| found | (cost == too_high()));
        (!is_high).then_some(rows.into())
    }

    fn part(&mut self, sectors: SectorRect) -> Option<Part<'a, T>> {
        let (side, halves) = match halves(sectors) {
            Some(halved) => halved,
            None => return self.sector(sectors.first),
        };
        let parts = [self.part(halves[0])?, self.part(halves[1])?];
        let joint = self.join_two(&parts, side);
        for part in parts {
            if let Cow::Owned(rows) = part.rows {
                self.spare.push(rows);
            }
        }
        Some(joint)
    }

    fn sector(&self, sector: Sector) -> Option<Part<'a, T>> {
        let links = self.graph.links(sector);
        let slots = links.portal_slots();
        let [north, west, east, south] = Side::ALL.map(|side| links.lanes_on(side).end);
        Some(Part {
            starts: [0, north, west, east, south],
            stride: slots.lanes(),
            rows: (self.load)(links.rows())?,
        })
    }

    /// Joins two parts; the second lies on a side of the first.
    fn join_two(&mut self, parts: &[Part<'a, T>; 2], side: Side) -> Part<'a, T> {
        let sides = [side, side.opposite()];
        let (runs, starts) = runs(parts, sides);
        let portals = starts[4];
        let width = (portals + runs[0][3].lanes).next_multiple_of(WIDE);
        self.close(parts, &runs, width);
        let stride = portals.next_multiple_of(WIDE);
        let mut rows = self.spare.pop().unwrap_or_default();
        rows.resize(portals * stride + SLACK, T::NONE);
        let mut rest = rows.as_mut_slice();
        for side in Side::ALL {
            for (number, part) in parts
                .iter()
                .enumerate()
                .filter(|&(number, _)| side != sides[number])
            {
                let [rim @ .., shared] = &runs[number];
                for portal in part.side(side) {
                    let own = part.row(portal);
                    lay(rest, stride, own, rim);
                    let (row, below) = rest.split_at_mut(stride);
                    let onward = &own[shared.from..][..shared.lanes];
                    relax(row, &self.shared, width / WIDE, onward);
                    rest = below;
                }
            }
        }
        Part {
            starts,
            stride,
            rows: Cow::Owned(rows),
        }
    }

    /// Makes the rows of the shared portals. Behind the lanes of the joint rim they
    /// have a lane for each shared portal.
    fn close(&mut self, parts: &[Part<'a, T>; 2], runs: &[[Run; 4]; 2], width: usize) {
        let Run {
            to: first,
            lanes: count,
            ..
        } = runs[0][3];
        self.shared.resize(count * width + SLACK, T::NONE);
        self.other.resize(width + SLACK, T::NONE);
        let mut rest = self.shared.as_mut_slice();
        for number in 0..count {
            let [one, other] = [0, 1].map(|part| parts[part].row(runs[part][3].from + number));
            lay(rest, width, one, &runs[0]);
            lay(&mut self.other, width, other, &runs[1]);
            let (row, below) = rest.split_at_mut(width);
            relax(row, &self.other, width / WIDE, &[T::of(0)]);
            rest = below;
        }
        for by in 0..count {
            let (before, rest) = self.shared[..count * width].split_at_mut(by * width);
            let (row, after) = rest.split_at_mut(width);
            let rows = before.chunks_exact_mut(width);
            for other in rows.chain(after.chunks_exact_mut(width)) {
                let onward = other[first + by];
                relax(other, row, width / WIDE, &[onward]);
            }
        }
    }
}

/// Consecutive lanes of a part, and their place among the joint lanes.
#[derive(Clone, Copy, Default)]
struct Run {
    from: usize,
    to: usize,
    lanes: usize,
}

/// Returns the lanes of each of two parts on the joint rim, by side, and last those
/// of the shared portals; and the first lane of each side of the joint rim. The
/// parts meet at `sides`.
fn runs<T: Copy>(parts: &[Part<'_, T>; 2], sides: [Side; 2]) -> ([[Run; 4]; 2], [usize; 5]) {
    let (mut runs, mut starts) = ([[Run::default(); 4]; 2], [0; 5]);
    let mut next = [0; 2];
    let mut to = 0;
    for side in Side::ALL {
        for part in (0..2).filter(|&part| side != sides[part]) {
            let lanes = parts[part].side(side);
            let (from, lanes) = (lanes.start, lanes.len());
            runs[part][next[part]] = Run { from, to, lanes };
            next[part] += 1;
            to += lanes;
        }
        starts[side as usize + 1] = to;
    }
    for part in 0..2 {
        let lanes = parts[part].side(sides[part]);
        let (from, lanes) = (lanes.start, lanes.len());
        runs[part][3] = Run { from, to, lanes };
    }
    (runs, starts)
}

/// The lanes that [`lay`] may overwrite behind a row.
const SLACK: usize = 2 * WIDE;

/// Lays the row of a part into a joint row of `stride` lanes. The lanes behind it
/// may be overwritten as well.
#[inline(always)]
fn lay<T: WalkCost>(row: &mut [T], stride: usize, own: &[T], runs: &[Run]) {
    for vector in row[..stride].as_chunks_mut::<WIDE>().0 {
        *vector = [T::NONE; WIDE];
    }
    for &Run { from, to, lanes } in runs {
        let (to, from) = (&mut row[to..], &own[from..]);
        match (to.first_chunk_mut::<SLACK>(), from.first_chunk()) {
            (Some(to), Some(from)) if lanes <= WIDE => {
                *to.first_chunk_mut::<WIDE>().unwrap() = *from;
                to[lanes..][..WIDE].copy_from_slice(&[T::NONE; WIDE]);
            }
            _ => copy(to, from, lanes),
        }
    }
}

/// PERF: inlined, this and the copy of a whole vector become one call of `memcpy`.
#[inline(never)]
fn copy<T: Copy>(to: &mut [T], from: &[T], lanes: usize) {
    to[..lanes].copy_from_slice(&from[..lanes]);
}

/// Lowers the costs of a row to those by way of other portals: `onward` has what
/// it costs to walk on from each, and `others` their rows, `width` vectors each.
///
/// PERF: up to three vectors are relaxed at once, in registers. With four, the
/// compiler transposes them.
#[inline(always)]
fn relax<T: WalkCost>(row: &mut [T], others: &[T], width: usize, onward: &[T]) {
    let (row, others) = (row.as_chunks_mut().0, others.as_chunks().0);
    let (row, others) = relax_blocks::<T, 3>(row, others, width, onward);
    let (row, others) = relax_blocks::<T, 2>(row, others, width, onward);
    relax_blocks::<T, 1>(row, others, width, onward);
}

/// Relaxes `N` vectors at a time; returns the vectors that are left, and those of
/// the other rows.
#[inline(always)]
fn relax_blocks<'r, 'o, T: WalkCost, const N: usize>(
    row: &'r mut [[T; WIDE]],
    mut others: &'o [[T; WIDE]],
    width: usize,
    onward: &[T],
) -> (&'r mut [[T; WIDE]], &'o [[T; WIDE]]) {
    let (blocks, rest) = row.as_chunks_mut::<N>();
    for block in blocks {
        relax_block(block, others, width, onward);
        others = others.get(N..).unwrap_or_default();
    }
    (rest, others)
}

#[inline(always)]
fn relax_block<T: WalkCost, const N: usize>(
    row: &mut [[T; WIDE]; N],
    others: &[[T; WIDE]],
    width: usize,
    onward: &[T],
) {
    let (mut lowest, mut others) = (*row, others);
    for &onward in onward {
        if let Some(other) = others.first_chunk::<N>() {
            for (lowest, other) in lowest.iter_mut().zip(other) {
                *lowest = std::array::from_fn(|lane| lowest[lane].min(other[lane].plus(onward)));
            }
        }
        others = others.get(width..).unwrap_or_default();
    }
    for (row, lowest) in row.iter_mut().zip(lowest) {
        *row = std::array::from_fn(|lane| clamp(lowest[lane]));
    }
}

/// Halves a rectangle across its longer side: returns the halves, and the side of
/// the first on which the second lies. `None` for one sector.
fn halves(sectors: SectorRect) -> Option<(Side, [SectorRect; 2])> {
    let SectorRect {
        first,
        columns,
        rows,
    } = sectors;
    let half = columns.max(rows).cast_unsigned().next_power_of_two() as i32 / 2;
    if half == 0 {
        return None;
    }
    let rect = |x, y, columns, rows| SectorRect {
        first: Sector::new(first.x + x, first.y + y),
        columns,
        rows,
    };
    Some(if columns >= rows {
        let far = rect(half, 0, columns - half, rows);
        (Side::East, [rect(0, 0, half, rows), far])
    } else {
        let far = rect(0, half, columns, rows - half);
        (Side::South, [rect(0, 0, columns, half), far])
    })
}

/// What stands for all costs too high to be stored: so sums of two stay below
/// `NONE`.
#[inline(always)]
fn too_high<T: WalkCost>() -> T {
    T::of(T::HIGHEST + 1)
}

#[inline(always)]
fn clamp<T: WalkCost>(cost: T) -> T {
    match cost {
        cost if cost == T::NONE => cost,
        cost => cost.min(too_high()),
    }
}
