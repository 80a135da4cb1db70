//! Deriving the in-sector costs: the edges of the portal graph.
//!
//! A sector with few portals would leave half the lanes of the kernel idle. Two
//! such sectors are walked at once: the first waits for the second.

use super::known_links::KnownLinks;
use super::links::Links;
use super::local_portal::LocalPortal;
use crate::cost::{Cost, CostTile, TileRef};
use crate::kernel::{Threshold, is_half, walks_between, walks_between_in_two};

/// Derives links, in memory that is reused.
#[derive(Default)]
pub(super) struct LinkMaker {
    here: SectorWalks,
    /// The former sector, if it waits for a second one.
    waiting: SectorWalks,
    known: KnownLinks,
}

/// One sector's portals, and the walks between them.
#[derive(Default)]
struct SectorWalks {
    portals: Vec<LocalPortal>,
    to: Vec<Threshold>,
    from: Vec<Threshold>,
    walks: Vec<u32>,
}

impl LinkMaker {
    /// Derives the links of `count` sectors. `gather` gets the number of a sector,
    /// appends its portals in id order, and returns its tile.
    pub(super) fn derive<'a>(
        &mut self,
        count: usize,
        mut gather: impl FnMut(usize, &mut Vec<LocalPortal>) -> TileRef<'a>,
    ) -> Vec<Links> {
        let mut links = Vec::with_capacity(count);
        let mut waiting: Option<(usize, TileRef<'a>)> = None;
        for number in 0..count {
            self.here.portals.clear();
            let tile = gather(number, &mut self.here.portals);
            if let Some(cost) = self.here.open_cost(&tile) {
                links.push(Links::Open(cost));
                continue;
            }
            let hash = may_come_again(&tile).then(|| KnownLinks::hash(&tile, &self.here.portals));
            let known = hash.and_then(|hash| self.known.get(hash, &tile, &self.here.portals));
            if let Some(known) = known {
                links.push(known.clone());
                continue;
            }
            self.here.note_ends();
            if !is_half(&tile, &self.here.to, &self.here.from) {
                links.push(self.here.links(&tile));
                if let (Some(hash), Some(links)) = (hash, links.last()) {
                    self.known.note(hash, &tile, &self.here.portals, links);
                }
                continue;
            }
            links.push(Links::OPEN);
            if let Some((other, other_tile)) = waiting.take() {
                let both = [&*other_tile, &*tile];
                [links[other], links[number]] = self.links_of_both(both);
            } else {
                waiting = Some((number, tile));
                std::mem::swap(&mut self.here, &mut self.waiting);
            }
        }
        if let Some((number, tile)) = waiting {
            links[number] = self.waiting.links(&tile);
        }
        links
    }

    /// Returns the links of the waiting sector, and of this one.
    fn links_of_both(&mut self, tiles: [&CostTile; 2]) -> [Links; 2] {
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

impl SectorWalks {
    /// Returns the cost of the sector if it is open ground with whole windows.
    fn open_cost(&self, tile: &CostTile) -> Option<Cost> {
        let cost = tile.unit().filter(|_| tile.is_clear())?;
        Links::are_open(&self.portals, cost).then_some(cost)
    }

    fn note_ends(&mut self) {
        self.to.clear();
        self.to
            .extend(self.portals.iter().map(|portal| portal.exit));
        self.from.clear();
        self.from
            .extend(self.portals.iter().map(|portal| portal.entry));
    }

    fn links(&mut self, tile: &CostTile) -> Links {
        walks_between(tile, &self.to, &self.from, &mut self.walks);
        self.tabulate(tile)
    }

    fn tabulate(&self, tile: &CostTile) -> Links {
        let is_dear = |cost: Cost| {
            self.portals
                .iter()
                .all(|portal| portal.costs_at_least(cost))
        };
        let is_even = tile
            .unit()
            .is_some_and(|cost| cost == Cost::OPEN || is_dear(cost));
        Links::of_walks(&self.portals, &self.walks, is_even)
    }
}
