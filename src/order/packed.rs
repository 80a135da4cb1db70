//! Orders as bytes: their goals and units, and the sectors that they have
//! loaded; and which layers are derived that no order uses.
//!
//! A field depends only on the costs, the goals and the loaded sectors. So an
//! order without work left is saved with its goals and sectors, and a loaded
//! world derives the same field, byte for byte. An order with work left is
//! saved with its goal and units only, and is planned from the start.

use std::collections::BTreeSet;

use super::book::Book;
use super::claim::Order;
use super::goal::{Goal, MAX_START_COST, Quality};
use super::plan::Plan;
use super::reach::Reach;
use super::scratch::PlanScratch;
use crate::bytes::{Digest, Fault, Reader, Writer};
use crate::cost::{CellLink, LayerId, LinkId};
use crate::grid::{Cell, Extent, Sector, SectorId};
use crate::map::{Layers, MAX_LAYERS, Map};

const STRICT: u8 = 0;
const NEAREST: u8 = 1;
/// Nearest, and all cells but the first are sides of an obstacle.
const NEAREST_SIDE: u8 = 5;

/// Added to a policy if the goal's layer follows: not that of the ground.
const LAYERED: u8 = 2;

const WORKING: u8 = 0;
const SETTLED: u8 = 1;

const QUALITIES: [(u8, Quality); 3] = [
    (0, Quality::Corridor),
    (1, Quality::Exact),
    (2, Quality::Everywhere),
];

impl Book {
    /// Writes all living orders, by number.
    pub(crate) fn pack(&self, layers: &Layers, out: &mut Writer) {
        let extent = layers.extent();
        let living = self.living();
        out.number(self.next_number());
        out.count(living.len());
        for (number, plan) in living {
            out.number(number);
            let (goal, units) = plan.last_asked();
            pack_goal(goal, out);
            pack_cells(units, out);
            let Some(sectors) = plan.settled_sectors() else {
                out.byte(WORKING);
                continue;
            };
            out.byte(SETTLED);
            let found: Vec<Cell> = plan
                .reach()
                .found()
                .iter()
                .map(|(_, goal)| goal.cell)
                .collect();
            pack_cells(&found, out);
            pack_cells(plan.exits(), out);
            pack_sectors(extent, sectors, out);
            if layers.links().have_been() {
                pack_links(plan.links(), out);
            }
        }
    }

    /// Reads what [`pack`](Self::pack) wrote. Orders with work left join the
    /// queue, the oldest first. Each order gets one claim.
    pub(crate) fn unpack(
        layers: &mut Layers,
        cells_max: u64,
        reader: &mut Reader<'_>,
    ) -> Result<(Self, Vec<Order>), Fault> {
        let from = reader.at();
        let mut book = Self::default();
        let mut orders = Vec::new();
        let next_number = reader.number()?;
        let count = reader.number()?;
        let mut left = 0..next_number;
        for _ in 0..count {
            let number = reader.rising(
                &mut left,
                "the number of an order is too high, or not in order",
            )?;
            let plan = unpack_plan(layers, cells_max, &mut book.scratch, reader)?;
            orders.push(book.enter_numbered(plan, number));
        }
        book.go_on_at(next_number);
        let mut written = Writer::default();
        book.pack(layers, &mut written);
        reader.hold_to(from, &written.into_bytes())?;
        Ok((book, orders))
    }

    /// Returns the layers that are derived though no living order uses them.
    pub(crate) fn spare_layers(&self, layers: &Layers) -> Vec<LayerId> {
        let living = self.living().into_iter();
        let used: BTreeSet<_> = living
            .filter_map(|(_, plan)| layers.at(plan.last_asked().0.layer()))
            .collect();
        let is_spare = |layer: &LayerId| layers.at(*layer).is_some_and(|at| !used.contains(&at));
        layers.derived().filter(is_spare).collect()
    }

