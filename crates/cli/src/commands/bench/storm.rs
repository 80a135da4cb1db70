//! The cost of a tick under a storm of edits, with living orders.

use flowtiles::{Budget, Cell, CellRect, Cost, FlowWorld, Goal, Order, PortalGraph, Sample};

use super::effort::Effort;
use super::figures::{Figure, StormFigures};
use super::subject::Subject;
use super::times::Times;
use crate::support::failure::Failure;
use crate::support::random::Random;
use crate::support::referee::Referee;
use crate::support::walk::{End, walk};

/// One-cell edits a tick, and orders that live meanwhile.
const EDITS: usize = 1000;
const ORDERS: usize = 200;
/// The work of a tick on the orders, in cells: what a game would give the engine
/// in one frame.
const BUDGET: Budget = Budget::cells(20_000);

/// The orders, and what each tick changes; the same in every round.
pub struct Storm {
    pairs: Vec<(Cell, Cell)>,
    /// Cells with their new costs, a list for each tick. Every second tick undoes
    /// the one before.
    ticks: Vec<Vec<(CellRect, Cost)>>,
    tick: Times,
    /// Work of each tick of the last round, in cells.
    cells: Vec<u64>,
    anew: Times,
}

const fn toggled(cost: Cost) -> Cost {
    if cost.is_wall() {
        Cost::OPEN
    } else {
        Cost::WALL
    }
}

impl Storm {
    /// Draws orders and edits, and compares the world after a storm with one built
    /// from its costs.
    pub fn new(subject: &Subject, effort: &Effort) -> Result<Self, Failure> {
        let mut random = Random::new(71);
        let costs = subject.costs();
        let mut cell = || {
            let x = random.below(costs.width() as i32);
            Cell::new(x, random.below(costs.height() as i32))
        };
        let mut ticks = Vec::new();
        for _ in 0..effort.storm_ticks.div_ceil(2) {
            let cells = (0..EDITS).map(|_| cell());
            let [mut there, mut back] = [Vec::new(), Vec::new()];
            for cell in cells {
                let cost = costs.get(cell).unwrap_or(Cost::WALL);
                there.push((cell.into(), toggled(cost)));
                back.push((cell.into(), cost));
            }
            ticks.extend([there, back]);
        }
        let pairs = (0..ORDERS).map(|_| (subject.draw(&mut random), subject.draw(&mut random)));
        let mut storm = Self {
            pairs: pairs.collect(),
            ticks,
            tick: Times::default(),
            cells: Vec::new(),
            anew: Times::default(),
        };
        storm.check(subject)?;
        Ok(storm)
    }

    /// Returns a world of the map with all orders finished.
    fn world(&self, subject: &Subject) -> Result<(FlowWorld, Vec<Order>), Failure> {
        let mut world = FlowWorld::new(subject.costs().clone());
        let orders = self.order(&mut world)?;
        Ok((world, orders))
    }

    fn order(&self, world: &mut FlowWorld) -> Result<Vec<Order>, Failure> {
        let order = |&(start, goal): &(Cell, Cell)| world.order(Goal::at(goal), &[start]);
        let orders = self.pairs.iter().map(order).collect::<Result<Vec<_>, _>>();
        world.tick(Budget::UNLIMITED);
        orders.map_err(|error| Failure::Wrong(format!("joined cells, yet refused: {error}")))
    }

    /// One tick of the storm: all its edits at once, then the budget. Returns
    /// the work done.
    fn blow(world: &mut FlowWorld, edits: &[(CellRect, Cost)]) -> u64 {
        // Every cell was drawn on the map.
        world.edit_all(edits).ok();
        world.tick(BUDGET).cells
    }

    fn check(&mut self, subject: &Subject) -> Result<(), Failure> {
        let wrong = |what: String| Failure::Wrong(format!("{}: {what}", subject.name()));
        let (mut world, orders) = self.world(subject)?;
        // An odd number, so that the last edits remain.
        for edits in self.ticks.iter().take(self.ticks.len() - 1) {
            Self::blow(&mut world, edits);
        }
        while world.tick(Budget::UNLIMITED).waiting > 0 {}
        if *world.inspect().portal_graph() != PortalGraph::new(world.costs()) {
            return Err(wrong(
                "after a storm the graph is not that of the costs".into(),
            ));
        }
        let referee = Referee::new(world.costs());
        for (order, &(start, goal)) in orders.iter().zip(&self.pairs) {
            let joined = world.reachable(start, goal);
            let walked = walk(&mut world, &referee, order, start);
            // A unit in a wall may find a way out of it, and cuts corners
            // there.
            let in_wall = world.costs().get(start).is_none_or(Cost::is_wall);
            let arrived = walked.end == End::Arrived && walked.cells.last() == Some(&goal);
            let right = if joined {
                arrived && walked.corner_cuts == 0
            } else {
                in_wall || world.sample(order, start) == Sample::Unreachable
            };
            if !right {
                return Err(wrong(format!(
                    "after a storm {start} is not led to {goal} aright"
                )));
            }
        }
        Ok(())
    }

    /// One round: everything is built from the costs, then the storm runs.
    pub fn round(&mut self, subject: &Subject) -> Result<(), Failure> {
        self.tick.begin_round();
        self.anew.begin_round();
        let mut anew = std::mem::take(&mut self.anew);
        let built = anew.time(|| self.world(subject));
        self.anew = anew;
        let (mut world, orders) = built?;
        self.cells.clear();
        for edits in &self.ticks {
            let cells = self.tick.time(|| Self::blow(&mut world, edits));
            self.cells.push(cells);
        }
        drop(orders);
        Ok(())
    }

    pub fn figures(&self) -> StormFigures {
        let mut cells = self.cells.clone();
        cells.sort_unstable();
        let cells = cells.get(cells.len() / 2).copied().unwrap_or(0);
        StormFigures {
            longest_ms: self.tick.rank(100, 1e3),
            median_ms: self.tick.median(1e3),
            cells: Figure::counted(cells as f64),
            anew_ms: self.anew.median(1e3),
        }
    }
}
