use std::fmt;

use crate::cost::OffMap;
use crate::grid::Cell;

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

/// Why an image of costs was not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageError {
    /// The area is not on the map.
    OffMap(OffMap),
    /// There are not as many costs as cells.
    Length {
        /// Cells of the area.
        cells: usize,
        /// Costs given.
        given: usize,
    },
    /// A cost is 0.
    ZeroCost {
        /// The cell of the map that it would go to.
        cell: Cell,
    },
}

impl From<OffMap> for ImageError {
    fn from(error: OffMap) -> Self {
        Self::OffMap(error)
    }
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OffMap(error) => error.fmt(f),
            Self::Length { cells, given } => write!(
                f,
                "an area of {cells} cells was given {given} costs: give one for each, row by row"
            ),
            Self::ZeroCost { cell } => write!(
                f,
                "the cost for {cell} is 0: give 1 for open ground up to 255 for a wall"
            ),
        }
    }
}

impl std::error::Error for ImageError {}
