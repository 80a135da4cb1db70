//! The content of a world, for pictures, screens and tests.

use super::{FlowWorld, Stats};
use crate::clusters::ClusterGraph;
use crate::cost::{CostMap, LayerId};
use crate::field::{FlowField, Region};
use crate::grid::{Cell, Sector};
use crate::map::Map;
use crate::order::{Order, Plan};
use crate::portal::{PortalGraph, PortalId};
use crate::route::SearchRoom;

/// The contents of a world, for pictures, screens and tests; from
/// [`FlowWorld::inspect`].
///
/// ```
/// use flowtiles::{Budget, Cell, CostMap, FlowWorld, Sector};
///
/// let mut world = FlowWorld::new(CostMap::open(100, 60)?);
/// let order = world.order(Cell::new(95, 5), &[Cell::new(5, 5)])?;
/// world.tick(Budget::UNLIMITED);
/// let inside = world.inspect();
/// assert_eq!(inside.stats().orders, 1);
/// assert_eq!(inside.loaded(&order).len(), 10);
/// assert_eq!(inside.route(&order).len(), 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Inspection<'w> {
    pub(super) world: &'w FlowWorld,
    /// The map of the layer that is looked at.
    pub(super) map: &'w Map,
}

impl FlowWorld {
    /// Returns a view of the world's contents: tiles, portals, islands, stamps,
    /// counts. For pictures, screens and tests.
    #[must_use]
    pub const fn inspect(&self) -> Inspection<'_> {
        Inspection {
            world: self,
            map: self.layers.ground(),
        }
    }
}

impl<'w> Inspection<'w> {
    /// Returns the same view with portals, clusters and islands of another layer than the
    /// ground's; `None` if the layer is not derived. What is said of an order is in any
    /// case about the order's own layer.
    #[must_use]
    pub fn layer(self, layer: LayerId) -> Option<Self> {
        let map = self.world.layers.get(layer)?;
        Some(Self { map, ..self })
    }

    /// Returns the portal graph of the present costs, for tests and tools.
    #[must_use]
    pub const fn portal_graph(self) -> &'w PortalGraph {
        &self.map.graph
    }

    /// The level above the portal graph, which searches cross in few steps: the
    /// portals between clusters and the costs through them. For tests and tools.
    #[must_use]
    pub const fn cluster_graph(self) -> ClusterGraph<'w> {
        ClusterGraph::new(&self.map.graph, &self.map.clusters)
    }

    /// Returns a number that changes whenever the order's loaded sectors or their
    /// directions may have changed. Keep it beside data derived from them, such
    /// as a texture of directions. It is not saved.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn revision(self, order: &Order) -> u64 {
        self.world.book.plan(order).revision()
    }

    /// Returns the sectors that the order has loaded, row by row.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn loaded(self, order: &Order) -> Vec<Sector> {
        let mut sectors: Vec<Sector> = self.world.book.plan(order).field().sectors().collect();
        sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
        sectors
    }

    /// Whether the order has loaded a sector: a look-up.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn is_loaded(self, order: &Order, sector: Sector) -> bool {
        let is_on_map = self.world.layers.extent().sector_id(sector).is_some();
        is_on_map && self.world.book.plan(order).field().has_sector(sector)
    }

    /// Returns the cells that the order serves: each once, in the order in
    /// which they were given.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn units(self, order: &Order) -> &'w [Cell] {
        self.world.book.plan(order).last_asked().1
    }

    /// Whether an edit concerns the order and the order has not been planned
    /// again since. Until then its directions are those of the map before the
    /// edit, where these still hold.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn is_stale(self, order: &Order) -> bool {
        self.world.book.plan(order).is_stale()
    }

    /// Returns the number of the island that a cell is on, or `None` for walls
    /// and off the map. Two cells can reach each other if their numbers are
    /// equal. A look-up.
    ///
    /// The number distinguishes islands on the present map, for example as
    /// colours of a picture. It is not permanent: any edit may give islands
    /// other numbers, and so may saving and loading.
    #[must_use]
    pub fn island(self, cell: Cell) -> Option<u32> {
        Some(self.map.islands.of(&self.map.costs, cell)?.number())
    }

    /// Returns the portals on the order's routes, in id order, not in the order
    /// in which units pass them. Empty until the search is done, and again
    /// after an edit until the order is planned again.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn route(self, order: &Order) -> Vec<PortalId> {
        self.world.book.plan(order).route()
    }

    /// Integrates the order's loaded cells again and returns the result.
    ///
    /// # Panics
    /// If the order belongs to another world.
    #[must_use]
    #[track_caller]
    pub fn integration(self, order: &Order) -> Integration<'w> {
        let plan = self.world.book.plan(order);
        let map = self.world.map_of(plan);
        let (region, costs) = (plan.integration(map), &map.costs);
        Integration { costs, region }
    }

    /// Counts the contents of the world. It reads all of them: for screens and
    /// tests, not for every frame of a game.
    #[must_use]
    pub fn stats(self) -> Stats {
        let FlowWorld { layers, book, .. } = self.world;
        let rooms = self.world.route_rooms.lock();
        let map = self.map;
        let sum = |bytes: fn(&Map) -> usize| layers.all().map(bytes).sum::<usize>();
        let fields = || book.plans().map(Plan::field);
        let mut loaded: Vec<Sector> = fields().flat_map(FlowField::sectors).collect();
        let tiles = loaded.len();
        loaded.sort_unstable();
        loaded.dedup();
        Stats {
            sectors: map.costs.extent().sector_count(),
            portals: map.graph.portal_count(),
            edges: map.graph.edge_count(),
            islands: map.islands.count(),
            orders: book.plans().count(),
            waiting: book.waiting(),
            tiles,
            sectors_loaded: loaded.len(),
            layers: layers.all().count(),
            cost_bytes: sum(|map| map.costs.bytes())
                + layers.stamps().bytes()
                + layers.surcharges().bytes()
                + layers.fog().bytes(),
            graph_bytes: sum(|map| map.graph.bytes()) + layers.island_bytes(),
            cluster_bytes: sum(|map| map.clusters.bytes()),
            order_bytes: book.bytes(),
            tile_bytes: fields().map(FlowField::bytes).sum(),
            scratch_bytes: book.scratch_bytes()
                + rooms.iter().map(SearchRoom::bytes).sum::<usize>(),
        }
    }
}

/// An order's loaded sectors, integrated again: for measuring.
pub struct Integration<'w> {
    pub(super) costs: &'w CostMap,
    pub(super) region: Region,
}

impl Integration<'_> {
    /// Settles one loaded sector again, from the values around it: all the work
    /// of rebuilding a sector, including the directions and the check for
    /// neighbours that it would wake. Changes nothing that can be read. Returns
    /// whether the sector is loaded.
    ///
    /// For measurements: time it in a loop.
    pub fn rebuild(&mut self, sector: Sector) -> bool {
        self.region.rebuild(self.costs, sector)
    }

    /// Returns how many times tiles were settled: at least once for each tile,
    /// and more often where a route comes back to a sector.
    #[must_use]
    pub const fn settlings(&self) -> u64 {
        self.region.settlings()
    }
}
