//! What it costs to cross a sector from portal to portal.

use std::borrow::Cow;
use std::ops::Range;

use super::local_portal::{LocalPortal, PackedCrossing};
use super::portal_slot::{PortalSlot, PortalSlots, Side, VECTOR};
use super::relaxation::{WalkCost, relax};
use crate::bytes::Digest;
use crate::cost::Cost;
use crate::kernel::{NO_PATH, octile};

/// The costs of the walks between the portals of one sector.
///
/// All sectors of open ground of one cost with a whole window on each side share one
/// table. Other sectors have a table of their own: 16 bits a cost, or 32 on very
/// expensive ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SectorWalks {
    Open(Cost),
    Narrow(Table<i16>),
    Wide(Table<i32>),
}

/// The crossings of a sector's portals in id order, then the costs of the walks
/// between them, a row for each portal arrived at. They lie in one piece of
/// memory, since the search reads little else.
///
/// A portal's *lane* in the table is its rank among the sector's portals. Crossings
/// and rows are padded to whole vectors with lanes that no walk reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table<T> {
    portal_slots: PortalSlots,
    is_metric: bool,
    entries: Box<[T]>,
}

/// The rows of a table: the costs of all walks that end at a portal, portal by
/// portal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows<'a> {
    Narrow(&'a [i16]),
    Wide(&'a [i32]),
}

/// The crossing of a whole window.
const MIDDLE: u8 = 4;

/// The crossings of the four portals of open ground.
const OPEN_CROSSINGS: [PackedCrossing; VECTOR] = [
    PackedCrossing::new(PortalSlot::new(Side::North, 0), MIDDLE),
    PackedCrossing::new(PortalSlot::new(Side::West, 0), MIDDLE),
    PackedCrossing::new(PortalSlot::new(Side::East, 0), MIDDLE),
    PackedCrossing::new(PortalSlot::new(Side::South, 0), MIDDLE),
];

/// The portal slots of the four portals of open ground.
const OPEN_SLOTS: PortalSlots = {
    let mut portal_slots = PortalSlots::EMPTY;
    let mut lane = 0;
    while lane < VECTOR {
        portal_slots = portal_slots.with(OPEN_CROSSINGS[lane].portal_slot());
        lane += 1;
    }
    portal_slots
};

type OpenRows = [i16; VECTOR * VECTOR];

/// The rows of open ground, by its cost.
static OPEN: [OpenRows; Cost::WALL.value() as usize] = {
    let mut by_cost = [[0; VECTOR * VECTOR]; Cost::WALL.value() as usize];
    let mut cost = 0;
    while cost < by_cost.len() {
        by_cost[cost] = open_rows(cost as i16);
        cost += 1;
    }
    by_cost
};

const fn open_rows(cost: i16) -> OpenRows {
    let mut rows = [i16::NO_WALK; VECTOR * VECTOR];
    let mut pair = 0;
    while pair < rows.len() {
        let (to, from) = (pair / VECTOR, pair % VECTOR);
        if from != to {
            let (x, y) = OPEN_CROSSINGS[to].step();
            let (from_x, from_y) = OPEN_CROSSINGS[from].step();
            rows[pair] = cost * octile(x.abs_diff(from_x), y.abs_diff(from_y)) as i16;
        }
        pair += 1;
    }
    rows
}

impl<T: WalkCost> Table<T> {
    /// Makes the table of these portals from the walks to each of them. On even
    /// ground the table is metric.
    fn of_walks(
        portals: &[LocalPortal],
        walks: &[u32],
        is_even: bool,
        crossing: impl Fn(PackedCrossing) -> T,
    ) -> Self {
        let portal_slots = portals
            .iter()
            .map(|portal| portal.crossing.portal_slot())
            .fold(PortalSlots::EMPTY, PortalSlots::with);
        let lanes = portal_slots.lanes();
        let mut entries: Vec<T> = Vec::with_capacity(lanes * (1 + portals.len()));
        entries.extend(portals.iter().map(|portal| crossing(portal.crossing)));
        for (to, walks) in walks.chunks(portals.len().max(1)).enumerate() {
            entries.resize(lanes * (1 + to), T::NO_WALK);
            // `NO_PATH` is higher than any cost.
            entries.extend(walks.iter().map(|&walk| T::of(walk.min(T::NO_WALK.cost()))));
            entries[lanes * (1 + to) + to] = T::NO_WALK;
        }
        entries.resize(lanes * (1 + portals.len()), T::NO_WALK);
        Self {
            portal_slots,
            is_metric: is_even || is_metric(&entries[lanes..], lanes),
            entries: entries.into(),
        }
    }

    fn rows(&self) -> &[T] {
        &self.entries[self.portal_slots.lanes()..]
    }

    /// Adds the portals, and the costs at two indices.
    fn sample(&self, digest: &mut Digest, number: impl Fn(T) -> u32) {
        let middle = self.entries.len() / 2;
        let at = |index: usize| self.entries.get(index).map_or(0, |&cost| number(cost));
        digest.number(u64::from(self.portal_slots.bits()) << 32 | u64::from(at(middle)));
        digest
            .number(u64::from(at(middle + 1)) << 32 | u64::from(at(self.portal_slots.lanes() + 1)));
    }

    fn count(&self) -> usize {
        self.rows()
            .iter()
            .filter(|&&cost| cost != T::NO_WALK)
            .count()
    }

    fn bytes(&self) -> usize {
        size_of_val::<[T]>(&self.entries)
    }
}

/// Whether no walk costs more than two walks by way of a third portal. On
/// ground of uneven cost it may: the portal's own cell lies outside the sector
/// and may be much cheaper than the cells inside.
fn is_metric<T: WalkCost>(rows: &[T], lanes: usize) -> bool {
    let mut detours = [T::NO_WALK; PortalSlots::LANES_MAX];
    let lanes = lanes.max(1);
    rows.chunks_exact(lanes).enumerate().all(|(to, row)| {
        let detours = &mut detours[..lanes];
        detours.copy_from_slice(row);
        for (by, &walk) in rows.chunks_exact(lanes).zip(row) {
            if walk != T::NO_WALK {
                relax(detours, by, walk);
            }
        }
        detours[to] = row[to];
        detours == row
    })
}

impl SectorWalks {
    pub(super) const OPEN: Self = Self::Open(Cost::OPEN);

    /// Whether these portals, in id order, are those of open ground of this cost.
    pub(super) fn are_open(portals: &[LocalPortal], cost: Cost) -> bool {
        let crossings = portals.iter().map(|portal| portal.crossing);
        crossings.eq(OPEN_CROSSINGS) && portals.iter().all(|portal| portal.is_free(cost))
    }

    /// Makes the table of these portals, in id order, from the walks to the first
    /// portal, then those to the next, and so on. `is_even` says that all open
    /// cells of the sector cost the same, and the portals' own cells no less.
    pub(super) fn of_walks(portals: &[LocalPortal], walks: &[u32], is_even: bool) -> Self {
        // Without an early end, the loop compares whole vectors.
        let fits = |walk: u32| walk <= i16::HIGHEST || walk == NO_PATH;
        if walks.iter().fold(true, |all, &walk| all & fits(walk)) {
            let crossing = PackedCrossing::bits;
            Self::Narrow(Table::of_walks(portals, walks, is_even, crossing))
        } else {
            let crossing = |crossing: PackedCrossing| crossing.bits().into();
            Self::Wide(Table::of_walks(portals, walks, is_even, crossing))
        }
    }

    /// The portal slots that hold a portal.
    #[inline]
    pub(crate) const fn portal_slots(&self) -> PortalSlots {
        match self {
            Self::Open(_) => OPEN_SLOTS,
            Self::Narrow(table) => table.portal_slots,
            Self::Wide(table) => table.portal_slots,
        }
    }

    /// Whether no walk costs more than two walks by way of a third portal.
    #[inline]
    pub(crate) const fn is_metric(&self) -> bool {
        match self {
            Self::Open(_) => true,
            Self::Narrow(table) => table.is_metric,
            Self::Wide(table) => table.is_metric,
        }
    }

    /// Returns the cost of the sector if it is open ground with whole windows.
    pub(crate) const fn open_cost(&self) -> Option<Cost> {
        match *self {
            Self::Open(cost) => Some(cost),
            _ => None,
        }
    }

    /// Adds a part of what distinguishes these costs from others to a digest.
    pub(crate) fn sample(&self, digest: &mut Digest) {
        match self {
            Self::Open(cost) => digest.number(cost.value().into()),
            Self::Narrow(table) => table.sample(digest, |cost| u32::from(cost.cast_unsigned())),
            Self::Wide(table) => table.sample(digest, i32::cast_unsigned),
        }
    }

    #[inline]
    pub(crate) fn crossing(&self, lane: usize) -> PackedCrossing {
        match self {
            Self::Open(_) => OPEN_CROSSINGS[lane],
            Self::Narrow(table) => PackedCrossing::of_bits(table.entries[lane]),
            Self::Wide(table) => PackedCrossing::of_bits(table.entries[lane] as i16),
        }
    }

    #[inline]
    pub(crate) const fn lanes_on(&self, side: Side) -> Range<usize> {
        let slots = self.portal_slots();
        let first = slots.lane(PortalSlot::new(side, 0));
        first..first + slots.on(side).count()
    }

    /// Returns the rows. Each is as long as there are
    /// [`lanes`](PortalSlots::lanes).
    #[inline]
    pub(crate) fn rows(&self) -> Rows<'_> {
        match self {
            Self::Open(cost) => Rows::Narrow(&OPEN[usize::from(cost.value())]),
            Self::Narrow(table) => Rows::Narrow(table.rows()),
            Self::Wide(table) => Rows::Wide(table.rows()),
        }
    }

    /// Calls `visit` with each walk that ends at a portal: where it begins, and its
    /// cost.
    pub(crate) fn arrivals(&self, to: PortalSlot, mut visit: impl FnMut(PortalSlot, u32)) {
        for from in self.portal_slots() {
            if let Some(cost) = self.walk(from, to) {
                visit(from, cost);
            }
        }
    }

    /// Returns the cost of the walk from one portal to another, if there is one.
    pub(crate) fn walk(&self, from: PortalSlot, to: PortalSlot) -> Option<u32> {
        let portal_slots = self.portal_slots();
        if !portal_slots.has(from) || !portal_slots.has(to) {
            return None;
        }
        let (from, to) = (portal_slots.lane(from), portal_slots.lane(to));
        self.rows().walk(portal_slots.lanes(), from, to)
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Self::Open(_) => VECTOR * (VECTOR - 1),
            Self::Narrow(table) => table.count(),
            Self::Wide(table) => table.count(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Open(_) => 0,
            Self::Narrow(table) => table.bytes(),
            Self::Wide(table) => table.bytes(),
        }
    }
}

