use super::FlowWorld;
use crate::cost::LayerId;
use crate::grid::Cell;
use crate::kernel::octile;
use crate::order::{Book, Goal, MAX_START_COST, Order, OrderError, Reach};

/// How many orders that were dropped are freed when one is given.
const FREED_WITH_ORDER: u64 = 2;

/// An order that may be given.
struct OrderRequest {
    goal: Goal,
    reach: Reach,
    /// The living order with an equal goal, which the units join.
    shared: Option<Order>,
}

/// Orders: giving, re-aiming and extending them.
impl FlowWorld {
    /// Orders units to a goal: any number of them, in any number of sectors.
    ///
    /// Whether they can reach it is known at once, from the islands. The ticks
    /// that follow do the work; until then [`sample`](Self::sample) returns
    /// [`Sample::Waiting`](crate::Sample::Waiting). If only some units can reach the goal,
    /// the order is given, and the others get
    /// [`Sample::Unreachable`](crate::Sample::Unreachable). Without units the
    /// order loads nothing until [`cover`](Self::cover) is called.
    ///
    /// If a living order has an equal goal, the units join that order, and the
    /// call returns one more claim on it.
    ///
    /// ```
    /// use flowtiles::error::OrderError;
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, FlowWorld, Goal};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.edit(CellRect::new(50, 0, 1, 60), Cost::WALL)?;
    /// let (unit, goal) = (Cell::new(5, 5), Cell::new(90, 5));
    /// let refused = world.order(goal, &[unit]);
    /// assert!(matches!(refused, Err(OrderError::Unreachable { .. })));
    ///
    /// let order = world.order(Goal::at(goal).or_nearest(), &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// assert_eq!(world.destination(&order, unit), Some(Cell::new(49, 5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the goal or a unit is off the map. If the goal is a wall or no unit can
    /// reach it, unless the goal is [`or_nearest`](Goal::or_nearest). If the
    /// [`limits`](Self::limits) allow no more orders, or not this many units. Then
    /// nothing has changed, and nothing was searched.
    pub fn order(&mut self, goal: impl Into<Goal>, units: &[Cell]) -> Result<Order, OrderError> {
        let request = self.try_deriving(|world| world.admit(goal.into(), units, 0))?;
        Ok(self.give(request, units))
    }

    /// Gives several [orders](Self::order), each to a goal on another layer: all, or none if
    /// one is refused.
    #[cfg(feature = "steer")]
    pub(crate) fn orders(
        &mut self,
        wanted: &[(Goal, Vec<Cell>)],
    ) -> Result<Vec<Order>, OrderError> {
        let requests = self.try_deriving(|world| {
            let mut requests: Vec<OrderRequest> = Vec::new();
            for (goal, units) in wanted {
                let new = requests.iter().filter(|request| request.shared.is_none());
                requests.push(world.admit(goal.clone(), units, new.count())?);
            }
            Ok::<_, OrderError>(requests)
        })?;
        let given = requests.into_iter().zip(wanted);
        Ok(given
            .map(|(request, (_, units))| self.give(request, units))
            .collect())
    }

    /// Tries what derives layers. If it is refused, those that it has derived are freed: a
    /// save says which are.
    pub(crate) fn try_deriving<T, E>(
        &mut self,
        attempt: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let before: Vec<LayerId> = self.layers.derived().collect();
        let tried = attempt(self);
        if tried.is_err() {
            self.layers.keep(&before);
        }
        tried
    }

    /// Derives the layer of an order, and checks everything about it. `others` is the number
    /// of new orders that are given before it.
    fn admit(
        &mut self,
        goal: Goal,
        units: &[Cell],
        others: usize,
    ) -> Result<OrderRequest, OrderError> {
        let layer = goal.layer();
        if self.movement(layer).is_none() {
            return Err(OrderError::NoLayer { layer });
        }
        self.check(&goal, units)?;
        let is_derived = self.layers.get(layer).is_some();
        if !is_derived {
            // No living order is on it that the units could join. A refusal that needs no
            // layer is cheap: armies try again what was refused.
            self.check_room(others + 1)?;
            self.layers.derive(layer);
        }
        let (goal, reach) = self.consider(goal, units)?;
        let shared = self.book.sharing(&goal);
        match &shared {
            Some(order) => self.check_joining(order, units)?,
            None if is_derived => self.check_room(others + 1)?,
            None => {}
        }
        Ok(OrderRequest {
            goal,
            reach,
            shared,
        })
    }

    /// Gives an order that was admitted.
    fn give(&mut self, request: OrderRequest, units: &[Cell]) -> Order {
        let map = self.layers.used(request.goal.layer());
        match request.shared {
            Some(order) => {
                self.book.join(&order, map, units);
                order
            }
            None => self.book.give(map, request.goal, request.reach, units),
        }
    }

    /// Gives an order another goal and other units, for example to follow a
    /// moving target. The old directions stay in use until the new ones are
    /// ready. The cells that the order served before are forgotten.
    ///
    /// Only this claim is re-aimed. If the order has other claims (clones, or
    /// [`order`](Self::order)s to an equal goal), they keep the order and its goal.
    /// This claim then becomes one on a new order, which begins with a copy of the
    /// old directions. Clones count at the moment of the call, so in lockstep each
    /// machine must hold the same clones.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld};
    ///
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (unit, depot, bridge) = (Cell::new(3, 3), Cell::new(90, 50), Cell::new(50, 5));
    /// let mut scouts = world.order(depot, &[unit])?;
    /// let wagons = world.order(depot, &[unit])?; // the same order
    /// world.aim(&mut scouts, bridge, &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    /// assert_eq!(world.destination(&scouts, unit), Some(bridge));
    /// assert_eq!(world.destination(&wagons, unit), Some(depot));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// In the cases of [`order`](Self::order); then the order stays as it was.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub fn aim(
        &mut self,
        order: &mut Order,
        goal: impl Into<Goal>,
        units: &[Cell],
    ) -> Result<(), OrderError> {
        self.check_order(order);
        let goal = goal.into();
        let (layer, found) = (order.goal().layer(), goal.layer());
        if layer != found {
            return Err(OrderError::OtherLayer { layer, found });
        }
        self.check(&goal, units)?;
        let (goal, reach) = self.consider(goal, units)?;
        if order.is_shared() {
            self.check_room(1)?;
        }
        let map = self.layers.used(layer);
        self.book.aim(order, map, goal, reach, units);
        Ok(())
    }

    /// [Aims](Self::aim) an order at a moving target, but only once the target
    /// has moved by an eighth of its distance to the nearest unit: the farther,
    /// the rarer. Returns whether the order was re-aimed. The goal is then the
    /// target alone, with the start cost and the policies of the order's first
    /// goal cell.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (hunter, prey) = (Cell::new(5, 5), Cell::new(85, 5));
    /// let mut order = world.order(prey, &[hunter])?;
    /// assert!(!world.aim_at_moving(&mut order, Cell::new(86, 5), &[hunter])?, "far off");
    /// assert!(world.aim_at_moving(&mut order, Cell::new(85, 25), &[hunter])?);
    /// assert_eq!(order.goal().cell(), Cell::new(85, 25));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// In the cases of [`order`](Self::order); then the order stays as it was.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub fn aim_at_moving(
        &mut self,
        order: &mut Order,
        target: Cell,
        units: &[Cell],
    ) -> Result<bool, OrderError> {
        let goal = order.goal();
        let (planned, strict) = (goal.cell(), goal.is_strict());
        let price = |from: Cell| octile(from.x.abs_diff(target.x), from.y.abs_diff(target.y));
        let left = units.iter().map(|&unit| price(unit)).min().unwrap_or(0);
        if planned == target || 8 * price(planned) < left {
            return Ok(false);
        }
        let start_cost = goal.sources().next().map_or(0, |source| source.start_cost);
        let next = Goal::at(target)
            .on(goal.layer())
            .with_start_cost(start_cost)
            .with_quality(goal.quality());
        let goal = if strict { next } else { next.or_nearest() };
        self.aim(order, goal, units).map(|()| true)
    }

    /// Extends the order to this cell, for a unit that got
    /// [`Sample::OffRoute`](crate::Sample::OffRoute). Ticks do the work: the
    /// order's search goes on where it ended, and only sectors that are missing, or
    /// that improve through these, are settled. Only an order of quality
    /// [`Exact`](crate::Quality::Exact) settles all its sectors again. If the cell
    /// is covered already or cannot reach the goal, the call does nothing.
    ///
    /// It may be called for every stray in every tick. Asking again for the same
    /// cell is a look-up. An order has one place in the queue and loads for one
    /// batch of cells at a time; cells that come meanwhile wait, and are then served
    /// together. Strays can delay other orders: the budget is the only limit on
    /// their rate.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CostMap, FlowWorld, Sample};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(90, 5), &[Cell::new(5, 5)])?;
    /// world.tick(Budget::UNLIMITED);
    /// let stray = Cell::new(5, 55);
    /// assert_eq!(world.sample(&order, stray), Sample::OffRoute);
    /// world.cover(&order, stray)?;
    /// world.tick(Budget::UNLIMITED);
    /// assert!(world.sample(&order, stray).direction().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the cell is off the map. If the order would have to keep the cell, but
    /// serves as many cells as the [`limits`](Self::limits) allow. Then nothing
    /// has changed.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub fn cover(&mut self, order: &Order, unit: Cell) -> Result<(), OrderError> {
        self.check_units(&[unit])?;
        let plan = self.book.plan(order);
        let map = self.layers.used(plan.goal().layer());
        let (units_max, known) = (self.limits.units, plan.last_asked().1.len());
        if known >= units_max as usize && plan.would_keep(map, unit) {
            let given = known + 1;
            return Err(OrderError::TooManyUnits { units_max, given });
        }
        self.book.cover(order, map, unit);
        Ok(())
    }

    /// Checks what depends on the ground of the order's layer. Returns its goal, and what of
    /// it the units can reach.
    fn consider(&self, goal: Goal, units: &[Cell]) -> Result<(Goal, Reach), OrderError> {
        let map = self.layers.used(goal.layer());
        if goal.is_strict() && !goal.cells().any(|cell| map.costs.is_open(cell)) {
            return Err(OrderError::GoalInWall { goal: goal.cell() });
        }
        let goal = goal.with_sides(map, self.limits.units);
        let reach = self.reach(&goal, units)?;
        Ok((goal, reach))
    }

    fn check_size(&self, goal: &Goal, units: &[Cell]) -> Result<(), OrderError> {
        let units_max = self.limits.units;
        let mut given = units.len();
        if given > units_max as usize {
            given = each_once(units);
        }
        let given = given.max(goal.cells().count());
        if given > units_max as usize {
            return Err(OrderError::TooManyUnits { units_max, given });
        }
        Ok(())
    }

    /// Returns what of the goal the units can reach, or an error if that is
    /// nothing.
    fn reach(&self, goal: &Goal, units: &[Cell]) -> Result<Reach, OrderError> {
        let map = self.layers.used(goal.layer());
        let reach = Reach::new(map, goal, units);
        let mut served = units.iter();
        if !units.is_empty() && !served.any(|&unit| reach.may_serve(map, unit)) {
            let gate = self.closed_gate(goal, units[0]);
            let (goal, unit) = (goal.cell(), units[0]);
            return Err(OrderError::Unreachable { goal, unit, gate });
        }
        if reach.is_hopeless() {
            return Err(OrderError::GoalInWall { goal: goal.cell() });
        }
        Ok(reach)
    }

    /// Checks that more units can join an order.
    fn check_joining(&self, order: &Order, units: &[Cell]) -> Result<(), OrderError> {
        let plan = self.book.plan(order);
        let units_max = self.limits.units;
        let known = plan.last_asked().1.len();
        let mut given = known + units.len();
        if given > units_max as usize {
            let more = units.iter().filter(|&&unit| !plan.was_asked(unit));
            given = known + each_once(more);
        }
        if given > units_max as usize {
            return Err(OrderError::TooManyUnits { units_max, given });
        }
        Ok(())
    }

    /// Checks that there is room for some more orders. Orders whose last claim is
    /// gone are freed for it: as more than one is for each that is given, those that wait
    /// do not become more and more.
    fn check_room(&mut self, more: usize) -> Result<(), OrderError> {
        let limit = self.limits.orders;
        let is_full = |book: &Book| book.len() + more > limit as usize;
        if is_full(&self.book) {
            self.book.take_returned();
        }
        self.book.free_returned(FREED_WITH_ORDER);
        if is_full(&self.book) {
            return Err(OrderError::Full { limit });
        }
        if !self.book.has_numbers(more) {
            return Err(OrderError::NoNumbers);
        }
        Ok(())
    }

    /// Checks the cells and the numbers of an order, the same on every layer.
    fn check(&self, goal: &Goal, units: &[Cell]) -> Result<(), OrderError> {
        let costs = self.costs();
        let (extent, width, height) = (costs.extent(), costs.width(), costs.height());
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
        self.check_units(units)?;
        self.check_size(goal, units)
    }

    fn check_units(&self, units: &[Cell]) -> Result<(), OrderError> {
        let costs = self.costs();
        let extent = costs.extent();
        let off = |&(_, unit): &(usize, &Cell)| !extent.contains(*unit);
        match units.iter().enumerate().find(off) {
            None => Ok(()),
            Some((index, &unit)) => Err(OrderError::UnitOffMap {
                index,
                unit,
                width: costs.width(),
                height: costs.height(),
            }),
        }
    }
}

/// The number of different cells.
fn each_once<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> usize {
    let mut cells: Vec<Cell> = cells.into_iter().copied().collect();
    cells.sort_unstable_by_key(|cell| (cell.y, cell.x));
    cells.dedup();
    cells.len()
}
