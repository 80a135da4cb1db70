//! The template of a building at any angle: a convex polygon.
//!
//! Two convex shapes overlap unless the line along a side of one parts them. So a cell is
//! under the polygon if it reaches in behind each side. For the rim the cell is taken wider
//! by the rim's width on all sides. All of it is counted in whole sixteenths of a cell.

use super::template::HOLE;
use super::{Cost, StampTemplate, TemplateError};
use crate::grid::{Cell, CellRect, MAX_SIDE};

/// The units of length in a cell's side.
const FINE: i64 = 16;

type Point = [i64; 2];

impl StampTemplate {
    /// Makes the template of a convex polygon, a building at any angle: all cells that it
    /// covers a part of have one cost. Cells around it within the width of a `rim` have the
    /// rim's cost, so that paths keep off the building where there is room. The others of
    /// the template are holes.
    ///
    /// Corners and the width of the rim are in sixteenths of a cell, from the map's corner;
    /// the corners go around either way. Returns the cell at which to stamp the template,
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
    /// For fewer than three corners, for corners that make no convex polygon with an area,
    /// and for a template with a side over [`MAX_SIDE`].
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
        let mut sides = sides(&corners).ok_or(TemplateError::Polygon)?;
        // Those of the rectangle around it.
        sides.extend([
            (low, [1, 0]),
            (low, [0, 1]),
            (high, [-1, 0]),
            (high, [0, -1]),
        ]);
        let covers = |cell: Cell, wider: u32| {
            let low = [cell.x, cell.y].map(|at| i64::from(at) * FINE - i64::from(wider));
            let high = low.map(|at| at + FINE + 2 * i64::from(wider));
            sides.iter().all(|side| {
                let deepest = [0, 1].map(|axis| if side.1[axis] > 0 { high } else { low }[axis]);
                depth(side, deepest) > 0
            })
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

/// A side of a polygon: a point of it, and a normal that points inward.
type Side = (Point, Point);

/// Returns the sides of a convex polygon with an area; `None` if the corners make none. A
/// corner may lie on a side, or be given twice in a row.
fn sides(corners: &[Point]) -> Option<Vec<Side>> {
    let sides = |sign: i64| -> Vec<Side> {
        let next = corners.iter().cycle().skip(1);
        let pairs = corners.iter().zip(next);
        pairs
            .map(|(&[x, y], &[to_x, to_y])| ([x, y], [sign * (y - to_y), sign * (to_x - x)]))
            .filter(|side| side.1 != [0, 0])
            .collect()
    };
    let depths = |sides: &[Side]| -> Vec<i64> {
        let of_side = |side| corners.iter().map(move |&corner| depth(side, corner));
        sides.iter().flat_map(of_side).collect()
    };
    [1, -1].map(sides).into_iter().find(|sides| {
        let depths = depths(sides);
        depths.iter().all(|&depth| depth >= 0) && depths.iter().any(|&depth| depth > 0)
    })
}

/// How far a point lies on the inner side, times the length of the normal.
const fn depth(&([x, y], [right, down]): &Side, point: Point) -> i64 {
    (point[0] - x) * right + (point[1] - y) * down
}
