//! A flow field over the whole map.

use flowtiles::Cell;

use super::queue::Queue;
use super::steps::{Steps, stretched};
use crate::ground::{Ground, NEIGHBOURS};

/// No direction: the goal, a wall, or a cell that is cut off.
const NONE: u8 = 8;

/// A flow field over the whole map: Dijkstra from the goal with step costs of 5
/// and 7, and a direction for each cell.
pub struct Field<Q> {
    steps: Steps,
    costs: Vec<u32>,
    flow: Vec<u8>,
    queue: Q,
}

impl<Q: Queue> Field<Q> {
    pub fn new(ground: &Ground) -> Self {
        let steps = Steps::new(ground);
        Self {
            costs: vec![u32::MAX; steps.len()],
            flow: vec![NONE; steps.len()],
            steps,
            queue: Q::default(),
        }
    }

    pub fn edit(&mut self, cell: Cell, cost: u8) {
        self.steps.edit(cell, cost);
    }

    /// Computes the field of a goal.
    pub fn lead_to(&mut self, goal: Cell) {
        self.queue.clear();
        self.costs.fill(u32::MAX);
        self.flow.fill(NONE);
        let goal = self.steps.place(goal);
        self.costs[goal as usize] = 0;
        self.queue.put(0, goal);
        while let Some((cost, here)) = self.queue.take() {
            if cost > self.costs[here as usize] {
                continue;
            }
            for (direction, behind) in self.steps.out(here) {
                let reached = cost + stretched(self.steps.price(behind), direction);
                if reached < self.costs[behind as usize] {
                    self.costs[behind as usize] = reached;
                    self.flow[behind as usize] = direction as u8 ^ 4;
                    self.queue.put(reached, behind);
                }
            }
        }
    }

    /// Returns the step to take from a cell.
    pub fn step(&self, cell: Cell) -> Option<(i32, i32)> {
        let direction = self.flow[self.steps.place(cell) as usize];
        NEIGHBOURS.get(usize::from(direction)).copied()
    }
}
