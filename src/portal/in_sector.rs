//! Deriving the in-sector costs: the edges of the portal graph.
//!
//! A sector with few portals would leave half the lanes of the kernel idle. Two
//! such sectors are walked at once: the first waits for the second.
//!
//! A walk to a crossing outside the sector leaves it straight or diagonally. So over
//! open ground a chain of edges costs what the straight path costs; with borders
//! crossed straight alone it would cost 8 % more.

use super::known_walks::KnownWalks;
use super::local_portal::LocalPortal;
use super::walks::SectorWalks;
use crate::cost::{Cost, CostTile, TileRef};
use crate::kernel::{Threshold, is_half, walks_between, walks_between_in_two};

/// Derives walks, in memory that is reused.
#[derive(Default)]
pub(super) struct WalkMaker {
    here: Derivation,
    /// The former sector, if it waits for a second one.
    waiting: Derivation,
    known: KnownWalks,
}

/// One sector's portals, and the walks between them.
#[derive(Default)]
struct Derivation {
    portals: Vec<LocalPortal>,
    to: Vec<Threshold>,
    from: Vec<Threshold>,
    walks: Vec<u32>,
}

impl WalkMaker {
    /// Derives the walks of `count` sectors. `gather` gets the number of a sector,
    /// appends its portals in id order, and returns its tile.
    pub(super) fn derive<'a>(
        &mut self,
        count: usize,
        mut gather: impl FnMut(usize, &mut Vec<LocalPortal>) -> TileRef<'a>,
    ) -> Vec<SectorWalks> {
        let mut walks = Vec::with_capacity(count);
        let mut waiting: Option<(usize, TileRef<'a>)> = None;
        for number in 0..count {
            self.here.portals.clear();
            let tile = gather(number, &mut self.here.portals);
            if let Some(cost) = self.here.open_cost(&tile) {
                walks.push(SectorWalks::Open(cost));
                continue;
            }
            let hash = may_come_again(&tile).then(|| KnownWalks::hash(&tile, &self.here.portals));
            let known = hash.and_then(|hash| self.known.get(hash, &tile, &self.here.portals));
            if let Some(known) = known {
                walks.push(known.clone());
                continue;
            }
            self.here.note_ends();
            if !is_half(&tile, &self.here.to, &self.here.from) {
                walks.push(self.here.table(&tile));
                if let (Some(hash), Some(walks)) = (hash, walks.last()) {
                    self.known.note(hash, &tile, &self.here.portals, walks);
                }
                continue;
            }
            walks.push(SectorWalks::OPEN);
            if let Some((other, other_tile)) = waiting.take() {
                let both = [&*other_tile, &*tile];
                [walks[other], walks[number]] = self.walks_of_both(both);
            } else {
                waiting = Some((number, tile));
                std::mem::swap(&mut self.here, &mut self.waiting);
            }
        }
        if let Some((number, tile)) = waiting {
            walks[number] = self.waiting.table(&tile);
        }
        walks
    }

    /// Returns the walks of the waiting sector, and of this one.
    fn walks_of_both(&mut self, tiles: [&CostTile; 2]) -> [SectorWalks; 2] {
        let [waiting, here] = [&mut self.waiting, &mut self.here];
        walks_between_in_two(
            tiles,
            [&waiting.to, &here.to],
            [&waiting.from, &here.from],
            [&mut waiting.walks, &mut here.walks],
        );
        [waiting.tabulate(tiles[0]), here.tabulate(tiles[1])]
    }
}

/// Whether it pays to look for the in-sector costs of a like sector: on ground of
/// several costs, and on clear ground beside it.
fn may_come_again(tile: &CostTile) -> bool {
    match tile.unit() {
        None => true,
        Some(cost) => tile.is_clear() && cost != Cost::OPEN,
    }
}

impl Derivation {
    /// Returns the cost of the sector if it is open ground with whole windows.
    fn open_cost(&self, tile: &CostTile) -> Option<Cost> {
        let cost = tile.unit().filter(|_| tile.is_clear())?;
        SectorWalks::are_open(&self.portals, cost).then_some(cost)
    }

    fn note_ends(&mut self) {
        self.to.clear();
        self.to
            .extend(self.portals.iter().map(|portal| portal.exit));
        self.from.clear();
        self.from
            .extend(self.portals.iter().map(|portal| portal.entry));
    }

    fn table(&mut self, tile: &CostTile) -> SectorWalks {
        walks_between(tile, &self.to, &self.from, &mut self.walks);
        self.tabulate(tile)
    }

    fn tabulate(&self, tile: &CostTile) -> SectorWalks {
        let is_dear = |cost: Cost| {
            self.portals
                .iter()
                .all(|portal| portal.costs_at_least(cost))
        };
        let is_even = tile
            .unit()
            .is_some_and(|cost| cost == Cost::OPEN || is_dear(cost));
        SectorWalks::of_walks(&self.portals, &self.walks, is_even)
    }
}
