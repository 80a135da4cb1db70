//! Surcharges: what cells of a layer cost more than their ground, for as long as the game
//! says so.
//!
//! ```text
//!   cost of a cell that is no wall = min(254, cost by the ground + set by the game
//!                                                                + set by an army)
//! ```
//!
//! What the game sets and what an army sets for its jams are kept apart: neither takes away
//! what is the other's. Those of a layer as team 0 sees it are for all teams; a layer for another
//! team has its own beside them.

use std::collections::BTreeMap;

use super::deriving::raise;
use super::packed::{pack_costs, unpack_costs};
use super::{LayerId, MAX_TEAMS, Teams};
use crate::bytes::{Fault, Reader, Writer};
use crate::grid::{CellRect, Extent, SECTOR_CELLS, SectorId, Slot};

/// The source of a surcharge.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SetBy {
    Game,
    Army,
}

/// In the number by which a save names a layer, where that of the team begins.
const TEAM: u32 = 16;

/// The surcharges of the cells of a sector: those of the game, and those of an army.
type Tile = [[u8; SECTOR_CELLS]; 2];

const NOTHING: Tile = [[0; SECTOR_CELLS]; 2];

/// The surcharges of all layers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surcharges {
    /// By the layer and the sector; none is all zeros.
    tiles: BTreeMap<(LayerId, SectorId), Tile>,
    /// By team, the number of tiles on its layers.
    by_team: [usize; MAX_TEAMS as usize],
}

impl Surcharges {
    pub(crate) fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Sets the surcharge of the cells of an area on the map. Returns the parts of the area
    /// where it was another one.
    pub(crate) fn set(
        &mut self,
        extent: Extent,
        (layer, by): (LayerId, SetBy),
        (area, amount): (CellRect, u8),
    ) -> Vec<CellRect> {
        let mut changed = Vec::new();
        if area.is_empty() {
            return changed;
        }
        for sector in extent.sectors_of(area) {
            let key = (layer, sector);
            if amount == 0 && !self.tiles.contains_key(&key) {
                continue;
            }
            let part = area.intersection(extent.area_of(sector));
            let count = self.tiles.len();
            let tile = self.tiles.entry(key).or_insert(NOTHING);
            let before = *tile;
            for cell in part.cells() {
                tile[by as usize][extent.locate(cell).1.index()] = amount;
            }
            if *tile != before {
                changed.push(part);
            }
            if *tile == NOTHING {
                self.tiles.remove(&key);
            }
            let of_team = &mut self.by_team[usize::from(layer.team())];
            *of_team = *of_team + self.tiles.len() - count;
        }
        changed
    }

    pub(super) fn add_to(&self, layer: LayerId, sector: SectorId, costs: &mut [u8; SECTOR_CELLS]) {
        for tile in self.on(layer, sector) {
            for (slot, cost) in Slot::all().zip(costs.iter_mut()) {
                *cost = raise(*cost, sum(tile, slot));
            }
        }
    }

    /// What a cell costs more, with nothing taken off at 254.
    pub(crate) fn at(&self, layer: LayerId, (sector, slot): (SectorId, Slot)) -> u8 {
        let tiles = self.on(layer, sector);
        tiles.fold(0, |all, tile| all.saturating_add(sum(tile, slot)))
    }

    /// The surcharges of a sector: those for all teams, and the team's own.
    fn on(&self, layer: LayerId, sector: SectorId) -> impl Iterator<Item = &Tile> {
        let all = LayerId::from_number(layer.number());
        let own = Some(layer).filter(|_| layer.team() > 0);
        let layers = std::iter::once(all).chain(own);
        layers.filter_map(move |layer| self.tiles.get(&(layer, sector)))
    }

    /// Whether a cell of the layer costs more, to any team.
    pub(crate) fn are_on(&self, number: u16) -> bool {
        let first = LayerId::from_number(number);
        let mut from = self.tiles.range((first, SectorId(0))..);
        from.next()
            .is_some_and(|((layer, _), _)| layer.number() == number)
    }

    /// Parts the teams that see the same where one of them has surcharges of its own.
    pub(crate) fn part(&self, alike: &mut [Teams; MAX_TEAMS as usize]) {
        let own = (1..MAX_TEAMS).filter(|&team| self.by_team[usize::from(team)] > 0);
        own.for_each(|team| Teams::part(alike, team));
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tiles.len() * size_of::<((LayerId, SectorId), Tile)>()
    }

    pub(crate) fn pack(&self, out: &mut Writer) {
        out.count(self.tiles.len());
        for (&(layer, sector), tile) in &self.tiles {
            out.number(u64::from(layer.number()) | u64::from(layer.team()) << TEAM);
            out.number(u64::from(sector.0));
            tile.iter().for_each(|amounts| pack_costs(amounts, out));
        }
    }

