use std::fmt;

use tracing::debug_span;

use super::{CoverError, EditReport, ImageError, Integration, Limits, Progress, Sample, Stats};
use crate::budget::{Budget, Work};
use crate::chart::{Chart, Stroke};
use crate::cost::{Cost, CostMap, OffMap};
use crate::field::Flow;
use crate::grid::{Cell, Rect, Sector};
use crate::order::{Advance, Book, Goal, MAX_START_COST, Order, OrderError, Plan, Reach, Scratch};
use crate::portal::{Landmarks, PortalGraph, PortalId};
use crate::route::Route;
#[cfg(feature = "rayon")]
use crate::threads;
use crate::wave::octile;

/// A map and the orders on it.
///
/// ```
/// use flowtiles::{Budget, Cell, Cost, CostMap, FlowWorld, Rect, Sample};
///
/// let mut world = FlowWorld::new(CostMap::open(300, 300)?);
/// let mut units = [Cell::new(5, 5), Cell::new(7, 290)];
/// let order = world.order(Cell::new(240, 240), &units)?;
/// while world.tick(Budget::cells(4_000)).waiting > 0 {}
/// for unit in &mut units {
///     while let Sample::Go(direction) = world.sample(&order, *unit) {
///         *unit = unit.step(direction);
///     }
///     assert_eq!(*unit, Cell::new(240, 240));
/// }
/// world.edit(Rect::new(120, 0, 2, 200), Cost::WALL)?; // a wall goes up
/// drop(order); // its sectors are freed by the next tick
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FlowWorld {
    pub(super) chart: Chart,
    pub(super) book: Book,
    pub(super) scratch: Scratch,
    /// What ticks have done more than their budgets.
    pub(super) owed: u64,
    pub(super) limits: Limits,
}

impl FlowWorld {
    /// Derives everything from the costs: portals, in-sector costs, islands. For
    /// a large map [`build`](Self::build) does the same piece by piece.
    #[must_use]
    pub fn new(costs: CostMap) -> Self {
        Self::build(costs).finish()
    }

    pub(super) fn of_chart(chart: Chart) -> Self {
        let scratch = Scratch::new(chart.costs.extent());
        Self {
            chart,
            book: Book::default(),
            scratch,
            owed: 0,
            limits: Limits::default(),
        }
    }

    /// Orders units to a goal: any number of them, in any number of sectors.
    ///
    /// Who can reach it is answered at once, from the islands. The work is
    /// done by the ticks that follow; until then [`sample`](Self::sample)
    /// says [`Sample::Waiting`]. If some units can reach the goal and others
    /// cannot, the order is taken and the others are told
    /// [`Sample::Unreachable`]. Without units the order loads nothing until
    /// [`cover`](Self::cover) asks it to. A goal that a living order has
    /// already is not planned twice: the units join that order, and the answer
    /// is one more claim on it.
    ///
    /// # Errors
    /// If the goal or a unit is off the map; and, unless the goal says
    /// [`or_nearest`](Goal::or_nearest), if the goal is a wall or no unit can
    /// reach it; and if the [`limits`](Self::limits) say that there are too
    /// many orders or units. Then nothing was changed and no search was made.
    pub fn order(&mut self, goal: impl Into<Goal>, units: &[Cell]) -> Result<Order, OrderError> {
        let goal = goal.into();
        self.check(&goal, units)?;
        self.check_size(&goal, units)?;
        let shared = self.book.sharing(&goal);
        if shared.is_none() {
            self.check_room()?;
        }
        let reach = self.reach(&goal, units)?;
        if let Some(order) = shared {
            let (place, plan) = self.book.plan_mut(&order);
            let (units_max, given) = (self.limits.units, plan.units().len() + units.len());
            if given > units_max as usize {
                return Err(OrderError::TooManyUnits { units_max, given });
            }
            if plan.join(&self.chart, &mut self.scratch, units) {
                self.book.line_up(place);
            }
            return Ok(order);
        }
        let plan = Plan::new(&self.chart, &mut self.scratch, goal, reach, units);
        Ok(self.book.enter(plan))
    }

