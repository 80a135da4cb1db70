//! Runs the inputs of a replay on a world with units.

use std::collections::BTreeMap;
use std::{fmt, thread};

use flowtiles::{Budget, Cell, Digest, FlowWorld, Goal, LoadError, Order, Sample};

use super::goal_text::GoalText;
use super::log::{Input, Parts};

/// How a battle is run. The results must not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The most cells of one tick; a larger tick is split.
    pub slice: u64,
    /// Threads that tick and read directions.
    pub threads: usize,
    /// How many times a save is loaded and saved again; with 0 the world
    /// continues.
    pub saves: usize,
}

impl Manner {
    /// The simplest manner.
    pub const PLAIN: Self = Self {
        slice: u64::MAX,
        threads: 1,
        saves: 1,
    };
}

/// Why a battle cannot continue.
#[derive(Debug)]
pub enum Fault {
    /// An input cannot be carried out.
    Refused(String),
    /// A result differs from the expected one.
    Differs(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(fault) | Self::Differs(fault) => f.write_str(fault),
        }
    }
}

/// A world, and units that go where their orders lead them.
pub struct Battle {
    world: FlowWorld,
    armies: BTreeMap<u32, BattleArmy>,
    /// The number of the next army.
    next: u32,
    /// The work of its ticks.
    worked: Worked,
}

/// The work of ticks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Worked {
    /// Cells of work of all ticks.
    pub cells: u64,
    /// Orders that waited after the last tick.
    pub waiting: usize,
}

/// Units with an order, or with a tour: an order for each of several goals.
pub struct BattleArmy {
    /// At least one: those of a tour leg by leg.
    pub orders: Vec<Order>,
    pub units: Vec<BattleUnit>,
}

/// A unit of an army.
#[derive(Clone, Copy, Debug)]
pub struct BattleUnit {
    /// Where it is now.
    pub cell: Cell,
    /// Its leg of a tour.
    leg: usize,
}

impl BattleArmy {
    /// The order that a unit follows.
    fn order(&self, unit: &BattleUnit) -> &Order {
        &self.orders[unit.leg]
    }

    /// Returns what a unit reads, and its leg. A unit that has arrived goes on to the
    /// next leg.
    fn sample(&self, world: &FlowWorld, unit: &BattleUnit) -> (Sample, usize) {
        let legs = self.orders.iter().enumerate().skip(unit.leg);
        let samples = legs.map(|(leg, order)| (world.sample(order, unit.cell), leg));
        let last = self.orders.len() - 1;
        let mut samples =
            samples.skip_while(|&(sample, leg)| sample == Sample::Arrived && leg < last);
        samples.next().unwrap_or((Sample::Arrived, last))
    }

    /// Returns the cells of the units that follow one of its orders.
    pub fn followers(&self, order: &Order) -> Vec<Cell> {
        let units = self.units.iter();
        units
            .filter(|unit| self.order(unit) == order)
            .map(|unit| unit.cell)
            .collect()
    }

    /// Returns the cells of its units.
    pub fn cells(&self) -> Vec<Cell> {
        self.units.iter().map(|unit| unit.cell).collect()
    }

    /// Whether it has one goal and no tour.
    pub const fn has_one_goal(&self) -> bool {
        self.orders.len() == 1
    }

    /// Replaces its claims by those of a loaded world.
    fn claim_again(&mut self, world: &FlowWorld) -> Option<()> {
        for order in &mut self.orders {
            *order = world.order_with_number(order.number())?;
        }
        Some(())
    }
}

impl Battle {
    /// Begins with a saved world, without the orders of the save.
    ///
    /// # Errors
    /// If the bytes are no world.
    pub fn new(start: &[u8]) -> Result<Self, LoadError> {
        let (world, _) = FlowWorld::load(start)?;
        Ok(Self {
            world,
            armies: BTreeMap::new(),
            next: 0,
            worked: Worked::default(),
        })
    }

    /// The world.
    pub const fn world(&self) -> &FlowWorld {
        &self.world
    }

    /// The armies, by number.
    pub const fn armies(&self) -> &BTreeMap<u32, BattleArmy> {
        &self.armies
    }

    /// Returns the work of its ticks.
    pub const fn worked(&self) -> Worked {
        self.worked
    }

