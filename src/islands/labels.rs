//! Labels of islands, and which of them have become one.

use super::island::Island;

/// All labels given out. Joining two islands makes the smaller's label stand
/// for the larger's, so a label is never more than a few steps from the one it
/// stands for.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    /// What each label stands for: itself or another.
    stands_for: Vec<u32>,
    /// How many pockets an island has, by the label that stands for itself.
    pockets: Vec<u32>,
    islands: usize,
}

impl Labels {
    /// A label for each of these islands, told by how many pockets they have.
    pub(super) fn of(pockets: Vec<u32>) -> Self {
        Self {
            stands_for: (0..pockets.len() as u32).collect(),
            islands: pockets.len(),
            pockets,
        }
    }

    /// A new label, of an island without pockets.
    pub(super) fn add(&mut self) -> Island {
        let label = self.stands_for.len() as u32;
        self.stands_for.push(label);
        self.pockets.push(0);
        Island(label)
    }

    /// The label that this one stands for.
    pub(super) fn root(&self, Island(mut label): Island) -> Island {
        while self.stands_for[label as usize] != label {
            label = self.stands_for[label as usize];
        }
        Island(label)
    }

    /// Counts pockets into an island.
    pub(super) fn count_in(&mut self, label: Island, pockets: u32) {
        let Island(root) = self.root(label);
        let count = &mut self.pockets[root as usize];
        self.islands += usize::from(*count == 0 && pockets > 0);
        *count += pockets;
    }

    /// Counts pockets out of an island.
    pub(super) fn count_out(&mut self, label: Island, pockets: u32) {
        let Island(root) = self.root(label);
        let count = &mut self.pockets[root as usize];
        *count -= pockets;
        self.islands -= usize::from(*count == 0 && pockets > 0);
    }

    /// Makes two islands one; returns its label.
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

    /// How many islands have pockets.
    pub(super) const fn count(&self) -> usize {
        self.islands
    }

    /// How many labels were given out.
    pub(super) fn given(&self) -> usize {
        self.stands_for.len()
    }

    pub(super) fn bytes(&self) -> usize {
        (self.stands_for.capacity() + self.pockets.capacity()) * size_of::<u32>()
    }
}
