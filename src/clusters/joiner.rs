//! Joins in-sector costs to the clique of a cluster.
//!
//! Up to four parts, two by two, become one. Their costs go into a matrix of
//! all their portals, those on the joint rim first. Then the portals between the
//! parts are removed one by one: walks by way of such a portal are noted as walks
//! between all others, and the portal is needed no more.
//!
//! ```text
//!    ┌──○──┬─────┐      ┌──○────────┐
//!    ○     ·     ○      ○           ○     ○  on the joint rim
//!    ├──·──┼──·──┤  ──► │           │     ·  removed
//!    │     ·     │      │           │
//!    └──○──┴──○──┘      └──○─────○──┘
//! ```
//!
//! The parts are sectors at first, then squares of four sectors, and so on.

use std::borrow::Cow;
use std::ops::Range;

use super::division::SectorRect;
use crate::grid::Sector;
use crate::portal::{PortalGraph, Rows, Side, VECTOR, WalkCost, relax};

/// A part: a rectangle of sectors with the costs between its rim portals. Lanes
/// go by side, and along each side.
struct Part<'a, T: Copy> {
    /// The first lane of each side, and the number of lanes.
    starts: [usize; 5],
    stride: usize,
    /// A row for each portal arrived at.
    rows: Cow<'a, [T]>,
}

impl<T: Copy> Part<'_, T> {
    const fn side(&self, side: Side) -> Range<usize> {
        self.starts[side as usize]..self.starts[side as usize + 1]
    }
}

/// Up to four parts of a square, row by row.
type Quarters<T> = [Option<T>; 4];

/// The quarters along each side of the square.
const ALONG: [[usize; 2]; 4] = [[0, 1], [0, 2], [1, 3], [2, 3]];
/// The pairs of quarters with a border between them, and the first's side there.
const INNER: [(usize, usize, Side); 4] = [
    (0, 1, Side::East),
    (2, 3, Side::East),
    (0, 2, Side::South),
    (1, 3, Side::South),
];

