//! Where costs come from that are not kept in memory.

use super::{Cost, CostTile};
use crate::grid::{Extent, SECTOR_CELLS, Sector, SectorId, Slot};

/// What the cells of one sector cost, as a [`CostSource`] tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectorCosts {
    /// All the same.
    Even(Cost),
    /// One byte a cell, row by row: 1 open, 2..=254 harder, 255 wall. What
    /// lies off the map, in a sector that its edge cuts, counts for nothing.
    Cells([u8; SECTOR_CELLS]),
}

impl SectorCosts {
    /// Open ground.
    pub const OPEN: Self = Self::Even(Cost::OPEN);
    /// Nothing but walls.
    pub const WALLS: Self = Self::Even(Cost::WALL);

    /// The tile that it makes in a place of a map; the slot of a cell that
    /// costs 0 if there is one.
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

/// Costs that the engine reads a sector at a time, when it needs them.
///
/// A [`CostMap::from_source`](crate::CostMap::from_source) keeps four bytes for
/// each sector of the source, and the hundred costs of those alone that are
/// edited. It reads all sectors once, to see that they are costs, and then
/// again: those that are neither wholly open nor wholly wall a few times while
/// the graph is built, and whenever an order's search begins or ends in one or
/// its directions are made there. So a source should answer in less than a
/// microsecond: a file mapped into memory does (the crate `flowtiles-mapped`
/// has one), and so does a formula.
///
/// # What a source promises
///
/// - **The same answer always**, for the same sector. The map keeps 30 bits of
///   a digest of what it was told first.
/// - **An answer always.** There is no way to fail: what can go wrong is to be
///   tried when the source is opened, and told then. A source whose storage may
///   fail later keeps what it needs in memory.
///
/// ```
/// use flowtiles::{CostMap, CostSource, FlowWorld, Sector, SectorCosts};
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
/// # Ok::<(), flowtiles::CostMapError>(())
/// ```
pub trait CostSource: Send + Sync {
    /// Width and height of the map in cells.
    fn size(&self) -> (u32, u32);

    /// What the cells of one sector of the map cost.
    fn sector(&self, sector: Sector) -> SectorCosts;
}
