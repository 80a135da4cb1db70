//! flowtiles itself.

use std::time::{Duration, Instant};

use flowtiles::{Budget, Cell, Cost, FlowWorld, MapTransform, Order, Sample};
use flowtiles_peers::clock;

use crate::engine::{Engine, Served, Spot, spots};
use crate::ground::Ground;

/// The rounds over the sectors of an order when they are rebuilt.
const ROUNDS: usize = 20;

/// flowtiles with its default settings.
pub struct Flowtiles {
    world: FlowWorld,
    transform: MapTransform,
}

impl Flowtiles {
    fn leads(&self, order: &Order, unit: Cell) -> bool {
        matches!(
            self.world.sample(order, unit),
            Sample::Go(_) | Sample::Arrived
        )
    }
}

impl Engine for Flowtiles {
    type Order = Order;
    type Probe = Spot;

    fn build(ground: &Ground) -> Result<(Self, Duration), String> {
        let map = ground.cost_map()?;
        let (world, time) = clock::on_thread(|| FlowWorld::new(map));
        let transform = MapTransform::default();
        Ok((Self { world, transform }, time))
    }

    fn tidy(&mut self) {
        self.world.tick(Budget::cells(1));
    }

    fn order(&mut self, from: Cell, to: Cell) -> Option<Order> {
        let order = self.world.order(to, &[from]).ok()?;
        self.world.tick(Budget::UNLIMITED);
        self.leads(&order, from).then_some(order)
    }

    fn walk(&self, order: &Order, from: Cell, to: Cell) -> Result<Vec<Cell>, String> {
        let mut way = vec![from];
        let mut unit = from;
        while let Some(direction) = self.world.sample(order, unit).direction() {
            unit = unit.step(direction);
            way.push(unit);
        }
        match self.world.sample(order, unit) {
            Sample::Arrived if unit == to => Ok(way),
            sample => Err(format!("ended with: {sample}")),
        }
    }

    fn edit(&mut self, cell: Cell, cost: u8) {
        let cost = Cost::new(cost).expect("the ground has no cost of 0");
        self.world.edit(cell, cost).expect("the cell is on the map");
    }

    fn group(&mut self, goal: Cell, units: &[Cell], _until: Instant) -> Served {
        let tried = units.len();
        let Ok(order) = self.world.order(goal, units) else {
            return Served { tried, answered: 0 };
        };
        self.world.tick(Budget::UNLIMITED);
        let led = units.iter().filter(|unit| self.leads(&order, **unit));
        let answered = led.count();
        Served { tried, answered }
    }

    fn rebuild(&mut self, order: &Order) -> Option<(usize, Duration)> {
        let sectors = self.world.inspect().loaded(order);
        let mut integration = self.world.inspect().integration(order);
        let (rebuilt, time) = clock::on_thread(|| {
            let all = (0..ROUNDS).flat_map(|_| &sectors);
            all.filter(|sector| integration.rebuild(**sector)).count()
        });
        Some((rebuilt, time))
    }

    fn probes(&self, _order: &Order, way: &[Cell]) -> Vec<Spot> {
        spots(way)
    }

    fn look_up(&self, order: &Order, probe: &Spot) -> u32 {
        match self.world.sample(order, probe.cell) {
            Sample::Go(direction) => direction as u32,
            _ => 9,
        }
    }

    fn look_up_position(&self, order: &Order, probe: &Spot) -> u32 {
        let cell = self.transform.cell_at(probe.position);
        match self.world.sample(order, cell) {
            Sample::Go(direction) => direction as u32,
            _ => 9,
        }
    }
}
