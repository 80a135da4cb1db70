//! The queue of search and integration: a ring of buckets.
//!
//! Keys are integers that never fall below the last one taken, and most lie
//! close above it. So the queue is a ring of 4,096 lists, one for each of the
//! next 4,096 keys, with a bit for each list that is not empty. Adding an item
//! is a store; taking one is a search for the next bit. Keys further ahead wait
//! in lists that cover one turn of the ring each, and are moved into the ring
//! when their turn comes.
//!
//! Items of the same key are taken last in, first out. So the search continues
//! where it just was. On open ground, where a whole region has the same key,
//! this leads straight to the target. It also makes the order the same on every
//! machine.

use std::collections::BTreeMap;

const BUCKETS: usize = 4096;
const WORDS: usize = BUCKETS / 64;
const _: () = assert!(WORDS == 64, "a word has a bit for each word");
const END: u32 = u32::MAX;

/// A priority queue of items, lowest key first; see the module.
#[derive(Clone)]
pub(crate) struct BucketRing<T> {
    /// The key of the first bucket.
    base: u64,
    /// The bucket of the last item taken.
    cursor: usize,
    /// The newest entry of each bucket.
    heads: Box<[u32; BUCKETS]>,
    occupied: [u64; WORDS],
    /// One bit for each word of `occupied`, set if it is not 0.
    words: u64,
    entries: Vec<Queued<T>>,
    /// The first of a list of free entries.
    vacant: u32,
    /// Items beyond the ring, by turn of the ring (the key divided by the
    /// number of buckets), each list in order of insertion.
    beyond: BTreeMap<u64, Vec<(u64, T)>>,
}

#[derive(Clone, Copy)]
struct Queued<T> {
    item: T,
    next: u32,
}

impl<T: Copy> BucketRing<T> {
    pub(crate) fn new() -> Self {
        Self {
            base: 0,
            cursor: 0,
            heads: Box::new([END; BUCKETS]),
            occupied: [0; WORDS],
            words: 0,
            entries: Vec::new(),
            vacant: END,
            beyond: BTreeMap::new(),
        }
    }

    /// Empties the queue and sets the lowest possible key.
    pub(crate) fn restart(&mut self, lowest: u64) {
        while self.words != 0 {
            let word = self.words.trailing_zeros() as usize;
            while self.occupied[word] != 0 {
                let bit = self.occupied[word].trailing_zeros() as usize;
                self.heads[word * 64 + bit] = END;
                self.occupied[word] &= self.occupied[word] - 1;
            }
            self.words &= self.words - 1;
        }
        self.entries.clear();
        self.vacant = END;
        self.beyond.clear();
        self.base = lowest;
        self.cursor = 0;
    }

