//! The cost of an order, from the call to the first direction.

use std::hint::black_box;

use flowtiles::{Budget, Cell, FlowWorld, Goal, Order, OrderError, Quality, Sample};

use super::dijkstra::{NEVER, Plain};
use super::effort::Effort;
use super::figures::{Figure, To95};
use super::routes::make_cliques;
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;
use crate::support::referee::Referee;
use crate::support::walk::{End, walk};

/// Units of a march.
const UNITS: usize = 1000;

/// Orders, the same in every round: each alone on the map, and freed before the
/// next.
pub struct Orders {
    pairs: Vec<(Cell, Cell)>,
    marches: Vec<(Cell, Vec<Cell>)>,
    ratios: Vec<f64>,
    corridor: Times,
    exact: Times,
    thousand: Times,
}

/// Gives an order for one cell and works until it is done.
fn order(world: &mut FlowWorld, goal: Goal, units: &[Cell]) -> Result<Order, OrderError> {
    let order = world.order(goal, units)?;
    world.tick(Budget::UNLIMITED);
    Ok(order)
}

fn lost(error: OrderError) -> Failure {
    Failure::Wrong(format!(
        "an order between joined cells was refused: {error}"
    ))
}

/// Drops an order's last claim and frees its memory.
pub fn free(world: &mut FlowWorld, order: Order) {
    drop(order);
    world.tick(Budget::cells(1));
}

const fn exactly(goal: Cell) -> Goal {
    Goal::at(goal).with_quality(Quality::Exact)
}

impl Orders {
    /// Draws the orders, walks each path, and compares its price with the best on
    /// the whole map.
    pub fn new(
        subject: &Subject,
        world: &mut FlowWorld,
        plain: &mut Plain,
        effort: &Effort,
    ) -> Result<Self, Failure> {
        let mut random = Random::new(51);
        let referee = Referee::new(subject.costs());
        let (mut pairs, mut ratios) = (Vec::new(), Vec::new());
        for _ in 0..effort.goals {
            let goal = subject.draw(&mut random);
            plain.by_buckets(goal);
            for _ in 0..effort.starts {
                let start = subject.draw(&mut random);
                if start == goal {
                    continue;
                }
                let best = plain.value(start);
                let [corridor, exact] = [Goal::at(goal), exactly(goal)]
                    .map(|goal| price_walked(world, &referee, goal, start));
                let (corridor, exact) = (corridor?, exact?);
                if best == NEVER || exact != u64::from(best) || corridor < exact {
                    return Err(Failure::Wrong(format!(
                        "{}, {start} to {goal}: the best way costs {best}, the exact order's \
                         {exact}, the plain one's {corridor}",
                        subject.name()
                    )));
                }
                ratios.push(corridor as f64 / exact as f64);
                pairs.push((start, goal));
            }
        }
        let marches = (0..effort.marches)
            .map(|_| {
                let goal = subject.draw(&mut random);
                (
                    goal,
                    (0..UNITS).map(|_| subject.draw(&mut random)).collect(),
                )
            })
            .collect();
        let mut orders = Self {
            pairs,
            marches,
            ratios,
            corridor: Times::default(),
            exact: Times::default(),
            thousand: Times::default(),
        };
        orders.check_marches(world)?;
        Ok(orders)
    }

    /// Checks that every unit of every march has a direction.
    fn check_marches(&mut self, world: &mut FlowWorld) -> Result<(), Failure> {
        for (goal, units) in &self.marches {
            let order = order(world, (*goal).into(), units).map_err(lost)?;
            let led = |&unit: &Cell| match world.sample(&order, unit) {
                Sample::Go(_) | Sample::InSight(_) => true,
                Sample::Arrived => unit == *goal,
                _ => false,
            };
            if !units.iter().all(led) {
                return Err(Failure::Wrong(format!("a unit is not led to {goal}")));
            }
            free(world, order);
        }
        Ok(())
    }

    /// One round: each order in both qualities in turn, then the marches.
    pub fn round(&mut self, world: &mut FlowWorld) -> Result<(), Failure> {
        let all = [&mut self.corridor, &mut self.exact, &mut self.thousand];
        all.into_iter().for_each(Times::begin_round);
        make_cliques(world, self.pairs.iter().copied());
        for &(start, goal) in &self.pairs {
            let goals = [Goal::at(goal), exactly(goal)];
            for (goal, times) in goals.into_iter().zip([&mut self.corridor, &mut self.exact]) {
                let given = times.time(|| {
                    let given = order(world, black_box(goal), black_box(&[start]))?;
                    black_box(world.sample(&given, start));
                    Ok(given)
                });
                free(world, given.map_err(lost)?);
            }
        }
        let mut samples = Vec::with_capacity(UNITS);
        for (goal, units) in &self.marches {
            let given = self.thousand.time(|| {
                let given = order(world, black_box((*goal).into()), black_box(units))?;
                world.sample_many(&given, units, &mut samples);
                black_box(&samples);
                Ok(given)
            });
            free(world, given.map_err(lost)?);
        }
        Ok(())
    }

    /// Returns the figures of the plain orders, and of the exact ones.
    pub fn figures(&self) -> (To95, To95) {
        let to_95 = |times: &Times| To95 {
            median: times.median(1e6),
            p95: times.rank(95, 1e6),
        };
        (to_95(&self.corridor), to_95(&self.exact))
    }

    pub fn thousand(&self) -> Figure {
        self.thousand.median(1e3)
    }

    /// Returns how much dearer than the best a plain order's path is on average.
    pub fn ratio_mean(&self) -> f64 {
        self.ratios.iter().sum::<f64>() / self.ratios.len().max(1) as f64
    }

    pub fn ratio_worst(&self) -> f64 {
        self.ratios.iter().copied().fold(1.0, f64::max)
    }
}

/// Returns the price of the path along the directions of an order.
pub fn price_walked(
    world: &mut FlowWorld,
    referee: &Referee,
    goal: Goal,
    start: Cell,
) -> Result<u64, Failure> {
    let given = order(world, goal.clone(), &[start]).map_err(lost)?;
    let walked = walk(world, referee, &given, start);
    free(world, given);
    let arrived = walked.end == End::Arrived && walked.cells.last() == Some(&goal.cell());
    if arrived && walked.corner_cuts == 0 {
        Ok(walked.price)
    } else {
        let goal = goal.cell();
        Err(Failure::Wrong(format!(
            "the order from {start} to {goal} does not lead there"
        )))
    }
}
