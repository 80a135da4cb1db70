//! What it costs to cross a sector from portal to portal.

use super::port::{Mark, Port};
use super::relaxation::{better, better_wide};
use super::spot::{Side, Spot, Spots, VECTOR};
use crate::kernel::{NO_WAY, octile};

/// The costs of the walks between the portals of one sector.
///
/// Open ground with a whole window on each side looks the same everywhere, and
/// shares one table. Others keep their own. Sixteen bits hold it unless the
/// ground is very dear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Open,
    Narrow(Table<u16>),
    Wide(Table<u32>),
}

/// The marks of a sector's portals in id order, and the costs of the walks
/// between them, row by row of the portal arrived at: in one piece, since the
/// search reads this and little else.
///
/// A portal's number in it, its *lane*, is its rank among the sector's. Marks
/// and rows are filled up to a whole number of vectors with lanes to which no
/// walk leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table<T> {
    spots: Spots,
    entries: Box<[T]>,
}

/// The marks of a sector's portals, and for each the cost of the walk from it
/// to one of them.
#[derive(Clone, Copy)]
pub(crate) enum Row<'a> {
    Narrow(&'a [u16], &'a [u16]),
    Wide(&'a [u32], &'a [u32]),
}

/// A number in a table.
pub(crate) trait Entry: Copy + Eq {
    /// There is no walk.
    const NONE: Self;
    fn of_mark(mark: Mark) -> Self;
    fn mark(self) -> Mark;
    /// A cost that fits, or none for [`NO_WAY`].
    fn of_walk(walk: u32) -> Self;
    fn cost(self) -> u32;
    /// The lanes for which `onward` and a walk cost less than is known.
    fn better(known: &[u64], walks: &[Self], onward: u64) -> u32;
}

impl Entry for u16 {
    const NONE: Self = Self::MAX;

    fn of_mark(mark: Mark) -> Self {
        mark.bits()
    }

    #[inline]
    fn mark(self) -> Mark {
        Mark::of_bits(self)
    }

    #[inline]
    fn of_walk(walk: u32) -> Self {
        walk.min(Self::NONE.into()) as Self
    }

    #[inline]
    fn cost(self) -> u32 {
        u32::from(self)
    }

    #[inline(always)]
    fn better(known: &[u64], walks: &[Self], onward: u64) -> u32 {
        better(known, walks, onward)
    }
}

impl Entry for u32 {
    const NONE: Self = Self::MAX;

    fn of_mark(mark: Mark) -> Self {
        Self::from(mark.bits())
    }

    #[inline]
    fn mark(self) -> Mark {
        Mark::of_bits(self as u16)
    }

    #[inline]
    fn of_walk(walk: u32) -> Self {
        match walk {
            NO_WAY => Self::NONE,
            walk => walk,
        }
    }

    #[inline]
    fn cost(self) -> u32 {
        self
    }

    fn better(known: &[u64], walks: &[Self], onward: u64) -> u32 {
        better_wide(known, walks, onward)
    }
}

/// The gate of a whole window.
const MIDDLE: u8 = 4;

/// The marks of the four portals of open ground.
const OPEN_MARKS: [Mark; 4] = [
    Mark::new(Spot::new(Side::North, 0), MIDDLE),
    Mark::new(Spot::new(Side::West, 0), MIDDLE),
    Mark::new(Spot::new(Side::East, 0), MIDDLE),
    Mark::new(Spot::new(Side::South, 0), MIDDLE),
];

/// The spots of the four portals of open ground.
const OPEN_SPOTS: Spots = {
    let mut spots = Spots::NONE;
    let mut lane = 0;
    while lane < VECTOR {
        spots = spots.with(OPEN_MARKS[lane].spot());
        lane += 1;
    }
    spots
};

/// The table of open ground: what the ways over it cost.
static OPEN: [u16; VECTOR + VECTOR * VECTOR] = {
    let mut entries = [u16::NONE; VECTOR + VECTOR * VECTOR];
    let mut to = 0;
    while to < VECTOR {
        entries[to] = OPEN_MARKS[to].bits();
        let mut from = 0;
        while from < VECTOR {
            if from != to {
                let (x, y) = OPEN_MARKS[to].step();
                let (from_x, from_y) = OPEN_MARKS[from].step();
                let price = octile(x.abs_diff(from_x), y.abs_diff(from_y));
                entries[VECTOR + VECTOR * to + from] = price as u16;
            }
            from += 1;
        }
        to += 1;
    }
    entries
};

/// The marks of a table whose rows have so many lanes, and the row of one.
#[inline(always)]
fn row<T>(entries: &[T], lanes: usize, lane: usize) -> (&[T], &[T]) {
    let (marks, costs) = entries.split_at(lanes);
    (marks, &costs[lane * lanes..][..lanes])
}

impl<T: Entry> Table<T> {
    fn of_walks(ports: &[Port], walks: &[u32]) -> Self {
        let held = ports.iter().map(|port| port.mark.spot());
        let spots = held.fold(Spots::NONE, Spots::with);
        let lanes = spots.lanes();
        let mut entries: Vec<T> = Vec::with_capacity(lanes * (1 + ports.len()));
        entries.extend(ports.iter().map(|port| T::of_mark(port.mark)));
        for (to, walks) in walks.chunks(ports.len().max(1)).enumerate() {
            entries.resize(lanes * (1 + to), T::NONE);
            entries.extend(walks.iter().map(|&walk| T::of_walk(walk)));
            entries[lanes * (1 + to) + to] = T::NONE;
        }
        entries.resize(lanes * (1 + ports.len()), T::NONE);
        Self {
            spots,
            entries: entries.into(),
        }
    }

