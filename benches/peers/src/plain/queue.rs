//! Two queues for Dijkstra and A*: a binary heap, and a ring of buckets.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Items by key, lowest first. No added key is below the last one taken.
pub trait Queue: Default {
    fn clear(&mut self);
    fn put(&mut self, key: u32, item: u32);
    fn take(&mut self) -> Option<(u32, u32)>;
}

/// A binary heap; key and item are one integer.
#[derive(Default)]
pub struct Heap(BinaryHeap<Reverse<u64>>);

impl Queue for Heap {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn put(&mut self, key: u32, item: u32) {
        self.0.push(Reverse(u64::from(key) << 32 | u64::from(item)));
    }

    fn take(&mut self) -> Option<(u32, u32)> {
        let Reverse(both) = self.0.pop()?;
        Some(((both >> 32) as u32, both as u32))
    }
}

/// No added key is this far above the last one taken: a step costs at most 254
/// × 7, and changes the heuristic by at most 7.
const RING: usize = 2048;

/// A list for each key, in a ring; each list is last in, first out.
pub struct Buckets {
    lists: Vec<Vec<u32>>,
    key: u32,
    held: usize,
}

impl Default for Buckets {
    fn default() -> Self {
        Self {
            lists: vec![Vec::new(); RING],
            key: u32::MAX,
            held: 0,
        }
    }
}

impl Queue for Buckets {
    fn clear(&mut self) {
        if self.held > 0 {
            self.lists.iter_mut().for_each(Vec::clear);
        }
        (self.key, self.held) = (u32::MAX, 0);
    }

    fn put(&mut self, key: u32, item: u32) {
        if self.key == u32::MAX {
            self.key = key;
        }
        debug_assert!(key >= self.key && key - self.key < RING as u32);
        self.lists[key as usize % RING].push(item);
        self.held += 1;
    }

    fn take(&mut self) -> Option<(u32, u32)> {
        if self.held == 0 {
            return None;
        }
        loop {
            if let Some(item) = self.lists[self.key as usize % RING].pop() {
                self.held -= 1;
                return Some((self.key, item));
            }
            self.key += 1;
        }
    }
}
