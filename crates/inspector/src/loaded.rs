//! The loaded sectors of each order, followed from picture to picture.
//!
//! A sector has bits for the orders that have loaded it, by layer. The orders of one
//! movement have different bits, whatever their teams, since teams may be shown together:
//!
//! ```text
//!   layer 1, team 0   orders 7, 9        bits 0, 1
//!   layer 1, team 1   order 8            bit 2
//!   layer 2, team 0   orders 10, 11, …   bits 0, 1, …; the last bit for the 15th and all after
//! ```

use std::collections::HashMap;

use flowtiles::{FlowWorld, LayerId, Sector};

use crate::shown::ShownOrder;

/// The number of pictures for which a freed sector is shown.
const FREED_SHOWN: u32 = 45;
/// Among orders without a revision, the sectors of one are read again after
/// this many pictures.
const TURN_EVERY: u32 = 4;
/// The number of bits for the orders of a movement; all orders beyond share the last.
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
    /// The order's bit: one of its own, if one was free.
    bit: u16,
}

/// A sector on a layer.
type Place = (LayerId, i32, i32);

/// The loaded sectors of all orders shown.
#[derive(Default)]
pub(crate) struct LoadedSectors {
    orders: Vec<Followed>,
    bits: HashMap<Place, u16>,
    /// The sectors freed lately, each with the picture in which it was.
    freed: HashMap<Place, u32>,
    /// The layers of all orders so far.
    layers: Vec<LayerId>,
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
        for (turn, shown) in orders.iter().enumerate() {
            let number = shown.order.number();
            let place = self.orders.iter().position(|known| known.number == number);
            let is_due = match place {
                None => true,
                Some(place) => match shown.revision {
                    Some(_) => self.orders[place].revision != shown.revision,
                    None => is_turn && turn == self.turn,
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
                let place = (layer, sector.x, sector.y);
                *self.bits.entry(place).or_default() |= bit;
                self.freed.remove(&place);
            }
        }
        let picture = self.picture;
        self.freed.retain(|_, freed| picture - *freed < FREED_SHOWN);
        read
    }

    fn enter(&mut self, number: u64, layer: LayerId) -> usize {
        if !self.layers.contains(&layer) {
            self.layers.push(layer);
        }
        let rivals = self.orders.iter();
        let rivals = rivals.filter(|order| order.layer.number() == layer.number());
        let mut bits = (0..BITS as u16).map(|number| 1 << number);
        let bit = bits.find(|&bit| rivals.clone().all(|order| order.bit != bit));
        self.orders.push(Followed {
            number,
            layer,
            revision: None,
            sectors: Vec::new(),
            bit: bit.unwrap_or(1 << (BITS - 1)),
        });
        self.orders.len() - 1
    }

