//! Goals of orders, the quality of their paths, and errors for orders that were
//! refused.

#[cfg(feature = "serde")]
mod data;
#[expect(
    clippy::disallowed_types,
    reason = "sets asked for members, never iterated"
)]
mod obstacle;

use std::fmt;
use std::sync::Arc;

use crate::cost::{GateId, LayerError, LayerId};
use crate::grid::{Cell, CellRect};
use crate::route::Source;

/// The highest start cost of a goal. It keeps all costs-to-go far below the
/// limit of 64 bits on any map.
pub const MAX_START_COST: u64 = 1 << 60;

/// Where an order leads, and what happens if the goal cannot be reached.
///
/// A [`Cell`] converts into a goal; the order is refused if the goal cannot be
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
    /// The alternative cells, each with its start cost. Shared, since an order,
    /// its plan and its claims each hold the goal.
    others: Option<Arc<Vec<(Cell, u64)>>>,
    pub(super) unreachable_policy: UnreachablePolicy,
    quality: Quality,
    layer: LayerId,
}

/// How good an order's paths must be, and so how many sectors it loads.
///
/// With any quality, the direction of each loaded cell is exact among paths
/// that stay in loaded sectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Quality {
    /// The sectors on the route through the portals, and some beside them: around
    /// ground whose costs change by leaps, and beside walls on short routes. (A
    /// unit that comes later gets its route alone.) Its paths cost within 0.3 % of
    /// the best on average. Paths of 50 cells or more cost at worst some 7 % more;
    /// up to a third more where narrow roads wind through ground of 60 to 254
    /// times their cost.
    #[default]
    Corridor,
    /// All sectors through which the best path of any of the units may lead. No
    /// path of a unit could be cheaper.
    Exact,
    /// All sectors from which the goal can be reached, without a search: the
    /// best path from any cell, for a goal that units all over the map share.
    /// It holds a byte for each cell. An order of any quality gets this if its
    /// units stand in at least a twelfth of all sectors (and in at least 64),
    /// since that costs less than a search for their paths.
    Everywhere,
}

/// What happens to units that cannot reach the goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum UnreachablePolicy {
    Refuse,
    Nearest,
    /// Nearest; the first cell lies in an obstacle, and the others are its sides.
    NearestSide,
}

/// The most cells of an area that is a goal: a square of 1,024 by 1,024.
pub const MAX_GOAL_CELLS: u64 = 1 << 20;

impl Goal {
    /// Creates a goal at this cell. An order to it is refused if the cell is a
    /// wall or if no unit can reach it.
    #[must_use]
    pub const fn at(cell: Cell) -> Self {
        Self {
            cell,
            start_cost: 0,
            others: None,
            unreachable_policy: UnreachablePolicy::Refuse,
            quality: Quality::Corridor,
            layer: LayerId::GROUND,
        }
    }

    /// Adds an alternative cell. Each unit goes to the cell for which the cost
    /// of its path plus the start cost is lowest. [`FlowWorld::destination`]
    /// returns that cell. Cells in walls are ignored as long as one cell is
    /// open.
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
    pub fn or_at(self, cell: Cell, start_cost: u64) -> Self {
        let mut goal = self.without_sides();
        let others = goal.others.get_or_insert_default();
        Arc::make_mut(others).push((cell, start_cost));
        goal
    }

    /// Creates a goal of all cells of an area; each unit goes to the nearest.
    /// `None` if the area is empty or has more than [`MAX_GOAL_CELLS`], since
    /// the goal keeps each cell.
    #[must_use]
    pub fn within(area: CellRect) -> Option<Self> {
        let cells = u64::from(area.width) * u64::from(area.height);
        if cells > MAX_GOAL_CELLS {
            return None;
        }
        Self::any_of(area.cells())
    }

