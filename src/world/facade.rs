use std::fmt;

use parking_lot::Mutex;

use super::{Limits, Sample};
use crate::cost::{CellLink, CostMap, OffMap};
use crate::field::Flow;
use crate::grid::Cell;
use crate::kernel::octile;
use crate::map::{Layers, Map};
use crate::order::{Book, Order, Plan};
use crate::route::{Route, SearchRoom, Source};
use crate::sight::Sight;

/// A map and the orders on it.
///
/// ```
/// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld};
///
/// let mut world = FlowWorld::new(CostMap::open(300, 300)?);
/// let mut units = [Cell::new(5, 5), Cell::new(7, 290)];
/// let order = world.order(Cell::new(240, 240), &units)?;
/// while !world.tick(Budget::cells(4_000)).is_done() {}
/// for unit in &mut units {
///     while let Some(direction) = world.sample(&order, *unit).direction() {
///         *unit = unit.step(direction);
///     }
///     assert_eq!(*unit, Cell::new(240, 240));
/// }
/// world.edit(CellRect::new(120, 0, 2, 200), Cost::WALL)?; // a wall goes up
/// drop(order); // its sectors are freed by the next tick
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FlowWorld {
    pub(super) layers: Layers,
    pub(super) book: Book,
    /// Memory that [`find_route`](Self::find_route) has used, one for each thread
    /// that ran it at the same time.
    pub(super) route_rooms: Mutex<Vec<SearchRoom>>,
    /// The work by which ticks have overdrawn their budgets.
    pub(super) owed: u64,
    pub(super) limits: Limits,
}

