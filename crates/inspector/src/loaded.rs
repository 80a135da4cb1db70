//! Which sectors which orders have loaded, followed from picture to picture.

use std::collections::HashMap;

use flowtiles::{Cell, FlowWorld, SECTOR_SIDE, Sector};

use crate::shown::ShownOrder;

/// For so many pictures a freed sector is shown as such.
const FREED_SHOWN: u32 = 45;
/// Orders that have a bit of their own.
const BITS: usize = 7;
/// The bit of sectors that were freed lately.
const FREED: u8 = 0x80;

/// The sectors of one order.
struct Followed {
    number: u64,
    revision: Option<u64>,
    /// Row by row.
    sectors: Vec<Sector>,
    /// Which bit, if there was one to spare.
    bit: u8,
}

/// The loaded sectors of all orders shown.
#[derive(Default)]
pub(crate) struct LoadedSectors {
    orders: Vec<Followed>,
    bits: HashMap<(i32, i32), u8>,
    /// Sectors freed lately, and in which picture.
    freed: HashMap<(i32, i32), u32>,
    picture: u32,
    /// The order whose sectors are read next, where nobody says which changed.
    turn: usize,
}

impl LoadedSectors {
    /// Begins with no sector.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Looks at the orders once more. Of those without a revision one is read
    /// in a picture, so that the work is bounded.
    pub(crate) fn follow(&mut self, world: &FlowWorld, orders: &[ShownOrder<'_>]) {
        self.picture += 1;
        let mut changed = self.drop_gone(orders);
        self.turn = (self.turn + 1) % orders.len().max(1);
        for (at, shown) in orders.iter().enumerate() {
            let number = shown.order.number();
            let place = self.orders.iter().position(|known| known.number == number);
            let is_due = match place {
                None => true,
                Some(place) => match shown.revision {
                    Some(_) => self.orders[place].revision != shown.revision,
                    None => at == self.turn,
                },
            };
            if !is_due {
                continue;
            }
            let sectors = world.loaded(shown.order);
            let place = place.unwrap_or_else(|| self.enter(number));
            self.orders[place].revision = shown.revision;
            if self.orders[place].sectors != sectors {
                let before = std::mem::replace(&mut self.orders[place].sectors, sectors);
                self.note_freed(&before);
                changed = true;
            }
        }
        self.forget_freed();
        if changed {
            self.mark();
        }
    }

    fn enter(&mut self, number: u64) -> usize {
        let is_free = |bit: &u8| self.orders.iter().all(|order| order.bit != *bit);
        let bit = (0..BITS as u8).map(|at| 1 << at).find(is_free);
        self.orders.push(Followed {
            number,
            revision: None,
            sectors: Vec::new(),
            bit: bit.unwrap_or(1 << (BITS - 1)),
        });
        self.orders.len() - 1
    }

    /// Lets go of orders that are shown no more; whether there were any.
    fn drop_gone(&mut self, orders: &[ShownOrder<'_>]) -> bool {
        let is_shown = |known: &Followed| {
            let mut numbers = orders.iter().map(|shown| shown.order.number());
            numbers.any(|number| number == known.number)
        };
        let (kept, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut self.orders)
            .into_iter()
            .partition(is_shown);
        self.orders = kept;
        for order in &gone {
            self.note_freed(&order.sectors);
        }
        !gone.is_empty()
    }

    fn note_freed(&mut self, before: &[Sector]) {
        for sector in before {
            self.freed.insert((sector.x, sector.y), self.picture);
        }
    }

    fn forget_freed(&mut self) {
        let picture = self.picture;
        self.freed.retain(|_, freed| picture - *freed < FREED_SHOWN);
    }

    fn mark(&mut self) {
        self.bits.clear();
        for order in &self.orders {
            for sector in &order.sectors {
                *self.bits.entry((sector.x, sector.y)).or_default() |= order.bit;
            }
        }
        let bits = &self.bits;
        self.freed.retain(|sector, _| !bits.contains_key(sector));
    }

    /// Who has a sector loaded.
    pub(crate) fn bits(&self, x: i32, y: i32) -> u8 {
        let bits = self.bits.get(&(x, y)).copied();
        bits.unwrap_or_else(|| {
            if self.freed.contains_key(&(x, y)) {
                FREED
            } else {
                0
            }
        })
    }

    /// The bit of an order; 0 if it is not followed.
    pub(crate) fn bit_of(&self, number: u64) -> u8 {
        let mut orders = self.orders.iter();
        let order = orders.find(|order| order.number == number);
        order.map_or(0, |order| order.bit)
    }

    /// The sectors of an order, row by row.
    pub(crate) fn of(&self, number: u64) -> &[Sector] {
        let mut orders = self.orders.iter();
        let order = orders.find(|order| order.number == number);
        order.map_or(&[], |order| &order.sectors)
    }

    /// Whether an order has a cell's sector loaded.
    pub(crate) fn holds(&self, number: u64, cell: Cell) -> bool {
        let sector = (
            cell.y.div_euclid(SECTOR_SIDE),
            cell.x.div_euclid(SECTOR_SIDE),
        );
        let sectors = self.of(number);
        sectors
            .binary_search_by_key(&sector, |sector| (sector.y, sector.x))
            .is_ok()
    }

    /// Whether what is shown of freed sectors still changes.
    pub(crate) fn fades(&self) -> bool {
        !self.freed.is_empty()
    }
}
