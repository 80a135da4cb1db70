//! The time until five hundred simultaneous orders have directions.

use std::time::{Duration, Instant};

use flowtiles::{Budget, Cell, FlowWorld, Order, Sample};

use super::figures::{CrowdFigures, Figure};
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;
use crate::support::referee::Referee;
use crate::support::walk::{End, walk};

/// Orders given at once, and units of each.
const ORDERS: usize = 500;
const UNITS: usize = 4;
/// The work of a tick, in cells: what a game would give the engine in one
/// frame.
const BUDGET: Budget = Budget::cells(20_000);

/// Five hundred goals, each with units that start together; the same in every
/// round.
pub struct Crowd {
    asked: Vec<(Cell, Vec<Cell>)>,
    first: Times,
    all: Times,
    bytes: usize,
}

/// Whether a unit has a direction or has arrived.
const fn is_led(sample: Sample) -> bool {
    sample.direction().is_some() || matches!(sample, Sample::Arrived)
}

impl Crowd {
    /// Draws the orders, and walks the first unit of each to its goal.
    pub fn new(subject: &Subject, world: &mut FlowWorld) -> Result<Self, Failure> {
        let mut random = Random::new(81);
        let mut asked = Vec::new();
        while asked.len() < ORDERS {
            let (goal, camp) = (subject.draw(&mut random), subject.draw(&mut random));
            let mut near = || {
                let (dx, dy) = (random.between(-5, 6), random.between(-5, 6));
                Cell::new(camp.x + dx, camp.y + dy)
            };
            let units: Vec<Cell> = (0..UNITS - 1).map(|_| near()).collect();
            let joined = |cell: &Cell| world.reachable(*cell, goal);
            let units = units.into_iter().filter(joined).chain([camp]).collect();
            asked.push((goal, units));
        }
        let mut crowd = Self {
            asked,
            first: Times::default(),
            all: Times::default(),
            bytes: 0,
        };
        crowd.check(subject, world)?;
        Ok(crowd)
    }

    fn check(&mut self, subject: &Subject, world: &mut FlowWorld) -> Result<(), Failure> {
        let orders = self.order(world)?;
        while world.tick(Budget::UNLIMITED).waiting > 0 {}
        self.bytes = world.inspect().stats().order_bytes;
        let referee = Referee::new(subject.costs());
        for (order, (goal, units)) in orders.iter().zip(&self.asked) {
            let walked = walk(world, &referee, order, units[0]);
            let arrived = walked.end == End::Arrived && walked.cells.last() == Some(goal);
            let led = |&unit: &Cell| is_led(world.sample(order, unit));
            if !arrived || walked.corner_cuts > 0 || !units.iter().all(led) {
                let name = subject.name();
                return Err(Failure::Wrong(format!(
                    "{name}: one of {ORDERS} orders does not lead to {goal}"
                )));
            }
        }
        drop(orders);
        world.tick(Budget::cells(1));
        Ok(())
    }

    fn order(&self, world: &mut FlowWorld) -> Result<Vec<Order>, Failure> {
        let asked = self.asked.iter();
        let orders = asked.map(|(goal, units)| world.order(*goal, units));
        let orders: Result<Vec<_>, _> = orders.collect();
        orders.map_err(|error| Failure::Wrong(format!("joined cells, yet refused: {error}")))
    }

    /// One round: gives all orders, and ticks until none has work left. Only the
    /// engine is timed, not the reads between ticks.
    pub fn round(&mut self, world: &mut FlowWorld) -> Result<(), Failure> {
        self.first.begin_round();
        self.all.begin_round();
        let begin = Instant::now();
        let orders = self.order(world)?;
        let mut time = begin.elapsed();
        let mut first: Vec<Option<Duration>> = vec![None; orders.len()];
        loop {
            let begin = Instant::now();
            let progress = world.tick(BUDGET);
            time += begin.elapsed();
            for ((first, order), (_, units)) in first.iter_mut().zip(&orders).zip(&self.asked) {
                if first.is_none() && is_led(world.sample(order, units[0])) {
                    *first = Some(time);
                }
            }
            if progress.waiting == 0 {
                break;
            }
        }
        for first in first {
            self.first.note(first.unwrap_or(time));
        }
        self.all.note(time);
        drop(orders);
        world.tick(Budget::cells(1));
        Ok(())
    }

    pub fn figures(&self) -> CrowdFigures {
        CrowdFigures {
            first_ms: self.first.median(1e3),
            all_ms: self.all.median(1e3),
            bytes: Figure::counted(self.bytes as f64),
        }
    }
}
