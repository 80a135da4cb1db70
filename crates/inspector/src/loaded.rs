//! The loaded sectors of each order, followed from picture to picture.

use std::collections::HashMap;

use flowtiles::{FlowWorld, LayerId, Sector};

use crate::shown::ShownOrder;

/// The number of pictures for which a freed sector is shown.
const FREED_SHOWN: u32 = 45;
/// Among orders without a revision, the sectors of one are read again after
/// this many pictures.
const TURN_EVERY: u32 = 4;
/// The number of orders with a bit of their own.
const BITS: usize = 15;
/// The bit of sectors that were freed lately.
const FREED: u16 = 0x8000;

/// The sectors of one order.
struct Followed {
    number: u64,
    /// The layer that the order is on.
    layer: LayerId,
    revision: Option<u64>,
    /// The loaded sectors, row by row.
    sectors: Vec<Sector>,
    /// The order's bit, if one was free.
    bit: u16,
}

/// A sector that was freed lately.
struct Freed {
    /// The picture in which it was.
    picture: u32,
    /// The layer of the order that freed it.
    layer: LayerId,
}

/// The loaded sectors of all orders shown.
#[derive(Default)]
pub(crate) struct LoadedSectors {
    orders: Vec<Followed>,
    bits: HashMap<(i32, i32), u16>,
    /// The sectors freed lately.
    freed: HashMap<(i32, i32), Freed>,
    picture: u32,
    /// The order without a revision whose sectors are read next.
    turn: usize,
}