    /// Adds an item. A key below the last one taken counts as that one.
    //
    // PERF: as a call it takes the search a twentieth more instructions.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64, item: T) {
        let bucket = key.wrapping_sub(self.base);
        if bucket < BUCKETS as u64 {
            self.put((bucket as usize).max(self.cursor), item);
        } else if key < self.base {
            self.put(self.cursor, item);
        } else {
            self.put_beyond(key, item);
        }
    }

    #[inline]
    fn put(&mut self, bucket: usize, item: T) {
        // Never changes the value, but the compiler does not know that.
        let bucket = bucket % BUCKETS;
        let head = &mut self.heads[bucket];
        let entry = Queued { item, next: *head };
        match self.entries.get_mut(self.vacant as usize) {
            Some(vacant) => {
                *head = self.vacant;
                self.vacant = vacant.next;
                *vacant = entry;
            }
            None => {
                *head = self.entries.len() as u32;
                self.entries.push(entry);
            }
        }
        self.occupied[bucket / 64] |= 1 << (bucket % 64);
        self.words |= 1 << (bucket / 64);
    }

    #[cold]
    fn put_beyond(&mut self, key: u64, item: T) {
        self.beyond
            .entry(turn_of(key))
            .or_default()
            .push((key, item));
    }

    /// Returns the lowest key in the queue.
    #[inline]
    pub(crate) fn lowest(&mut self) -> Option<u64> {
        if !self.seek() {
            return None;
        }
        Some(self.base + self.cursor as u64)
    }

    /// Removes the newest item of the lowest key.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<(u64, T)> {
        let key = self.lowest()?;
        Some((key, self.take()?))
    }

    /// Removes the newest item of the lowest key, if that key is below `bound`.
    #[inline]
    pub(crate) fn pop_below(&mut self, bound: u64) -> Option<(u64, T)> {
        let key = self.lowest().filter(|&key| key < bound)?;
        Some((key, self.take()?))
    }

    /// Removes the newest item of the cursor's bucket.
    #[inline]
    fn take(&mut self) -> Option<T> {
        let bucket = self.cursor % BUCKETS;
        let head = &mut self.heads[bucket];
        let entry = self.entries.get_mut(*head as usize)?;
        let item = entry.item;
        let next = std::mem::replace(&mut entry.next, self.vacant);
        self.vacant = *head;
        *head = next;
        if next == END {
            let word = &mut self.occupied[bucket / 64];
            *word &= !(1 << (bucket % 64));
            if *word == 0 {
                self.words &= !(1 << (bucket / 64));
            }
        }
        Some(item)
    }

    /// Moves the cursor to the lowest bucket that is not empty, and returns
    /// whether there is one. No bucket before the cursor holds an item.
    #[inline]
    fn seek(&mut self) -> bool {
        if self.heads[self.cursor % BUCKETS] != END {
            return true;
        }
        if self.words == 0 && !self.deal() {
            return false;
        }
        let word = self.words.trailing_zeros() as usize % WORDS;
        self.cursor = word * 64 + self.occupied[word].trailing_zeros() as usize;
        true
    }

    /// Restarts the empty ring at the lowest key beyond it, which is in the
    /// first list. So an item is moved at most twice.
    #[cold]
    fn deal(&mut self) -> bool {
        let Some(first) = self.beyond.first_entry() else {
            return false;
        };
        let keys = first.get().iter().map(|&(key, _)| key);
        self.base = keys.min().unwrap_or_default();
        self.cursor = 0;
        let last = turn_of(self.base + BUCKETS as u64 - 1);
        let later = self.beyond.split_off(&(last + 1));
        for (key, item) in std::mem::replace(&mut self.beyond, later)
            .into_values()
            .flatten()
        {
            self.push(key, item);
        }
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<[u32; BUCKETS]>()
            + self.entries.capacity() * size_of::<Queued<T>>()
            + self.beyond.values().map(Vec::capacity).sum::<usize>() * size_of::<(u64, T)>()
    }
}

/// Returns the turn of the ring that a key belongs to.
const fn turn_of(key: u64) -> u64 {
    key / BUCKETS as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::draws;

    #[test]
    fn lowest_key_first_and_newest_first_within_a_key() {
        let mut ring = BucketRing::new();
        ring.restart(100);
        for (key, number) in [
            (105, 1),
            (100, 2),
            (105, 3),
            (1 << 40, 4),
            (9000, 5),
            (9000, 6),
        ] {
            ring.push(key, number);
        }
        let order: Vec<_> = std::iter::from_fn(|| ring.pop()).collect();
        let expected = [
            (100, 2),
            (105, 3),
            (105, 1),
            (9000, 6),
            (9000, 5),
            (1 << 40, 4),
        ];
        assert_eq!(order, expected);
    }

    #[test]
    fn a_drawn_sequence_comes_out_as_from_a_sorted_list() {
        let mut ring = BucketRing::new();
        let mut twin: Vec<(u64, u64, u32)> = Vec::new();
        let mut draw = draws(1);
        ring.restart(0);
        let mut floor = 0;
        for turn in 0..20_000_u64 {
            if draw(5) < 3 {
                let ahead = if draw(10) == 0 { 40_000 } else { 200 };
                let key = floor + u64::from(draw(ahead));
                let number = turn as u32;
                ring.push(key, number);
                twin.push((key, turn, number));
            } else if let Some((key, taken)) = ring.pop() {
                let best = twin
                    .iter()
                    .enumerate()
                    .min_by_key(|(_, e)| (e.0, u64::MAX - e.1));
                let (at, _) = best.unwrap();
                let (expected_key, _, number) = twin.swap_remove(at);
                assert_eq!((key, taken), (expected_key, number));
                floor = key;
            } else {
                assert!(twin.is_empty());
            }
        }
    }
}
