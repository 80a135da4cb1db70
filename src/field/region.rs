//! Integration: costs-to-go over the loaded sectors.
//!
//! Sectors wait in a queue, ordered by the lowest value that has come to their
//! border. The first is settled: its tile and the ring of its neighbours'
//! border cells go into a frame, the kernel brings the tile to its fixpoint,
//! and each neighbour whose border a step into this tile would improve is put
//! in the queue. A sector whose border improves again is settled again; since
//! the lowest goes first, that is rare.
//!
//! ```text
//!   goal → [3] → [2] → [5]      the values spread as the rings of a wave;
//!           ↓     ↓     ↓       a route that comes back to a sector only
//!          [6] → [4] → [1]      lowers what is there
//! ```
//!
//! When the queue is empty no step from a loaded cell to a loaded cell can
//! lower any value: the whole region is at the fixpoint of the step rule,
//! across borders and sector corners as inside a sector.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::flow::{Flow, FlowField};
use crate::cost::{Cost, CostMap};
use crate::grid::{Cell, Direction, Extent, SECTOR_CELLS, SECTOR_SIDE, Sector, SectorPages, Slot};
use crate::wave::{Frame, UNREACHED, Values};

/// Work of settling or turning one tile, in cells.
const TILE_WORK: u64 = SECTOR_CELLS as u64;

/// The place of a sector that is not loaded.
pub(super) const NOT_LOADED: u32 = u32::MAX;

/// A region being integrated; see the module.
#[derive(Clone)]
pub(crate) struct Region {
    extent: Extent,
    sectors: Vec<Sector>,
    places: SectorPages<u32>,
    values: Vec<Values>,
    /// The lowest value waiting at each tile's border; [`UNREACHED`] for none.
    waiting: Vec<u64>,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// Goal cells by tile.
    sources: Vec<(u32, Slot, u64)>,
    settlings: u64,
}

impl Region {
    /// A region of these sectors, each once, with these goals; goals outside
    /// it count for nothing. Nothing is settled yet.
    pub(crate) fn new(
        costs: &CostMap,
        sectors: Vec<Sector>,
        goals: impl Iterator<Item = (Cell, u64)>,
    ) -> Self {
        let extent = costs.extent();
        let mut places = SectorPages::new(extent, NOT_LOADED);
        for (place, &sector) in sectors.iter().enumerate() {
            *places.get_mut(sector) = place as u32;
        }
        let mut region = Self {
            extent,
            values: vec![Values::Blank; sectors.len()],
            waiting: vec![UNREACHED; sectors.len()],
            queue: BinaryHeap::new(),
            sources: Vec::new(),
            settlings: 0,
            sectors,
            places,
        };
        for (cell, value) in goals {
            let (id, slot) = extent.locate(cell);
            let place = *region.places.get(extent.sector(id));
            if place != NOT_LOADED {
                region.sources.push((place, slot, value));
                region.wake(place, value);
            }
        }
        region
    }

    fn wake(&mut self, place: u32, value: u64) {
        let waiting = &mut self.waiting[place as usize];
        if value < *waiting {
            *waiting = value;
            self.queue.push(Reverse((value, place)));
        }
    }

    /// Settles waiting tiles until none waits or `work` is used up; tells
    /// whether none waits.
    pub(crate) fn advance(&mut self, costs: &CostMap, work: &mut u64) -> bool {
        while let Some(&Reverse((value, place))) = self.queue.peek() {
            if self.waiting[place as usize] != value {
                self.queue.pop();
                continue;
            }
            if *work == 0 {
                return false;
            }
            self.queue.pop();
            self.settle(costs, place);
            *work = work.saturating_sub(TILE_WORK);
        }
        true
    }

    fn settle(&mut self, costs: &CostMap, place: u32) {
        let mut frame = self.frame(costs, place);
        for &(_, slot, value) in self.sources.iter().filter(|(at, ..)| *at == place) {
            frame.seed(slot, value);
        }
        frame.settle();
        self.values[place as usize] = Values::pack(&frame.tile_values());
        self.waiting[place as usize] = UNREACHED;
        self.settlings += 1;
        let improved = frame.improvements();
        for (direction, value) in Direction::ALL.into_iter().zip(improved) {
            if value != UNREACHED {
                let neighbour = self.neighbour(costs, place, direction);
                if neighbour != NOT_LOADED {
                    self.wake(neighbour, value);
                }
            }
        }
    }

    fn neighbour(&self, costs: &CostMap, place: u32, direction: Direction) -> u32 {
        let sector = step(self.sectors[place as usize], direction);
        match costs.extent().sector_id(sector) {
            Some(_) => *self.places.get(sector),
            None => NOT_LOADED,
        }
    }

