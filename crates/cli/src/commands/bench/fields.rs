//! The cost of the costs-to-go of a whole map.
//!
//! The engine is made to need less than the whole map, but can compute all of it.

use flowtiles::{Budget, Cell, FlowWorld, Goal, Quality};

use super::dijkstra::{NEVER, Plain};
use super::figures::Figure;
use super::orders::free;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;
use crate::support::referee::{self, Referee};

/// A goal.
pub struct Fields {
    goal: Cell,
    engine: Times,
    heap: Times,
    buckets: Times,
}

impl Fields {
    /// Draws the goal, and compares the engine and both baselines with the referee,
    /// cell by cell.
    pub fn new(
        subject: &Subject,
        world: &mut FlowWorld,
        plain: &mut Plain,
    ) -> Result<Self, Failure> {
        let fields = Self {
            goal: subject.draw(&mut Random::new(61)),
            engine: Times::default(),
            heap: Times::default(),
            buckets: Times::default(),
        };
        fields.check(subject, world, plain)?;
        Ok(fields)
    }

    fn check(
        &self,
        subject: &Subject,
        world: &mut FlowWorld,
        plain: &mut Plain,
    ) -> Result<(), Failure> {
        let costs_to_go = Referee::new(subject.costs()).costs_to_go(self.goal);
        // The referee's answers are stored row by row.
        let width = subject.costs().width() as usize;
        let hold = |who: &str, value: &dyn Fn(Cell) -> u64| {
            let cell = |at: usize| Cell::new((at % width) as i32, (at / width) as i32);
            let wrong = costs_to_go
                .iter()
                .enumerate()
                .find(|&(at, &right)| value(cell(at)) != right);
            wrong.map_or(Ok(()), |(at, &right)| {
                let (name, goal, cell) = (subject.name(), self.goal, cell(at));
                Err(Failure::Wrong(format!(
                    "{name}: from {cell} to {goal} it costs {right}, {who} says {}",
                    value(cell)
                )))
            })
        };
        let widened = |plain: &Plain, cell: Cell| match plain.value(cell) {
            NEVER => referee::NEVER,
            value => u64::from(value),
        };
        plain.by_heap(self.goal);
        hold("the heap", &|cell| widened(plain, cell))?;
        plain.by_buckets(self.goal);
        hold("the ring of buckets", &|cell| widened(plain, cell))?;
        let order = world
            .order(everywhere(self.goal), &[])
            .map_err(|error| Failure::Wrong(error.to_string()))?;
        world.tick(Budget::UNLIMITED);
        let held = hold("the engine", &|cell| {
            world.cost_to_go(&order, cell).unwrap_or(referee::NEVER)
        });
        free(world, order);
        held
    }

    /// One round: the three engines, one after the other.
    pub fn round(&mut self, world: &mut FlowWorld, plain: &mut Plain) -> Result<(), Failure> {
        let all = [&mut self.engine, &mut self.heap, &mut self.buckets];
        all.into_iter().for_each(Times::begin_round);
        let order = self.engine.time(|| {
            let order = world.order(everywhere(self.goal), &[]);
            world.tick(Budget::UNLIMITED);
            order
        });
        free(
            world,
            order.map_err(|error| Failure::Wrong(error.to_string()))?,
        );
        self.heap.time(|| plain.by_heap(self.goal));
        self.buckets.time(|| plain.by_buckets(self.goal));
        Ok(())
    }

    pub fn engine(&self) -> Figure {
        self.engine.median(1e3)
    }

    pub fn heap(&self) -> Figure {
        self.heap.median(1e3)
    }

    pub fn buckets(&self) -> Figure {
        self.buckets.median(1e3)
    }
}

fn everywhere(goal: Cell) -> Goal {
    Goal::at(goal).with_quality(Quality::Everywhere)
}
