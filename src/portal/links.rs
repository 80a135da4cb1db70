//! What it costs to cross a sector from portal to portal.

use super::local_portal::{LocalPortal, PackedGate};
use super::portal_slot::{PortalSlot, PortalSlots, Side, VECTOR};
use super::relaxation::{better, better_wide};
use crate::kernel::{NO_WAY, octile};

/// The costs of the walks between the portals of one sector.
///
/// All sectors of open ground with a whole window on each side share one table.
/// Other sectors have a table of their own: 16 bits a cost, or 32 on very
/// expensive ground.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Open,
    Narrow(Table<u16>),
    Wide(Table<u32>),
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
    entries: Box<[T]>,
}

/// The gates of a sector's portals, and the cost of the walk from each of them
/// to one portal.
#[derive(Clone, Copy)]
pub(crate) enum ArrivalRow<'a> {
    Narrow(&'a [u16], &'a [u16]),
    Wide(&'a [u32], &'a [u32]),
}

/// An entry of a table: a packed gate or a cost.
pub(crate) trait TableEntry: Copy + Eq {
    /// There is no walk.
    const NONE: Self;
    fn of_mark(gate: PackedGate) -> Self;
    fn gate(self) -> PackedGate;
    /// Returns a cost that fits, or `NONE` for [`NO_WAY`].
    fn of_walk(walk: u32) -> Self;
    fn cost(self) -> u32;
    /// Returns the lanes in which `onward` plus the walk is below the known cost.
    fn better(known: &[u64], walks: &[Self], onward: u64) -> u32;
}

impl TableEntry for u16 {
    const NONE: Self = Self::MAX;

    fn of_mark(gate: PackedGate) -> Self {
        gate.bits()
    }

