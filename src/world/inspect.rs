//! The content of a world, for pictures, screens and tests.

use super::{FlowWorld, Stats};
use crate::cost::CostMap;
use crate::field::Region;
use crate::grid::{Cell, Sector};
use crate::heuristic::Landmarks;
use crate::islands::{Look, Nearest};
#[cfg(feature = "rayon")]
use crate::order::PlanScratch;
use crate::order::{Goal, Order};
use crate::portal::PortalId;

/// What a world holds, for pictures, screens and tests.
impl FlowWorld {
    /// Returns the sectors that the order has loaded, row by row.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn loaded(&self, order: &Order) -> Vec<Sector> {
        let mut sectors: Vec<Sector> = self.book.plan(order).field().sectors().collect();
        sectors.sort_unstable_by_key(|sector| (sector.y, sector.x));
        sectors
    }

    /// Whether the order has loaded a sector: a look-up.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn is_loaded(&self, order: &Order, sector: Sector) -> bool {
        let is_on_map = self.map.costs.extent().sector_id(sector).is_some();
        is_on_map && self.book.plan(order).field().holds(sector)
    }

    /// Returns the goal that the order was given last.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn goal(&self, order: &Order) -> &Goal {
        self.book.plan(order).last_asked().0
    }

    /// Returns the cells that the order serves: each once, in the order in
    /// which they were given.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn units(&self, order: &Order) -> &[Cell] {
        self.book.plan(order).last_asked().1
    }

    /// Whether an edit concerns the order and the order has not been planned
    /// again since. Until then its directions are those of the map before the
    /// edit, where these still hold.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn is_stale(&self, order: &Order) -> bool {
        self.book.plan(order).is_stale()
    }

    /// Returns the number of the island that a cell is on, or `None` for walls
    /// and off the map. Two cells can reach each other if their numbers are
    /// equal. A look-up.
    ///
    /// The number tells islands apart on the present map, for example as
    /// colours of a picture. It is not permanent: any edit may give islands
    /// other numbers, and so may saving and loading.
    #[must_use]
    pub fn island(&self, cell: Cell) -> Option<u32> {
        let island = self.map.islands.of(&self.map.costs, cell)?;
        Some(island.number())
    }

    /// Returns the cell nearest to `goal` that a unit at `from` can reach: the
    /// cell to which [`Goal::or_nearest`] would lead it. `None` if `from` is a
    /// wall, or if either cell is off the map. It searches the map outward from
    /// `goal`, so it may read the whole map.
    #[must_use]
    pub fn nearest_reachable(&self, from: Cell, goal: Cell) -> Option<Cell> {
        let (costs, islands) = (&self.map.costs, &self.map.islands);
        let island = islands.of(costs, from)?;
        if !costs.extent().contains(goal) {
            return None;
        }
        let mut look = Nearest::new(costs.extent(), goal, vec![(island, from)]);
        loop {
            match look.look_on(islands, costs) {
                Look::Found(_, cell) => return Some(cell),
                Look::On(_) => {}
                Look::Over => return None,
            }
        }
    }

    /// Returns the portals on the order's routes, in id order, not in the order
    /// in which units pass them. Empty until the search is done, and again
    /// after an edit until the order is planned again.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn route(&self, order: &Order) -> Vec<PortalId> {
        self.book.plan(order).route()
    }

    /// Returns the cell to which units with
    /// [`Sample::InSight`](super::Sample::InSight) go straight, or `None` if
    /// the order has no such cell.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn goal_in_sight(&self, order: &Order) -> Option<Cell> {
        let plan = self.book.plan(order);
        plan.field().goal_in_sight().filter(|_| !plan.is_stale())
    }

    /// Returns the costs-to-go of the order's loaded cells, which it integrates
    /// again.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn integration(&self, order: &Order) -> Integration<'_> {
        let region = self.book.plan(order).integration(&self.map);
        let costs = &self.map.costs;
        Integration { costs, region }
    }

    /// Counts what the world holds. It reads all of it: for screens and tests,
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
            sectors: self.map.costs.extent().sector_count(),
            portals: self.map.graph.portal_count(),
            edges: self.map.graph.edge_count(),
            islands: self.map.islands.count(),
            orders: self.book.plans().count(),
            waiting: self.book.waiting(),
            tiles,
            sectors_loaded: loaded.len(),
            cost_bytes: self.map.costs.bytes() + self.map.stamps.bytes(),
            graph_bytes: self.map.graph.bytes() + self.map.islands.bytes(),
            survey_bytes: self.map.landmarks.as_ref().map_or(0, Landmarks::bytes),
            order_bytes: self.book.bytes(),
            tile_bytes: self.book.plans().map(|plan| plan.field().bytes()).sum(),
            cached: self.cache.len(),
            cache_bytes: self.cache.bytes(),
            cache_hits: self.cache.counts().hits,
            cache_misses: self.cache.counts().misses,
            cache_evictions: self.cache.counts().evictions,
            scratch_bytes: self.scratch_bytes(),
        }
    }

    fn scratch_bytes(&self) -> usize {
        #[cfg(feature = "rayon")]
        let lanes = self.lanes.iter().map(PlanScratch::bytes).sum::<usize>();
        #[cfg(not(feature = "rayon"))]
        let lanes = 0;
        self.scratch.bytes() + lanes
    }
}

/// The costs-to-go of an order's loaded cells.
///
/// The engine drops them when the directions are made, so they are integrated
/// again for pictures and tests.
pub struct Integration<'w> {
    pub(super) costs: &'w CostMap,
    pub(super) region: Region,
}

impl Integration<'_> {
    /// Returns the cost of the cheapest path from a cell to the goal over
    /// loaded sectors, in fifths of an open straight step. `None` if the sector
    /// is not loaded or no such path exists.
    #[must_use]
    pub fn cost_to_go(&self, cell: Cell) -> Option<u64> {
        self.region.cost_to_go(self.costs, cell)
    }

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
