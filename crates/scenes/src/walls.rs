//! Circles and the walls of a map.

use flowtiles::{Cell, Cost, CostMap};

/// Smaller depths are the rounding of 32-bit positions.
const ROUNDING: f64 = 1e-4;

/// The cell under a position.
#[must_use]
pub fn cell_of([x, y]: [f32; 2]) -> Cell {
    Cell::new(x.floor() as i32, y.floor() as i32)
}

/// Whether a unit's circle overlaps a wall.
#[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_overlap_walls_and_the_map_edge() {
        let mut costs = CostMap::open(6, 4).expect("a map");
        costs.edit(Cell::new(2, 1), Cost::WALL).expect("a wall");
        assert!(!is_in_wall(&costs, [1.7, 1.5], 0.3));
        assert!(is_in_wall(&costs, [1.75, 1.5], 0.3));
        assert!(!is_in_wall(&costs, [1.75, 0.75], 0.3), "past the corner");
        assert!(is_in_wall(&costs, [0.2, 0.5], 0.3), "off the map");
    }
}
