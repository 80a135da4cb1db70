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

use super::division::SectorRect;
use super::known_parts::KnownParts;
use super::part::{LaneRun, Part};
use crate::arrays::{Mapped, array_of, put};
use crate::grid::Sector;
use crate::portal::{PortalGraph, Rows, Side, VECTOR, WalkCost};

/// The number of lanes worked on at once.
const WIDE: usize = 2 * VECTOR;

/// Joins parts, in memory that is reused.
pub(super) struct Joiner<'a, T: WalkCost, L> {
    graph: &'a PortalGraph,
    known: &'a mut KnownParts<T>,
    /// Returns a sector's costs in the type of this joiner; `None` if they do not
    /// fit.
    load: L,
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
    pub(super) const fn new(graph: &'a PortalGraph, load: L, known: &'a mut KnownParts<T>) -> Self {
        Self {
            graph,
            known,
            load,
            shared: Vec::new(),
            other: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Returns the costs between the rim portals of a rectangle of sectors; `None`
    /// if one of them, or one inside a sector, does not fit.
    pub(super) fn join(&mut self, sectors: SectorRect) -> Option<Box<[T]>> {
        let part = match sectors.count() {
            1 => self.sector(sectors.first),
            _ => self.joint(sectors),
        }?;
        let portals = part.starts[4];
        let lanes = portals.next_multiple_of(VECTOR);
        let mut rows = Vec::with_capacity(portals * lanes);
        for portal in 0..portals {
            rows.extend_from_slice(&part.row(portal)[..portals]);
            rows.resize((portal + 1) * lanes, T::NO_WALK);
            rows[portal * lanes + portal] = T::NO_WALK;
        }
        let too_high = T::of(T::HIGHEST + 1);
        // Without an early end, the loop compares whole vectors.
        rows.iter()
            .fold(true, |fits, &cost| fits & (cost != too_high))
            .then_some(rows.into())
    }

    fn part(&mut self, sectors: SectorRect) -> Option<Part<'a, T>> {
        if sectors.count() == 1 {
            return self.sector(sectors.first);
        }
        let hash = sectors.sample(self.graph);
        if let Some(known) = self.known.get(hash, self.graph, sectors) {
            return Some(known.copied(self.spare.pop().unwrap_or_default()));
        }
        let part = self.joint(sectors)?;
        self.known.note(hash, sectors, &part);
        Some(part)
    }

    /// Joins the halves of a rectangle of sectors.
    fn joint(&mut self, sectors: SectorRect) -> Option<Part<'a, T>> {
        let (side, halves) = halves(sectors);
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
        let walks = self.graph.sector_walks(sector);
        let slots = walks.portal_slots();
        let [north, west, east, south] = Side::ALL.mapped(|side| walks.lanes_on(side).end);
        Some(Part {
            starts: [0, north, west, east, south],
            stride: slots.lanes(),
            rows: (self.load)(walks.rows())?,
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
        rows.resize(portals * stride + SLACK, T::NO_WALK);
        let mut rest = rows.as_mut_slice();
        for side in Side::ALL {
            for number in (0..2).filter(|&number| side != sides[number]) {
                let (part, [rim @ .., shared]) = (&parts[number], &runs[number]);
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
    fn close(&mut self, parts: &[Part<'a, T>; 2], runs: &[[LaneRun; 4]; 2], width: usize) {
        let (first, count) = (runs[0][3].to, runs[0][3].lanes);
        self.shared.resize(count * width + SLACK, T::NO_WALK);
        self.other.resize(width + SLACK, T::NO_WALK);
        let mut rest = self.shared.as_mut_slice();
        for number in 0..count {
            let [one, other] = [0, 1].mapped(|part| parts[part].row(runs[part][3].from + number));
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

/// Returns the runs of each of two parts: the three on the joint rim, then that of
/// the shared portals. Returns the first lane of each side of the joint rim as well.
/// The parts meet at `sides`.
fn runs<T: Copy>(parts: &[Part<'_, T>; 2], sides: [Side; 2]) -> ([[LaneRun; 4]; 2], [usize; 5]) {
    let (mut runs, mut starts) = ([[LaneRun::default(); 4]; 2], [0; 5]);
    let (mut next, mut to) = ([0; 2], 0);
    for side in Side::ALL {
        for part in (0..2).filter(|&part| side != sides[part]) {
            runs[part][next[part]] = parts[part].run(side, to);
            next[part] += 1;
            to += parts[part].side(side).len();
        }
        starts[side as usize + 1] = to;
    }
    for part in 0..2 {
        runs[part][3] = parts[part].run(sides[part], to);
    }
    (runs, starts)
}

/// The lanes that [`lay`] may overwrite behind a row.
const SLACK: usize = 2 * WIDE;

/// Lays the row of a part into a joint row of `stride` lanes. The lanes behind it
/// may be overwritten as well.
#[inline(always)]
fn lay<T: WalkCost>(row: &mut [T], stride: usize, own: &[T], runs: &[LaneRun]) {
    for vector in row[..stride].as_chunks_mut::<WIDE>().0 {
        *vector = [T::NO_WALK; WIDE];
    }
    for &LaneRun { from, to, lanes } in runs {
        let (to, from) = (&mut row[to..], &own[from..]);
        match (to.first_chunk_mut::<SLACK>(), from.first_chunk::<WIDE>()) {
            (Some(to), Some(from)) if lanes <= WIDE => {
                put(to, *from);
                put(&mut to[lanes..], [T::NO_WALK; WIDE]);
            }
            _ => to[..lanes].copy_from_slice(&from[..lanes]),
        }
    }
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
        let (mut lowest, mut left) = (*block, others);
        for &onward in onward {
            if let Some(other) = left.first_chunk::<N>() {
                for (lowest, other) in lowest.iter_mut().zip(other) {
                    *lowest = array_of(|lane| lowest[lane].min(other[lane].plus(onward)));
                }
            }
            left = left.get(width..).unwrap_or_default();
        }
        for (lanes, lowest) in block.iter_mut().zip(lowest) {
            *lanes = array_of(|lane| clamp(lowest[lane]));
        }
        others = others.get(N..).unwrap_or_default();
    }
    (rest, others)
}

/// Halves a rectangle across its longer side: returns the side of the first half on
/// which the second lies, and both.
fn halves(sectors: SectorRect) -> (Side, [SectorRect; 2]) {
    let [mut one, mut other] = [sectors; 2];
    let half = |count: i32| count.cast_unsigned().next_power_of_two() as i32 / 2;
    if sectors.columns >= sectors.rows {
        one.columns = half(sectors.columns);
        other.columns -= one.columns;
        other.first.x += one.columns;
        (Side::East, [one, other])
    } else {
        one.rows = half(sectors.rows);
        other.rows -= one.rows;
        other.first.y += one.rows;
        (Side::South, [one, other])
    }
}

/// Notes a cost too high to be stored as just too high, so that sums of two stay
/// below `NO_WALK`.
#[inline(always)]
fn clamp<T: WalkCost>(cost: T) -> T {
    match cost {
        cost if cost == T::NO_WALK => cost,
        cost => cost.min(T::of(T::HIGHEST + 1)),
    }
}
