use std::fmt;
use std::sync::Arc;

use crate::grid::{Cell, Rect};
use crate::route::Source;

/// The highest start cost a goal may have: sums with it stay far from the end
/// of 64 bits on any map.
pub const MAX_START_COST: u64 = 1 << 60;

/// Where an order leads, and what to do when it cannot.
///
/// A plain [`Cell`] converts into a goal that is refused when it cannot be
/// reached.
///
/// ```
/// use flowtiles::{Cell, Goal};
/// let there = Goal::from(Cell::new(240, 240)).or_nearest();
/// # let _ = there;
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Goal {
    pub(super) cell: Cell,
    pub(super) start_cost: u64,
    /// More cells that will do, each with its start cost; shared, since an order, its
    /// plan and its claims each hold the goal.
    others: Option<Arc<Vec<(Cell, u64)>>>,
    pub(super) otherwise: Otherwise,
    quality: Quality,
}

/// How good an order's ways must be, and so how many sectors it loads.
///
/// Whatever the quality, every loaded cell's direction is exact for ways that
/// stay in loaded sectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Quality {
    /// The sectors on the route through the portals: within 0.1 % of the best
    /// way in the mean on most maps, and a few percent at worst.
    #[default]
    Corridor,
    /// The same and the eight sectors around each: about three times the work
    /// of loading, for ground where the best way likes to leave the route.
    Wide,
    /// Every sector that the best way of any of the units may lead through:
    /// no unit's way could be cheaper.
    Exact,
    /// Every sector from which the goal can be reached, without a search: the
    /// best way from any cell, for a goal that units all over the map share.
    /// A byte a cell is held for it. Whatever the quality asked for, this is
    /// what an order gets whose units stand in a twelfth of all sectors or
    /// more (and in 64 at least): it costs less than to search their ways.
    Everywhere,
}

/// What becomes of units that cannot reach the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Otherwise {
    Refuse,
    Nearest,
}

/// Cells that an area may have to be a goal: a square of 1,024.
pub const MAX_GOAL_CELLS: u64 = 1 << 20;

impl Goal {
    /// The goal at this cell: refused if it is a wall or if no unit can reach
    /// it.
    #[must_use]
    pub const fn at(cell: Cell) -> Self {
        Self {
            cell,
            start_cost: 0,
            others: None,
            otherwise: Otherwise::Refuse,
            quality: Quality::Corridor,
        }
    }

    /// Another cell that will do as well: each unit goes where its way, with
    /// the start cost there, costs least. [`FlowWorld::destination`] tells
    /// where that is. Cells in walls count for nothing as long as one is open.
    ///
    /// ```
    /// use flowtiles::{Cell, Goal};
    /// // The nearest of three depots; the second is worth a detour of 40 cells.
    /// let depots = Goal::at(Cell::new(10, 10))
    ///     .with_start_cost(200)
    ///     .or_at(Cell::new(90, 10), 0)
    ///     .or_at(Cell::new(50, 80), 200);
    /// assert_eq!(depots.cells().count(), 3);
    /// ```
    ///
    /// [`FlowWorld::destination`]: crate::FlowWorld::destination
    #[must_use]
    pub fn or_at(mut self, cell: Cell, start_cost: u64) -> Self {
        let others = self.others.get_or_insert_default();
        Arc::make_mut(others).push((cell, start_cost));
        self
    }

    /// Any cell of an area, whichever is nearest; `None` for an empty one, and
    /// for one of more than [`MAX_GOAL_CELLS`]: each is kept.
    #[must_use]
    pub fn within(area: Rect) -> Option<Self> {
        let cells = u64::from(area.width) * u64::from(area.height);
        if cells > MAX_GOAL_CELLS {
            return None;
        }
        Self::any_of(area.cells())
    }

    /// The nearest of these cells; `None` without any.
    #[must_use]
    pub fn any_of(cells: impl IntoIterator<Item = Cell>) -> Option<Self> {
        let mut cells = cells.into_iter();
        let mut goal = Self::at(cells.next()?);
        let others: Vec<(Cell, u64)> = cells.map(|cell| (cell, 0)).collect();
        goal.others = (!others.is_empty()).then(|| Arc::new(others));
        Some(goal)
    }

