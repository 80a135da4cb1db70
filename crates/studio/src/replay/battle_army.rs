//! The armies of a battle: units that step from cell to cell.

use std::thread;

use flowtiles::{Cell, FlowWorld, Order, Sample};

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
    pub leg: usize,
}

impl BattleArmy {
    /// The order that a unit follows.
    pub fn order(&self, unit: &BattleUnit) -> &Order {
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
    pub fn claim_again(&mut self, world: &FlowWorld) -> Option<()> {
        for order in &mut self.orders {
            *order = world.order_with_number(order.number())?;
        }
        Some(())
    }
}

/// Reads the directions of an army's units on `threads` threads, each with the
/// unit's next leg.
pub fn sample_all(world: &FlowWorld, army: &BattleArmy, threads: usize) -> Vec<(Sample, usize)> {
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
