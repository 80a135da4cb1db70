//! Runs the inputs of a replay on a world with units.

use std::collections::BTreeMap;

use flowtiles::inspect::Digest;
use flowtiles::steer::UnitState;
use flowtiles::{Budget, Cell, FlowWorld, Goal, Order, Sample, StampTemplate, Turn};

use super::battle_army::{BattleArmy, BattleUnit, sample_all};
use super::battle_groups::{BattleGroups, Continued};
use super::fault::{Fault, differs, refused};
use super::hashes::Hashes;
use super::input::Input;
use crate::begin::load;
use crate::start::Start;

/// How a battle is run. The results must not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The most cells of one tick; a larger tick is split.
    pub slice: u64,
    /// Threads that tick and read directions.
    pub threads: usize,
    /// How many times a save is loaded and saved again; with 0 the world
    /// continues. With 2 or more the groups go on as they were, bound to the loaded
    /// world.
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

/// A world, and units that go where their orders lead them.
pub struct Battle {
    world: FlowWorld,
    armies: BTreeMap<u32, BattleArmy>,
    /// The number of the next army.
    next: u32,
    groups: BattleGroups,
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

impl Battle {
    /// Begins with a saved world, without the orders of the save.
    ///
    /// # Errors
    /// In words, if the start is no such world.
    pub fn begin(start: &Start) -> Result<Self, String> {
        let Start::World(_, bytes) = start else {
            return Err("line 2: a battle starts with a saved world: record it again".to_owned());
        };
        let (world, _) = load("line 2", bytes)?;
        Ok(Self {
            world,
            armies: BTreeMap::new(),
            next: 0,
            groups: BattleGroups::default(),
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

    /// The groups of steered units.
    pub const fn groups(&self) -> &BattleGroups {
        &self.groups
    }

    /// Returns the work of its ticks.
    pub const fn worked(&self) -> Worked {
        self.worked
    }

    /// Returns the number of units that have arrived.
    pub fn arrived(&self) -> usize {
        let armies = self.armies.values();
        let samples = armies.flat_map(|army| sample_all(&self.world, army, 1));
        let arrived = samples.filter(|(sample, _)| *sample == Sample::Arrived);
        let steered = self.groups.army().units().iter();
        let settled = steered.filter(|unit| unit.state == UnitState::Arrived);
        arrived.count() + settled.count()
    }

    /// The world, the armies by number, and the groups.
    pub fn into_parts(self) -> (FlowWorld, BTreeMap<u32, BattleArmy>, BattleGroups) {
        (self.world, self.armies, self.groups)
    }

    /// Runs an input.
    ///
    /// # Errors
    /// If the input cannot be carried out, or if a result differs.
    pub fn tell(&mut self, input: &Input, manner: Manner) -> Result<(), Fault> {
        match input {
            Input::Edit { area, cost } => self.world.edit(*area, *cost).map(drop).map_err(refused),
            Input::Stamp {
                at,
                turns,
                width,
                height,
                costs,
            } => {
                let template = StampTemplate::new(*width, *height, costs).map_err(refused)?;
                let turn = Turn::ALL.get(usize::from(*turns));
                let turn = turn.ok_or_else(|| refused("a stamp has 0 to 3 quarter turns"))?;
                let stamped = self.world.stamp(&template, *at, *turn);
                stamped.map(drop).map_err(refused)
            }
            Input::Unstamp(number) => self.unstamp(*number),
            Input::Block(cell) => self.world.block(*cell).map(drop).map_err(refused),
            Input::Unblock(cell) => self.world.unblock(*cell).map(drop).map_err(refused),
            Input::Order { goal, units } => {
                let order = self.world.order(goal.clone(), units).map_err(refused)?;
                self.muster(vec![order], units);
                Ok(())
            }
            Input::Tour { goals, units } => self.tour(goals, units),
            Input::Aim { army, .. } | Input::Pursue { army, .. } | Input::Cover { army, .. } => {
                self.direct(*army, input)
            }
            Input::Drop(number) => {
                let army = self.armies.remove(number).map(drop);
                army.ok_or_else(|| no_army(*number))
            }
            Input::Shove { army, unit, to } => {
                let off_map = || refused(format_args!("{to} is off the map"));
                self.world.costs().get(*to).ok_or_else(off_map)?;
                let units = self.armies.get_mut(army).map(|army| &mut army.units);
                let unit = units.and_then(|units| units.get_mut(*unit));
                unit.ok_or_else(|| no_army(*army))?.cell = *to;
                Ok(())
            }
            Input::Tick(cells) => {
                self.tick(*cells, manner.slice);
                Ok(())
            }
            Input::Walk => self.walk(manner.threads),
            Input::Groups(input) => self.groups.tell(&mut self.world, input),
            Input::Save if manner.saves == 0 => {
                self.finish();
                Ok(())
            }
            Input::Save => {
                let continued = match manner.saves {
                    1 => Continued::Loaded,
                    _ => Continued::Bound,
                };
                (0..manner.saves).try_for_each(|_| self.save(continued))
            }
            // The caller compares the hashes. The others are those of a session.
            Input::Check(_) | Input::Page(_) | Input::Ticks(_) => Ok(()),
        }
    }

    /// Orders a leg to each goal, from the goal before it.
    fn tour(&mut self, goals: &[Goal], units: &[Cell]) -> Result<(), Fault> {
        if goals.is_empty() {
            return Err(refused("a tour has no goal: give at least one"));
        }
        let mut from = units.to_vec();
        let mut legs = Vec::new();
        for goal in goals {
            let mut ends: Vec<Cell> = goal.cells().collect();
            ends.retain(|&cell| is_open(&self.world, cell));
            legs.push(self.world.order(goal.clone(), &from).map_err(refused)?);
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
    fn direct(&mut self, number: u32, input: &Input) -> Result<(), Fault> {
        let army = self.armies.get_mut(&number);
        let army = army.ok_or_else(|| no_army(number))?;
        let Some(unit) = army.units.first() else {
            return Ok(());
        };
        if let Input::Cover { cell, .. } = input {
            return self.world.cover(army.order(unit), *cell).map_err(refused);
        }
        let cells = army.cells();
        let [order] = &mut army.orders[..] else {
            let fault = format!("army {number} is on a tour, which cannot be aimed");
            return Err(Fault::Refused(fault));
        };
        let aimed = match input {
            Input::Aim { goal, .. } => self.world.aim(order, goal.clone(), &cells),
            Input::Pursue { to, .. } => self.world.aim_at_moving(order, *to, &cells).map(drop),
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

    /// Saves and loads, and compares what was loaded with what was saved.
    fn save(&mut self, continued: Continued) -> Result<(), Fault> {
        self.finish();
        let (before, bytes) = (self.hashes(), self.world.save());
        let (world, _orders) = FlowWorld::load(&bytes).map_err(differs)?;
        self.world = world;
        for (&number, army) in &mut self.armies {
            let claimed = army.claim_again(&self.world);
            claimed
                .ok_or_else(|| differs(format_args!("an order of army {number} was not saved")))?;
        }
        self.groups.save(&self.world, continued)?;
        let after = self.hashes();
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
            for (place, (sample, leg)) in samples.into_iter().enumerate() {
                army.units[place].leg = leg;
                let unit = army.units[place];
                match sample {
                    Sample::Go(direction) => {
                        army.units[place].cell = unit.cell.step(direction);
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
    pub fn hashes(&self) -> Hashes {
        let world = self.world.inspect().state_parts();
        let mut units = Digest::new();
        for (&number, army) in &self.armies {
            units.number(u64::from(number));
            for BattleUnit { cell, leg } in &army.units {
                units.number(u64::from(cell.x as u32) << 32 | u64::from(cell.y as u32));
                units.number(*leg as u64);
            }
        }
        Hashes {
            costs: world.costs,
            stamps: world.stamps,
            orders: world.orders,
            units: units.finish(),
            groups: self.groups.army().state_hash(),
        }
    }
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
