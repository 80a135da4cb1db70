//! Costs as bytes: first the ground by sector, then the stamps and blockers; and the
//! layers and gates.
//!
//! ```text
//!   0 n        n sectors of open ground
//!   1 n        n sectors of walls
//!   2 n c …    one sector as runs: n cells of cost c, until all are given
//!   3 c …      one sector as its hundred costs
//!   4 n        n sectors as they are in the source under the map
//! ```

use super::{
    Cost, CostMap, Gate, MAX_GATE_CELLS, Movement, PlacedStamp, StampTemplate, Stamps, Teams, Turn,
};
use crate::bytes::{Digest, Fault, Reader, Writer};
use crate::grid::{Cell, CellRect, MAX_SIDE, SECTOR_CELLS, SectorId, Slot};

const OPEN: u8 = 0;
const CLOSED: u8 = 1;
const RUNS: u8 = 2;
const CELLS: u8 = 3;
const SOURCE: u8 = 4;

type CostBytes = [u8; SECTOR_CELLS];

const WALLS: CostBytes = [Cost::WALL.value(); SECTOR_CELLS];

impl CostMap {
    /// Writes the size, and the ground under stamps and blockers.
    pub(crate) fn pack_ground(&self, stamps: &Stamps, out: &mut Writer) {
        out.number(u64::from(self.width()));
        out.number(u64::from(self.height()));
        // The present run of plain sectors, not yet written.
        let (mut kind, mut count) = (OPEN, 0_u64);
        for sector in self.extent().sectors() {
            let (plain, costs) = self.describe(stamps, sector);
            if plain == Some(kind) && count > 0 {
                count += 1;
                continue;
            }
            pack_run(kind, count, out);
            kind = plain.unwrap_or(OPEN);
            count = u64::from(plain.is_some());
            if plain.is_none() {
                pack_costs(&costs, out);
            }
        }
        pack_run(kind, count, out);
    }

    /// Returns the kind of run that a sector belongs to, if any, and otherwise
    /// its costs.
    fn describe(&self, stamps: &Stamps, sector: SectorId) -> (Option<u8>, CostBytes) {
        if !stamps.any_in(sector) {
            if self.is_open_ground(sector) {
                return (Some(OPEN), WALLS);
            }
            if self.is_in_source(sector) {
                return (Some(SOURCE), WALLS);
            }
        }
        let costs = self.ground_of(stamps, sector);
        if costs == self.open_costs(sector) {
            (Some(OPEN), costs)
        } else {
            ((costs == WALLS).then_some(CLOSED), costs)
        }
    }

    /// Reads packed ground. Sectors that are left to a source are taken from
    /// `under`, a map over that source.
    pub(crate) fn unpack_ground(
        under: Option<Self>,
        reader: &mut Reader<'_>,
    ) -> Result<Self, Fault> {
        let sides = [(); 2].map(|()| reader.number());
        let [width, height] = sides.map(|side| u32::try_from(side.unwrap_or(0)));
        let (width, height) = (width.unwrap_or(0), height.unwrap_or(0));
        let mut map = match under {
            Some(map) if (map.width(), map.height()) == (width, height) => map,
            Some(_) => return Err(reader.fault("the source has another size")),
            None => Self::open(width, height)
                .map_err(|_| reader.fault("a map cannot have this size"))?,
        };
        let sectors = map.extent().sector_count() as u64;
        let mut next = 0;
        while next < sectors {
            let sector = SectorId(next as u32);
            match reader.byte()? {
                kind @ (OPEN | CLOSED | SOURCE) => {
                    let left = sectors - next;
                    let count = reader.below(left + 1, "there are too many sectors")?;
                    if count == 0 {
                        return Err(reader.fault("a run of sectors is empty"));
                    }
                    if kind == SOURCE && map.source_digest().is_none() {
                        return Err(
                            reader.fault("a sector refers to a source, and the save has none")
                        );
                    }
                    for id in next..next + count {
                        map.write_run(kind, SectorId(id as u32));
                    }
                    next += count;
                }
                kind @ (RUNS | CELLS) => {
                    let costs = unpack_costs(kind, reader)?;
                    if !map.fits(sector, &costs) {
                        return Err(reader.fault("a cost is 0, or lies off the map"));
                    }
                    map.write_sector(sector, &costs);
                    next += 1;
                }
                _ => return Err(reader.fault("the kind of a sector is unknown")),
            }
        }
        Ok(map)
    }

    fn ground_of(&self, stamps: &Stamps, sector: SectorId) -> CostBytes {
        let mut costs = *self.tile(sector).costs();
        for (slot, cover) in stamps.covers_in(sector) {
            costs[slot.index()] = cover.ground.value();
        }
        costs
    }

    /// Returns the costs of a sector whose cells on the map are all open
    /// ground.
    fn open_costs(&self, sector: SectorId) -> CostBytes {
        let mut costs = WALLS;
        for cell in self.extent().area_of(sector).cells() {
            costs[self.extent().locate(cell).1.index()] = Cost::OPEN.value();
        }
        costs
    }

