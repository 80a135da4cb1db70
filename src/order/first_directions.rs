//! First directions: out of the units' sectors, before the tiles are settled.
//!
//! A finished search knows through which portal each unit's path leaves its sector,
//! and what the path costs from there. So a sector with units is settled alone, from
//! those portals inward; each of its cells gets the step on the cheapest of those
//! paths:
//!
//! ```text
//!   → → ↘ . .        the goal is far to the east; the crossing E is on the path
//!   → → → ↘ .
//!   ▓ ▓ ▓ → E ⇒      there the direction leads over the border, to the
//!   → → → ↗ .        cell of the next sector where the path continues
//! ```
//!
//! A portal stands for the rest of its path at its exact cost, and the portals of
//! all paths are used, not only each unit's own. So each step costs what it lowers
//! the cost-to-go by: there are no circles, not even through other sectors.
//!
//! This settles one tile for each sector with units, and is done only if the whole
//! paths have many more tiles.

use crate::budget::{Paused, TILE_WORK, Work};
use crate::cost::CostTile;
use crate::grid::{Cell, Direction, Extent, SECTOR_CELLS, Sector, SectorList, Slot};
use crate::kernel::{
    Borders, CLOSED_SIDE, Costs, Ground, HERE, Halo, NO_DIRECTION, NO_PATH, Seed, Settling,
    Threshold, Walls, settle, step_price, walks_over,
};
use crate::map::{AffectedSector, Map};
use crate::portal::{LocalPortal, PortalId};
use crate::route::{PathPortal, Source};

/// The number of tiles that the paths must have for each tile of first directions.
const WORTH: usize = 4;

/// Exits that cost this much more than the cheapest are never used, whatever lies
/// in the tile.
const TOO_DEAR: u64 = 1 << 30;

/// The directions out of the sectors with units.
#[derive(Clone)]
pub(super) struct FirstDirections {
    tiles: SectorList<[u8; SECTOR_CELLS]>,
    /// Paths whose tiles are still to be made, by sector, the last first.
    todo: Vec<PathPortal>,
    goals: Vec<Source>,
}

impl FirstDirections {
    /// Returns the first directions of the paths found, still to be made; none if the
    /// paths have too few tiles.
    pub(super) fn of(
        extent: Extent,
        mut portals: Vec<PathPortal>,
        goals: &[Source],
        tiles: usize,
    ) -> Self {
        portals.sort_unstable_by_key(|portal| (key(portal.from), portal.id));
        let sectors = portals.chunk_by(|a, b| a.from == b.from).count();
        let (todo, goals) = if sectors * WORTH <= tiles {
            (portals, goals.to_vec())
        } else {
            Default::default()
        };
        Self {
            tiles: SectorList::new(extent),
            todo,
            goals,
        }
    }

    /// Whether any is still to be made.
    pub(super) const fn is_pending(&self) -> bool {
        !self.todo.is_empty()
    }

    /// Makes those still to be made.
    pub(super) fn advance(&mut self, map: &Map, work: &mut Work) -> Result<(), Paused> {
        while let Some(last) = self.todo.last() {
            work.check()?;
            let from = last.from;
            let count = self
                .todo
                .iter()
                .rev()
                .take_while(|portal| portal.from == from)
                .count();
            let portals = self.todo.split_off(self.todo.len() - count);
            let tile = tile(map, from, &portals, &self.goals);
            self.tiles.push(from, tile);
            work.count(TILE_WORK);
        }
        Ok(())
    }

    /// After a change of the map: drops the tiles on it and beside it.
    pub(super) fn invalidate(&mut self, around: &[AffectedSector]) {
        if self.tiles.is_empty() {
            return;
        }
        for affected in around {
            if let Some(tile) = self.tiles.get_mut(affected.sector) {
                *tile = [NO_DIRECTION; SECTOR_CELLS];
            }
        }
    }

    pub(super) fn get(&self, sector: Sector, slot: Slot) -> Option<Direction> {
        Direction::from_index(self.tiles.get(sector)?[slot.index()])
    }

    pub(super) fn bytes(&self) -> usize {
        self.tiles.bytes()
            + self.todo.capacity() * size_of::<PathPortal>()
            + self.goals.capacity() * size_of::<Source>()
    }
}

const fn key(sector: Sector) -> (i32, i32) {
    (sector.y, sector.x)
}

/// A way out of a tile: a cell, the cost from there, and the direction of the step;
/// `None` at a goal.
struct TileExit {
    slot: Slot,
    cost: u64,
    step: Option<Direction>,
}