    /// Gives an order another goal, and other units: those that pursue what
    /// moves. The directions to the old goal stay in use until those to the new
    /// one are there. Cells that the order was asked to serve before are
    /// forgotten.
    ///
    /// # Errors
    /// As [`order`](Self::order) does; then the order goes on as it was.
    ///
    /// # Panics
    /// If the order is another world's.
    pub fn aim(
        &mut self,
        order: &Order,
        goal: impl Into<Goal>,
        units: &[Cell],
    ) -> Result<(), OrderError> {
        let goal = goal.into();
        self.check(&goal, units)?;
        self.check_size(&goal, units)?;
        self.reach(&goal, units)?;
        let place = self.book.reaim(order, &goal);
        let (_, plan) = self.book.plan_mut(order);
        plan.aim(&self.chart, &mut self.scratch, goal, units);
        self.book.line_up(place);
        Ok(())
    }

    /// [`Aims`](Self::aim) an order at a target that moves, but only once it
    /// has moved by an eighth of the way that is left to the nearest unit: the
    /// farther off, the rarer. Tells whether it was aimed anew.
    ///
    /// # Errors
    /// As [`order`](Self::order) does; then the order goes on as it was.
    ///
    /// # Panics
    /// If the order is another world's.
    pub fn pursue(
        &mut self,
        order: &Order,
        target: Cell,
        units: &[Cell],
    ) -> Result<bool, OrderError> {
        let goal = self.book.plan(order).goal();
        let (planned, quality, strict) = (goal.cell(), goal.quality(), goal.is_strict());
        let price = |from: Cell| octile(from.x.abs_diff(target.x), from.y.abs_diff(target.y));
        let left = units.iter().map(|&unit| price(unit)).min().unwrap_or(0);
        if planned == target || 8 * price(planned) < left {
            return Ok(false);
        }
        let goal = Goal::at(target).with_quality(quality);
        let goal = if strict { goal } else { goal.or_nearest() };
        self.aim(order, goal, units).map(|()| true)
    }