    /// Its cells: the first, and the others that will do.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.sources().map(|source| source.cell)
    }

    /// Its cells with their start costs.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        let first = (self.cell, self.start_cost);
        let others = self.others.as_deref().into_iter().flatten();
        let all = std::iter::once(first).chain(others.copied());
        all.map(|(cell, start_cost)| Source { cell, start_cost })
    }

    /// Units that cannot reach the goal go to the cell nearest to it that they
    /// can reach: nearest by the price of the way over open ground, among
    /// equals the one first in the map's rows. A goal in a wall is allowed. Of a
    /// goal with several cells it is the first to which they come near.
    ///
    /// Where the units come from makes no difference: for a building that may be any
    /// side of it. To send each unit to the side that it comes to first, give all
    /// cells around it that will do, walls or not:
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Goal, Rect};
    /// let mut map = CostMap::open(60, 40)?;
    /// map.edit(Rect::new(30, 10, 4, 4), Cost::WALL)?; // a building
    /// let mut world = FlowWorld::new(map);
    /// let unit = Cell::new(32, 35);
    /// let beside = Goal::within(Rect::new(29, 9, 6, 6)).expect("a few cells");
    /// let order = world.order(beside, &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// let end = world.destination(&order, unit).expect("there is a way");
    /// assert_eq!(end.y, 14, "the side that it comes from");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// So it has a goal for each island with a unit. Those are looked for by the
    /// ticks that follow, within their budget: all together, outward from the
    /// goal.
    #[must_use]
    pub const fn or_nearest(mut self) -> Self {
        self.otherwise = Otherwise::Nearest;
        self
    }

    /// Adds a price to every way that ends here, for reading costs-to-go that
    /// go on beyond the map. At most [`MAX_START_COST`].
    #[must_use]
    pub const fn with_start_cost(mut self, start_cost: u64) -> Self {
        self.start_cost = start_cost;
        self
    }

    /// Asks for ways of this quality.
    #[must_use]
    pub const fn with_quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }

    pub(crate) const fn quality(&self) -> Quality {
        self.quality
    }

    /// The cell; the first, if there are several.
    #[must_use]
    pub const fn cell(&self) -> Cell {
        self.cell
    }

    /// Whether the order is refused when the goal cannot be reached.
    pub(crate) const fn is_strict(&self) -> bool {
        matches!(self.otherwise, Otherwise::Refuse)
    }
}

impl From<(i32, i32)> for Goal {
    fn from(cell: (i32, i32)) -> Self {
        Self::at(cell.into())
    }
}

impl From<Cell> for Goal {
    fn from(cell: Cell) -> Self {
        Self::at(cell)
    }
}

/// Why an order was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderError {
    /// The goal is not on the map.
    GoalOffMap {
        /// The goal.
        goal: Cell,
        /// The map's width.
        width: u32,
        /// The map's height.
        height: u32,
    },
    /// A unit is not on the map.
    UnitOffMap {
        /// Its place in the list of units.
        index: usize,
        /// Its cell.
        unit: Cell,
        /// The map's width.
        width: u32,
        /// The map's height.
        height: u32,
    },
    /// The goal is a wall.
    GoalInWall {
        /// The goal.
        goal: Cell,
    },
    /// No unit can reach the goal.
    Unreachable {
        /// The goal.
        goal: Cell,
        /// The first unit.
        unit: Cell,
    },
    /// The goal's start cost is over [`MAX_START_COST`].
    StartCost {
        /// The start cost.
        start_cost: u64,
    },
    /// As many orders live as the world's limits allow.
    Full {
        /// The limit.
        limit: u32,
    },
    /// All numbers for orders have been given out: the world comes from a save
    /// that says so.
    NoNumbers,
    /// There are more units, or more goal cells, than the world's limits allow
    /// to one order.
    TooManyUnits {
        /// The limit.
        units_max: u32,
        /// Units or goal cells given.
        given: usize,
    },
}

impl fmt::Display for OrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GoalOffMap {
                goal,
                width,
                height,
            } => write!(
                f,
                "the goal {goal} is off the map of {width}×{height} cells: \
                 give a cell from (0, 0) to ({}, {})",
                width - 1,
                height - 1
            ),
            Self::UnitOffMap {
                index,
                unit,
                width,
                height,
            } => write!(
                f,
                "unit {index} at {unit} is off the map of {width}×{height} cells: \
                 give cells from (0, 0) to ({}, {})",
                width - 1,
                height - 1
            ),
            Self::GoalInWall { goal } => write!(
                f,
                "the goal {goal} is a wall: give an open cell, \
                 or ask with `or_nearest` for the nearest that can be reached"
            ),
            Self::Unreachable { goal, unit } => write!(
                f,
                "no unit can reach the goal {goal}: the first, at {unit}, is on another island; \
                 ask with `or_nearest` for the nearest cell that can be reached"
            ),
            Self::StartCost { start_cost } => write!(
                f,
                "a start cost of {start_cost} is over the limit of {MAX_START_COST}"
            ),
            Self::Full { limit } => write!(
                f,
                "{limit} orders live already, which is the limit: \
                 drop the claims on those that are over, or raise `Limits::orders`"
            ),
            Self::NoNumbers => f.write_str(
                "the world's save says that all numbers for orders have been given out: \
                 begin with a world made by this library",
            ),
            Self::TooManyUnits { units_max, given } => write!(
                f,
                "{given} units are more than the {units_max} that one order may have: \
                 give several orders, or raise `Limits::units`"
            ),
        }
    }
}

impl std::error::Error for OrderError {}