/// Returns the directions of a sector that these paths leave.
fn tile(map: &Map, sector: Sector, portals: &[PathPortal], goals: &[Source]) -> [u8; SECTOR_CELLS] {
    let mut codes = [NO_DIRECTION; SECTOR_CELLS];
    let extent = map.costs.extent();
    let Some(id) = extent.sector_id(sector) else {
        return codes;
    };
    let costs = map.costs.tile(id);
    let mut exits = Vec::new();
    for portal in portals {
        // The portal may have gone since the search.
        let _ = exits_of(map, portal, goals, &mut exits);
    }
    for (slot, cost) in goals_in(map, sector, goals) {
        let step = None;
        exits.push(TileExit { slot, cost, step });
    }
    // Exits outside the tile, or in a wall built since the search, are dropped.
    exits.retain(|exit| {
        let step = |way| step_price(&map.costs, extent.cell_at(id, exit.slot), way);
        !costs.is_wall(exit.slot) && exit.step.is_none_or(|way| step(way).is_some())
    });
    // Of two exits at one cell, the cheaper one counts.
    exits.sort_by_key(|exit| (exit.slot.index(), exit.cost));
    exits.dedup_by_key(|exit| exit.slot.index());
    settle_alone(&costs, &exits, &mut codes);
    for exit in exits {
        let code = &mut codes[exit.slot.index()];
        if *code == HERE {
            *code = exit.step.map_or(NO_DIRECTION, |way| way as u8);
        }
    }
    codes
}

/// Settles a tile from its exits, as if all around it were wall.
fn settle_alone(tile: &CostTile, exits: &[TileExit], flow: &mut [u8; SECTOR_CELLS]) {
    let base = exits.iter().map(|exit| exit.cost).min().unwrap_or(0);
    let seeds: Vec<Seed> = exits
        .iter()
        .filter(|exit| exit.cost - base < TOO_DEAR)
        .map(|exit| Seed {
            slot: exit.slot,
            value: (exit.cost - base) as u32,
        })
        .collect();
    let halo = Halo {
        sides: [&CLOSED_SIDE; 4],
        corners: [NO_PATH; 4],
    };
    let settling = Settling {
        halo,
        seeds: &seeds,
        flow,
        borders: &mut Borders::CLOSED.clone(),
    };
    match tile.unit() {
        Some(cost) => settle(Ground::Walls(&Walls::alone(tile.walls()), cost), settling),
        None => settle(Ground::Costs(&Costs::alone(tile.costs())), settling),
    };
}

/// Returns a portal as one of its sectors sees it.
fn portal_of(map: &Map, sector: Sector, id: PortalId) -> Option<LocalPortal> {
    let sector_id = map.costs.extent().sector_id(sector)?;
    map.graph
        .around(sector)
        .portals(&map.costs.tile(sector_id))
        .find(|portal| portal.id == id)
}

/// Returns the goals in a sector, with their start costs.
fn goals_in<'a>(
    map: &'a Map,
    sector: Sector,
    goals: &'a [Source],
) -> impl Iterator<Item = (Slot, u64)> + 'a {
    let extent = map.costs.extent();
    goals.iter().filter_map(move |goal| {
        let (id, slot) = extent.locate(goal.cell);
        let here = extent.sector(id) == sector && !map.costs.tile(id).is_wall(slot);
        here.then_some((slot, goal.start_cost))
    })
}

/// Adds the steps by which a path crosses the border.
fn exits_of(
    map: &Map,
    left: &PathPortal,
    goals: &[Source],
    exits: &mut Vec<TileExit>,
) -> Option<()> {
    let portal = portal_of(map, left.from, left.id)?;
    let corner = left.from.origin();
    if left.id.owner() == left.from {
        // The portal's own cell is a cell of this sector.
        let slot = portal.exit.steps()[0].0;
        let beyond = slot_beyond(map, left, goals)?;
        let step = toward(left.from.cell_at(slot), left.into.cell_at(beyond));
        let cost = left.cost;
        exits.push(TileExit { slot, cost, step });
        return Some(());
    }
    // The portal's own cell lies just outside, a step from up to three cells.
    let (dx, dy) = portal.crossing.step();
    let own = Cell::new(corner.x + dx, corner.y + dy);
    for &(slot, price) in portal.exit.steps() {
        let step = toward(left.from.cell_at(slot), own);
        let cost = left.cost + u64::from(price);
        exits.push(TileExit { slot, cost, step });
    }
    Some(())
}

/// Returns the cell of the next sector where the cheapest path continues from a
/// portal's own cell in this sector.
fn slot_beyond(map: &Map, left: &PathPortal, goals: &[Source]) -> Option<Slot> {
    let entry = portal_of(map, left.into, left.id)?.entry;
    let id = map.costs.extent().sector_id(left.into)?;
    let ends: Vec<(Threshold, u64)> = match left.next {
        Some(next) => vec![(portal_of(map, left.into, next)?.exit, 0)],
        None => goals_in(map, left.into, goals)
            .map(|(slot, cost)| (Threshold::at(slot), cost))
            .collect(),
    };
    let from: Vec<Threshold> = entry
        .steps()
        .iter()
        .map(|&(slot, _)| Threshold::at(slot))
        .collect();
    let mut walks = Vec::new();
    let mut best: Option<(u64, Slot)> = None;
    for (end, more) in ends {
        walks_over(&map.costs.tile(id), &end, &from, &mut walks);
        for (&walk, &(slot, price)) in walks.iter().zip(entry.steps()) {
            let cost = u64::from(walk) + u64::from(price) + more;
            if walk != NO_PATH && best.is_none_or(|(best, _)| cost < best) {
                best = Some((cost, slot));
            }
        }
    }
    best.map(|(_, slot)| slot)
}

const fn toward(from: Cell, to: Cell) -> Option<Direction> {
    Direction::toward(to.x - from.x, to.y - from.y)
}