impl LoadedSectors {
    /// Removes all sectors.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Reads the orders that may have changed, and returns the number of
    /// sectors read. Among orders without a revision one is read in every
    /// fourth picture, so that the work is bounded.
    pub(crate) fn follow(&mut self, world: &FlowWorld, orders: &[ShownOrder<'_>]) -> u32 {
        self.picture += 1;
        self.drop_gone(orders);
        let mut read = 0;
        let is_turn = self.picture % TURN_EVERY == 2;
        if is_turn {
            self.turn = (self.turn + 1) % orders.len().max(1);
        }
        for (at, shown) in orders.iter().enumerate() {
            let number = shown.order.number();
            let place = self.orders.iter().position(|known| known.number == number);
            let is_due = match place {
                None => true,
                Some(place) => match shown.revision {
                    Some(_) => self.orders[place].revision != shown.revision,
                    None => is_turn && at == self.turn,
                },
            };
            if !is_due {
                continue;
            }
            let place = place.unwrap_or_else(|| self.enter(number, shown.layer()));
            let order = &mut self.orders[place];
            order.revision = shown.revision;
            let (bit, layer) = (order.bit, order.layer);
            let after = world.inspect().loaded(shown.order);
            read += after.len() as u32;
            let gone = missing_in(&order.sectors, &after);
            let fresh = missing_in(&after, &order.sectors);
            order.sectors = after;
            for sector in gone {
                self.free(sector, bit, layer);
            }
            for sector in fresh {
                *self.bits.entry((sector.x, sector.y)).or_default() |= bit;
                self.freed.remove(&(sector.x, sector.y));
            }
        }
        let picture = self.picture;
        self.freed
            .retain(|_, freed| picture - freed.picture < FREED_SHOWN);
        read
    }

    fn enter(&mut self, number: u64, layer: LayerId) -> usize {
        let is_free = |bit: &u16| self.orders.iter().all(|order| order.bit != *bit);
        let bit = (0..BITS as u16).map(|at| 1 << at).find(is_free);
        self.orders.push(Followed {
            number,
            layer,
            revision: None,
            sectors: Vec::new(),
            bit: bit.unwrap_or(1 << (BITS - 1)),
        });
        self.orders.len() - 1
    }

    /// Drops orders that are no longer shown.
    fn drop_gone(&mut self, orders: &[ShownOrder<'_>]) {
        let is_shown = |known: &Followed| {
            let mut numbers = orders.iter().map(|shown| shown.order.number());
            numbers.any(|number| number == known.number)
        };
        let (kept, gone): (Vec<_>, Vec<_>) = std::mem::take(&mut self.orders)
            .into_iter()
            .partition(is_shown);
        self.orders = kept;
        for order in gone {
            for sector in order.sectors {
                self.free(sector, order.bit, order.layer);
            }
        }
    }

    /// Removes a bit from a sector that an order has freed. If there are many
    /// orders, the last ones share a bit.
    fn free(&mut self, sector: Sector, bit: u16, layer: LayerId) {
        let holds = |order: &Followed| {
            let key = |sector: &Sector| (sector.y, sector.x);
            let found = order.sectors.binary_search_by_key(&key(&sector), key);
            order.bit == bit && found.is_ok()
        };
        if self.orders.iter().any(holds) {
            return;
        }
        let place = (sector.x, sector.y);
        if let Some(known) = self.bits.get_mut(&place) {
            *known &= !bit;
            if *known == 0 {
                self.bits.remove(&place);
                let picture = self.picture;
                self.freed.insert(place, Freed { picture, layer });
            }
        }
    }

    /// Returns the bits of the orders on a layer that have loaded a sector; they are among
    /// [those of the layer](Self::bits_on).
    pub(crate) fn bits(&self, x: i32, y: i32, of: u16, is_on: impl Fn(LayerId) -> bool) -> u16 {
        match (self.bits.get(&(x, y)), self.freed.get(&(x, y))) {
            (Some(bits), _) => bits & of,
            (None, Some(freed)) if is_on(freed.layer) => FREED,
            _ => 0,
        }
    }

    /// Returns the bits of all orders on a layer.
    pub(crate) fn bits_on(&self, is_on: impl Fn(LayerId) -> bool) -> u16 {
        let orders = self.orders.iter().filter(|order| is_on(order.layer));
        orders.fold(0, |bits, order| bits | order.bit)
    }

    /// Returns the bit of an order; 0 if it is not followed.
    pub(crate) fn bit_of(&self, number: u64) -> u16 {
        let mut orders = self.orders.iter();
        let order = orders.find(|order| order.number == number);
        order.map_or(0, |order| order.bit)
    }

    /// Returns the sectors of an order, row by row.
    pub(crate) fn of(&self, number: u64) -> &[Sector] {
        let mut orders = self.orders.iter();
        let order = orders.find(|order| order.number == number);
        order.map_or(&[], |order| &order.sectors)
    }

    /// Whether freed sectors are still shown, so that blocks may change.
    pub(crate) fn fades(&self) -> bool {
        !self.freed.is_empty()
    }
}

/// Returns the sectors of one list that the other lacks; both are sorted row by
/// row.
fn missing_in(these: &[Sector], others: &[Sector]) -> Vec<Sector> {
    let key = |sector: &Sector| (sector.y, sector.x);
    let mut others = others.iter().peekable();
    let is_missing = |sector: &&Sector| {
        while others.next_if(|other| key(other) < key(sector)).is_some() {}
        others.peek().is_none_or(|other| key(other) != key(sector))
    };
    these.iter().filter(is_missing).copied().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use flowtiles::{Budget, Cell, CostMap, Order};

    use super::*;

    #[test]
    fn bits_are_those_of_the_orders_that_have_a_sector_loaded() {
        let mut world = FlowWorld::new(CostMap::open(150, 120).unwrap());
        let mut followed = LoadedSectors::default();
        let mut orders: Vec<(Order, Cell)> = Vec::new();
        let mut state = 5u64;
        let mut draw = |below: i32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % below as u64) as i32
        };
        let (mut most, mut freed) = (0, 0);
        for step in 0..240 {
            let goal = Cell::new(draw(150), draw(120));
            match step % 6 {
                0 | 2 if orders.len() < 19 => {
                    let from = Cell::new(draw(150), draw(120));
                    orders.push((world.order(goal, &[from]).unwrap(), goal));
                }
                3 => world.cover(&orders[0].0, goal).unwrap(),
                5 if orders.len() > 16 => drop(orders.remove(draw(16) as usize)),
                _ => {}
            }
            world.tick(Budget::cells(900));
            let shown: Vec<ShownOrder<'_>> = orders
                .iter()
                .map(|(order, goal)| ShownOrder {
                    revision: Some(step),
                    ..ShownOrder::new(order, *goal)
                })
                .collect();
            followed.follow(&world, &shown);
            let mut wanted: BTreeMap<(i32, i32), u16> = BTreeMap::new();
            for (order, _) in &orders {
                let bit = followed.bit_of(order.number());
                for sector in world.inspect().loaded(order) {
                    *wanted.entry((sector.x, sector.y)).or_default() |= bit;
                }
            }
            let known: BTreeMap<(i32, i32), u16> = followed
                .bits
                .iter()
                .map(|(&at, &bits)| (at, bits))
                .collect();
            assert_eq!(known, wanted, "step {step}");
            let gone: BTreeSet<(i32, i32)> = followed.freed.keys().copied().collect();
            assert!(gone.iter().all(|at| !wanted.contains_key(at)));
            most = most.max(wanted.len());
            freed = freed.max(gone.len());
        }
        assert!(most > 30 && freed > 10, "{most} loaded, {freed} freed");
    }
}