    /// Whether these are valid costs of a sector: none is 0, and cells off the
    /// map are wall.
    fn fits(&self, sector: SectorId, costs: &CostBytes) -> bool {
        let on_map = |slot| {
            let cell = self.extent().cell_at(sector, slot);
            self.extent().contains(cell)
        };
        Slot::all().all(|slot| {
            let cost = costs[slot.index()];
            cost != 0 && (cost == Cost::WALL.value() || on_map(slot))
        })
    }

    /// Writes a sector of a run.
    fn write_run(&mut self, kind: u8, sector: SectorId) {
        match kind {
            OPEN if self.is_open_ground(sector) => {}
            OPEN => self.write_sector(sector, &self.open_costs(sector)),
            CLOSED => self.write_sector(sector, &WALLS),
            _ if self.is_in_source(sector) => {}
            _ => {
                if let Some(tile) = self.tiles.source_tile(sector) {
                    self.write_sector(sector, tile.costs());
                }
            }
        }
    }

    fn write_sector(&mut self, sector: SectorId, costs: &CostBytes) {
        let extent = self.extent();
        self.edit_sector(sector, self.extent().area_of(sector), |cell, _| {
            Cost::stored(costs[extent.locate(cell).1.index()])
        });
    }
}

fn pack_run(kind: u8, count: u64, out: &mut Writer) {
    if count > 0 {
        out.byte(kind);
        out.number(count);
    }
}

/// Writes a sector in the form that takes fewer bytes.
pub(super) fn pack_costs(costs: &CostBytes, out: &mut Writer) {
    let runs: Vec<&[u8]> = costs.chunk_by(|a, b| a == b).collect();
    if 2 * runs.len() >= SECTOR_CELLS {
        out.byte(CELLS);
        out.raw(costs);
        return;
    }
    out.byte(RUNS);
    for run in runs {
        out.byte(run.len() as u8);
        out.byte(run[0]);
    }
}

pub(super) fn unpack_costs(kind: u8, reader: &mut Reader<'_>) -> Result<CostBytes, Fault> {
    let mut costs = WALLS;
    if kind == CELLS {
        costs.copy_from_slice(reader.raw(SECTOR_CELLS)?);
        return Ok(costs);
    }
    let mut at = 0;
    while at < SECTOR_CELLS {
        let count = usize::from(reader.byte()?);
        let cost = reader.byte()?;
        if count == 0 || count > SECTOR_CELLS - at {
            return Err(reader.fault("the runs of a sector do not add up to a hundred cells"));
        }
        costs[at..at + count].fill(cost);
        at += count;
    }
    Ok(costs)
}

impl Stamps {
    /// Writes the stamps by number, then the blockers by cell.
    pub(crate) fn pack(&self, costs: &CostMap, out: &mut Writer) {
        out.number(self.next_number);
        out.count(self.len());
        for (id, stamp) in self.iter() {
            let template = &stamp.template;
            out.number(id.number());
            out.number(stamp.at.x as u64);
            out.number(stamp.at.y as u64);
            out.byte(stamp.turn as u8);
            out.number(u64::from(template.width()));
            out.number(u64::from(template.height()));
            out.raw(template.stored_costs());
        }
        out.count(self.blocked());
        for (&(sector, slot), cover) in &self.covers {
            if cover.blockers > 0 {
                let cell = costs.extent().cell_at(sector, slot);
                out.number(u64::from(costs.extent().cell_id(cell)));
                out.number(u64::from(cover.blockers));
            }
        }
    }

    /// Reads packed stamps and blockers, and lays them over the ground `costs`,
    /// which afterwards holds the costs of the cells.
    pub(crate) fn unpack(costs: &mut CostMap, reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut stamps = Self::default();
        let next_number = reader.number()?;
        let count = reader.number()?;
        let mut left = 0..next_number;
        for _ in 0..count {
            let number = reader.rising(
                &mut left,
                "the number of a stamp is too high, or not in order",
            )?;
            let stamp = unpack_stamp(costs, reader)?;
            stamps.add_numbered(costs, number, stamp);
        }
        stamps.next_number = next_number;
        let count = reader.number()?;
        let (width, area) = (u64::from(costs.width()), costs.area());
        let cells = width * u64::from(area.height);
        for _ in 0..count {
            let id = reader.below(cells, "a blocker is off the map")?;
            let blockers = reader.number()?;
            let blockers = u32::try_from(blockers).ok().filter(|&count| count > 0);
            let blockers = blockers.ok_or_else(|| reader.fault("a count of blockers is wrong"))?;
            let cell = Cell::new((id % width) as i32, (id / width) as i32);
            stamps.block_by(costs, cell, blockers);
        }
        stamps.show_on(costs);
        Ok(stamps)
    }

