//! Pockets: the open cells of one sector, grouped by what is joined inside it.

use std::slice;

use super::island::Island;
use crate::cost::CostTile;
use crate::grid::{SECTOR_CELLS, SECTOR_SIDE, SectorId, Slot};

/// The pockets of one sector, derived from its costs.
pub(super) enum Pockets {
    /// No open cell.
    None,
    /// All open cells are joined.
    One,
    /// The sector has several pockets.
    Several(Box<Several>),
}

/// The pockets of a sector with more than one.
#[derive(Clone, Debug)]
pub(super) struct Several {
    /// The pocket of each slot; meaningless for walls.
    pocket: [u8; SECTOR_CELLS],
    islands: Box<[Island]>,
}

/// The pockets of all sectors, each with the label of its island: one word per
/// sector, and more for the few sectors with several pockets.
#[derive(Clone, Debug, Default)]
pub(super) struct PocketTable {
    words: Vec<Island>,
    several: Vec<Several>,
    /// Free entries of `several`.
    vacant: Vec<u32>,
}

/// The word of a sector without open cells. `SEVERAL` marks the word of a
/// sector with several pockets, whose other bits are an index. Any other word
/// is the label of the sector's only pocket.
const NO_POCKET: Island = Island(Island::UNNUMBERED.0 - 1);
const SEVERAL: u32 = 1 << 31;
const _: () = assert!(Island::UNNUMBERED.0 < SEVERAL);

impl PocketTable {
    pub(super) fn with_room(sectors: usize) -> Self {
        Self {
            words: Vec::with_capacity(sectors),
            ..Self::default()
        }
    }

    /// Returns the number of sectors.
    pub(super) const fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn push(&mut self, pockets: Pockets) {
        let word = self.word(pockets);
        self.words.push(word);
    }

    pub(super) fn replace(&mut self, sector: SectorId, pockets: Pockets) {
        let before = self.words[sector.index()];
        self.vacant.extend(several_at(before));
        self.words[sector.index()] = self.word(pockets);
    }

    fn word(&mut self, pockets: Pockets) -> Island {
        match pockets {
            Pockets::None => NO_POCKET,
            Pockets::One => Island::UNNUMBERED,
            Pockets::Several(several) => {
                let index = match self.vacant.pop() {
                    Some(index) => {
                        self.several[index as usize] = *several;
                        index
                    }
                    None => {
                        self.several.push(*several);
                        (self.several.len() - 1) as u32
                    }
                };
                Island(SEVERAL | index)
            }
        }
    }

    /// Returns the labels of a sector's pockets.
    #[inline]
    pub(super) fn islands(&self, sector: SectorId) -> &[Island] {
        let word = &self.words[sector.index()];
        match several_at(*word) {
            Some(index) => &self.several[index as usize].islands,
            None if *word == NO_POCKET => &[],
            None => slice::from_ref(word),
        }
    }

    /// Returns the number of pockets in a sector.
    #[inline]
    pub(super) fn count(&self, sector: SectorId) -> u32 {
        self.islands(sector).len() as u32
    }

    /// Returns the pocket of an open slot.
    #[inline]
    pub(super) fn pocket(&self, sector: SectorId, slot: Slot) -> u32 {
        several_at(self.words[sector.index()]).map_or(0, |index| {
            u32::from(self.several[index as usize].pocket[slot.index()])
        })
    }

    pub(super) fn set_label(&mut self, sector: SectorId, pocket: u32, label: Island) {
        let word = &mut self.words[sector.index()];
        match several_at(*word) {
            Some(index) => self.several[index as usize].islands[pocket as usize] = label,
            None => *word = label,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let islands = self.several.iter().map(|several| several.islands.len());
        (self.words.capacity() + self.vacant.capacity()) * size_of::<u32>()
            + self.several.capacity() * size_of::<Several>()
            + islands.sum::<usize>() * size_of::<Island>()
    }
}

/// Returns the index of a sector's several pockets, if its word is one.
#[inline]
fn several_at(Island(word): Island) -> Option<u32> {
    (word & SEVERAL != 0).then_some(word ^ SEVERAL)
}

/// Finds the pockets of a tile, in order of their first slot. Their islands
/// have no number yet.
pub(super) fn pockets(tile: &CostTile) -> Pockets {
    if tile.is_closed() {
        return Pockets::None;
    }
    if tile.is_clear() {
        return Pockets::One;
    }
    let mut pockets = pocket_cells(tile);
    let (first, Some(second)) = (pockets.next(), pockets.next()) else {
        return Pockets::One;
    };
    let mut pocket_of = [u8::MAX; SECTOR_CELLS];
    let mut count = 0;
    for mut pocket in first.into_iter().chain([second]).chain(pockets) {
        while pocket != 0 {
            pocket_of[pocket.trailing_zeros() as usize] = count;
            pocket &= pocket - 1;
        }
        count += 1;
    }
    Pockets::Several(Box::new(Several {
        pocket: pocket_of,
        islands: vec![Island::UNNUMBERED; usize::from(count)].into(),
    }))
}

/// Returns the cells of each pocket of a tile, one bit per slot, in order of their
/// first slot.
pub(crate) fn pocket_cells(tile: &CostTile) -> impl Iterator<Item = u128> + use<> {
    let mut open = tile.walls().rows.iter().rev().fold(0_u128, |open, &row| {
        open << SECTOR_SIDE | u128::from(!row & ROW_BITS)
    });
    std::iter::from_fn(move || {
        let pocket = flood(open);
        open &= !pocket;
        (pocket != 0).then_some(pocket)
    })
}

/// One bit for each cell of a row.
const ROW_BITS: u16 = (1 << SECTOR_SIDE) - 1;

/// Returns the cells joined to the first cell of `open`, one bit per slot.
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
