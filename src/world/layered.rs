//! Movement layers: declaring and deriving them, and questions about one of them.

use super::FlowWorld;
use crate::cost::{CostMap, LayerError, LayerId, Movement, OffMap};
use crate::grid::Cell;
use crate::islands::{Nearest, SearchStep};
use crate::map::Map;
use crate::route::{Route, SearchRoom};

/// Movement layers: classes of units, with costs and a width of their own.
///
/// A layer is declared with [`add_layer`](Self::add_layer), and derived when the first
/// order uses it. Then it takes as much time and memory as building the world took.
/// An edit changes the ground once, and all derived layers follow.
impl FlowWorld {
    /// Declares a layer. This costs nothing: it is derived for the first order on it,
    /// or by [`derive_layer`](Self::derive_layer).
    ///
    /// # Errors
    /// If the world has 256 layers.
    pub fn add_layer(&mut self, movement: Movement) -> Result<LayerId, LayerError> {
        self.layers.add(movement)
    }

    /// Returns the movement that a layer was declared for; `None` if there is no such
    /// layer.
    #[must_use]
    pub fn movement(&self, layer: LayerId) -> Option<&Movement> {
        self.layers.movements().get(usize::from(layer.number()))
    }

    /// Derives a layer now, if it is not derived yet: while a map loads, for example,
    /// and not with the first order. It takes as long as building the world.
    ///
    /// # Errors
    /// If the world has no such layer.
    pub fn derive_layer(&mut self, layer: LayerId) -> Result<(), LayerError> {
        match self.layers.derive(layer) {
            Some(_) => Ok(()),
            None => Err(LayerError::NoLayer { layer }),
        }
    }

    /// Frees what is derived for a layer, for all teams. It stays declared, and the next
    /// order derives it again; until then the groups of an army on it walk as on the ground.
    /// The ground's own layer, as team 0 sees it, stays.
    ///
    /// # Errors
    /// If the world has no such layer, or if an order uses it.
    pub fn free_layer(&mut self, layer: LayerId) -> Result<(), LayerError> {
        if self.movement(layer).is_none() {
            return Err(LayerError::NoLayer { layer });
        }
        self.book.take_returned();
        let used = self.book.plans().filter(|plan| {
            let used = plan.goal().layer();
            used.number() == layer.number() && used != LayerId::GROUND
        });
        let orders = used.count();
        if orders > 0 {
            return Err(LayerError::InUse { layer, orders });
        }
        self.layers.free(layer);
        Ok(())
    }

    /// Returns a view of one layer, for questions about it; `None` if it is not derived. The
    /// ground's own layer always is, for team 0; what was derived before gates part the teams
    /// stays derived for each of them. A loaded world has derived what the saved one had.
    ///
    /// ```
    /// use flowtiles::{Cell, CellRect, Cost, CostMap, FlowWorld, Movement};
    /// let mut map = CostMap::open(60, 20)?;
    /// map.edit(CellRect::new(30, 0, 1, 20), Cost::WALL)?;
    /// map.edit(CellRect::new(30, 8, 1, 2), Cost::OPEN)?; // a gap of two cells
    /// let mut world = FlowWorld::new(map);
    /// let wide = world.add_layer(Movement::new().with_size(3)?)?;
    /// world.derive_layer(wide)?;
    /// let (west, east) = (Cell::new(5, 9), Cell::new(55, 9));
    /// assert!(world.reachable(west, east));
    /// assert!(!world.layer(wide).is_some_and(|wide| wide.reachable(west, east)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn layer(&self, layer: LayerId) -> Option<LayerView<'_>> {
        let map = self.layers.get(layer)?;
        Some(LayerView { world: self, map })
    }

    /// The view of the ground's own layer.
    pub(super) const fn ground(&self) -> LayerView<'_> {
        LayerView {
            world: self,
            map: self.layers.ground(),
        }
    }
}

/// One movement layer of a world, from [`FlowWorld::layer`]. The same questions, asked of
/// the world itself, are about the ground's own layer.
#[derive(Clone, Copy)]
pub struct LayerView<'w> {
    world: &'w FlowWorld,
    map: &'w Map,
}

impl<'w> LayerView<'w> {
    /// Returns the costs of the layer. Of wide bodies, the cells are anchors.
    #[must_use]
    pub const fn costs(self) -> &'w CostMap {
        &self.map.costs
    }

    /// Whether a unit can go from one cell to another, through links too: a look-up, and one
    /// for each link.
    #[must_use]
    pub fn reachable(self, from: Cell, to: Cell) -> bool {
        let island = |cell| self.map.islands.of(&self.map.costs, cell);
        let (Some(from), Some(to)) = (island(from), island(to)) else {
            return false;
        };
        from == to
            || !self.map.links.is_empty()
                && self.map.with_links_from(from).binary_search(&to).is_ok()
    }

    /// Returns the cell nearest to `goal` that a unit at `from` can reach; see
    /// [`FlowWorld::nearest_reachable`].
    #[must_use]
    pub fn nearest_reachable(self, from: Cell, goal: Cell) -> Option<Cell> {
        let (costs, islands) = (&self.map.costs, &self.map.islands);
        let island = islands.of(costs, from)?;
        if !costs.extent().contains(goal) {
            return None;
        }
        // An island that links lead to is as good as its own.
        let all = self
            .map
            .with_links_from(island)
            .into_iter()
            .map(|island| (island, from))
            .collect();
        let mut search = Nearest::new(costs.extent(), goal, all);
        loop {
            match search.step(islands, costs) {
                SearchStep::Found(_, cell) => return Some(cell),
                SearchStep::Working(_) => {}
                SearchStep::Finished => return None,
            }
        }
    }

    /// Returns the cheapest route through the portals; see [`FlowWorld::find_route`].
    ///
    /// # Errors
    /// If a cell is off the map.
    pub fn find_route(self, from: Cell, to: Cell) -> Result<Option<Route>, OffMap> {
        self.map.costs.check(from.into())?;
        self.map.costs.check(to.into())?;
        if !self.reachable(from, to) {
            return Ok(None);
        }
        Ok(self.search(|map, room| Route::find(map, room, from, to)))
    }

    /// Runs a search with memory that others have used before.
    pub(super) fn search<T>(self, search: impl FnOnce(&Map, &mut SearchRoom) -> T) -> T {
        let spare = self.world.route_rooms.lock().pop();
        let mut room = spare.unwrap_or_default();
        let found = search(self.map, &mut room);
        self.world.route_rooms.lock().push(room);
        found
    }
}
