/// What a tick did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Cells worked, as a [`Budget`](crate::Budget) counts them.
    pub cells: u64,
    /// Orders that still have work left.
    pub waiting: usize,
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
    /// Bytes of costs.
    pub cost_bytes: usize,
    /// Bytes of portals, in-sector costs and islands.
    pub graph_bytes: usize,
    /// Bytes of all orders: searches, regions being integrated, tiles.
    pub order_bytes: usize,
}
