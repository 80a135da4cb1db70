//! Tiles with values of any size: 64 bits a cell.
//!
//! For maps so large and ground so dear that the cost of a path needs more than
//! 32 bits. Slower than near tiles, and as exact.

use super::flow::{FarTile, Flow, FlowTile};
use super::loaded::{Ring, Woken, cell_beside};
use super::nine::Nine;
use super::sources::Sources;
use crate::grid::{SECTOR_SIDE, Slot};
use crate::kernel::Frame;

/// Settles a tile; returns the values that wake its neighbours. On ties, neighbour cells
/// switch to the first direction in [`Direction::ALL`](crate::grid::Direction::ALL).
pub(super) fn settle(
    tiles: &mut [FarTile],
    flows: &mut [FlowTile],
    nine: &Nine<'_>,
    sources: &Sources,
    entries: Vec<(Slot, u64)>,
    index: u32,
    ring: &Ring,
) -> Woken {
    let mut frame = Frame::of(&nine.costs());
    for (y, x) in (-1..=SECTOR_SIDE).flat_map(|y| (-1..=SECTOR_SIDE).map(move |x| (y, x))) {
        let (index, slot) = cell_beside(ring, x, y).unwrap_or_else(|| (index, Slot::at(x, y)));
        if let Some(values) = tiles.get(index as usize) {
            frame.set(x, y, values[slot.index()]);
        }
    }
    let goals = sources
        .of(index)
        .iter()
        .map(|&(_, slot, value)| (slot, value));
    for (slot, value) in goals.chain(entries) {
        frame.seed(slot, value);
    }
    frame.settle();
    tiles[index as usize] = frame.tile_values();
    flows[index as usize] = frame.flow();
    frame.improvements(|x, y, way| {
        if let Some((beside, slot)) = cell_beside(ring, x, y) {
            let flow = &mut flows[beside as usize][slot.index()];
            if Flow::of(*flow).is_behind(way) {
                *flow = way as u8;
            }
        }
    })
}
