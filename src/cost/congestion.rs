//! Congestion: how much of the ground units fill, and the level to which that is raised.
//!
//! The record is kept by *quarter*, 5×5 cells of a sector. In each round a game says where
//! its units are. A quarter's load gains what they fill and loses a fixed part, so that it
//! tends to a mean over the last rounds:
//!
//! ```text
//!   load ← load − load/2 + filled        density = load / 2 / open cells
//! ```
//!
//! The density sets the level, 0 to 4, which layers turn into costs. A level rises at one
//! density and falls at a lower one:
//!
//! ```text
//!   level 4                              ┌───────────
//!         3                     ┌────────┤
//!         2            ┌────────┤        ↓
//!         1   ┌────────┤        ↓
//!         0 ──┤        ↓
//!             ↓   each step up, and the step down from it at a lower density
//! ```

use crate::bytes::{Fault, Reader, Writer};
use crate::grid::{Cell, CellRect, Extent, SECTOR_CELLS, SectorId};

use super::{Cost, CostMap};

/// The number of congestion levels that cost something.
pub(crate) const CONGESTION_LEVELS: usize = 4;

/// The side of a quarter, in cells.
const SIDE: u32 = 5;
const QUARTERS: u32 = 4;

/// A round takes this part off a load: a half.
const FADES: u32 = 2;

/// From the first density on, in hundredths, the level is above that of its place; below
/// the second it is no longer.
const BOUNDS: [(u32, u32); CONGESTION_LEVELS] = [(30, 15), (45, 25), (60, 40), (75, 55)];

/// No density counts for more: so a jam is forgotten in a few rounds.
const DENSITY_MAX: u32 = 150;

/// The most quarters that change their level in a round.
const CHANGES_MAX: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Quarter {
    /// Four times the number of its sector, and its index in that.
    id: u32,
    load: u32,
    level: u8,
}

/// The record of a whole map; see the module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Congestion {
    /// The quarters with a load or a level, by id.
    quarters: Vec<Quarter>,
    /// The first quarter whose level may change in the next round: those before it had
    /// their turn.
    next: u32,
}

/// What a round changes.
#[derive(Debug, Default)]
pub(crate) struct LevelChanges {
    /// The areas of the quarters that have another level now.
    pub(crate) changed: Vec<CellRect>,
    /// How many quarters could not change their level any more.
    pub(crate) waiting: usize,
}

impl Congestion {
    /// Whether nothing is recorded.
    pub(crate) const fn is_empty(&self) -> bool {
        self.quarters.is_empty()
    }

    /// Ends a round. `units` are the cells of the units, which are on the map, and how many
    /// hundredths of a cell each unit fills.
    pub(crate) fn note(&mut self, costs: &CostMap, units: &[(Cell, u16)]) -> LevelChanges {
        let extent = costs.extent();
        let filled = filled(extent, units);
        self.merge(&filled);
        for quarter in &mut self.quarters {
            let full = open_cells(costs, quarter.id) * FADES;
            quarter.load = quarter.load.min(full * DENSITY_MAX);
        }
        let due: Vec<(usize, u8)> = (0..)
            .zip(&self.quarters)
            .filter_map(|(at, quarter)| {
                let level = quarter.level_due(costs);
                (level != quarter.level).then_some((at, level))
            })
            .collect();
        let first = due.partition_point(|&(at, _)| self.quarters[at].id < self.next);
        let turns = due[first..].iter().chain(&due[..first]);
        let mut changed = Vec::new();
        for &(at, level) in turns.take(CHANGES_MAX) {
            let quarter = &mut self.quarters[at];
            quarter.level = level;
            self.next = quarter.id + 1;
            changed.push(area_of(extent, quarter.id));
        }
        let waiting = due.len() - changed.len();
        if waiting == 0 {
            self.next = 0;
        }
        self.quarters
            .retain(|quarter| quarter.load > 0 || quarter.level > 0);
        LevelChanges { changed, waiting }
    }

    /// Lets all loads fade and adds what was filled, by quarter.
    fn merge(&mut self, filled: &[(u32, u32)]) {
        let mut filled = filled.iter().copied().peekable();
        let mut merged = Vec::with_capacity(self.quarters.len() + filled.len());
        for quarter in &self.quarters {
            while let Some((id, load)) = filled.next_if(|&(id, _)| id < quarter.id) {
                merged.push(Quarter { id, load, level: 0 });
            }
            let gained = filled.next_if(|&(id, _)| id == quarter.id);
            let left = quarter.load - quarter.load.div_ceil(FADES);
            merged.push(Quarter {
                load: left.saturating_add(gained.map_or(0, |(_, load)| load)),
                ..*quarter
            });
        }
        merged.extend(filled.map(|(id, load)| Quarter { id, load, level: 0 }));
        self.quarters = merged;
    }

    /// Adds to the costs of a sector what its levels cost. Walls stay walls, and nothing
    /// else becomes one.
    pub(super) fn add_to(
        &self,
        sector: SectorId,
        surcharges: [u8; CONGESTION_LEVELS],
        costs: &mut [u8; SECTOR_CELLS],
    ) {
        const WALL: u8 = Cost::WALL.value();
        for quarter in self.in_sector(sector) {
            let Some(above) = quarter.level.checked_sub(1) else {
                continue;
            };
            let surcharge = surcharges[usize::from(above)];
            for slot in slots_of(quarter.id) {
                costs[slot] = match costs[slot] {
                    WALL => WALL,
                    cost => cost.saturating_add(surcharge).min(WALL - 1),
                };
            }
        }
    }

