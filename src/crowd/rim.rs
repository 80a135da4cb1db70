//! The order's values where a solve ends: the costs-to-go at the rim of the
//! solved sectors, and the cells of the goal.
//!
//! The cost-to-go of a cell is found by following the order's field to a goal.
//! Each visited cell keeps its value, so a later walk ends where it meets an
//! earlier one, and no cell is walked twice while the field stays the same.

use crate::budget::Paused;
use crate::grid::{Cell, SECTOR_CELLS, SECTOR_SIDE, Sector, SectorPages};
use crate::kernel::weight;
use crate::order::Order;
use crate::world::{FlowWorld, Sample};

use super::quota::Quota;

/// The place of a sector without values.
const NOT_KEPT: u32 = u32::MAX;
/// A cell not walked yet, and a cell from which no path leads on.
const UNKNOWN: u64 = u64::MAX;
const NO_WAY: u64 = u64::MAX - 1;

/// The costs-to-go found so far, and the goal's cells.
pub(super) struct Rim {
    revision: u64,
    places: SectorPages<u32>,
    values: Vec<[u64; SECTOR_CELLS]>,
    trail: Vec<(Cell, u64)>,
    /// Sectors already searched for goals.
    seen: SectorPages<bool>,
    goals: Vec<Cell>,
}

impl Rim {
    /// Returns a rim without any values.
    pub(super) fn new(world: &FlowWorld, order: &Order) -> Self {
        let extent = world.costs().extent();
        Self {
            revision: world.inspect().revision(order),
            places: SectorPages::new(extent, NOT_KEPT),
            values: Vec::new(),
            trail: Vec::new(),
            seen: SectorPages::new(extent, false),
            goals: Vec::new(),
        }
    }

    /// Discards all values if the order's field has changed since.
    pub(super) fn refresh(&mut self, world: &FlowWorld, order: &Order) {
        let revision = world.inspect().revision(order);
        if revision != self.revision {
            self.revision = revision;
            self.places.clear();
            self.values.clear();
            self.trail.clear();
            self.seen.clear();
            self.goals.clear();
        }
    }

    fn value(&mut self, cell: Cell) -> &mut u64 {
        let sector = Sector::new(cell.x / SECTOR_SIDE, cell.y / SECTOR_SIDE);
        let place = self.places.get_mut(sector);
        if *place == NOT_KEPT {
            *place = self.values.len() as u32;
            self.values.push([UNKNOWN; SECTOR_CELLS]);
        }
        let slot = cell.y % SECTOR_SIDE * SECTOR_SIDE + cell.x % SECTOR_SIDE;
        &mut self.values[*place as usize][slot as usize]
    }

    /// Returns the cost of the path along the order's field from a cell on the
    /// map to a goal, in fifths of a straight step; `None` if no path begins
    /// there.
    ///
    /// # Errors
    /// If the quota is used up first; the next call for the same cell continues
    /// there.
    pub(super) fn cost_to_go(
        &mut self,
        world: &FlowWorld,
        order: &Order,
        cell: Cell,
        quota: &mut Quota,
    ) -> Result<Option<u64>, Paused> {
        if self.trail.first().is_some_and(|&(first, _)| first != cell) {
            self.trail.clear();
        }
        let mut at = match self.trail.last() {
            Some(&(last, _)) => world
                .sample(order, last)
                .direction()
                .map_or(last, |way| last.step(way)),
            None => cell,
        };
        let end = loop {
            match *self.value(at) {
                UNKNOWN => {}
                known => break known,
            }
            quota.check()?;
            quota.count(1);
            let (Sample::Go(way) | Sample::InSight(way)) = world.sample(order, at) else {
                let end = match world.sample(order, at) {
                    Sample::Arrived => world.cost_to_go(order, at).unwrap_or(NO_WAY),
                    _ => NO_WAY,
                };
                *self.value(at) = end;
                break end;
            };
            let ground = world.costs().get(at).map_or(1, |cost| cost.value());
            self.trail
                .push((at, u64::from(ground) * u64::from(weight(way))));
            at = at.step(way);
        };
        let mut value = end;
        while let Some((cell, price)) = self.trail.pop() {
            if value != NO_WAY {
                value += price;
            }
            *self.value(cell) = value;
        }
        Ok((value != NO_WAY).then_some(value))
    }

    /// Adds the goal's cells in a sector on the map, unless it was searched
    /// before.
    pub(super) fn look_for_goals(&mut self, world: &FlowWorld, order: &Order, sector: Sector) {
        if std::mem::replace(self.seen.get_mut(sector), true) {
            return;
        }
        let (left, top) = (sector.x * SECTOR_SIDE, sector.y * SECTOR_SIDE);
        for y in top..top + SECTOR_SIDE {
            for x in left..left + SECTOR_SIDE {
                let cell = Cell::new(x, y);
                let open = world.costs().get(cell).is_some_and(|cost| !cost.is_wall());
                if open && world.sample(order, cell) == Sample::Arrived {
                    self.goals.push(cell);
                }
            }
        }
    }

    /// Returns the goal's cells in the sectors searched so far.
    pub(super) fn goals(&self) -> &[Cell] {
        &self.goals
    }
}