    #[inline]
    fn gate(self) -> PackedGate {
        PackedGate::of_bits(self)
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

impl TableEntry for u32 {
    const NONE: Self = Self::MAX;

    fn of_mark(gate: PackedGate) -> Self {
        Self::from(gate.bits())
    }

    #[inline]
    fn gate(self) -> PackedGate {
        PackedGate::of_bits(self as u16)
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

/// The gates of the four portals of open ground.
const OPEN_MARKS: [PackedGate; 4] = [
    PackedGate::new(PortalSlot::new(Side::North, 0), MIDDLE),
    PackedGate::new(PortalSlot::new(Side::West, 0), MIDDLE),
    PackedGate::new(PortalSlot::new(Side::East, 0), MIDDLE),
    PackedGate::new(PortalSlot::new(Side::South, 0), MIDDLE),
];

/// The portal slots of the four portals of open ground.
const OPEN_SPOTS: PortalSlots = {
    let mut portal_slots = PortalSlots::NONE;
    let mut lane = 0;
    while lane < VECTOR {
        portal_slots = portal_slots.with(OPEN_MARKS[lane].portal_slot());
        lane += 1;
    }
    portal_slots
};

/// The table of open ground.
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

/// Splits the entries of a table with rows of `lanes` lanes: returns the gates,
/// and the row of `lane`.
#[inline(always)]
fn row<T>(entries: &[T], lanes: usize, lane: usize) -> (&[T], &[T]) {
    let (gates, costs) = entries.split_at(lanes);
    (gates, &costs[lane * lanes..][..lanes])
}

impl<T: TableEntry> Table<T> {
    fn of_walks(portals: &[LocalPortal], walks: &[u32]) -> Self {
        let held = portals.iter().map(|portal| portal.gate.portal_slot());
        let portal_slots = held.fold(PortalSlots::NONE, PortalSlots::with);
        let lanes = portal_slots.lanes();
        let mut entries: Vec<T> = Vec::with_capacity(lanes * (1 + portals.len()));
        entries.extend(portals.iter().map(|portal| T::of_mark(portal.gate)));
        for (to, walks) in walks.chunks(portals.len().max(1)).enumerate() {
            entries.resize(lanes * (1 + to), T::NONE);
            entries.extend(walks.iter().map(|&walk| T::of_walk(walk)));
            entries[lanes * (1 + to) + to] = T::NONE;
        }
        entries.resize(lanes * (1 + portals.len()), T::NONE);
        Self {
            portal_slots,
            entries: entries.into(),
        }
    }

    fn count(&self) -> usize {
        let costs = &self.entries[self.portal_slots.lanes()..];
        costs.iter().filter(|&&cost| cost != T::NONE).count()
    }

    fn bytes(&self) -> usize {
        size_of_val::<[T]>(&self.entries)
    }
}

impl Links {
    /// Whether these portals, in id order, are those of open ground.
    pub(super) fn are_open(portals: &[LocalPortal]) -> bool {
        let gates = portals.iter().map(|portal| portal.gate);
        gates.eq(OPEN_MARKS) && portals.iter().all(LocalPortal::is_free)
    }

    /// Makes the table of these portals, in id order, from the walks to the first
    /// portal, then those to the next, and so on.
    pub(super) fn of_walks(portals: &[LocalPortal], walks: &[u32]) -> Self {
        let none = u32::from(u16::NONE);
        if walks.iter().all(|&walk| walk < none || walk == NO_WAY) {
            Self::Narrow(Table::of_walks(portals, walks))
        } else {
            Self::Wide(Table::of_walks(portals, walks))
        }
    }

    /// The portal slots that hold a portal.
    #[inline]
    pub(crate) const fn portal_slots(&self) -> PortalSlots {
        match self {
            Self::Open => OPEN_SPOTS,
            Self::Narrow(table) => table.portal_slots,
            Self::Wide(table) => table.portal_slots,
        }
    }

    /// Returns the walks that end at the portal of a lane. `lanes` is the number of
    /// [`lanes`](super::PortalSlots::lanes).
    #[inline(always)]
    pub(crate) fn row(&self, lanes: usize, lane: usize) -> ArrivalRow<'_> {
        match self {
            Self::Narrow(table) => {
                let (gates, costs) = row(&table.entries, lanes, lane);
                ArrivalRow::Narrow(gates, costs)
            }
            Self::Open => {
                let (gates, costs) = row(&OPEN, VECTOR, lane);
                ArrivalRow::Narrow(gates, costs)
            }
            Self::Wide(table) => {
                let (gates, costs) = row(&table.entries, lanes, lane);
                ArrivalRow::Wide(gates, costs)
            }
        }
    }

    /// Calls `visit` with each walk that ends at a portal: where it begins, and its
    /// cost.
    pub(crate) fn arrivals(&self, to: PortalSlot, mut visit: impl FnMut(PortalSlot, u32)) {
        fn each<T: TableEntry>(gates: &[T], costs: &[T], mut visit: impl FnMut(PortalSlot, u32)) {
            let joined = gates
                .iter()
                .zip(costs)
                .filter(|(_, cost)| **cost != T::NONE);
            joined.for_each(|(gate, cost)| visit(gate.gate().portal_slot(), cost.cost()));
        }
        let portal_slots = self.portal_slots();
        if !portal_slots.has(to) {
            return;
        }
        match self.row(portal_slots.lanes(), portal_slots.lane(to)) {
            ArrivalRow::Narrow(gates, costs) => each(gates, costs, &mut visit),
            ArrivalRow::Wide(gates, costs) => each(gates, costs, &mut visit),
        }
    }

    /// Calls `visit` with each portal that walks join to this one, and the cost of
    /// the cheaper direction.
    pub(super) fn for_each_joined(
        &self,
        portal_slot: PortalSlot,
        visit: impl FnMut(PortalSlot, u32),
    ) {
        fn each<T: TableEntry>(
            entries: &[T],
            lanes: usize,
            lane: usize,
            mut visit: impl FnMut(PortalSlot, u32),
        ) {
            let (gates, costs) = entries.split_at(lanes);
            let to = &costs[lane * lanes..][..lanes];
            for (row, (gate, to)) in costs.chunks_exact(lanes).zip(gates.iter().zip(to)) {
                let ways = [*to, row[lane]].into_iter().filter(|&way| way != T::NONE);
                if let Some(walk) = ways.map(T::cost).min() {
                    visit(gate.gate().portal_slot(), walk);
                }
            }
        }
        let portal_slots = self.portal_slots();
        if portal_slots.has(portal_slot) {
            let (lanes, lane) = (portal_slots.lanes(), portal_slots.lane(portal_slot));
            match self {
                Self::Open => each(&OPEN, lanes, lane, visit),
                Self::Narrow(table) => each(&table.entries, lanes, lane, visit),
                Self::Wide(table) => each(&table.entries, lanes, lane, visit),
            }
        }
    }

    /// Returns the cost of the walk from one portal to another, if there is one.
    pub(crate) fn walk(&self, from: PortalSlot, to: PortalSlot) -> Option<u32> {
        fn entry<T: TableEntry>(costs: &[T], lane: usize) -> Option<u32> {
            let cost = costs[lane];
            (cost != T::NONE).then(|| cost.cost())
        }
        let portal_slots = self.portal_slots();
        if !portal_slots.has(from) || !portal_slots.has(to) {
            return None;
        }
        match self.row(portal_slots.lanes(), portal_slots.lane(to)) {
            ArrivalRow::Narrow(_, costs) => entry(costs, portal_slots.lane(from)),
            ArrivalRow::Wide(_, costs) => entry(costs, portal_slots.lane(from)),
        }
    }

    /// Returns the number of walks.
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
