//! What it costs to cross a sector from portal to portal.

use std::borrow::Cow;
use std::ops::Range;

use super::local_portal::{LocalPortal, PackedGate};
use super::portal_slot::{PortalSlot, PortalSlots, Side, VECTOR};
use super::relaxation::{WalkCost, relax};
use crate::kernel::{NO_PATH, octile};

/// The costs of the walks between the portals of one sector.
///
/// All sectors of open ground with a whole window on each side share one table.
/// Other sectors have a table of their own: 16 bits a cost, or 32 on very
/// expensive ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Open,
    Narrow(Table<i16>),
    Wide(Table<i32>),
}

/// The gates of a sector's portals in id order, then the costs of the walks
/// between them, a row for each portal arrived at. They lie in one piece of
/// memory, since the search reads little else.
///
/// A portal's *lane* in the table is its rank among the sector's portals. Gates
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

/// The gate of a whole window.
const MIDDLE: u8 = 4;

/// The gates of the four portals of open ground.
const OPEN_GATES: [PackedGate; VECTOR] = [
    PackedGate::new(PortalSlot::new(Side::North, 0), MIDDLE),
    PackedGate::new(PortalSlot::new(Side::West, 0), MIDDLE),
    PackedGate::new(PortalSlot::new(Side::East, 0), MIDDLE),
    PackedGate::new(PortalSlot::new(Side::South, 0), MIDDLE),
];

/// The portal slots of the four portals of open ground.
const OPEN_SLOTS: PortalSlots = {
    let mut portal_slots = PortalSlots::NONE;
    let mut lane = 0;
    while lane < VECTOR {
        portal_slots = portal_slots.with(OPEN_GATES[lane].portal_slot());
        lane += 1;
    }
    portal_slots
};

/// The rows of open ground.
static OPEN: [i16; VECTOR * VECTOR] = {
    let mut rows = [i16::NONE; VECTOR * VECTOR];
    let mut to = 0;
    while to < VECTOR {
        let mut from = 0;
        while from < VECTOR {
            if from != to {
                let (x, y) = OPEN_GATES[to].step();
                let (from_x, from_y) = OPEN_GATES[from].step();
                let price = octile(x.abs_diff(from_x), y.abs_diff(from_y));
                rows[VECTOR * to + from] = price as i16;
            }
            from += 1;
        }
        to += 1;
    }
    rows
};

impl<T: WalkCost> Table<T> {
    /// Makes the table of these portals from the walks to each of them. On ground
    /// of cost 1 the table is metric.
    fn of_walks(
        portals: &[LocalPortal],
        walks: &[u32],
        is_cheap: bool,
        gate: impl Fn(PackedGate) -> T,
    ) -> Self {
        let held = portals.iter().map(|portal| portal.gate.portal_slot());
        let portal_slots = held.fold(PortalSlots::NONE, PortalSlots::with);
        let lanes = portal_slots.lanes();
        let mut entries: Vec<T> = Vec::with_capacity(lanes * (1 + portals.len()));
        entries.extend(portals.iter().map(|portal| gate(portal.gate)));
        for (to, walks) in walks.chunks(portals.len().max(1)).enumerate() {
            entries.resize(lanes * (1 + to), T::NONE);
            // `NO_PATH` is higher than any cost.
            entries.extend(walks.iter().map(|&walk| T::of(walk.min(T::NONE.cost()))));
            entries[lanes * (1 + to) + to] = T::NONE;
        }
        entries.resize(lanes * (1 + portals.len()), T::NONE);
        Self {
            portal_slots,
            is_metric: is_cheap || is_metric(&entries[lanes..], lanes),
            entries: entries.into(),
        }
    }

    fn rows(&self) -> &[T] {
        &self.entries[self.portal_slots.lanes()..]
    }

    fn count(&self) -> usize {
        self.rows().iter().filter(|&&cost| cost != T::NONE).count()
    }