    fn count(&self) -> usize {
        let costs = &self.entries[self.spots.lanes()..];
        costs.iter().filter(|&&cost| cost != T::NONE).count()
    }

    fn bytes(&self) -> usize {
        size_of_val::<[T]>(&self.entries)
    }
}

impl Links {
    /// Whether portals, told in id order, are those of open ground.
    pub(super) fn are_open(ports: &[Port]) -> bool {
        let marks = ports.iter().map(|port| port.mark);
        marks.eq(OPEN_MARKS) && ports.iter().all(Port::is_free)
    }

    /// The walks between ports, told in id order: those to the first, then
    /// those to the next.
    pub(super) fn of_walks(ports: &[Port], walks: &[u32]) -> Self {
        let none = u32::from(u16::NONE);
        if walks.iter().all(|&walk| walk < none || walk == NO_WAY) {
            Self::Narrow(Table::of_walks(ports, walks))
        } else {
            Self::Wide(Table::of_walks(ports, walks))
        }
    }

    /// The spots that hold a portal.
    #[inline]
    pub(crate) const fn spots(&self) -> Spots {
        match self {
            Self::Open => OPEN_SPOTS,
            Self::Narrow(table) => table.spots,
            Self::Wide(table) => table.spots,
        }
    }

    /// The walks that end at the portal of a lane, in a table with so many
    /// [`lanes`](Spots::lanes).
    #[inline(always)]
    pub(crate) fn row(&self, lanes: usize, lane: usize) -> Row<'_> {
        match self {
            Self::Narrow(table) => {
                let (marks, costs) = row(&table.entries, lanes, lane);
                Row::Narrow(marks, costs)
            }
            Self::Open => {
                let (marks, costs) = row(&OPEN, VECTOR, lane);
                Row::Narrow(marks, costs)
            }
            Self::Wide(table) => {
                let (marks, costs) = row(&table.entries, lanes, lane);
                Row::Wide(marks, costs)
            }
        }
    }

    /// Tells `visit` the walks that end at a portal: where each begins, and its
    /// cost.
    pub(crate) fn arrivals(&self, to: Spot, mut visit: impl FnMut(Spot, u32)) {
        fn each<T: Entry>(marks: &[T], costs: &[T], mut visit: impl FnMut(Spot, u32)) {
            let joined = marks
                .iter()
                .zip(costs)
                .filter(|(_, cost)| **cost != T::NONE);
            joined.for_each(|(mark, cost)| visit(mark.mark().spot(), cost.cost()));
        }
        let spots = self.spots();
        if !spots.has(to) {
            return;
        }
        match self.row(spots.lanes(), spots.lane(to)) {
            Row::Narrow(marks, costs) => each(marks, costs, &mut visit),
            Row::Wide(marks, costs) => each(marks, costs, &mut visit),
        }
    }

    /// Tells `visit` the portals joined to one by walks, and the price of the
    /// cheaper direction.
    pub(super) fn for_each_joined(&self, spot: Spot, visit: impl FnMut(Spot, u32)) {
        fn each<T: Entry>(
            entries: &[T],
            lanes: usize,
            lane: usize,
            mut visit: impl FnMut(Spot, u32),
        ) {
            let (marks, costs) = entries.split_at(lanes);
            let to = &costs[lane * lanes..][..lanes];
            for (row, (mark, to)) in costs.chunks_exact(lanes).zip(marks.iter().zip(to)) {
                let ways = [*to, row[lane]].into_iter().filter(|&way| way != T::NONE);
                if let Some(walk) = ways.map(T::cost).min() {
                    visit(mark.mark().spot(), walk);
                }
            }
        }
        let spots = self.spots();
        if spots.has(spot) {
            let (lanes, lane) = (spots.lanes(), spots.lane(spot));
            match self {
                Self::Open => each(&OPEN, lanes, lane, visit),
                Self::Narrow(table) => each(&table.entries, lanes, lane, visit),
                Self::Wide(table) => each(&table.entries, lanes, lane, visit),
            }
        }
    }

    /// What the walk from one portal to another costs, if there is one.
    pub(crate) fn walk(&self, from: Spot, to: Spot) -> Option<u32> {
        fn entry<T: Entry>(costs: &[T], lane: usize) -> Option<u32> {
            let cost = costs[lane];
            (cost != T::NONE).then(|| cost.cost())
        }
        let spots = self.spots();
        if !spots.has(from) || !spots.has(to) {
            return None;
        }
        match self.row(spots.lanes(), spots.lane(to)) {
            Row::Narrow(_, costs) => entry(costs, spots.lane(from)),
            Row::Wide(_, costs) => entry(costs, spots.lane(from)),
        }
    }

    /// How many walks there are.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Open => OPEN_MARKS.len() * (OPEN_MARKS.len() - 1),
            Self::Narrow(table) => table.count(),
            Self::Wide(table) => table.count(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Open => 0,
            Self::Narrow(table) => table.bytes(),
            Self::Wide(table) => table.bytes(),
        }
    }
}
