//! Where the order takes over: what its field says at the rim of the solved
//! sectors, and in the cells of the goal.
//!
//! The cost-to-go of a cell is found by walking the order's field to a goal.
//! Each cell that was walked keeps its value, so the next way ends where it
//! meets this one, and as long as the field stays the same no cell is walked
//! twice.

use crate::grid::{Cell, SECTOR_CELLS, SECTOR_SIDE, Sector, SectorPages};
use crate::kernel::weight;
use crate::order::Order;
use crate::world::{FlowWorld, Sample};

use super::quota::{Paused, Quota};

const NOT_KEPT: u32 = u32::MAX;
/// A cell that was not walked yet, and one from which no way leads on.
const UNKNOWN: u64 = u64::MAX;
const NO_WAY: u64 = u64::MAX - 1;

/// The costs-to-go found so far, and the goal's cells.
pub(super) struct Rim {
    revision: u64,
    places: SectorPages<u32>,
    values: Vec<[u64; SECTOR_CELLS]>,
    trail: Vec<(Cell, u64)>,
    /// Sectors that were looked through for goals.
    seen: SectorPages<bool>,
    goals: Vec<Cell>,
}

impl Rim {
    /// Nothing known.
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

    /// Forgets what another field than today's said.
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

    /// What the way from a cell on the map to a goal costs, by the order's
    /// field, in fifths of a straight step; `None` if no way begins there.
    ///
    /// # Errors
    /// If the quota was used up first.
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

    /// Looks through a sector on the map for cells of the goal.
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

    /// The goal's cells among the sectors that were looked through.
    pub(super) fn goals(&self) -> &[Cell] {
        &self.goals
    }
}