    /// Drops orders that are no longer shown, or are on another layer now.
    fn drop_gone(&mut self, orders: &[ShownOrder<'_>]) {
        let orders_before = std::mem::take(&mut self.orders).into_iter();
        let (kept, gone): (Vec<_>, Vec<_>) = orders_before.partition(|known| {
            let mut shown = orders.iter();
            shown.any(|shown| shown.order.number() == known.number && shown.layer() == known.layer)
        });
        self.orders = kept;
        for order in gone {
            for sector in order.sectors {
                self.free(sector, order.bit, order.layer);
            }
        }
    }

    /// Removes a bit from a sector that an order has freed, unless another order with
    /// the same bit has it loaded.
    fn free(&mut self, sector: Sector, bit: u16, layer: LayerId) {
        let holds = |order: &Followed| {
            let key = |sector: &Sector| (sector.y, sector.x);
            let found = order.sectors.binary_search_by_key(&key(&sector), key);
            order.bit == bit && order.layer == layer && found.is_ok()
        };
        if self.orders.iter().any(holds) {
            return;
        }
        let place = (layer, sector.x, sector.y);
        if let Some(known) = self.bits.get_mut(&place) {
            *known &= !bit;
            if *known == 0 {
                self.bits.remove(&place);
                self.freed.insert(place, self.picture);
            }
        }
    }

    /// Returns the bits of the orders on [these layers](Self::layers_on) that have loaded
    /// a sector, or the highest bit if they have freed it lately.
    pub(crate) fn bits(&self, x: i32, y: i32, layers: &[LayerId]) -> u16 {
        let places = layers.iter().map(|&layer| (layer, x, y));
        let bits = places.clone().filter_map(|place| self.bits.get(&place));
        let bits = bits.fold(0, |all, bits| all | bits);
        let mut freed = places.filter(|place| self.freed.contains_key(place));
        match bits {
            0 if freed.next().is_some() => FREED,
            bits => bits,
        }
    }

    /// Returns the layers on view that have or had orders: those of one movement, for
    /// teams that see all gates alike.
    pub(crate) fn layers_on(&self, is_on: impl Fn(LayerId) -> bool) -> Vec<LayerId> {
        let layers = self.layers.iter().copied();
        layers.filter(|&layer| is_on(layer)).collect()
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
    let mut missing = these.to_vec();
    missing.retain(|sector| {
        while others.next_if(|other| key(other) < key(sector)).is_some() {}
        others.peek().is_none_or(|other| key(other) != key(sector))
    });
    missing
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use flowtiles::{Budget, Cell, CostMap, Goal, Movement, Order};

    use super::*;

    #[test]
    fn bits_are_set_for_orders_that_loaded_the_sector() {
        let mut world = FlowWorld::new(CostMap::open(150, 120).unwrap());
        let other = Movement::new().with_wall_costs([3, 0, 0, 0]);
        let other = world.add_layer(other).unwrap();
        // Most orders are on one layer, so that some of them share a bit.
        let layers = [other, LayerId::GROUND, other, other.for_team(3).unwrap()];
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
                0 | 2 if orders.len() < 27 => {
                    let from = Cell::new(draw(150), draw(120));
                    let layer = layers[orders.len() % layers.len()];
                    let order = world.order(Goal::at(goal).on(layer), &[from]);
                    orders.push((order.unwrap(), goal));
                }
                3 => world.cover(&orders[0].0, goal).unwrap(),
                5 if orders.len() > 24 => drop(orders.remove(draw(24) as usize)),
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
            let mut wanted: BTreeMap<Place, u16> = BTreeMap::new();
            for (order, _) in &orders {
                let (bit, layer) = (followed.bit_of(order.number()), order.goal().layer());
                for sector in world.inspect().loaded(order) {
                    *wanted.entry((layer, sector.x, sector.y)).or_default() |= bit;
                }
            }
            let known: BTreeMap<Place, u16> = followed
                .bits
                .iter()
                .map(|(&at, &bits)| (at, bits))
                .collect();
            assert_eq!(known, wanted, "step {step}");
            let gone: BTreeSet<Place> = followed.freed.keys().copied().collect();
            assert!(gone.iter().all(|at| !wanted.contains_key(at)));
            most = most.max(wanted.len());
            freed = freed.max(gone.len());
        }
        assert!(most > 30 && freed > 10, "{most} loaded, {freed} freed");
    }

    #[test]
    fn order_shows_on_its_own_layer_alone() {
        let mut world = FlowWorld::new(CostMap::open(400, 20).unwrap());
        let wide = Movement::new().with_size(2).unwrap();
        let wide = world.add_layer(wide).unwrap();
        let teams = [wide, wide.for_team(1).unwrap()];
        // Each order loads the sectors around one column of the map, and no two the same.
        let column = |number: usize| 15 * number as i32 + 5;
        let order = |(number, layer): (usize, LayerId)| {
            let (goal, from) = (
                Cell::new(column(number), 3),
                Cell::new(column(number) + 2, 3),
            );
            let order = world.order(Goal::at(goal).on(layer), &[from]);
            (order.unwrap(), goal)
        };
        let layers = (0..25).map(|number| match number {
            20.. => LayerId::GROUND,
            number => teams[number % 2],
        });
        let orders: Vec<(Order, Cell)> = layers.enumerate().map(order).collect();
        while world.tick(Budget::UNLIMITED).waiting > 0 {}
        let shown: Vec<ShownOrder<'_>> = orders
            .iter()
            .map(|(order, goal)| ShownOrder::new(order, *goal))
            .collect();
        let mut followed = LoadedSectors::default();
        followed.follow(&world, &shown);
        let shows = |wanted: LayerId| {
            let layers = followed.layers_on(|layer| layer == wanted);
            let columns =
                (0..25).filter(|&number| followed.bits(column(number) / 10, 0, &layers) != 0);
            columns.collect::<Vec<_>>()
        };
        assert_eq!(shows(LayerId::GROUND), [20, 21, 22, 23, 24]);
        let [even, odd] = [0, 1].map(|first| (first..20).step_by(2).collect::<Vec<_>>());
        assert_eq!(shows(teams[0]), even);
        assert_eq!(shows(teams[1]), odd);
        // Orders on the ground have bits of their own, though the other movement has none left.
        let bits: BTreeSet<u16> = orders[20..]
            .iter()
            .map(|(order, _)| followed.bit_of(order.number()))
            .collect();
        assert_eq!(bits, BTreeSet::from([1, 2, 4, 8, 16]));
    }
}