    /// Creates a goal of these cells; each unit goes to the nearest. `None` if
    /// there are no cells.
    #[must_use]
    pub fn any_of(cells: impl IntoIterator<Item = Cell>) -> Option<Self> {
        let mut cells = cells.into_iter();
        let mut goal = Self::at(cells.next()?);
        let others: Vec<(Cell, u64)> = cells.map(|cell| (cell, 0)).collect();
        goal.others = (!others.is_empty()).then(|| Arc::new(others));
        Some(goal)
    }

    /// Returns the goal's cells: the first, then the alternatives.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.sources().map(|source| source.cell)
    }

    /// Returns what is added to every path that ends at each of the [cells](Self::cells), in the
    /// same order.
    pub fn start_costs(&self) -> impl Iterator<Item = u64> {
        self.sources().map(|source| source.start_cost)
    }

    /// Returns the goal's cells with their start costs.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        let first = (self.cell, self.start_cost);
        let others = self.others.as_deref().into_iter().flatten();
        std::iter::once(first)
            .chain(others.copied())
            .map(|(cell, start_cost)| Source { cell, start_cost })
    }

    /// Returns the goal's first cell and up to `most` others, spread evenly over the list, with
    /// their start costs.
    pub(crate) fn spread_sources(&self, most: usize) -> impl Iterator<Item = Source> {
        let others = self.others.as_deref().map_or(&[][..], Vec::as_slice);
        let every = others.len().div_ceil(most).max(1);
        let others = others.iter().copied().step_by(every);
        std::iter::once((self.cell, self.start_cost))
            .chain(others)
            .map(|(cell, start_cost)| Source { cell, start_cost })
    }

    /// Sends units that cannot reach the goal to the nearest cell that they can
    /// reach. Nearest is the cell with the cheapest path to the goal if all
    /// ground were open; ties go to the first cell in row order. If the goal has
    /// several cells, the distance is measured from the first.
    ///
    /// A goal in a wall is allowed. If it is in an obstacle, such as a building, units go
    /// to its side that they reach first: the order's goal is then also the open cells
    /// around the walls that hang together there. They are looked up once, with the
    /// order. Once a unit at a side can reach the goal itself, since the building is gone or a
    /// gate has opened, the order leads on to that. (Units of an `Army` that have arrived stay
    /// until their group is sent again.)
    ///
    /// - If the walls have more than 64 columns or rows (a mountain, a hut against a
    ///   city wall), the cells near the goal count: those that are at most twice as many
    ///   steps away through the walls as the nearest, and 8, but no more than 32.
    /// - Of more than 128 cells, some are left out. The others are a few steps apart.
    /// - A goal in a closed court is treated as one in the walls around it, for units
    ///   outside. A court is an island of at most 64 columns and rows to which no link
    ///   leads, with another island around it on all four sides.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal};
    /// let mut map = CostMap::open(60, 40)?;
    /// map.edit(CellRect::new(30, 10, 4, 4), Cost::WALL)?; // a building
    /// let mut world = FlowWorld::new(map);
    /// let unit = Cell::new(32, 35);
    /// let there = Goal::at(Cell::new(31, 10)).or_nearest();
    /// let order = world.order(there, &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// let end = world.destination(&order, unit).expect("there is a way");
    /// assert_eq!(end.y, 14, "the side that it comes from");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// In other cases there is one such cell for each island with a unit. The ticks
    /// that follow find these cells within their budget, all together, outward from
    /// the goal.
    #[must_use]
    pub const fn or_nearest(mut self) -> Self {
        if self.is_strict() {
            self.unreachable_policy = UnreachablePolicy::Nearest;
        }
        self
    }

    /// Sets the start cost of the first cell: a cost that is added to every
    /// path that ends there, or at a cell that [`or_nearest`](Self::or_nearest)
    /// gives units instead. For costs-to-go that continue beyond the map. At
    /// most [`MAX_START_COST`].
    #[must_use]
    pub const fn with_start_cost(mut self, start_cost: u64) -> Self {
        self.start_cost = start_cost;
        self
    }

    /// Sets the movement layer: of which class and size the units are, and of which
    /// team. Without this the goal is on the ground's own layer.
    #[must_use]
    pub const fn on(mut self, layer: LayerId) -> Self {
        self.layer = layer;
        self
    }

    /// Returns the movement layer.
    #[must_use]
    pub const fn layer(&self) -> LayerId {
        self.layer
    }

    /// Sets the quality of the paths.
    #[must_use]
    pub const fn with_quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }

    /// Returns the quality of the paths.
    #[must_use]
    pub const fn quality(&self) -> Quality {
        self.quality
    }

    /// Returns the cell, or the first of several.
    #[must_use]
    pub const fn cell(&self) -> Cell {
        self.cell
    }

    /// Whether all cells but the first are sides of an obstacle, which count only where units
    /// cannot reach the first.
    pub(crate) const fn has_sides(&self) -> bool {
        matches!(self.unreachable_policy, UnreachablePolicy::NearestSide)
    }

    /// Returns a goal with [sides](Self::has_sides), of these cells.
    pub(crate) const fn or_nearest_side(mut self) -> Self {
        self.unreachable_policy = UnreachablePolicy::NearestSide;
        self
    }

    /// Whether an order is refused if the goal cannot be reached: without
    /// [`or_nearest`](Self::or_nearest).
    #[must_use]
    pub const fn is_strict(&self) -> bool {
        matches!(self.unreachable_policy, UnreachablePolicy::Refuse)
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

/// Why an order was refused.
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
        /// The unit's index in the list of units.
        index: usize,
        /// The unit's cell.
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
        /// A gate that is closed to the layer's team, and lies between them: where there is just one
        /// on the way. Never for a team with fog.
        gate: Option<GateId>,
    },
    /// The goal's start cost is over [`MAX_START_COST`].
    StartCost {
        /// The start cost.
        start_cost: u64,
    },
    /// The number of living orders has reached the limit.
    Full {
        /// The limit.
        limit: u32,
    },
    /// No order numbers are left. This happens only to a world loaded from a
    /// save that says so.
    NoNumbers,
    /// The world has no such layer.
    NoLayer {
        /// The layer of the goal.
        layer: LayerId,
    },
    /// The order is on another layer than the new goal.
    OtherLayer {
        /// The layer of the order.
        layer: LayerId,
        /// The layer of the goal.
        found: LayerId,
    },
    /// There are more units or goal cells than the limit for one order.
    TooManyUnits {
        /// The limit.
        units_max: u32,
        /// The number of units or goal cells given.
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
                 or use `or_nearest` for the nearest cell that can be reached"
            ),
            Self::Unreachable {
                goal,
                unit,
                gate: None,
            } => write!(
                f,
                "no unit can reach the goal {goal}: the first, at {unit}, is on another island; \
                 use `or_nearest` for the nearest cell that can be reached"
            ),
            Self::Unreachable {
                goal,
                unit,
                gate: Some(gate),
            } => write!(
                f,
                "no unit can reach the goal {goal}: {gate} lies between it and the first, at \
                 {unit}, and is closed to the layer's team: order them on the layer for their \
                 own team, open the gate, or use `or_nearest`"
            ),
            Self::StartCost { start_cost } => write!(
                f,
                "the start cost {start_cost} exceeds the limit: give at most {MAX_START_COST}"
            ),
            Self::Full { limit } => write!(
                f,
                "the world has {limit} orders, which is the limit: \
                 drop the claims on those that are done, or raise `Limits::orders`"
            ),
            Self::NoNumbers => f.write_str(
                "no order numbers are left, according to the save that the world was loaded from: \
                 start with a new world",
            ),
            Self::NoLayer { layer } => LayerError::NoLayer { layer: *layer }.fmt(f),
            Self::OtherLayer { layer, found } => write!(
                f,
                "the order is on {layer}, the new goal on {found}: use `Goal::on` with the \
                 order's layer, or give a new order"
            ),
            Self::TooManyUnits { units_max, given } => write!(
                f,
                "{given} units or goal cells exceed the {units_max} that one order may have: \
                 give several orders, or raise `Limits::units`"
            ),
        }
    }
}

impl std::error::Error for OrderError {}
