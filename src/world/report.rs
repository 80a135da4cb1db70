/// What a tick did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Cells worked, as a [`Budget`](crate::Budget) counts them.
    pub cells: u64,
    /// Cells that are taken off the next tick's budget, since this and earlier
    /// ticks did so much more than theirs.
    pub owed: u64,
    /// Orders that still have work left.
    pub waiting: usize,
    /// Those of them that look for their ways; the others load their tiles.
    pub searching: usize,
    /// Cells worked since the order got in line that has waited longest.
    pub age: u64,
}

impl Progress {
    /// Whether no order has work left.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.waiting == 0
    }

    /// This tick and one that followed it.
    pub(super) const fn and(self, next: Self) -> Self {
        Self {
            cells: self.cells + next.cells,
            ..next
        }
    }
}

/// What an edit did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditReport {
    /// Cells whose cost changed.
    pub cells: u64,
    /// Sectors with such a cell.
    pub sectors: usize,
    /// Sectors whose in-sector costs were derived anew: those that changed and
    /// the neighbours whose shared windows did.
    pub rebuilt: usize,
    /// Groups of joined cells, each within a sector, that were walked to see
    /// whether the edit has cut ground off: none where it is joined around the
    /// edit as before, and about twice those of the smaller side where it is
    /// cut in two.
    pub walked: usize,
    /// Orders to be planned anew by the next ticks.
    pub orders: usize,
}

/// What a world holds, as counted now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Sectors of the map.
    pub sectors: usize,
    /// Portals of the graph.
    pub portals: usize,
    /// Directed edges of the graph.
    pub edges: usize,
    /// Islands: sets of cells that can reach each other.
    pub islands: usize,
    /// Orders with a living claim.
    pub orders: usize,
    /// Orders with work left.
    pub waiting: usize,
    /// Tiles of directions, over all orders.
    pub tiles: usize,
    /// Sectors that at least one order has loaded.
    pub sectors_loaded: usize,
    /// Bytes of costs, and of what stands on the ground.
    pub cost_bytes: usize,
    /// Bytes of portals, in-sector costs and islands.
    pub graph_bytes: usize,
    /// Bytes of the survey, if one was made.
    pub survey_bytes: usize,
    /// Bytes of all orders: searches, regions being integrated, tiles.
    pub order_bytes: usize,
    /// Those of [`order_bytes`](Self::order_bytes) that hold the directions which
    /// units read: the tiles and what leads to them.
    pub tile_bytes: usize,
    /// Orders that nobody claims and that are kept all the same, as
    /// [`Limits::cache_bytes`](super::Limits::cache_bytes) allows.
    pub cached: usize,
    /// Bytes of those.
    pub cache_bytes: usize,
    /// How often an order was given whose goal was kept.
    pub cache_hits: u64,
    /// How often it was not.
    pub cache_misses: u64,
    /// How many were kept and let go again: for others, or after an edit.
    pub cache_evictions: u64,
    /// Bytes of room that orders have left for those to come: that of a few.
    pub scratch_bytes: usize,
}
