//! Links in a region: once the exit of one has a value, its entry is a source.
//!
//! ```text
//!   [entry: 40 + 5] ══ link, price 5 ══► [exit: 40] → … → goal
//! ```
//!
//! After a tile with an exit is settled, the value of the exit plus the price of the link
//! goes to the entry, if that is better than what it had, and the entry's tile is settled
//! again. So when the queue is empty, no step and no link can lower a value.
//!
//! A price is at least 1, so a direction through a link descends as a step does. A
//! corridor has the links between its sectors; an exact or whole field has all that may
//! lead to the goal. Patched tiles have no links.

use super::Region;
use crate::cost::{CellLink, CostMap};
use crate::field::flow::{Flow, KeptCosts};
use crate::field::loaded::NOT_LOADED;
use crate::field::region_links::{RegionLink, RegionLinks};
use crate::grid::Slot;
use crate::kernel::{Borders, UNREACHED, weight};

impl Region {
    /// Lets paths lead through these links, before the region starts.
    pub(crate) fn lead_through(&mut self, links: impl Iterator<Item = CellLink>) {
        self.links = RegionLinks::new(self.loaded.extent, links);
    }

    /// After a tile was settled: passes the values of exits in it on to the entries of their
    /// links. Returns false if a value is too far from the goal's for near tiles.
    pub(super) fn follow_links(&mut self, costs: &CostMap, index: u32, key: u64) -> bool {
        let sector = self.loaded.sector(index);
        let Some(id) = self.loaded.extent.sector_id(sector) else {
            return true;
        };
        for number in self.links.exits_in(id) {
            let RegionLink { exit, link, .. } = self.links.links[number];
            let Some(value) = self.value_at(costs, index, exit) else {
                continue;
            };
            let value = value + u64::from(link.price);
            if value >= self.links.links[number].value {
                continue;
            }
            if !self.sources.reach(value) && matches!(self.tiles, KeptCosts::Near(_)) {
                return false;
            }
            self.links.links[number].value = value;
            if let Some(entry) = self.index_of_entry(number, value) {
                self.wait(entry, value.max(key));
            }
        }
        true
    }

    /// Returns the index of the tile with the entry of a link; loads it if the region may
    /// grow there.
    fn index_of_entry(&mut self, number: usize, value: u64) -> Option<u32> {
        let sector = self.loaded.extent.sector(self.links.links[number].sector);
        match self.loaded.index(sector) {
            NOT_LOADED => self
                .growth
                .as_ref()
                .is_some_and(|growth| growth.reaches(sector, value))
                .then(|| self.add(sector, Flow::NOTHING, Borders::CLOSED)),
            index => Some(index),
        }
    }

    /// Returns the value of a cell of a tile that was settled last. Values inside a tile are
    /// not kept, so the directions are followed to its border, or to a source.
    fn value_at(&self, costs: &CostMap, index: u32, mut slot: Slot) -> Option<u64> {
        let sector = self.loaded.sector(index);
        let tile = self.loaded.costs(costs, sector)?;
        let mut total = 0;
        loop {
            if let Some(value) = self.tiles.get(self.sources.base(), index as usize, slot) {
                return Some(total + value);
            }
            let flow = Flow::of(self.flows[index as usize][slot.index()]);
            if flow.is_here() {
                return self.source_at(index, slot).map(|value| total + value);
            }
            let direction = flow.direction()?;
            let cost = tile.costs()[slot.index()];
            total += u64::from(weight(direction)) * u64::from(cost);
            // Inside the border every step stays in the tile.
            let (dx, dy) = direction.offset();
            slot = Slot::at(slot.x() + dx, slot.y() + dy);
        }
    }

    fn source_at(&self, index: u32, slot: Slot) -> Option<u64> {
        let sector = self.loaded.sector(index);
        self.sources
            .of(index)
            .iter()
            .map(|&(_, slot, value)| (slot, value))
            .chain(self.links.values_in(&self.loaded, sector))
            .filter(|&(at, _)| at == slot)
            .map(|(_, value)| value)
            .min()
    }

    /// Marks the cells at which a link is to be entered. Returns the links that are to be
    /// taken there, by the row and column of the entry.
    pub(super) fn mark_entries(&mut self) -> Vec<CellLink> {
        let entered = self.entered_links();
        for &(index, slot, _) in &entered {
            self.flows[index as usize][slot.index()] = Flow::LINK.byte();
        }
        entered.into_iter().map(|(.., link)| link).collect()
    }

    /// Returns the links that are better than every step from their entries, and of several
    /// with one entry the best, with tile and slot of the entry.
    fn entered_links(&self) -> Vec<(u32, Slot, CellLink)> {
        let mut best: Vec<&RegionLink> = self
            .links
            .links
            .iter()
            .filter(|link| link.value != UNREACHED)
            .collect();
        best.sort_by_key(|link| {
            (
                link.link.entry.y,
                link.link.entry.x,
                link.value,
                link.link.id,
            )
        });
        best.dedup_by_key(|link| link.link.entry);
        best.into_iter()
            .filter_map(|link| {
                let index = self.loaded.index(self.loaded.extent.sector(link.sector));
                let flow = *self.flows.get(index as usize)?.get(link.slot.index())?;
                let goals = self.sources.of(index).iter();
                let mut better =
                    goals.filter(|&&(_, at, goal)| at == link.slot && goal <= link.value);
                let is_entered = Flow::of(flow).is_here() && better.next().is_none();
                is_entered.then_some((index, link.slot, link.link))
            })
            .collect()
    }
}
