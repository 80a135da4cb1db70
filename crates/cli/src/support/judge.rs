//! Checks a march with code of its own, not shared with steering: walls, and the
//! cheapest path.

use flowtiles::{Cell, Cost, CostMap, Direction};

use crate::support::referee::{NEVER, Referee};

/// Weights of a step, in millionths of a cell.
const STRAIGHT: u64 = 1_000_000;
const DIAGONAL: u64 = 1_414_214;

/// Smaller depths are the rounding of 32-bit positions.
const ROUNDING: f64 = 1e-4;

/// The cell under a position.
pub fn cell_of([x, y]: [f32; 2]) -> Cell {
    Cell::new(x.floor() as i32, y.floor() as i32)
}

/// Whether a unit's circle overlaps a wall.
pub fn is_in_wall(costs: &CostMap, [x, y]: [f32; 2], radius: f32) -> bool {
    let (x, y, radius) = (f64::from(x), f64::from(y), f64::from(radius) - ROUNDING);
    let span = |at: f64| (at - radius).floor() as i32..=(at + radius).floor() as i32;
    span(y).any(|row| {
        span(x).any(|column| {
            let cost = costs.get(Cell::new(column, row)).unwrap_or(Cost::WALL);
            let dx = x - x.clamp(f64::from(column), f64::from(column) + 1.0);
            let dy = y - y.clamp(f64::from(row), f64::from(row) + 1.0);
            cost.is_wall() && dx * dx + dy * dy < radius * radius
        })
    })
}

/// The price of the cheapest path from every cell to a goal, a diagonal step at √2, in
/// cells of open ground.
pub struct Optimum {
    referee: Referee,
    prices: Vec<u64>,
}

impl Optimum {
    /// Computes the paths to a goal.
    pub fn to(costs: &CostMap, goal: Cell) -> Self {
        let referee = Referee::new(costs);
        let weight = |direction: Direction| match direction.is_diagonal() {
            true => DIAGONAL,
            false => STRAIGHT,
        };
        let price = |from, direction| weight(direction) * u64::from(referee.cost(from));
        let prices = referee.cheapest(goal, price);
        Self { referee, prices }
    }

    /// Returns the price from a cell; `None` if there is no path.
    pub fn from(&self, cell: Cell) -> Option<f64> {
        let price = self.referee.look_up(&self.prices, cell);
        (price != NEVER).then_some(price as f64 / STRAIGHT as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_and_ways_by_hand() {
        let mut costs = CostMap::open(6, 4).expect("a map");
        costs.edit(Cell::new(2, 1), Cost::WALL).expect("a wall");
        assert!(!is_in_wall(&costs, [1.7, 1.5], 0.3));
        assert!(is_in_wall(&costs, [1.75, 1.5], 0.3));
        assert!(!is_in_wall(&costs, [1.75, 0.75], 0.3), "past the corner");
        assert!(is_in_wall(&costs, [0.2, 0.5], 0.3), "off the map");
        let optimum = Optimum::to(&costs, Cell::new(4, 1));
        let price = |x, y| optimum.from(Cell::new(x, y)).expect("a way");
        let root = std::f64::consts::SQRT_2;
        assert!((price(3, 0) - root).abs() < 1e-6);
        // No corner beside the wall is cut; the next step is diagonal.
        assert!((price(1, 1) - 3.0 - root).abs() < 1e-6);
        assert_eq!(optimum.from(Cell::new(2, 1)), None);
    }
}
