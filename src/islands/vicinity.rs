//! What is joined around sectors that change.

use super::island::PocketId;
use super::joining::{join_over, root};
use super::partition::Islands;
use crate::cost::{CostMap, CostTile};
use crate::grid::{SECTOR_CELLS, SectorId, Slot};
use crate::portal::{Border, PortalGraph, with_neighbours};

/// The pockets of some sectors and of their neighbours, and which of them are
/// joined by the windows between these sectors.
///
/// Compared before and after a change, it shows what the change has separated.
/// The rest of the map has not changed.
pub(crate) struct Vicinity {
    /// Sorted by id.
    sectors: Vec<SectorId>,
    /// The number of each sector's first pocket.
    firsts: Vec<u32>,
    pockets: Vec<PocketId>,
    /// For each pocket the first pocket that it is joined to.
    joined: Vec<u32>,
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
        let around = |&id: &SectorId| with_neighbours(self.extent, self.extent.sector(id));
        let around = changing.iter().flat_map(around);
        let mut sectors: Vec<SectorId> = around
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
        let (mut firsts, mut pockets) = (Vec::with_capacity(sectors.len()), Vec::new());
        for &sector in &sectors {
            firsts.push(pockets.len() as u32);
            pockets.extend(islands.pockets_of(sector));
        }
        let mut vicinity = Self {
            joined: (0..pockets.len() as u32).collect(),
            sectors,
            firsts,
            pockets,
            former: Vec::new(),
        };
        vicinity.join_neighbours(islands, graph);
        vicinity
    }

    /// Returns the vicinity of the same sectors in their present state.
    pub(super) fn again(&self, islands: &Islands, graph: &PortalGraph) -> Self {
        Self::of(self.sectors.clone(), islands, graph)
    }

    fn join_neighbours(&mut self, islands: &Islands, graph: &PortalGraph) {
        for at in 0..self.sectors.len() {
            let near = self.sectors[at];
            for border in [Border::East, Border::South] {
                let far = border.beyond(islands.extent.sector(near));
                let far = islands.extent.sector_id(far);
                let Some((far, beyond)) = far.and_then(|far| Some((far, self.place(far)?))) else {
                    continue;
                };
                let pair = [(near, self.firsts[at]), (far, self.firsts[beyond])];
                join_over(border, pair, &islands.sectors, graph, &mut self.joined);
            }
        }
        for pocket in 0..self.joined.len() as u32 {
            self.joined[pocket as usize] = root(&mut self.joined, pocket);
        }
    }

    fn place(&self, sector: SectorId) -> Option<usize> {
        self.sectors.binary_search(&sector).ok()
    }

    /// Returns the pockets, in the order of their numbers.
    pub(super) fn pockets(&self) -> &[PocketId] {
        &self.pockets
    }

    /// Returns for each pocket the number of the first pocket that it is joined
    /// to.
    pub(super) fn joined(&self) -> &[u32] {
        &self.joined
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
        for (&sector, &first) in self.sectors.iter().zip(&self.firsts) {
            let was = |pocket: u32| self.joined[(first + pocket) as usize];
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
