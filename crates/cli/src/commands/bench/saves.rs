//! The speed of saving and loading a world.
//!
//! Rates count the costs, a byte a cell, and not the bytes of the save, so that
//! a map that packs well does not seem slow. A load rebuilds the graph and the
//! islands.

use std::hint::black_box;

use flowtiles::{Budget, Cell, FlowWorld, Goal, Order};

use super::figures::Figure;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;

/// The number of orders in the save.
const ORDERS: usize = 50;

/// The saved world, with finished orders.
pub struct Saves {
    pairs: Vec<(Cell, Cell)>,
    cells: f64,
    save: Times,
    load: Times,
}

impl Saves {
    /// Draws the orders, and compares a loaded world with the one that was saved.
    pub fn new(subject: &Subject, world: &mut FlowWorld) -> Result<Self, Failure> {
        let mut random = Random::new(91);
        let pairs = (0..ORDERS).map(|_| (subject.draw(&mut random), subject.draw(&mut random)));
        let saves = Self {
            pairs: pairs.collect(),
            cells: f64::from(subject.costs().width()) * f64::from(subject.costs().height()),
            save: Times::default(),
            load: Times::default(),
        };
        let orders = saves.order(world)?;
        let loaded = FlowWorld::load(&world.save());
        let (mut loaded, claims) = loaded.map_err(|error| Failure::Wrong(error.to_string()))?;
        while loaded.tick(Budget::UNLIMITED).waiting > 0 {}
        let same = loaded.state_hash() == world.state_hash()
            && loaded.inspect().portal_graph() == world.inspect().portal_graph()
            // Equal goals share an order.
            && claims.len() == world.inspect().stats().orders;
        drop(orders);
        world.tick(Budget::cells(1));
        if same {
            return Ok(saves);
        }
        let name = subject.name();
        Err(Failure::Wrong(format!(
            "{name}: a loaded world differs from the saved one"
        )))
    }

    fn order(&self, world: &mut FlowWorld) -> Result<Vec<Order>, Failure> {
        let order = |&(start, goal): &(Cell, Cell)| world.order(Goal::at(goal), &[start]);
        let orders = self.pairs.iter().map(order).collect::<Result<Vec<_>, _>>();
        while world.tick(Budget::UNLIMITED).waiting > 0 {}
        orders.map_err(|error| Failure::Wrong(format!("joined cells, yet refused: {error}")))
    }

    /// One round: a save and its load.
    pub fn round(&mut self, world: &mut FlowWorld) -> Result<(), Failure> {
        self.save.begin_round();
        self.load.begin_round();
        let orders = self.order(world)?;
        for _ in 0..2 {
            let bytes = self.save.time(|| world.save());
            let loaded = self.load.time(|| FlowWorld::load(black_box(&bytes)));
            loaded.map_err(|error| Failure::Wrong(error.to_string()))?;
        }
        drop(orders);
        world.tick(Budget::cells(1));
        Ok(())
    }

    /// Returns the megabytes of costs saved and loaded in a second.
    pub fn figures(&self) -> (Figure, Figure) {
        let rate = |times: &Times| {
            let seconds = times.median(1e6);
            // Cells a microsecond are million cells a second.
            Figure::new(self.cells / seconds.value(), seconds.spread())
        };
        (rate(&self.save), rate(&self.load))
    }
}
