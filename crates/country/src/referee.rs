//! Checks steps and costs-to-go with code of its own, not shared with the
//! engine.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use flowtiles::{Cell, Cost, CostMap, Direction, Link};

/// Cost-to-go of a cell from which the goal cannot be reached.
pub const NEVER: u64 = u64::MAX;

/// A whole map, with a second implementation of the step rule.
pub struct Referee {
    width: i32,
    height: i32,
    costs: Vec<u8>,
    /// The ways through links: from, to, price.
    jumps: Vec<(usize, usize, u64)>,
}

/// The judgement of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Allowed.
    Legal,
    /// It leads into a wall or off the map.
    IntoWall,
    /// A diagonal step past a wall.
    CutsCorner,
}

impl Referee {
    /// Creates a referee for this map.
    pub fn new(costs: &CostMap) -> Self {
        Self {
            width: costs.width() as i32,
            height: costs.height() as i32,
            costs: costs.to_rows(),
            jumps: Vec::new(),
        }
    }

    /// Lets paths lead through a link too.
    pub fn add_link(&mut self, link: &Link) {
        for from in link.area().cells() {
            let to = link.end_of(from).filter(|&to| self.is_open(to));
            if let (Some(at), Some(to)) = (self.place(from), to.and_then(|to| self.place(to)))
                && self.is_open(from)
            {
                self.jumps.push((at, to, link.price().into()));
            }
        }
    }

    /// The greatest number of cells on a path: it visits none twice.
    pub fn cells(&self) -> usize {
        self.costs.len()
    }

    fn place(&self, cell: Cell) -> Option<usize> {
        let inside = cell.x >= 0 && cell.y >= 0 && cell.x < self.width && cell.y < self.height;
        inside.then(|| cell.y as usize * self.width as usize + cell.x as usize)
    }

    fn cell(&self, place: usize) -> Cell {
        let width = self.width as usize;
        Cell::new((place % width) as i32, (place / width) as i32)
    }

    /// The cost of a cell; a wall off the map.
    pub fn cost(&self, cell: Cell) -> u8 {
        self.place(cell)
            .map_or(Cost::WALL.value(), |place| self.costs[place])
    }

    fn is_open(&self, cell: Cell) -> bool {
        self.cost(cell) != Cost::WALL.value()
    }

    /// Judges one step.
    pub fn judge(&self, from: Cell, direction: Direction) -> Verdict {
        let (dx, dy) = direction.offset();
        if !self.is_open(Cell::new(from.x + dx, from.y + dy)) {
            return Verdict::IntoWall;
        }
        let sides = [
            Cell::new(from.x + dx, from.y),
            Cell::new(from.x, from.y + dy),
        ];
        if dx != 0 && dy != 0 && !sides.iter().all(|side| self.is_open(*side)) {
            return Verdict::CutsCorner;
        }
        Verdict::Legal
    }

    /// The price of a step out of a cell: five straight and seven diagonal, times the
    /// cell's cost. Climbing out of a wall costs nothing.
    pub fn price(&self, from: Cell, direction: Direction) -> u64 {
        if !self.is_open(from) {
            return 0;
        }
        let weight = if direction.is_diagonal() { 7 } else { 5 };
        weight * u64::from(self.cost(from))
    }

    /// The price of the cheapest path from every cell of the map to the goal, row by
    /// row.
    pub fn costs_to_go(&self, goal: Cell) -> Vec<u64> {
        self.cheapest(goal, |from, direction| self.price(from, direction))
    }

    /// The same where a step out of a cell has this price: a plain Dijkstra over the
    /// whole map.
    pub fn cheapest(&self, goal: Cell, price: impl Fn(Cell, Direction) -> u64) -> Vec<u64> {
        let mut costs = vec![NEVER; self.costs.len()];
        let mut queue = BinaryHeap::new();
        if self.is_open(goal)
            && let Some(place) = self.place(goal)
        {
            costs[place] = 0;
            queue.push(Reverse((0, place)));
        }
        while let Some(Reverse((cost, place))) = queue.pop() {
            if cost > costs[place] {
                continue;
            }
            for &(from, _, price) in self.jumps.iter().filter(|(_, to, _)| *to == place) {
                if cost + price < costs[from] {
                    costs[from] = cost + price;
                    queue.push(Reverse((cost + price, from)));
                }
            }
            let to = self.cell(place);
            for direction in Direction::ALL {
                let (dx, dy) = direction.offset();
                let from = Cell::new(to.x - dx, to.y - dy);
                let Some(behind) = self.place(from) else {
                    continue;
                };
                if !self.is_open(from) || self.judge(from, direction) != Verdict::Legal {
                    continue;
                }
                let reached = cost + price(from, direction);
                if reached < costs[behind] {
                    costs[behind] = reached;
                    queue.push(Reverse((reached, behind)));
                }
            }
        }
        costs
    }

    /// Returns the entry of one cell in [`costs_to_go`](Self::costs_to_go).
    pub fn look_up(&self, costs_to_go: &[u64], cell: Cell) -> u64 {
        self.place(cell).map_or(NEVER, |place| costs_to_go[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_costs_to_go_by_hand() {
        // 1 1 2
        // 1 # 1
        // 9 1 1
        let rows = [1, 1, 2, 1, 255, 1, 9, 1, 1];
        let mut referee = Referee::new(&CostMap::from_rows(3, 3, &rows).unwrap());
        let at = Cell::new;
        assert_eq!(referee.judge(at(1, 0), Direction::South), Verdict::IntoWall);
        assert_eq!(referee.judge(at(1, 0), Direction::North), Verdict::IntoWall);
        assert_eq!(
            referee.judge(at(1, 0), Direction::SouthEast),
            Verdict::CutsCorner
        );
        assert_eq!(referee.judge(at(1, 0), Direction::East), Verdict::Legal);
        let costs = referee.costs_to_go(at(2, 2));
        assert_eq!(referee.look_up(&costs, at(0, 0)), 5 + 5 + 10 + 5);
        assert_eq!(referee.look_up(&costs, at(0, 2)), 45 + 5);
        assert_eq!(referee.look_up(&costs, at(1, 1)), NEVER);
        assert_eq!(referee.look_up(&costs, at(3, 0)), NEVER);
        referee.add_link(&Link::new(at(0, 2), at(2, 1)).with_price(6));
        let costs = referee.costs_to_go(at(2, 2));
        assert_eq!(referee.look_up(&costs, at(0, 2)), 6 + 5);
    }
}