    /// Returns the number of units that have arrived.
    pub fn arrived(&self) -> usize {
        let armies = self.armies.values();
        let samples = armies.flat_map(|army| sample_all(&self.world, army, 1));
        samples
            .filter(|(sample, _)| *sample == Sample::Arrived)
            .count()
    }

    /// The world, and the armies by number.
    pub fn into_parts(self) -> (FlowWorld, BTreeMap<u32, BattleArmy>) {
        (self.world, self.armies)
    }

    /// Runs an input.
    ///
    /// # Errors
    /// If the input cannot be carried out, or if a result differs.
    pub fn tell(&mut self, input: &Input, manner: Manner) -> Result<(), Fault> {
        match input {
            Input::Edit(area, cost) => self.world.edit(*area, *cost).map(drop).map_err(refused),
            Input::Stamp(template, at, turn) => {
                let stamped = self.world.stamp(template, *at, *turn);
                stamped.map(drop).map_err(refused)
            }
            Input::Unstamp(number) => self.unstamp(*number),
            Input::Block(cell) => self.world.block(*cell).map(drop).map_err(refused),
            Input::Unblock(cell) => self.world.unblock(*cell).map(drop).map_err(refused),
            Input::Order(asked, units) => {
                let order = self.world.order(goal_of(asked)?, units).map_err(refused)?;
                self.muster(vec![order], units);
                Ok(())
            }
            Input::Tour(goals, units) => self.tour(goals, units),
            Input::Aim(..) | Input::Pursue(..) | Input::Cover(..) => self.direct(input),
            Input::Drop(number) => {
                let army = self.armies.remove(number).map(drop);
                army.ok_or_else(|| no_army(*number))
            }
            Input::Shove(number, unit, to) => {
                let off_map = || refused(format_args!("{to} is off the map"));
                self.world.costs().get(*to).ok_or_else(off_map)?;
                let army = self.armies.get_mut(number);
                let unit = army.and_then(|army| army.units.get_mut(*unit));
                unit.ok_or_else(|| no_army(*number))?.cell = *to;
                Ok(())
            }
            Input::Tick(cells) => {
                self.tick(*cells, manner.slice);
                Ok(())
            }
            Input::Walk => self.walk(manner.threads),
            Input::Save if manner.saves == 0 => {
                self.finish();
                Ok(())
            }
            Input::Save => (0..manner.saves).try_for_each(|_| self.save()),
            // The caller compares the hashes.
            Input::Check(_) => Ok(()),
        }
    }

    /// Orders a leg to each goal, from the goal before it.
    fn tour(&mut self, goals: &[GoalText], units: &[Cell]) -> Result<(), Fault> {
        let mut from = units.to_vec();
        let mut legs = Vec::new();
        for asked in goals {
            let goal = goal_of(asked)?;
            let mut ends: Vec<Cell> = goal.cells().collect();
            ends.retain(|&cell| is_open(&self.world, cell));
            legs.push(self.world.order(goal, &from).map_err(refused)?);
            from = ends;
        }
        self.muster(legs, units);
        Ok(())
    }

    fn muster(&mut self, orders: Vec<Order>, units: &[Cell]) {
        let unit = |&cell: &Cell| BattleUnit { cell, leg: 0 };
        let units = units.iter().map(unit).collect();
        self.armies.insert(self.next, BattleArmy { orders, units });
        self.next += 1;
    }

    /// Runs an input for an existing order.
    fn direct(&mut self, input: &Input) -> Result<(), Fault> {
        let (Input::Aim(number, _) | Input::Pursue(number, _) | Input::Cover(number, _)) = input
        else {
            return Ok(());
        };
        let army = self
            .armies
            .get_mut(number)
            .ok_or_else(|| no_army(*number))?;
        let Some(unit) = army.units.first() else {
            return Ok(());
        };
        if let Input::Cover(_, cell) = input {
            return self.world.cover(army.order(unit), *cell).map_err(refused);
        }
        let cells = army.cells();
        let [order] = &mut army.orders[..] else {
            let fault = format!("army {number} is on a tour, which cannot be aimed");
            return Err(Fault::Refused(fault));
        };
        let aimed = match input {
            Input::Aim(_, asked) => self.world.aim(order, goal_of(asked)?, &cells),
            Input::Pursue(_, target) => self.world.pursue(order, *target, &cells).map(drop),
            _ => Ok(()),
        };
        aimed.map_err(refused)
    }

