//! The template of a building at any angle and of any shape: a polygon.
//!
//! A cell is under the polygon if a side passes through it, or if no side does and its middle is
//! inside: then all of it is. For the rim the cell is taken wider by the rim's width on all sides.
//! All of it is counted in whole sixteenths of a cell.
//!
//! ```text
//!   · ┌───┐ · ┌───┐
//!   · │ # │ · │ # │     A side along the border of a cell does not pass through it.
//!   · │ # └───┘ # │
//!   · └───────────┘
//! ```

use super::template::HOLE;
use super::{Cost, StampTemplate, TemplateError};
use crate::grid::{Cell, CellRect, MAX_SIDE};

/// The units of length in a cell's side.
const FINE: i64 = 16;

type Point = [i64; 2];

impl StampTemplate {
    /// Makes the template of a polygon, a building at any angle: all cells that it
    /// covers a part of have one cost. Cells around it within the width of a `rim` have the
    /// rim's cost, so that paths keep off the building where there is room. The others of
    /// the template are holes.
    ///
    /// Corners and the width of the rim are in sixteenths of a cell, from the map's corner;
    /// the corners go around either way, and the polygon may have bays. Each side is compared with
    /// each other and with each cell. Returns the cell at which to stamp the template,
    /// not turned.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld, StampTemplate, Turn};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    /// // A square with sides of 4 cells, turned by an eighth.
    /// let corners = [[160, 115], [205, 160], [160, 205], [115, 160]];
    /// let rim = Some((16, Cost::new(3)?));
    /// let (at, hall) = StampTemplate::polygon(&corners, Cost::WALL, rim)?;
    /// world.stamp(&hall, at, Turn::None)?;
    /// assert_eq!(world.costs().get(Cell::new(10, 7)), Some(Cost::WALL)); // its north corner
    /// assert_eq!(world.costs().get(Cell::new(10, 6)).map(Cost::value), Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// For fewer than three corners, for corners that make no polygon with an area, for sides that
    /// cross or touch each other between their corners, and for a template with a side over
    /// [`MAX_SIDE`].
    pub fn polygon(
        corners: &[[i32; 2]],
        cost: Cost,
        rim: Option<(u32, Cost)>,
    ) -> Result<(Cell, Self), TemplateError> {
        let corners: Vec<Point> = corners.iter().map(|at| at.map(i64::from)).collect();
        let along = |axis: usize| corners.iter().map(move |corner| corner[axis]);
        let low = [0, 1].map(|axis| along(axis).min().unwrap_or(0));
        let high = [0, 1].map(|axis| along(axis).max().unwrap_or(0));
        let (wide, dear) = rim.unwrap_or((0, cost));
        let first = low.map(|at| (at - i64::from(wide)).div_euclid(FINE));
        let count = |axis: usize| {
            let end = (high[axis] + i64::from(wide) + FINE - 1).div_euclid(FINE);
            u32::try_from(end - first[axis]).unwrap_or(u32::MAX)
        };
        let (width, height) = (count(0), count(1));
        if width.max(height) > MAX_SIDE {
            return Err(TemplateError::Size { width, height });
        }
        let sides = sides(&corners).ok_or(TemplateError::Polygon)?;
        let covers = |cell: Cell, wider: u32| {
            let low = [cell.x, cell.y].map(|at| i64::from(at) * FINE - i64::from(wider));
            let high = low.map(|at| at + FINE + 2 * i64::from(wider));
            sides.iter().any(|side| passes_through(side, low, high))
                || is_inside(&sides, low.map(|at| at + i64::from(wider) + FINE / 2))
        };
        let at = Cell::new(first[0] as i32, first[1] as i32);
        let area = CellRect::new(at.x, at.y, width, height);
        let costs = area.cells().map(|cell| match covers(cell, 0) {
            true => cost.value(),
            false if covers(cell, wide) => dear.value(),
            false => HOLE,
        });
        Ok((at, Self::stored(width, height, costs.collect())?))
    }
}

/// A side of a polygon: from one corner to the next.
type Side = [Point; 2];

/// Returns the sides of a polygon with an area, of which no two cross or touch but at the corner
/// that they share; `None` if the corners make none. A corner may lie between its neighbours, or
/// be given twice in a row.
fn sides(corners: &[Point]) -> Option<Vec<Side>> {
    let next = corners.iter().cycle().skip(1);
    let pairs = corners.iter().zip(next);
    let sides: Vec<Side> = pairs.map(|(&from, &to)| [from, to]).collect();
    let sides: Vec<Side> = sides.into_iter().filter(|[from, to]| from != to).collect();
    let last = sides.len().checked_sub(1).filter(|&last| last >= 2)?;
    let is_simple = (0..=last).all(|at| {
        (at + 1..=last).all(|other| match (at, other) {
            _ if other == at + 1 => goes_on(&sides[at], &sides[other]),
            (0, _) if other == last => goes_on(&sides[other], &sides[at]),
            _ => !touches(&sides[at], &sides[other]),
        })
    });
    is_simple.then_some(sides)
}

/// On which side of a line a point lies, times the length of the line: above 0 to the right of
/// one who looks along it, on a map whose rows go down.
const fn aside([from, to]: &Side, at: Point) -> i64 {
    let (along, down) = (to[0] - from[0], to[1] - from[1]);
    along * (at[1] - from[1]) - down * (at[0] - from[0])
}

/// Whether a side does not lead back along the one before it.
fn goes_on(before: &Side, side: &Side) -> bool {
    let ways = [before, side].map(|[from, to]| [to[0] - from[0], to[1] - from[1]]);
    let ahead = ways[0][0] * ways[1][0] + ways[0][1] * ways[1][1];
    aside(before, side[1]) != 0 || ahead > 0
}

/// Whether two sides have a point in common.
fn touches(one: &Side, other: &Side) -> bool {
    let apart = |line: &Side, ends: &Side| {
        let [from, to] = ends.map(|end| aside(line, end).signum());
        from == to && from != 0
    };
    let overlap = |axis: usize| {
        let [(low, high), (from, to)] = [one, other].map(|side| span(side, axis));
        low <= to && from <= high
    };
    !apart(one, other) && !apart(other, one) && overlap(0) && overlap(1)
}

/// The lowest and the highest coordinate of a side.
fn span(side: &Side, axis: usize) -> (i64, i64) {
    let [from, to] = side.map(|end| end[axis]);
    (from.min(to), from.max(to))
}

/// Whether a part of a side lies in a rectangle, its rim aside.
fn passes_through(side: &Side, low: Point, high: Point) -> bool {
    let is_along = |axis: usize| {
        let (from, to) = span(side, axis);
        from < high[axis] && low[axis] < to
    };
    let corners = [low, [high[0], low[1]], high, [low[0], high[1]]];
    let asides = corners.map(|corner| aside(side, corner));
    let parts = asides.iter().any(|&aside| aside > 0) && asides.iter().any(|&aside| aside < 0);
    parts && is_along(0) && is_along(1)
}

/// Whether a point that is on no side lies in the polygon: whether a ray from it to the east
/// crosses an odd number of sides.
fn is_inside(sides: &[Side], at: Point) -> bool {
    let crossed = sides.iter().filter(|side| {
        let [from, to] = side.map(|end| end[1] > at[1]);
        from != to && (aside(side, at) > 0) == to
    });
    crossed.count() % 2 == 1
}