    /// Gives each covered cell its cost under stamps and blockers.
    fn show_on(&self, costs: &mut CostMap) {
        for (&(sector, slot), cover) in &self.covers {
            let cell = costs.extent().cell_at(sector, slot);
            costs.edit_sector(sector, cell.into(), |_, _| cover.cost());
        }
    }

    /// Adds all stamps and blockers, and the ground below them, to a digest.
    pub(crate) fn digest(&self, costs: &CostMap, digest: &mut Digest) {
        let mut out = Writer::default();
        self.pack(costs, &mut out);
        for (&(sector, slot), cover) in &self.covers {
            out.number(u64::from(sector.0));
            out.byte(slot.index() as u8);
            out.byte(cover.ground.value());
        }
        digest.bytes(&out.into_bytes());
    }
}

impl Movement {
    /// Writes the costs of all kinds, the size and the costs near walls.
    pub(crate) fn pack(&self, out: &mut Writer) {
        for kind in 1..=u8::MAX {
            out.byte(self.cost(Cost::stored(kind)).value());
        }
        out.byte(self.size());
        out.raw(&self.wall_costs());
    }

    /// Reads the count of layers and each of them.
    pub(crate) fn unpack_all(reader: &mut Reader<'_>) -> Result<Vec<Self>, Fault> {
        let count = reader.number()?;
        let mut layers = Vec::new();
        for _ in 0..count {
            layers.push(Self::unpack(reader)?);
        }
        Ok(layers)
    }

    fn unpack(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let costs = reader.raw(usize::from(u8::MAX))?;
        if costs.contains(&0) {
            return Err(reader.fault("a layer has a cost of 0"));
        }
        let layer =
            Self::new().with_costs(|kind| Cost::stored(costs[usize::from(kind.value()) - 1]));
        let layer = layer.with_size(reader.byte()?);
        let layer = layer.map_err(|_| reader.fault("a layer has an unknown size"))?;
        let mut beside = [0; 4];
        beside.copy_from_slice(reader.raw(4)?);
        Ok(layer.with_wall_costs(beside))
    }
}

impl Stamps {
    /// Writes the gates by number.
    pub(crate) fn pack_gates(&self, out: &mut Writer) {
        out.number(self.next_gate);
        out.count(self.gates().count());
        for (id, gate) in self.gates() {
            out.number(id.number());
            for at in [
                gate.area.x as u32,
                gate.area.y as u32,
                gate.area.width,
                gate.area.height,
            ] {
                out.number(u64::from(at));
            }
            out.byte(gate.open_to.bits());
        }
    }

    /// Reads packed gates, and lays them over `costs`.
    pub(crate) fn unpack_gates(
        &mut self,
        costs: &mut CostMap,
        reader: &mut Reader<'_>,
    ) -> Result<(), Fault> {
        let next_gate = reader.number()?;
        let count = reader.number()?;
        let mut left = 0..next_gate;
        for _ in 0..count {
            let number = reader.rising(
                &mut left,
                "the number of a gate is too high, or not in order",
            )?;
            let mut at = || reader.below(u64::from(MAX_SIDE) + 1, "a gate is off the map");
            let [x, y, width, height] = [at()?, at()?, at()?, at()?];
            let area = CellRect::new(x as i32, y as i32, width as u32, height as u32);
            if area.is_empty() || costs.check(area).is_err() || width * height > MAX_GATE_CELLS {
                return Err(reader.fault("a gate cannot have this area"));
            }
            let open_to = Teams::from_bits(reader.byte()?);
            self.add_gate_numbered(costs, number, Gate { area, open_to });
        }
        self.next_gate = next_gate;
        self.show_on(costs);
        Ok(())
    }
}

fn unpack_stamp(costs: &CostMap, reader: &mut Reader<'_>) -> Result<PlacedStamp, Fault> {
    let x = reader.below(u64::from(costs.width()), "a stamp is off the map")?;
    let y = reader.below(u64::from(costs.height()), "a stamp is off the map")?;
    let turn = usize::from(reader.byte()?);
    let turn = Turn::ALL.get(turn).copied();
    let turn = turn.ok_or_else(|| reader.fault("the turn of a stamp is unknown"))?;
    let [width, height] = [reader.number()?, reader.number()?];
    let cells = width
        .checked_mul(height)
        .and_then(|n| usize::try_from(n).ok());
    let cells = reader.raw(cells.unwrap_or(usize::MAX))?.to_vec();
    let [width, height] = [width, height].map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let template = StampTemplate::stored(width, height, cells);
    let stamp = PlacedStamp {
        template: template.map_err(|_| reader.fault("a template cannot have this size"))?,
        at: Cell::new(x as i32, y as i32),
        turn,
    };
    if costs.check(stamp.area()).is_err() {
        return Err(reader.fault("a part of a stamp is off the map"));
    }
    Ok(stamp)
}