    fn bytes(&self) -> usize {
        size_of_val::<[T]>(&self.entries)
    }
}

/// Whether no walk costs more than two walks by way of a third portal. On
/// ground of uneven cost it may: the portal's own cell lies outside the sector
/// and may be much cheaper than the cells inside.
fn is_metric<T: WalkCost>(rows: &[T], lanes: usize) -> bool {
    let mut detours = [T::NONE; PortalSlots::LANES_MAX];
    let lanes = lanes.max(1);
    rows.chunks_exact(lanes).enumerate().all(|(to, row)| {
        let detours = &mut detours[..lanes];
        detours.copy_from_slice(row);
        for (by, &walk) in rows.chunks_exact(lanes).zip(row) {
            if walk != T::NONE {
                relax(detours, by, walk);
            }
        }
        detours[to] = row[to];
        detours == row
    })
}

impl Links {
    /// Whether these portals, in id order, are those of open ground.
    pub(super) fn are_open(portals: &[LocalPortal]) -> bool {
        let gates = portals.iter().map(|portal| portal.gate);
        gates.eq(OPEN_GATES) && portals.iter().all(LocalPortal::is_free)
    }

    /// Makes the table of these portals, in id order, from the walks to the first
    /// portal, then those to the next, and so on. `is_cheap` says that all open
    /// cells of the sector cost 1.
    pub(super) fn of_walks(portals: &[LocalPortal], walks: &[u32], is_cheap: bool) -> Self {
        // Without an early end, the loop compares whole vectors.
        let fits = |walk: u32| walk <= i16::HIGHEST || walk == NO_PATH;
        if walks.iter().fold(true, |all, &walk| all & fits(walk)) {
            let gate = PackedGate::bits;
            Self::Narrow(Table::of_walks(portals, walks, is_cheap, gate))
        } else {
            let gate = |gate: PackedGate| gate.bits().into();
            Self::Wide(Table::of_walks(portals, walks, is_cheap, gate))
        }
    }

    /// The portal slots that hold a portal.
    #[inline]
    pub(crate) const fn portal_slots(&self) -> PortalSlots {
        match self {
            Self::Open => OPEN_SLOTS,
            Self::Narrow(table) => table.portal_slots,
            Self::Wide(table) => table.portal_slots,
        }
    }

    /// Whether no walk costs more than two walks by way of a third portal.
    #[inline]
    pub(crate) const fn is_metric(&self) -> bool {
        match self {
            Self::Open => true,
            Self::Narrow(table) => table.is_metric,
            Self::Wide(table) => table.is_metric,
        }
    }

    pub(crate) const fn is_open(&self) -> bool {
        matches!(self, Self::Open)
    }

    /// Returns the gate of the portal in a lane.
    #[inline]
    pub(crate) fn gate(&self, lane: usize) -> PackedGate {
        match self {
            Self::Open => OPEN_GATES[lane],
            Self::Narrow(table) => PackedGate::of_bits(table.entries[lane]),
            Self::Wide(table) => PackedGate::of_bits(table.entries[lane] as i16),
        }
    }

    /// Returns the lanes of the portals on one side.
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
            Self::Open => Rows::Narrow(&OPEN),
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

    /// Returns the number of walks.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Open => VECTOR * (VECTOR - 1),
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

impl<'a> Rows<'a> {
    /// Returns the cost of the walk between the portals of two lanes, if there is
    /// one. Rows have `lanes` lanes.
    #[inline]
    pub(crate) fn walk(self, lanes: usize, from: usize, to: usize) -> Option<u32> {
        fn cost<T: WalkCost>(rows: &[T], at: usize) -> Option<u32> {
            let cost = rows[at];
            (cost != T::NONE).then(|| cost.cost())
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
                    i16::NONE => i32::NONE,
                    cost => cost.into(),
                })
                .collect(),
            Self::Wide(rows) => Cow::Borrowed(rows),
        }
    }
}