impl FlowWorld {
    /// Derives everything from the costs: portals, in-sector costs, islands. For
    /// a large map [`build`](Self::build) does the same in slices.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    /// let world = FlowWorld::new(CostMap::open(100, 60)?);
    /// assert!(world.reachable(Cell::new(0, 0), Cell::new(99, 59)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(costs: CostMap) -> Self {
        Self::build(costs).finish()
    }

    pub(super) fn of_layers(layers: Layers) -> Self {
        Self {
            layers,
            book: Book::default(),
            route_rooms: Mutex::default(),
            owed: 0,
            limits: Limits::default(),
        }
    }

    /// Returns a copy of the world, with one claim on each of its orders, by number: for
    /// rollback, and for looking ahead. The copy has everything, work in hand included,
    /// and with the same inputs goes on as the world itself does.
    ///
    /// Orders are shared until one of the worlds changes them; the costs and the graph are
    /// copied. [`SharedWorld`](crate::SharedWorld) is for several threads
    /// that look at one world.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(90, 50), &[Cell::new(5, 5)])?;
    /// world.tick(Budget::cells(100));
    /// let (mut ahead, claims) = world.fork();
    /// assert_eq!(claims[0].number(), order.number());
    /// ahead.edit(Cell::new(50, 30), Cost::WALL)?;
    /// ahead.tick(Budget::UNLIMITED);
    /// assert_eq!(world.costs().get(Cell::new(50, 30)), Some(Cost::OPEN));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fork(&self) -> (Self, Vec<Order>) {
        let (book, orders) = self.book.fork();
        let world = Self {
            book,
            owed: self.owed,
            limits: self.limits,
            ..Self::of_layers(self.layers.clone())
        };
        (world, orders)
    }

    /// Returns the goal cell to which the order leads a unit. `None` if no
    /// path begins here, or while an edit interrupts the path. Follows the path
    /// step by step, so it takes as long as the path has steps.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld, Goal};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let exits = Goal::at(Cell::new(0, 30)).or_at(Cell::new(99, 30), 0);
    /// let unit = Cell::new(80, 10);
    /// let order = world.order(exits, &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// assert_eq!(world.destination(&order, unit), Some(Cell::new(99, 30)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn destination(&self, order: &Order, unit: Cell) -> Option<Cell> {
        let plan = self.book.plan(order);
        let mut cell = unit;
        loop {
            match self.sample_plan(plan, cell) {
                Sample::Go(direction) => cell = cell.step(direction),
                Sample::Link(_) => cell = plan.field().link_at(cell)?.exit,
                Sample::Arrived => return Some(cell),
                _ => return None,
            }
        }
    }

    /// Returns the cost of the path on which the order leads a unit from this
    /// cell to its goal, in fifths of a straight step over ground of cost 1,
    /// with the start cost. `None` if no path begins here, or if an edit has
    /// withdrawn the direction. While an edit concerns the order and it is not
    /// replanned, its other costs are those from before the edit.
    ///
    /// This is a look-up: each tile keeps the costs at its border, and from an
    /// inner cell the path is followed to the border. For all cells of an area,
    /// [`cost_to_go_rows`](Self::cost_to_go_rows) is quicker.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(50, 50)?);
    /// let unit = Cell::new(5, 5);
    /// let order = world.order(Cell::new(15, 8), &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// assert_eq!(world.cost_to_go(&order, unit), Some(7 * 5 + 3 * 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn cost_to_go(&self, order: &Order, unit: Cell) -> Option<u64> {
        self.cost_by_plan(self.book.plan(order), unit)
    }

    pub(super) fn cost_by_plan(&self, plan: &Plan, unit: Cell) -> Option<u64> {
        match self.sample_plan(plan, unit) {
            Sample::Go(_) | Sample::Link(_) | Sample::Arrived => {
                plan.cost_to_go(self.map_of(plan), unit)
            }
            _ => None,
        }
    }

    /// Returns what the order says to a unit at this cell.
    ///
    /// Reading changes nothing. Any number of threads may read at once, as often
    /// as they like. Off the map the answer is [`Sample::Unreachable`].
    ///
    /// A unit in a wall is led straight through the wall toward the nearest open
    /// cell from which the goal can be reached; once the order is planned, toward
    /// the nearest cell that has a direction. Only this answer needs a search:
    /// it takes some microseconds where others take nanoseconds, and up to a
    /// millisecond deep in rock if no straight line leads to the open ground
    /// around.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld, Sample};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (mut unit, goal) = (Cell::new(5, 5), Cell::new(90, 50));
    /// let order = world.order(goal, &[unit])?;
    /// while unit != goal {
    ///     world.tick(Budget::cells(1_000));
    ///     match world.sample(&order, unit) {
    ///         Sample::OffRoute => world.cover(&order, unit)?,
    ///         sample => unit = sample.direction().map_or(unit, |step| unit.step(step)),
    ///     }
    /// }
    /// assert_eq!(world.sample(&order, unit), Sample::Arrived);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[inline]
    #[track_caller]
    pub fn sample(&self, order: &Order, unit: Cell) -> Sample {
        self.sample_plan(self.book.plan(order), unit)
    }

    /// Samples the order at the cell of each unit and writes the answers into
    /// `samples`, in the same order. `samples` is cleared first. For all cells of an area,
    /// [`sample_rows`](Self::sample_rows) is quicker.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld, Sample};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let units = [Cell::new(5, 5), Cell::new(90, 50)];
    /// let order = world.order(units[1], &units)?;
    /// world.tick(Budget::UNLIMITED);
    /// let mut samples = Vec::new();
    /// world.sample_many(&order, &units, &mut samples);
    /// assert!(samples[0].direction().is_some());
    /// assert_eq!(samples[1], Sample::Arrived);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub fn sample_many(&self, order: &Order, units: &[Cell], samples: &mut Vec<Sample>) {
        let plan = self.book.plan(order);
        samples.clear();
        samples.extend(units.iter().map(|&unit| self.sample_plan(plan, unit)));
    }

    #[inline(always)]
    pub(super) fn sample_plan(&self, plan: &Plan, unit: Cell) -> Sample {
        if !self.layers.extent().contains(unit) {
            return Sample::Unreachable;
        }
        if plan.is_stale() {
            return self.sample_stale(plan, unit);
        }
        let flow = plan.field().get(unit).unwrap_or(Flow::NO_DIRECTION);
        match flow.direction() {
            Some(direction) => Sample::Go(direction),
            None => self.sample_without_step(plan, unit, flow),
        }
    }

    #[inline(never)]
    fn sample_without_step(&self, plan: &Plan, unit: Cell, flow: Flow) -> Sample {
        if flow.is_here() {
            Sample::Arrived
        } else if flow.is_link() {
            self.sample_link(plan, unit)
        } else {
            self.sample_off_field(plan, unit)
        }
    }

    /// Samples an order at the entry of a link, which may have been removed or walled up.
    #[cold]
    fn sample_link(&self, plan: &Plan, unit: Cell) -> Sample {
        let links = &self.map_of(plan).links;
        let leads_on = |link: &CellLink| links.has(link) && self.still_serves(plan, link.exit);
        match plan.field().link_at(unit).filter(leads_on) {
            Some(link) => Sample::Link(link.id),
            None => self.sample_off_field(plan, unit),
        }
    }

    /// Samples an order that an edit concerns and that is not replanned yet.
    #[cold]
    fn sample_stale(&self, plan: &Plan, unit: Cell) -> Sample {
        if !self.still_serves(plan, unit) {
            return self.sample_off_field(plan, unit);
        }
        let flow = plan.former_flow(unit);
        match flow.direction() {
            Some(way) => Sample::Go(way),
            None => self.sample_without_step(plan, unit, flow),
        }
    }

    #[cold]
    fn sample_off_field(&self, plan: &Plan, unit: Cell) -> Sample {
        let not_led = if plan.is_done() || plan.is_astray(unit) {
            Sample::OffRoute
        } else {
            Sample::Waiting
        };
        let map = self.map_of(plan);
        let Some(island) = map.islands.of(&map.costs, unit) else {
            let hopeless = plan.is_done() && plan.was_asked(unit);
            return match plan.way_out(map, unit) {
                Some(direction) => Sample::Go(direction),
                None if plan.is_turning() => not_led,
                None if plan.reach().is_hopeless() || hopeless => Sample::Unreachable,
                None => not_led,
            };
        };
        if !plan.reach().serves_island(island) && !plan.takes_nearest() && !plan.is_turning() {
            return Sample::Unreachable;
        }
        not_led
    }

    /// Whether a path from a cell of an old field to a goal is left after an edit.
    fn still_serves(&self, plan: &Plan, unit: Cell) -> bool {
        let map = self.map_of(plan);
        let island = map.islands.of(&map.costs, unit);
        island.is_none_or(|island| plan.reach().serves_island(island))
    }

    /// Whether a unit can get from one cell to another. This is a look-up; with links, one
    /// for each of their cells.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (west, east) = (Cell::new(5, 5), Cell::new(90, 5));
    /// assert!(world.reachable(west, east));
    /// world.edit(CellRect::new(50, 0, 1, 60), Cost::WALL)?;
    /// assert!(!world.reachable(west, east));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reachable(&self, from: Cell, to: Cell) -> bool {
        self.ground().reachable(from, to)
    }

    /// Returns the present costs, with stamps and blockers.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.edit(Cell::new(3, 4), Cost::WALL)?;
    /// assert_eq!(world.costs().get(Cell::new(3, 4)), Some(Cost::WALL));
    /// assert_eq!(world.costs().width(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn costs(&self) -> &CostMap {
        &self.layers.ground().costs
    }

    /// Returns the cell nearest to `goal` that a unit at `from` can reach: the
    /// goal that [`or_nearest`](crate::Goal::or_nearest) would give it, unless links lead
    /// from its island to others. `None` if
    /// `from` is a wall, or if either cell is off the map. Looks outward from
    /// `goal`, so it may read the whole map.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.edit(CellRect::new(50, 0, 1, 60), Cost::WALL)?;
    /// let end = world.nearest_reachable(Cell::new(5, 5), Cell::new(70, 5));
    /// assert_eq!(end, Some(Cell::new(49, 5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nearest_reachable(&self, from: Cell, goal: Cell) -> Option<Cell> {
        self.ground().nearest_reachable(from, goal)
    }

    /// Returns the order's goal if a unit at this cell may go straight there: the line
    /// between the middles of the two cells is free, and no path of the order's field costs
    /// less than the straight way.
    ///
    /// The line is free if it touches no wall and no ground that costs more than the unit's
    /// cell; where it passes through a corner, this holds for all four cells there. `None`
    /// if the order leads to several cells, where it has no directions yet, and after an
    /// edit that concerns it until it is planned again.
    ///
    /// Follows the line up to the first cell that is not free, so it takes longer than
    /// [`sample`](Self::sample): ask when a unit comes to another cell.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (unit, goal) = (Cell::new(5, 5), Cell::new(30, 9));
    /// let order = world.order(goal, &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// assert_eq!(world.sees_goal(&order, unit), Some(goal));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn sees_goal(&self, order: &Order, unit: Cell) -> Option<Cell> {
        let sampler = self.sampler(order);
        let costs = &self.map_of(sampler.plan).costs;
        let goal = sampler.only_goal()?;
        sampler.detour(unit)?;
        let highest = costs.get(unit)?;
        let sight = Sight {
            highest,
            ..Sight::OF_A_POINT
        };
        sight.between(costs, unit, goal).then_some(goal)
    }

    /// Returns an order of this world for many questions.
    #[track_caller]
    pub(crate) fn sampler(&self, order: &Order) -> Sampler<'_> {
        let plan = self.book.plan(order);
        Sampler { world: self, plan }
    }

    /// Returns the cheapest route through the portals from one cell to another,
    /// as an order's search finds it, without loading anything. For a game's own
    /// reasoning (how far is it, over which bridge), and for measuring the
    /// search alone. `None` if there is no path.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    /// let world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let route = world.find_route(Cell::new(5, 5), Cell::new(25, 5))?;
    /// let route = route.expect("the ground is open");
    /// assert_eq!(route.portals.len(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell is off the map.
    pub fn find_route(&self, from: Cell, to: Cell) -> Result<Option<Route>, OffMap> {
        self.ground().find_route(from, to)
    }

    pub(super) fn map_of(&self, plan: &Plan) -> &Map {
        self.layers.used(plan.goal().layer())
    }
}

