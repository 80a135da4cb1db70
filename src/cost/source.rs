//! Sources of costs that are not held in memory.

use super::{Cost, CostTile};
use crate::grid::{Extent, SECTOR_CELLS, Sector, SectorId, Slot};

/// The costs of the cells of one sector, as a [`CostSource`] returns them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectorCosts {
    /// The same cost for all cells.
    Even(Cost),
    /// One byte per cell, row by row: 1 open, 2..=254 harder, 255 wall. Cells
    /// off the map, in a ragged sector, are ignored.
    Cells([u8; SECTOR_CELLS]),
}

impl SectorCosts {
    /// Open ground.
    pub const OPEN: Self = Self::Even(Cost::OPEN);
    /// All walls.
    pub const WALLS: Self = Self::Even(Cost::WALL);

    /// Makes the tile of a sector of the map; returns the slot of a cell of
    /// cost 0 if there is one.
    pub(super) fn tile(self, extent: Extent, sector: SectorId) -> Result<CostTile, Slot> {
        let mut costs = match self {
            Self::Even(cost) => [cost.value(); SECTOR_CELLS],
            Self::Cells(costs) => costs,
        };
        if !extent.is_whole(sector) {
            for slot in Slot::all() {
                if !extent.contains(extent.cell_at(sector, slot)) {
                    costs[slot.index()] = Cost::WALL.value();
                }
            }
        }
        match costs.iter().position(|&cost| cost == 0) {
            Some(at) => Err(Slot::of(at)),
            None => Ok(CostTile::new(costs)),
        }
    }
}

/// Costs that the engine reads by sector, when it needs them.
///
/// A [`CostMap::from_source`](crate::CostMap::from_source) stores four bytes
/// for each sector of the source, and the hundred costs only of sectors that
/// are edited. It reads all sectors once, to check that they are costs. Later
/// it reads sectors that are neither entirely open nor entirely wall: a few
/// times while the graph is built, and whenever an order's search begins or
/// ends in one or its directions are computed there. So a source should answer
/// in less than a microsecond. A file mapped into memory does (see the crate
/// `flowtiles-mapped`), and so does a formula.
///
/// # What a source promises
///
/// - **The same answer always**, for the same sector. The map stores 30 bits of
///   a digest of each first answer, and panics if a later answer differs.
/// - **An answer always.** There is no way to fail. Whatever can go wrong must
///   be tried and reported when the source is opened. A source whose storage
///   may fail later keeps its data in memory.
///
/// ```
/// use flowtiles::build::{CostSource, SectorCosts};
/// use flowtiles::{CostMap, FlowWorld, Sector};
///
/// /// A wall with a gap every two hundred cells.
/// struct Fences;
///
/// impl CostSource for Fences {
///     fn size(&self) -> (u32, u32) {
///         (2000, 2000)
///     }
///
///     fn sector(&self, Sector { x, y }: Sector) -> SectorCosts {
///         if x % 20 == 10 && y % 20 != 0 {
///             SectorCosts::WALLS
///         } else {
///             SectorCosts::OPEN
///         }
///     }
/// }
///
/// let world = FlowWorld::new(CostMap::from_source(Fences)?);
/// assert!(world.reachable((0, 500).into(), (1999, 500).into()));
/// # Ok::<(), flowtiles::error::CostMapError>(())
/// ```
pub trait CostSource: Send + Sync {
    /// Width and height of the map in cells.
    fn size(&self) -> (u32, u32);

    /// Returns the costs of the cells of one sector of the map.
    fn sector(&self, sector: Sector) -> SectorCosts;
}
