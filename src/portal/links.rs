//! What it costs to cross a sector from portal to portal.

use super::around::{Mark, Port};
use crate::cost::CostTile;
use crate::grid::Slot;
use crate::wave::{NO_WAY, walks_between};

/// The costs of the walks between the portals of one sector.
///
/// A clear sector stores none: over open ground the two places say it all.
/// Others keep a table. Sixteen bits hold it unless the ground is very dear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Links {
    Clear,
    Narrow(Table<u16>),
    Wide(Table<u32>),
}

/// The marks of a sector's portals in id order, and after them the costs of
/// walks, row by row of the portal arrived at. In one piece, since the search
/// reads both and little else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table<T> {
    portals: u8,
    entries: Box<[T]>,
}

/// A number in a table.
pub(super) trait Entry: Copy + Eq {
    /// There is no walk.
    const NONE: Self;
    fn of_mark(mark: Mark) -> Self;
    fn mark(self) -> Mark;
    /// The cost; `None` if it does not fit.
    fn of_cost(cost: u32) -> Option<Self>;
    fn cost(self) -> u32;
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

    fn of_cost(cost: u32) -> Option<Self> {
        Self::try_from(cost).ok().filter(|&cost| cost != Self::NONE)
    }

    #[inline]
    fn cost(self) -> u32 {
        u32::from(self)
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

    fn of_cost(cost: u32) -> Option<Self> {
        Some(cost)
    }

    #[inline]
    fn cost(self) -> u32 {
        self
    }
}

impl<T: Entry> Table<T> {
    /// The table of these walks between the gates of portals; `None` if a cost
    /// does not fit.
    fn new(ports: &[Port], walks: &[u32]) -> Option<Self> {
        let mut entries: Vec<T> = Vec::with_capacity(ports.len() * (ports.len() + 1));
        entries.extend(ports.iter().map(|port| T::of_mark(port.mark)));
        for (to, walks) in ports.iter().zip(walks.chunks_exact(ports.len().max(1))) {
            for (from, &walk) in ports.iter().zip(walks) {
                entries.push(if walk == NO_WAY || from.id == to.id {
                    T::NONE
                } else {
                    T::of_cost(from.entry + walk + to.exit)?
                });
            }
        }
        Some(Self {
            portals: ports.len() as u8,
            entries: entries.into(),
        })
    }

    /// The marks of the portals, and for each the cost of the walk from it to
    /// the portal numbered `to`.
    #[inline]
    pub(super) fn row(&self, to: usize) -> impl Iterator<Item = (Mark, T)> {
        let portals = usize::from(self.portals);
        let (marks, costs) = self.entries.split_at(portals);
        let row = &costs[to * portals..][..portals];
        marks
            .iter()
            .zip(row)
            .map(|(mark, &cost)| (mark.mark(), cost))
    }

    fn count(&self) -> usize {
        let costs = &self.entries[usize::from(self.portals)..];
        costs.iter().filter(|&&cost| cost != T::NONE).count()
    }

    fn bytes(&self) -> usize {
        size_of_val::<[T]>(&self.entries)
    }
}

impl Links {
    /// Derives the costs between the portals around a tile, in id order.
    pub(super) fn derive(tile: &CostTile, ports: &[Port]) -> Self {
        if tile.is_clear() {
            return Self::Clear;
        }
        let gates: Vec<Slot> = ports.iter().map(|port| port.slot).collect();
        let mut walks = Vec::new();
        walks_between(tile, &gates, &mut walks);
        Table::new(ports, &walks).map_or_else(|| Self::wide(ports, &walks), Self::Narrow)
    }

    #[cold]
    fn wide(ports: &[Port], walks: &[u32]) -> Self {
        let table = Table::new(ports, walks);
        Self::Wide(table.expect("any cost fits 32 bits"))
    }

    /// How many ordered pairs of different portals are joined, of `count`
    /// portals.
    pub(super) fn count(&self, count: usize) -> usize {
        match self {
            Self::Clear => count * count.saturating_sub(1),
            Self::Narrow(table) => table.count(),
            Self::Wide(table) => table.count(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Clear => 0,
            Self::Narrow(table) => table.bytes(),
            Self::Wide(table) => table.bytes(),
        }
    }
}
