use super::{BlockError, EditReport, FlowWorld, Inspection, Limits, StampError};
use crate::cost::{Cost, PlacedStamp, StampId, StampTemplate, Turn};
use crate::grid::{Cell, CellRect};
use crate::map::Edit;

/// What stands on the ground for a while: buildings and bridges as stamps,
/// parked units and locked doors as blockers.
///
/// A cell with a blocker is a wall. Otherwise the newest stamp on the cell sets
/// its cost, more or less than that of the ground; so a bridge opens water.
/// Without a stamp it costs what the ground costs. Stamps may overlap and be
/// removed in any order, and whatever is below comes back.
/// [`edit`](FlowWorld::edit) changes the ground, also under stamps and blockers.
///
/// ```
/// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, StampTemplate, Turn};
///
/// let mut map = CostMap::open(60, 20)?;
/// map.edit(CellRect::new(30, 0, 4, 20), Cost::WALL)?; // a river
/// let mut world = FlowWorld::new(map);
/// let (west, east) = (Cell::new(3, 9), Cell::new(55, 9));
/// assert!(!world.reachable(west, east));
///
/// let bridge = StampTemplate::rows(&["....", "...."])?;
/// let (id, _) = world.stamp(&bridge, Cell::new(30, 8), Turn::None)?;
/// assert!(world.reachable(west, east));
/// world.unstamp(id);
/// assert!(!world.reachable(west, east));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl FlowWorld {
    /// Stamps a template on the map: turned, with its north-west corner at a
    /// cell, above all stamps that are there.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld, StampTemplate, Turn};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let hut = StampTemplate::rows(&["###", "#.#"])?; // its door is to the south
    /// let (id, report) = world.stamp(&hut, Cell::new(20, 20), Turn::None)?;
    /// assert_eq!(report.cells, 5);
    /// assert_eq!(world.costs().get(Cell::new(20, 20)), Some(Cost::WALL));
    /// assert!(world.inspect().stamps().eq([id]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a part of it would be off the map, or if the number of stamps has reached
    /// its [limit](FlowWorld::limits); then nothing has changed.
    pub fn stamp(
        &mut self,
        template: &StampTemplate,
        at: Cell,
        turn: Turn,
    ) -> Result<(StampId, EditReport), StampError> {
        let area = template.area(at, turn);
        self.costs().check(area)?;
        let limit = self.limits.stamps;
        if self.layers.stamps().len() >= limit as usize {
            return Err(StampError::Full { limit });
        }
        if !self.layers.stamps().has_numbers() {
            return Err(StampError::NoNumbers);
        }
        let stamp = PlacedStamp {
            template: template.clone(),
            at,
            turn,
        };
        let (stamps, ground) = self.layers.stamps_mut();
        let (id, costs) = stamps.add(ground, stamp);
        Ok((id, self.edit_ground(&[Edit::Standing(area, &costs)])))
    }

    /// Removes a stamp. Returns `None` if it is gone already; then nothing has
    /// changed.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld, StampTemplate, Turn};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (id, _) = world.stamp(&StampTemplate::rows(&["##"])?, Cell::new(20, 20), Turn::None)?;
    /// assert!(world.unstamp(id).is_some());
    /// assert_eq!(world.costs().get(Cell::new(20, 20)), Some(Cost::OPEN));
    /// assert!(world.unstamp(id).is_none(), "it is gone");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unstamp(&mut self, id: StampId) -> Option<EditReport> {
        let (stamps, ground) = self.layers.stamps_mut();
        let (area, costs) = stamps.remove(ground, id)?;
        Some(self.edit_ground(&[Edit::Standing(area, &costs)]))
    }

    /// Puts a blocker on a cell: a parked unit, a locked door. The cell is a wall
    /// until each of its blockers is removed with [`unblock`](Self::unblock).
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let door = Cell::new(20, 20);
    /// world.block(door)?;
    /// world.block(door)?;
    /// world.unblock(door)?;
    /// assert_eq!(world.costs().get(door), Some(Cost::WALL), "one blocker is left");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the cell is off the map, or if the number of cells with blockers has
    /// reached its [limit](FlowWorld::limits); then nothing has changed.
    pub fn block(&mut self, cell: Cell) -> Result<EditReport, BlockError> {
        self.costs().check(cell.into())?;
        let limit = self.limits.blocked;
        let stamps = self.layers.stamps();
        let full = stamps.blocked() >= limit as usize;
        if full && stamps.blockers(self.costs(), cell) == 0 {
            return Err(BlockError::Full { limit });
        }
        let (stamps, ground) = self.layers.stamps_mut();
        let cost = stamps.block(ground, cell);
        Ok(self.edit_standing(cell, cost))
    }

    /// Removes a blocker from a cell.
    ///
    /// ```
    /// use flowtiles::error::BlockError;
    /// use flowtiles::{Cell, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let cell = Cell::new(20, 20);
    /// world.block(cell)?;
    /// assert!(world.unblock(cell).is_ok());
    /// assert_eq!(world.unblock(cell), Err(BlockError::NotBlocked { cell }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the cell is off the map or has no blocker; then nothing has changed.
    pub fn unblock(&mut self, cell: Cell) -> Result<EditReport, BlockError> {
        self.costs().check(cell.into())?;
        let (stamps, ground) = self.layers.stamps_mut();
        let cost = stamps.unblock(ground, cell);
        let cost = cost.ok_or(BlockError::NotBlocked { cell })?;
        Ok(self.edit_standing(cell, cost))
    }

    fn edit_standing(&mut self, cell: Cell, cost: Cost) -> EditReport {
        self.edit_ground(&[Edit::Standing(cell.into(), &[cost.value()])])
    }

    /// Returns the limits of the world.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Sets the limits of the world. What exceeds them already is kept.
    ///
    /// ```
    /// use flowtiles::error::OrderError;
    /// use flowtiles::{Cell, CostMap, FlowWorld};
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

/// Stamps, blockers and the ground below them.
impl<'w> Inspection<'w> {
    /// Returns the stamps on the map, the oldest first.
    pub fn stamps(self) -> impl Iterator<Item = StampId> + use<'w> {
        self.world.layers.stamps().iter().map(|(id, _)| id)
    }

    /// Returns the area that a stamp takes, holes included; `None` if it is gone.
    #[must_use]
    pub fn stamp_area(self, id: StampId) -> Option<CellRect> {
        self.world.layers.stamps().get(id).map(PlacedStamp::area)
    }

    /// Returns the number of blockers on a cell; 0 off the map.
    #[must_use]
    pub fn blockers(self, cell: Cell) -> u32 {
        if !self.world.layers.extent().contains(cell) {
            return 0;
        }
        self.world
            .layers
            .stamps()
            .blockers(self.world.costs(), cell)
    }

    /// Returns the cost of a cell's ground, below stamps and blockers; `None`
    /// off the map.
    #[must_use]
    pub fn ground(self, cell: Cell) -> Option<Cost> {
        if !self.world.layers.extent().contains(cell) {
            return None;
        }
        self.world.layers.stamps().ground(self.world.costs(), cell)
    }
}