    fn unstamp(&mut self, number: u64) -> Result<(), Fault> {
        let id = self
            .world
            .inspect()
            .stamps()
            .find(|id| id.number() == number);
        let gone = id.and_then(|id| self.world.unstamp(id)).map(drop);
        gone.ok_or_else(|| Fault::Refused(format!("there is no stamp {number}")))
    }

    fn tick(&mut self, cells: u64, slice: u64) {
        let mut left = cells;
        while left > 0 {
            let part = left.min(slice);
            let progress = self.world.tick(Budget::cells(part));
            let waiting = progress.waiting;
            self.worked.cells += progress.cells;
            self.worked.waiting = waiting;
            // Without work left, the rest of the budget has no effect.
            left = if waiting > 0 { left - part } else { 0 };
        }
    }

    fn finish(&mut self) {
        while self.world.tick(Budget::UNLIMITED).waiting > 0 {}
    }

    /// Saves and loads, and compares the loaded world with the one that was saved.
    fn save(&mut self) -> Result<(), Fault> {
        self.finish();
        let (before, bytes) = (self.parts(), self.world.save());
        let (world, _orders) = FlowWorld::load(&bytes).map_err(differs)?;
        self.world = world;
        for (&number, army) in &mut self.armies {
            let claimed = army.claim_again(&self.world);
            claimed
                .ok_or_else(|| differs(format_args!("an order of army {number} was not saved")))?;
        }
        let after = self.parts();
        if after != before {
            let parts = after.differing(&before);
            return Err(differs(format_args!("{parts} differ after a load")));
        }
        if self.world.save() != bytes {
            return Err(differs("the save of a load has other bytes"));
        }
        Ok(())
    }

    /// Every unit takes a step, or asks to be covered.
    fn walk(&mut self, threads: usize) -> Result<(), Fault> {
        for (number, army) in &mut self.armies {
            let samples = sample_all(&self.world, army, 1);
            if threads > 1 && samples != sample_all(&self.world, army, threads) {
                return Err(differs(format_args!(
                    "{threads} threads read other directions of army {number} than one"
                )));
            }
            for (at, (sample, leg)) in samples.into_iter().enumerate() {
                army.units[at].leg = leg;
                let unit = army.units[at];
                match sample {
                    Sample::Go(direction)
                    | Sample::InSight(direction)
                    | Sample::Toward(direction) => {
                        army.units[at].cell = unit.cell.step(direction);
                    }
                    Sample::OffRoute => {
                        let order = army.order(&unit);
                        self.world.cover(order, unit.cell).map_err(refused)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Returns the present hashes.
    pub fn parts(&self) -> Parts {
        let world = self.world.inspect().state_parts();
        let mut units = Digest::new();
        for (&number, army) in &self.armies {
            units.number(u64::from(number));
            for BattleUnit { cell, leg } in &army.units {
                units.number(u64::from(cell.x as u32) << 32 | u64::from(cell.y as u32));
                units.number(*leg as u64);
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

fn refused(error: impl fmt::Display) -> Fault {
    Fault::Refused(error.to_string())
}

fn differs(error: impl fmt::Display) -> Fault {
    Fault::Differs(error.to_string())
}

fn no_army(number: u32) -> Fault {
    refused(format_args!(
        "there is no army {number}, or it has no such unit"
    ))
}

fn is_open(world: &FlowWorld, cell: Cell) -> bool {
    let cost = world.costs().get(cell);
    cost.is_some_and(|cost| !cost.is_wall())
}

fn goal_of(asked: &GoalText) -> Result<Goal, Fault> {
    asked.goal().map_err(refused)
}

/// Reads the directions of an army's units on `threads` threads, each with the
/// unit's next leg.
fn sample_all(world: &FlowWorld, army: &BattleArmy, threads: usize) -> Vec<(Sample, usize)> {
    let share = army.units.len().div_ceil(threads).max(1);
    let read = |units: &[BattleUnit]| {
        let samples = units.iter().map(|unit| army.sample(world, unit));
        samples.collect::<Vec<_>>()
    };
    if threads == 1 {
        return read(&army.units);
    }
    let read = &read;
    thread::scope(|scope| {
        let parts = army.units.chunks(share);
        let readers: Vec<_> = parts.map(|part| scope.spawn(move || read(part))).collect();
        let parts = readers.into_iter().map(|reader| reader.join());
        // A reader that panicked leaves a gap, which is noticed.
        parts.flat_map(Result::unwrap_or_default).collect()
    })
}
