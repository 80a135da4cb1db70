//! The path of an order as a line: points between which it runs straight.

use super::{FlowWorld, Sample};
use crate::cost::LinkId;
use crate::grid::Cell;
use crate::order::Order;
use crate::sight::{FINE, Pull, middle};

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Waypoint {
    /// The place, in cells.
    pub at: [f32; 2],
    /// The link that leads from here to the next point; `None` if the path runs straight there.
    pub link: Option<LinkId>,
}

impl FlowWorld {
    /// Returns the path on which the order leads a unit from this cell, pulled tight: straight
    /// from each point to the next, from the middle of the cell to that of the goal. For drawing
    /// it, and for games that move their units themselves. `None` as of
    /// [`destination`](Self::destination).
    ///
    /// It passes obstacles on the sides on which the directions lead, or on a nearer one that is
    /// in sight, and touches the corners of walls. Its toll, the sum of the costs it goes over, is
    /// never more than that of the path by cells; where all ground costs the same, it is most
    /// often within 0.3 % of the shortest way at any angle.
    ///
    /// Follows the path step by step and looks at the ground along it: a millisecond or two for a
    /// path of 500 cells. Ask when the order or the map has changed, not in each tick.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.edit(CellRect::new(50, 0, 1, 30), Cost::WALL)?;
    /// let unit = Cell::new(20, 10);
    /// let order = world.order(Cell::new(80, 10), &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// let path = world.path(&order, unit).expect("the goal can be reached");
    /// let points: Vec<_> = path.iter().map(|point| point.at.map(f32::round)).collect();
    /// // Around both corners of the wall's end.
    /// assert_eq!(points[1..3], [[50.0, 30.0], [51.0, 30.0]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn path(&self, order: &Order, unit: Cell) -> Option<Vec<Waypoint>> {
        self.path_between(order, unit, [None; 2], 0)
    }

    /// Returns the path of a body from a cell: from a point in it, and to a point beyond the
    /// goal, where they are given, in 256ths of a cell, as is how far the body stays from walls.
    #[track_caller]
    pub(crate) fn path_between(
        &self,
        order: &Order,
        mut cell: Cell,
        [mut start, end]: [Option<[i32; 2]>; 2],
        clearance: i32,
    ) -> Option<Vec<Waypoint>> {
        let plan = self.book.plan(order);
        let costs = &self.map_of(plan).costs;
        let mut path = Vec::new();
        loop {
            // A piece runs up to a link or to the goal, and bends where the directions or the
            // costs change.
            let mut piece: Vec<_> = start.take().into_iter().collect();
            let mut before = None;
            let link = loop {
                let direction = match self.sample(order, cell) {
                    Sample::Go(direction) => direction,
                    Sample::Link(link) => break Some(link),
                    Sample::Arrived => break None,
                    _ => return None,
                };
                let now = Some((direction, costs.get(cell)));
                if before != now {
                    piece.push(middle(cell));
                }
                before = now;
                cell = cell.step(direction);
            };
            piece.push(middle(cell));
            if link.is_none() {
                piece.extend(end);
            }
            piece.dedup();
            let points = Pull { costs, clearance }.tight(piece);
            path.extend(points.into_iter().map(Waypoint::on_the_way));
            if link.is_none() {
                return Some(path);
            }
            path.last_mut()?.link = link;
            cell = plan.field().link_at(cell)?.exit;
        }
    }
}

impl Waypoint {
    pub(crate) const fn new(at: [f32; 2]) -> Self {
        Self { at, link: None }
    }

    #[allow(clippy::float_arithmetic, reason = "a place, for the game")]
    fn on_the_way(point: [i32; 2]) -> Self {
        Self::new(point.map(|at| at as f32 / FINE as f32))
    }
}
