//! What is joined around sectors that change.

use super::island::PocketId;
use super::joining::{JoinedPockets, joined_pockets};
use super::partition::Islands;
use crate::cost::{CostMap, CostTile};
use crate::grid::{SECTOR_CELLS, SectorId, Slot};
use crate::portal::{PortalGraph, with_neighbours};

/// The pockets of some sectors and of their neighbours, and which of them are
/// joined by the windows between these sectors.
///
/// Compared before and after a change, it shows what the change has separated.
/// The rest of the map has not changed.
pub(crate) struct Vicinity {
    /// Sorted by id.
    sectors: Vec<SectorId>,
    pockets: JoinedPockets,
    /// For the sectors that may change, the pocket of each cell before the
    /// change.
    former: Vec<(SectorId, [u8; SECTOR_CELLS])>,
}

/// Stands for a wall in `former`.
const WALL: u8 = u8::MAX;

impl Islands {
    /// Returns what is joined around sectors that are about to change.
    pub(crate) fn vicinity(
        &self,
        costs: &CostMap,
        graph: &PortalGraph,
        changing: &[SectorId],
    ) -> Vicinity {
        let mut sectors: Vec<SectorId> = changing
            .iter()
            .flat_map(|&id| with_neighbours(self.extent, self.extent.sector(id)))
            .filter_map(|sector| self.extent.sector_id(sector))
            .collect();
        sectors.sort_unstable();
        sectors.dedup();
        let former = |&sector: &SectorId| (sector, self.former(&costs.tile(sector), sector));
        Vicinity {
            former: changing.iter().map(former).collect(),
            ..Vicinity::of(sectors, self, graph)
        }
    }

    /// Returns the pocket of each cell of a sector.
    fn former(&self, tile: &CostTile, sector: SectorId) -> [u8; SECTOR_CELLS] {
        let mut pockets = [WALL; SECTOR_CELLS];
        for slot in Slot::all().filter(|&slot| !tile.is_wall(slot)) {
            pockets[slot.index()] = self.sectors.pocket(sector, slot) as u8;
        }
        pockets
    }
}

impl Vicinity {
    fn of(sectors: Vec<SectorId>, islands: &Islands, graph: &PortalGraph) -> Self {
        Self {
            pockets: joined_pockets(islands.extent, &sectors, &islands.sectors, graph),
            sectors,
            former: Vec::new(),
        }
    }

    /// Returns the vicinity of the same sectors in their present state.
    pub(super) fn again(&self, islands: &Islands, graph: &PortalGraph) -> Self {
        Self::of(self.sectors.clone(), islands, graph)
    }

    /// Returns the pockets with the number of each one's root: the first pocket that
    /// it is joined to.
    pub(super) fn pockets(&self, islands: &Islands) -> impl Iterator<Item = (PocketId, u32)> {
        self.sectors
            .iter()
            .flat_map(|&sector| islands.pockets_of(sector))
            .zip(self.roots().iter().copied())
    }

    /// Returns for each pocket the number of its root.
    pub(super) fn roots(&self) -> &[u32] {
        &self.pockets.joined
    }

    /// Calls `visit` with each present pocket and each former pocket that it
    /// shares cells with. The former pocket is represented by the first
    /// pocket that it was joined to.
    pub(super) fn for_each_former(
        &self,
        islands: &Islands,
        costs: &CostMap,
        mut visit: impl FnMut(PocketId, u32),
    ) {
        let mut changing = self.former.iter().peekable();
        for (&sector, &first) in self.sectors.iter().zip(&self.pockets.firsts) {
            let was = |pocket: u32| self.roots()[(first + pocket) as usize];
            match changing.next_if(|&&(other, _)| other == sector) {
                None => {
                    for id in islands.pockets_of(sector) {
                        visit(id, was(id.pocket));
                    }
                }
                Some((_, former)) => {
                    let tile = costs.tile(sector);
                    let mut visited = None;
                    for slot in Slot::all().filter(|&slot| !tile.is_wall(slot)) {
                        let pair = (islands.sectors.pocket(sector, slot), former[slot.index()]);
                        if pair.1 != WALL && visited != Some(pair) {
                            visited = Some(pair);
                            let pocket = pair.0;
                            visit(PocketId { sector, pocket }, was(u32::from(pair.1)));
                        }
                    }
                }
            }
        }
    }
}
