//! A* on cells.

use flowtiles::Cell;

use super::queue::{Buckets, Queue};
use super::steps::{Steps, stretched};
use crate::ground::{Ground, NEIGHBOURS};

/// A* on cells: step costs of 5 and 7, octile heuristic, a ring of buckets
/// (last in, first out, so that among equal cells the search prefers those
/// closer to the goal), and scratch memory that is stamped instead of cleared.
pub struct Astar {
    steps: Steps,
    nodes: Vec<Node>,
    queue: Buckets,
    stamp: u16,
}

#[derive(Clone, Copy, Default)]
struct Node {
    cost: u32,
    stamp: u16,
    came_by: u8,
    closed: bool,
}

impl Astar {
    pub fn new(ground: &Ground) -> Self {
        let steps = Steps::new(ground);
        Self {
            nodes: vec![Node::default(); steps.len()],
            steps,
            queue: Buckets::default(),
            stamp: 0,
        }
    }

    pub fn edit(&mut self, cell: Cell, cost: u8) {
        self.steps.edit(cell, cost);
    }

    /// Returns the cheapest path, cell by cell.
    pub fn find(&mut self, from: Cell, to: Cell) -> Option<Vec<Cell>> {
        self.begin();
        let ahead = |cell: Cell| {
            let (dx, dy) = (cell.x.abs_diff(to.x), cell.y.abs_diff(to.y));
            5 * dx.max(dy) + 2 * dx.min(dy)
        };
        let (start, goal) = (self.steps.place(from), self.steps.place(to));
        self.nodes[start as usize] = Node {
            stamp: self.stamp,
            ..Node::default()
        };
        self.queue.put(ahead(from), start);
        while let Some((_, here)) = self.queue.take() {
            let node = &mut self.nodes[here as usize];
            if node.closed {
                continue;
            }
            node.closed = true;
            if here == goal {
                return Some(self.way(start, goal));
            }
            let cost = node.cost;
            let price = self.steps.price(here);
            let cell = self.steps.cell(here);
            for (direction, beyond) in self.steps.out(here) {
                let reached = cost + stretched(price, direction);
                let node = &mut self.nodes[beyond as usize];
                if node.stamp == self.stamp && node.cost <= reached {
                    continue;
                }
                *node = Node {
                    cost: reached,
                    stamp: self.stamp,
                    came_by: direction as u8,
                    closed: false,
                };
                let (dx, dy) = NEIGHBOURS[direction];
                let to = Cell::new(cell.x + dx, cell.y + dy);
                self.queue.put(reached + ahead(to), beyond);
            }
        }
        None
    }

    fn begin(&mut self) {
        self.queue.clear();
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.nodes.fill(Node::default());
            self.stamp = 1;
        }
    }

    fn way(&self, start: u32, goal: u32) -> Vec<Cell> {
        let mut way = vec![self.steps.cell(goal)];
        let mut here = goal;
        while here != start {
            let back = usize::from(self.nodes[here as usize].came_by) ^ 4;
            here = self.steps.beyond(here, back);
            way.push(self.steps.cell(here));
        }
        way.reverse();
        way
    }
}