    /// Derives the layers that [`pack_layers`] wrote: the [spare](Self::spare_layers) ones.
    pub(crate) fn unpack_spare_layers(
        &self,
        layers: &mut Layers,
        cells_max: u64,
        reader: &mut Reader<'_>,
    ) -> Result<(), Fault> {
        let from = reader.at();
        let count = reader.number()?;
        if count == 0 {
            return Err(reader.fault("it has no layer without an order, though it says so"));
        }
        for _ in 0..count {
            let layer = unpack_layer(reader)?;
            if layers.get(layer).is_some() {
                return Err(reader.fault("a layer is derived twice"));
            }
            derive_within(layers, layer, cells_max, reader)?;
        }
        let mut written = Writer::default();
        pack_layers(&self.spare_layers(layers), &mut written);
        reader.hold_to(from, &written.into_bytes())
    }

    /// Adds to a digest the goal and the units of each living order, and the
    /// field of each order without work left.
    pub(crate) fn digest(&self, digest: &mut Digest) {
        let mut asked = Writer::default();
        asked.number(self.next_number());
        let living = self.living();
        for &(number, plan) in &living {
            asked.number(number);
            let (goal, units) = plan.last_asked();
            pack_goal(goal, &mut asked);
            pack_cells(units, &mut asked);
        }
        digest.bytes(&asked.into_bytes());
        for (number, plan) in living {
            if plan.is_done() {
                digest.number(number);
                plan.field().digest(digest);
            }
        }
    }
}

fn pack_goal(goal: &Goal, out: &mut Writer) {
    out.count(goal.sources().count());
    for source in goal.sources() {
        pack_cell(source.cell, out);
        out.number(source.start_cost);
    }
    let policy = match (goal.is_strict(), goal.has_sides()) {
        (true, _) => STRICT,
        (false, false) => NEAREST,
        (false, true) => NEAREST_SIDE,
    };
    match goal.layer() {
        LayerId::GROUND => out.byte(policy),
        layer => {
            out.byte(policy | LAYERED);
            pack_layer(layer, out);
        }
    }
    let code = QUALITIES
        .into_iter()
        .find(|&(_, quality)| quality == goal.quality());
    out.byte(code.map_or(u8::MAX, |(code, _)| code));
}

fn unpack_goal(extent: Extent, reader: &mut Reader<'_>) -> Result<Goal, Fault> {
    let count = reader.number()?;
    let mut goal: Option<Goal> = None;
    for _ in 0..count {
        let cell = unpack_cell(extent, reader)?;
        let start_cost = reader.below(MAX_START_COST + 1, "a start cost is too high")?;
        goal = Some(match goal {
            None => Goal::at(cell).with_start_cost(start_cost),
            Some(goal) => goal.or_at(cell, start_cost),
        });
    }
    let goal = goal.ok_or_else(|| reader.fault("a goal has no cell"))?;
    let policy = reader.byte()?;
    let goal = match policy & !LAYERED {
        STRICT => goal,
        NEAREST => goal.or_nearest(),
        NEAREST_SIDE => goal.or_nearest_side(),
        _ => return Err(reader.fault("the policy of a goal is unknown")),
    };
    let goal = match policy & LAYERED {
        0 => goal,
        _ => goal.on(unpack_layer(reader)?),
    };
    let code = reader.byte()?;
    let quality = QUALITIES.into_iter().find(|&(known, _)| known == code);
    let (_, quality) = quality.ok_or_else(|| reader.fault("the quality of an order is unknown"))?;
    Ok(goal.with_quality(quality))
}

/// Writes which layers these are.
pub(crate) fn pack_layers(layers: &[LayerId], out: &mut Writer) {
    out.count(layers.len());
    for &layer in layers {
        pack_layer(layer, out);
    }
}

fn pack_layer(layer: LayerId, out: &mut Writer) {
    out.number(u64::from(layer.number()));
    out.byte(layer.team());
}

fn unpack_layer(reader: &mut Reader<'_>) -> Result<LayerId, Fault> {
    let number = reader.below(u64::from(MAX_LAYERS), "there is no such layer")?;
    let team = reader.byte()?;
    LayerId::from_number(number as u16)
        .for_team(team)
        .ok_or_else(|| reader.fault("a layer is of no team"))
}

/// Derives a layer, if there is such a layer, and if the maps of all then have no more cells
/// than are allowed.
fn derive_within<'a>(
    layers: &'a mut Layers,
    layer: LayerId,
    cells_max: u64,
    reader: &Reader<'_>,
) -> Result<&'a Map, Fault> {
    if layers.get(layer).is_none() && layers.cells_with_one_more() > cells_max {
        return Err(reader.fault("the layers have more cells than are allowed"));
    }
    layers
        .derive(layer)
        .ok_or_else(|| reader.fault("there is no such layer"))
}

