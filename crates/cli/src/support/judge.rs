//! The cheapest path of a march, by code not shared with the engine.

use flowtiles::{Cell, CostMap, Direction};

use flowtiles_country::referee::{NEVER, Referee};

/// Weights of a step, in millionths of a cell.
const STRAIGHT: u64 = 1_000_000;
const DIAGONAL: u64 = 1_414_214;

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
        let weight = |direction: Direction| {
            if direction.is_diagonal() {
                DIAGONAL
            } else {
                STRAIGHT
            }
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
    use flowtiles::Cost;

    use super::*;

    #[test]
    fn optimum_matches_prices_by_hand() {
        let mut costs = CostMap::open(6, 4).expect("a map");
        costs.edit(Cell::new(2, 1), Cost::WALL).expect("a wall");
        let optimum = Optimum::to(&costs, Cell::new(4, 1));
        let price = |x, y| optimum.from(Cell::new(x, y)).expect("a way");
        let root = std::f64::consts::SQRT_2;
        assert!((price(3, 0) - root).abs() < 1e-6);
        // No corner beside the wall is cut; the next step is diagonal.
        assert!((price(1, 1) - 3.0 - root).abs() < 1e-6);
        assert_eq!(optimum.from(Cell::new(2, 1)), None);
    }
}
