//! The cells that a line touches, column by column, in fractions.

use std::collections::BTreeSet;

use flowtiles::{Cell, Sector};

use super::{Map, WALL, sector_of};

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

/// Whether the straight line between two cells leads only over ground of the second
/// cell's cost in these sectors.
pub fn sees(map: &Map, loaded: &BTreeSet<Sector>, from: Cell, to: Cell) -> bool {
    let cost = map.cost(to);
    let free = |cell: Cell| map.cost(cell) == cost && loaded.contains(&sector_of(cell));
    cost != WALL && free(from) && free(to) && touched(from, to).into_iter().all(free)
}

/// Whether no path costs less than the straight way to a goal over ground of the goal's
/// cost. `to_go` is what the path costs.
pub fn is_straight_best(map: &Map, to_go: Option<u64>, from: Cell, goal: Cell) -> bool {
    let (dx, dy) = (from.x.abs_diff(goal.x), from.y.abs_diff(goal.y));
    let steps = u64::from(5 * dx.max(dy) + 2 * dx.min(dy));
    to_go.is_some_and(|to_go| to_go >= steps * u64::from(map.cost(goal)))
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
