//! The cells that a line touches, column by column, in fractions.

use flowtiles::Cell;

use super::Map;

/// Returns the cells that the line between the middles of two cells touches:
/// all cells whose closed square shares a point with it.
pub fn touched(from: Cell, to: Cell) -> Vec<Cell> {
    let (from, to) = if from.x <= to.x {
        (from, to)
    } else {
        (to, from)
    };
    // In half cells, so that middles are whole numbers.
    let (x0, y0) = (2 * from.x + 1, 2 * from.y + 1);
    let (dx, dy) = (2 * (to.x - from.x), 2 * (to.y - from.y));
    let mut cells = Vec::new();
    for x in from.x..=to.x {
        let [low, high, whole] = if dx == 0 {
            [y0.min(y0 + dy), y0.max(y0 + dy), 1]
        } else {
            // The heights at which the line enters and leaves the column, as
            // multiples of 1/dx.
            let ends = [2 * x, 2 * x + 2].map(|at| at.clamp(x0, x0 + dx));
            let [one, two] = ends.map(|at| y0 * dx + (at - x0) * dy);
            [one.min(two), one.max(two), dx]
        };
        // A row r extends from 2 r to 2 r + 2.
        let first = -(2 * whole - low).div_euclid(2 * whole);
        let last = high.div_euclid(2 * whole);
        cells.extend((first..=last).map(|y| Cell::new(x, y)));
    }
    cells
}

/// Whether a goal is in sight from a cell: the straight line touches no wall and no ground
/// that costs more than the cell, and no path costs less than the straight way over ground
/// like it. `to_go` is what the best path costs.
pub fn sees(map: &Map, to_go: Option<u64>, from: Cell, goal: Cell) -> bool {
    let (dx, dy) = (from.x.abs_diff(goal.x), from.y.abs_diff(goal.y));
    let steps = u64::from(5 * dx.max(dy) + 2 * dx.min(dy));
    let cost = map.cost(from);
    let is_free = |&cell: &Cell| map.is_open(cell) && map.cost(cell) <= cost;
    to_go.is_some_and(|to_go| to_go >= steps * u64::from(cost))
        && touched(from, goal).iter().all(is_free)
}

#[test]
fn lines_by_hand() {
    let line = |x: i32, y: i32| -> Vec<(i32, i32)> {
        let cells = touched(Cell::new(0, 0), Cell::new(x, y));
        cells.into_iter().map(|cell| (cell.x, cell.y)).collect()
    };
    assert_eq!(line(0, -2), [(0, -2), (0, -1), (0, 0)]);
    assert_eq!(line(2, 0), [(0, 0), (1, 0), (2, 0)]);
    assert_eq!(line(1, 1), [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!(line(2, 1), [(0, 0), (1, 0), (1, 1), (2, 1)]);
    assert_eq!(line(1, 3), [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (1, 3)]);
}
