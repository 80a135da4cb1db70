use std::collections::BTreeMap;
use std::thread;

use flowtiles::{Budget, Cell, Digest, FlowWorld, LoadError, Order, Sample};

use super::log::{Input, Parts};

/// How a battle is run: none of it may make a difference.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The most cells of one tick; a tick of more is cut up.
    pub slice: u64,
    /// Threads that read directions.
    pub threads: usize,
    /// How many times a save is loaded and saved again.
    pub saves: usize,
}

impl Manner {
    /// The plainest.
    pub const PLAIN: Self = Self {
        slice: u64::MAX,
        threads: 1,
        saves: 1,
    };
}

/// A world, and units that go where their orders lead them.
pub struct Battle {
    world: FlowWorld,
    armies: BTreeMap<u64, Army>,
}

/// An order and its units.
pub struct Army {
    order: Order,
    /// Where they are now.
    pub units: Vec<Cell>,
}

impl Battle {
    /// Begins with a world as it was saved. Orders that it has are over.
    ///
    /// # Errors
    /// If the bytes are no world.
    pub fn new(start: &[u8]) -> Result<Self, LoadError> {
        let (world, _) = FlowWorld::load(start)?;
        Ok(Self {
            world,
            armies: BTreeMap::new(),
        })
    }

    /// The world.
    pub const fn world(&self) -> &FlowWorld {
        &self.world
    }

    /// The armies, by the numbers of their orders.
    pub const fn armies(&self) -> &BTreeMap<u64, Army> {
        &self.armies
    }

    /// Tells it something.
    ///
    /// # Errors
    /// With what went otherwise than it did when the replay was made.
    pub fn tell(&mut self, input: &Input, manner: Manner) -> Result<(), String> {
        match input {
            Input::Edit(area, cost) => self.world.edit(*area, *cost).map(drop).map_err(told),
            Input::Stamp(template, at, turn) => {
                let stamped = self.world.stamp(template, *at, *turn);
                stamped.map(drop).map_err(told)
            }
            Input::Unstamp(number) => self.unstamp(*number),
            Input::Block(cell) => self.world.block(*cell).map(drop).map_err(told),
            Input::Unblock(cell) => self.world.unblock(*cell).map(drop).map_err(told),
            Input::Order(asked, units) => {
                let order = self.world.order(asked.goal(), units).map_err(told)?;
                let units = units.clone();
                match self.armies.get_mut(&order.number()) {
                    // A goal that an order has already is not given twice.
                    Some(army) => army.units.extend(units),
                    None => drop(self.armies.insert(order.number(), Army { order, units })),
                }
                Ok(())
            }
            Input::Drop(number) => {
                let army = self.armies.remove(number).map(drop);
                army.ok_or_else(|| format!("there is no order {number}"))
            }
            Input::Shove(number, unit, to) => {
                let army = self.armies.get_mut(number);
                let unit = army.and_then(|army| army.units.get_mut(*unit));
                *unit.ok_or_else(|| format!("order {number} has no such unit"))? = *to;
                Ok(())
            }
            Input::Tick(cells) => {
                self.tick(*cells, manner.slice);
                Ok(())
            }
            Input::Walk => self.walk(manner.threads),
            Input::Save => (0..manner.saves).try_for_each(|_| self.save()),
            Input::Check(expected) => {
                let parts = self.parts();
                if parts == *expected {
                    return Ok(());
                }
                Err(format!("{} differ", parts.differing(expected)))
            }
        }
    }

    fn unstamp(&mut self, number: u64) -> Result<(), String> {
        let id = self.world.stamps().find(|id| id.number() == number);
        let gone = id.and_then(|id| self.world.unstamp(id)).map(drop);
        gone.ok_or_else(|| format!("there is no stamp {number}"))
    }

    fn tick(&mut self, cells: u64, slice: u64) {
        let mut left = cells;
        while left > 0 {
            let part = left.min(slice);
            self.world.tick(Budget::cells(part));
            left -= part;
        }
    }

    fn finish(&mut self) {
        while self.world.tick(Budget::UNLIMITED).waiting > 0 {}
    }

    /// Saves and loads, and holds the loaded world to the one that was saved.
    fn save(&mut self) -> Result<(), String> {
        self.finish();
        let (before, bytes) = (self.parts(), self.world.save());
        let (world, _orders) = FlowWorld::load(&bytes).map_err(told)?;
        self.world = world;
        for (&number, army) in &mut self.armies {
            let order = self.world.order_with_number(number);
            army.order = order.ok_or_else(|| format!("order {number} was not saved"))?;
        }
        self.finish();
        let after = self.parts();
        if after != before {
            return Err(format!("{} differ after a load", after.differing(&before)));
        }
        if self.world.save() != bytes {
            return Err("the save of a load has other bytes".to_owned());
        }
        Ok(())
    }

    /// Every unit takes a step, or asks for a way.
    fn walk(&mut self, threads: usize) -> Result<(), String> {
        for (number, army) in &mut self.armies {
            let mut samples = Vec::new();
            self.world
                .sample_many(&army.order, &army.units, &mut samples);
            if samples != sample_abreast(&self.world, army, threads) {
                return Err(format!(
                    "{threads} threads read other directions of order {number} than one"
                ));
            }
            for (unit, sample) in army.units.iter_mut().zip(samples) {
                match sample {
                    Sample::Go(direction) | Sample::Toward(direction) => {
                        *unit = unit.step(direction);
                    }
                    Sample::OffRoute => self.world.cover(&army.order, *unit).map_err(told)?,
                    Sample::Arrived | Sample::Waiting | Sample::Unreachable => {}
                }
            }
        }
        Ok(())
    }

    /// The hashes now.
    pub fn parts(&self) -> Parts {
        let world = self.world.state_parts();
        let mut units = Digest::new();
        for (&number, army) in &self.armies {
            units.number(number);
            for unit in &army.units {
                units.number(u64::from(unit.x as u32) << 32 | u64::from(unit.y as u32));
            }
        }
        Parts {
            costs: world.costs,
            stamps: world.stamps,
            orders: world.orders,
            units: units.finish(),
        }
    }
}

/// An error's words.
fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Reads the directions of an army's units on so many threads.
fn sample_abreast(world: &FlowWorld, army: &Army, threads: usize) -> Vec<Sample> {
    let share = army.units.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let read = |units| {
            scope.spawn(move || {
                let mut samples = Vec::new();
                world.sample_many(&army.order, units, &mut samples);
                samples
            })
        };
        let readers: Vec<_> = army.units.chunks(share).map(read).collect();
        let parts = readers.into_iter().map(|reader| reader.join());
        // A reader that panicked leaves a gap, which is noticed.
        parts.flat_map(Result::unwrap_or_default).collect()
    })
}
