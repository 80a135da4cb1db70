//! Pockets: the open cells of one sector, by what is joined inside it.

use super::islands::Island;
use crate::cost::CostTile;
use crate::grid::{SECTOR_CELLS, SECTOR_SIDE, Slot};

/// The pockets of one sector, each with the label of its island.
#[derive(Clone, Debug)]
pub(super) enum Pockets {
    /// No open cell.
    None,
    /// All open cells are joined.
    One(Island),
    /// Several; boxed since few sectors have it.
    Several(Box<Several>),
}

#[derive(Clone, Debug)]
pub(super) struct Several {
    /// The pocket of each slot; of no meaning for walls.
    pocket: [u8; SECTOR_CELLS],
    /// The island of each pocket.
    islands: Vec<Island>,
}

impl Pockets {
    pub(super) const fn count(&self) -> u32 {
        match self {
            Self::None => 0,
            Self::One(_) => 1,
            Self::Several(several) => several.islands.len() as u32,
        }
    }

    /// The pocket of an open slot.
    pub(super) fn pocket(&self, slot: Slot) -> u32 {
        match self {
            Self::None | Self::One(_) => 0,
            Self::Several(several) => u32::from(several.pocket[slot.index()]),
        }
    }

    /// The island of an open slot.
    pub(super) fn island(&self, slot: Slot) -> Option<Island> {
        match self {
            Self::None => None,
            Self::One(island) => Some(*island),
            Self::Several(several) => {
                Some(several.islands[usize::from(several.pocket[slot.index()])])
            }
        }
    }

    /// The label of a pocket.
    pub(super) fn label(&self, pocket: u32) -> Island {
        match self {
            Self::None => Island::UNNUMBERED,
            Self::One(island) => *island,
            Self::Several(several) => several.islands[pocket as usize],
        }
    }

    pub(super) fn set_island(&mut self, pocket: u32, number: Island) {
        match self {
            Self::None => {}
            Self::One(island) => *island = number,
            Self::Several(several) => several.islands[pocket as usize] = number,
        }
    }

    pub(super) fn any(&self, wanted: impl Fn(Island) -> bool) -> bool {
        match self {
            Self::None => false,
            Self::One(island) => wanted(*island),
            Self::Several(several) => several.islands.iter().any(|&island| wanted(island)),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::None | Self::One(_) => 0,
            Self::Several(several) => {
                size_of::<Several>() + several.islands.capacity() * size_of::<Island>()
            }
        }
    }
}

/// The pockets of a tile, in order of their first slot, islands not yet
/// numbered.
pub(super) fn pockets(tile: &CostTile) -> Pockets {
    let unnumbered = Island::UNNUMBERED;
    if tile.is_closed() {
        return Pockets::None;
    }
    if tile.is_clear() {
        return Pockets::One(unnumbered);
    }
    let mut open = tile
        .costs()
        .iter()
        .enumerate()
        .fold(0_u128, |open, (slot, _)| {
            open | u128::from(!tile.is_wall(slot_at(slot))) << slot
        });
    let first = flood(open);
    if first == open {
        return Pockets::One(unnumbered);
    }
    let mut several = Several {
        pocket: [u8::MAX; SECTOR_CELLS],
        islands: Vec::new(),
    };
    while open != 0 {
        let pocket = flood(open);
        open &= !pocket;
        let number = several.islands.len() as u8;
        for (slot, of) in several.pocket.iter_mut().enumerate() {
            if pocket >> slot & 1 == 1 {
                *of = number;
            }
        }
        several.islands.push(unnumbered);
    }
    Pockets::Several(Box::new(several))
}

fn slot_at(index: usize) -> Slot {
    Slot::at(index as i32 % SECTOR_SIDE, index as i32 / SECTOR_SIDE)
}

/// The cells joined to the first of `open`, a bit a slot.
const fn flood(open: u128) -> u128 {
    const ROW: u32 = SECTOR_SIDE as u32;
    const WEST_COLUMN: u128 = {
        let mut column = 0;
        let mut y = 0;
        while y < ROW {
            column |= 1 << (y * ROW);
            y += 1;
        }
        column
    };
    let mut reached = open & open.wrapping_neg();
    loop {
        let east = (reached << 1) & !WEST_COLUMN;
        let west = (reached & !WEST_COLUMN) >> 1;
        let grown = (reached | east | west | reached << ROW | reached >> ROW) & open;
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_stops_at_walls_and_edges() {
        let open = (1 << 100) - 1_u128;
        assert_eq!(flood(open), open);
        let column_5: u128 = (0..10).map(|y| 1 << (y * 10 + 5)).sum();
        let west: u128 = (0..10).map(|y| 0b11111 << (y * 10)).sum();
        assert_eq!(flood(open & !column_5), west);
    }
}
