//! The cost of cold orders on a map with many teleporters, beside the same orders without.

use std::hint::black_box;

use flowtiles::{Budget, Cell, FlowWorld, Link, Order, OrderError, Sample};

use super::effort::Effort;
use super::figures::LinkFigures;
use super::orders::free;
use super::routes::make_cliques;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;

/// The number of teleporters, each from one cell to one other, drawn all over the map.
const LINKS: usize = 200;
/// The price of going through one: that of ten straight steps.
const PRICE: u32 = 50;

/// A world with links, and orders to give there and in the world without.
pub struct Links {
    linked: FlowWorld,
    pairs: Vec<(Cell, Cell)>,
    with: Times,
    without: Times,
}

/// Gives an order and works until it is done.
fn order(world: &mut FlowWorld, (start, goal): (Cell, Cell)) -> Result<Order, OrderError> {
    let order = world.order(black_box(goal), black_box(&[start]))?;
    world.tick(Budget::UNLIMITED);
    black_box(world.sample(&order, start));
    Ok(order)
}

fn refused(error: impl std::error::Error) -> Failure {
    Failure::Wrong(format!("links on a map: {error}"))
}

impl Links {
    /// Draws links and orders, and checks that each order leads to its goal.
    pub fn new(subject: &Subject, effort: &Effort) -> Result<Self, Failure> {
        let mut linked = FlowWorld::new(subject.costs().clone());
        let mut random = Random::new(53);
        let mut draw = || loop {
            let (from, to) = (subject.draw(&mut random), subject.draw(&mut random));
            if from != to {
                break (from, to);
            }
        };
        for _ in 0..LINKS {
            let (from, to) = draw();
            let link = Link::new(from, to).with_price(PRICE);
            linked.add_link(link).map_err(refused)?;
        }
        let pairs = (0..effort.goals).map(|_| draw()).collect();
        let mut links = Self {
            linked,
            pairs,
            with: Times::default(),
            without: Times::default(),
        };
        links.check(subject)?;
        Ok(links)
    }

    fn check(&mut self, subject: &Subject) -> Result<(), Failure> {
        let area = f64::from(subject.costs().width()) * f64::from(subject.costs().height());
        for &(start, goal) in &self.pairs {
            let order = order(&mut self.linked, (start, goal)).map_err(refused)?;
            let mut unit = start;
            let mut steps = 0.0;
            while unit != goal && steps <= area {
                unit = match self.linked.sample(&order, unit) {
                    Sample::Link(link) => {
                        let end = self.linked.link(link).and_then(|link| link.end_of(unit));
                        end.unwrap_or(unit)
                    }
                    sample => match sample.direction() {
                        Some(direction) => unit.step(direction),
                        None => break,
                    },
                };
                steps += 1.0;
            }
            if unit != goal {
                return Err(Failure::Wrong(format!(
                    "{}: with links, the order from {start} to {goal} ends at {unit}",
                    subject.name()
                )));
            }
            free(&mut self.linked, order);
        }
        Ok(())
    }

    /// One round: each order with links, and in `plain`, the same map without.
    pub fn round(&mut self, plain: &mut FlowWorld) -> Result<(), Failure> {
        let worlds = [
            (&mut self.linked, &mut self.with),
            (plain, &mut self.without),
        ];
        for (world, times) in worlds {
            times.begin_round();
            make_cliques(world, self.pairs.iter().copied());
            for &pair in &self.pairs {
                let given = times.time(|| order(world, pair)).map_err(refused)?;
                free(world, given);
            }
        }
        Ok(())
    }

    pub fn figures(&self) -> LinkFigures {
        LinkFigures {
            order_us: self.with.median(1e6),
            without_us: self.without.median(1e6),
        }
    }
}
