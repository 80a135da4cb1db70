//! The ids of groups.

use std::fmt;

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