fn unpack_plan(
    layers: &mut Layers,
    cells_max: u64,
    scratch: &mut PlanScratch,
    reader: &mut Reader<'_>,
) -> Result<Plan, Fault> {
    let extent = layers.extent();
    let goal = unpack_goal(extent, reader)?;
    let has_links = layers.links().have_been();
    let map = derive_within(layers, goal.layer(), cells_max, reader)?;
    let units = unpack_cells(extent, reader)?;
    match reader.byte()? {
        WORKING => {
            let reach = Reach::new(map, &goal, &units);
            Ok(Plan::new(map, scratch, goal, reach, &units))
        }
        SETTLED => {
            let goals = unpack_cells(extent, reader)?;
            let reach = Reach::with_found(map, &goal, &goals).ok_or_else(|| {
                reader.fault("a goal of an order is in a wall, or shares an island with another")
            })?;
            let exits = unpack_cells(extent, reader)?;
            let sectors = unpack_sectors(extent, reader)?;
            let links = if has_links {
                unpack_links(map, reader)?
            } else {
                Vec::new()
            };
            let plan = Plan::new(map, scratch, goal, reach, &units);
            Ok(plan.restored(map, scratch, exits, sectors, links))
        }
        _ => Err(reader.fault("the state of an order is unknown")),
    }
}

fn pack_cell(cell: Cell, out: &mut Writer) {
    out.number(u64::from(cell.x as u32));
    out.number(u64::from(cell.y as u32));
}

fn unpack_cell(extent: Extent, reader: &mut Reader<'_>) -> Result<Cell, Fault> {
    let x = reader.below(extent.width() as u64, "a cell is off the map")?;
    let y = reader.below(extent.height() as u64, "a cell is off the map")?;
    Ok(Cell::new(x as i32, y as i32))
}

fn pack_cells(cells: &[Cell], out: &mut Writer) {
    out.count(cells.len());
    for &cell in cells {
        pack_cell(cell, out);
    }
}

fn unpack_cells(extent: Extent, reader: &mut Reader<'_>) -> Result<Vec<Cell>, Fault> {
    let count = reader.number()?;
    // No memory is reserved: the count may be wrong.
    let mut cells = Vec::new();
    for _ in 0..count {
        cells.push(unpack_cell(extent, reader)?);
    }
    Ok(cells)
}

/// Writes sectors in id order, each as the difference from the one before.
fn pack_sectors(extent: Extent, sectors: impl Iterator<Item = Sector>, out: &mut Writer) {
    let mut ids: Vec<SectorId> = sectors
        .filter_map(|sector| extent.sector_id(sector))
        .collect();
    ids.sort_unstable();
    out.count(ids.len());
    let mut next = 0;
    for id in ids {
        out.number(u64::from(id.0 - next));
        next = id.0 + 1;
    }
}

/// Writes links, each as its number and the entry.
fn pack_links(links: &[CellLink], out: &mut Writer) {
    out.count(links.len());
    for link in links {
        out.number(u64::from(link.id.number()));
        pack_cell(link.entry, out);
    }
}

fn unpack_links(map: &Map, reader: &mut Reader<'_>) -> Result<Vec<CellLink>, Fault> {
    let mut links = Vec::new();
    for _ in 0..reader.number()? {
        let id = LinkId::from_number(reader.below(1 << 32, "a link has too high a number")? as u32);
        let entry = unpack_cell(map.costs.extent(), reader)?;
        let link = map.links.get(id, entry).filter(|link| map.links.has(link));
        links.push(link.ok_or_else(|| reader.fault("an order leads through no open link"))?);
    }
    Ok(links)
}

fn unpack_sectors(extent: Extent, reader: &mut Reader<'_>) -> Result<Vec<Sector>, Fault> {
    let count = reader.number()?;
    let all = extent.sector_count() as u64;
    let mut next = 0;
    let mut sectors = Vec::new();
    for _ in 0..count {
        let id = next + reader.below(all - next, "a sector is off the map")?;
        sectors.push(extent.sector(SectorId(id as u32)));
        next = id + 1;
    }
    Ok(sectors)
}