    /// A tile in its frame, as things stand.
    fn frame(&self, costs: &CostMap, place: u32) -> Frame {
        let sector = self.sectors[place as usize];
        let mut frame = Frame::closed();
        if let Some(id) = costs.extent().sector_id(sector) {
            frame.set_tile_costs(costs.tile(id).costs());
            frame.set_tile_values(&self.values[place as usize]);
        }
        for direction in Direction::ALL {
            self.set_side(costs, &mut frame, sector, direction);
        }
        frame
    }

    /// Fills the part of the ring that belongs to the neighbour in `direction`.
    fn set_side(&self, costs: &CostMap, frame: &mut Frame, sector: Sector, direction: Direction) {
        let beyond = step(sector, direction);
        let Some(id) = costs.extent().sector_id(beyond) else {
            return;
        };
        let tile = costs.tile(id).costs();
        let values = match *self.places.get(beyond) {
            NOT_LOADED => &Values::Blank,
            place => &self.values[place as usize],
        };
        let (dx, dy) = direction.offset();
        let along = |d: i32| match d {
            -1 => -1..=-1,
            1 => SECTOR_SIDE..=SECTOR_SIDE,
            _ => 0..=SECTOR_SIDE - 1,
        };
        for y in along(dy) {
            for x in along(dx) {
                let slot = Slot::at(x.rem_euclid(SECTOR_SIDE), y.rem_euclid(SECTOR_SIDE));
                frame.set_ring(x, y, tile[slot.index()], values.get(slot.index()));
            }
        }
    }

    /// Turns the tiles numbered `from` onward into directions, as far as
    /// `work` reaches; returns how far it came.
    pub(crate) fn flow(
        &self,
        costs: &CostMap,
        from: usize,
        flows: &mut Vec<[Flow; SECTOR_CELLS]>,
        work: &mut u64,
    ) -> usize {
        let mut place = from;
        while place < self.sectors.len() && *work > 0 {
            flows.push(self.flow_tile(costs, place as u32));
            *work = work.saturating_sub(TILE_WORK);
            place += 1;
        }
        place
    }

    fn flow_tile(&self, costs: &CostMap, place: u32) -> [Flow; SECTOR_CELLS] {
        let mut flows = [Flow::NONE; SECTOR_CELLS];
        let frame = self.frame(costs, place);
        frame.flow(|slot, way| {
            flows[slot.index()] = match way {
                Some(direction) => Flow::go(direction),
                None if frame.value(slot) == UNREACHED => Flow::NONE,
                None => Flow::HERE,
            };
        });
        if let Some(id) = costs.extent().sector_id(self.sectors[place as usize]) {
            for (flow, &cost) in flows.iter_mut().zip(costs.tile(id).costs()) {
                if cost != Cost::WALL.value() {
                    *flow = flow.passable();
                }
            }
        }
        flows
    }

    pub(crate) const fn len(&self) -> usize {
        self.sectors.len()
    }

    /// How many times a tile was settled.
    pub(crate) const fn settlings(&self) -> u64 {
        self.settlings
    }

    /// The cost-to-go of a cell; `None` where it is not loaded or was not
    /// reached.
    pub(crate) fn cost_to_go(&self, cell: Cell) -> Option<u64> {
        if !self.extent.contains(cell) {
            return None;
        }
        let (id, slot) = self.extent.locate(cell);
        match *self.places.get(self.extent.sector(id)) {
            NOT_LOADED => None,
            place => Some(self.values[place as usize].get(slot.index()))
                .filter(|&value| value != UNREACHED),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let wide = |values: &Values| match values {
            Values::Wide(_) => size_of::<[u64; SECTOR_CELLS]>(),
            Values::Blank | Values::Narrow { .. } => 0,
        };
        self.values.iter().map(wide).sum::<usize>()
            + self.values.capacity() * size_of::<Values>()
            + self.sectors.capacity() * size_of::<Sector>()
            + self.waiting.capacity() * size_of::<u64>()
            + self.queue.capacity() * size_of::<Reverse<(u64, u32)>>()
            + self.sources.capacity() * size_of::<(u32, Slot, u64)>()
            + self.places.bytes()
    }

    /// Drops the integration and keeps the directions.
    pub(crate) fn into_field(self, flows: Vec<[Flow; SECTOR_CELLS]>) -> FlowField {
        FlowField::new(self.sectors, self.places, flows)
    }
}

/// The sector next to this one.
const fn step(sector: Sector, direction: Direction) -> Sector {
    let (dx, dy) = direction.offset();
    Sector::new(sector.x + dx, sector.y + dy)
}
