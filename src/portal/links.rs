//! What it costs to cross a sector from portal to portal.

use super::port::{Mark, Port, Side};
use super::window::BORDER_PORTALS;
use crate::cost::CostTile;
use crate::grid::Slot;
use crate::wave::{Threshold, octile, walks_between};

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

/// For each place where a portal may be, its number; the marks of the portals
/// in id order; the costs of the walks, row by row of the portal arrived at.
/// In one piece, since the search reads this and little else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table<T> {
    portals: u8,
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
    fn of_number(number: usize) -> Self;
    fn number(self) -> usize;
    fn of_mark(mark: Mark) -> Self;
    fn mark(self) -> Mark;
    /// The cost; `None` if it does not fit.
    fn of_cost(cost: u32) -> Option<Self>;
    fn cost(self) -> u32;
}

impl Entry for u16 {
    const NONE: Self = Self::MAX;

    fn of_number(number: usize) -> Self {
        number as Self
    }

    #[inline]
    fn number(self) -> usize {
        usize::from(self)
    }

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

    fn of_number(number: usize) -> Self {
        number as Self
    }

    #[inline]
    fn number(self) -> usize {
        self as usize
    }

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

/// The gate of a whole window.
const MIDDLE: u8 = 4;

/// The marks of the four portals of open ground.
const OPEN_MARKS: [Mark; 4] = [
    Mark::new(Side::North, 0, MIDDLE),
    Mark::new(Side::West, 0, MIDDLE),
    Mark::new(Side::East, 0, MIDDLE),
    Mark::new(Side::South, 0, MIDDLE),
];

/// Places around a sector where a portal may be.
const PLACES: usize = 4 * BORDER_PORTALS;

/// The table of open ground: what the ways over it cost.
static OPEN: [u16; PLACES + 20] = {
    let mut entries = [u16::NONE; PLACES + 20];
    let mut to = 0;
    while to < 4 {
        entries[OPEN_MARKS[to].number()] = to as u16;
        entries[PLACES + to] = OPEN_MARKS[to].bits();
        let mut from = 0;
        while from < 4 {
            if from != to {
                let (x, y) = OPEN_MARKS[to].step();
                let (from_x, from_y) = OPEN_MARKS[from].step();
                let price = octile(x.abs_diff(from_x), y.abs_diff(from_y));
                entries[PLACES + 4 + 4 * to + from] = price as u16;
            }
            from += 1;
        }
        to += 1;
    }
    entries
};

/// The row of the portal in a place, of a table of so many portals: the marks
/// of all, and the costs of the walks from each; none if there is none.
#[inline]
fn row<T: Entry>(entries: &[T], portals: usize, place: usize) -> (&[T], &[T]) {
    let number = entries[place];
    if number == T::NONE {
        return (&[], &[]);
    }
    let (marks, costs) = entries[PLACES..].split_at(portals);
    (marks, &costs[number.number() * portals..][..portals])
}

impl<T: Entry> Table<T> {
    fn count(&self) -> usize {
        let costs = &self.entries[PLACES + usize::from(self.portals)..];
        costs.iter().filter(|&&cost| cost != T::NONE).count()
    }

    fn bytes(&self) -> usize {
        size_of_val::<[T]>(&self.entries)
    }
}

impl Links {
    /// The walks that end at the portal in a place.
    #[inline]
    pub(crate) fn row(&self, place: usize) -> Row<'_> {
        match self {
            Self::Narrow(table) => {
                let (marks, costs) = row(&table.entries, table.portals.into(), place);
                Row::Narrow(marks, costs)
            }
            Self::Open => {
                let (marks, costs) = row(&OPEN, OPEN_MARKS.len(), place);
                Row::Narrow(marks, costs)
            }
            Self::Wide(table) => {
                let (marks, costs) = row(&table.entries, table.portals.into(), place);
                Row::Wide(marks, costs)
            }
        }
    }

    /// Tells `visit` the walks that end at a portal: where each begins, and its
    /// cost.
    pub(super) fn arrivals(&self, to: Mark, mut visit: impl FnMut(Mark, u32)) {
        fn each<T: Entry>(marks: &[T], costs: &[T], mut visit: impl FnMut(Mark, u32)) {
            let joined = marks
                .iter()
                .zip(costs)
                .filter(|(_, cost)| **cost != T::NONE);
            joined.for_each(|(mark, cost)| visit(mark.mark(), cost.cost()));
        }
        match self.row(to.number()) {
            Row::Narrow(marks, costs) => each(marks, costs, &mut visit),
            Row::Wide(marks, costs) => each(marks, costs, &mut visit),
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

/// Derives links, sector by sector, with room that is used again.
#[derive(Default)]
pub(super) struct LinkMaker {
    ports: Vec<Port>,
    to: Vec<Threshold>,
    from: Vec<Slot>,
    walks: Vec<u32>,
}

impl LinkMaker {
    /// Derives the links between the portals around a tile, told in id order.
    pub(super) fn derive(&mut self, tile: &CostTile, ports: impl Iterator<Item = Port>) -> Links {
        self.ports.clear();
        self.ports.extend(ports);
        let marks = self.ports.iter().map(|port| port.mark);
        if tile.is_clear() && marks.eq(OPEN_MARKS) && self.ports.iter().all(Port::is_free) {
            return Links::Open;
        }
        self.to.clear();
        self.to.extend(self.ports.iter().map(|port| port.exit));
        self.from.clear();
        for port in &self.ports {
            self.from
                .extend(port.entry.steps().iter().map(|&(slot, _)| slot));
        }
        walks_between(tile, &self.to, &self.from, &mut self.walks);
        self.narrow().unwrap_or_else(|| self.wide())
    }

    fn narrow(&self) -> Option<Links> {
        self.table().map(Links::Narrow)
    }

    #[cold]
    fn wide(&self) -> Links {
        Links::Wide(self.table().expect("any cost fits 32 bits"))
    }

    /// The table of the walks found; `None` if a cost does not fit.
    fn table<T: Entry>(&self) -> Option<Table<T>> {
        let ports = &self.ports;
        let mut entries: Vec<T> = Vec::with_capacity(PLACES + ports.len() * (ports.len() + 1));
        entries.resize(PLACES, T::NONE);
        for (number, port) in ports.iter().enumerate() {
            entries[port.mark.number()] = T::of_number(number);
        }
        entries.extend(ports.iter().map(|port| T::of_mark(port.mark)));
        for (to, walks) in ports.iter().zip(self.walks.chunks(self.from.len().max(1))) {
            let mut rest = walks;
            for from in ports {
                let (own, others) = rest.split_at(from.entry.steps().len());
                rest = others;
                entries.push(match from.entry.cheapest(own.iter().copied()) {
                    Some(cost) if from.id != to.id => T::of_cost(cost)?,
                    _ => T::NONE,
                });
            }
        }
        Some(Table {
            portals: ports.len() as u8,
            entries: entries.into(),
        })
    }
}
