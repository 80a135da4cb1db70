//! Widening: the sectors beside the paths that an order loads too.
//!
//! The portal graph knows a window by the cost at its crossing alone. So the cheapest path
//! may lead through sectors just beside those that the search found. It pays to load
//! them where the paths are likely to gain:
//!
//! ```text
//!   · · · · · · ·        P  on a path, over rough ground: costs change by leaps
//!   · w w w w w ·        w  loaded too
//!   · w w w w w ·
//!   · w w P w w ·
//!   · w w w w w ·
//!   · w w w w w ·
//! ```
//!
//! - Beside **rough ground** all sectors up to two away are loaded. Roads of one cost on
//!   ground of another are not rough: their crossings have gates of their own.
//! - Beside **walls** the same sectors are loaded as far as a path may gain much in them
//!   ([`Gains`]): those inside its bends. Long paths are left alone: a detour of three
//!   cells is nothing on a path of 500 and much on one of 50.
//!
//! What is loaded depends on the paths and the costs alone.

use super::gains::Gains;
use crate::budget::{LOAD_WORK, LOOK_WORK, Paused, Work};
use crate::cost::TileRef;
use crate::field::Region;
use crate::grid::{Extent, Sector, SectorPages};
use crate::map::Map;

/// How far from a path sectors are loaded.
const MARGIN_SECTORS: i32 = 2;
/// The sectors of a square of that margin.
const SQUARE: usize = (2 * MARGIN_SECTORS as usize + 1).pow(2);

/// The fewest sectors of paths that are widened, and the most beside walls.
const FEWEST: usize = 4;
const SHORT: usize = 24;

/// The sectors on the paths, and how many of them are widened.
#[derive(Clone)]
pub(super) struct Widening {
    on_paths: Vec<Sector>,
    /// Whether `on_paths` is complete: in order, and each sector once.
    is_complete: bool,
    /// The number of sectors whose ground has been examined.
    examined: usize,
    /// What is loaded around the last of them, and the next one to load there.
    margin: Margin,
    next: usize,
    /// Whether a path may gain enough anywhere, and the sectors for which that has been
    /// asked.
    is_gainful: bool,
    asked: SectorPages<bool>,
}

/// Which sectors are loaded around one on a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Margin {
    None,
    /// Of a square the sectors in which a path may gain, except from clear ground to
    /// clear ground of the same cost.
    Gainful,
    /// A square.
    Around,
}

impl Widening {
    pub(super) const fn new(extent: Extent) -> Self {
        Self {
            on_paths: Vec::new(),
            is_complete: false,
            examined: 0,
            margin: Margin::None,
            next: 0,
            is_gainful: false,
            asked: SectorPages::new(extent, false),
        }
    }

    pub(super) fn note(&mut self, sector: Sector) {
        if self.on_paths.last() != Some(&sector) {
            self.on_paths.push(sector);
        }
    }

    /// Begins once all sectors are noted. `may_gain` is asked at most once: whether there may
    /// be a sector in which a path gains.
    pub(super) fn begin(&mut self, may_gain: impl FnOnce() -> bool) {
        if self.is_complete {
            return;
        }
        self.on_paths
            .sort_unstable_by_key(|sector| (sector.y, sector.x));
        self.on_paths.dedup();
        self.is_complete = true;
        self.is_gainful = (FEWEST..=SHORT).contains(&self.on_paths.len()) && may_gain();
    }

    /// Loads the sectors beside the paths, once it has begun.
    pub(super) fn load(
        &mut self,
        map: &Map,
        gains: &Gains,
        region: &mut Region,
        work: &mut Work,
    ) -> Result<(), Paused> {
        loop {
            if self.margin != Margin::None {
                self.load_around(map, gains, region, work)?;
            }
            work.check()?;
            let Some(&sector) = self.on_paths.get(self.examined) else {
                return Ok(());
            };
            work.count(LOOK_WORK);
            self.examined += 1;
            self.margin = self.margin_of(map, sector);
        }
    }

    fn margin_of(&self, map: &Map, sector: Sector) -> Margin {
        let Some(id) = map.costs.extent().sector_id(sector) else {
            return Margin::None;
        };
        if self.on_paths.len() < FEWEST {
            return Margin::None;
        }
        if map.costs.tile(id).is_rough() {
            Margin::Around
        } else if self.is_gainful {
            Margin::Gainful
        } else {
            Margin::None
        }
    }

    /// Loads the sectors around the one examined last.
    fn load_around(
        &mut self,
        map: &Map,
        gains: &Gains,
        region: &mut Region,
        work: &mut Work,
    ) -> Result<(), Paused> {
        let (extent, from) = (map.costs.extent(), self.on_paths[self.examined - 1]);
        let here = extent.sector_id(from).map(|id| map.costs.tile(id));
        while self.next < SQUARE {
            work.check()?;
            let to = nth_around(from, self.next);
            self.next += 1;
            work.count(LOOK_WORK);
            let Some(id) = extent.sector_id(to) else {
                continue;
            };
            let is_asked = self.margin == Margin::Gainful && *self.asked.get(to);
            if is_asked || region.has_sector(to) {
                continue;
            }
            let there = map.costs.tile(id);
            let is_plain = |here: &TileRef<'_>| {
                here.is_clear() && there.is_clear() && here.has_unit_of(&there)
            };
            let is_wanted = match self.margin {
                Margin::None => false,
                Margin::Around => !there.is_closed(),
                Margin::Gainful if here.as_ref().is_some_and(is_plain) => false,
                Margin::Gainful => {
                    *self.asked.get_mut(to) = true;
                    work.count(gains.work());
                    !there.is_closed() && gains.may_be_in(to, there.lowest())
                }
            };
            if is_wanted {
                region.load(to);
                work.count(LOAD_WORK);
            }
        }
        self.margin = Margin::None;
        self.next = 0;
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        self.on_paths.capacity() * size_of::<Sector>() + self.asked.bytes()
    }
}

/// Returns a sector of the square around another.
const fn nth_around(middle: Sector, number: usize) -> Sector {
    let side = 2 * MARGIN_SECTORS + 1;
    let number = number as i32;
    Sector::new(
        middle.x + number % side - MARGIN_SECTORS,
        middle.y + number / side - MARGIN_SECTORS,
    )
}