    fn in_sector(&self, sector: SectorId) -> &[Quarter] {
        let first = QUARTERS * sector.0;
        let from = self.quarters.partition_point(|quarter| quarter.id < first);
        let rest = &self.quarters[from..];
        let count = rest.partition_point(|quarter| quarter.id < first + QUARTERS);
        &rest[..count]
    }

    pub(crate) fn level(&self, extent: Extent, cell: Cell) -> u8 {
        let id = quarter_of(extent, cell);
        let at = self
            .quarters
            .binary_search_by_key(&id, |quarter| quarter.id);
        at.map_or(0, |at| self.quarters[at].level)
    }

    /// Returns the area, the density in hundredths and the level of each quarter on record.
    pub(crate) fn iter<'a>(
        &'a self,
        costs: &'a CostMap,
    ) -> impl Iterator<Item = (CellRect, u32, u8)> + use<'a> {
        self.quarters.iter().map(|quarter| {
            let area = area_of(costs.extent(), quarter.id);
            (area, quarter.density(costs), quarter.level)
        })
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.quarters.capacity() * size_of::<Quarter>()
    }

    pub(crate) fn pack(&self, out: &mut Writer) {
        out.number(u64::from(self.next));
        out.count(self.quarters.len());
        let mut next = 0;
        for quarter in &self.quarters {
            out.number(u64::from(quarter.id - next));
            out.number(u64::from(quarter.load));
            out.byte(quarter.level);
            next = quarter.id + 1;
        }
    }

    /// Reads what [`pack`](Self::pack) wrote.
    pub(crate) fn unpack(extent: Extent, reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let end = u64::from(QUARTERS) * extent.sector_count() as u64;
        let off = "a congested quarter is off the map";
        let next = reader.below(end + 1, off)? as u32;
        let count = reader.number()?;
        let mut quarters = Vec::new();
        let mut first = 0;
        for _ in 0..count {
            let id = first + reader.below(end - first, off)?;
            first = id + 1;
            let load_max = u64::from(SIDE * SIDE * FADES * DENSITY_MAX);
            let load = reader.below(load_max + 1, "a quarter is too congested")? as u32;
            let level = reader.byte()?;
            if usize::from(level) > CONGESTION_LEVELS || load == 0 && level == 0 {
                return Err(reader.fault("a congestion level is unknown"));
            }
            let id = id as u32;
            if area_of(extent, id).is_empty() {
                return Err(reader.fault(off));
            }
            quarters.push(Quarter { id, load, level });
        }
        Ok(Self { quarters, next })
    }
}

impl Quarter {
    /// The density, in hundredths.
    fn density(&self, costs: &CostMap) -> u32 {
        self.load / (FADES * open_cells(costs, self.id))
    }

    /// The level that follows from its density and its present level.
    fn level_due(&self, costs: &CostMap) -> u8 {
        let (density, now) = (self.density(costs), usize::from(self.level));
        let risen = BOUNDS.iter().take_while(|(rise, _)| density >= *rise);
        let kept = BOUNDS.iter().take_while(|(_, fall)| density >= *fall);
        kept.count().min(now).max(risen.count()) as u8
    }
}

/// What units fill, by quarter.
fn filled(extent: Extent, units: &[(Cell, u16)]) -> Vec<(u32, u32)> {
    let mut filled: Vec<(u32, u32)> = units
        .iter()
        .filter(|(_, filled)| *filled > 0)
        .map(|&(cell, filled)| (quarter_of(extent, cell), u32::from(filled)))
        .collect();
    filled.sort_unstable();
    filled.dedup_by(|next, first| {
        let same = next.0 == first.0;
        if same {
            first.1 = first.1.saturating_add(next.1);
        }
        same
    });
    filled
}

fn quarter_of(extent: Extent, cell: Cell) -> u32 {
    let (sector, slot) = extent.locate(cell);
    let (x, y) = (slot.x() as u32 / SIDE, slot.y() as u32 / SIDE);
    QUARTERS * sector.0 + 2 * y + x
}

/// The first column and row of a quarter in its sector.
const fn corner_of(id: u32) -> (u32, u32) {
    (id % 2 * SIDE, id / 2 % 2 * SIDE)
}

/// The cells of a quarter that are on the map.
fn area_of(extent: Extent, id: u32) -> CellRect {
    let sector = extent.area_of(SectorId(id / QUARTERS));
    let (x, y) = corner_of(id);
    let area = CellRect::new(sector.x + x as i32, sector.y + y as i32, SIDE, SIDE);
    area.intersection(sector)
}

/// The slots of a quarter's cells in its sector.
fn slots_of(id: u32) -> impl Iterator<Item = usize> {
    let (x, y) = corner_of(id);
    let rows = (y..y + SIDE).map(move |y| (y * 2 * SIDE + x) as usize);
    rows.flat_map(|first| first..first + SIDE as usize)
}

/// The number of cells of a quarter that are no walls of the ground; if all are walls, the
/// number of its cells.
fn open_cells(costs: &CostMap, id: u32) -> u32 {
    let tile = costs.tile(SectorId(id / QUARTERS));
    let walls = &tile.walls().rows;
    let (x, y) = corner_of(id);
    let row = |walls: &u16| (!walls >> x & 0b1_1111).count_ones();
    let open: u32 = walls[y as usize..(y + SIDE) as usize].iter().map(row).sum();
    match open {
        0 => SIDE * SIDE,
        open => open,
    }
}
