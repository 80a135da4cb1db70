//! The links of a region, and the values of their entries.

use super::loaded::Loaded;
use crate::cost::CellLink;
use crate::grid::{Extent, Sector, SectorId, Slot};
use crate::kernel::UNREACHED;

#[derive(Clone, Default)]
pub(super) struct RegionLinks {
    /// By the sector of the entry.
    pub(super) links: Vec<RegionLink>,
    /// The sector of each exit and the index of the link, in order.
    exits: Vec<(SectorId, u32)>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RegionLink {
    /// Sector and slot of the entry.
    pub(super) sector: SectorId,
    pub(super) slot: Slot,
    pub(super) exit: Slot,
    /// The best value of the entry by way of the link.
    pub(super) value: u64,
    pub(super) link: CellLink,
}

impl RegionLinks {
    pub(super) fn new(extent: Extent, links: impl Iterator<Item = CellLink>) -> Self {
        let mut links: Vec<RegionLink> = links
            .map(|link| {
                let (sector, slot) = extent.locate(link.entry);
                RegionLink {
                    sector,
                    slot,
                    exit: extent.locate(link.exit).1,
                    value: UNREACHED,
                    link,
                }
            })
            .collect();
        links.sort_unstable_by_key(|link| (link.sector, link.slot.index(), link.link.id));
        let mut exits: Vec<(SectorId, u32)> = (0..)
            .zip(&links)
            .map(|(number, link)| (extent.locate(link.link.exit).0, number))
            .collect();
        exits.sort_unstable();
        Self { links, exits }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    pub(super) fn reset(&mut self) {
        for link in &mut self.links {
            link.value = UNREACHED;
        }
    }

    /// Returns the entries in a sector from which a path is known, with their values.
    //
    // PERF: apart from the look itself, so that without links it is one test a tile.
    #[inline]
    pub(super) fn values_in(&self, loaded: &Loaded, sector: Sector) -> Vec<(Slot, u64)> {
        if self.is_empty() {
            Vec::new()
        } else {
            self.known_in(loaded, sector)
        }
    }

    #[inline(never)]
    fn known_in(&self, loaded: &Loaded, sector: Sector) -> Vec<(Slot, u64)> {
        let Some(id) = loaded.extent.sector_id(sector) else {
            return Vec::new();
        };
        let from = self.links.partition_point(|link| link.sector < id);
        self.links[from..]
            .iter()
            .take_while(|link| link.sector == id)
            .filter(|link| link.value != UNREACHED)
            .map(|link| (link.slot, link.value))
            .collect()
    }

    /// Returns the exits in a sector from which a path is known, with their values.
    pub(super) fn ends_in(&self, loaded: &Loaded, sector: Sector) -> Vec<(Slot, u64)> {
        let Some(id) = loaded.extent.sector_id(sector) else {
            return Vec::new();
        };
        self.exits_in(id)
            .into_iter()
            .map(|number| &self.links[number])
            .filter(|link| link.value != UNREACHED)
            .map(|link| (link.exit, link.value - u64::from(link.link.price)))
            .collect()
    }

    /// Returns the indices of the links that end in a sector.
    pub(super) fn exits_in(&self, sector: SectorId) -> Vec<usize> {
        let from = self.exits.partition_point(|&(at, _)| at < sector);
        let count = self.exits[from..].partition_point(|&(at, _)| at == sector);
        let exits = self.exits[from..from + count].iter();
        exits.map(|&(_, number)| number as usize).collect()
    }

    pub(super) fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<RegionLink>()
            + self.exits.capacity() * size_of::<(SectorId, u32)>()
    }
}
