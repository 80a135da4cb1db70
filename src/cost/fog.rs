//! Fog: what teams know of the ground, where that is not all of it.
//!
//! ```text
//!   ground, stamps, blockers, gates ──► layers of the teams without fog
//!        │
//!        │ revealed, as the team sees it
//!        ▼
//!   what the team knows ──────────────► its own layers
//! ```
//!
//! A team with fog has a map of its own, from which its layers are derived. A cell of it stays as
//! it is until it is revealed or forgotten, whatever is done to the ground.

use std::collections::BTreeMap;

use super::{Cost, CostMap, MAX_TEAMS, SectorChange, Stamps, Teams};
use crate::bytes::{Digest, Fault, Reader, Writer};
use crate::grid::{Cell, CellRect};

/// What each team with fog knows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fog {
    known: BTreeMap<u8, CostMap>,
}

impl Fog {
    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    pub(crate) fn known(&self, team: u8) -> Option<&CostMap> {
        self.known.get(&team)
    }

    /// Parts the teams that see the same by gates where one of them has fog.
    pub(crate) fn part(&self, alike: &mut [Teams; MAX_TEAMS as usize]) {
        self.known.keys().for_each(|&team| Teams::part(alike, team));
    }

    /// Lays fog for a team, which knows all as it is now.
    pub(crate) fn add(&mut self, team: u8, ground: &CostMap, stamps: &Stamps) {
        self.known.insert(team, ground.clone());
        // Its own gates are open to it, and others closed.
        if stamps.have_had_gates() {
            self.reveal(team, ground, stamps, ground.area(), |_| true);
        }
    }

    pub(crate) fn remove(&mut self, team: u8) {
        self.known.remove(&team);
    }

    /// Shows a team the cells of an area that are in its view, as they are. Returns what it did
    /// not know.
    pub(crate) fn reveal(
        &mut self,
        team: u8,
        ground: &CostMap,
        stamps: &Stamps,
        area: CellRect,
        is_in_view: impl Fn(Cell) -> bool,
    ) -> Vec<SectorChange> {
        let Some(known) = self.known.get_mut(&team).filter(|_| !area.is_empty()) else {
            return Vec::new();
        };
        let extent = ground.extent();
        let mut changed = Vec::new();
        for sector in extent.sectors_of(area) {
            let costs = stamps.seen_by(team, ground, sector);
            if costs == *known.tile(sector).costs() {
                continue;
            }
            let change = known.edit_sector(sector, area, |cell, before| {
                let seen = Cost::stored(costs[extent.locate(cell).1.index()]);
                if seen != before && is_in_view(cell) {
                    seen
                } else {
                    before
                }
            });
            changed.extend(change.map(|(change, _)| change));
        }
        changed
    }

    /// Makes a team believe that all cells of an area are of one kind. Returns what has changed,
    /// as [`reveal`](Self::reveal) does.
    pub(crate) fn forget(&mut self, team: u8, area: CellRect, kind: Cost) -> Vec<SectorChange> {
        let Some(known) = self.known.get_mut(&team).filter(|_| !area.is_empty()) else {
            return Vec::new();
        };
        let sectors = known.extent().sectors_of(area);
        sectors
            .filter_map(|sector| known.edit_sector(sector, area, |_, _| kind))
            .map(|(change, _)| change)
            .collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.known.values().map(CostMap::bytes).sum()
    }

    /// Adds the teams and what each knows to a digest: the costs, wherever they are stored.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        digest.number(self.known.len() as u64);
        for (&team, known) in &self.known {
            digest.number(u64::from(team));
            known.digest(digest);
        }
    }

    /// Writes the teams, and what each knows.
    pub(crate) fn pack(&self, out: &mut Writer) {
        out.count(self.known.len());
        for (&team, known) in &self.known {
            out.byte(team);
            known.pack_ground(&Stamps::default(), out);
        }
    }

    /// Reads what [`pack`](Self::pack) wrote for a world whose ground lies over `under`: a map of
    /// the same size, over the same source if any.
    pub(crate) fn unpack(under: &CostMap, reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut known = BTreeMap::new();
        for _ in 0..reader.below(u64::from(MAX_TEAMS), "too many teams have fog")? {
            let team = reader.byte()?;
            if !(1..MAX_TEAMS).contains(&team) {
                return Err(reader.fault("fog is laid for no team"));
            }
            let map = CostMap::unpack_ground(Some(under.clone()), reader)?;
            known.insert(team, map);
        }
        Ok(Self { known })
    }
}