    /// Where the order leads a unit: the cell at which its way ends. `None`
    /// where no way begins, or while it is broken off by an edit. Walks the
    /// way, so it takes as long as that has steps.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn destination(&self, order: &Order, unit: Cell) -> Option<Cell> {
        let plan = self.book.plan(order);
        let mut cell = unit;
        loop {
            match self.sample_plan(plan, cell) {
                Sample::Go(direction) => cell = cell.step(direction),
                Sample::Arrived => return Some(cell),
                _ => return None,
            }
        }
    }

    /// Whether an order may be so large.
    fn check_size(&self, goal: &Goal, units: &[Cell]) -> Result<(), OrderError> {
        let units_max = self.limits.units;
        let given = units.len().max(goal.cells().count());
        if given > units_max as usize {
            return Err(OrderError::TooManyUnits { units_max, given });
        }
        Ok(())
    }

    /// What of the goal the units can reach: something, or the order is
    /// refused.
    fn reach(&self, goal: &Goal, units: &[Cell]) -> Result<Reach, OrderError> {
        let reach = Reach::new(&self.chart, goal, units);
        let mut served = units.iter();
        if !units.is_empty() && !served.any(|&unit| reach.may_serve(&self.chart, unit)) {
            let (goal, unit) = (goal.cell(), units[0]);
            return Err(OrderError::Unreachable { goal, unit });
        }
        if reach.len() == 0 {
            return Err(OrderError::GoalInWall { goal: goal.cell() });
        }
        Ok(reach)
    }

    /// Whether there is room for one more order. Orders whose last claim is
    /// gone make room at once.
    fn check_room(&mut self) -> Result<(), OrderError> {
        let limit = self.limits.orders;
        if self.book.len() >= limit as usize {
            self.book
                .free_returned(|plan| plan.retire(&mut self.scratch));
        }
        if self.book.len() >= limit as usize {
            return Err(OrderError::Full { limit });
        }
        Ok(())
    }

    fn check(&self, goal: &Goal, units: &[Cell]) -> Result<(), OrderError> {
        let extent = self.chart.costs.extent();
        let (width, height) = (self.chart.costs.width(), self.chart.costs.height());
        for source in goal.sources() {
            let (goal, start_cost) = (source.cell, source.start_cost);
            if !extent.contains(goal) {
                return Err(OrderError::GoalOffMap {
                    goal,
                    width,
                    height,
                });
            }
            if start_cost > MAX_START_COST {
                return Err(OrderError::StartCost { start_cost });
            }
        }
        for (index, &unit) in units.iter().enumerate() {
            if !extent.contains(unit) {
                return Err(OrderError::UnitOffMap {
                    index,
                    unit,
                    width,
                    height,
                });
            }
        }
        let mut cells = goal.cells();
        if goal.is_strict() && !cells.any(|cell| self.chart.costs.is_open(cell)) {
            return Err(OrderError::GoalInWall { goal: goal.cell() });
        }
        Ok(())
    }

    /// Does work, oldest orders first, until the budget is used up; frees
    /// orders whose last claim was dropped.
    ///
    /// A piece of work is never cut in two, so a tick may overdraw its budget.
    /// What it does too much is owed, and taken off the next budget, until
    /// nothing waits. So slicing changes nothing: `tick(4000)` and four times
    /// `tick(1000)` make the same world.
    pub fn tick(&mut self, budget: Budget) -> Progress {
        let mut work = Work::owing(budget, self.owed);
        if !budget.is_nothing() {
            let _span = debug_span!("tick").entered();
            self.book
                .free_returned(|plan| plan.retire(&mut self.scratch));
            self.work(&mut work);
        }
        let waiting = self.book.waiting();
        self.owed = if waiting > 0 { work.overdrawn() } else { 0 };
        Progress {
            cells: work.done(),
            owed: self.owed,
            waiting,
        }
    }

    /// Without a limit orders do not take work from each other: each is done
    /// on a thread of its own.
    #[cfg(feature = "rayon")]
    fn work_abreast(&mut self, work: &mut Work) {
        let extent = self.chart.costs.extent();
        let chart = &self.chart;
        let mut waiting = self.book.all_waiting();
        let finish = |scratch: &mut Scratch, (place, plan): &mut (u32, &mut Plan)| {
            let mut own = Work::within(Budget::UNLIMITED);
            loop {
                match plan.advance(chart, scratch, &mut own) {
                    Advance::More => {}
                    end => return (*place, end, own.done()),
                }
            }
        };
        let ends = threads::change_all(&mut waiting, || Scratch::new(extent), finish);
        for (place, end, cells) in ends {
            work.count(cells);
            match end {
                Advance::Again => self.book.line_up_anew(place),
                Advance::More | Advance::Done => self
                    .book
                    .step_out(place, |plan| plan.forget_search(&mut self.scratch)),
            }
        }
    }

    fn work(&mut self, work: &mut Work) {
        #[cfg(feature = "rayon")]
        if work.is_unlimited() && self.book.waiting() > 1 {
            self.work_abreast(work);
        }
        while !work.is_over() {
            let Some((place, plan)) = self.book.first() else {
                break;
            };
            let _span = debug_span!("job", kind = plan.stage().name()).entered();
            match plan.advance(&self.chart, &mut self.scratch, work) {
                Advance::More => {}
                Advance::Done => self
                    .book
                    .step_out(place, |plan| plan.forget_search(&mut self.scratch)),
                Advance::Again => self.book.line_up_anew(place),
            }
        }
    }

    /// What the order says to a unit at this cell.
    ///
    /// Reading changes nothing: it may be done from any number of threads at
    /// once, and however often, without a later answer being another. Off the
    /// map the answer is [`Sample::Unreachable`].
    ///
    /// A unit in a wall is told to go straight toward the nearest open cell
    /// from which the goal can be reached, through the wall. That is the one
    /// answer which is searched for and not just read.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn sample(&self, order: &Order, unit: Cell) -> Sample {
        self.sample_plan(self.book.plan(order), unit)
    }

    /// What the order says to each of these units, in their order, into
    /// `samples`, which is emptied first.
    ///
    /// # Panics
    /// If the order is another world's.
    pub fn sample_many(&self, order: &Order, units: &[Cell], samples: &mut Vec<Sample>) {
        let plan = self.book.plan(order);
        samples.clear();
        samples.extend(units.iter().map(|&unit| self.sample_plan(plan, unit)));
    }

    fn sample_plan(&self, plan: &Plan, unit: Cell) -> Sample {
        if !self.chart.costs.extent().contains(unit) {
            return Sample::Unreachable;
        }
        if plan.is_stale() && !self.still_serves(plan, unit) {
            return self.sample_off_field(plan, unit);
        }
        let flow = plan.field().get(unit).unwrap_or(Flow::NONE);
        match flow.direction() {
            Some(direction) => Sample::Go(direction),
            None if flow.is_here() && (!plan.is_stale() || plan.leads_to(unit)) => Sample::Arrived,
            None => self.sample_off_field(plan, unit),
        }
    }

    #[cold]
    fn sample_off_field(&self, plan: &Plan, unit: Cell) -> Sample {
        let not_led = if plan.is_done() {
            Sample::OffRoute
        } else {
            Sample::Waiting
        };
        let Some(island) = self.chart.islands.of(&self.chart.costs, unit) else {
            let hopeless = plan.is_done() && plan.was_asked(unit);
            return match plan.way_out(&self.chart, unit) {
                Some(direction) => Sample::Go(direction),
                None if plan.reach().len() == 0 || hopeless => Sample::Unreachable,
                None => not_led,
            };
        };
        if !plan.reach().holds(island) && !plan.takes_nearest() {
            Sample::Unreachable
        } else {
            not_led
        }
    }

    /// Whether an edit has left a way from a cell of an old field to a goal.
    fn still_serves(&self, plan: &Plan, unit: Cell) -> bool {
        let island = self.chart.islands.of(&self.chart.costs, unit);
        island.is_none_or(|island| plan.reach().holds(island))
    }

    /// Has the order lead on from this cell too, once ticks have done the
    /// work: for a unit that was told [`Sample::OffRoute`]. The order's search
    /// goes on where it ended. Asking for what is covered already, or cannot
    /// be reached, does nothing.
    ///
    /// # Errors
    /// If the cell is off the map, or if the order serves as many cells as the
    /// [`limits`](Self::limits) allow; then nothing was changed.
    ///
    /// # Panics
    /// If the order is another world's.
    pub fn cover(&mut self, order: &Order, unit: Cell) -> Result<(), CoverError> {
        self.chart.costs.check(unit.into())?;
        let (place, plan) = self.book.plan_mut(order);
        let limit = self.limits.units;
        if plan.units().len() >= limit as usize && !plan.was_asked(unit) {
            return Err(CoverError::Full { limit });
        }
        if plan.cover(&self.chart, &mut self.scratch, unit) {
            self.book.line_up(place);
        }
        Ok(())
    }

    /// Gives the ground of every cell of an area (a [`Cell`] or a [`Rect`]) the
    /// same cost. Where a [`stamp`](Self::stamp) or a blocker stands, that
    /// shows once it is gone.
    ///
    /// At once no direction leads into a wall, and who can reach what is
    /// answered anew. The orders are planned anew by the ticks that follow;
    /// until then their directions outside the touched sectors stay in use, and
    /// units in the touched sectors wait. So for some ticks a unit may still be
    /// told to go on toward a goal that the edit has cut it off from, or by a
    /// way that is no longer the cheapest.
    ///
    /// # Errors
    /// If a cell of the area is off the map; then nothing was changed.
    pub fn edit(&mut self, area: impl Into<Rect>, cost: Cost) -> Result<EditReport, OffMap> {
        let area = area.into();
        self.chart.costs.check(area)?;
        Ok(self.draw(&[Stroke::Fill(area, cost)]))
    }

    /// Several edits at once, drawn one after the other: what depends on the
    /// costs is mended once for all of them.
    ///
    /// # Errors
    /// If a cell of any area is off the map; then nothing was changed.
    pub fn edit_all(&mut self, edits: &[(Rect, Cost)]) -> Result<EditReport, OffMap> {
        for &(area, _) in edits {
            self.chart.costs.check(area)?;
        }
        let strokes = edits.iter().map(|&(area, cost)| Stroke::Fill(area, cost));
        Ok(self.draw(&strokes.collect::<Vec<_>>()))
    }

    /// Gives each cell of an area a cost of its own, row by row.
    ///
    /// # Errors
    /// If the area is not on the map, if there are not as many costs as cells,
    /// or if one of them is 0; then nothing was changed.
    pub fn edit_image(&mut self, area: Rect, costs: &[u8]) -> Result<EditReport, ImageError> {
        self.chart.costs.check(area)?;
        let cells = area.width as usize * area.height as usize;
        if costs.len() != cells {
            let given = costs.len();
            return Err(ImageError::Length { cells, given });
        }
        if let Some(index) = costs.iter().position(|&cost| cost == 0) {
            let (x, y) = (index % area.width as usize, index / area.width as usize);
            let cell = Cell::new(area.x + x as i32, area.y + y as i32);
            return Err(ImageError::ZeroCost { cell });
        }
        Ok(self.draw(&[Stroke::Image(area, costs)]))
    }

    /// Draws strokes on the map and sees what that means to the orders.
    pub(super) fn draw(&mut self, strokes: &[Stroke<'_>]) -> EditReport {
        let _span = debug_span!("edit", strokes = strokes.len()).entered();
        let touched = self.chart.touched(strokes);
        for plan in self.book.plans_mut() {
            plan.before_change(&self.chart, &touched);
        }
        let change = self.chart.edit(strokes);
        let orders = if change.sectors.is_empty() {
            0
        } else {
            let (chart, scratch) = (&self.chart, &mut self.scratch);
            self.book
                .meet_change(|plan| plan.meet_change(chart, scratch, &change))
        };
        EditReport {
            cells: change.sectors.iter().map(|s| u64::from(s.cells)).sum(),
            sectors: change.sectors.len(),
            rebuilt: change.rebuilt,
            walked: change.walked,
            orders,
        }
    }

    /// Whether a unit can walk from one cell to another: a look-up.
    #[must_use]
    pub fn reachable(&self, from: Cell, to: Cell) -> bool {
        let island = |cell| self.chart.islands.of(&self.chart.costs, cell);
        island(from).is_some() && island(from) == island(to)
    }

    /// The costs.
    #[must_use]
    pub const fn costs(&self) -> &CostMap {
        &self.chart.costs
    }

    /// The portal graph, for tests and tools: always that of the present costs.
    #[must_use]
    pub const fn portal_graph(&self) -> &PortalGraph {
        &self.chart.graph
    }

    /// The cheapest route through the portals from one cell to another: what
    /// an order's search finds, without loading anything. For a game's own
    /// reasoning (how far is it, over which bridge), and for measuring the
    /// search alone. `None` if there is no way.
    ///
    /// # Errors
    /// If a cell is off the map.
    pub fn find_route(&mut self, from: Cell, to: Cell) -> Result<Option<Route>, OffMap> {
        self.chart.costs.check(from.into())?;
        self.chart.costs.check(to.into())?;
        if !self.reachable(from, to) {
            return Ok(None);
        }
        Ok(self.scratch.find_route(&self.chart, from, to))
    }

    /// The sectors that the order has loaded, row by row.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn loaded(&self, order: &Order) -> Vec<Sector> {
        let mut sectors = self.book.plan(order).field().sectors();
        sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
        sectors
    }

    /// The portals on the order's routes: in id order, not as they are walked.
    /// Empty until the search is done, and again after an edit until the order
    /// is planned anew.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn route(&self, order: &Order) -> Vec<PortalId> {
        self.book.plan(order).route().to_vec()
    }

    /// The costs-to-go of the order's loaded cells, integrated once more.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn integration(&self, order: &Order) -> Integration<'_> {
        let region = self.book.plan(order).integration(&self.chart);
        let costs = &self.chart.costs;
        Integration { costs, region }
    }

    /// Counts what the world holds. Walks all of it: for screens and tests,
    /// not for every frame of a game.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut loaded: Vec<Sector> = self
            .book
            .plans()
            .flat_map(|plan| plan.field().sectors())
            .collect();
        let tiles = loaded.len();
        loaded.sort_unstable();
        loaded.dedup();
        Stats {
            sectors: self.chart.costs.extent().sector_count(),
            portals: self.chart.graph.portal_count(),
            edges: self.chart.graph.edge_count(),
            islands: self.chart.islands.count(),
            orders: self.book.plans().count(),
            waiting: self.book.waiting(),
            tiles,
            sectors_loaded: loaded.len(),
            cost_bytes: self.chart.costs.bytes() + self.chart.stamps.bytes(),
            graph_bytes: self.chart.graph.bytes() + self.chart.islands.bytes(),
            survey_bytes: self.chart.landmarks.as_ref().map_or(0, Landmarks::bytes),
            order_bytes: self.book.bytes(),
            tile_bytes: self.book.plans().map(|plan| plan.field().bytes()).sum(),
            scratch_bytes: self.scratch.bytes(),
        }
    }
}

impl fmt::Debug for FlowWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowWorld")
            .field("costs", &self.chart.costs)
            .field("portals", &self.chart.graph.portal_count())
            .field("waiting", &self.book.waiting())
            .finish_non_exhaustive()
    }
}
