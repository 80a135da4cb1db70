//! Reports: the results of ticks and edits, and counts of a world's contents.

/// The results of a tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The work done in cells, as a [`Budget`](crate::Budget) counts it.
    pub cells: u64,
    /// The work in cells that is taken off the next tick's budget, since this
    /// and earlier ticks overdrew theirs.
    pub owed: u64,
    /// Orders that still have work left.
    pub waiting: usize,
    /// The work done in cells since the order that has waited longest joined
    /// the queue.
    pub age: u64,
}

impl Progress {
    /// Whether no order has work left.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.waiting == 0
    }

    /// Combines this tick with the one that followed it.
    pub(super) const fn and(self, next: Self) -> Self {
        Self {
            cells: self.cells + next.cells,
            ..next
        }
    }
}

/// The results of an edit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditReport {
    /// Cells whose cost changed.
    pub cells: u64,
    /// Sectors with cells whose cost changed.
    pub sectors: usize,
    /// Sectors whose in-sector costs were derived again: those whose cells
    /// changed, and neighbours whose shared windows changed.
    pub rebuilt: usize,
    /// Pockets that were walked to find whether the edit has cut ground off. (A
    /// pocket is a group of cells that can reach each other inside one sector.)
    /// None if the ground around the edit is joined as before; if it is cut in
    /// two, about twice the pockets of the smaller part.
    pub walked: usize,
    /// Orders that the next ticks will plan again.
    pub orders: usize,
}

/// Counts of a world's present contents.
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
    /// Movement layers that are derived: one of each class, size and group of teams that
    /// see the same; the ground's is the first.
    pub layers: usize,
    /// Bytes of the costs of all layers and of what teams with fog know, and of stamps, blockers
    /// and gates.
    pub cost_bytes: usize,
    /// Bytes of portals, in-sector costs and islands of all layers.
    pub graph_bytes: usize,
    /// Bytes of the cliques: the costs between the portals around clusters.
    pub cluster_bytes: usize,
    /// Bytes of all orders: searches, regions being integrated, tiles.
    pub order_bytes: usize,
    /// The part of [`order_bytes`](Self::order_bytes) for directions that units
    /// read: the tiles and their index.
    pub tile_bytes: usize,
    /// Bytes of memory kept for later orders to work in. A few orders' worth.
    pub scratch_bytes: usize,
}
