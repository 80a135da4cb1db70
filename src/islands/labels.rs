//! Labels of islands, and which of them have been joined.

use super::island::Island;

/// All labels in use so far. When two islands are joined, the label of the
/// smaller one becomes an alias of the larger one's. So an alias is at most a
/// few steps from its root.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// The label that each label is an alias of, or itself.
    stands_for: Vec<u32>,
    /// The number of pockets of an island, by its root label.
    pockets: Vec<u32>,
    islands: usize,
}

impl Labels {
    /// Makes one label for each island, given the islands' numbers of pockets.
    pub(super) fn of(pockets: Vec<u32>) -> Self {
        Self {
            stands_for: (0..pockets.len() as u32).collect(),
            islands: pockets.len(),
            pockets,
        }
    }

    /// Adds a label, for an island that has no pockets yet.
    pub(super) fn add(&mut self) -> Island {
        let label = self.stands_for.len() as u32;
        self.stands_for.push(label);
        self.pockets.push(0);
        Island(label)
    }

    pub(super) fn root(&self, Island(mut label): Island) -> Island {
        while self.stands_for[label as usize] != label {
            label = self.stands_for[label as usize];
        }
        Island(label)
    }

    /// Adds pockets to an island.
    pub(super) fn count_in(&mut self, label: Island, pockets: u32) {
        let Island(root) = self.root(label);
        let count = &mut self.pockets[root as usize];
        self.islands += usize::from(*count == 0 && pockets > 0);
        *count += pockets;
    }

    /// Removes pockets from an island.
    pub(super) fn count_out(&mut self, label: Island, pockets: u32) {
        let Island(root) = self.root(label);
        let count = &mut self.pockets[root as usize];
        *count -= pockets;
        self.islands -= usize::from(*count == 0 && pockets > 0);
    }

    /// Joins two islands; returns the label of the result.
    pub(super) fn join(&mut self, a: Island, b: Island) -> Island {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return a;
        }
        let size = |label: Island| (self.pockets[label.0 as usize], std::cmp::Reverse(label.0));
        let (large, small) = if size(a) >= size(b) { (a, b) } else { (b, a) };
        let moved = self.pockets[small.0 as usize];
        self.count_out(small, moved);
        self.stands_for[small.0 as usize] = large.0;
        self.count_in(large, moved);
        large
    }

    /// Returns the number of islands that have pockets.
    pub(super) const fn count(&self) -> usize {
        self.islands
    }

    pub(super) fn size_of(&self, label: Island) -> u32 {
        self.pockets[self.root(label).0 as usize]
    }

    /// Returns the number of labels made so far.
    pub(super) fn given(&self) -> usize {
        self.stands_for.len()
    }

    pub(super) fn bytes(&self) -> usize {
        (self.stands_for.capacity() + self.pockets.capacity()) * size_of::<u32>()
    }
}
