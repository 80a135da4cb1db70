//! What a world holds, to be read by pictures, screens and tests.

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
    /// The sectors that the order has loaded, row by row.
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

    /// The goal that the order was given last.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn goal(&self, order: &Order) -> &Goal {
        self.book.plan(order).last_asked().0
    }

    /// The cells that the order serves: each once, in the order of asking.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn units(&self, order: &Order) -> &[Cell] {
        self.book.plan(order).last_asked().1
    }

    /// Whether an edit concerns the order and it has not been planned anew since:
    /// its directions then still are those of the map before, where they hold.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn is_stale(&self, order: &Order) -> bool {
        self.book.plan(order).is_stale()
    }

    /// The number of the island that a cell is on: cells can reach each other if
    /// they have the same. `None` for walls and off the map. A look-up.
    ///
    /// The number is good for telling islands apart on the map as it stands, as
    /// a picture does by colours. It is not kept: any edit may give islands
    /// other numbers, and a loaded world may number them otherwise.
    #[must_use]
    pub fn island(&self, cell: Cell) -> Option<u32> {
        let island = self.map.islands.of(&self.map.costs, cell)?;
        Some(island.number())
    }

    /// The cell nearest to `goal` that a unit at `from` can reach: where
    /// [`Goal::or_nearest`] would lead it. `None` if `from` is a wall, or either
    /// is off the map. Looks through the map from `goal` outward, so it may read
    /// all of it.
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

    /// The portals on the order's routes: in id order, not as they are walked.
    /// Empty until the search is done, and again after an edit until the order
    /// is planned anew.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn route(&self, order: &Order) -> Vec<PortalId> {
        self.book.plan(order).route()
    }

    /// The cell that units go straight to which are told
    /// [`Sample::InSight`](super::Sample::InSight); `None` if none are.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn goal_in_sight(&self, order: &Order) -> Option<Cell> {
        let plan = self.book.plan(order);
        plan.field().goal_in_sight().filter(|_| !plan.is_stale())
    }

    /// The order's loaded sectors, integrated once more: for measuring.
    ///
    /// # Panics
    /// If the order is another world's.
    #[must_use]
    pub fn integration(&self, order: &Order) -> Integration<'_> {
        let region = self.book.plan(order).integration(&self.map);
        let costs = &self.map.costs;
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

/// An order's loaded sectors, integrated once more: for measuring.
pub struct Integration<'w> {
    pub(super) costs: &'w CostMap,
    pub(super) region: Region,
}

impl Integration<'_> {
    /// Settles one loaded sector anew, from what has come to its border: the
    /// whole work of a sector rebuild, with the directions and the look at
    /// which neighbours it would wake. Changes nothing that can be read. Tells
    /// whether the sector is loaded.
    ///
    /// This is for measuring: time it in a loop.
    pub fn rebuild(&mut self, sector: Sector) -> bool {
        self.region.rebuild(self.costs, sector)
    }

    /// How many times a tile was settled: at least once each; more where a
    /// route comes back to a sector.
    #[must_use]
    pub const fn settlings(&self) -> u64 {
        self.region.settlings()
    }
}
