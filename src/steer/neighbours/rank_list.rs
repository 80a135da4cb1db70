//! Lists of ranks that grow by up to four at once, as comparing four lanes finds them.

use super::four::Mask;

/// The ranks of the lanes that are set in four bits, in order.
const SET: [[u32; 4]; 16] = {
    let mut lists = [[0; 4]; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut lane = 0;
        let mut count = 0;
        while lane < 4 {
            if bits >> lane & 1 == 1 {
                lists[bits][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    lists
};

// PERF: a look-up: x86-64 has no instruction for it that every machine knows.
const COUNTS: [u8; 16] = {
    let mut counts = [0; 16];
    let mut bits = 1;
    while bits < 16 {
        counts[bits] = counts[bits / 2] + bits as u8 % 2;
        bits += 1;
    }
    counts
};

/// Up to four ranks: those that are set, and a spare one in the other lanes.
#[derive(Clone, Copy)]
pub(super) struct FourRanks {
    pub(super) ranks: [u32; 4],
    pub(super) count: usize,
}

impl FourRanks {
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u32] {
        &self.ranks[..self.count.min(4)]
    }

    #[inline(always)]
    pub(super) fn mask(&self) -> Mask {
        Mask::first(self.count)
    }
}

/// A list of ranks that grows by up to four at once, without branches.
pub(super) struct RankList<const N: usize> {
    ranks: [u32; N],
    count: usize,
}

impl<const N: usize> RankList<N> {
    pub(super) const fn new() -> Self {
        Self {
            ranks: [0; N],
            count: 0,
        }
    }

    pub(super) fn keep(&mut self, ranks: &[u32]) {
        self.ranks[..ranks.len()].copy_from_slice(ranks);
        self.count = ranks.len();
    }

    pub(super) const fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds `first` and the three ranks after it, those whose bits are set. The
    /// list must not be [full](Self::is_full).
    #[inline(always)]
    pub(super) fn add(&mut self, first: usize, bits: u32) {
        let [one, two, three, four] = SET[bits as usize & 15];
        let rank = first as u32;
        if let Some(room) = self.ranks[self.count..].first_chunk_mut() {
            *room = [rank + one, rank + two, rank + three, rank + four];
        }
        self.count += usize::from(COUNTS[bits as usize & 15]);
    }

    /// Whether it is to be worked off before more is added.
    pub(super) const fn is_full(&self) -> bool {
        self.count > N - 8
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        &self.ranks[..self.count]
    }

    /// Fills the lanes after the last rank with a spare one.
    #[inline(always)]
    pub(super) fn seal(&mut self, spare: usize) {
        if let Some(room) = self.ranks[self.count..].first_chunk_mut() {
            *room = [spare as u32; 4];
        }
    }

    /// Returns up to four ranks of a [sealed](Self::seal) list, from the one at
    /// `first` on; `None` at the end.
    #[inline(always)]
    pub(super) fn four(&self, first: usize) -> Option<FourRanks> {
        let count = self.count.checked_sub(first).filter(|&count| count > 0)?;
        let ranks = *self.ranks[first..].first_chunk()?;
        Some(FourRanks { ranks, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_bits_in_order() {
        let mut ranks = RankList::<16>::new();
        ranks.add(40, 0b1010);
        ranks.add(44, 0);
        ranks.add(48, 0b1111);
        assert_eq!(ranks.as_slice(), [41, 43, 48, 49, 50, 51]);
        assert!(!ranks.is_full());
        ranks.add(60, 0b0101);
        ranks.add(64, 0b0001);
        assert!(ranks.is_full());
        ranks.keep(&[7, 60, 2, 3, 9]);
        ranks.add(61, 1);
        assert_eq!(ranks.as_slice(), [7, 60, 2, 3, 9, 61]);
        ranks.seal(5);
        let four = |first| {
            ranks
                .four(first)
                .map(|four| (four.ranks, four.as_slice().len()))
        };
        assert_eq!(four(0), Some(([7, 60, 2, 3], 4)));
        assert_eq!((four(4), four(8)), (Some(([9, 61, 5, 5], 2)), None));
    }
}
