//! The ids of groups, and sets of ids in ascending order.

use std::collections::BTreeMap;
use std::fmt;

/// A set of ids: a bit for each, in pages of 64. Games number their units
/// densely, so a page serves many, and all pages of an army fit a cache.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdSet {
    pages: BTreeMap<u32, u64>,
    count: usize,
}

impl IdSet {
    pub(crate) const fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn contains(&self, id: u32) -> bool {
        let page = self.pages.get(&(id / 64));
        page.is_some_and(|page| page & bit(id) != 0)
    }

    pub(crate) fn insert(&mut self, id: u32) {
        let page = self.pages.entry(id / 64).or_default();
        self.count += usize::from(*page & bit(id) == 0);
        *page |= bit(id);
    }

    pub(crate) fn remove(&mut self, id: u32) {
        let Some(page) = self.pages.get_mut(&(id / 64)) else {
            return;
        };
        self.count -= usize::from(*page & bit(id) != 0);
        *page &= !bit(id);
        if *page == 0 {
            self.pages.remove(&(id / 64));
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.pages.iter().flat_map(|(&number, &page)| {
            (0..64)
                .filter(move |at| page >> at & 1 == 1)
                .map(move |at| number * 64 + at)
        })
    }
}

const fn bit(id: u32) -> u64 {
    1 << (id % 64)
}

/// A group of an army, as returned by
/// [`Army::add_group`](crate::steer::Army::add_group). The default is the id of an
/// army's first group.
///
/// The id of a removed group stays invalid, even if a later group gets its
/// [index](Self::index). An id is a number without a mark of its army, so that it lasts
/// through saves and forks: a game with several armies keeps their ids apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupId {
    pub(crate) index: u32,
    /// How many groups had this index before.
    pub(crate) generation: u32,
}

impl GroupId {
    /// Returns the number, for a game's own saves and other languages.
    #[must_use]
    pub const fn number(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// Returns the id with this number. Whether there is such a group, only the army
    /// knows.
    ///
    /// ```
    /// use flowtiles::steer::{Army, GroupId, Reading, Target};
    ///
    /// let mut army = Army::default();
    /// let group = army.add_group(Target::Stand, Reading::Ahead)?;
    /// assert_eq!(GroupId::from_number(group.number()), group);
    /// # Ok::<(), flowtiles::steer::ArmyError>(())
    /// ```
    #[must_use]
    pub const fn from_number(number: u64) -> Self {
        Self {
            index: number as u32,
            generation: (number >> 32) as u32,
        }
    }

    /// Returns the group's index, for tables of groups: 0 for the first of an
    /// army. The index of a removed group is given to a later one.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl fmt::Display for GroupId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => write!(f, "{}", self.index),
            generation => write!(f, "{}.{generation}", self.index),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::draws::draws;

    #[test]
    fn a_set_holds_what_a_tree_of_ids_holds() {
        let mut below = draws(3);
        let mut set = IdSet::default();
        let mut wanted = BTreeSet::new();
        for _ in 0..5_000 {
            let id = [below(300), u32::MAX - below(9)][below(2) as usize];
            if below(2) == 0 {
                set.insert(id);
                wanted.insert(id);
            } else {
                set.remove(id);
                wanted.remove(&id);
            }
            assert_eq!(set.contains(id), wanted.contains(&id));
            assert_eq!(set.len(), wanted.len());
        }
        assert!(set.iter().eq(wanted.iter().copied()));
        set.clear();
        assert!(set.iter().next().is_none() && set.len() == 0);
    }
}