/// An order that was looked up once, for many questions.
#[derive(Clone, Copy)]
pub(crate) struct Sampler<'w> {
    world: &'w FlowWorld,
    plan: &'w Plan,
}

impl Sampler<'_> {
    /// The same as [`FlowWorld::sample`].
    #[cfg(feature = "steer")]
    #[inline]
    pub(crate) fn sample(&self, unit: Cell) -> Sample {
        self.world.sample_plan(self.plan, unit)
    }

    /// Returns the only goal of the order; `None` after an edit that concerns it until it is planned
    /// again.
    pub(crate) fn only_goal(&self) -> Option<Cell> {
        self.goal().map(|goal| goal.cell)
    }

    fn goal(&self) -> Option<Source> {
        self.plan.only_goal().filter(|_| !self.plan.is_stale())
    }

    /// Returns how much more the path from a cell to the only goal costs than the straight way over
    /// ground like that of the cell: most often nothing where that is free. `None` if the path costs
    /// less.
    // PERF: a walk over the field, so it is asked last.
    pub(crate) fn detour(&self, unit: Cell) -> Option<u64> {
        let goal = self.goal()?;
        let map = self.world.map_of(self.plan);
        let (dx, dy) = (goal.cell.x.abs_diff(unit.x), goal.cell.y.abs_diff(unit.y));
        let straight = u64::from(map.costs.get(unit)?.value()) * octile(dx, dy);
        let cost = self.plan.cost_to_go(map, unit)?;
        cost.checked_sub(goal.start_cost)?.checked_sub(straight)
    }
}

impl fmt::Debug for FlowWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowWorld")
            .field("costs", self.costs())
            .field("portals", &self.layers.ground().graph.portal_count())
            .field("waiting", &self.book.waiting())
            .finish_non_exhaustive()
    }
}