    /// Reads what [`pack`](Self::pack) wrote for a world with this number of layers. The sectors
    /// with surcharges have at most twice this many cells.
    pub(crate) fn unpack(
        extent: Extent,
        layers: usize,
        cells_max: u64,
        reader: &mut Reader<'_>,
    ) -> Result<Self, Fault> {
        let mut tiles = BTreeMap::new();
        let mut by_team = [0; MAX_TEAMS as usize];
        for _ in 0..reader.number()? {
            let layer = reader.below(u64::from(MAX_TEAMS) << TEAM, "a surcharge is on no layer")?;
            let number = LayerId::from_number(layer as u16);
            let layer = number.for_team((layer >> TEAM) as u8).unwrap_or(number);
            let sectors = extent.sector_count() as u64;
            let sector = SectorId(reader.below(sectors, "a surcharge is off the map")? as u32);
            if ((tiles.len() + 1) * SECTOR_CELLS) as u64 > cells_max.saturating_mul(2) {
                return Err(
                    reader.fault("sectors with surcharges have more cells than are allowed")
                );
            }
            let mut tile = NOTHING;
            for amounts in &mut tile {
                let kind = reader.byte()?;
                *amounts = unpack_costs(kind, reader)?;
            }
            let is_off =
                |slot| sum(&tile, slot) > 0 && !extent.contains(extent.cell_at(sector, slot));
            if !(1..layers).contains(&usize::from(layer.number()))
                || tile == NOTHING
                || layer.team() > 0 && tile[SetBy::Army as usize] != NOTHING[0]
                || Slot::all().any(is_off)
            {
                return Err(reader.fault("a surcharge cannot be"));
            }
            if tiles.insert((layer, sector), tile).is_none() {
                by_team[usize::from(layer.team())] += 1;
            }
        }
        Ok(Self { tiles, by_team })
    }

    /// Reads the record of congestion that a world of an earlier build kept, by quarters of
    /// sectors, and makes of it what its levels cost on each layer.
    pub(crate) fn unpack_congestion(
        extent: Extent,
        layers: usize,
        cells_max: u64,
        reader: &mut Reader<'_>,
    ) -> Result<Self, Fault> {
        let costs = (1..layers).map(|_| reader.raw(4));
        let costs: Vec<&[u8]> = costs.collect::<Result<_, _>>()?;
        let (end, off) = (
            4 * extent.sector_count() as u64,
            "a congested quarter is off the map",
        );
        let _whose_turn = reader.below(end + 1, off)?;
        let mut all = Self::default();
        let mut next = 0;
        for _ in 0..reader.number()? {
            let quarter = next + reader.below(end - next, off)?;
            next = quarter + 1;
            let _load = reader.number()?;
            let level = usize::from(reader.byte()?);
            let sector = extent.area_of(SectorId((quarter / 4) as u32));
            let [x, y] = [quarter % 2, quarter / 2 % 2].map(|half| 5 * half as i32);
            let area = CellRect::new(sector.x + x, sector.y + y, 5, 5).intersection(sector);
            if level > 4 || area.is_empty() || (all.tiles.len() * SECTOR_CELLS) as u64 > cells_max {
                return Err(reader.fault("a congested quarter cannot be"));
            }
            for (number, costs) in (1..).zip(&costs).filter(|_| level > 0) {
                let layer = LayerId::from_number(number);
                all.set(extent, (layer, SetBy::Army), (area, costs[level - 1]));
            }
        }
        Ok(all)
    }
}

fn sum([game, army]: &Tile, slot: Slot) -> u8 {
    game[slot.index()].saturating_add(army[slot.index()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Cell;

    /// The record of an earlier build: for each layer what each level costs; whose turn it was;
    /// and for each congested quarter how many others lie before it, its load and its level.
    #[test]
    fn a_record_by_quarters_becomes_what_its_levels_cost() {
        let extent = Extent::new(25, 15).expect("a good size");
        let mut record = Writer::default();
        record.raw(&[1, 2, 4, 8]);
        record.raw(&[0, 10, 20, 40]);
        record.number(24);
        let congested = [(0_u64, 1), (3, 4), (4, 2), (10, 0), (20, 3)];
        record.count(congested.len());
        let mut next = 0;
        for (quarter, level) in congested {
            record.number(quarter - next);
            next = quarter + 1;
            record.number(77);
            record.byte(level);
        }
        let bytes = record.into_bytes();
        let mut reader = Reader::new(&bytes);
        let read = Surcharges::unpack_congestion(extent, 3, 10_000, &mut reader);
        let surcharges = read.expect("a good record");
        assert!(reader.end().is_ok());
        for (layer, costs) in [(1, [0, 1, 2, 4, 8]), (2, [0, 0, 10, 20, 40])] {
            for y in 0..15 {
                for x in 0..25 {
                    // Three sectors a row, and four quarters a sector.
                    let quarter = (y / 10 * 3 + x / 10) * 4 + y % 10 / 5 * 2 + x % 10 / 5;
                    let level = congested.iter().find(|&&(at, _)| at == quarter as u64);
                    let expected = costs[level.map_or(0, |&(_, level)| usize::from(level))];
                    let at = extent.locate(Cell::new(x, y));
                    let layer = LayerId::from_number(layer);
                    assert_eq!(surcharges.at(layer, at), expected, "({x}, {y})");
                }
            }
        }
    }
}
