//! One of the eight octants around a goal, as a view of the map: run outward
//! and rise across, both 0 in the goal's own column and row.

use super::flow::{Flow, FlowTile};
use crate::cost::{Cost, CostTile};
use crate::grid::{SECTOR_SIDE, Slot};
use crate::sight::TEN;

const SIDE: usize = SECTOR_SIDE as usize;
pub(super) const OCTANTS: u8 = 8;

/// An octant by its number, which says where run and rise point to.
#[derive(Clone, Copy)]
pub(super) struct Octant(pub(super) u8);

impl Octant {
    pub(super) const fn is_steep(self) -> bool {
        self.0 & 1 != 0
    }

    /// Turns counts of cells or sectors along run and rise into columns and rows of
    /// the map.
    pub(super) const fn on_map(self, [run, rise]: [i32; 2]) -> [i32; 2] {
        let run = if self.0 & 2 != 0 { -run } else { run };
        let rise = if self.0 & 4 != 0 { -rise } else { rise };
        if self.is_steep() {
            [rise, run]
        } else {
            [run, rise]
        }
    }

    /// Turns a position in a tile from one view to the other.
    const fn turn(self, [run, rise]: [usize; 2]) -> [usize; 2] {
        let run = if self.0 & 2 != 0 { SIDE - 1 - run } else { run };
        let rise = if self.0 & 4 != 0 {
            SIDE - 1 - rise
        } else {
            rise
        };
        [run, rise]
    }

    pub(super) const fn slot(self, within: [usize; 2]) -> usize {
        let [run, rise] = self.turn(within);
        if self.is_steep() {
            run * SIDE + rise
        } else {
            rise * SIDE + run
        }
    }

    /// Lights cells of one row of the map: the slots whose bits in `along` are set.
    /// `at` is the column of a steep octant, and the row of any other.
    pub(super) fn light_row(self, flow: &mut FlowTile, at: usize, along: u16) {
        let count = along.count_ones() as usize;
        if count == 0 {
            return;
        }
        let first = along.trailing_zeros() as usize;
        let ends = [first, first + count - 1].map(|along| {
            self.slot(if self.is_steep() {
                [at, along]
            } else {
                [along, at]
            })
        });
        light(&mut flow[ends[0].min(ends[1])..=ends[0].max(ends[1])]);
    }

    /// The cells of a tile that light over ground of a cost passes: for each column a
    /// bit a row.
    pub(super) fn open_columns(self, ground: &CostTile, cost: Cost) -> [u16; SIDE] {
        if ground.is_all(cost) {
            return [TEN; SIDE];
        }
        std::array::from_fn(|column| {
            (0..SIDE)
                .map(|row| u16::from(passes(ground, self.slot([column, row]), cost)) << row)
                .sum()
        })
    }

    /// Run and rise of a slot within its tile.
    pub(super) const fn within(self, slot: Slot) -> [i32; 2] {
        let (x, y) = (slot.x() as usize, slot.y() as usize);
        let [run, rise] = self.turn(if self.is_steep() { [y, x] } else { [x, y] });
        [run as i32, rise as i32]
    }
}

/// Lights adjacent cells.
pub(super) fn light(cells: &mut [u8]) {
    for byte in cells {
        *byte |= Flow::IN_SIGHT;
    }
}

/// Whether light over ground of a cost passes a cell of a tile.
pub(super) fn passes(tile: &CostTile, slot: usize, cost: Cost) -> bool {
    tile.costs()[slot] == cost.value()
}
