use super::{BlockError, EditReport, FlowWorld, Inspection, Limits, StampError};
use crate::cost::{Cost, Placed, StampId, Template, Turn};
use crate::grid::{Cell, Rect};
use crate::map::Stroke;

/// What stands on the ground for a while: buildings and bridges as stamps,
/// parked units and closed gates as blockers.
///
/// A cell with a blocker is a wall. Else the newest stamp that covers it says
/// what it costs: more than the ground or less, so a bridge opens water. Else
/// it costs what the ground does. Stamps overlap and leave in any order, and
/// what is below comes back. [`edit`](FlowWorld::edit) changes the ground,
/// under stamps and blockers too.
///
/// ```
/// use flowtiles::{Cell, Cost, CostMap, FlowWorld, Rect, Template, Turn};
///
/// let mut map = CostMap::open(60, 20)?;
/// map.edit(Rect::new(30, 0, 4, 20), Cost::WALL)?; // a river
/// let mut world = FlowWorld::new(map);
/// let (west, east) = (Cell::new(3, 9), Cell::new(55, 9));
/// assert!(!world.reachable(west, east));
///
/// let bridge = Template::rows(&["....", "...."])?;
/// let (id, _) = world.stamp(&bridge, Cell::new(30, 8), Turn::None)?;
/// assert!(world.reachable(west, east));
/// world.unstamp(id);
/// assert!(!world.reachable(west, east));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl FlowWorld {
    /// Stamps a template on the map: turned, with its north-west corner at a
    /// cell. It goes over all stamps that stand there.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld, Template, Turn};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let hut = Template::rows(&["###", "#.#"])?; // its door is to the south
    /// let (id, report) = world.stamp(&hut, Cell::new(20, 20), Turn::None)?;
    /// assert_eq!(report.cells, 5);
    /// assert_eq!(world.costs().get(Cell::new(20, 20)), Some(Cost::WALL));
    /// assert!(world.inspect().stamps().eq([id]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If it would reach off the map, or if as many stamps stand as the
    /// [`limits`](FlowWorld::limits) allow; then nothing was changed.
    pub fn stamp(
        &mut self,
        template: &Template,
        at: Cell,
        turn: Turn,
    ) -> Result<(StampId, EditReport), StampError> {
        let area = template.area(at, turn);
        self.map.costs.check(area)?;
        let limit = self.limits.stamps;
        if self.map.stamps.len() >= limit as usize {
            return Err(StampError::Full { limit });
        }
        if !self.map.stamps.has_numbers() {
            return Err(StampError::NoNumbers);
        }
        let placed = Placed {
            template: template.clone(),
            at,
            turn,
        };
        let (id, costs) = self.map.stamps.add(&self.map.costs, placed);
        Ok((id, self.draw(&[Stroke::Standing(area, &costs)])))
    }

    /// Takes a stamp away. `None` if it is gone already; then nothing was
    /// changed.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld, Template, Turn};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (id, _) = world.stamp(&Template::rows(&["##"])?, Cell::new(20, 20), Turn::None)?;
    /// assert!(world.unstamp(id).is_some());
    /// assert_eq!(world.costs().get(Cell::new(20, 20)), Some(Cost::OPEN));
    /// assert!(world.unstamp(id).is_none(), "it is gone");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unstamp(&mut self, id: StampId) -> Option<EditReport> {
        let (area, costs) = self.map.stamps.remove(&self.map.costs, id)?;
        Some(self.draw(&[Stroke::Standing(area, &costs)]))
    }

    /// Puts a blocker on a cell: a parked unit, a closed gate. Until as many
    /// are taken away again with [`unblock`](Self::unblock), it is a wall.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let gate = Cell::new(20, 20);
    /// world.block(gate)?;
    /// world.block(gate)?;
    /// world.unblock(gate)?;
    /// assert_eq!(world.costs().get(gate), Some(Cost::WALL), "one blocker is left");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the cell is off the map, or if as many cells have blockers as the
    /// [`limits`](FlowWorld::limits) allow; then nothing was changed.
    pub fn block(&mut self, cell: Cell) -> Result<EditReport, BlockError> {
        self.map.costs.check(cell.into())?;
        let limit = self.limits.blocked;
        let full = self.map.stamps.blocked() >= limit as usize;
        if full && self.map.stamps.blockers(&self.map.costs, cell) == 0 {
            return Err(BlockError::Full { limit });
        }
        let cost = self.map.stamps.block(&self.map.costs, cell);
        Ok(self.draw_standing(cell, cost))
    }

    /// Takes a blocker from a cell.
    ///
    /// ```
    /// use flowtiles::{BlockError, Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let cell = Cell::new(20, 20);
    /// world.block(cell)?;
    /// assert!(world.unblock(cell).is_ok());
    /// assert_eq!(world.unblock(cell), Err(BlockError::NotBlocked { cell }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the cell is off the map or has no blocker; then nothing was changed.
    pub fn unblock(&mut self, cell: Cell) -> Result<EditReport, BlockError> {
        self.map.costs.check(cell.into())?;
        let cost = self.map.stamps.unblock(&self.map.costs, cell);
        let cost = cost.ok_or(BlockError::NotBlocked { cell })?;
        Ok(self.draw_standing(cell, cost))
    }

    fn draw_standing(&mut self, cell: Cell, cost: Cost) -> EditReport {
        self.draw(&[Stroke::Standing(cell.into(), &[cost.value()])])
    }

    /// How much the world takes on.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Sets how much the world takes on. What it has already it keeps, even if
    /// that is more.
    ///
    /// ```
    /// use flowtiles::{Cell, CostMap, FlowWorld, OrderError};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let mut limits = world.limits();
    /// limits.orders = 1;
    /// world.set_limits(limits);
    /// let _order = world.order(Cell::new(5, 5), &[])?;
    /// let second = world.order(Cell::new(9, 9), &[]);
    /// assert_eq!(second, Err(OrderError::Full { limit: 1 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }
}

/// What stands on the ground.
impl<'w> Inspection<'w> {
    /// The stamps that stand, the oldest first.
    pub fn stamps(self) -> impl Iterator<Item = StampId> + use<'w> {
        self.world.map.stamps.iter().map(|(id, _)| id)
    }

    /// The cells that a stamp takes, holes included; `None` if it is gone.
    #[must_use]
    pub fn stamp_area(self, id: StampId) -> Option<Rect> {
        self.world.map.stamps.get(id).map(Placed::area)
    }

    /// How many blockers are on a cell; 0 off the map.
    #[must_use]
    pub fn blockers(self, cell: Cell) -> u32 {
        if !self.world.map.costs.extent().contains(cell) {
            return 0;
        }
        self.world.map.stamps.blockers(&self.world.map.costs, cell)
    }

    /// What the ground of a cell costs, under all that stands on it; `None`
    /// off the map.
    #[must_use]
    pub fn ground(self, cell: Cell) -> Option<Cost> {
        if !self.world.map.costs.extent().contains(cell) {
            return None;
        }
        self.world.map.stamps.ground(&self.world.map.costs, cell)
    }
}
