//! Questions that a game asks about a map, without an order. None changes any state.

mod free_square;

use free_square::FreeSquares;

use super::{FlowWorld, LayerView};
use crate::cost::{
    CostMap, Deriving, LayerError, LayerId, PlacedStamp, StampTemplate, Turn, WallRows,
};
use crate::grid::{Cell, CellRect, Extent, SectorId};
use crate::route::{nearest_goal, route_cost};

impl LayerView<'_> {
    /// Returns the cost of the cheapest path from one cell to another; see
    /// [`FlowWorld::travel_cost`].
    #[must_use]
    pub fn travel_cost(self, from: Cell, to: Cell) -> Option<u64> {
        if !self.reachable(from, to) {
            return None;
        }
        self.search(|map, room| route_cost(map, room, from, to))
    }

    /// Returns the goal to which the cheapest path leads; see [`FlowWorld::nearest_of`].
    #[must_use]
    pub fn nearest_of(self, goals: impl IntoIterator<Item = Cell>, from: Cell) -> Option<Cell> {
        let goals: Vec<Cell> = goals
            .into_iter()
            .filter(|&goal| self.reachable(from, goal))
            .collect();
        match goals[..] {
            [] => None,
            [only] => Some(only),
            _ => self.search(|map, room| nearest_goal(map, room, from, &goals)),
        }
    }

    /// Whether every cell of an area is on the map and no wall of the layer; see
    /// [`FlowWorld::is_free`]. Of wide bodies the cells are anchors: ask
    /// [`FlowWorld::is_free_for`] about buildings.
    #[must_use]
    pub fn is_free(self, area: CellRect) -> bool {
        is_free(self.costs().extent(), area, walls_of(self.costs()))
    }

    /// Returns the north-west cell of the nearest square without walls of the layer; see
    /// [`FlowWorld::nearest_free`]. Of wide bodies the cells are anchors: ask
    /// [`FlowWorld::nearest_free_for`] about buildings.
    #[must_use]
    pub fn nearest_free(self, cell: Cell, size: u32) -> Option<Cell> {
        let costs = self.costs();
        FreeSquares::new(costs.extent(), walls_of(costs), size)?.nearest(cell)
    }
}

fn walls_of(costs: &CostMap) -> impl Fn(SectorId) -> WallRows {
    |sector| costs.tile(sector).walls().rows
}

/// Whether an area is on the map and without walls; `walls_of` returns those of a sector.
fn is_free(extent: Extent, area: CellRect, walls_of: impl Fn(SectorId) -> WallRows) -> bool {
    if area.is_empty() || !extent.contains_rect(area) {
        return area.is_empty();
    }
    extent.parts_of(area).all(|(sector, part)| {
        let origin = extent.origin(sector);
        let (x, y) = (part.x - origin.x, (part.y - origin.y) as usize);
        let columns = ((1 << part.width) - 1) << x;
        let rows = &walls_of(sector)[y..y + part.height as usize];
        rows.iter().all(|row| row & columns == 0)
    })
}

