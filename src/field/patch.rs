//! Patching a tile whose ground has changed since it was settled.
//!
//! An edit withdraws the directions in its sector until the region is made again.
//! Where edits never end, that would be for ever: a unit in a sector that is edited
//! again and again would never move. So once a region is settled, each tile that was
//! edited meanwhile is settled alone, on the present ground, from the cells around
//! it:
//!
//! ```text
//!   → → → ⇒      the exit cost 40 from the last cell of this pocket: units
//!   → ↗ ▓        that can go round the new wall still leave by it; units
//!   ↗ ▓ ▓        that the wall cuts off wait
//! ```
//!
//! The path of a cell beside the tile may itself lead back through the tile. So such a
//! cell is used only if it costs less than every former border cell of the pocket
//! (joined cells of the tile) that it touches. Then every step over the border of a
//! patched tile leads to a cell that was cheaper than the one by which its pocket was
//! entered, and so does every other step: paths end, however many tiles are patched.
//!
//! Far tiles are not patched: there units wait for a pause in the edits.

use super::nine::Nine;
use crate::arrays::array_of;
use crate::grid::{Direction, SECTOR_CELLS, SECTOR_SIDE, Slot};
use crate::islands::pocket_cells;
use crate::kernel::{Borders, Halo, NO_PATH, Seed, SideValues};

/// The values around a tile, without cells whose paths may lead back into it.
pub(super) struct ValuesAround {
    sides: [SideValues; 4],
    corners: [u32; 4],
}

/// The corners around a tile, in the order of [`Halo::corners`].
const CORNERS: [(i32, i32); 4] = [
    (SECTOR_SIDE, -1),
    (SECTOR_SIDE, SECTOR_SIDE),
    (-1, SECTOR_SIDE),
    (-1, -1),
];

impl ValuesAround {
    /// `borders` are the values to which the tile was settled.
    pub(super) fn of(nine: &Nine<'_>, halo: &Halo<'_>, borders: &Borders, seeds: &[Seed]) -> Self {
        let lowest = lowest_by_pocket(nine, borders, seeds);
        let ahead = |x: i32, y: i32, value: u32| {
            let near = |at: i32| (at - 1).max(0)..=(at + 1).min(SECTOR_SIDE - 1);
            let leads_on = near(y)
                .flat_map(|y| near(x).map(move |x| (x, y)))
                .all(|(x, y)| value < lowest[Slot::at(x, y).index()]);
            if leads_on && !nine.is_wall(x, y) {
                value
            } else {
                NO_PATH
            }
        };
        let sides = array_of(|number| {
            let values = &halo.sides[number].values;
            SideValues::of(array_of(|at| {
                let along = at as i32;
                let (x, y) = [
                    (along, -1),
                    (SECTOR_SIDE, along),
                    (along, SECTOR_SIDE),
                    (-1, along),
                ][number];
                ahead(x, y, values[at])
            }))
        });
        let corners = array_of(|corner| {
            let (x, y) = CORNERS[corner];
            ahead(x, y, halo.corners[corner])
        });
        Self { sides, corners }
    }

    pub(super) fn halo(&self) -> Halo<'_> {
        Halo {
            sides: self.sides.each_ref(),
            corners: self.corners,
        }
    }
}

/// For each cell the lowest value that its pocket had at the tile's border, or
/// has at a goal. Walls have [`NO_PATH`], so they exclude no cell.
fn lowest_by_pocket(nine: &Nine<'_>, borders: &Borders, seeds: &[Seed]) -> [u32; SECTOR_CELLS] {
    let mut lowest = [NO_PATH; SECTOR_CELLS];
    for pocket in pocket_cells(nine.own) {
        let slots = || Slot::all().filter(|slot| pocket >> slot.index() & 1 == 1);
        let value = slots()
            .map(|slot| {
                seeds
                    .iter()
                    .filter(|seed| seed.slot == slot)
                    .map(|seed| seed.value)
                    .chain(border_value(borders, slot))
                    .fold(NO_PATH, u32::min)
            })
            .fold(NO_PATH, u32::min);
        for slot in slots() {
            lowest[slot.index()] = value;
        }
    }
    lowest
}

/// The last cell along a side of a tile.
const LAST: usize = SECTOR_SIDE as usize - 1;

/// Returns the offset of a cell on a tile's border, or `None` for an inner cell.
pub(super) const fn border_value(borders: &Borders, slot: Slot) -> Option<u32> {
    let (x, y) = (slot.x() as usize, slot.y() as usize);
    let (side, at) = match (x, y) {
        (_, 0) => (Direction::North, x),
        (LAST, _) => (Direction::East, y),
        (_, LAST) => (Direction::South, x),
        (0, _) => (Direction::West, y),
        _ => return None,
    };
    Some(borders.sides[side as usize].values[at])
}
