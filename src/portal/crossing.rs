//! Deriving the in-sector costs: the edges of the portal graph.
//!
//! A sector with few portals would leave half the lanes of the kernel idle. Two
//! such sectors are walked at once: the first waits for the second.

use super::links::Links;
use super::local_portal::LocalPortal;
use crate::cost::{CostTile, TileRef};
use crate::kernel::{Threshold, is_half, walks_between, walks_between_in_two};

/// Derives links, in memory that is reused.
#[derive(Default)]
pub(super) struct LinkMaker {
    here: SectorWalks,
    /// The former sector, if it waits for a second one.
    waiting: SectorWalks,
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
            if self.here.is_open(&tile) {
                links.push(Links::Open);
                continue;
            }
            self.here.note_ends();
            if !is_half(&tile, &self.here.to, &self.here.from) {
                links.push(self.here.links(&tile));
                continue;
            }
            links.push(Links::Open);
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

impl SectorWalks {
    fn is_open(&self, tile: &CostTile) -> bool {
        tile.is_clear() && Links::are_open(&self.portals)
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
        Links::of_walks(&self.portals, &self.walks, tile.highest() <= 1)
    }
}
