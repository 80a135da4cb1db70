//! What an order says to all cells of an area, read sector by sector.

use std::fmt;

use super::{FlowWorld, Sample};
use crate::cost::OffMap;
use crate::field::{Flow, in_u32, tile_costs};
use crate::grid::{Cell, CellRect, SECTOR_CELLS, SectorId, Slot};
use crate::order::{Order, Plan};

/// What an order says to a whole area at once.
impl FlowWorld {
    /// Writes what the order says to each cell of an area, row by row: the
    /// [byte](Sample::byte) of its [`sample`](Self::sample), or
    /// [`BYTE_IN_WALL`](Sample::BYTE_IN_WALL) for a wall of the order's layer. (A unit in a wall
    /// is led out by `sample`, which searches for the way there.)
    ///
    /// For a game that moves thousands of units on a graphics card, draws a field, or teaches
    /// a model what is around a unit. A cell of a loaded sector takes about a nanosecond; one of
    /// a sector that is not loaded takes longer, unless the sector has no walls.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CellRect, Cost, CostMap, Direction, FlowWorld, Sample};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.edit(Cell::new(6, 5), Cost::WALL)?;
    /// let (unit, goal) = (Cell::new(4, 5), Cell::new(7, 5));
    /// let order = world.order(goal, &[unit])?;
    /// world.tick(Budget::UNLIMITED);
    ///
    /// let area = CellRect::new(4, 5, 4, 1);
    /// let mut samples = [0; 4];
    /// world.sample_rows(&order, area, &mut samples)?;
    /// let first = Direction::ALL.get(usize::from(samples[0]));
    /// assert_eq!(first.copied(), world.sample(&order, unit).direction());
    /// assert_eq!(samples[2..], [Sample::BYTE_IN_WALL, Sample::Arrived.byte()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell of the area is off the map, or if `into` has more or fewer bytes than the area
    /// has cells; then nothing is written.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub fn sample_rows(
        &self,
        order: &Order,
        area: CellRect,
        into: &mut [u8],
    ) -> Result<(), RowsError> {
        let plan = self.book.plan(order);
        self.fill_rows(area, into, |sector, first| {
            self.samples_in(plan, sector, first)
        })
    }

    /// Writes the [`cost_to_go`](Self::cost_to_go) of each cell of an area, row by row:
    /// `u32::MAX` where it is `None`, and `u32::MAX - 1` for all costs from that one on.
    ///
    /// A cell takes three to four nanoseconds; of a sector that the area covers in part, all
    /// hundred are computed. While an edit concerns the order and it is not planned again, it
    /// takes as long as `cost_to_go` of all cells.
    ///
    /// ```
    /// use flowtiles::{Budget, Cell, CellRect, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let order = world.order(Cell::new(7, 5), &[Cell::new(4, 5)])?;
    /// world.tick(Budget::UNLIMITED);
    /// let mut costs = [0; 8];
    /// world.cost_to_go_rows(&order, CellRect::new(4, 5, 4, 2), &mut costs)?;
    /// assert_eq!(costs, [15, 10, 5, 0, 17, 12, 7, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a cell of the area is off the map, or if `into` has more or fewer entries than the
    /// area has cells; then nothing is written.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[track_caller]
    pub fn cost_to_go_rows(
        &self,
        order: &Order,
        area: CellRect,
        into: &mut [u32],
    ) -> Result<(), RowsError> {
        let plan = self.book.plan(order);
        self.fill_rows(area, into, |sector, _| self.costs_in(plan, sector))
    }

    /// Writes a value for each cell of an area, row by row. `reader_of` returns for a sector,
    /// and the first of its cells that are in the area, what reads its cells.
    fn fill_rows<T, R: FnMut(Slot) -> T>(
        &self,
        area: CellRect,
        into: &mut [T],
        reader_of: impl Fn(SectorId, Cell) -> R,
    ) -> Result<(), RowsError> {
        self.costs().check(area).map_err(RowsError::OffMap)?;
        let expected = u64::from(area.width) * u64::from(area.height);
        let found = into.len() as u64;
        if expected != found {
            return Err(RowsError::Length { expected, found });
        }
        if area.is_empty() {
            return Ok(());
        }
        let extent = self.layers.extent();
        for (sector, part) in extent.parts_of(area) {
            let mut read = reader_of(sector, Cell::new(part.x, part.y));
            let origin = extent.origin(sector);
            for y in part.y..part.y + part.height as i32 {
                let row = (y - area.y) as usize * area.width as usize;
                let row = &mut into[row + (part.x - area.x) as usize..][..part.width as usize];
                let first = Slot::at(part.x - origin.x, y - origin.y).index();
                for (at, value) in (first..).zip(row) {
                    *value = read(Slot::of(at));
                }
            }
        }
        Ok(())
    }

    /// Returns what reads the samples of a sector's cells, of which `first` is one.
    fn samples_in(&self, plan: &Plan, sector: SectorId, first: Cell) -> impl FnMut(Slot) -> u8 {
        let extent = self.layers.extent();
        let ground = self.map_of(plan).costs.tile(sector);
        let current = (!plan.is_stale()).then(|| plan.field().tile(extent.sector(sector)));
        // Off the field, cells of one island have the same answer.
        let is_one = current == Some(None) && ground.is_clear();
        let for_all = is_one.then(|| self.sample_plan(plan, first).byte());
        let (flows, walls) = (current.flatten(), ground.walls().rows);
        move |slot| {
            let flow = flows.map(|flows| Flow::of(flows[slot.index()]));
            if let Some(direction) = flow.and_then(Flow::direction) {
                return Sample::Go(direction).byte();
            }
            if walls[slot.y() as usize] >> slot.x() & 1 == 1 {
                return Sample::BYTE_IN_WALL;
            }
            let sample = || self.sample_plan(plan, extent.cell_at(sector, slot)).byte();
            for_all.unwrap_or_else(sample)
        }
    }

    /// Returns what reads the costs-to-go of a sector's cells.
    fn costs_in(&self, plan: &Plan, sector: SectorId) -> impl FnMut(Slot) -> u32 {
        let (extent, map) = (self.layers.extent(), self.map_of(plan));
        let cell_at = move |slot| extent.cell_at(sector, slot);
        let costs = (!plan.is_stale()).then(|| {
            let place = extent.sector(sector);
            let ground = map.costs.tile(sector);
            let look_up = |slot| plan.cost_to_go(map, cell_at(slot));
            let costs = tile_costs(plan.field(), place, ground.costs(), look_up);
            costs.unwrap_or([in_u32(None); SECTOR_CELLS])
        });
        let flows = plan.field().tile(extent.sector(sector));
        let links = flows.filter(|_| !plan.links().is_empty());
        move |slot| {
            // A link may be closed.
            let is_link = links.is_some_and(|flows| Flow::of(flows[slot.index()]).is_link());
            match &costs {
                Some(costs) if !is_link => costs[slot.index()],
                _ => in_u32(self.cost_by_plan(plan, cell_at(slot))),
            }
        }
    }
}

/// Why an area was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowsError {
    /// The area reaches off the map.
    OffMap(OffMap),
    /// There is not room for just one entry a cell.
    Length {
        /// Cells: width × height.
        expected: u64,
        /// Entries given.
        found: u64,
    },
}

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffMap(error) => error.fmt(f),
            Self::Length { expected, found } => write!(
                f,
                "there is room for {found} cells where the area has {expected}: \
                 give one entry a cell, row by row"
            ),
        }
    }
}

impl std::error::Error for RowsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::OffMap(error) => Some(error),
            Self::Length { .. } => None,
        }
    }
}
