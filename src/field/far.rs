//! Tiles with values of any size: 64 bits a cell.
//!
//! For maps so large and ground so dear that a way costs more than 32 bits
//! hold. Slower than near tiles, and as right.

use super::flow::{Flow, FlowTile, KeptCosts};
use super::loaded::{Loaded, NOT_LOADED, Ring, Woken, cell_beside};
use super::sources::Sources;
use crate::cost::CostMap;
use crate::grid::{Direction, SECTOR_SIDE, Sector, Slot};
use crate::kernel::{Frame, UNREACHED, Values};

#[derive(Clone)]
pub(super) struct Far {
    values: Vec<Values>,
    flows: Vec<FlowTile>,
}

impl Far {
    pub(super) fn new(tiles: usize) -> Self {
        Self {
            values: vec![Values::Blank; tiles],
            flows: vec![Flow::NOTHING; tiles],
        }
    }

    /// Puts room by for so many more.
    pub(super) fn reserve(&mut self, tiles: usize) {
        self.values.reserve_exact(tiles);
        self.flows.reserve_exact(tiles);
    }

    /// Adds a tile that nothing has reached.
    pub(super) fn add(&mut self) {
        self.values.push(Values::Blank);
        self.flows.push(Flow::NOTHING);
    }

    /// Settles a tile and tells what it wakes. Where a neighbour's cell may
    /// step into it as well as where it does, the first direction is kept.
    pub(super) fn settle(
        &mut self,
        costs: &CostMap,
        loaded: &Loaded,
        sources: &Sources,
        place: u32,
        ring: &Ring,
    ) -> Woken {
        let sector = loaded.sector(place);
        let Some(tile) = loaded.costs(costs, sector) else {
            return [UNREACHED; 8];
        };
        let mut frame = Frame::alone(&tile);
        frame.set_tile_values(&self.values[place as usize]);
        for direction in Direction::ALL {
            self.set_side(costs, loaded, &mut frame, sector, direction);
        }
        for &(_, slot, value) in sources.of(place) {
            frame.seed(slot, value);
        }
        frame.settle();
        self.values[place as usize] = Values::pack(&frame.tile_values());
        self.flows[place as usize] = frame.flow();
        frame.improvements(|x, y, way| {
            if let Some((beside, slot)) = cell_beside(ring, x, y) {
                let flow = &mut self.flows[beside as usize][slot.index()];
                if Flow::of(*flow).is_behind(way) {
                    *flow = Flow::of(*flow).with(way).byte();
                }
            }
        })
    }

    /// Fills the part of the ring that belongs to the neighbour in `direction`.
    fn set_side(
        &self,
        costs: &CostMap,
        loaded: &Loaded,
        frame: &mut Frame,
        sector: Sector,
        direction: Direction,
    ) {
        let Some(beside) = loaded.beside(sector, direction) else {
            return;
        };
        let Some(tile) = loaded.costs(costs, beside) else {
            return;
        };
        let values = match loaded.place(beside) {
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
                frame.set_ring(x, y, tile.costs()[slot.index()], values.get(slot.index()));
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.iter().map(Values::bytes).sum::<usize>()
            + self.flows.capacity() * size_of::<FlowTile>()
    }

    pub(super) fn flows(&self) -> &[FlowTile] {
        &self.flows
    }

    pub(super) fn flows_mut(&mut self) -> &mut [FlowTile] {
        &mut self.flows
    }

    pub(super) fn into_parts(self) -> (Vec<FlowTile>, KeptCosts) {
        (self.flows, KeptCosts::Far(self.values))
    }
}