/// Questions about the ground, without an order. [`LayerView`] answers the same for a
/// movement layer.
impl FlowWorld {
    /// Returns the cost of the cheapest path from one cell to another: that of
    /// [`find_route`](Self::find_route), in less time. `None` if there is no path, or if a cell
    /// is a wall or off the map.
    ///
    /// Between sectors it is the cost by the crossings of portals, which the way on which an
    /// order leads never exceeds: 2 % over the best path in the mean for 50 cells or more between
    /// walls, 4 % on ground with patches of other costs, at most 57 % (38,000 to 48,000 pairs on
    /// drawn maps of 200×200 cells). Under 20 cells it is 8 % in the mean, and where a wall or
    /// dear ground lies at the border of two sectors many times as much: ask an order where that
    /// matters.
    ///
    /// A straight step over ground of cost 1 costs 5, a diagonal step 7, and a step over
    /// other ground that many times its cost. So a unit that covers `speed` cells of cost 1
    /// in a second, and costlier ground slower in proportion (as the units of the module
    /// `steer` do by default), needs about `cost / (5 * speed)` seconds.
    ///
    /// It takes as long as the search of an order: a few microseconds inside a sector, and
    /// more the more sectors and clusters lie on the way.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let (from, to) = (Cell::new(5, 4), Cell::new(25, 4));
    /// let cost = world.travel_cost(from, to).expect("the ground is open");
    /// assert_eq!(cost, 20 * 5);
    /// let speed = 4.0; // cells a second
    /// assert_eq!(cost as f32 / (5.0 * speed), 5.0, "seconds");
    ///
    /// world.edit(CellRect::new(15, 0, 1, 60), Cost::WALL)?;
    /// assert_eq!(world.travel_cost(from, to), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn travel_cost(&self, from: Cell, to: Cell) -> Option<u64> {
        self.ground().travel_cost(from, to)
    }

    /// Returns the goal with the least [`travel_cost`](Self::travel_cost) from a cell: the
    /// depot to which a truck returns, for example. Of equal goals it is always the same
    /// one. Goals that cannot be reached do not count; `None` if none can be.
    ///
    /// One search from all goals at once, which ends where it meets the cell. It takes about
    /// as long as the search for the nearest goal alone, and some 5 µs for the sector of each
    /// other goal.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// world.edit(CellRect::new(50, 0, 1, 55), Cost::WALL)?;
    /// let depots = [Cell::new(5, 5), Cell::new(52, 5)];
    /// let truck = Cell::new(45, 5);
    /// // The second depot is nearer as the crow flies, but behind the wall.
    /// assert_eq!(world.nearest_of(depots, truck), Some(depots[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nearest_of(&self, goals: impl IntoIterator<Item = Cell>, from: Cell) -> Option<Cell> {
        self.ground().nearest_of(goals, from)
    }

    /// Whether every cell of an area is on the map and no wall: whether there is room for a
    /// building. Blockers and stamps count; units do not, since a world does not know where
    /// they are. An area without cells is free.
    ///
    /// A lake is free if water is no wall but a kind of ground that costs more: where classes
    /// of units have costs of their own, ask [`is_free_for`](Self::is_free_for).
    ///
    /// It looks at each sector of the area once, at the rows of cells there.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let site = CellRect::new(30, 30, 4, 3);
    /// assert!(world.is_free(site));
    /// world.block(Cell::new(33, 32))?;
    /// assert!(!world.is_free(site));
    /// assert!(!world.is_free(CellRect::new(98, 0, 4, 3)), "off the map");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_free(&self, area: CellRect) -> bool {
        self.ground().is_free(area)
    }

    /// Returns the north-west cell of the nearest [free](Self::is_free) square of this side:
    /// the one to which the walk from `cell` over open ground would cost least; of equals,
    /// the first in the map's rows. `None` if there is none, for a side of 0, and if `cell`
    /// is off the map. For a building around a cell, ask for the cell half a side to the
    /// north-west. Where classes of units have costs of their own, ask
    /// [`nearest_free_for`](Self::nearest_free_for).
    ///
    /// It looks outward until no nearer square can follow, at each cell a few times at most:
    /// at a square of twice the side if there is room near the cell, and at the whole map if
    /// there is none anywhere.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, CostMap, FlowWorld};
    /// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
    /// let corner = Cell::new(30, 30);
    /// assert_eq!(world.nearest_free(corner, 4), Some(corner));
    /// world.block(Cell::new(32, 31))?;
    /// assert_eq!(world.nearest_free(corner, 4), Some(Cell::new(28, 30)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn nearest_free(&self, cell: Cell, size: u32) -> Option<Cell> {
        self.ground().nearest_free(cell, size)
    }

    /// Whether every cell of an area is on the map and no wall to a class of units: whether
    /// there is room for a building on land, with the layer of those that walk, or for a
    /// harbour, with that of ships.
    ///
    /// What is a wall is said by the costs that the layer's [`Movement`](crate::Movement) gives
    /// to kinds of ground, by blockers and stamps, and by the gates that are closed to the
    /// layer's team. The width of bodies does not matter: cells are cells of the ground here,
    /// where they are anchors to [`LayerView::is_free`]. The layer need not be derived. An area
    /// without cells is free.
    ///
    /// ```
    /// use flowtiles::{CellRect, Cost, CostMap, FlowWorld, Movement};
    /// let water = Cost::new(20)?;
    /// let mut map = CostMap::open(100, 60)?;
    /// map.edit(CellRect::new(40, 0, 20, 60), water)?;
    /// let mut world = FlowWorld::new(map);
    /// let tank = world.add_layer(Movement::new().with_cost(water, Cost::WALL).with_size(3)?)?;
    /// let lake = CellRect::new(50, 30, 4, 3);
    /// assert!(world.is_free(lake), "water is no wall of the ground");
    /// assert!(!world.is_free_for(tank, lake)?);
    /// assert!(world.is_free_for(tank, CellRect::new(36, 30, 4, 3))?, "up to the shore");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Of a team with [fog](Self::add_fog) this is what it knows. Ask with a layer of team 0 for what
    /// is there.
    ///
    /// # Errors
    /// If the world has no such layer.
    pub fn is_free_for(&self, layer: LayerId, area: CellRect) -> Result<bool, LayerError> {
        let walls = self.walls_for(layer)?;
        let extent = self.layers.extent();
        Ok(is_free(extent, area, |sector| walls.walls(sector)))
    }

    /// Returns the north-west cell of the nearest square that is
    /// [free for a class](Self::is_free_for), as [`nearest_free`](Self::nearest_free) does.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Movement};
    /// let water = Cost::new(20)?;
    /// let mut map = CostMap::open(100, 60)?;
    /// map.edit(CellRect::new(40, 0, 20, 60), water)?;
    /// let mut world = FlowWorld::new(map);
    /// let land = world.add_layer(Movement::new().with_cost(water, Cost::WALL))?;
    /// let at = world.nearest_free_for(land, Cell::new(42, 30), 4)?;
    /// assert_eq!(at, Some(Cell::new(36, 30)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the world has no such layer.
    pub fn nearest_free_for(
        &self,
        layer: LayerId,
        cell: Cell,
        size: u32,
    ) -> Result<Option<Cell>, LayerError> {
        let walls = self.walls_for(layer)?;
        let extent = self.layers.extent();
        let squares = FreeSquares::new(extent, |sector| walls.walls(sector), size);
        Ok(squares.and_then(|squares| squares.nearest(cell)))
    }

    /// Whether there is room for a building of any shape: whether a template, as
    /// [`stamp`](Self::stamp) would lay it, is on the map and all cells under it are
    /// [free for a class](Self::is_free_for). Holes of the template may lie on anything; its rim
    /// may not, since a stamp of low cost opens a wall under it.
    ///
    /// ```
    /// use flowtiles::{Cell, Cost, CostMap, FlowWorld, LayerId, StampTemplate, Turn};
    /// let mut world = FlowWorld::new(CostMap::open(60, 40)?);
    /// // A square with sides of 4 cells, turned by an eighth.
    /// let corners = [[160, 115], [205, 160], [160, 205], [115, 160]];
    /// let (at, hall) = StampTemplate::polygon(&corners, Cost::WALL, None)?;
    /// world.block(at)?; // under a corner of its rectangle, where it has a hole
    /// assert!(world.is_free_for_stamp(LayerId::GROUND, &hall, at, Turn::None)?);
    /// world.block(Cell::new(10, 10))?;
    /// assert!(!world.is_free_for_stamp(LayerId::GROUND, &hall, at, Turn::None)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the world has no such layer.
    pub fn is_free_for_stamp(
        &self,
        layer: LayerId,
        template: &StampTemplate,
        at: Cell,
        turn: Turn,
    ) -> Result<bool, LayerError> {
        let walls = self.walls_for(layer)?;
        let template = template.clone();
        let stamp = PlacedStamp { template, at, turn };
        let (extent, area) = (self.layers.extent(), stamp.area());
        let is_free = |(sector, part): (SectorId, CellRect)| {
            let (rows, origin) = (walls.walls(sector), extent.origin(sector));
            part.cells().all(|cell| {
                let row = rows[(cell.y - origin.y) as usize];
                row >> (cell.x - origin.x) & 1 == 0 || stamp.cost_at(cell).is_none()
            })
        };
        Ok(extent.contains_rect(area) && extent.parts_of(area).all(is_free))
    }

    /// What knows the walls of a layer, derived or not.
    fn walls_for(&self, layer: LayerId) -> Result<Deriving<'_>, LayerError> {
        let found = self.layers.deriving(layer);
        found.ok_or(LayerError::NoLayer { layer })
    }
}