impl<'a> Rows<'a> {
    /// Returns the cost of the walk between the portals of two lanes, if there is
    /// one. Rows have `lanes` lanes.
    #[inline]
    pub(crate) fn walk(self, lanes: usize, from: usize, to: usize) -> Option<u32> {
        fn cost<T: WalkCost>(rows: &[T], at: usize) -> Option<u32> {
            let cost = rows[at];
            (cost != T::NO_WALK).then(|| cost.cost())
        }
        match self {
            Self::Narrow(rows) => cost(rows, to * lanes + from),
            Self::Wide(rows) => cost(rows, to * lanes + from),
        }
    }

    /// Returns the rows as 16-bit costs; `None` if they have 32.
    pub(crate) const fn narrow(self) -> Option<Cow<'a, [i16]>> {
        match self {
            Self::Narrow(rows) => Some(Cow::Borrowed(rows)),
            Self::Wide(_) => None,
        }
    }

    /// Returns the rows as 32-bit costs.
    pub(crate) fn wide(self) -> Cow<'a, [i32]> {
        match self {
            Self::Narrow(rows) => rows
                .iter()
                .map(|&cost| match cost {
                    i16::NO_WALK => i32::NO_WALK,
                    cost => cost.into(),
                })
                .collect(),
            Self::Wide(rows) => Cow::Borrowed(rows),
        }
    }
}