/// Joins parts, in memory that is reused.
pub(super) struct Joiner<'a, T, L> {
    graph: &'a PortalGraph,
    /// Returns a sector's costs in the type of this joiner; `None` if they do not
    /// fit.
    load: L,
    matrix: Vec<T>,
    pivot: Vec<T>,
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
            matrix: Vec::new(),
            pivot: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// Returns the costs between the rim portals of a rectangle of sectors; `None`
    /// if one of them, or a cost on the way to them, does not fit.
    pub(super) fn join(&mut self, sectors: SectorRect) -> Option<Vec<T>> {
        Some(self.part(sectors)?.rows.into_owned())
    }

    fn part(&mut self, sectors: SectorRect) -> Option<Part<'a, T>> {
        let SectorRect { columns, rows, .. } = sectors;
        if columns == 1 && rows == 1 {
            return self.sector(sectors.first);
        }
        let half = (columns.max(rows) as u32).next_power_of_two() as i32 / 2;
        let quarter = |column: i32, row: i32| {
            let (x, y) = (column * half, row * half);
            let quarter = SectorRect {
                first: Sector::new(sectors.first.x + x, sectors.first.y + y),
                columns: (columns - x).min(half),
                rows: (rows - y).min(half),
            };
            (quarter.columns > 0 && quarter.rows > 0).then_some(quarter)
        };
        let mut parts: Quarters<Part<'a, T>> = [const { None }; 4];
        for (at, (column, row)) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().enumerate() {
            if let Some(quarter) = quarter(column, row) {
                parts[at] = Some(self.part(quarter)?);
            }
        }
        let joint = self.join_four(&parts);
        let used = parts.into_iter().flatten().map(|part| part.rows);
        self.spare.extend(used.filter_map(|rows| match rows {
            Cow::Owned(rows) => Some(rows),
            Cow::Borrowed(_) => None,
        }));
        joint
    }

    fn sector(&self, sector: Sector) -> Option<Part<'a, T>> {
        let links = self.graph.links(sector);
        let slots = links.portal_slots();
        let ends = Side::ALL.map(|side| links.lanes_on(side).end);
        let [north, west, east, south] = ends;
        Some(Part {
            starts: [0, north, west, east, south],
            stride: slots.lanes(),
            rows: (self.load)(links.rows())?,
        })
    }

    fn join_four(&mut self, parts: &Quarters<Part<'a, T>>) -> Option<Part<'a, T>> {
        let (places, starts, lanes) = number(parts);
        let (rim, stride) = (starts[4], lanes.next_multiple_of(VECTOR));
        self.matrix.clear();
        self.matrix.resize(lanes * stride, T::NONE);
        for (part, places) in parts.iter().zip(places) {
            if let Some(part) = part {
                self.lay(part, places, stride);
            }
        }
        for portal in (rim..lanes).rev() {
            self.remove(portal, stride);
        }
        self.cut_out(starts, stride)
    }

    /// Lays the costs of a part into the matrix. `places` has the place of the
    /// first lane of each side.
    fn lay(&mut self, part: &Part<'_, T>, places: [usize; 4], stride: usize) {
        for to in Side::ALL {
            for (row, place) in part.side(to).zip(places[to as usize]..) {
                let costs = &part.rows[row * part.stride..][..part.stride];
                let matrix = &mut self.matrix[place * stride..][..stride];
                for from in Side::ALL {
                    let lanes = matrix[places[from as usize]..].iter_mut();
                    // A border between two parts has walks on both sides.
                    for (known, &cost) in lanes.zip(&costs[part.side(from)]) {
                        *known = (*known).min(cost);
                    }
                }
            }
        }
    }

    /// Removes a portal, the last that is left. Costs too high to be stored are
    /// noted as just too high, so that sums stay below `NONE`.
    fn remove(&mut self, portal: usize, stride: usize) {
        let clamp = |cost: T| match cost {
            cost if cost == T::NONE => cost,
            cost => cost.min(T::of(T::HIGHEST + 1)),
        };
        let width = portal.next_multiple_of(VECTOR);
        let (others, row) = self.matrix.split_at_mut(portal * stride);
        self.pivot.clear();
        self.pivot
            .extend(row[..width].iter().map(|&cost| clamp(cost)));
        for other in others.chunks_exact_mut(stride) {
            let onward = other[portal];
            if onward != T::NONE {
                relax(&mut other[..width], &self.pivot, clamp(onward));
            }
        }
    }

    /// Cuts the rim's costs out of the matrix; `None` if one is too high.
    fn cut_out(&mut self, starts: [usize; 5], stride: usize) -> Option<Part<'a, T>> {
        let rim = starts[4];
        let lanes = rim.next_multiple_of(VECTOR);
        let mut rows = self.spare.pop().unwrap_or_default();
        rows.clear();
        let mut highest = T::of(0);
        for (portal, row) in self
            .matrix
            .chunks_exact(stride.max(1))
            .take(rim)
            .enumerate()
        {
            rows.extend_from_slice(&row[..rim]);
            rows.resize((portal + 1) * lanes, T::NONE);
            rows[portal * lanes + portal] = T::NONE;
            let stored = row[..rim].iter().filter(|&&cost| cost != T::NONE);
            highest = stored.copied().fold(highest, T::max);
        }
        (highest <= T::of(T::HIGHEST)).then_some(Part {
            starts,
            stride: lanes,
            rows: Cow::Owned(rows),
        })
    }
}

/// Numbers the portals around and between parts, those on the joint rim first.
/// Returns the number of the first portal on each side of each part, the first of
/// each side of the rim, and how many portals there are.
fn number<T: Copy>(parts: &Quarters<Part<'_, T>>) -> ([[usize; 4]; 4], [usize; 5], usize) {
    let mut places = [[0; 4]; 4];
    let mut starts = [0; 5];
    let mut next = 0;
    for side in Side::ALL {
        for quarter in outer(parts, side) {
            if let Some(part) = &parts[quarter] {
                places[quarter][side as usize] = next;
                next += part.side(side).len();
            }
        }
        starts[side as usize + 1] = next;
    }
    for (first, second, side) in INNER {
        if let (Some(part), Some(_)) = (&parts[first], &parts[second]) {
            places[first][side as usize] = next;
            places[second][side.opposite() as usize] = next;
            next += part.side(side).len();
        }
    }
    (places, starts, next)
}

/// Returns the quarters along one side of the square. Where there is no second
/// column or row, the first is the last.
fn outer<T>(parts: &Quarters<T>, side: Side) -> [usize; 2] {
    let is_missing = parts[ALONG[side as usize][0]].is_none();
    match side {
        Side::East if is_missing => ALONG[Side::West as usize],
        Side::South if is_missing => ALONG[Side::North as usize],
        side => ALONG[side as usize],
    }
}
